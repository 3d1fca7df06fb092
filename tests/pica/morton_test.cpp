// SPDX-License-Identifier: MIT
// Facts of pica/texture/morton.h. Vectors: pica/hardware/test-vectors.md, "Tiled offsets".
#include "pica/texture/morton.h"

#include <doctest/doctest.h>

#include <set>

using namespace pica;

TEST_CASE("morton: tiled byte offsets of the test vectors")
{
    CHECK(tiled_offset(0, 0, 240, 4) == 0);
    CHECK(tiled_offset(1, 0, 240, 4) == 4);
    CHECK(tiled_offset(0, 1, 240, 4) == 8);
    CHECK(tiled_offset(9, 5, 240, 4) == 396);
    CHECK(tiled_offset(239, 399, 240, 3) == 287997);
    CHECK(tiled_offset(8, 8, 64, 2) == 1152);
}

TEST_CASE("morton: index inside a tile goes both ways")
{
    for (u32 y = 0; y < 8; ++y)
        for (u32 x = 0; x < 8; ++x)
        {
            const u32 index = morton8(x, y);
            CHECK(index == kMortonX[x] + kMortonY[y]);
            CHECK(morton_x(index) == x);
            CHECK(morton_y(index) == y);
        }
}

TEST_CASE("morton: a 32x32 block is sixteen 8x8 tiles in Morton order")
{
    for (u32 y = 0; y < 32; ++y)
        for (u32 x = 0; x < 32; ++x)
        {
            CHECK(morton32(x, y) == morton8(x >> 3, y >> 3) * 64 + morton8(x, y));
            CHECK(morton_x(morton32(x, y)) == x);
            CHECK(morton_y(morton32(x, y)) == y);
        }
    CHECK(block32_index(32, 0, 64) == 1024);
    CHECK(block32_index(0, 32, 64) == 2048);
}

TEST_CASE("morton: sizes that are multiples of 8 use every pixel slot once")
{
    std::set<u64> seen;
    for (u32 y = 0; y < 24; ++y)
        for (u32 x = 0; x < 40; ++x)
            seen.insert(tiled_index(x, y, 40));
    CHECK(seen.size() == 40 * 24);
    CHECK(*seen.rbegin() == 40 * 24 - 1);
}

TEST_CASE("morton: other widths use a row pitch of 8 times the width")
{
    CHECK(tiled_index(0, 8, 20) == 160);
    CHECK(tiled_index(19, 0, 20) == 128 + 5); // third tile, x = 3
}
