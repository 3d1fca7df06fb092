// SPDX-License-Identifier: MIT
#include "samples/cli/input_file.h"

#include "pica/base/bounded_file.h"
#include "samples/cli/host.h"

namespace samples
{

std::string input_name(const std::string& path)
{
    return path == kStandardInput ? "standard input" : path;
}

pica::Result<std::vector<pica::u8>>
read_input(const std::string& path, std::size_t magic_bytes,
           const std::function<pica::u64(std::span<const pica::u8>)>& most_bytes)
{
    const pica::Result<OpenFile> file = open_input(path);
    const std::string name = input_name(path);
    if (!file)
        return pica::Error{name + ": " + file.error().message};
    auto bytes = pica::read_bounded(file->get(), magic_bytes, most_bytes);
    if (!bytes)
        return pica::Error{name + ": " + bytes.error().message};
    return bytes;
}

} // namespace samples
