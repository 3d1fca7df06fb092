// SPDX-License-Identifier: MIT
// Texture units 0-2 on a batch: texel address, wrap, nearest and bilinear filter. Source: fragment sheet 3.4,
// 3.5, design.md rows "Texel address" and "Filter". Level 0 and the magnification filter everywhere.
// Included only by the source files that are compiled once per instruction set.
#pragma once

#include "pica/base/numeric8.h"
#include "pica/soft/block_batch.h"

namespace pica::soft
{

// num8::texel_coordinate
PICA_SIMD Int texel_coordinate(Real u, Real size256)
{
    const Real v = at_most(num8::floor8(u * size256), splat(1073741824.0f));
    return num8::to_int(at_least(v, splat(-1073741824.0f)));
}

// Common modes get code of their own, the others decide per tap.
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
        return num8::wrap_repeat(s, size);
    else if constexpr (code == WrapCode::Clamp)
        return clamp_int(s, splat(0), size - 1);
    else
        switch (mode)
        {
        case TextureWrap::ClampToEdge:
            return num8::wrap_clamp(s, size);
        case TextureWrap::ClampToBorder:
            outside |= num8::outside_both(s, size);
            return num8::wrap_clamp(s, size);
        case TextureWrap::MirroredRepeat:
            return num8::wrap_mirror(s, size);
        case TextureWrap::ClampToEdge2:
            return num8::wrap_clamp2(s, size);
        case TextureWrap::ClampToBorder2:
            outside |= num8::outside_above(s, size);
            return num8::wrap_clamp2(s, size);
        default:
            return num8::wrap_repeat(s, size);
        }
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
        Int x = texel_coordinate(batch.u[unit.texcoord][i], width256);
        Int y = texel_coordinate(batch.v[unit.texcoord][i], height256);
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
            x = num8::as_signed(num8::as_unsigned(x) - 128u);
            y = num8::as_signed(num8::as_unsigned(y) - 128u);
            Mask out_s0 = none;
            Mask out_s1 = none;
            Mask out_t0 = none;
            Mask out_t1 = none;
            const Int s0 = wrap_texel<code_s>(unit.wrap_s, x >> 8, width, out_s0);
            const Int s1 = wrap_texel<code_s>(unit.wrap_s, (x >> 8) + 1, width, out_s1);
            const Int t0 = wrap_texel<code_t>(unit.wrap_t, y >> 8, height, out_t0) << row_shift;
            const Int t1 = wrap_texel<code_t>(unit.wrap_t, (y >> 8) + 1, height, out_t1) << row_shift;
#if defined(__AVX2__)
            // Taps side by side in memory, as nearly always: half as many loads. Dead pixels don't matter,
            // their second tap lies at most one word behind the texture.
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
    case TextureWrap::Repeat2:
    case TextureWrap::Repeat3:
        return WrapCode::Repeat;
    case TextureWrap::ClampToEdge:
        return WrapCode::Clamp;
    default:
        return WrapCode::Any;
    }
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

static void sample_textures(const PixelPlan& plan, BlockBatch& batch)
{
    for (u32 unit = 0; unit < 3; ++unit)
    {
        const TexturePlan& texture = plan.texture[unit];
        if (!texture.enabled)
            continue;
        Colors* out = batch.registers[kTextureRegister + unit];
        if (texture.linear)
            sample_unit<true>(texture, batch, out);
        else
            sample_unit<false>(texture, batch, out);
    }
}

} // namespace pica::soft
