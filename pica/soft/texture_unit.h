// SPDX-License-Identifier: MIT
// Texture units 0-2 on a block batch: texel address, wrap, nearest and bilinear filter. Source:
// pica/hardware/textures.md, design.md rows "Texel address", "LOD" and "Filter". Included only by the
// source files that are compiled once per instruction set.
#pragma once

#include "pica/soft/block_batch.h"
#include "pica/soft/simd.h"

namespace pica::soft
{

namespace
{

// lanes::texel_coordinate
PICA_SIMD Int texel_coordinate(Real u, Real size256)
{
    const Real v = at_most(lanes::floor_lanes(u * size256), splat(1073741824.0f));
    return lanes::to_int(at_least(v, splat(-1073741824.0f)));
}

// lanes::scaled_texel_coordinate
PICA_SIMD Int scaled_texel_coordinate(Real u, Int size)
{
    const Real half = lanes::texel_rounding(size);
    const Real v = at_most(lanes::floor_lanes(u * lanes::to_real(size << 8) + half), splat(1073741824.0f));
    return lanes::to_int(at_least(v, splat(-1073741824.0f)));
}

template <bool scaled>
PICA_SIMD Int level_coordinate(Real u, Int size)
{
    return scaled ? scaled_texel_coordinate(u, size) : texel_coordinate(u, lanes::to_real(size << 8));
}

// Common modes have code of their own; the other modes are decided for each tap.
enum class WrapCode : u8
{
    Repeat,
    Clamp,
    Any,
};

template <WrapCode code>
PICA_SIMD Int wrap_texel(TextureWrap mode, Int s, Int size, Mask& outside)
{
    if constexpr (code == WrapCode::Repeat)
        return lanes::wrap_repeat(s, size);
    else if constexpr (code == WrapCode::Clamp)
        return clamp_int(s, splat(0), size - 1);
    else
        switch (mode)
        {
        case TextureWrap::ClampToEdge:
            return lanes::wrap_clamp(s, size);
        case TextureWrap::ClampToBorder:
            outside |= lanes::outside_both(s, size);
            return lanes::wrap_clamp(s, size);
        case TextureWrap::MirroredRepeat:
            return lanes::wrap_mirror(s, size);
        case TextureWrap::ClampToEdge2:
            return lanes::wrap_clamp2(s, size);
        case TextureWrap::ClampToBorder2:
            outside |= lanes::outside_above(s, size);
            return lanes::wrap_clamp2(s, size);
        case TextureWrap::Repeat:
            break;
        }
    return lanes::wrap_repeat(s, size);
}

template <bool linear, WrapCode code_s, WrapCode code_t>
static void sample_batch(const TexturePlan& unit, BlockBatch& batch, Colors* out)
{
    const Int width = splat(unit.width);
    const Int height = splat(unit.height);
    const Real width256 = splat(static_cast<f32>(unit.width * 256));
    const Real height256 = splat(static_cast<f32>(unit.height * 256));
    const Bits border = splat(unit.border);
    const int row_shift = static_cast<int>(unit.width_log2);
    constexpr bool kBorders = code_s == WrapCode::Any || code_t == WrapCode::Any;
    const auto fetch = [&](Int index, Mask outside)
    {
        const Bits texel = gather(unit.texels, index);
        if constexpr (kBorders)
            return choose(outside, border, texel);
        else
            return texel;
    };
    for (u32 i = 0; i < batch.count; ++i)
    {
        Int x = texel_coordinate(batch.u[unit.coordinates][i], width256);
        Int y = texel_coordinate(batch.v[unit.coordinates][i], height256);
        const Mask none = splat(0);
        if constexpr (!linear)
        {
            Mask out_s = none;
            const Int s = wrap_texel<code_s>(unit.wrap_s, x >> 8, width, out_s);
            const Int t = wrap_texel<code_t>(unit.wrap_t, y >> 8, height, out_s);
            out[i] = unpack(fetch((t << row_shift) | s, out_s));
        }
        else
        {
            x = lanes::as_signed(lanes::as_unsigned(x) - 128u);
            y = lanes::as_signed(lanes::as_unsigned(y) - 128u);
            Mask out_s0 = none;
            Mask out_s1 = none;
            Mask out_t0 = none;
            Mask out_t1 = none;
            const Int s0 = wrap_texel<code_s>(unit.wrap_s, x >> 8, width, out_s0);
            const Int s1 = wrap_texel<code_s>(unit.wrap_s, (x >> 8) + 1, width, out_s1);
            const Int t0 = wrap_texel<code_t>(unit.wrap_t, y >> 8, height, out_t0) << row_shift;
            const Int t1 = wrap_texel<code_t>(unit.wrap_t, (y >> 8) + 1, height, out_t1) << row_shift;
#if defined(PICA_LANES_AVX2)
            // If the two taps are adjacent in memory, which is nearly always so, half as many loads are
            // enough. Dead pixels do not matter: their second tap is at most one word after the texture.
            const Mask apart = (s1 != s0 + 1) | out_s0 | out_s1 | out_t0 | out_t1;
            Taps taps;
            if (!any(apart & batch.mask[i]))
            {
                gather_pairs(unit.texels, t0 | s0, taps.c00, taps.c10);
                gather_pairs(unit.texels, t1 | s0, taps.c01, taps.c11);
            }
            else
                taps = {unpack(fetch(t0 | s0, out_t0 | out_s0)), unpack(fetch(t0 | s1, out_t0 | out_s1)),
                        unpack(fetch(t1 | s0, out_t1 | out_s0)), unpack(fetch(t1 | s1, out_t1 | out_s1))};
#else
            const Taps taps = {
                unpack(fetch(t0 | s0, out_t0 | out_s0)), unpack(fetch(t0 | s1, out_t0 | out_s1)),
                unpack(fetch(t1 | s0, out_t1 | out_s0)), unpack(fetch(t1 | s1, out_t1 | out_s1))};
#endif
            out[i] = bilinear(taps, x & 255, y & 255);
        }
    }
}

static WrapCode wrap_code(TextureWrap mode)
{
    switch (mode)
    {
    case TextureWrap::Repeat:
        return WrapCode::Repeat;
    case TextureWrap::ClampToEdge:
        return WrapCode::Clamp;
    case TextureWrap::ClampToBorder:
    case TextureWrap::MirroredRepeat:
    case TextureWrap::ClampToEdge2:
    case TextureWrap::ClampToBorder2:
        break;
    }
    return WrapCode::Any;
}

template <bool linear>
static void sample_unit(const TexturePlan& unit, BlockBatch& batch, Colors* out)
{
    using enum WrapCode;
    const WrapCode s = wrap_code(unit.wrap_s);
    const WrapCode t = wrap_code(unit.wrap_t);
    if (s == Repeat && t == Repeat)
        return sample_batch<linear, Repeat, Repeat>(unit, batch, out);
    if (s == Clamp && t == Clamp)
        return sample_batch<linear, Clamp, Clamp>(unit, batch, out);
    sample_batch<linear, Any, Any>(unit, batch, out);
}

// The level of each pixel: the index of its first texel, and its size.
struct PixelLevels
{
    Int begin;
    Int width, height;
    Int row_shift;
};

PICA_SIMD PixelLevels pixel_levels(const TexturePlan& unit, Int level)
{
    return {look_up8(unit.level_texels, level), splat(unit.width) >> level, splat(unit.height) >> level,
            splat(static_cast<s32>(unit.width_log2)) - level};
}

// As wrap_texel, for the pictures of N x texels (design.md, "N times the resolution").
PICA_SIMD Int wrap_scaled_texel(TextureWrap mode, Int s, Int size, Mask& outside)
{
    switch (mode)
    {
    case TextureWrap::ClampToEdge:
    case TextureWrap::ClampToBorder:
        return wrap_texel<WrapCode::Any>(mode, s, size, outside);
    case TextureWrap::MirroredRepeat:
        return lanes::wrap_scaled_mirror(s, size);
    case TextureWrap::ClampToEdge2:
        return lanes::wrap_scaled_clamp2(s, size);
    case TextureWrap::ClampToBorder2:
        outside |= lanes::outside_above(s, size);
        return lanes::wrap_scaled_clamp2(s, size);
    case TextureWrap::Repeat:
        break;
    }
    return lanes::wrap_scaled_repeat(s, size);
}

// The column or row of a texel. outside: where the border's colour is taken instead.
template <bool scaled>
PICA_SIMD Int wrap_level_texel(TextureWrap mode, Int s, Int size, Mask& outside)
{
    return scaled ? wrap_scaled_texel(mode, s, size, outside)
                  : wrap_texel<WrapCode::Any>(mode, s, size, outside);
}

// live: pixels that matter.
template <bool scaled>
static Colors sample_level(const TexturePlan& unit, const u32* texels, Real u, Real v, Int level, bool linear,
                           Mask live)
{
    const PixelLevels at = pixel_levels(unit, level);
    Int x = level_coordinate<scaled>(u, at.width);
    Int y = level_coordinate<scaled>(v, at.height);
    const auto first_of_row = [&](Int t) { return at.begin + (scaled ? t * at.width : t << at.row_shift); };
    const auto fetch = [&](Int index, Mask outside)
    { return unpack(choose(outside, splat(unit.border), gather(texels, index))); };
    Mask out_s0 = splat(0);
    Mask out_t0 = splat(0);
    if (!linear)
    {
        const Int column = wrap_level_texel<scaled>(unit.wrap_s, x >> 8, at.width, out_s0);
        const Int row = wrap_level_texel<scaled>(unit.wrap_t, y >> 8, at.height, out_t0);
        return fetch(first_of_row(row) + column, out_s0 | out_t0);
    }
    x = lanes::as_signed(lanes::as_unsigned(x) - 128u);
    y = lanes::as_signed(lanes::as_unsigned(y) - 128u);
    Mask out_s1 = splat(0);
    Mask out_t1 = splat(0);
    const Int s0 = wrap_level_texel<scaled>(unit.wrap_s, x >> 8, at.width, out_s0);
    const Int s1 = wrap_level_texel<scaled>(unit.wrap_s, (x >> 8) + 1, at.width, out_s1);
    const Int t0 = first_of_row(wrap_level_texel<scaled>(unit.wrap_t, y >> 8, at.height, out_t0));
    const Int t1 = first_of_row(wrap_level_texel<scaled>(unit.wrap_t, (y >> 8) + 1, at.height, out_t1));
    Taps taps;
#if defined(PICA_LANES_AVX2)
    // As in sample_batch. Pictures of N x texels have no word after them.
    const Mask apart = (s1 != s0 + 1) | out_s0 | out_s1 | out_t0 | out_t1;
    if (!scaled && !any(apart & live))
    {
        gather_pairs(texels, t0 + s0, taps.c00, taps.c10);
        gather_pairs(texels, t1 + s0, taps.c01, taps.c11);
        return bilinear(taps, x & 255, y & 255);
    }
#else
    static_cast<void>(live);
#endif
    taps = {fetch(t0 + s0, out_t0 | out_s0), fetch(t0 + s1, out_t0 | out_s1), fetch(t1 + s0, out_t1 | out_s0),
            fetch(t1 + s1, out_t1 | out_s1)};
    return bilinear(taps, x & 255, y & 255);
}

PICA_SIMD Half blend_half(Half mask, Half a, Half b)
{
    return (a & mask) | (b & ~mask);
}

// (a*(256-g) + b*g + 128) >> 8 in each channel, g in 0..255.
PICA_SIMD Colors mix_levels(Colors a, Colors b, Int g)
{
    const Colors w = from_channels(g, g, g, g);
    const auto half = [](Half x, Half y, Half weight)
    { return (x * (splat16(256) - weight) + y * weight + splat16(128)) >> 8; };
    return {half(a.lo, b.lo, w.lo), half(a.hi, b.hi, w.hi)};
}

// Takes a where the mask is set, else b.
PICA_SIMD Colors choose_colors(Mask mask, Colors a, Colors b)
{
    const Int m = mask & 255; // channels are at most 255
    const Colors bits = from_channels(m, m, m, m);
    return {blend_half(bits.lo, a.lo, b.lo), blend_half(bits.hi, a.hi, b.hi)};
}

// design.md, row "LOD": L <= 0 magnifies, otherwise one or two levels are read. live: pixels that matter.
template <bool scaled>
static Colors sample_lod(const TexturePlan& unit, const u32* texels, Real u, Real v, Int lod, Mask live)
{
    const Mask minifies = less(splat(0), lod);
    const bool same = unit.linear == unit.min_linear;
    if (!same && !any(minifies & live))
        return sample_level<scaled>(unit, texels, u, v, splat(0), unit.linear, live);
    Colors color;
    if (unit.mip_linear)
    {
        const Int level = lod >> 8;
        const Int next = clamp_int(level + 1, splat(0), splat(unit.bounds.high >> 8));
        color = sample_level<scaled>(unit, texels, u, v, level, unit.min_linear, live);
        if (any((lod & 255) & live)) // else the next level's share is 0
            color = mix_levels(color, sample_level<scaled>(unit, texels, u, v, next, unit.min_linear, live),
                               lod & 255);
    }
    else
        color = sample_level<scaled>(unit, texels, u, v, (lod + 127) >> 8, unit.min_linear, live);
    if (!same && any(~minifies & live))
        color = choose_colors(minifies, color,
                              sample_level<scaled>(unit, texels, u, v, splat(0), unit.linear, live));
    return color;
}

// Four taps, each lit or not (pica/hardware/textures.md, "Shadow textures"). Taps outside a 2D map are lit
// [EMU]; on a cube they are the edge of the face.
template <bool scaled>
static Colors sample_shadow(const TexturePlan& unit, const u32* texels, Real u, Real v, Int reference)
{
    const Int width = splat(unit.width);
    const Int height = splat(unit.height);
    const Int x = lanes::as_signed(lanes::as_unsigned(level_coordinate<scaled>(u, width)) - 128u);
    const Int y = lanes::as_signed(lanes::as_unsigned(level_coordinate<scaled>(v, height)) - 128u);
    const auto tap = [&](Int s, Int t)
    {
        const Int column = clamp_int(s, splat(0), width - 1);
        const Int row = clamp_int(t, splat(0), height - 1);
        const Int index = scaled ? row * width + column : (row << static_cast<int>(unit.width_log2)) | column;
        const Bits texel = gather(texels, index);
        const Int depth = lanes::as_signed(texel >> 8);
        Int lit = lanes::shadow_tap(depth, lanes::as_signed(texel & 255u), reference);
        if (unit.type == TextureType::Shadow2D)
            lit = choose(lanes::outside_both(s, width) | lanes::outside_both(t, height), splat(255), lit);
        return from_channels(lit, lit, lit, lit);
    };
    const Int s = x >> 8;
    const Int t = y >> 8;
    const Taps taps = {tap(s, t), tap(s + 1, t), tap(s, t + 1), tap(s + 1, t + 1)};
    return bilinear(taps, x & 255, y & 255);
}

// Texture units with levels or N x texels, and the types of unit 0: one block at a time.
template <bool scaled>
static void sample_general(const TexturePlan& unit, u32 number, BlockBatch& batch, Colors* out)
{
    for (u32 i = 0; i < batch.count; ++i)
    {
        const Real u = batch.u[unit.coordinates][i];
        const Real v = batch.v[unit.coordinates][i];
        const Mask mask = batch.mask[i];
        const auto sample = [&](const u32* texels, Mask live)
        {
            if (unit.type == TextureType::Shadow2D || unit.type == TextureType::ShadowCube)
                return sample_shadow<scaled>(unit, texels, u, v, batch.reference[i]);
            if (unit.lod)
                return sample_lod<scaled>(unit, texels, u, v, batch.lod[number][i], live);
            return sample_level<scaled>(unit, texels, u, v, splat(0), unit.linear, live);
        };
        if (unit.type != TextureType::Cube && unit.type != TextureType::ShadowCube)
        {
            out[i] = sample(unit.texels, mask);
            continue;
        }
        out[i] = unpack(splat(0u));
        for (u32 face = 0; face < 6; ++face)
        {
            const Mask here = equal(batch.face[i], splat(static_cast<s32>(face)));
            if (any(here & mask))
                out[i] = choose_colors(here, sample(unit.face_texels[face], here & mask), out[i]);
        }
    }
}

static void sample_textures(const PixelPlan& plan, BlockBatch& batch)
{
    for (u32 unit = 0; unit < 3; ++unit)
    {
        const TexturePlan& texture = plan.texture[unit];
        if (!texture.enabled)
            continue;
        Colors* out = batch.registers[kTextureRegister + unit];
        if (texture.scaled)
            sample_general<true>(texture, unit, batch, out);
        else if (texture.lod || texture.type != TextureType::Texture2D)
            sample_general<false>(texture, unit, batch, out);
        else if (texture.linear)
            sample_unit<true>(texture, batch, out);
        else
            sample_unit<false>(texture, batch, out);
    }
}

} // namespace

} // namespace pica::soft
