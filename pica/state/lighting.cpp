// SPDX-License-Identifier: MIT
#include "pica/state/lighting.h"

#include "pica/base/float24.h"
#include "pica/regs/registers.h"
#include "pica/state/draw.h"

namespace pica
{

namespace
{

// Which tables an environment (0x1C3 bits 4-7) has. [DOC]
struct Environment
{
    bool d0, d1, fr, rr, rgb, spot; // rgb: RG and RB
};

Environment environment(u32 code)
{
    switch (code)
    {
    case 0:
        return {true, false, false, true, false, true};
    case 1:
        return {false, false, true, true, false, true};
    case 2:
        return {true, true, false, true, false, false};
    case 3:
        return {true, true, true, false, false, false};
    case 4:
        return {true, true, false, true, true, true};
    case 5:
        return {true, false, true, true, true, true};
    case 6:
        return {true, true, true, true, false, true};
    default: // 8; 7 and 9-15 are undefined and act like it [ASM]
        return {true, true, true, true, true, true};
    }
}
constexpr u32 kFirstFullEnvironment = 7;

template <typename Signed, typename Input, typename Scale>
LightingTableKey table_key(const RegisterFile& regs, const Signed& is_signed, const Input& input,
                           const Scale& scale)
{
    LightingTableKey key;
    key.enabled = 1;
    key.is_signed = regs.get(is_signed);
    key.input = regs.get(input);
    // cos phi exists in environments that have all tables. [EMU]
    const bool has_cp = regs.get(reg::LIGHTING_CONFIG0::environment) >= kFirstFullEnvironment;
    if (key.input > LightingInput::CP || (key.input == LightingInput::CP && !has_cp))
        key.input = kZeroLightingInput;
    key.scale = regs.get(scale);
    if (static_cast<u8>(key.scale) == 4 || static_cast<u8>(key.scale) == 5)
        key.scale = LightingScale::One;
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
    const Environment has = environment(regs.get(LIGHTING_CONFIG0::environment));
    if (key.secondary)
    {
        if (has.d0 && !regs.get(LIGHTING_CONFIG1::d0_disable))
            key.d0 = table_key(regs, LIGHTING_LUTINPUT_ABS::d0_signed, LIGHTING_LUTINPUT_SELECT::d0,
                               LIGHTING_LUTINPUT_SCALE::d0);
        if (has.d1 && !regs.get(LIGHTING_CONFIG1::d1_disable))
            key.d1 = table_key(regs, LIGHTING_LUTINPUT_ABS::d1_signed, LIGHTING_LUTINPUT_SELECT::d1,
                               LIGHTING_LUTINPUT_SCALE::d1);
        if (has.rr && !regs.get(LIGHTING_CONFIG1::rr_disable))
            key.rr = table_key(regs, LIGHTING_LUTINPUT_ABS::rr_signed, LIGHTING_LUTINPUT_SELECT::rr,
                               LIGHTING_LUTINPUT_SCALE::rr);
        if (has.rgb && !regs.get(LIGHTING_CONFIG1::rg_disable))
            key.rg = table_key(regs, LIGHTING_LUTINPUT_ABS::rg_signed, LIGHTING_LUTINPUT_SELECT::rg,
                               LIGHTING_LUTINPUT_SCALE::rg);
        if (has.rgb && !regs.get(LIGHTING_CONFIG1::rb_disable))
            key.rb = table_key(regs, LIGHTING_LUTINPUT_ABS::rb_signed, LIGHTING_LUTINPUT_SELECT::rb,
                               LIGHTING_LUTINPUT_SCALE::rb);
    }
    // The Fresnel selectors also say which alphas shadows attenuate, even if the table is off. [HW: wwylele]
    key.fresnel_primary = key.primary && regs.get(LIGHTING_CONFIG0::fresnel_primary_alpha);
    key.fresnel_secondary = key.secondary && regs.get(LIGHTING_CONFIG0::fresnel_secondary_alpha);
    const bool selected = key.fresnel_primary || key.fresnel_secondary;
    if (selected && has.fr && !regs.get(LIGHTING_CONFIG1::fr_disable))
        key.fr = table_key(regs, LIGHTING_LUTINPUT_ABS::fr_signed, LIGHTING_LUTINPUT_SELECT::fr,
                           LIGHTING_LUTINPUT_SCALE::fr);
    if (has.spot)
    {
        const LightingTableKey spot = table_key(regs, LIGHTING_LUTINPUT_ABS::sp_signed,
                                                LIGHTING_LUTINPUT_SELECT::sp, LIGHTING_LUTINPUT_SCALE::sp);
        for (u32 slot = 0; slot < key.lights; ++slot)
        {
            const u32 light = regs.get(kSlots[slot]);
            if ((regs.get(LIGHTING_CONFIG1::spot_disable) >> light & 1) != 0)
                continue;
            key.light[slot].flags |= LightKey::Spot;
            key.light[slot].light = static_cast<u8>(light);
            key.spot = spot;
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
    if (!key.shadow_alpha && !key.fr.enabled)
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
    for (const LightingTableKey* table : {&d0, &d1, &rr, &rg, &rb, &fr, &spot})
        if (table->enabled && table->input == input)
            return true;
    return false;
}

LutMask LightingKey::luts() const
{
    LutMask mask = 0;
    const auto add = [&](LightingLut first, u32 n)
    { mask |= lut_bit(lighting_lut(static_cast<u32>(first) + n)); };
    const auto add_if = [&](const LightingTableKey& table, LightingLut number)
    {
        if (table.enabled)
            add(number, 0);
    };
    add_if(d0, LightingLut::D0);
    add_if(d1, LightingLut::D1);
    add_if(rr, LightingLut::RR);
    add_if(rg, LightingLut::RG);
    add_if(rb, LightingLut::RB);
    add_if(fr, LightingLut::FR);
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
    // Mode 3 is undefined [ASM]. A tangent map matters only to the input that reads the tangent.
    if (key.bump == BumpMode::None3 || (key.bump == BumpMode::TangentMap && !key.reads(LightingInput::CP)))
        key.bump = BumpMode::None;
    if (key.bump != BumpMode::None)
        key.bump_unit = static_cast<u8>(regs.get(LIGHTING_CONFIG0::bump_unit));
    if (key.bump == BumpMode::NormalMap)
        key.bump_keep_z = regs.get(LIGHTING_CONFIG0::bump_keep_z);
    return key.texture_units();
}

} // namespace pica
