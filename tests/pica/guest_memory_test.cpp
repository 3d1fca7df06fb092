// SPDX-License-Identifier: MIT
// Facts of pica/memory.
#include "pica/memory/guest_arena.h"
#include "pica/memory/guest_memory.h"
#include "pica/memory/page_tracker.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <utility>
#include <vector>

using namespace pica;

namespace
{
struct SmallMemory
{
    std::vector<u8> low = std::vector<u8>(0x3000);
    std::vector<u8> high = std::vector<u8>(0x1800);
    GuestMemory memory{{{0x18000000, low}, {0xFFFFE800, high}}};
};
} // namespace

TEST_CASE("guest memory: a span lies wholly inside one region or is empty")
{
    SmallMemory small;
    const GuestMemory& memory = small.memory;
    CHECK(memory.span(0x18000000, 0x3000).size() == 0x3000);
    CHECK(memory.span(0x18002FFF, 1).data() == &small.low[0x2FFF]);
    CHECK(memory.span(0x18000000, 0x3001).empty());
    CHECK(memory.span(0x18003000, 1).empty());
    CHECK(memory.span(0x17FFFFFF, 1).empty());
    CHECK(memory.span(0x17FFFFFF, 2).empty());
    CHECK(memory.span(0, 0x40000000).empty());
}

TEST_CASE("guest memory: committing pages of an arena leaves its bytes, whatever the range")
{
    GuestArena arena(0x3000);
    arena.fcram()[0x1000] = 7;
    arena.fcram()[0x2FFF] = 9;
    for (const MemoryRange range :
         {MemoryRange{kFcramBase, 0x3000}, MemoryRange{kFcramBase + 0x1234, 0xFFFFFFFF},
          MemoryRange{kFcramBase - 1, 2}, MemoryRange{0, 0}, MemoryRange{0xFFFFFFFF, 0xFFFFFFFF}})
        arena.commit(range);
    CHECK(arena.fcram()[0x1000] == 7);
    CHECK(arena.fcram()[0x2FFF] == 9);
    CHECK(std::count(arena.fcram().begin(), arena.fcram().end(), u8{0}) == 0x3000 - 2);
}

TEST_CASE("guest memory: sizes do not wrap at the end of the address space")
{
    SmallMemory small;
    CHECK(small.memory.span(0xFFFFFFFF, 1).size() == 1);
    CHECK(small.memory.span(0xFFFFFFFF, 2).empty());
    CHECK(small.memory.span(0xFFFFF000, ~u64{0}).empty());
    CHECK(small.memory.span(0x18000010, ~u64{0} - 8).empty());
}

TEST_CASE("guest memory: clamp_size tells how much exists")
{
    SmallMemory small;
    CHECK(small.memory.clamp_size(0x18000000, 0x100) == 0x100);
    CHECK(small.memory.clamp_size(0x18002F00, 0x1000) == 0x100);
    CHECK(small.memory.clamp_size(0x18003000, 0x1000) == 0);
    CHECK(small.memory.clamp_size(0xFFFFFFF0, 0xFFFFFFFF) == 16);
}

TEST_CASE("guest memory: a range has parts in every region that it touches, wherever it begins")
{
    // Neighbours, a gap, and the last bytes of all.
    std::vector<u8> a(0x1000), b(0x1800), c(0x1000), last(0x1000);
    const GuestMemory memory{{{0x20001000, b}, {0x20000000, a}, {0x20003000, c}, {0xFFFFF000, last}}};
    const auto parts = [&](PhysAddr address, u64 size)
    {
        std::vector<std::pair<PhysAddr, std::size_t>> found;
        memory.for_each_part(address, size,
                             [&](PhysAddr begin, std::span<u8> bytes)
                             {
                                 CHECK(bytes.data() == memory.span(begin, bytes.size()).data());
                                 found.emplace_back(begin, bytes.size());
                             });
        return found;
    };
    using Parts = std::vector<std::pair<PhysAddr, std::size_t>>;
    CHECK(parts(0x20000000, 0x1000) == Parts{{0x20000000, 0x1000}});
    CHECK(parts(0x1FFFFFFF, 2) == Parts{{0x20000000, 1}});
    CHECK(parts(0x20000FFF, 2) == Parts{{0x20001000, 1}, {0x20000FFF, 1}});
    CHECK(parts(0x200027FF, 0x802) == Parts{{0x200027FF, 1}, {0x20003000, 1}});
    CHECK(parts(0x20002800, 0x800).empty());
    CHECK(parts(0x20000000, 0).empty());
    CHECK(parts(0xFFFFFFFF, 0xFFFFFFFF) == Parts{{0xFFFFFFFF, 1}}); // no wrap
    CHECK(parts(0x20003FFF, ~u64{0}) == Parts{{0x20003FFF, 1}, {0xFFFFF000, 0x1000}});
    CHECK(memory.count_bytes(0, 0xFFFFFFFF) == 0x1000 + 0x1800 + 0x1000 + 0xFFF);
    CHECK(memory.count_bytes(0, u64{1} << 32) == 0x1000 + 0x1800 + 0x1000 + 0x1000);
    CHECK(memory.count_bytes(0x1FFFF000, 0x3000) == 0x2000);
    CHECK(overlap(0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 1));
    CHECK_FALSE(overlap(0xFFFFFFFF, 2, 0, 1));
    CHECK_FALSE(overlap(0x1000, 0, 0x800, 0x1000));
    CHECK_FALSE(overlap(0x1000, 0x1000, 0x2000, 1));
}

TEST_CASE("guest memory: reads are little-endian and 0 outside")
{
    SmallMemory small;
    for (u32 i = 0; i < 4; ++i)
        small.low[0x2FFC + i] = static_cast<u8>(0x11 * (i + 1));
    const GuestMemory& memory = small.memory;
    CHECK(memory.read32(0x18002FFC) == 0x44332211);
    CHECK(memory.read16(0x18002FFD) == 0x3322);
    CHECK(memory.read8(0x18002FFF) == 0x44);
    CHECK(memory.read32(0x18002FFD) == 0);
    CHECK(memory.read16(0x18002FFF) == 0);
    CHECK(memory.read8(0x18003000) == 0);
    CHECK(memory.read32(0) == 0);
}

TEST_CASE("guest memory: write32 stores, stamps, and ignores what is outside")
{
    SmallMemory small;
    small.memory.write32(0x18000FFE, 0xA1B2C3D4);
    CHECK(small.memory.read32(0x18000FFE) == 0xA1B2C3D4);
    const u64 stamp = small.memory.generation(0x18000000, 1);
    CHECK(stamp != 0);
    CHECK(small.memory.generation(0x18001000, 1) == stamp);
    CHECK(small.memory.generation(0x18002000, 0x1000) == 0);
    small.memory.write32(0x18002FFD, 1);
    CHECK(small.memory.generation(0x18002000, 0x1000) == 0);
}

TEST_CASE("page tracker: a generation is the newest stamp over the range")
{
    PageTracker pages;
    pages.add_region(0x20000000, 0x10000);
    CHECK(pages.generation(0x20000000, 0x10000) == 0);
    pages.did_write(0x20000FFF, 2);
    const u64 first = pages.latest();
    pages.did_write(0x20003000, 1);
    const u64 second = pages.latest();
    CHECK(second > first);
    CHECK(pages.generation(0x20000000, 1) == first);
    CHECK(pages.generation(0x20001FFF, 1) == first);
    CHECK(pages.generation(0x20002000, 0x1000) == 0);
    CHECK(pages.generation(0x20002000, 0x1001) == second);
    CHECK(pages.generation(0x20000000, 0x10000) == second);
}

TEST_CASE("page tracker: empty and outside ranges change nothing, long ranges are cut")
{
    PageTracker pages;
    pages.add_region(0x20000000, 0x2000);
    pages.add_region(0xFFFFF000, 0x1000);
    pages.did_write(0x20000000, 0);
    CHECK(pages.latest() == 0);
    pages.did_write(0x30000000, 4);
    CHECK(pages.generation(0x20000000, 0x2000) == 0);
    CHECK(pages.generation(0x30000000, 4) == 0);
    pages.did_write(0x1FFFF000, 0x2000);
    CHECK(pages.generation(0x20000000, 0x1000) == pages.latest());
    CHECK(pages.generation(0x20001000, 0x1000) == 0);
    pages.did_write(0, u64{1} << 32);
    CHECK(pages.generation(0xFFFFFFFF, 1) == pages.latest());
    CHECK(pages.generation(0x20001000, 0) == 0);
}

TEST_CASE("guest arena: VRAM and FCRAM are zero and writable")
{
    GuestArena arena;
    GuestMemory& memory = arena.memory();
    CHECK(memory.span(0x18000000, 0x600000).size() == 0x600000);
    CHECK(memory.span(0x20000000, 0x8000000).size() == 0x8000000);
    CHECK(memory.span(0x18600000, 1).empty());
    CHECK(memory.read32(0x185FFFFC) == 0);
    memory.write32(0x27FFFFFC, 0x12345678);
    CHECK(memory.read32(0x27FFFFFC) == 0x12345678);
    CHECK(arena.fcram()[0x7FFFFFF] == 0x12);
}
