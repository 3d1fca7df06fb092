// SPDX-License-Identifier: MIT
// Where the files of Linux are missing, nothing is told.
#include "pica/memory/touched_pages.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <ios>
#include <sstream>
#include <string>

namespace pica
{

namespace
{

// What the kernel told this process when it started: pairs of a type and a value. 0: it is not known.
std::size_t kernel_page_size()
{
    constexpr std::uintptr_t kPageSizeType = 6; // AT_PAGESZ
    std::ifstream file("/proc/self/auxv", std::ios::binary);
    std::array<std::uintptr_t, 2> entry{};
    while (file.read(reinterpret_cast<char*>(entry.data()), sizeof entry))
        if (entry[0] == kPageSizeType)
            return entry[1];
    return 0;
}

// Do private mappings without a file cover all of it? Advice about a part of a mapping makes two of it.
bool is_anonymous(u64 begin, u64 end)
{
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);)
    {
        std::istringstream text(line);
        u64 from = 0, to = 0, inode = 0;
        char dash = 0;
        std::string rights, offset, device;
        text >> std::hex >> from >> dash >> to >> rights >> offset >> device >> std::dec >> inode;
        if (!text || begin < from || to <= begin)
            continue;
        if (inode != 0 || rights.size() != 4 || rights[3] != 'p')
            return false;
        if (end <= to)
            return true;
        begin = to;
    }
    return false;
}

// A page's entry in /proc/self/pagemap.
constexpr u64 kPresent = u64{1} << 63, kSwapped = u64{1} << 62;

} // namespace

std::vector<bool> touched_pages(std::span<const u8> bytes)
{
    const std::size_t count = (bytes.size() + kTouchedPageSize - 1) / kTouchedPageSize;
    std::vector<bool> touched(count, true);
    const u64 begin = reinterpret_cast<std::uintptr_t>(bytes.data());
    if (count == 0 || begin % kTouchedPageSize != 0 || kernel_page_size() != kTouchedPageSize ||
        !is_anonymous(begin, begin + bytes.size()))
        return touched;
    std::ifstream file;
    file.rdbuf()->pubsetbuf(nullptr, 0); // the kernel refuses to be read in other pieces than whole entries
    file.open("/proc/self/pagemap", std::ios::binary);
    file.seekg(static_cast<std::streamoff>(begin / kTouchedPageSize * sizeof(u64)));
    std::vector<u64> entries(std::min<std::size_t>(count, 4096));
    for (std::size_t page = 0; page < count && file;)
    {
        const std::size_t wanted = std::min(entries.size(), count - page) * sizeof(u64);
        file.read(reinterpret_cast<char*>(entries.data()), static_cast<std::streamsize>(wanted));
        for (std::size_t i = 0; i < static_cast<std::size_t>(file.gcount()) / sizeof(u64); ++i)
            touched[page++] = (entries[i] & (kPresent | kSwapped)) != 0;
    }
    return touched;
}

} // namespace pica
