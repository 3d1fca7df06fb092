// SPDX-License-Identifier: MIT
// Facts of pica/texture/etc1.h. Vector: pica/hardware/test-vectors.md, "ETC1 block".
#include "pica/texture/etc1.h"

#include "pica/texture/pixel.h"

#include <doctest/doctest.h>

using namespace pica;

TEST_CASE("etc1: the differential block of the test vectors")
{
    const u32 a = make_rgba(220, 146, 255, 255), b = make_rgba(116, 42, 223, 255),
              c = make_rgba(180, 106, 255, 255), d = make_rgba(76, 2, 159, 255),
              e = make_rgba(164, 90, 255, 255), f = make_rgba(132, 58, 215, 255),
              g = make_rgba(236, 162, 255, 255);
    const Etc1Block expected = {a, b, c, d, e, b, f, g, b, a, c, g, a, a, c, g};
    CHECK(decode_etc1(0x8A42F7B61234F0C9) == expected);
}

TEST_CASE("etc1: individual mode expands 4 bits by 17, sub-block 1 is on the left")
{
    // Red nibbles 15 and 0, others 0; tables 0; all selectors 0 (small, positive: +2).
    const Etc1Block block = decode_etc1(u64{0xF0} << 56);
    CHECK(block[0] == make_rgba(255, 2, 2, 255));
    CHECK(block[2] == make_rgba(2, 2, 2, 255));
    CHECK(block[13] == make_rgba(255, 2, 2, 255));
}

TEST_CASE("etc1: flip puts sub-block 1 on top")
{
    const Etc1Block block = decode_etc1(u64{0xF0} << 56 | u64{1} << 32);
    CHECK(block[3] == make_rgba(255, 2, 2, 255));
    CHECK(block[4] == make_rgba(255, 2, 2, 255));
    CHECK(block[8] == make_rgba(2, 2, 2, 255));
}

TEST_CASE("etc1: a differential sum that overflows keeps its low 5 bits")
{
    // Red 31 with difference +3 -> 34 -> 2 -> 16; plus 2.
    const Etc1Block block = decode_etc1(u64{31u << 3 | 3} << 56 | u64{1} << 33);
    CHECK(red(block[0]) == 255);
    CHECK(red(block[3]) == 16 + 2);
    // Red 0 with difference -1 -> 31.
    CHECK(red(decode_etc1(u64{7} << 56 | u64{1} << 33)[3]) == 255);
}

TEST_CASE("etc1a4: alpha nibbles run down the columns")
{
    const Etc1Block block = decode_etc1a4(0, 0xFEDCBA9876543210);
    for (u32 y = 0; y < 4; ++y)
        for (u32 x = 0; x < 4; ++x)
            CHECK(alpha(block[4 * y + x]) == (4 * x + y) * 17);
}
