// SPDX-License-Identifier: MIT
#include "pica/base/bounded_file.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <string>

namespace pica
{

namespace
{

Error unreadable()
{
    return Error{std::string("cannot be read: ") + std::strerror(errno)};
}

Error too_large(u64 most)
{
    return Error{"larger than " + std::to_string(most) + " bytes, which no such file is"};
}

} // namespace

Result<std::vector<u8>> read_bounded(std::FILE* file, std::size_t magic_bytes,
                                     const std::function<u64(std::span<const u8>)>& most_bytes)
{
    std::vector<u8> bytes(magic_bytes);
    bytes.resize(std::fread(bytes.data(), 1, magic_bytes, file));
    if (std::ferror(file) != 0)
        return unreadable();
    const u64 most = most_bytes(bytes);
    if (most == 0)
        return bytes;
    // A regular file reports its size before it is read. Pipes have none.
    const long position = std::ftell(file);
    if (position >= 0 && std::fseek(file, 0, SEEK_END) == 0)
    {
        const long end = std::ftell(file);
        if (end > 0 && static_cast<u64>(end) > most)
            return too_large(most);
        if (std::fseek(file, position, SEEK_SET) != 0)
            return unreadable();
        if (end > 0)
            bytes.reserve(static_cast<std::size_t>(end));
    }
    std::array<u8, 65536> chunk;
    while (const std::size_t size = std::fread(chunk.data(), 1, chunk.size(), file))
    {
        if (bytes.size() + size > most)
            return too_large(most);
        bytes.insert(bytes.end(), chunk.begin(), chunk.begin() + static_cast<std::ptrdiff_t>(size));
    }
    if (std::ferror(file) != 0)
        return unreadable();
    return bytes;
}

} // namespace pica
