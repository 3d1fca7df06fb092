// SPDX-License-Identifier: MIT
#include "pica/memory/touched_pages.h"

#include "pica/memory/guest_arena.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

using namespace pica;

TEST_CASE("touched pages: a page that was written is always told")
{
    GuestArena arena(16u << 20);
    const std::span<u8> bytes = arena.fcram();
    std::vector<std::size_t> written{0, 7, 8, 4094, 4095};
    for (const std::size_t page : written)
        bytes[page * kTouchedPageSize + page % kTouchedPageSize] = 1;
    const std::vector<bool> touched = touched_pages(bytes);
    REQUIRE(touched.size() == 4096);
    for (const std::size_t page : written)
        CHECK(touched[page]);
    // What begins inside of a page and is no whole number of them counts from its own first byte.
    const std::vector<bool> part = touched_pages(bytes.subspan(100, 3 * kTouchedPageSize + 1));
    REQUIRE(part.size() == 4);
    CHECK(part[0]);
    CHECK(touched_pages({}).empty());
}

#if defined(__linux__)

TEST_CASE("touched pages: most pages of a new arena are not touched")
{
    if (sysconf(_SC_PAGESIZE) != long{kTouchedPageSize})
        return;
    GuestArena arena; // 128 MB: an allocator may take less from memory that it has used
    arena.fcram()[5 * kTouchedPageSize] = 1;
    const std::vector<bool> touched = touched_pages(arena.fcram());
    CHECK(touched[5]);
    // A huge page may have come with the one byte.
    CHECK(std::count(touched.begin(), touched.end(), false) >= 16384);
}

// Advice about a part of a mapping, or other rights, make several of it.
TEST_CASE("touched pages: a range may lie in several mappings")
{
    constexpr std::size_t kPages = 16, kSize = kPages * kTouchedPageSize;
    if (sysconf(_SC_PAGESIZE) != long{kTouchedPageSize})
        return;
    void* const pages = mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(pages != MAP_FAILED);
    u8* const bytes = static_cast<u8*>(pages);
    REQUIRE(madvise(bytes + 4 * kTouchedPageSize, 4 * kTouchedPageSize, MADV_DONTDUMP) == 0);
    bytes[6 * kTouchedPageSize] = 1;
    REQUIRE(mprotect(bytes, 2 * kTouchedPageSize, PROT_READ) == 0);
    const std::vector<bool> touched = touched_pages({bytes, kSize});
    CHECK(touched[6]);
    CHECK(std::count(touched.begin(), touched.end(), true) <= 4); // the kernel may give several at once
    // What others may have written behind them counts for all.
    REQUIRE(mmap(bytes + 12 * kTouchedPageSize, 4 * kTouchedPageSize, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED);
    const std::vector<bool> all = touched_pages({bytes, kSize});
    CHECK(std::count(all.begin(), all.end(), true) == kPages);
    munmap(pages, kSize);
}

// What another mapping of the same pages has written is not in this one's table of pages.
TEST_CASE("touched pages: all pages of a shared mapping may hold anything")
{
    constexpr std::size_t kSize = 16 * kTouchedPageSize;
    void* const shared = mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(shared != MAP_FAILED);
    const std::vector<bool> touched = touched_pages({static_cast<const u8*>(shared), kSize});
    CHECK(std::count(touched.begin(), touched.end(), true) == 16);
    munmap(shared, kSize);
}

#endif
