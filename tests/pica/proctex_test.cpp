// SPDX-License-Identifier: MIT
// Procedural texture: decoding and the shared arithmetic. procedural-texture.md and test-vectors.md.
#include "pica/base/numeric.h"
#include "pica/state/proctex.h"
#include "tests/reference/reference_proctex.h"

#include <doctest/doctest.h>

#include <bit>

using namespace pica;

TEST_CASE("proctex: random axis values are the documented ones")
{
    constexpr s32 kExpected[20] = {6, 9, 12, 15, 2, 5, 8, 11, 14, 2, 13, 8, 11, 6, 1, 12, 15, 10, 12, 3};
    for (s32 k = 0; k < 20; ++k)
        CHECK(num::proctex_random_axis(k) == kExpected[k]);
}

TEST_CASE("proctex: R(x, y) is the documented table")
{
    constexpr s32 kExpected[8][8] = {
        {2, 2, 1, 7, 13, 12, 13, 3},  {13, 3, 2, 6, 10, 13, 14, 2}, {8, 4, 15, 13, 7, 2, 11, 9},
        {11, 5, 8, 12, 4, 3, 4, 8},   {6, 14, 5, 3, 1, 8, 1, 15},   {1, 15, 6, 2, 14, 9, 2, 14},
        {12, 0, 3, 9, 11, 14, 15, 5}, {15, 1, 12, 8, 8, 15, 8, 4},
    };
    for (s32 y = 0; y < 8; ++y)
        for (s32 x = 0; x < 8; ++x)
        {
            CAPTURE(x);
            CAPTURE(y);
            CHECK(num::proctex_random_code(x, y) == kExpected[y][x]);
            CHECK(tests::reference_noise_code(u32(x), u32(y)) == u32(kExpected[y][x]));
        }
    CHECK(num::proctex_random(1, 6) == -1.0f); // b = 0
    CHECK(num::proctex_random(0, 7) == 1.0f);  // b = 15
}

TEST_CASE("proctex: division free of divisions agrees with k mod 9 and k div 9")
{
    for (s32 k = 0; k <= (1 << 22) + 1; k += k < 70000 ? 1 : 997)
        REQUIRE(num::proctex_random_code(k, k + 5) == s32(tests::reference_noise_code(u32(k), u32(k + 5))));
    REQUIRE(num::proctex_random_code((1 << 22) + 1, 1 << 22) ==
            s32(tests::reference_noise_code((1 << 22) + 1, 1 << 22)));
}

TEST_CASE("proctex: odd shifts move cells 2, 3, 6, 7, even ones 1, 2, 5, 6")
{
    u32 odd = 0, even = 0;
    for (s32 cell = 0; cell < 8; ++cell)
    {
        odd |= u32(num::proctex_shift_odd(f32(cell) + 0.5f, 1.0f) == 1.0f) << cell;
        even |= u32(num::proctex_shift_even(f32(cell) + 0.5f, 0.5f) == 0.5f) << cell;
    }
    CHECK(odd == 0b11001100);
    CHECK(even == 0b01100110);
}

TEST_CASE("proctex: clamping at and beyond the edges")
{
    CHECK(num::proctex_to_zero(1.0f) == 1.0f);
    CHECK(num::proctex_to_zero(1.25f) == 0.0f);
    CHECK(num::proctex_to_edge(7.0f) == 1.0f);
    CHECK(num::proctex_symmetric(3.25f) == 0.25f);
    CHECK(num::proctex_symmetric(1.0f) == 0.0f);
    CHECK(num::proctex_mirrored(2.25f) == 0.25f);
    CHECK(num::proctex_mirrored(3.25f) == 0.75f);
    CHECK(num::proctex_mirrored(1.0f) == 1.0f);
    CHECK(num::proctex_mirrored(1e30f) == 0.0f);
    CHECK(num::proctex_pulse(0.5f) == 0.0f);
    CHECK(num::proctex_pulse(0.50001f) == 1.0f);
}

TEST_CASE("proctex: maps reach the end of the last entry and stay in [0, 1]")
{
    CHECK(num::proctex_index(1.0f) == 127);
    CHECK(num::proctex_index(0.5f) == 64);
    CHECK(num::proctex_entry(1.0f, 127, 0.5f, 0.25f) == 0.75f);
    CHECK(num::proctex_entry(1.0f, 127, 0.875f, 0.25f) == 1.0f);
    CHECK(num::proctex_entry(0.50390625f, 64, 0.25f, -0.75f) == 0.0f);
    CHECK(num::proctex_entry(0.50390625f, 64, 0.25f, 0.5f) == 0.5f);
}

TEST_CASE("proctex: colour levels")
{
    CHECK(num::proctex_offset(0x44332211u, 0) == 0x11);
    CHECK(num::proctex_offset(0x44332211u, 3) == 0x44);
    CHECK(num::proctex_offset(0x44332211u, 4) == 0xF0);
    CHECK(num::proctex_offset(0x44332211u, 5) == 0xF8);
    CHECK(num::proctex_offset(0x44332211u, 6) == 0xFC);
    CHECK(num::proctex_offset(0x44332211u, 7) == 0xFE);
    CHECK(num::proctex_place(1.0f, 128, 0) == 127.0f);
    CHECK(num::proctex_place(0.5f, 128, 2) == 15.5f);
    CHECK(num::proctex_place(1.0f, 1, 3) == 0.0f);
    CHECK(num::proctex_nearest_entry(15.5f, 250) == 10);
    CHECK(num::proctex_linear_entry(15.5f, 250) == 9);
    CHECK(num::proctex_channel(0x00640000u, 0x00F60000u, 16u, 0.5f) == 90.0f); // 100 - 20/2
    CHECK(num::proctex_channel(0x00FA0000u, 0x007F0000u, 16u, 0.5f) == 255.0f);
    CHECK(num::proctex_channel(0x00050000u, 0x00800000u, 16u, 0.5f) == 0.0f);
}

TEST_CASE("proctex: registers become canonical")
{
    RegisterFile regs;
    regs.write(reg::TEXUNIT3_PROCTEX0::id,
               3 | 4 << 3 | 9 << 6 | 8 << 10 | 1 << 14 | 1 << 15 | 1 << 16 | 2 << 18 | 0x00u << 20);
    regs.write(reg::TEXUNIT3_PROCTEX1::id, 0x3C000FFF); // amplitude 1, phase 1
    regs.write(reg::TEXUNIT3_PROCTEX2::id, 0xBC00F001); // -1, -1
    regs.write(reg::TEXUNIT3_PROCTEX3::id, 0xC0004000); // 2, -2
    regs.write(reg::TEXUNIT3_PROCTEX4::id, 5 | 1 << 3 | 12 << 7 | 64 << 11 | 0x3C << 19);
    regs.write(reg::TEXUNIT3_PROCTEX5::id, 0x04030201);
    regs.set(reg::TEXUNIT_CONFIG::unit3_coord, 1);
    Draw draw;
    Findings findings;
    decode_proctex(regs, true, draw, findings);
    const ProcTexKey& key = draw.fragment.proctex;
    CHECK(key.enabled == 1);
    CHECK(key.texcoord == 1);
    CHECK(key.clamp_u == ProcTexClamp::MirroredRepeat);
    CHECK(key.clamp_v == ProcTexClamp::Pulse);
    CHECK(key.color_func == ProcTexFunction::RMax);
    CHECK(key.alpha_func == ProcTexFunction::Max);
    CHECK(key.shift_u == ProcTexShift::Odd);
    CHECK(key.shift_v == ProcTexShift::Even);
    CHECK(key.linear == 1);
    CHECK(key.mip == ProcTexMip::Linear);
    const ProcTexConstants& k = draw.constants.proctex;
    CHECK(k.amplitude == std::array<f32, 2>{1.0f, -1.0f});
    CHECK(k.phase == std::array<f32, 2>{1.0f, -1.0f});
    CHECK(k.frequency == std::array<f32, 2>{18.0f, 18.0f});
    CHECK(k.width == 64);
    CHECK(k.offsets == 0x04030201);
    CHECK(k.lod_scale == 64.0f);
    CHECK(k.min_lod == 1);
    CHECK(k.max_lod == 7);
    CHECK_FALSE(findings.has(Finding::ProceduralTextureUndefined));
    const LutMask tables = lut_bit(LutTable::ProcTexNoise) | lut_bit(LutTable::ProcTexRgbMap) |
                           lut_bit(LutTable::ProcTexAlphaMap) | lut_bit(LutTable::ProcTexColor);
    CHECK(draw.fragment.luts() == tables);

    // What a unit without noise, separate alpha and levels does not read is not kept.
    regs.write(reg::TEXUNIT3_PROCTEX0::id, 7 << 10);
    regs.write(reg::TEXUNIT3_PROCTEX4::id, 1 | 64 << 11 | 0x3C << 19);
    decode_proctex(regs, true, draw, findings);
    CHECK(draw.fragment.proctex.alpha_func == ProcTexFunction::U);
    CHECK(draw.constants.proctex.frequency == std::array<f32, 2>{});
    CHECK(draw.constants.proctex.lod_scale == 0.0f);
    CHECK(draw.constants.proctex.offsets == 1);

    // Nothing defined.
    regs.write(reg::TEXUNIT3_PROCTEX0::id, 0xFFFFFFFF);
    decode_proctex(regs, true, draw, findings);
    CHECK(findings.has(Finding::ProceduralTextureUndefined));
    CHECK(draw.fragment.proctex.clamp_u == ProcTexClamp::ToEdge);
    decode_proctex(regs, false, draw, findings);
    CHECK(draw.fragment.proctex == ProcTexKey{});
    CHECK(draw.constants.proctex == ProcTexConstants{});
}
