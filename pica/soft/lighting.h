// SPDX-License-Identifier: MIT
// Fragment lighting on a block batch. The arithmetic is shaders/include/lighting.h; the order of operations
// is that of design.md, row "Lighting", and of shadergen/lighting.cpp. Included only by the source files that
// are compiled once per instruction set.
#pragma once

#include "pica/soft/block_batch.h"
#include "pica/soft/lighting_plan.h"

namespace pica::soft
{

namespace
{

struct Vector
{
    Real x, y, z;
};

PICA_SIMD Vector load_vector(const std::array<f32, 3>& v)
{
    return {splat(v[0]), splat(v[1]), splat(v[2])};
}
PICA_SIMD Real dot(const Vector& a, const Vector& b)
{
    return lanes::dot3(a.x, a.y, a.z, b.x, b.y, b.z);
}
PICA_SIMD Vector scaled(const Vector& v, Real s)
{
    return {lanes::fm(v.x, s), lanes::fm(v.y, s), lanes::fm(v.z, s)};
}
PICA_SIMD Vector product(const Vector& a, const Vector& b)
{
    return {lanes::fm(a.x, b.x), lanes::fm(a.y, b.y), lanes::fm(a.z, b.z)};
}
PICA_SIMD Vector sum(const Vector& a, const Vector& b)
{
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
PICA_SIMD Vector normalized(const Vector& v)
{
    return scaled(v, lanes::inverse_length(dot(v, v)));
}

// The vector v rotated by the quaternion q (x, y, z, w).
PICA_SIMD Vector rotated(const Real* q, const Vector& v)
{
    const Vector t = {lanes::rotate_t(q[1], v.z, q[2], v.y, q[3], v.x),
                      lanes::rotate_t(q[2], v.x, q[0], v.z, q[3], v.y),
                      lanes::rotate_t(q[0], v.y, q[1], v.x, q[3], v.z)};
    return {lanes::rotate_sum(v.x, q[1], t.z, q[2], t.y), lanes::rotate_sum(v.y, q[2], t.x, q[0], t.z),
            lanes::rotate_sum(v.z, q[0], t.y, q[1], t.x)};
}

// A channel of packed colours as float, 0..255.
PICA_SIMD Real channel_of(Bits color, int channel)
{
    return lanes::to_real(lanes::as_signed((color >> (8 * channel)) & 255u));
}

PICA_SIMD Real table_lookup(const LutEntry* entries, Int index, Real delta)
{
    static_assert(sizeof(LutEntry) == 8);
    const u32* words = &entries->value;
    const Real value = lanes::as_real(gather(words, index + index));
    const Real difference = lanes::as_real(gather(words + 1, index + index));
    return lanes::table_value(value, difference, delta);
}

// The cosines that select the entries of a light's tables.
struct LightingInputs
{
    Real nh, vh, nv, ln, sp, cp;
    bool two_sided;
};

PICA_SIMD Real lighting_input(const LightingInputs& in, LightingInput input)
{
    switch (input)
    {
    case LightingInput::NH:
        return in.nh;
    case LightingInput::VH:
        return in.vh;
    case LightingInput::NV:
        return in.nv;
    case LightingInput::LN:
        return in.ln;
    case LightingInput::SP:
        return in.sp;
    case LightingInput::CP:
        return in.cp;
    case LightingInput::Zero:
        break;
    }
    return splat(0.0f);
}

static Real look_up(const LightingTable& table, const LightingInputs& in)
{
    Real x = lighting_input(in, table.input);
    Real result;
    if (table.is_signed)
    {
        const Int i = lanes::signed_index(x);
        result = table_lookup(table.entries, i & 255, lanes::signed_delta(x, i));
    }
    else
    {
        x = in.two_sided ? lanes::two_sided(x) : lanes::one_sided(x);
        const Int i = lanes::unsigned_index(x);
        result = table_lookup(table.entries, i, lanes::unsigned_delta(x, i));
    }
    return table.scale == 1.0f ? result : result * splat(table.scale);
}

// Lights one block of a block batch.
class BlockLighting
{
public:
    BlockLighting(const LightingPlan& plan, const BlockBatch& batch, u32 block) : plan_(plan)
    {
        const Real* quaternion[4] = {batch.quaternion[0] + block, batch.quaternion[1] + block,
                                     batch.quaternion[2] + block, batch.quaternion[3] + block};
        Real q[4] = {*quaternion[0], *quaternion[1], *quaternion[2], *quaternion[3]};
        const Real scale = lanes::inverse_length(lanes::dot4(q[0], q[1], q[2], q[3], q[0], q[1], q[2], q[3]));
        for (Real& component : q)
            component = lanes::fm(component, scale);
        view_ = {batch.view[0][block], batch.view[1][block], batch.view[2][block]};
        if (plan.needs_half || plan.needs_nv)
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
        if (plan.needs_cp)
            tangent_ = rotated(q, tangent);
        if (plan.needs_nv)
            in_.nv = dot(normal_, eye_);
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
        for (u32 slot = 0; slot < plan.key.lights; ++slot)
            add_light(slot);
        alpha_ = one;
        if (plan.table[LightTable::FR].entries)
            alpha_ = look_up(plan.table[LightTable::FR], in_); // of the last light [HW]
        if (plan.key.shadow_alpha)
            alpha_ = lanes::fm(alpha_, shadow_alpha_);
    }

    Colors primary() const
    {
        return codes(sum(primary_, load_vector(plan_.constants.ambient)), plan_.key.fresnel_primary != 0);
    }
    Colors secondary() const { return codes(secondary_, plan_.key.fresnel_secondary != 0); }

private:
    void add_light(u32 slot)
    {
        const LightKey& key = plan_.key.light[slot];
        const LightConstants& light = plan_.constants.light[slot];
        Vector to_light = load_vector(light.position);
        if (!key.has(LightKey::Directional))
            to_light = sum(to_light, view_);
        const Real squared = dot(to_light, to_light);
        const Real inverse = lanes::inverse_length(squared);
        const Vector l = scaled(to_light, inverse);
        in_.two_sided = key.has(LightKey::TwoSided);
        in_.ln = dot(l, normal_);
        const Real cosine = in_.two_sided ? lanes::two_sided(in_.ln) : lanes::one_sided(in_.ln);
        Real geometric = splat(1.0f);
        if (plan_.needs_half)
        {
            const Vector half = sum(eye_, l);
            const Real half_squared = dot(half, half);
            const Vector h = scaled(half, lanes::inverse_length(half_squared));
            if (plan_.needs_nh || plan_.needs_cp)
                in_.nh = dot(normal_, h);
            if (plan_.needs_vh)
                in_.vh = dot(eye_, h);
            if (plan_.needs_cp)
            {
                const Vector along = scaled(normal_, in_.nh);
                in_.cp = dot({h.x - along.x, h.y - along.y, h.z - along.z}, tangent_);
            }
            if (plan_.needs_geometric)
                geometric = lanes::geometric_factor(cosine, half_squared);
        }
        if (plan_.needs_spot)
            in_.sp = dot(l, load_vector(light.spot));

        const LightingTable& spot_table = plan_.spot[slot];
        const LutEntry* distance_table = plan_.distance[slot].entries;
        Real spot = splat(1.0f);
        Real distance = splat(1.0f);
        if (spot_table.entries)
            spot = look_up(spot_table, in_);
        if (distance_table)
        {
            const Real x = lanes::attenuation_input(
                lanes::fm(squared, inverse), splat(light.attenuation_scale), splat(light.attenuation_bias));
            const Int i = lanes::unsigned_index(x);
            distance = table_lookup(distance_table, i, lanes::unsigned_delta(x, i));
        }
        const auto attenuated = [&](Vector color)
        {
            if (distance_table)
                color = scaled(color, distance);
            if (spot_table.entries)
                color = scaled(color, spot);
            return color;
        };
        if (plan_.key.primary)
        {
            Vector color = scaled(load_vector(light.diffuse), cosine);
            if (key.has(LightKey::ShadowPrimary))
                color = product(color, shadow_);
            primary_ = sum(primary_, attenuated(sum(color, load_vector(light.ambient))));
        }
        if (plan_.key.secondary)
        {
            Vector color = attenuated(specular(key, light, cosine, geometric));
            if (key.has(LightKey::ShadowSecondary))
                color = product(color, shadow_);
            secondary_ = sum(secondary_, color);
        }
    }

    // A product with a table, which leaves the value as it is if the table is off.
    Vector times_table(const Vector& v, LightTable table) const
    {
        const LightingTable& t = plan_.table[table];
        return t.entries ? scaled(v, look_up(t, in_)) : v;
    }

    Vector specular(const LightKey& key, const LightConstants& light, Real cosine, Real geometric) const
    {
        Vector first = times_table(load_vector(light.specular0), LightTable::D0);
        if (key.has(LightKey::GeometricFactor0))
            first = scaled(first, geometric);
        Vector second = load_vector(light.specular1);
        const LightingTable& rr = plan_.table[LightTable::RR];
        const LightingTable& rg = plan_.table[LightTable::RG];
        const LightingTable& rb = plan_.table[LightTable::RB];
        if (rr.entries || rg.entries || rb.entries)
        {
            Vector factor;
            factor.x = rr.entries ? look_up(rr, in_) : splat(1.0f);
            factor.y = rg.entries ? look_up(rg, in_) : factor.x;
            factor.z = rb.entries ? look_up(rb, in_) : factor.x;
            second = product(second, times_table(factor, LightTable::D1));
        }
        else
            second = times_table(second, LightTable::D1);
        if (key.has(LightKey::GeometricFactor1))
            second = scaled(second, geometric);
        Vector color = sum(first, second);
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
        const auto code = [](Real x) { return lanes::to_int(lanes::light_code(x)); };
        return from_channels(code(color.x), code(color.y), code(color.z),
                             has_alpha ? code(alpha_) : splat(255));
    }

    const LightingPlan& plan_;
    Vector view_, eye_, normal_, tangent_;
    LightingInputs in_{};
    Vector shadow_;
    Real shadow_alpha_;
    Vector primary_, secondary_;
    Real alpha_;
};

static void light_batch(const LightingPlan& plan, BlockBatch& batch)
{
    for (u32 i = 0; i < batch.count; ++i)
    {
        const BlockLighting lighting(plan, batch, i);
        if (plan.key.primary)
            batch.registers[kFragmentPrimaryRegister][i] = lighting.primary();
        if (plan.key.secondary)
            batch.registers[kFragmentSecondaryRegister][i] = lighting.secondary();
    }
}

} // namespace

} // namespace pica::soft
