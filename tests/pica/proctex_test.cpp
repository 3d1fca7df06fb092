// SPDX-License-Identifier: MIT
// Procedural texture: decoding and the shared arithmetic. procedural-texture.md and test-vectors.md.
#include "pica/base/numeric.h"
#include "pica/state/proctex.h"
#include "pica/state/state_builder.h"
#include "tests/reference/reference_proctex.h"

#include <doctest/doctest.h>

#include <bit>

using namespace pica;

namespace
{

// Unit 3 with everything that can be pruned, read by nothing yet. Stages pass on what stage 0 gives, and all
// channels are written.
RegisterFile full_unit()
{
    RegisterFile regs;
    regs.set(reg::TEXUNIT_CONFIG::enable3, true);
    regs.write(reg::TEXUNIT3_PROCTEX0::id,
               3 | 1 << 3 | 9 << 6 | 8 << 10 | 1 << 14 | 1 << 15 | 1 << 16 | 2 << 18);
    regs.write(reg::TEXUNIT3_PROCTEX1::id, 0x3C000FFF);
    regs.write(reg::TEXUNIT3_PROCTEX2::id, 0xBC00F001);
    regs.write(reg::TEXUNIT3_PROCTEX3::id, 0xC0004000);
    regs.write(reg::TEXUNIT3_PROCTEX4::id, 5 | 1 << 3 | 12 << 7 | 64 << 11 | 0x3C << 19);
    regs.write(reg::TEXUNIT3_PROCTEX5::id, 0x04030201);
    regs.write(reg::COLORBUFFER_READ::id, 15);
    regs.write(reg::COLORBUFFER_WRITE::id, 15);
    regs.write(reg::DEPTH_COLOR_MASK::id, 0xF00);
    regs.write(reg::BLEND_FUNC::id, 0x01010000); // the source alone
    regs.set(reg::COLOR_OPERATION::mode, ColorCombineMode::Blend);
    regs.write(reg::TEXENV_SOURCE::ids[0], 0x000E000E); // constant
    for (u32 i = 1; i < 6; ++i)
        regs.write(reg::TEXENV_SOURCE::ids[i], 0x000F000F); // previous
    return regs;
}

FragmentKey key_of(const RegisterFile& regs)
{
    return decode_draw(regs, {}, DrawKind::Arrays).draw.fragment;
}

} // namespace

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
    decode_proctex(regs, {true, true}, draw, findings);
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
    decode_proctex(regs, {true, true}, draw, findings);
    CHECK(draw.fragment.proctex.alpha_func == ProcTexFunction::U);
    CHECK(draw.constants.proctex.frequency == std::array<f32, 2>{});
    CHECK(draw.constants.proctex.lod_scale == 0.0f);
    CHECK(draw.constants.proctex.offsets == 1);

    // Nothing defined.
    regs.write(reg::TEXUNIT3_PROCTEX0::id, 0xFFFFFFFF);
    decode_proctex(regs, {true, true}, draw, findings);
    CHECK(findings.has(Finding::ProceduralTextureUndefined));
    CHECK(draw.fragment.proctex.clamp_u == ProcTexClamp::ToEdge);
    decode_proctex(regs, {}, draw, findings);
    CHECK(draw.fragment.proctex == ProcTexKey{});
    CHECK(draw.constants.proctex == ProcTexConstants{});
}

TEST_CASE("proctex: the channels that stages and lighting read")
{
    constexpr ColorChannels kNone{}, kColor{true, false}, kAlpha{false, true}, kBoth{true, true};
    RegisterFile regs = full_unit();
    const auto channels = [&]
    {
        const FragmentKey key = key_of(regs);
        CHECK((key.proctex.enabled != 0) == (key.proctex_channels() != kNone));
        return key.proctex_channels();
    };
    CHECK(channels() == kNone);
    // The colour half of stage 0, with each operand.
    regs.write(reg::TEXENV_SOURCE::ids[0], 0x000E0006);
    for (u32 operand = 0; operand < 16; ++operand)
    {
        CAPTURE(operand);
        regs.write(reg::TEXENV_OPERAND::ids[0], operand);
        CHECK(channels() == (operand == 2 || operand == 3 ? kAlpha : kColor));
    }
    // The alpha half.
    regs.write(reg::TEXENV_SOURCE::ids[0], 0x0006000E);
    for (u32 operand = 0; operand < 8; ++operand)
    {
        CAPTURE(operand);
        regs.write(reg::TEXENV_OPERAND::ids[0], operand << 12);
        CHECK(channels() == (operand < 2 ? kAlpha : kColor));
    }
    // Both halves, and slots that the operation does not read.
    regs.write(reg::TEXENV_OPERAND::ids[0], 0);
    regs.write(reg::TEXENV_SOURCE::ids[0], 0x00060006);
    CHECK(channels() == kBoth);
    regs.write(reg::TEXENV_SOURCE::ids[0], 0x066E066E);
    CHECK(channels() == kNone);
    regs.write(reg::TEXENV_COMBINER::ids[0], 4 | 4 << 16);
    CHECK(channels() == kBoth);
    regs.write(reg::TEXENV_SOURCE::ids[0], 0x0EEE06EE);
    regs.write(reg::TEXENV_OPERAND::ids[0], 2 << 8);
    CHECK(channels() == kAlpha);
    // The dot product makes alpha of colours, so the alpha half is not read.
    regs.write(reg::TEXENV_SOURCE::ids[0], 0x000600E6);
    regs.write(reg::TEXENV_OPERAND::ids[0], 0);
    regs.write(reg::TEXENV_COMBINER::ids[0], 7);
    CHECK(channels() == kColor);
    // A later stage that reads no alpha of the one before.
    regs.write(reg::TEXENV_COMBINER::ids[0], 0);
    regs.write(reg::TEXENV_SOURCE::ids[0], 0x00060006);
    regs.write(reg::TEXENV_SOURCE::ids[3], 0x000E000F);
    CHECK(channels() == kColor);
    // The same stage, through the combiner buffer.
    regs.write(reg::TEXENV_SOURCE::ids[3], 0x000D000F);
    CHECK(channels() == kColor); // nothing updates the buffer
    regs.write(reg::TEXENV_UPDATE_BUFFER::id, 0x1000);
    CHECK(channels() == kBoth);
    regs.write(reg::TEXENV_UPDATE_BUFFER::id, 0);
    regs.write(reg::TEXENV_SOURCE::ids[3], 0x000F000F);
    // The mask of the target, and what reads alpha all the same.
    regs.write(reg::DEPTH_COLOR_MASK::id, 0x700);
    CHECK(channels() == kColor);
    regs.write(reg::FRAGOP_ALPHA_TEST::id, 0x00008041);
    CHECK(channels() == kBoth);
    regs.write(reg::FRAGOP_ALPHA_TEST::id, 0);
    regs.write(reg::BLEND_FUNC::id, 0x01060000); // by source alpha
    CHECK(channels() == kBoth);
    regs.write(reg::BLEND_FUNC::id, 0x01010000);
    regs.write(reg::DEPTH_COLOR_MASK::id, 0x800);
    CHECK(channels() == kAlpha);
}

TEST_CASE("proctex: lighting reads the colour of a bump map and all of a shadow")
{
    RegisterFile regs = full_unit();
    regs.write(reg::TEXENV_SOURCE::ids[0], 0x00010001);
    regs.set(reg::LIGHTING_ENABLE0::enable, true);
    regs.set(reg::LIGHTING_ENABLE1::disable, false);
    regs.write(reg::LIGHTING_CONFIG0::id, 0);
    regs.set(reg::LIGHTING_CONFIG0::bump_mode, BumpMode::NormalMap);
    regs.set(reg::LIGHTING_CONFIG0::bump_unit, 3);
    CHECK(key_of(regs).proctex_channels() == ColorChannels{true, false});
    regs.set(reg::LIGHTING_CONFIG0::shadow_enable, true);
    regs.set(reg::LIGHTING_CONFIG0::shadow_primary, true);
    regs.set(reg::LIGHTING_CONFIG0::shadow_unit, 3);
    CHECK(key_of(regs).proctex_channels() == ColorChannels{true, true});
}

TEST_CASE("proctex: what cannot reach the channels that are read is not in the key")
{
    namespace r0 = reg::TEXUNIT3_PROCTEX0;
    RegisterFile regs = full_unit();
    Draw draw;
    Findings findings;
    // Alpha by a map of its own: no colour table, no levels.
    decode_proctex(regs, {false, true}, draw, findings);
    ProcTexKey expected = {.enabled = 1,
                           .clamp_u = ProcTexClamp::MirroredRepeat,
                           .clamp_v = ProcTexClamp::ToEdge,
                           .shift_u = ProcTexShift::Odd,
                           .shift_v = ProcTexShift::Even,
                           .noise = 1,
                           .separate_alpha = 1,
                           .alpha_func = ProcTexFunction::Max,
                           .alpha_only = 1};
    CHECK(draw.fragment.proctex == expected);
    CHECK(draw.fragment.luts() == (lut_bit(LutTable::ProcTexNoise) | lut_bit(LutTable::ProcTexAlphaMap)));
    ProcTexConstants constants;
    constants.amplitude = {1.0f, -1.0f};
    constants.phase = {1.0f, -1.0f};
    constants.frequency = {18.0f, 18.0f};
    CHECK(draw.constants.proctex == constants);
    // A map of v alone.
    regs.set(r0::alpha_func, ProcTexFunction::V2);
    decode_proctex(regs, {false, true}, draw, findings);
    expected.alpha_func = ProcTexFunction::V2;
    expected.clamp_u = {};
    expected.shift_u = {};
    CHECK(draw.fragment.proctex == expected);
    constants.amplitude[0] = 0;
    CHECK(draw.constants.proctex == constants);
    // With colours, which are of u and v.
    decode_proctex(regs, {true, true}, draw, findings);
    CHECK(draw.fragment.proctex.alpha_only == 0);
    CHECK(draw.fragment.proctex.color_func == ProcTexFunction::RMax);
    CHECK(draw.fragment.proctex.clamp_u == ProcTexClamp::MirroredRepeat);
    CHECK(draw.fragment.proctex.mip == ProcTexMip::Linear);
    // Colours alone, of u.
    regs.set(r0::color_func, ProcTexFunction::U);
    decode_proctex(regs, {true, false}, draw, findings);
    CHECK(draw.fragment.proctex == ProcTexKey{.enabled = 1,
                                              .clamp_u = ProcTexClamp::MirroredRepeat,
                                              .shift_u = ProcTexShift::Odd,
                                              .noise = 1,
                                              .linear = 1,
                                              .mip = ProcTexMip::Linear});
    // Alpha of the colour table.
    regs.set(r0::separate_alpha, false);
    decode_proctex(regs, {false, true}, draw, findings);
    CHECK(draw.fragment.proctex.alpha_only == 0);
    CHECK(draw.fragment.proctex.mip == ProcTexMip::Linear);
    CHECK(draw.constants.proctex.width == 64);
    // Undefined modes are reported whether they are used or not.
    CHECK_FALSE(findings.has(Finding::ProceduralTextureUndefined));
    regs.write(r0::id, 7 | 1 << 14 | 2 << 10); // clamping of u; alpha is a map of v
    decode_proctex(regs, {false, true}, draw, findings);
    CHECK(findings.has(Finding::ProceduralTextureUndefined));
}
