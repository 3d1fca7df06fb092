// SPDX-License-Identifier: MIT
// Fragment lighting on a block batch. The arithmetic is shaders/include/lighting.h; the order of operations
// is that of design.md, row "Lighting", and of shadergen/lighting.cpp. Included only by the source files that
// are compiled once per instruction set.
#pragma once

#include "pica/soft/block_batch.h"
#include "pica/soft/light_vectors.h"
#include "pica/soft/lighting_plan.h"

namespace pica::soft
{

namespace
{

// A channel of packed colours as float, 0..255.
PICA_SIMD Real channel_of(Bits color, int channel)
{
    return lanes::to_real(lanes::as_signed((color >> (8 * channel)) & 255u));
}

PICA_SIMD Real table_lookup(const LutEntry* entries, Int index, Real delta)
{
    Bits value;
    Bits difference;
    gather_entries(&entries->value, index, value, difference);
    return lanes::table_value(lanes::as_real(value), lanes::as_real(difference), delta);
}

constexpr u32 kLightingInputs = 7;

// num8::unsigned_index
PICA_SIMD Int unsigned_index(Real x)
{
    return lanes::to_int(at_least(at_most(x * splat(256.0f), splat(255.0f)), splat(0.0f)));
}

// The cosines that select the entries of a light's tables, by LightingInput.
struct LightingInputs
{
    Real cosine[kLightingInputs];
    bool two_sided;

    Real& operator[](LightingInput input) { return cosine[static_cast<u32>(input)]; }
    const Real& operator[](LightingInput input) const { return cosine[static_cast<u32>(input)]; }
};

// Sees what each light reads of the tables (pixel_probe.cpp). This one, for drawing, does not look.
struct NoLightingWatch
{
    // Does it see the terms of black lights, too? Where a light's cone does not reach, its other tables are not read even
    // then.
    static constexpr bool kSeesAll = false;
    // What the light has read before does not count.
    void begin_light(u32) {}
    // x: the table's input, after it was made positive for tables without sign.
    void read(const LightingTable&, const Real&, const Int&, const Real&) {}
};

template <typename Watch>
PICA_SIMD Real look_up(const LightingTable& table, const LightingInputs& in, Watch& watch)
{
    Real x = in[table.input];
    Real result;
    Int i;
    if (table.is_signed)
    {
        i = lanes::signed_index(x);
        result = table_lookup(table.entries, i & 255, lanes::signed_delta(x, i));
    }
    else
    {
        x = in.two_sided ? lanes::two_sided(x) : lanes::one_sided(x);
        i = unsigned_index(x);
        result = table_lookup(table.entries, i, lanes::unsigned_delta(x, i));
    }
    if (table.scale != 1.0f)
        result = result * splat(table.scale);
    watch.read(table, x, i, result);
    return result;
}

// From a pixel to a light.
struct LightRay
{
    Vector l;              // of length 1
    Real squared, inverse; // of the length
};

PICA_SIMD LightRay directional_ray(const LightConstants& light)
{
    const Vector to_light = load_vector(light.position);
    const Real squared = dot(to_light, to_light);
    const Real inverse = lanes::inverse_length(squared);
    return {scaled(to_light, inverse), squared, inverse};
}

// Lights one block of a block batch.
template <typename Watch>
class BlockLighting
{
public:
    // rays: of directional lights, by slot.
    BlockLighting(const LightingPlan& plan, const BlockBatch& batch, u32 block, const LightRay* rays,
                  Watch& watch)
        : plan_(plan), live_(batch.mask[block]), watch_(watch)
    {
        const Real* quaternion[4] = {batch.quaternion[0] + block, batch.quaternion[1] + block,
                                     batch.quaternion[2] + block, batch.quaternion[3] + block};
        Real q[4] = {*quaternion[0], *quaternion[1], *quaternion[2], *quaternion[3]};
        const Real scale = lanes::inverse_length(lanes::dot4(q[0], q[1], q[2], q[3], q[0], q[1], q[2], q[3]));
        for (Real& component : q)
            component = lanes::fm(component, scale);
        view_ = {batch.view[0][block], batch.view[1][block], batch.view[2][block]};
        const LightingNeeds& needs = Watch::kSeesAll ? plan.whole.needs : plan.needs;
        if (needs.half || needs.nv)
            eye_ = normalized(view_);

        const Real zero = splat(0.0f);
        const Real one = splat(1.0f);
        Vector normal = {zero, zero, one};
        Vector tangent = {one, zero, zero};
        if (plan.key.bump != BumpMode::None)
        {
            Bits texel = splat(0u);
            if (plan.bump_register != LightingPlan::kNoRegister)
                texel = pack(batch.registers[plan.bump_register][block]);
            Vector p = {lanes::bump_component(channel_of(texel, 0)),
                        lanes::bump_component(channel_of(texel, 1)),
                        lanes::bump_component(channel_of(texel, 2))};
            if (plan.key.bump == BumpMode::TangentMap)
                tangent = p;
            else
            {
                if (!plan.key.bump_keep_z)
                    p.z = lanes::bump_z(p.x, p.y);
                normal = p;
            }
        }
        normal_ = rotated(q, normal);
        if (needs.cp)
            tangent_ = rotated(q, tangent);
        if (needs.nv)
            in_[LightingInput::NV] = dot(normal_, eye_);
        if (plan.key.shadow)
        {
            Bits texel = splat(0u);
            if (plan.shadow_register != LightingPlan::kNoRegister)
                texel = pack(batch.registers[plan.shadow_register][block]);
            Real factor[4];
            for (int c = 0; c < 4; ++c)
            {
                factor[c] = lanes::shadow_factor(channel_of(texel, c));
                if (plan.key.shadow_invert)
                    factor[c] = one - factor[c];
            }
            shadow_ = {factor[0], factor[1], factor[2]};
            shadow_alpha_ = factor[3];
        }
        primary_ = secondary_ = {zero, zero, zero};
        in_[LightingInput::Zero] = zero;
        for (u32 slot = 0; slot < plan.key.lights; ++slot)
            if (part(slot).matters())
                add(slot, rays[slot]);
        alpha_ = one;
        if (plan.table[LightTable::FR].entries)
            alpha_ = look_up(plan.table[LightTable::FR], in_, watch_); // of the last light [HW]
        if (plan.key.shadow_alpha)
            alpha_ = lanes::fm(alpha_, shadow_alpha_);
    }

    Colors primary() const
    {
        return codes(sum(primary_, load_vector(plan_.constants.ambient)), plan_.key.fresnel_primary != 0);
    }
    Colors secondary() const { return codes(secondary_, plan_.key.fresnel_secondary != 0); }

private:
    static constexpr f32 kLeastPlain = 0x1p-14f;

    const LightPart& part(u32 slot) const { return Watch::kSeesAll ? plan_.whole : plan_.part[slot]; }

    template <bool exact>
    void watch_cosine(Real x)
    {
        if constexpr (!exact)
            least_ = at_most(least_, lanes::magnitude(x));
    }
    template <bool exact>
    Real watched_factor(Real x)
    {
        if constexpr (!exact)
            least_ = at_most(least_, choose(x == splat(0.0f), splat(1.0f), x));
        return x;
    }

    template <bool exact>
    LightRay ray_to(const LightConstants& light)
    {
        const Vector to_light = sum(load_vector(light.position), view_);
        const Real squared = dot<exact>(to_light, to_light);
        watch_cosine<exact>(squared);
        const Real inverse = inverse_length<exact>(squared);
        return {scaled(to_light, inverse), squared, inverse};
    }

    // The cosines that tables read, and the geometric factor.
    template <bool exact>
    Real add_cosines(const LightingNeeds& needs, const Vector& l, Real cosine)
    {
        Real geometric = splat(1.0f);
        if (!needs.half)
            return geometric;
        const Vector half = sum(eye_, l);
        const Real half_squared = dot<exact>(half, half);
        watch_cosine<exact>(half_squared);
        const Vector h = times<exact>(half, inverse_length<exact>(half_squared));
        if (needs.nh || needs.cp)
        {
            in_[LightingInput::NH] = dot<exact>(normal_, h);
            watch_cosine<exact>(in_[LightingInput::NH]);
        }
        if (needs.vh)
        {
            in_[LightingInput::VH] = dot<exact>(eye_, h);
            watch_cosine<exact>(in_[LightingInput::VH]);
        }
        if (needs.cp)
        {
            const Vector along = scaled(normal_, in_[LightingInput::NH]);
            in_[LightingInput::CP] = dot<exact>({h.x - along.x, h.y - along.y, h.z - along.z}, tangent_);
            watch_cosine<exact>(in_[LightingInput::CP]);
        }
        if (needs.geometric)
            geometric = lanes::geometric_factor(cosine, half_squared);
        return geometric;
    }

    template <bool exact>
    Real distance_factor(u32 slot, const LightRay& ray)
    {
        const LightConstants& light = plan_.constants.light[slot];
        const Real x =
            lanes::attenuation_input(lanes::fm(ray.squared, ray.inverse), splat(light.attenuation_scale),
                                     splat(light.attenuation_bias));
        const Int i = unsigned_index(x);
        const Real factor = table_lookup(plan_.distance[slot].entries, i, lanes::unsigned_delta(x, i));
        watch_.read(plan_.distance[slot], x, i, factor);
        return watched_factor<exact>(factor);
    }

    void add(u32 slot, const LightRay& directional)
    {
        if constexpr (!Watch::kSeesAll)
            if (plan_.plain_products && add_light<false>(slot, directional))
                return;
        add_exactly(slot, directional);
    }

    // Few blocks need it, so it is compiled for size.
#ifdef __GNUC__
    [[gnu::cold, gnu::noinline]]
#endif
    void
    add_exactly(u32 slot, const LightRay& directional)
    {
        add_light<true>(slot, directional);
    }

    // Returns false, and has added nothing, if plain products may differ from those of the design.
    template <bool exact>
    bool add_light(u32 slot, const LightRay& directional)
    {
        const LightKey& key = plan_.key.light[slot];
        const LightConstants& light = plan_.constants.light[slot];
        const LightPart& part = this->part(slot);
        least_ = splat(1.0f);
        watch_.begin_light(slot);
        const LightRay ray = key.has(LightKey::Directional) ? directional : ray_to<exact>(light);
        in_.two_sided = key.has(LightKey::TwoSided);
        in_[LightingInput::LN] = dot<exact>(ray.l, normal_);
        watch_cosine<exact>(in_[LightingInput::LN]);
        if (part.needs.spot)
        {
            in_[LightingInput::SP] = dot<exact>(ray.l, load_vector(light.spot));
            watch_cosine<exact>(in_[LightingInput::SP]);
        }
        const LightingTable& spot_table = plan_.spot[slot];
        const bool has_distance = plan_.distance[slot].entries != nullptr;
        const bool has_spot = spot_table.entries != nullptr;
        Real spot = splat(1.0f);
        Real distance = splat(1.0f);
        // Pixels that a light does not reach, whose colours would all be multiplied by 0. FR may need the last light's
        // cosines.
        const bool may_skip = Watch::kSeesAll ? slot + 1 < plan_.key.lights : !part.cosines;
        const auto reaches = [&](Real factor) { return any((factor != splat(0.0f)) & live_); };
        if (has_distance)
        {
            distance = distance_factor<exact>(slot, ray);
            if (may_skip && !Watch::kSeesAll && !reaches(distance))
                return is_plain<exact>();
        }
        if (has_spot && spot_table.input == LightingInput::SP)
        {
            spot = watched_factor<exact>(look_up(spot_table, in_, watch_));
            if (may_skip && !reaches(spot))
                return is_plain<exact>();
        }
        const Real ln = in_[LightingInput::LN];
        const Real cosine = in_.two_sided ? lanes::two_sided(ln) : lanes::one_sided(ln);
        // Where the surface faces away from the light, clamped highlights are 0.
        const bool dark =
            !Watch::kSeesAll && plan_.key.clamp_highlights && !any((cosine > splat(0.0f)) & live_);
        const Real geometric = add_cosines<exact>(dark ? part.dark_needs : part.needs, ray.l, cosine);
        if (has_spot && spot_table.input != LightingInput::SP)
            spot = watched_factor<exact>(look_up(spot_table, in_, watch_));
        const auto attenuated = [&](Vector color)
        {
            if (has_distance)
                color = times<exact>(color, distance);
            if (has_spot)
                color = times<exact>(color, spot);
            return color;
        };
        const bool has_secondary = (part.specular0 || part.specular1) && !dark;
        Vector primary;
        Vector secondary;
        if (part.primary)
        {
            Vector color = times<exact>(load_vector(light.diffuse), cosine);
            if (key.has(LightKey::ShadowPrimary))
                color = times<exact>(color, shadow_);
            primary = attenuated(sum(color, load_vector(light.ambient)));
        }
        if (has_secondary)
        {
            secondary = attenuated(specular<exact>(part, key, light, cosine, geometric));
            if (key.has(LightKey::ShadowSecondary))
                secondary = times<exact>(secondary, shadow_);
        }
        if (!is_plain<exact>())
            return false;
        if (part.primary)
            primary_ = sum(primary_, primary);
        if (has_secondary)
            secondary_ = sum(secondary_, secondary);
        return true;
    }

    template <bool exact>
    bool is_plain() const
    {
        return exact || !any((least_ < splat(kLeastPlain)) & live_);
    }

    template <bool exact>
    Real shared_table(LightTable table)
    {
        return watched_factor<exact>(look_up(plan_.table[table], in_, watch_));
    }

    // A product with a table, which leaves the value as it is if the table is off.
    template <bool exact>
    Vector times_table(const Vector& v, LightTable table)
    {
        return plan_.table[table].entries ? times<exact>(v, shared_table<exact>(table)) : v;
    }

    // The second specular colour with its tables.
    template <bool exact>
    Vector reflected(const LightKey& key, const LightConstants& light, Real geometric)
    {
        Vector color = load_vector(light.specular1);
        const bool rr = plan_.table[LightTable::RR].entries != nullptr;
        const bool rg = plan_.table[LightTable::RG].entries != nullptr;
        const bool rb = plan_.table[LightTable::RB].entries != nullptr;
        if (rr || rg || rb)
        {
            Vector factor;
            factor.x = rr ? shared_table<exact>(LightTable::RR) : splat(1.0f);
            factor.y = rg ? shared_table<exact>(LightTable::RG) : factor.x;
            factor.z = rb ? shared_table<exact>(LightTable::RB) : factor.x;
            color = times<exact>(color, times_table<exact>(factor, LightTable::D1));
        }
        else
            color = times_table<exact>(color, LightTable::D1);
        if (key.has(LightKey::GeometricFactor1))
            color = times<exact>(color, geometric);
        return color;
    }

    template <bool exact>
    Vector specular(const LightPart& part, const LightKey& key, const LightConstants& light, Real cosine,
                    Real geometric)
    {
        Vector color;
        if (part.specular0)
        {
            color = times_table<exact>(load_vector(light.specular0), LightTable::D0);
            if (key.has(LightKey::GeometricFactor0))
                color = times<exact>(color, geometric);
        }
        if (part.specular1)
        {
            const Vector second = reflected<exact>(key, light, geometric);
            color = part.specular0 ? sum(color, second) : second;
        }
        if (plan_.key.clamp_highlights)
        {
            const Mask lit = cosine > splat(0.0f);
            const Real zero = splat(0.0f);
            color = {choose(lit, color.x, zero), choose(lit, color.y, zero), choose(lit, color.z, zero)};
        }
        return color;
    }

    Colors codes(const Vector& color, bool has_alpha) const
    {
        // num8::light_code; the conversion truncates, which equals floor for these values.
        const auto code = [](Real x)
        {
            const Real clamped = at_least(at_most(x, splat(1.0f)), splat(0.0f));
            return lanes::to_int(clamped * splat(255.0f) + splat(0.5f));
        };
        return from_channels(code(color.x), code(color.y), code(color.z),
                             has_alpha ? code(alpha_) : splat(255));
    }

    const LightingPlan& plan_;
    const Mask live_; // pixels that matter
    Watch& watch_;
    Real least_; // of the values that say whether plain products are those of the design
    Vector view_, eye_, normal_, tangent_;
    LightingInputs in_;
    Vector shadow_;
    Real shadow_alpha_;
    Vector primary_, secondary_;
    Real alpha_;
};

template <typename Watch>
void light_batch(const LightingPlan& plan, BlockBatch& batch, Watch& watch)
{
    LightRay rays[8];
    for (u32 slot = 0; slot < plan.key.lights; ++slot)
        if (plan.key.light[slot].has(LightKey::Directional))
            rays[slot] = directional_ray(plan.constants.light[slot]);
    for (u32 i = 0; i < batch.count; ++i)
    {
        const BlockLighting<Watch> lighting(plan, batch, i, rays, watch);
        if (plan.key.primary)
            batch.registers[kFragmentPrimaryRegister][i] = lighting.primary();
        if (plan.key.secondary)
            batch.registers[kFragmentSecondaryRegister][i] = lighting.secondary();
    }
}

static void light_batch(const LightingPlan& plan, BlockBatch& batch)
{
    NoLightingWatch none;
    light_batch(plan, batch, none);
}

} // namespace

} // namespace pica::soft
