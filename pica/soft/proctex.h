// SPDX-License-Identifier: MIT
// Procedural texture (unit 3) on a block batch. Source: pica/hardware/procedural-texture.md, design.md row
// "Procedural texture"; the arithmetic is shaders/include/proctex.h. Included only by the source files that
// are compiled once per instruction set.
#pragma once

#include "pica/soft/block_batch.h"

namespace pica::soft
{

namespace
{

PICA_SIMD Real proctex_table(const LutEntry* table, Real c)
{
    const Int index = num8::proctex_index(c);
    const u32* words = &table->value;
    const Real value = num8::as_real(gather(words, index << 1));
    const Real difference = num8::as_real(gather(words, (index << 1) + 1));
    return num8::proctex_entry(c, index, value, difference);
}

static Real proctex_shift(ProcTexShift shift, ProcTexClamp clamp, Real c)
{
    const Real offset = splat(clamp == ProcTexClamp::MirroredRepeat ? 1.0f : 0.5f);
    switch (shift)
    {
    case ProcTexShift::Odd:
        return num8::proctex_shift_odd(c, offset);
    case ProcTexShift::Even:
        return num8::proctex_shift_even(c, offset);
    case ProcTexShift::None:
        break;
    }
    return splat(0.0f);
}

static Real proctex_clamp(ProcTexClamp clamp, Real c)
{
    switch (clamp)
    {
    case ProcTexClamp::ToZero:
        return num8::proctex_to_zero(c);
    case ProcTexClamp::ToEdge:
        return num8::proctex_to_edge(c);
    case ProcTexClamp::SymmetricalRepeat:
        return num8::proctex_symmetric(c);
    case ProcTexClamp::MirroredRepeat:
        return num8::proctex_mirrored(c);
    case ProcTexClamp::Pulse:
        break;
    }
    return num8::proctex_pulse(c);
}

static Real proctex_function(ProcTexFunction function, Real u, Real v)
{
    switch (function)
    {
    case ProcTexFunction::U:
        return u;
    case ProcTexFunction::U2:
        return num8::fm(u, u);
    case ProcTexFunction::V:
        return v;
    case ProcTexFunction::V2:
        return num8::fm(v, v);
    case ProcTexFunction::Add:
        return num8::proctex_mean(u, v);
    case ProcTexFunction::Add2:
        return num8::proctex_half_squares(u, v);
    case ProcTexFunction::SqrtAdd2:
        return num8::proctex_bounded_radius(u, v);
    case ProcTexFunction::Min:
        return num8::proctex_minimum(u, v);
    case ProcTexFunction::Max:
        return num8::proctex_maximum(u, v);
    case ProcTexFunction::RMax:
        break;
    }
    return num8::proctex_mean_and_radius(u, v);
}

// Four channels as floats 0..255.
struct ProcTexColor
{
    Real channel[4];
};

static ProcTexColor proctex_color(const ProcTexPlan& plan, Real r, Int level)
{
    const Int offset = num8::proctex_offset(splat(plan.constants.offsets), level);
    const Real place = num8::proctex_place(r, splat(s32{plan.constants.width}), level);
    const bool linear = plan.key.linear != 0;
    const Int entry =
        linear ? num8::proctex_linear_entry(place, offset) : num8::proctex_nearest_entry(place, offset);
    const u32* words = &plan.color->value;
    const Bits color = gather(words, entry << 1);
    ProcTexColor result;
    if (!linear)
    {
        for (u32 c = 0; c < 4; ++c)
            result.channel[c] = num8::to_real(num8::as_signed(color >> (8 * c) & 255u));
        return result;
    }
    const Bits difference = gather(words, (entry << 1) + 1);
    const Real fraction = num8::proctex_fraction(place);
    for (u32 c = 0; c < 4; ++c)
        result.channel[c] = num8::proctex_channel(color, difference, splat(8 * c), fraction);
    return result;
}

// Steps 1 to 5: the coordinates that the functions read.
struct ProcTexCoordinates
{
    Real u, v;
};

static ProcTexCoordinates proctex_coordinates(const ProcTexPlan& plan, Real u, Real v)
{
    const ProcTexKey& key = plan.key;
    const ProcTexConstants& k = plan.constants;
    u = num8::proctex_magnitude(u);
    v = num8::proctex_magnitude(v);
    const Real shift_u = proctex_shift(key.shift_u, key.clamp_u, v);
    const Real shift_v = proctex_shift(key.shift_v, key.clamp_v, u);
    if (key.noise)
    {
        const Real x = num8::proctex_noise_coordinate(u, splat(k.phase[0]), splat(k.frequency[0]));
        const Real y = num8::proctex_noise_coordinate(v, splat(k.phase[1]), splat(k.frequency[1]));
        const Real wx = proctex_table(plan.noise, num8::proctex_fraction(x));
        const Real wy = proctex_table(plan.noise, num8::proctex_fraction(y));
        const Real noise = num8::proctex_noise(x, y, wx, wy);
        u = num8::proctex_displaced(u, noise, splat(k.amplitude[0]));
        v = num8::proctex_displaced(v, noise, splat(k.amplitude[1]));
    }
    return {proctex_clamp(key.clamp_u, u + shift_u), proctex_clamp(key.clamp_v, v + shift_v)};
}

// Alpha by the map of its own, 0..255.
static Real proctex_alpha(const ProcTexPlan& plan, Real u, Real v)
{
    const Real a = proctex_table(plan.alpha_map, proctex_function(plan.key.alpha_func, u, v));
    return num8::fm(a, splat(255.0f));
}

static Colors proctex_block(const ProcTexPlan& plan, Real texcoord_u, Real texcoord_v, Int lod)
{
    const ProcTexKey& key = plan.key;
    const auto [u, v] = proctex_coordinates(plan, texcoord_u, texcoord_v);
    // The conversions to integers truncate to 8 bits.
    if (key.alpha_only)
    {
        const Int none = splat(0);
        return from_channels(none, none, none, num8::to_int(proctex_alpha(plan, u, v)));
    }
    const Real r = proctex_table(plan.rgb_map, proctex_function(key.color_func, u, v));
    const Int level = key.mip == ProcTexMip::Nearest ? (lod + 128) >> 8 : lod >> 8;
    ProcTexColor color = proctex_color(plan, r, level);
    if (key.mip == ProcTexMip::Linear)
    {
        const Int next = clamp_int(level + 1, splat(0), splat(7));
        const ProcTexColor other = proctex_color(plan, r, next);
        const Real weight = num8::proctex_weight(lod);
        for (u32 c = 0; c < 4; ++c)
            color.channel[c] = num8::proctex_lerp(color.channel[c], other.channel[c], weight);
    }
    if (key.separate_alpha)
        color.channel[3] = proctex_alpha(plan, u, v);
    return from_channels(num8::to_int(color.channel[0]), num8::to_int(color.channel[1]),
                         num8::to_int(color.channel[2]), num8::to_int(color.channel[3]));
}

// Programs of 2D pictures use the texture to pass on a value that is equal at all vertices of a sprite. So a
// block whose pixels have the coordinates and level of the block that was computed last, bit by bit, has its
// colours.
static void sample_proctex(const ProcTexPlan& plan, BlockBatch& batch)
{
    Colors* out = batch.registers[kTextureRegister + 3];
    const Real* u = batch.u[plan.key.texcoord];
    const Real* v = batch.v[plan.key.texcoord];
    const auto lod = [&](u32 i) { return plan.lod ? batch.lod[3][i] : splat(0); };
    u32 computed = 0;
    for (u32 i = 0; i < batch.count; ++i)
    {
        const Bits differs = (num8::as_bits(u[i]) ^ num8::as_bits(u[computed])) |
                             (num8::as_bits(v[i]) ^ num8::as_bits(v[computed])) |
                             num8::as_unsigned(lod(i) ^ lod(computed));
        if (i > 0 && !any(~equal(num8::as_signed(differs), splat(0)) & batch.mask[i]))
        {
            out[i] = out[computed];
            continue;
        }
        out[i] = proctex_block(plan, u[i], v[i], lod(i));
        computed = i;
    }
}

} // namespace

} // namespace pica::soft
