// SPDX-License-Identifier: MIT
#include "pica/soft/lighting_plan.h"

#include "pica/soft/pixel_plan.h"

#include <algorithm>

namespace pica::soft
{

namespace
{

f32 scale_of(LightingScale scale)
{
    switch (scale)
    {
    case LightingScale::Two:
        return 2.0f;
    case LightingScale::Four:
        return 4.0f;
    case LightingScale::Eight:
        return 8.0f;
    case LightingScale::Quarter:
        return 0.25f;
    case LightingScale::Half:
        return 0.5f;
    case LightingScale::One:
        break;
    }
    return 1.0f;
}

bool is_plain(const std::array<f32, 3>& color)
{
    return std::all_of(color.begin(), color.end(), [](f32 c) { return c == 0.0f || c >= 0x1p-10f; });
}

u8 texel_register(const FragmentKey& fragment, u32 unit)
{
    if (unit < 3 ? fragment.texture[unit].enabled() : fragment.proctex.enabled != 0)
        return static_cast<u8>(kTextureRegister + unit);
    return LightingPlan::kNoRegister;
}

} // namespace

void make_lighting_plan(const FragmentKey& fragment, const LightingConstants& constants, const Luts& luts,
                        DecodedLuts& decoded, LightingPlan& plan)
{
    const LightingKey& key = fragment.lighting;
    plan = LightingPlan{};
    plan.key = key;
    plan.constants = constants;
    const auto table = [&](const LightingTableKey& t, u32 number)
    {
        LightingTable result;
        if (!t.enabled)
            return result;
        result.entries = decoded.get(luts, lighting_lut(number));
        result.number = static_cast<u8>(number);
        result.input = t.input;
        result.is_signed = t.is_signed != 0;
        result.scale = scale_of(t.scale);
        return result;
    };
    for (u32 n = 0; n < kSharedLightTables; ++n)
    {
        const auto shared = static_cast<LightTable>(n);
        plan.table[shared] = table(key.table[shared], static_cast<u32>(light_table_lut(shared)));
    }
    for (u32 slot = 0; slot < key.lights; ++slot)
    {
        const LightKey& light = key.light[slot];
        if (light.has(LightKey::Spot))
            plan.spot[slot] =
                table(key.table[LightTable::SP], static_cast<u32>(LightingLut::Spotlight0) + light.light);
        if (light.has(LightKey::Distance))
        {
            const u32 number = static_cast<u32>(LightingLut::DistanceAttenuation0) + light.light;
            plan.distance[slot].entries = decoded.get(luts, lighting_lut(number));
            plan.distance[slot].number = static_cast<u8>(number);
        }
        plan.needs_geometric |=
            light.has(LightKey::GeometricFactor0) || light.has(LightKey::GeometricFactor1);
    }
    plan.plain_products = true;
    for (u32 slot = 0; slot < key.lights; ++slot)
    {
        const LightConstants& light = constants.light[slot];
        plan.plain_products = plan.plain_products && is_plain(light.diffuse) && is_plain(light.ambient) &&
                              is_plain(light.specular0) && is_plain(light.specular1);
    }
    plan.needs_nh = key.reads(LightingInput::NH);
    plan.needs_vh = key.reads(LightingInput::VH);
    plan.needs_nv = key.reads(LightingInput::NV);
    plan.needs_spot = key.reads(LightingInput::SP);
    plan.needs_cp = key.reads(LightingInput::CP);
    plan.needs_half = plan.needs_nh || plan.needs_vh || plan.needs_cp || plan.needs_geometric;
    if (key.bump != BumpMode::None)
        plan.bump_register = texel_register(fragment, key.bump_unit);
    if (key.shadow)
        plan.shadow_register = texel_register(fragment, key.shadow_unit);
}

} // namespace pica::soft
