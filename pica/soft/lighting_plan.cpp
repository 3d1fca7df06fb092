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

bool is_black(const std::array<f32, 3>& color)
{
    return std::all_of(color.begin(), color.end(), [](f32 c) { return c == 0.0f; });
}

void add(LightingNeeds& needs, const LightingTable& table)
{
    if (!table.entries)
        return;
    needs.nh |= table.input == LightingInput::NH;
    needs.vh |= table.input == LightingInput::VH;
    needs.nv |= table.input == LightingInput::NV;
    needs.spot |= table.input == LightingInput::SP;
    needs.cp |= table.input == LightingInput::CP;
    needs.half |= needs.nh || needs.vh || needs.cp;
}

void add(LightingNeeds& needs, const LightingNeeds& others)
{
    for (bool LightingNeeds::*need :
         {&LightingNeeds::half, &LightingNeeds::nh, &LightingNeeds::vh, &LightingNeeds::nv,
          &LightingNeeds::spot, &LightingNeeds::cp, &LightingNeeds::geometric})
        needs.*need |= others.*need;
}

// Fills in what the tables and factors need that a light's parts read.
void set_needs(const LightingPlan& plan, const LightingTable& spot, bool geometric0, bool geometric1,
               LightPart& part)
{
    LightingNeeds& needs = part.needs;
    add(needs, spot);
    if (part.cosines)
        add(needs, plan.table[LightTable::FR]);
    part.dark_needs = needs;
    if (part.specular0)
        add(needs, plan.table[LightTable::D0]);
    if (part.specular1)
        for (const LightTable table : {LightTable::D1, LightTable::RR, LightTable::RG, LightTable::RB})
            add(needs, plan.table[table]);
    needs.geometric = (part.specular0 && geometric0) || (part.specular1 && geometric1);
    needs.half |= needs.geometric;
}

// What matters of each light, and of any.
void set_parts(LightingPlan& plan)
{
    const LightingKey& key = plan.key;
    for (u32 slot = 0; slot < key.lights; ++slot)
    {
        const LightKey& light = key.light[slot];
        const LightConstants& constants = plan.constants.light[slot];
        const bool geometric0 = light.has(LightKey::GeometricFactor0);
        const bool geometric1 = light.has(LightKey::GeometricFactor1);
        LightPart& part = plan.part[slot];
        part.primary = key.primary != 0 && !(is_black(constants.diffuse) && is_black(constants.ambient));
        part.specular0 = key.secondary != 0 && !is_black(constants.specular0);
        part.specular1 = key.secondary != 0 && !is_black(constants.specular1);
        part.cosines = slot + 1 == key.lights && plan.table[LightTable::FR].entries != nullptr;
        set_needs(plan, plan.spot[slot], geometric0, geometric1, part);
        if (part.matters())
            add(plan.needs, part.needs);

        LightPart whole{true, true, true, true, {}, {}};
        set_needs(plan, plan.spot[slot], geometric0, geometric1, whole);
        add(plan.whole.needs, whole.needs);
    }
    plan.whole.primary = key.primary != 0;
    plan.whole.specular0 = plan.whole.specular1 = key.secondary != 0;
    plan.whole.cosines = true;
    plan.whole.dark_needs = plan.whole.needs;
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
    }
    plan.plain_products = true;
    for (u32 slot = 0; slot < key.lights; ++slot)
    {
        const LightConstants& light = constants.light[slot];
        plan.plain_products = plan.plain_products && is_plain(light.diffuse) && is_plain(light.ambient) &&
                              is_plain(light.specular0) && is_plain(light.specular1);
    }
    set_parts(plan);
    if (key.bump != BumpMode::None)
        plan.bump_register = texel_register(fragment, key.bump_unit);
    if (key.shadow)
        plan.shadow_register = texel_register(fragment, key.shadow_unit);
}

} // namespace pica::soft
