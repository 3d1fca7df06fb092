// SPDX-License-Identifier: MIT
// Registers of fragment lighting -> key and constants (pica/hardware/lighting.md, "Registers" and "Tables").
#include "pica/regs/registers.h"
#include "pica/state/draw.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace pica;

namespace
{

struct Decoded
{
    Draw draw;
    u8 units = 0;
    const LightingKey& key() const { return draw.fragment.lighting; }
};

constexpr u8 kBothColors = 3, kPrimaryColor = 1, kSecondaryColor = 2;

// Everything on: environment 8, no table disabled, one light.
RegisterFile lit()
{
    RegisterFile regs;
    regs.write(reg::LIGHTING_ENABLE0::id, 1);
    regs.write(reg::LIGHTING_ENABLE1::id, 0);
    regs.write(reg::LIGHTING_CONFIG0::id, 8 << 4);
    regs.write(reg::LIGHTING_CONFIG1::id, 0);
    return regs;
}

Decoded decode(const RegisterFile& regs, u8 colors = kBothColors)
{
    Decoded d;
    TexEnvStageKey& stage = d.draw.fragment.texenv[0];
    stage = {};
    stage.color_op = CombinerOp::Add;
    stage.color_source[0] = colors & kPrimaryColor ? CombinerSource::FragmentPrimary : CombinerSource::Zero;
    stage.color_source[1] =
        colors & kSecondaryColor ? CombinerSource::FragmentSecondary : CombinerSource::Zero;
    d.units = decode_lighting(regs, d.draw);
    return d;
}

// Which tables an environment leaves: D0, D1, FR, RR, RG, RB, SP.
u32 tables(u32 environment)
{
    RegisterFile regs = lit();
    regs.write(reg::LIGHTING_CONFIG0::id, environment << 4 | 4);
    const LightingKey key = decode(regs).key();
    u32 mask = 0, n = 0;
    for (const LightTable table : {LightTable::D0, LightTable::D1, LightTable::FR, LightTable::RR,
                                   LightTable::RG, LightTable::RB, LightTable::SP})
        mask |= u32{key.table[table].enabled} << n++;
    return mask;
}

} // namespace

TEST_CASE("lighting: off, or read by no combiner, it leaves nothing behind")
{
    CHECK(decode(lit(), 0).key() == LightingKey{});
    RegisterFile regs = lit();
    regs.write(reg::LIGHTING_ENABLE1::id, 1);
    CHECK(decode(regs).key() == LightingKey{});
    CHECK(decode(regs).draw.lighting == LightingConstants{});
    regs = lit();
    regs.write(reg::LIGHTING_ENABLE0::id, 0);
    CHECK(decode(regs).key() == LightingKey{});
}

TEST_CASE("lighting: environments have the tables of the availability matrix")
{
    constexpr u32 d0 = 1, d1 = 2, fr = 4, rr = 8, rg = 16, rb = 32, sp = 64;
    CHECK(tables(0) == (d0 | rr | sp));
    CHECK(tables(1) == (fr | rr | sp));
    CHECK(tables(2) == (d0 | d1 | rr));
    CHECK(tables(3) == (d0 | d1 | fr));
    CHECK(tables(4) == (d0 | d1 | rr | rg | rb | sp));
    CHECK(tables(5) == (d0 | fr | rr | rg | rb | sp));
    CHECK(tables(6) == (d0 | d1 | fr | rr | sp));
    for (const u32 full : {7, 8, 9, 15})
        CHECK(tables(full) == 127);
}

TEST_CASE("lighting: bits 20, 21, 22 of 0x1C4 turn RB, RG, RR off")
{
    RegisterFile regs = lit();
    regs.write(reg::LIGHTING_CONFIG1::id, 1u << 20);
    CHECK(decode(regs).key().table[LightTable::RB].enabled == 0);
    CHECK(decode(regs).key().table[LightTable::RR].enabled == 1);
    regs.write(reg::LIGHTING_CONFIG1::id, 1u << 22);
    CHECK(decode(regs).key().table[LightTable::RB].enabled == 1);
    CHECK(decode(regs).key().table[LightTable::RR].enabled == 0);
    regs.write(reg::LIGHTING_CONFIG1::id, 1u << 21);
    CHECK(decode(regs).key().table[LightTable::RG].enabled == 0);
}

TEST_CASE("lighting: only the primary colour read leaves no specular state")
{
    RegisterFile regs = lit();
    regs.write(reg::LIGHTING_CONFIG0::id, 8 << 4 | 1u << 27 | 1u << 17 | 1 | 8);
    regs.write(reg::LIGHT_CONFIG::ids[0], 0xF);
    const LightingKey key = decode(regs, kPrimaryColor).key();
    CHECK(key.secondary == 0);
    CHECK(key.clamp_highlights == 0);
    CHECK(key.table[LightTable::D0] == LightingTableKey{});
    CHECK(key.table[LightTable::RR] == LightingTableKey{});
    CHECK(key.table[LightTable::FR] == LightingTableKey{});
    CHECK(key.shadow == 0);
    CHECK(key.light[0].flags ==
          (LightKey::Directional | LightKey::TwoSided | LightKey::Spot | LightKey::Distance));
}

TEST_CASE("lighting: the permutation names the light of each slot")
{
    RegisterFile regs = lit();
    regs.write(reg::LIGHTING_NUM_LIGHTS::id, 1);
    regs.write(reg::LIGHTING_LIGHT_PERMUTATION::id, 0x25);
    regs.write(reg::LIGHT_CONFIG::ids[5], 1);
    regs.write(reg::LIGHT_DIFFUSE::ids[5], 255u << 20);
    regs.write(reg::LIGHT_DIFFUSE::ids[2], 1023u << 10 | 51);
    regs.write(reg::LIGHTING_CONFIG1::id, 1u << 13 | 1u << 26); // spot of 5, distance of 2
    const Decoded d = decode(regs);
    CHECK(d.key().lights == 2);
    CHECK(d.key().light[0].flags == (LightKey::Directional | LightKey::Distance));
    CHECK(d.key().light[0].light == 5);
    CHECK(d.key().light[1].flags == LightKey::Spot);
    CHECK(d.key().light[1].light == 2);
    CHECK(d.draw.lighting.light[0].diffuse == std::array<f32, 3>{1, 0, 0});
    CHECK(d.draw.lighting.light[1].diffuse == std::array<f32, 3>{0, 1023.0f / 255.0f, 0.2f});
    CHECK(d.draw.lighting.light[2] == LightConstants{});
}

TEST_CASE("lighting: positions are float16, spot directions 1.1.11, attenuation float20")
{
    RegisterFile regs = lit();
    regs.write(reg::LIGHT_XY::ids[0], 0x3C00 | 0xC100u << 16);
    regs.write(reg::LIGHT_Z::ids[0], 0x7C00); // infinity
    regs.write(reg::LIGHT_SPOTDIR_XY::ids[0], 2047 | 0x1801u << 16);
    regs.write(reg::LIGHT_SPOTDIR_Z::ids[0], 0x1000);
    regs.write(reg::LIGHT_ATTENUATION_SCALE::ids[0], 0x3E800);
    regs.write(reg::LIGHT_ATTENUATION_BIAS::ids[0], 0xBF000);
    const LightConstants light = decode(regs).draw.lighting.light[0];
    CHECK(light.position == std::array<f32, 3>{1.0f, -2.5f, 0x1p40f});
    CHECK(light.spot == std::array<f32, 3>{1.0f, -1.0f, -4096.0f / 2047.0f});
    CHECK(light.attenuation_scale == 0.75f);
    CHECK(light.attenuation_bias == -1.0f);
}

TEST_CASE("lighting: inputs, scales and signs of the tables; undefined ones have one encoding")
{
    RegisterFile regs = lit();
    regs.write(reg::LIGHTING_LUTINPUT_ABS::id, 1u << 1 | 1u << 9);
    regs.write(reg::LIGHTING_LUTINPUT_SELECT::id, 2 | 5 << 4 | 4 << 8 | 7 << 24);
    regs.write(reg::LIGHTING_LUTINPUT_SCALE::id, 6 | 4 << 4 | 3 << 8 | 5 << 24);
    const LightingKey key = decode(regs).key();
    CHECK(key.table[LightTable::D0] == LightingTableKey{1, 1, LightingInput::NV, LightingScale::Quarter});
    CHECK(key.table[LightTable::D1] == LightingTableKey{1, 0, LightingInput::CP, LightingScale::One});
    CHECK(key.table[LightTable::SP] == LightingTableKey{1, 1, LightingInput::SP, LightingScale::Eight});
    CHECK(key.table[LightTable::RR] == LightingTableKey{1, 0, LightingInput::Zero, LightingScale::One});
    // Cos phi exists in environment 8 alone.
    regs.write(reg::LIGHTING_CONFIG0::id, 4 << 4);
    CHECK(decode(regs).key().table[LightTable::D1].input == LightingInput::Zero);
}

TEST_CASE("lighting: bump and shadow name their texture units where they matter")
{
    RegisterFile regs = lit();
    regs.set(reg::LIGHTING_CONFIG0::bump_mode, BumpMode::TangentMap);
    regs.set(reg::LIGHTING_CONFIG0::bump_unit, 1);
    regs.set(reg::LIGHTING_CONFIG0::bump_keep_z, true);
    CHECK(decode(regs).key().bump == BumpMode::None); // nothing reads the tangent
    regs.set(reg::LIGHTING_LUTINPUT_SELECT::d0, LightingInput::CP);
    CHECK(decode(regs).key().bump == BumpMode::TangentMap);
    CHECK(decode(regs).key().bump_keep_z == 0);
    CHECK(decode(regs).units == 2);
    regs.set(reg::LIGHTING_CONFIG0::bump_mode, BumpMode::NormalMap);
    CHECK(decode(regs).key().bump_keep_z == 1);
    regs.set(reg::LIGHTING_CONFIG0::bump_mode, static_cast<BumpMode>(3));
    CHECK(decode(regs).key().bump == BumpMode::None);

    regs.set(reg::LIGHTING_CONFIG0::shadow_unit, 2);
    regs.set(reg::LIGHTING_CONFIG0::shadow_invert, true);
    regs.set(reg::LIGHTING_CONFIG0::shadow_secondary, true);
    CHECK(decode(regs).key().shadow == 0);
    regs.set(reg::LIGHTING_CONFIG0::shadow_enable, true);
    CHECK(decode(regs).key().light[0].has(LightKey::ShadowSecondary));
    CHECK(decode(regs).key().shadow_invert == 1);
    CHECK(decode(regs).units == 4);
    regs.set(reg::LIGHTING_CONFIG1::shadow_disable, 1);
    CHECK(decode(regs).units == 0);
    // Alphas: by the Fresnel selectors, with the table off too.
    regs.set(reg::LIGHTING_CONFIG1::fr_disable, true);
    regs.set(reg::LIGHTING_CONFIG0::shadow_alpha, true);
    CHECK(decode(regs).key().shadow == 0);
    regs.set(reg::LIGHTING_CONFIG0::fresnel_secondary_alpha, true);
    CHECK(decode(regs).key().shadow_alpha == 1);
    CHECK(decode(regs).key().fresnel_secondary == 1);
    CHECK(decode(regs).units == 4);
}
