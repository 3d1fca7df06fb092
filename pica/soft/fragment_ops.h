// SPDX-License-Identifier: MIT
// What happens to shaded pixels: alpha test, stencil, depth, blending or logic operation, colour mask, store.
// Source: fragment-operations.md. Included by the source files that are compiled once per instruction set.
#pragma once

#include "pica/soft/block_batch.h"
#include "pica/soft/framebuffer.h"
#include "pica/soft/gas.h"
#include "pica/soft/shadow.h"

namespace pica::soft
{

namespace
{

// a FUNC b
PICA_SIMD Mask passes(const ComparePlan& compare, Int a, Int b)
{
    return (less(a, b) & compare.less) | (equal(a, b) & compare.equal) | (less(b, a) & compare.greater);
}

PICA_SIMD Int stencil_result(StencilOp op, Int s, s32 reference)
{
    switch (op)
    {
    case StencilOp::Zero:
        return splat(0);
    case StencilOp::Replace:
        return splat(reference);
    case StencilOp::IncrementSaturate:
        return clamp_int(s + 1, splat(0), splat(255));
    case StencilOp::DecrementSaturate:
        return clamp_int(s - 1, splat(0), splat(255));
    case StencilOp::Invert:
        return s ^ 255;
    case StencilOp::IncrementWrap:
        return (s + 1) & 255;
    case StencilOp::DecrementWrap:
        return (s - 1) & 255;
    case StencilOp::Keep:
        break;
    }
    return s;
}

// The stencil values after the test, before the write mask.
PICA_SIMD Int stencil_values(const DepthPlan& depth, Int s, Mask stencil_pass, Mask depth_pass)
{
    const s32 reference = depth.reference;
    Int value = s;
    if (depth.pass != StencilOp::Keep)
        value = choose(stencil_pass & depth_pass, stencil_result(depth.pass, s, reference), value);
    if (depth.depth_fail != StencilOp::Keep)
        value = choose(stencil_pass & ~depth_pass, stencil_result(depth.depth_fail, s, reference), value);
    if (depth.fail != StencilOp::Keep)
        value = choose(stencil_pass, value, stencil_result(depth.fail, s, reference));
    return value;
}

// depth_stencil with a stencil test; only D24S8 has one.
PICA_SIMD Mask depth_and_stencil(const DepthPlan& depth, u8* p, Int code, Mask mask)
{
    const Bits stored = load_bits(p);
    Mask pass = mask;
    if (depth.test)
    {
        const Int stored_depth = depth.reads_zero ? splat(0) : lanes::as_signed(stored & 0xFFFFFFu);
        pass &= passes(depth.compare, code, stored_depth);
    }
    const Int s = lanes::as_signed(stored >> 24);
    const s32 compare_mask = depth.compare_mask;
    const Mask stencil_pass =
        passes(depth.stencil_compare, splat(depth.reference & compare_mask), s & compare_mask);
    Bits result = stored;
    if (depth.changes_stencil)
    {
        const Int value = stencil_values(depth, s, stencil_pass, pass);
        const s32 write_mask = depth.write_mask;
        const Bits updated = lanes::as_unsigned((value & write_mask) | (s & ~write_mask));
        result = choose(mask, (stored & 0xFFFFFFu) | updated << 24, result);
    }
    pass &= stencil_pass;
    if (depth.write)
        result = choose(pass, (result & 0xFF000000u) | lanes::as_unsigned(code), result);
    if (depth.write || depth.changes_stencil)
        store_bits(p, result);
    return pass;
}

// Stencil and depth test of the pixels in `mask`, and their effect on memory. Returns the pixels that pass.
PICA_SIMD Mask depth_stencil(const PixelPlan& plan, u32 pixel, Int code, Mask mask)
{
    const DepthPlan& depth = plan.depth_stencil;
    u8* p = plan.depth + static_cast<std::size_t>(pixel) * depth_pixel_bytes(depth.format);
    if (depth.stencil)
        return depth_and_stencil(depth, p, code, mask);
    if (depth.plain)
    {
        const Bits stored = load_bits(p);
        const Mask pass = mask & passes(depth.compare, code, lanes::as_signed(stored & 0xFFFFFFu));
        if (depth.write)
            store_bits(p, choose(pass, (stored & 0xFF000000u) | lanes::as_unsigned(code), stored));
        return pass;
    }
    const Bits stored = load_depth(depth.format, p);
    const Int stored_depth = depth.reads_zero ? splat(0) : lanes::as_signed(stored & 0xFFFFFFu);
    Mask pass = mask;
    if (depth.test)
        pass &= passes(depth.compare, code, stored_depth);
    if (depth.write)
        store_depth(depth.format, p, choose(pass, (stored & 0xFF000000u) | lanes::as_unsigned(code), stored));
    return pass;
}

PICA_SIMD Half blend_factor(const BlendFactorPlan& factor, Half source, Half destination)
{
    Half f = channels4(factor.constant);
    if (factor.uses_source)
        f |= select_half(source, factor.source);
    if (factor.uses_destination)
        f |= select_half(destination, factor.destination);
    f ^= channels4(factor.invert);
    return f;
}
// Colour factor 14: min(source alpha, 255 - destination alpha) in r, g, b.
PICA_SIMD Half saturate_factor(Half f, Half source, Half destination)
{
    static constexpr ChannelSelect kAlpha = channel_select({3, 3, 3, kZeroChannel});
    const Half rgb = pixels4(0x0000FFFFFFFFFFFF);
    const Half s = select_half(source, kAlpha);
    const Half d = splat16(255) - select_half(destination, kAlpha);
    return (minimum(s, d) & rgb) | (f & ~rgb);
}

// A sum that does not fit 16 bits saturates, and is still above 255 after the division.
PICA_SIMD Half blend_equation(BlendEquation equation, Half p, Half q)
{
    switch (equation)
    {
    case BlendEquation::Subtract:
        return div255(subtract_saturated(p, q));
    case BlendEquation::ReverseSubtract:
        return div255(subtract_saturated(q, p));
    case BlendEquation::Min:
        return div255(minimum(p, q));
    case BlendEquation::Max:
        return div255(maximum(p, q));
    case BlendEquation::Add:
        break;
    }
    return minimum(div255(add_saturated(p, q)), splat16(255));
}

PICA_SIMD Half blend_half(const BlendPlan& plan, Half s, Half d)
{
    Half source_factor = blend_factor(plan.source, s, d);
    Half destination_factor = blend_factor(plan.destination, s, d);
    if (plan.source.saturate)
        source_factor = saturate_factor(source_factor, s, d);
    if (plan.destination.saturate)
        destination_factor = saturate_factor(destination_factor, s, d);
    const Half p = s * source_factor;
    const Half q = d * destination_factor;
    const Half color = blend_equation(plan.color, p, q);
    if (plan.alpha == plan.color)
        return color;
    const Half alpha_lanes = pixels4(0xFFFF000000000000);
    return (color & ~alpha_lanes) | (blend_equation(plan.alpha, p, q) & alpha_lanes);
}

// A factor that is made of the source and constants, with what depends on the draw in registers.
class SourceFactor
{
public:
    explicit SourceFactor(const BlendFactorPlan& plan)
        : constant_(channels4(plan.constant)), invert_(channels4(plan.invert)), select_(plan.source)
    {
    }
    Half of(Half source) const { return (constant_ | select_half(source, select_)) ^ invert_; }

private:
    Half constant_, invert_;
    ChannelSelect select_;
};

// BlendBySource: blend_half for these factors. `select` of an unused source gives 0.
struct SourceBlending
{
    explicit SourceBlending(const BlendPlan& plan) : source(plan.source), destination(plan.destination) {}

    Half of(Half s, Half d) const
    {
        return blend_equation(BlendEquation::Add, s * source.of(s), d * destination.of(s));
    }
    Bits of(const Colors& s, const Colors& d) const { return pack({of(s.lo, d.lo), of(s.hi, d.hi)}); }

    SourceFactor source, destination;
};

// Bitwise on expanded 8-bit channels; the source is quantised to the target's format first.
PICA_SIMD Bits logic(LogicOp op, Bits s, Bits d)
{
    switch (op)
    {
    case LogicOp::Clear:
        return splat(0u);
    case LogicOp::And:
        return s & d;
    case LogicOp::AndReverse:
        return s & ~d;
    case LogicOp::Copy:
        return s;
    case LogicOp::Set:
        return splat(0xFFFFFFFFu);
    case LogicOp::CopyInverted:
        return ~s;
    case LogicOp::NoOp:
        return d;
    case LogicOp::Invert:
        return ~d;
    case LogicOp::Nand:
        return ~(s & d);
    case LogicOp::Or:
        return s | d;
    case LogicOp::Nor:
        return ~(s | d);
    case LogicOp::Xor:
        return s ^ d;
    case LogicOp::Equiv:
        return ~(s ^ d);
    case LogicOp::AndInverted:
        return ~s & d;
    case LogicOp::OrReverse:
        return s | ~d;
    case LogicOp::OrInverted:
        break;
    }
    return ~s | d;
}

template <BlendPlan::Kind kind, bool rgba8>
PICA_SIMD void write_color(const PixelPlan& plan, const SourceBlending& blending, u32 pixel,
                           const Colors& color, Bits source, Mask mask)
{
    const ColorFormat format = rgba8 ? ColorFormat::RGBA8 : plan.color_format;
    const BlendPlan& blend = plan.blend;
    u8* p = plan.color + static_cast<std::size_t>(pixel) * color_pixel_bytes(format);
    const Bits raw = load_color_raw(format, p);
    Bits result = source;
    if constexpr (kind != BlendPlan::Kind::Store)
    {
        Bits destination = decode_color(format, raw);
        if (!blend.read_destination)
            destination = splat(0u); // gate 0x112 closed [ASM]
        if constexpr (kind == BlendPlan::Kind::Blend)
        {
            const Colors d = unpack(destination);
            result = pack({blend_half(blend, color.lo, d.lo), blend_half(blend, color.hi, d.hi)});
        }
        if constexpr (kind == BlendPlan::Kind::BlendBySource)
            result = blending.of(color, unpack(destination));
        if constexpr (kind == BlendPlan::Kind::Logic)
        {
            const Bits quantised = rgba8 ? source : decode_color(format, encode_color(format, source));
            result = logic(blend.logic_op, quantised, destination);
        }
        result = (result & blend.write_mask) | (destination & ~blend.write_mask);
    }
    store_color_raw(format, p, choose(mask, encode_color(format, result), raw));
}

template <BlendPlan::Kind kind, bool rgba8>
static void finish_blocks(const PixelPlan& plan, BlockBatch& batch)
{
    const ColorArray colors = color_array(batch, plan.result);
    const SourceBlending blending(plan.blend);
    for (u32 i = 0; i < batch.count; ++i)
    {
        const Colors& color = colors.base[i * colors.step];
        const Bits source = pack(color);
        Mask mask = batch.mask[i];
        if (plan.alpha_test)
            mask &= passes(plan.alpha_compare, lanes::as_signed(source >> 24), splat(plan.alpha_reference));
        if (!any(mask))
            continue;
        if (plan.depth_stencil.late)
        {
            mask = depth_stencil(plan, batch.pixel[i], batch.depth[i], mask);
            if (!any(mask))
                continue;
        }
        if constexpr (kind != BlendPlan::Kind::None)
            write_color<kind, rgba8>(plan, blending, batch.pixel[i], color, source, mask);
    }
}

template <BlendPlan::Kind kind>
static void finish_kind(const PixelPlan& plan, BlockBatch& batch)
{
    if (plan.color_format == ColorFormat::RGBA8)
        finish_blocks<kind, true>(plan, batch);
    else
        finish_blocks<kind, false>(plan, batch);
}

static void finish_batch(const PixelPlan& plan, BlockBatch& batch)
{
    using enum BlendPlan::Kind;
    switch (plan.blend.kind)
    {
    case None:
        return finish_kind<None>(plan, batch);
    case Store:
        return finish_kind<Store>(plan, batch);
    case Masked:
        return finish_kind<Masked>(plan, batch);
    case Blend:
        return finish_kind<Blend>(plan, batch);
    case BlendBySource:
        return finish_kind<BlendBySource>(plan, batch);
    case Logic:
        return finish_kind<Logic>(plan, batch);
    case Gas:
        return accumulate_gas(plan, batch);
    case ShadowMap:
        return write_shadow_map(plan, batch);
    }
}

} // namespace

} // namespace pica::soft
