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
    const Int index = lanes::proctex_index(c);
    Bits value;
    Bits difference;
    gather_entries(&table->value, index, value, difference);
    return lanes::proctex_entry(c, index, lanes::as_real(value), lanes::as_real(difference));
}

static Real proctex_shift(ProcTexShift shift, ProcTexClamp clamp, Real c)
{
    const Real offset = splat(clamp == ProcTexClamp::MirroredRepeat ? 1.0f : 0.5f);
    switch (shift)
    {
    case ProcTexShift::Odd:
        return lanes::proctex_shift_odd(c, offset);
    case ProcTexShift::Even:
        return lanes::proctex_shift_even(c, offset);
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
        return lanes::proctex_to_zero(c);
    case ProcTexClamp::ToEdge:
        return lanes::proctex_to_edge(c);
    case ProcTexClamp::SymmetricalRepeat:
        return lanes::proctex_symmetric(c);
    case ProcTexClamp::MirroredRepeat:
        return lanes::proctex_mirrored(c);
    case ProcTexClamp::Pulse:
        break;
    }
    return lanes::proctex_pulse(c);
}

static Real proctex_function(ProcTexFunction function, Real u, Real v)
{
    switch (function)
    {
    case ProcTexFunction::U:
        return u;
    case ProcTexFunction::U2:
        return lanes::fm(u, u);
    case ProcTexFunction::V:
        return v;
    case ProcTexFunction::V2:
        return lanes::fm(v, v);
    case ProcTexFunction::Add:
        return lanes::proctex_mean(u, v);
    case ProcTexFunction::Add2:
        return lanes::proctex_half_squares(u, v);
    case ProcTexFunction::SqrtAdd2:
        return lanes::proctex_bounded_radius(u, v);
    case ProcTexFunction::Min:
        return lanes::proctex_minimum(u, v);
    case ProcTexFunction::Max:
        return lanes::proctex_maximum(u, v);
    case ProcTexFunction::RMax:
        break;
    }
    return lanes::proctex_mean_and_radius(u, v);
}

// Four channels as floats 0..255.
struct ProcTexColor
{
    Real channel[4];
};

// num8::proctex_channel, of channel c. The product need not become 0 below 2^-100: what it is added to, and what becomes
// of the sum, is truncated to 8 bits.
PICA_SIMD Real proctex_channel(Bits color, Bits difference, u32 c, Real fraction)
{
    const Real start = lanes::to_real(lanes::as_signed(color >> (8 * c) & 255u));
    const Real step = lanes::to_real(lanes::as_signed(difference << (24 - 8 * c)) >> 24);
    const Real x = start + step * (fraction + fraction);
    return at_least(at_most(x, splat(255.0f)), splat(0.0f));
}

// channels: how many of them are needed.
static ProcTexColor proctex_color(const ProcTexPlan& plan, Real r, Int level, u32 channels)
{
    const Int offset = lanes::proctex_offset(splat(plan.constants.offsets), level);
    const Real place = lanes::proctex_place(r, splat(s32{plan.constants.width}), level);
    const u32* words = &plan.color->value;
    ProcTexColor result;
    if (!plan.key.linear)
    {
        const Int entry = lanes::proctex_nearest_entry(place, offset);
        const Bits color = gather(words, entry << 1);
        for (u32 c = 0; c < channels; ++c)
            result.channel[c] = lanes::to_real(lanes::as_signed(color >> (8 * c) & 255u));
        return result;
    }
    Bits color;
    Bits difference;
    gather_entries(words, lanes::proctex_linear_entry(place, offset), color, difference);
    const Real fraction = lanes::proctex_fraction(place);
    for (u32 c = 0; c < channels; ++c)
        result.channel[c] = proctex_channel(color, difference, c, fraction);
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
    u = lanes::proctex_magnitude(u);
    v = lanes::proctex_magnitude(v);
    const Real shift_u = proctex_shift(key.shift_u, key.clamp_u, v);
    const Real shift_v = proctex_shift(key.shift_v, key.clamp_v, u);
    if (key.noise)
    {
        const Real x = lanes::proctex_noise_coordinate(u, splat(k.phase[0]), splat(k.frequency[0]));
        const Real y = lanes::proctex_noise_coordinate(v, splat(k.phase[1]), splat(k.frequency[1]));
        const Real wx = proctex_table(plan.noise, lanes::proctex_fraction(x));
        const Real wy = proctex_table(plan.noise, lanes::proctex_fraction(y));
        const Real noise = lanes::proctex_noise(x, y, wx, wy);
        u = lanes::proctex_displaced(u, noise, splat(k.amplitude[0]));
        v = lanes::proctex_displaced(v, noise, splat(k.amplitude[1]));
    }
    return {proctex_clamp(key.clamp_u, u + shift_u), proctex_clamp(key.clamp_v, v + shift_v)};
}

// Alpha by the map of its own, 0..255.
static Real proctex_alpha(const ProcTexPlan& plan, Real u, Real v)
{
    const Real a = proctex_table(plan.alpha_map, proctex_function(plan.key.alpha_func, u, v));
    return lanes::fm(a, splat(255.0f));
}

static Colors proctex_block(const ProcTexPlan& plan, Real texcoord_u, Real texcoord_v, Int lod)
{
    const ProcTexKey& key = plan.key;
    const auto [u, v] = proctex_coordinates(plan, texcoord_u, texcoord_v);
    // The conversions to integers truncate to 8 bits.
    if (key.alpha_only)
    {
        const Int none = splat(0);
        return from_channels(none, none, none, lanes::to_int(proctex_alpha(plan, u, v)));
    }
    const Real r = proctex_table(plan.rgb_map, proctex_function(key.color_func, u, v));
    const Int level = key.mip == ProcTexMip::Nearest ? (lod + 128) >> 8 : lod >> 8;
    const u32 channels = key.separate_alpha ? 3 : 4;
    ProcTexColor color = proctex_color(plan, r, level, channels);
    if (key.mip == ProcTexMip::Linear && any(lod & 255)) // else the next level's share is 0
    {
        const Int next = clamp_int(level + 1, splat(0), splat(7));
        const ProcTexColor other = proctex_color(plan, r, next, channels);
        const Real weight = lanes::proctex_weight(lod);
        for (u32 c = 0; c < channels; ++c)
            color.channel[c] = lanes::proctex_lerp(color.channel[c], other.channel[c], weight);
    }
    if (key.separate_alpha)
        color.channel[3] = proctex_alpha(plan, u, v);
    return from_channels(lanes::to_int(color.channel[0]), lanes::to_int(color.channel[1]),
                         lanes::to_int(color.channel[2]), lanes::to_int(color.channel[3]));
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
        const Bits differs = (lanes::as_bits(u[i]) ^ lanes::as_bits(u[computed])) |
                             (lanes::as_bits(v[i]) ^ lanes::as_bits(v[computed])) |
                             lanes::as_unsigned(lod(i) ^ lod(computed));
        if (i > 0 && !any(~equal(lanes::as_signed(differs), splat(0)) & batch.mask[i]))
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
