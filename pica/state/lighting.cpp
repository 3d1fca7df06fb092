// SPDX-License-Identifier: MIT
#include "pica/state/lighting.h"

#include "pica/base/float24.h"
#include "pica/regs/registers.h"
#include "pica/state/draw.h"

namespace pica
{

namespace
{

// A bit for each table.
using TableMask = u8;
constexpr TableMask bit(LightTable table)
{
    return static_cast<TableMask>(1u << static_cast<u32>(table));
}
constexpr TableMask kD0 = bit(LightTable::D0), kD1 = bit(LightTable::D1), kRR = bit(LightTable::RR),
                    kRG = bit(LightTable::RG), kRB = bit(LightTable::RB), kFR = bit(LightTable::FR),
                    kSP = bit(LightTable::SP);

// Which tables an environment (0x1C3 bits 4-7) has. [DOC]
TableMask environment_tables(u32 code)
{
    switch (code)
    {
    case 0:
        return kD0 | kRR | kSP;
    case 1:
        return kFR | kRR | kSP;
    case 2:
        return kD0 | kD1 | kRR;
    case 3:
        return kD0 | kD1 | kFR;
    case 4:
        return kD0 | kD1 | kRR | kRG | kRB | kSP;
    case 5:
        return kD0 | kFR | kRR | kRG | kRB | kSP;
    case 6:
        return kD0 | kD1 | kFR | kRR | kSP;
    default: // 8; 7 and 9-15 are undefined and act like it [ASM]
        return kD0 | kD1 | kFR | kRR | kRG | kRB | kSP;
    }
}
constexpr u32 kFirstFullEnvironment = 7;

struct TableFields
{
    Field<bool> is_signed;
    Field<LightingInput> input;
    Field<LightingScale> scale;
};
constexpr EnumArray<TableFields, LightTable, kLightTables> kFields = {{
    {reg::LIGHTING_LUTINPUT_ABS::d0_signed, reg::LIGHTING_LUTINPUT_SELECT::d0,
     reg::LIGHTING_LUTINPUT_SCALE::d0},
    {reg::LIGHTING_LUTINPUT_ABS::d1_signed, reg::LIGHTING_LUTINPUT_SELECT::d1,
     reg::LIGHTING_LUTINPUT_SCALE::d1},
    {reg::LIGHTING_LUTINPUT_ABS::rr_signed, reg::LIGHTING_LUTINPUT_SELECT::rr,
     reg::LIGHTING_LUTINPUT_SCALE::rr},
    {reg::LIGHTING_LUTINPUT_ABS::rg_signed, reg::LIGHTING_LUTINPUT_SELECT::rg,
     reg::LIGHTING_LUTINPUT_SCALE::rg},
    {reg::LIGHTING_LUTINPUT_ABS::rb_signed, reg::LIGHTING_LUTINPUT_SELECT::rb,
     reg::LIGHTING_LUTINPUT_SCALE::rb},
    {reg::LIGHTING_LUTINPUT_ABS::fr_signed, reg::LIGHTING_LUTINPUT_SELECT::fr,
     reg::LIGHTING_LUTINPUT_SCALE::fr},
    {reg::LIGHTING_LUTINPUT_ABS::sp_signed, reg::LIGHTING_LUTINPUT_SELECT::sp,
     reg::LIGHTING_LUTINPUT_SCALE::sp},
}};
constexpr EnumArray<Field<bool>, LightTable, kSharedLightTables> kDisable = {{
    reg::LIGHTING_CONFIG1::d0_disable,
    reg::LIGHTING_CONFIG1::d1_disable,
    reg::LIGHTING_CONFIG1::rr_disable,
    reg::LIGHTING_CONFIG1::rg_disable,
    reg::LIGHTING_CONFIG1::rb_disable,
    reg::LIGHTING_CONFIG1::fr_disable,
}};

// Undefined inputs read 0 [ASM], and so does CP outside of environment 8 [EMU].
LightingInput defined_input(LightingInput input, bool has_cp)
{
    switch (input)
    {
    case LightingInput::NH:
    case LightingInput::VH:
    case LightingInput::NV:
    case LightingInput::LN:
    case LightingInput::SP:
        return input;
    case LightingInput::CP:
        return has_cp ? input : LightingInput::Zero;
    case LightingInput::Zero:
        break;
    }
    return LightingInput::Zero;
}

// 4 and 5 are undefined and count as One [ASM].
LightingScale defined_scale(LightingScale scale)
{
    switch (scale)
    {
    case LightingScale::One:
    case LightingScale::Two:
    case LightingScale::Four:
    case LightingScale::Eight:
    case LightingScale::Quarter:
    case LightingScale::Half:
        return scale;
    }
    return LightingScale::One;
}

LightingTableKey table_key(const RegisterFile& regs, LightTable table)
{
    const TableFields& fields = kFields[table];
    // Cos phi exists in environments that have all tables. [EMU]
    const bool has_cp = regs.get(reg::LIGHTING_CONFIG0::environment) >= kFirstFullEnvironment;
    LightingTableKey key;
    key.enabled = 1;
    key.is_signed = regs.get(fields.is_signed);
    key.input = defined_input(regs.get(fields.input), has_cp);
    key.scale = defined_scale(regs.get(fields.scale));
    return key;
}

constexpr std::array kSlots = {
    reg::LIGHTING_LIGHT_PERMUTATION::slot0, reg::LIGHTING_LIGHT_PERMUTATION::slot1,
    reg::LIGHTING_LIGHT_PERMUTATION::slot2, reg::LIGHTING_LIGHT_PERMUTATION::slot3,
    reg::LIGHTING_LIGHT_PERMUTATION::slot4, reg::LIGHTING_LIGHT_PERMUTATION::slot5,
    reg::LIGHTING_LIGHT_PERMUTATION::slot6, reg::LIGHTING_LIGHT_PERMUTATION::slot7};

void decode_tables(const RegisterFile& regs, LightingKey& key)
{
    using namespace reg;
    // The Fresnel selectors also say which alphas shadows attenuate, even if the table is off. [HW: wwylele]
    key.fresnel_primary = key.primary && regs.get(LIGHTING_CONFIG0::fresnel_primary_alpha);
    key.fresnel_secondary = key.secondary && regs.get(LIGHTING_CONFIG0::fresnel_secondary_alpha);
    TableMask tables = environment_tables(regs.get(LIGHTING_CONFIG0::environment));
    if (!key.secondary)
        tables &= kFR | kSP;
    if (!key.fresnel_primary && !key.fresnel_secondary)
        tables &= static_cast<TableMask>(~kFR);
    for (u32 n = 0; n < kSharedLightTables; ++n)
    {
        const auto table = static_cast<LightTable>(n);
        if ((tables & bit(table)) != 0 && !regs.get(kDisable[table]))
            key.table[table] = table_key(regs, table);
    }
    if ((tables & kSP) != 0)
    {
        const LightingTableKey spot = table_key(regs, LightTable::SP);
        for (u32 slot = 0; slot < key.lights; ++slot)
        {
            const u32 light = regs.get(kSlots[slot]);
            if ((regs.get(LIGHTING_CONFIG1::spot_disable) >> light & 1) != 0)
                continue;
            key.light[slot].flags |= LightKey::Spot;
            key.light[slot].light = static_cast<u8>(light);
            key.table[LightTable::SP] = spot;
        }
    }
}

void decode_shadow(const RegisterFile& regs, LightingKey& key)
{
    using namespace reg;
    if (regs.get(LIGHTING_CONFIG0::shadow_enable))
    {
        const u32 disabled = regs.get(LIGHTING_CONFIG1::shadow_disable);
        for (u32 slot = 0; slot < key.lights; ++slot)
        {
            if ((disabled >> regs.get(kSlots[slot]) & 1) != 0)
                continue;
            if (key.primary && regs.get(LIGHTING_CONFIG0::shadow_primary))
                key.light[slot].flags |= LightKey::ShadowPrimary;
            if (key.secondary && regs.get(LIGHTING_CONFIG0::shadow_secondary))
                key.light[slot].flags |= LightKey::ShadowSecondary;
            key.shadow |= key.light[slot].has(LightKey::ShadowPrimary);
            key.shadow |= key.light[slot].has(LightKey::ShadowSecondary);
        }
        key.shadow_alpha =
            regs.get(LIGHTING_CONFIG0::shadow_alpha) && (key.fresnel_primary || key.fresnel_secondary);
        key.shadow |= key.shadow_alpha;
    }
    if (key.shadow)
    {
        key.shadow_unit = static_cast<u8>(regs.get(LIGHTING_CONFIG0::shadow_unit));
        key.shadow_invert = regs.get(LIGHTING_CONFIG0::shadow_invert);
    }
    if (!key.shadow_alpha && !key.table[LightTable::FR].enabled)
        key.fresnel_primary = key.fresnel_secondary = 0;
}

std::array<f32, 3> color(u32 r, u32 g, u32 b)
{
    const auto component = [](u32 code) { return static_cast<f32>(code) / 255.0f; };
    return {component(r), component(g), component(b)};
}

void decode_light(const RegisterFile& regs, u32 light, LightConstants& out)
{
    using namespace reg;
    const auto rgb = [&](const auto& r, const auto& g, const auto& b)
    { return color(regs.get(r, light), regs.get(g, light), regs.get(b, light)); };
    out.specular0 = rgb(LIGHT_SPECULAR0::r, LIGHT_SPECULAR0::g, LIGHT_SPECULAR0::b);
    out.specular1 = rgb(LIGHT_SPECULAR1::r, LIGHT_SPECULAR1::g, LIGHT_SPECULAR1::b);
    out.diffuse = rgb(LIGHT_DIFFUSE::r, LIGHT_DIFFUSE::g, LIGHT_DIFFUSE::b);
    out.ambient = rgb(LIGHT_AMBIENT::r, LIGHT_AMBIENT::g, LIGHT_AMBIENT::b);
    out.position = {float16_register(regs.get(LIGHT_XY::x, light)),
                    float16_register(regs.get(LIGHT_XY::y, light)),
                    float16_register(regs.get(LIGHT_Z::z, light))};
    const auto fixed = [](s32 value) { return static_cast<f32>(value) / 2047.0f; };
    out.spot = {fixed(regs.get(LIGHT_SPOTDIR_XY::x, light)), fixed(regs.get(LIGHT_SPOTDIR_XY::y, light)),
                fixed(regs.get(LIGHT_SPOTDIR_Z::z, light))};
    out.attenuation_scale = float20_register(regs.get(LIGHT_ATTENUATION_SCALE::value, light));
    out.attenuation_bias = float20_register(regs.get(LIGHT_ATTENUATION_BIAS::value, light));
}

} // namespace

bool lighting_is_on(const RegisterFile& regs)
{
    return regs.get(reg::LIGHTING_ENABLE0::enable) && !regs.get(reg::LIGHTING_ENABLE1::disable);
}

LightingLut light_table_lut(LightTable table)
{
    switch (table)
    {
    case LightTable::D0:
        return LightingLut::D0;
    case LightTable::D1:
        return LightingLut::D1;
    case LightTable::RR:
        return LightingLut::RR;
    case LightTable::RG:
        return LightingLut::RG;
    case LightTable::RB:
        return LightingLut::RB;
    case LightTable::FR:
        return LightingLut::FR;
    case LightTable::SP:
        break;
    }
    return LightingLut::Spotlight0;
}

u8 LightingKey::texture_units() const
{
    u32 units = 0;
    if (bump != BumpMode::None)
        units |= 1u << bump_unit;
    if (shadow)
        units |= 1u << shadow_unit;
    return static_cast<u8>(units);
}

bool LightingKey::reads(LightingInput input) const
{
    for (const LightingTableKey& t : table)
        if (t.enabled && t.input == input)
            return true;
    return false;
}

LutMask LightingKey::luts() const
{
    LutMask mask = 0;
    const auto add = [&](LightingLut first, u32 n)
    { mask |= lut_bit(lighting_lut(static_cast<u32>(first) + n)); };
    for (u32 n = 0; n < kSharedLightTables; ++n)
    {
        const auto shared = static_cast<LightTable>(n);
        if (table[shared].enabled)
            add(light_table_lut(shared), 0);
    }
    for (u32 slot = 0; slot < lights; ++slot)
    {
        if (light[slot].has(LightKey::Spot))
            add(LightingLut::Spotlight0, light[slot].light);
        if (light[slot].has(LightKey::Distance))
            add(LightingLut::DistanceAttenuation0, light[slot].light);
    }
    return mask;
}

u8 decode_lighting(const RegisterFile& regs, Draw& draw)
{
    using namespace reg;
    LightingKey& key = draw.fragment.lighting;
    key = LightingKey{};
    draw.lighting = LightingConstants{};
    const bool primary = draw.fragment.reads(CombinerSource::FragmentPrimary);
    const bool secondary = draw.fragment.reads(CombinerSource::FragmentSecondary);
    if (!lighting_is_on(regs) || !(primary || secondary))
        return 0;
    key.primary = primary;
    key.secondary = secondary;
    key.lights = static_cast<u8>(regs.get(LIGHTING_NUM_LIGHTS::count_minus_1) + 1);
    key.clamp_highlights = secondary && regs.get(LIGHTING_CONFIG0::clamp_highlights);
    for (u32 slot = 0; slot < key.lights; ++slot)
    {
        const u32 light = regs.get(kSlots[slot]);
        LightKey& l = key.light[slot];
        if (regs.get(LIGHT_CONFIG::directional, light))
            l.flags |= LightKey::Directional;
        if (regs.get(LIGHT_CONFIG::two_sided_diffuse, light))
            l.flags |= LightKey::TwoSided;
        if (secondary && regs.get(LIGHT_CONFIG::geometric_factor0, light))
            l.flags |= LightKey::GeometricFactor0;
        if (secondary && regs.get(LIGHT_CONFIG::geometric_factor1, light))
            l.flags |= LightKey::GeometricFactor1;
        if ((regs.get(LIGHTING_CONFIG1::distance_disable) >> light & 1) == 0)
        {
            l.flags |= LightKey::Distance;
            l.light = static_cast<u8>(light);
        }
        decode_light(regs, light, draw.lighting.light[slot]);
    }
    draw.lighting.ambient =
        color(regs.get(LIGHTING_AMBIENT::r), regs.get(LIGHTING_AMBIENT::g), regs.get(LIGHTING_AMBIENT::b));
    decode_tables(regs, key);
    decode_shadow(regs, key);
    key.bump = regs.get(LIGHTING_CONFIG0::bump_mode);
    // Mode 3 is undefined and acts as None [ASM].
    if (key.bump > BumpMode::TangentMap)
        key.bump = BumpMode::None;
    // A tangent map matters only to the input that reads the tangent.
    if (key.bump == BumpMode::TangentMap && !key.reads(LightingInput::CP))
        key.bump = BumpMode::None;
    if (key.bump != BumpMode::None)
        key.bump_unit = static_cast<u8>(regs.get(LIGHTING_CONFIG0::bump_unit));
    if (key.bump == BumpMode::NormalMap)
        key.bump_keep_z = regs.get(LIGHTING_CONFIG0::bump_keep_z);
    return key.texture_units();
}

} // namespace pica
