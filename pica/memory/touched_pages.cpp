// SPDX-License-Identifier: MIT
#include "pica/memory/touched_pages.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>

#if defined(__linux__)
#include <fcntl.h>
#include <unistd.h>
#endif

namespace pica
{

#if defined(__linux__)

namespace
{

// Does one private mapping without a file cover all of it?
bool is_anonymous(u64 begin, u64 end)
{
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> maps(std::fopen("/proc/self/maps", "re"),
                                                               &std::fclose);
    if (!maps)
    {
        return false;
    }
    std::array<char, 512> line{};
    bool starts = true; // the rest of a line with a long path is none
    while (std::fgets(line.data(), static_cast<int>(line.size()), maps.get()) != nullptr)
    {
        const bool is_start = starts;
        starts = std::strchr(line.data(), '\n') != nullptr;
        unsigned long long from = 0, to = 0, inode = 0;
        std::array<char, 5> rights{};
        if (!is_start ||
            std::sscanf(line.data(), "%llx-%llx %4s %*s %*s %llu", &from, &to, rights.data(), &inode) != 4)
            continue;
        if (from <= begin && begin < to)
            return end <= to && inode == 0 && rights[3] == 'p';
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
    if (count == 0 || sysconf(_SC_PAGESIZE) != static_cast<long>(kTouchedPageSize) ||
        begin % kTouchedPageSize != 0 || !is_anonymous(begin, begin + bytes.size()))
        return touched;
    const int file = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return touched;
    std::vector<u64> entries(std::min<std::size_t>(count, 4096));
    for (std::size_t page = 0; page < count;)
    {
        const std::size_t size = std::min(entries.size(), count - page) * sizeof(u64);
        const auto offset = static_cast<off_t>((begin / kTouchedPageSize + page) * sizeof(u64));
        const ssize_t got = pread(file, entries.data(), size, offset);
        if (got < static_cast<ssize_t>(sizeof(u64)))
            break;
        for (std::size_t i = 0; i < static_cast<std::size_t>(got) / sizeof(u64); ++i)
            touched[page++] = (entries[i] & (kPresent | kSwapped)) != 0;
    }
    close(file);
    return touched;
}

#else

std::vector<bool> touched_pages(std::span<const u8> bytes)
{
    return std::vector<bool>((bytes.size() + kTouchedPageSize - 1) / kTouchedPageSize, true);
}

#endif

} // namespace pica
