// SPDX-License-Identifier: MIT
// The tables of pica/hardware/combiners.md row by row, from registers to memory, for every stage. Every
// expected value is written out, worked out by hand.
#include "tests/support/scenes/register_pixel.h"

#include <doctest/doctest.h>

using namespace tests;

namespace
{

// First register of each stage (combiners.md, "Registers").
constexpr std::array<u32, 6> kStage = {0x0C0, 0x0C8, 0x0D0, 0x0D8, 0x0F0, 0x0F8};
constexpr u32 kPassSources = 0x000F000F; // previous, previous

constexpr u32 word(const Rgba& color)
{
    return color[0] | color[1] << 8 | color[2] << 16 | color[3] << 24;
}

void pass_all(RegisterPixel& p)
{
    for (const u32 base : kStage)
    {
        p.list.write(base, kPassSources);
        for (const u32 at : {1, 2, 4})
            p.list.write(base + at, 0);
    }
}

// Stage `stage` alone: operands a = primary colour, b = texture 0, c = constant.
struct Combine
{
    Rgba a = {200, 100, 40, 120}, b = {90, 60, 210, 60}, c = {30, 150, 250, 70};
    u32 operands = 0, scale = 0;

    Rgba operator()(u32 color_op, u32 alpha_op, u32 stage) const
    {
        RegisterPixel p;
        pass_all(p);
        p.texture(0, b);
        p.list.write(kStage[stage], 0x0E300E30);
        p.list.write(kStage[stage] + 1, operands);
        p.list.write(kStage[stage] + 2, color_op | alpha_op << 16);
        p.list.write(kStage[stage] + 3, word(c));
        p.list.write(kStage[stage] + 4, scale);
        return p.draw(a);
    }
};

} // namespace

TEST_CASE("combiners: every operation, on colour and alpha, in every stage")
{
    // a = (200, 100, 40, 120), b = (90, 60, 210, 60), c = (30, 150, 250, 70)
    constexpr Rgba kExpected[16] = {
        {200, 100, 40, 120},  // 0 a
        {70, 23, 32, 28},     // 1 a*b/255: 18000, 6000, 8400, 7200
        {255, 160, 250, 180}, // 2 a+b
        {162, 32, 122, 52},   // 3 a+b-128
        {102, 83, 43, 76},    // 4 (a*c + b*(255-c))/255: 26250, 21300, 11050, 19500
        {110, 40, 0, 60},     // 5 a-b
        {0, 0, 0, 0},         // 6: dot product, below
        {0, 0, 0, 0},         // 7
        {100, 173, 255, 98},  // 8 (a*b + 255*c)/255: 25650, 44250, 72150, 25050
        {30, 94, 245, 49},    // 9 min(a+b,255)*c/255: 7650, 24000, 62500, 12600
        {0, 0, 0, 0},         {0, 0, 0, 0}, {0, 0, 0, 0},
        {0, 0, 0, 0},         {0, 0, 0, 0}, {0, 0, 0, 0}, // undefined: 0
    };
    const Combine combine;
    for (u32 op = 0; op < 16; ++op)
    {
        if (op == 6 || op == 7)
            continue;
        CAPTURE(op);
        const Rgba& expected = kExpected[op];
        for (u32 stage = 0; stage < 6; ++stage)
            CHECK(combine(op, op, stage) == expected);
        // The halves are independent: the other one replaces.
        CHECK(combine(op, 0, 1) == Rgba{expected[0], expected[1], expected[2], 120});
        CHECK(combine(0, op, 1) == Rgba{200, 100, 40, expected[3]});
    }
}

TEST_CASE("combiners: results are clamped, not wrapped")
{
    Combine combine;
    combine.a = {250, 10, 0, 255};
    combine.b = {250, 20, 255, 255};
    combine.c = {255, 0, 128, 255};
    CHECK(combine(2, 2, 0) == Rgba{255, 30, 255, 255});
    CHECK(combine(3, 3, 0) == Rgba{255, 0, 127, 255}); // 372, -98, 127, 382
    CHECK(combine(5, 5, 0) == Rgba{0, 0, 0, 0});
    CHECK(combine(8, 8, 0) == Rgba{255, 0, 128, 255}); // 62500 + 65025; 200; 32640; 130050
    CHECK(combine(9, 9, 0) == Rgba{255, 0, 128, 255}); // the sum saturates before the product
}

TEST_CASE("combiners: dot products; RGBA takes alpha too, RGB leaves it; in the alpha field they give 0")
{
    struct Row
    {
        Rgba a, b;
        u32 dot;
    };
    constexpr Row kRows[] = {
        {{255, 255, 255, 9}, {255, 255, 255, 7}, 255}, // 3 * (65153 / 256 = 254) = 762
        {{0, 0, 0, 9}, {0, 0, 0, 7}, 255},
        {{128, 128, 255, 9}, {128, 128, 255, 7}, 254}, // 129/256 = 0, 0, 254
        {{255, 128, 128, 9}, {255, 128, 128, 7}, 254},
        {{200, 100, 50, 9}, {180, 90, 220, 7}, 0}, // 145*105 = 15353/256 = 59; 55*75 = 4253/256 = 16; -111
        {{255, 0, 128, 9}, {128, 127, 128, 7}, 2}, // 255*1 = 383/256 = 1; 255 = 383/256 = 1; 1 -> 129/256 = 0
        {{200, 200, 128, 9}, {180, 128, 128, 7}, 60}, // 59; 145 + 128 = 273/256 = 1; 0
    };
    for (const Row& row : kRows)
    {
        CAPTURE(row.a[0]);
        CAPTURE(row.b[0]);
        Combine combine;
        combine.a = row.a;
        combine.b = row.b;
        const u32 d = row.dot;
        CHECK(combine(7, 0, 2) == Rgba{d, d, d, d});
        CHECK(combine(6, 0, 2) == Rgba{d, d, d, 9});
        CHECK(combine(0, 6, 2) == Rgba{row.a[0], row.a[1], row.a[2], 0});
        CHECK(combine(0, 7, 2) == Rgba{row.a[0], row.a[1], row.a[2], 0});
    }
}

TEST_CASE("combiners: every colour operand")
{
    constexpr Rgba kExpected[16] = {
        {10, 20, 30, 40}, {245, 235, 225, 40}, // rgb, 1 - rgb
        {40, 40, 40, 40}, {215, 215, 215, 40}, // alpha
        {10, 10, 10, 40}, {245, 245, 245, 40}, // red
        {10, 20, 30, 40}, {10, 20, 30, 40},    // undefined: rgb
        {20, 20, 20, 40}, {235, 235, 235, 40}, // green
        {10, 20, 30, 40}, {10, 20, 30, 40},    // undefined
        {30, 30, 30, 40}, {225, 225, 225, 40}, // blue
        {10, 20, 30, 40}, {10, 20, 30, 40},    // undefined
    };
    for (u32 operand = 0; operand < 16; ++operand)
        for (u32 slot = 0; slot < 3; ++slot)
        {
            CAPTURE(operand);
            CAPTURE(slot);
            // What is under test in this slot; neutral values in the others of multiply then add.
            RegisterPixel p;
            pass_all(p);
            p.texture(0, {255, 255, 255, 255});
            p.texture(1, {0, 0, 0, 0});
            // slot 0: x*1 + 0; slot 1: 1*x + 0; slot 2: 0*1 + x
            constexpr u32 kSources[3] = {0x0430, 0x0403, 0x0034};
            p.list.write(0x0C0, kSources[slot]); // alpha: primary
            p.list.write(0x0C1, operand << (4 * slot));
            p.list.write(0x0C2, 8);
            CHECK(p.draw({10, 20, 30, 40}) == kExpected[operand]);
        }
}

TEST_CASE("combiners: every alpha operand")
{
    constexpr u32 kExpected[8] = {40, 215, 10, 245, 20, 235, 30, 225};
    for (u32 operand = 0; operand < 8; ++operand)
        for (u32 slot = 0; slot < 3; ++slot)
        {
            CAPTURE(operand);
            CAPTURE(slot);
            RegisterPixel p;
            pass_all(p);
            p.texture(0, {255, 255, 255, 255});
            p.texture(1, {0, 0, 0, 0});
            constexpr u32 kSources[3] = {0x0430, 0x0403, 0x0034};
            p.list.write(0x0C0, kSources[slot] << 16);
            p.list.write(0x0C1, operand << (12 + 4 * slot));
            p.list.write(0x0C2, 8 << 16);
            CHECK(p.draw({10, 20, 30, 40}) == Rgba{10, 20, 30, kExpected[operand]});
        }
}

TEST_CASE("combiners: sources; ids without a source read 0")
{
    constexpr Rgba kPrimary = {11, 12, 13, 14}, kTexture0 = {21, 22, 23, 24}, kTexture1 = {31, 32, 33, 34},
                   kTexture2 = {41, 42, 43, 44}, kBuffer = {51, 52, 53, 54}, kConstant = {61, 62, 63, 64},
                   kPrevious = {71, 72, 73, 74}, kNone = {0, 0, 0, 0};
    // 1 and 2: lighting, which is off; 6: procedural texture, off.
    constexpr Rgba kExpected[16] = {kPrimary, kNone,   kNone,     kTexture0, kTexture1, kTexture2,
                                    kNone,    kNone,   kNone,     kNone,     kNone,     kNone,
                                    kNone,    kBuffer, kConstant, kPrevious};
    for (u32 source = 0; source < 16; ++source)
    {
        if (source == 1 || source == 2 || source == 6)
            continue;
        CAPTURE(source);
        RegisterPixel p;
        pass_all(p);
        p.texture(0, kTexture0);
        p.texture(1, kTexture1);
        p.texture(2, kTexture2);
        p.list.write(0x0FD, word(kBuffer));
        p.list.write(0x0C0, 0x000E000E); // stage 0: a constant, which is "previous" of stage 1
        p.list.write(0x0C3, word(kPrevious));
        p.list.write(0x0C8, source | source << 16);
        p.list.write(0x0CB, word(kConstant));
        CHECK(p.draw(kPrimary) == kExpected[source]);
    }
}

TEST_CASE("combiners: scales multiply the clamped result, code 3 is one")
{
    Combine combine;
    combine.a = {60, 130, 20, 70};
    combine.b = {10, 0, 30, 0};
    combine.scale = 0x00000000;
    CHECK(combine(5, 5, 3) == Rgba{50, 130, 0, 70});
    combine.scale = 0x00000001;
    CHECK(combine(5, 5, 3) == Rgba{100, 255, 0, 70});
    combine.scale = 0x00000002;
    CHECK(combine(5, 5, 3) == Rgba{200, 255, 0, 70});
    combine.scale = 0x00010000;
    CHECK(combine(5, 5, 3) == Rgba{50, 130, 0, 140});
    combine.scale = 0x00020000;
    CHECK(combine(5, 5, 3) == Rgba{50, 130, 0, 255});
    combine.scale = 0x00030003;
    CHECK(combine(5, 5, 3) == Rgba{50, 130, 0, 70});
}

TEST_CASE("combiners: previous in stage 0 is slot 3's source, each slot with its own operand")
{
    constexpr Rgba kTexture0 = {21, 22, 23, 24};
    const auto stage0 = [&](u32 sources, u32 operands, u32 ops)
    {
        RegisterPixel p;
        pass_all(p);
        p.texture(0, kTexture0);
        p.list.write(0x0C0, sources);
        p.list.write(0x0C1, operands);
        p.list.write(0x0C2, ops);
        p.list.write(0x0C3, word({61, 62, 63, 64}));
        p.list.write(0x0FD, word({51, 52, 53, 54}));
        return p.draw({11, 12, 13, 14});
    };
    CHECK(stage0(0x0E0F030F, 0, 0) == Rgba{21, 22, 23, 64});          // slots 3: texture 0, constant
    CHECK(stage0(0x0E0F030F, 0x1001, 0) == Rgba{234, 233, 232, 191}); // inverted in slot 1
    CHECK(stage0(0x00F0030F, 0, 2 << 16) == Rgba{21, 22, 23, 28});    // alpha: 14 + slot 2 = slot 3 = 14
    CHECK(stage0(0x0F0F0F0F, 0, 0) == Rgba{0, 0, 0, 0});              // slot 3 itself
    CHECK(stage0(0x000D000D, 0, 0) == Rgba{0, 0, 0, 0});              // the buffer
}

TEST_CASE("combiners: the buffer lags one stage; stages 4 and 5 cannot write it; halves are separate")
{
    // Stage i gives the constant (10 i + 1, ...); the reader shows the buffer.
    const auto read_in = [](u32 reader, u32 updates)
    {
        RegisterPixel p;
        for (u32 stage = 0; stage < 6; ++stage)
        {
            const u32 source = stage == reader ? 13 : stage < reader ? 14 : 15;
            p.list.write(kStage[stage], source | source << 16);
            const u32 c = 10 * stage;
            p.list.write(kStage[stage] + 3, word({c + 1, c + 2, c + 3, c + 4}));
        }
        p.list.write(0x0FD, word({201, 202, 203, 204}));
        p.list.write(0x0E0, updates, 0x2); // the byte of the combiners
        return p.draw({0, 0, 0, 0});
    };
    constexpr Rgba kInitial = {201, 202, 203, 204};
    CHECK(read_in(0, 0xFF00) == Rgba{0, 0, 0, 0});
    CHECK(read_in(1, 0xFF00) == kInitial);
    CHECK(read_in(2, 0xFF00) == Rgba{1, 2, 3, 4});
    CHECK(read_in(3, 0xFF00) == Rgba{11, 12, 13, 14});
    CHECK(read_in(4, 0xFF00) == Rgba{21, 22, 23, 24});
    CHECK(read_in(5, 0xFF00) == Rgba{31, 32, 33, 34});
    CHECK(read_in(5, 0x0000) == kInitial);
    CHECK(read_in(5, 0x1100) == Rgba{1, 2, 3, 4});     // stage 0 only
    CHECK(read_in(5, 0x2400) == Rgba{21, 22, 23, 14}); // colour of stage 2, alpha of stage 1
    CHECK(read_in(5, 0x8000) == Rgba{201, 202, 203, 34});
    CHECK(read_in(4, 0x8800) == kInitial); // stage 3 is too late for stage 4
}
