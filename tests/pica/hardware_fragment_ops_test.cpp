// SPDX-License-Identifier: MIT
// The tables of pica/hardware/fragment-operations.md and of rasteriser.md, "Scissor", row by row, from
// registers to memory. Every expected value is written out, worked out by hand.
#include "tests/support/scenes/register_pixel.h"

#include <doctest/doctest.h>

using namespace tests;

namespace
{

constexpr Rgba kWhite = {255, 255, 255, 255};
constexpr Rgba kBlack = {0, 0, 0, 0};
// Depth code of d = 0.5: floor(0.5 * 16777215) = 8388607.
constexpr u32 kHalf = 8388607;

} // namespace

// pica/hardware/rasteriser.md, "Scissor"
TEST_CASE("scissor: modes; the rectangle is inclusive and y points up")
{
    // x1 = 2, y1 = 1, x2 = 5, y2 = 3; rows from the top (y = 7), columns x = 0..7.
    const char* const everything = "11111111/11111111/11111111/11111111/11111111/11111111/11111111/11111111";
    const char* const inside = "00000000/00000000/00000000/00000000/00111100/00111100/00111100/00000000";
    const char* const outside = "11111111/11111111/11111111/11111111/11000011/11000011/11000011/11111111";
    const char* const expected[4] = {everything, outside, everything, inside};
    for (u32 mode = 0; mode < 4; ++mode)
    {
        CAPTURE(mode);
        RegisterPixel p;
        p.list.write(0x065, mode);
        p.list.write(0x066, 2 | 1 << 16);
        p.list.write(0x067, 5 | 3 << 16);
        p.fill_color(kBlack);
        p.draw(kWhite);
        std::string drawn;
        for (u32 y = 8; y-- > 0;)
        {
            for (u32 x = 0; x < 8; ++x)
                drawn += p.pixel(x, y) == kWhite ? '1' : '0';
            drawn += y == 0 ? "" : "/";
        }
        CHECK(drawn == expected[mode]);
    }
}

// Compare functions, each against a smaller, an equal and a greater value.
namespace
{

constexpr bool kPasses[8][3] = {
    // left < right, left = right, left > right
    {false, false, false}, // 0 never
    {true, true, true},    // 1 always
    {false, true, false},  // 2 ==
    {true, false, true},   // 3 !=
    {true, false, false},  // 4 <
    {true, true, false},   // 5 <=
    {false, false, true},  // 6 >
    {false, true, true},   // 7 >=
};

} // namespace

TEST_CASE("alpha test: functions; a failed fragment changes neither colour, stencil nor depth")
{
    for (u32 func = 0; func < 8; ++func)
        for (u32 i = 0; i < 3; ++i)
        {
            CAPTURE(func);
            CAPTURE(i);
            RegisterPixel p;
            p.list.write(0x104, 1 | func << 4 | 100 << 8);
            p.list.write(0x105, 0xFFA5FF11); // stencil: always, reference A5, masks FF
            p.list.write(0x106, 0x222);      // replace in all cases
            p.list.write(0x107, 0x1F10);     // depth written
            p.fill_color(kBlack);
            p.fill_depth(0x11000007);
            p.draw({255, 255, 255, 99 + i});
            CHECK((p.pixel()[0] == 255) == kPasses[func][i]);
            CHECK(p.depth_word() == (kPasses[func][i] ? 0xA57FFFFF : 0x11000007));
        }
}

TEST_CASE("depth test: functions, the new depth is on the left")
{
    constexpr u32 kStored[3] = {8388608, 8388607, 8388606};
    for (u32 func = 0; func < 8; ++func)
        for (u32 i = 0; i < 3; ++i)
        {
            CAPTURE(func);
            CAPTURE(i);
            RegisterPixel p;
            p.list.write(0x107, 0x0F01 | func << 4);
            p.fill_color(kBlack);
            p.fill_depth(kStored[i]);
            CHECK((p.draw(kWhite, 0.5f) == kWhite) == kPasses[func][i]);
            CHECK(p.depth_word() == kStored[i]); // not written
        }
}

TEST_CASE("depth test: depth is written also with the test off, and not where the test fails")
{
    RegisterPixel p;
    p.list.write(0x107, 0x1F40); // test off, function <
    p.fill_depth(5);
    p.draw(kWhite, 0.5f);
    CHECK(p.depth_word() == kHalf);
    p.list.write(0x107, 0x1F41);
    p.fill_depth(5); // 8388607 < 5 fails
    p.draw(kWhite, 0.5f);
    CHECK(p.depth_word() == 5);
}

TEST_CASE("stencil test: functions, the masked reference is on the left")
{
    // Reference D3 & 0F = 3 against stored 44, 43, 42 & 0F = 4, 3, 2.
    constexpr u32 kStored[3] = {0x44, 0x43, 0x42};
    for (u32 func = 0; func < 8; ++func)
        for (u32 i = 0; i < 3; ++i)
        {
            CAPTURE(func);
            CAPTURE(i);
            RegisterPixel p;
            p.list.write(0x105, 0x0FD3FF01 | func << 4);
            p.list.write(0x106, 0x000);
            p.fill_color(kBlack);
            p.fill_depth(kStored[i] << 24);
            CHECK((p.draw(kWhite) == kWhite) == kPasses[func][i]);
            CHECK(p.depth_word() == kStored[i] << 24);
        }
}

TEST_CASE("stencil test: operations on pass, on stencil failure and on depth failure")
{
    struct Row
    {
        u32 op, from_00, from_7F, from_FF; // reference 5A
    };
    constexpr Row kRows[8] = {
        {0, 0x00, 0x7F, 0xFF}, // keep
        {1, 0x00, 0x00, 0x00}, // zero
        {2, 0x5A, 0x5A, 0x5A}, // replace
        {3, 0x01, 0x80, 0xFF}, // increment, saturating
        {4, 0x00, 0x7E, 0xFE}, // decrement, saturating
        {5, 0xFF, 0x80, 0x00}, // invert
        {6, 0x01, 0x80, 0x00}, // increment, wrapping
        {7, 0xFF, 0x7E, 0xFE}, // decrement, wrapping
    };
    for (const Row& row : kRows)
        for (u32 slot = 0; slot < 3; ++slot) // 0 stencil failure, 1 depth failure, 2 pass
        {
            CAPTURE(row.op);
            CAPTURE(slot);
            RegisterPixel p;
            // The other two slots would zero (or, for zero, invert).
            const u32 other = row.op == 1 ? 5 : 1;
            u32 ops = other | other << 4 | other << 8;
            ops = (ops & ~(7u << (4 * slot))) | row.op << (4 * slot);
            p.list.write(0x106, ops);
            p.list.write(0x105, 0xFF5AFF01 | (slot == 0 ? 0 : 1) << 4); // never or always
            p.list.write(0x107, slot == 1 ? 0x0F01 : 0x0F00);           // depth test never, or off
            const u32 stored[3] = {0x00, 0x7F, 0xFF}, expected[3] = {row.from_00, row.from_7F, row.from_FF};
            for (u32 i = 0; i < 3; ++i)
            {
                p.fill_color(kBlack);
                p.fill_depth(stored[i] << 24 | 0x123456);
                CHECK((p.draw(kWhite) == kWhite) == (slot == 2));
                CHECK(p.depth_word() == (expected[i] << 24 | 0x123456));
            }
        }
}

TEST_CASE("stencil test: replace writes the unmasked reference, through the write mask")
{
    RegisterPixel p;
    p.list.write(0x105, 0x0FC6FF11); // always, reference C6, compare mask 0F, write mask FF
    p.list.write(0x106, 0x222);
    p.fill_depth(0x39000000);
    p.draw(kWhite);
    CHECK(p.depth_word() == 0xC6000000);
    p.list.write(0x105, 0x0FC63C11); // write mask 3C: (C6 & 3C) | (39 & C3) = 04 | 01
    p.fill_depth(0x39000000);
    p.draw(kWhite);
    CHECK(p.depth_word() == 0x05000000);
}

TEST_CASE("stencil test: only D24S8 has stencil; elsewhere the test passes")
{
    for (const DepthFormat format : {DepthFormat::D16, DepthFormat::D24})
    {
        RegisterPixel p;
        p.depth_format(format);
        p.list.write(0x105, 0xFF5AFF01); // never
        p.list.write(0x106, 0x111);
        p.fill_color(kBlack);
        p.fill_depth(0x1234);
        CHECK(p.draw(kWhite) == kWhite);
        CHECK(p.depth_word() == 0x1234);
    }
}

TEST_CASE("gates: the colour write gate is one switch for all channels")
{
    for (u32 gate = 0; gate < 16; ++gate)
    {
        CAPTURE(gate);
        RegisterPixel p;
        p.list.write(0x113, gate);
        p.fill_color({1, 2, 3, 4});
        CHECK(p.draw({10, 20, 30, 40}) == (gate == 0 ? Rgba{1, 2, 3, 4} : Rgba{10, 20, 30, 40}));
    }
}

TEST_CASE("gates: the depth write gate is one switch for depth and stencil")
{
    for (u32 gate = 0; gate < 4; ++gate)
    {
        CAPTURE(gate);
        RegisterPixel p;
        p.list.write(0x115, gate);
        p.list.write(0x105, 0xFF5AFF11);
        p.list.write(0x106, 0x222);
        p.list.write(0x107, 0x1F00);
        p.fill_depth(0x11000007);
        p.draw(kWhite);
        CHECK(p.depth_word() == (gate == 0 ? 0x11000007 : 0x5A7FFFFF));
    }
}

TEST_CASE("gates: behind a closed colour read gate the destination is 0")
{
    RegisterPixel p;
    p.list.write(0x112, 0);
    p.list.write(0x101, 0x11110000); // one, one, add
    p.fill_color({50, 60, 70, 80});
    CHECK(p.draw({10, 20, 30, 40}) == Rgba{10, 20, 30, 40});
    p.list.write(0x100, 0); // logic operation
    p.list.write(0x102, 9); // or
    p.fill_color({0xF0, 0xF0, 0xF0, 0xF0});
    CHECK(p.draw({0x0F, 0x01, 0x02, 0x03}) == Rgba{0x0F, 0x01, 0x02, 0x03});
    p.list.write(0x102, 7); // invert
    p.fill_color({0xF0, 0xF0, 0xF0, 0xF0});
    CHECK(p.draw(kBlack) == kWhite);
    p.list.write(0x102, 3);      // copy
    p.list.write(0x107, 0x0500); // only red and blue: the others are written back as 0
    p.fill_color({1, 2, 3, 4});
    CHECK(p.draw({10, 20, 30, 40}) == Rgba{10, 0, 30, 0});
}

TEST_CASE("gates: behind a closed depth read gate the stored depth is 0")
{
    // 8388607 FUNC 0, and 0 FUNC 0.
    constexpr bool kExpected[2][8] = {{false, true, false, true, false, false, true, true},
                                      {false, true, true, false, false, true, false, true}};
    for (u32 func = 0; func < 8; ++func)
        for (const u32 is_near : {0u, 1u})
        {
            CAPTURE(func);
            CAPTURE(is_near);
            RegisterPixel p;
            p.list.write(0x114, 0);
            p.list.write(0x107, 0x1F01 | func << 4); // the depth is written
            p.fill_color(kBlack);
            p.fill_depth(0x00123456);
            const bool passes = kExpected[is_near][func];
            CHECK((p.draw(kWhite, is_near != 0 ? 0.0f : 0.5f) == kWhite) == passes);
            CHECK(p.depth_word() == (!passes ? 0x00123456u : is_near != 0 ? 0u : kHalf));
        }
}

TEST_CASE("gates: behind a closed depth read gate the stencil operations follow the comparison with 0")
{
    for (u32 func = 2; func < 8; ++func)
        for (const u32 is_near : {0u, 1u})
        {
            CAPTURE(func);
            CAPTURE(is_near);
            RegisterPixel p;
            p.list.write(0x114, 0);
            p.list.write(0x107, 0x1F01 | func << 4);
            p.list.write(0x105, 0xFF5AFF11); // always; reference 5A, both masks FF
            p.list.write(0x106, 0x0250);     // depth fail: invert; pass: replace
            p.fill_depth(0x0F123456);
            p.draw(kWhite, is_near != 0 ? 0.0f : 0.5f);
            const bool passes = is_near != 0 ? func == 2 || func == 5 || func == 7 : func == 3 || func >= 6;
            CHECK(p.depth_word() == (!passes ? 0xF0123456u : 0x5A000000u | (is_near != 0 ? 0u : kHalf)));
        }
}

// Source (200, 100, 40, 120), destination (90, 60, 210, 60), constant (30, 150, 250, 70).
namespace
{

constexpr Rgba kSource = {200, 100, 40, 120}, kDestination = {90, 60, 210, 60};

Rgba blended(u32 blend_func)
{
    RegisterPixel p;
    p.list.write(0x101, blend_func);
    p.list.write(0x103, 0x46FA961E);
    p.fill_color(kDestination);
    return p.draw(kSource);
}

} // namespace

TEST_CASE("blending: every factor for the source, colour and alpha")
{
    constexpr Rgba kExpected[16] = {
        {0, 0, 0, 0},        // 0: 0
        {200, 100, 40, 120}, // 1: 255
        {156, 39, 6, 56},    // 2: 200, 100, 40, 120
        {43, 60, 33, 63},    // 3: 55, 155, 215, 135
        {70, 23, 32, 28},    // 4: 90, 60, 210, 60
        {129, 76, 7, 91},    // 5: 165, 195, 45, 195
        {94, 47, 18, 56},    // 6: 120
        {105, 52, 21, 63},   // 7: 135
        {47, 23, 9, 28},     // 8: 60
        {152, 76, 30, 91},   // 9: 195
        {23, 58, 39, 32},    // 10: 30, 150, 250, 70
        {176, 41, 0, 87},    // 11: 225, 105, 5, 185
        {54, 27, 10, 32},    // 12: 70
        {145, 72, 29, 87},   // 13: 185
        {94, 47, 18, 120},   // 14: min(120, 195) = 120; alpha 255
        {200, 100, 40, 120}, // 15: 255 [our rule]
    };
    for (u32 factor = 0; factor < 16; ++factor)
    {
        CAPTURE(factor);
        CHECK(blended(factor << 16 | factor << 24) == kExpected[factor]);
        // Colour and alpha take their own factors.
        const Rgba mixed = blended(factor << 16 | 1u << 24);
        CHECK(mixed == Rgba{kExpected[factor][0], kExpected[factor][1], kExpected[factor][2], 120});
    }
}

TEST_CASE("blending: every factor for the destination, colour and alpha")
{
    constexpr Rgba kExpected[16] = {
        {0, 0, 0, 0},      // 0
        {90, 60, 210, 60}, // 1
        {70, 23, 32, 28},  // 2: 200, 100, 40, 120
        {19, 36, 177, 31}, // 3: 55, 155, 215, 135
        {31, 14, 172, 14}, // 4: 90, 60, 210, 60
        {58, 45, 37, 45},  // 5: 165, 195, 45, 195
        {42, 28, 98, 28},  // 6: 120
        {47, 31, 111, 31}, // 7: 135
        {21, 14, 49, 14},  // 8: 60
        {68, 45, 160, 45}, // 9: 195
        {10, 35, 205, 16}, // 10: 30, 150, 250, 70
        {79, 24, 4, 43},   // 11: 225, 105, 5, 185
        {24, 16, 57, 16},  // 12: 70
        {65, 43, 152, 43}, // 13: 185
        {42, 28, 98, 60},  // 14: 120; alpha 255
        {90, 60, 210, 60}, // 15
    };
    for (u32 factor = 0; factor < 16; ++factor)
    {
        CAPTURE(factor);
        CHECK(blended(factor << 20 | factor << 28) == kExpected[factor]);
        const Rgba mixed = blended(1u << 20 | factor << 28);
        CHECK(mixed == Rgba{90, 60, 210, kExpected[factor][3]});
    }
}

TEST_CASE("blending: equations divide once, after the sum; minimum and maximum apply the factors")
{
    // Source alpha 120 and 1 - source alpha 135: P = 24000, 12000, 4800, 14400; Q = 12150, 8100, 28350, 8100.
    constexpr Rgba kExpected[8] = {
        {141, 78, 130, 88}, // 0 add: 36150, 20100, 33150, 22500
        {46, 15, 0, 24},    // 1 subtract: 11850, 3900, -23550, 6300
        {0, 0, 92, 0},      // 2 reverse subtract
        {47, 31, 18, 31},   // 3 min: 12150, 8100, 4800, 8100
        {94, 47, 111, 56},  // 4 max: 24000, 12000, 28350, 14400
        {141, 78, 130, 88}, // 5, 6, 7 as add
        {141, 78, 130, 88}, {141, 78, 130, 88},
    };
    for (u32 equation = 0; equation < 8; ++equation)
    {
        CAPTURE(equation);
        CHECK(blended(0x76760000 | equation | equation << 8) == kExpected[equation]);
        // Another equation for alpha: add.
        const Rgba& color = kExpected[equation];
        CHECK(blended(0x76760000 | equation) == Rgba{color[0], color[1], color[2], 88});
    }
    // Sums above 255 saturate.
    CHECK(blended(0x11110000) == Rgba{255, 160, 250, 180});
}

// 8.7: source CA 0F 33 F0, destination AC 3C 55 81.
TEST_CASE("logic operations: every logic operation, on all four channels")
{
    constexpr Rgba kExpected[16] = {
        {0x00, 0x00, 0x00, 0x00}, // 0
        {0x88, 0x0C, 0x11, 0x80}, // s & d
        {0x42, 0x03, 0x22, 0x70}, // s & ~d
        {0xCA, 0x0F, 0x33, 0xF0}, // s
        {0xFF, 0xFF, 0xFF, 0xFF}, // 255
        {0x35, 0xF0, 0xCC, 0x0F}, // ~s
        {0xAC, 0x3C, 0x55, 0x81}, // d
        {0x53, 0xC3, 0xAA, 0x7E}, // ~d
        {0x77, 0xF3, 0xEE, 0x7F}, // ~(s & d)
        {0xEE, 0x3F, 0x77, 0xF1}, // s | d
        {0x11, 0xC0, 0x88, 0x0E}, // ~(s | d)
        {0x66, 0x33, 0x66, 0x71}, // s ^ d
        {0x99, 0xCC, 0x99, 0x8E}, // ~(s ^ d)
        {0x24, 0x30, 0x44, 0x01}, // ~s & d
        {0xDB, 0xCF, 0xBB, 0xFE}, // s | ~d
        {0xBD, 0xFC, 0xDD, 0x8F}, // ~s | d
    };
    for (u32 op = 0; op < 16; ++op)
    {
        CAPTURE(op);
        RegisterPixel p;
        p.list.write(0x100, 0);
        p.list.write(0x102, op);
        p.fill_color({0xAC, 0x3C, 0x55, 0x81});
        CHECK(p.draw({0xCA, 0x0F, 0x33, 0xF0}) == kExpected[op]);
    }
}

TEST_CASE("logic operations: on fewer bits the packed result is the operation on packed pixels")
{
    // RGB565: (200, 100, 40) packs to 25, 25, 5 = CB25; (90, 60, 210) to 11, 15, 26 = 59FA. Xor: 92DF.
    RegisterPixel p;
    p.color_format(ColorFormat::RGB565);
    p.list.write(0x100, 0);
    p.list.write(0x102, 11);
    p.fill_color(kDestination);
    p.draw(kSource);
    CHECK(p.color_bytes() == 0x92DF);
    // RGBA4: C, 6, 2, 7 = C627 and 5, 3, D, 3 = 53D3; nand: ~4203 = BDFC.
    RegisterPixel q;
    q.color_format(ColorFormat::RGBA4);
    q.list.write(0x100, 0);
    q.list.write(0x102, 8);
    q.fill_color(kDestination);
    q.draw(kSource);
    CHECK(q.color_bytes() == 0xBDFC);
}

TEST_CASE("colour mask: a masked channel keeps the destination's value")
{
    for (u32 mask = 0; mask < 16; ++mask)
    {
        CAPTURE(mask);
        RegisterPixel p;
        p.list.write(0x107, mask << 8);
        p.fill_color({1, 2, 3, 4});
        const Rgba expected = {(mask & 1) != 0 ? 10u : 1u, (mask & 2) != 0 ? 20u : 2u,
                               (mask & 4) != 0 ? 30u : 3u, (mask & 8) != 0 ? 40u : 4u};
        CHECK(p.draw({10, 20, 30, 40}) == expected);
    }
}

TEST_CASE("colour mask: without alpha the alpha mask has no effect")
{
    for (const ColorFormat format : {ColorFormat::RGB8, ColorFormat::RGB565})
        for (const u32 mask : {0x700u, 0xF00u})
        {
            RegisterPixel p;
            p.color_format(format);
            p.list.write(0x107, mask);
            p.fill_color(kBlack);
            CHECK(p.draw({248, 252, 248, 0}) ==
                  (format == ColorFormat::RGB8 ? Rgba{248, 252, 248, 255} : Rgba{255, 255, 255, 255}));
        }
}
