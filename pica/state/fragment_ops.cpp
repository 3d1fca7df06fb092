// SPDX-License-Identifier: MIT
#include "pica/state/fragment_ops.h"

#include "pica/base/float24.h"
#include "pica/state/framebuffer.h"
#include "pica/state/shadow_map.h"
#include "pica/texture/format.h"

namespace pica
{

namespace
{

constexpr u8 kColorMask = 7;
constexpr u8 kAlphaMask = 8;

u8 color_mask(const RegisterFile& regs, ColorFormat format)
{
    if (regs.get(reg::COLORBUFFER_WRITE::enable) == 0)
        return 0;
    u32 mask = 0;
    mask |= u32{regs.get(reg::DEPTH_COLOR_MASK::write_r)} << 0;
    mask |= u32{regs.get(reg::DEPTH_COLOR_MASK::write_g)} << 1;
    mask |= u32{regs.get(reg::DEPTH_COLOR_MASK::write_b)} << 2;
    mask |= u32{regs.get(reg::DEPTH_COLOR_MASK::write_a)} << 3;
    if (!has_alpha(format))
        mask &= kColorMask;
    return static_cast<u8>(mask);
}

// One half (colour or alpha) of the blend state in canonical form.
struct BlendHalf
{
    BlendEquation equation = BlendEquation::Add;
    BlendFactor source = BlendFactor::One;
    BlendFactor destination = BlendFactor::Zero;

    bool replaces() const
    {
        return equation == BlendEquation::Add && source == BlendFactor::One &&
               destination == BlendFactor::Zero;
    }
    bool keeps_destination() const
    {
        return equation == BlendEquation::Add && source == BlendFactor::Zero &&
               destination == BlendFactor::One;
    }
    bool is_fixed_function() const
    {
        const auto simple = [](BlendFactor f) { return f == BlendFactor::Zero || f == BlendFactor::One; };
        if (equation == BlendEquation::Min || equation == BlendEquation::Max)
            return source == BlendFactor::One && destination == BlendFactor::One;
        return simple(source) && simple(destination);
    }
    bool uses(BlendFactor a, BlendFactor b) const
    {
        return source == a || source == b || destination == a || destination == b;
    }
};

// Equations 5..7 act as Add [HW].
BlendEquation defined_equation(BlendEquation equation)
{
    return equation <= BlendEquation::Max ? equation : BlendEquation::Add;
}

// Factor 15 is 255 [our rule].
BlendFactor defined_factor(BlendFactor factor)
{
    return factor <= BlendFactor::SourceAlphaSaturate ? factor : BlendFactor::One;
}

// In the alpha half, colour factors mean the alpha component (fragment-operations.md, "Blending").
BlendFactor alpha_factor(BlendFactor factor)
{
    switch (factor)
    {
    case BlendFactor::SourceColor:
        return BlendFactor::SourceAlpha;
    case BlendFactor::OneMinusSourceColor:
        return BlendFactor::OneMinusSourceAlpha;
    case BlendFactor::DestColor:
        return BlendFactor::DestAlpha;
    case BlendFactor::OneMinusDestColor:
        return BlendFactor::OneMinusDestAlpha;
    case BlendFactor::ConstantColor:
        return BlendFactor::ConstantAlpha;
    case BlendFactor::OneMinusConstantColor:
        return BlendFactor::OneMinusConstantAlpha;
    case BlendFactor::SourceAlphaSaturate:
        return BlendFactor::One;
    default:
        return factor;
    }
}

// Destination alpha is 255 if the format has none. The destination is 0 in all channels if the read gate is
// closed.
BlendFactor known_destination(BlendFactor factor, bool reads_zero, bool alpha_missing)
{
    switch (factor)
    {
    case BlendFactor::DestColor:
        return reads_zero ? BlendFactor::Zero : factor;
    case BlendFactor::OneMinusDestColor:
        return reads_zero ? BlendFactor::One : factor;
    case BlendFactor::DestAlpha:
        return reads_zero ? BlendFactor::Zero : alpha_missing ? BlendFactor::One : factor;
    case BlendFactor::OneMinusDestAlpha:
        return reads_zero ? BlendFactor::One : alpha_missing ? BlendFactor::Zero : factor;
    case BlendFactor::SourceAlphaSaturate:
        return reads_zero ? BlendFactor::SourceAlpha : alpha_missing ? BlendFactor::Zero : factor;
    default:
        return factor;
    }
}

// Writes a half that has only one product, P or Q, or none, as a plain sum.
BlendHalf canonical(BlendHalf half, bool reads_zero)
{
    if (reads_zero)
        half.destination = BlendFactor::Zero; // Q = 0 for every factor
    const bool no_p = half.source == BlendFactor::Zero;
    const bool no_q = half.destination == BlendFactor::Zero;
    if (!no_p && !no_q)
        return half;
    const BlendHalf nothing{BlendEquation::Add, BlendFactor::Zero, BlendFactor::Zero};
    switch (half.equation)
    {
    case BlendEquation::Subtract: // clamp(P - Q)
        if (no_p)
            return nothing;
        break;
    case BlendEquation::ReverseSubtract: // clamp(Q - P)
        if (no_q)
            return nothing;
        break;
    case BlendEquation::Min:
        return nothing;
    case BlendEquation::Add:
    case BlendEquation::Max:
        break;
    }
    half.equation = BlendEquation::Add;
    return half;
}

// The operation with a destination of 0.
LogicOp logic_op_on_zero(LogicOp op)
{
    switch (op)
    {
    case LogicOp::AndReverse:
    case LogicOp::Copy:
    case LogicOp::Or:
    case LogicOp::Xor:
        return LogicOp::Copy;
    case LogicOp::Set:
    case LogicOp::Invert:
    case LogicOp::Nand:
    case LogicOp::OrReverse:
        return LogicOp::Set;
    case LogicOp::CopyInverted:
    case LogicOp::Nor:
    case LogicOp::Equiv:
    case LogicOp::OrInverted:
        return LogicOp::CopyInverted;
    case LogicOp::Clear:
    case LogicOp::And:
    case LogicOp::NoOp:
    case LogicOp::AndInverted:
        break;
    }
    return LogicOp::Clear;
}

bool reads_source(LogicOp op)
{
    return op != LogicOp::Clear && op != LogicOp::Set && op != LogicOp::NoOp && op != LogicOp::Invert;
}

struct ColorOutput
{
    OutputClass output = OutputClass::None;
    BlendState blend;
    CombinerNeeds needs;
};

CombinerNeeds channels(u8 mask)
{
    return {static_cast<u8>((mask & kColorMask) != 0), static_cast<u8>((mask & kAlphaMask) != 0)};
}

ColorOutput opaque(u8 mask)
{
    ColorOutput out;
    out.output = OutputClass::Opaque;
    out.needs = channels(mask);
    out.blend.source_color = out.blend.source_alpha = BlendFactor::One;
    out.blend.color_mask = mask;
    return out;
}

ColorOutput logic_output(LogicOp op, u8 mask, bool closed_partial, bool reads_zero)
{
    if (reads_zero)
        op = logic_op_on_zero(op);
    if (op == LogicOp::NoOp)
        return {};
    if (op == LogicOp::Copy && !closed_partial)
        return opaque(mask);
    ColorOutput out;
    out.output = closed_partial ? OutputClass::Fetch : OutputClass::LogicOp;
    out.blend.logic = 1;
    out.blend.logic_op = op;
    out.blend.color_mask = mask;
    out.blend.read_destination = closed_partial ? 0 : 1;
    if (reads_source(op))
        out.needs = channels(mask);
    return out;
}

ColorOutput blend_output(const RegisterFile& regs, ColorFormat format, u8 mask, bool closed_partial,
                         bool reads_zero)
{
    const bool alpha_missing = !has_alpha(format);
    const auto factor = [&](BlendFactor f) { return known_destination(f, reads_zero, alpha_missing); };
    BlendHalf color{defined_equation(regs.get(reg::BLEND_FUNC::color_equation)),
                    factor(defined_factor(regs.get(reg::BLEND_FUNC::color_source))),
                    factor(defined_factor(regs.get(reg::BLEND_FUNC::color_dest)))};
    BlendHalf alpha{defined_equation(regs.get(reg::BLEND_FUNC::alpha_equation)),
                    factor(alpha_factor(defined_factor(regs.get(reg::BLEND_FUNC::alpha_source)))),
                    factor(alpha_factor(defined_factor(regs.get(reg::BLEND_FUNC::alpha_dest))))};
    color = canonical(color, reads_zero);
    alpha = canonical(alpha, reads_zero);
    // Channels that keep their value count as masked. (dst * 255 / 255 is exact.)
    if (color.keeps_destination())
        mask &= kAlphaMask;
    if (alpha.keeps_destination())
        mask &= kColorMask;
    if (mask == 0)
        return {};
    if ((mask & kColorMask) == 0)
        color = BlendHalf{};
    if ((mask & kAlphaMask) == 0)
        alpha = BlendHalf{};
    if (color.replaces() && alpha.replaces() && !closed_partial)
        return opaque(mask);

    const bool exact_in_fixed_function = (format == ColorFormat::RGBA8 || format == ColorFormat::RGB8) &&
                                         color.is_fixed_function() && alpha.is_fixed_function();
    ColorOutput out;
    out.output = exact_in_fixed_function && !closed_partial ? OutputClass::FixedBlend : OutputClass::Fetch;
    out.blend.equation_color = color.equation;
    out.blend.equation_alpha = alpha.equation;
    out.blend.source_color = color.source;
    out.blend.destination_color = color.destination;
    out.blend.source_alpha = alpha.source;
    out.blend.destination_alpha = alpha.destination;
    out.blend.color_mask = mask;
    out.blend.read_destination = closed_partial ? 0 : 1;
    out.needs = channels(mask);
    if ((mask & kColorMask) != 0 &&
        (color.uses(BlendFactor::SourceAlpha, BlendFactor::OneMinusSourceAlpha) ||
         color.uses(BlendFactor::SourceAlphaSaturate, BlendFactor::SourceAlphaSaturate)))
        out.needs.alpha = 1;
    return out;
}

ColorOutput decode_output(const RegisterFile& regs)
{
    const ColorFormat format = regs.get(reg::COLORBUFFER_FORMAT::format);
    if (!is_defined(format))
        return {};
    const u8 mask = color_mask(regs, format);
    if (mask == 0)
        return {};
    const bool reads_zero = regs.get(reg::COLORBUFFER_READ::enable) == 0;
    const u8 all = has_alpha(format) ? kColorMask | kAlphaMask : kColorMask;
    // Masked channels are written back as 0 if the read gate is closed [ASM]. Only the shader can do that.
    const bool closed_partial = reads_zero && mask != all;
    if (regs.get(reg::COLOR_OPERATION::mode) == ColorCombineMode::LogicOp)
        return logic_output(regs.get(reg::LOGIC_OP::op), mask, closed_partial, reads_zero);
    return blend_output(regs, format, mask, closed_partial, reads_zero);
}

bool uses_blend_color(const BlendState& blend)
{
    const auto constant = [](BlendFactor f)
    { return f >= BlendFactor::ConstantColor && f <= BlendFactor::OneMinusConstantAlpha; };
    return constant(blend.source_color) || constant(blend.destination_color) ||
           constant(blend.source_alpha) || constant(blend.destination_alpha);
}

// a FUNC b.
bool compare(CompareFunc func, u32 a, u32 b)
{
    switch (func)
    {
    case CompareFunc::Never:
        return false;
    case CompareFunc::Always:
        return true;
    case CompareFunc::Equal:
        return a == b;
    case CompareFunc::NotEqual:
        return a != b;
    case CompareFunc::Less:
        return a < b;
    case CompareFunc::LessOrEqual:
        return a <= b;
    case CompareFunc::Greater:
        return a > b;
    case CompareFunc::GreaterOrEqual:
        break;
    }
    return a >= b;
}

void decode_alpha_test(const RegisterFile& regs, Draw& draw)
{
    CompareFunc func = CompareFunc::Always;
    // Gas shading replaces the combiner's result and never discards [EMU].
    if (regs.get(reg::FRAGOP_ALPHA_TEST::enable) &&
        regs.get(reg::TEXENV_UPDATE_BUFFER::fog_mode) != FogMode::Gas)
        func = regs.get(reg::FRAGOP_ALPHA_TEST::func);
    const bool compares = func != CompareFunc::Always && func != CompareFunc::Never;
    draw.fragment.alpha_func = func;
    draw.constants.alpha_reference =
        compares ? static_cast<u8>(regs.get(reg::FRAGOP_ALPHA_TEST::reference)) : u8{0};
}

void decode_stencil(const RegisterFile& regs, Draw& draw, bool read_closed, bool write_closed)
{
    OutputState& out = draw.output;
    FragmentConstants& constants = draw.constants;
    out.stencil_test = 0;
    out.stencil_func = CompareFunc::Always;
    out.stencil_fail = out.stencil_depth_fail = out.stencil_pass = StencilOp::Keep;
    constants.stencil_reference = constants.stencil_compare_mask = constants.stencil_write_mask = 0;
    if (!regs.get(reg::STENCIL_TEST::enable) ||
        regs.get(reg::DEPTHBUFFER_FORMAT::format) != DepthFormat::D24S8)
        return;

    CompareFunc func = regs.get(reg::STENCIL_TEST::func);
    const u32 reference = regs.get(reg::STENCIL_TEST::reference);
    const u32 compare_mask = regs.get(reg::STENCIL_TEST::input_mask);
    // With a closed read gate the stored value reads as 0, and the reference is constant.
    if (read_closed)
        func = compare(func, reference & compare_mask, 0) ? CompareFunc::Always : CompareFunc::Never;
    const u32 write_mask = write_closed ? 0 : regs.get(reg::STENCIL_TEST::write_mask);
    if (write_mask != 0)
    {
        if (func != CompareFunc::Always)
            out.stencil_fail = regs.get(reg::STENCIL_OP::stencil_fail);
        if (func != CompareFunc::Never)
        {
            if (out.depth_test != 0)
                out.stencil_depth_fail = regs.get(reg::STENCIL_OP::depth_fail);
            out.stencil_pass = regs.get(reg::STENCIL_OP::depth_pass);
        }
    }
    const auto any_is = [&](StencilOp op)
    { return out.stencil_fail == op || out.stencil_depth_fail == op || out.stencil_pass == op; };
    const bool writes = out.stencil_fail != StencilOp::Keep || out.stencil_depth_fail != StencilOp::Keep ||
                        out.stencil_pass != StencilOp::Keep;
    if (func == CompareFunc::Always && !writes)
        return;
    out.stencil_test = 1;
    out.stencil_func = func;
    const bool compares = func != CompareFunc::Always && func != CompareFunc::Never;
    constants.stencil_write_mask = writes ? static_cast<u8>(write_mask) : u8{0};
    constants.stencil_compare_mask = compares ? static_cast<u8>(compare_mask) : u8{0};
    if (compares || any_is(StencilOp::Replace))
        constants.stencil_reference = static_cast<u8>(reference);
}

// With a closed read gate the stored depth reads as 0 [HW]. This is what remains of a function.
CompareFunc compare_with_zero(CompareFunc func)
{
    switch (func)
    {
    case CompareFunc::Less:
        return CompareFunc::Never;
    case CompareFunc::GreaterOrEqual:
        return CompareFunc::Always;
    case CompareFunc::LessOrEqual:
        return CompareFunc::Equal;
    case CompareFunc::Greater:
        return CompareFunc::NotEqual;
    default:
        return func;
    }
}

void decode_depth(const RegisterFile& regs, Draw& draw, bool read_closed, bool write_closed)
{
    OutputState& out = draw.output;
    CompareFunc func = CompareFunc::Always;
    if (regs.get(reg::DEPTH_COLOR_MASK::depth_test))
        func = regs.get(reg::DEPTH_COLOR_MASK::depth_func);
    DepthZero& zero = draw.fragment.depth_zero;
    if (read_closed)
    {
        func = compare_with_zero(func);
        zero = func == CompareFunc::Equal      ? DepthZero::Zero
               : func == CompareFunc::NotEqual ? DepthZero::Nonzero
                                               : DepthZero::None;
    }
    out.depth_func = func;
    out.depth_test = func != CompareFunc::Always;
    // Works with the test off too [HW].
    out.depth_write =
        regs.get(reg::DEPTH_COLOR_MASK::depth_write) && !write_closed && func != CompareFunc::Never;
}

} // namespace

DepthMode depth_mode(const RegisterFile& regs)
{
    return regs.get(reg::DEPTHMAP_ENABLE::mode) == DepthMap::WBuffer ? DepthMode::W : DepthMode::Z;
}

void decode_depth_map(const RegisterFile& regs, FragmentConstants& constants)
{
    constants.depth_scale = float24_register(regs.get(reg::DEPTHMAP_SCALE::value));
    constants.depth_offset = float24_register(regs.get(reg::DEPTHMAP_OFFSET::value));
}

CombinerNeeds decode_fragment_ops(const RegisterFile& regs, Draw& draw, Findings& findings)
{
    draw.fragment.shadow_map = DepthMode::None;
    draw.constants.shadow_constant = draw.constants.shadow_linear = 0.0f;
    if (is_shadow_map(regs))
        return decode_shadow_map(regs, draw);
    decode_alpha_test(regs, draw);

    const ColorOutput color = decode_output(regs);
    draw.output.blend = color.blend;
    draw.fragment.output = color.output;
    draw.fragment.fetch = color.output == OutputClass::Fetch ? color.blend : BlendState{};
    draw.fragment.color_format = ColorFormat{};
    if (color.output != OutputClass::None)
        draw.fragment.color_format = regs.get(reg::COLORBUFFER_FORMAT::format);
    draw.constants.blend_color = uses_blend_color(color.blend) ? regs[reg::BLEND_COLOR::id] : 0;

    const DepthFormat depth_format = regs.get(reg::DEPTHBUFFER_FORMAT::format);
    const bool read_closed = regs.get(reg::DEPTHBUFFER_READ::enable) == 0;
    // Any bit opens the gate for depth and stencil [EMU, HW-derived].
    const bool write_closed = regs.get(reg::DEPTHBUFFER_WRITE::enable) == 0;
    OutputState& out = draw.output;
    draw.fragment.depth_zero = DepthZero::None;
    if (!is_defined(depth_format))
    {
        out.depth_test = out.depth_write = 0;
        out.depth_func = CompareFunc::Always;
        if (regs.get(reg::DEPTH_COLOR_MASK::depth_test) || regs.get(reg::DEPTH_COLOR_MASK::depth_write))
            findings.add(Finding::DepthFormatUndefined);
    }
    else
    {
        decode_depth(regs, draw, read_closed, write_closed);
    }
    decode_stencil(regs, draw, read_closed, write_closed);

    const bool depth_used = out.depth_test != 0 || out.depth_write != 0;
    draw.fragment.depth = DepthMode::None;
    draw.fragment.depth16 = 0;
    draw.constants.depth_scale = draw.constants.depth_offset = 0.0f;
    if (depth_used)
    {
        draw.fragment.depth = depth_mode(regs);
        draw.fragment.depth16 = depth_format == DepthFormat::D16;
        decode_depth_map(regs, draw.constants);
    }
    draw.target.has_depth = depth_used || out.stencil_test != 0;
    draw.target.depth_address = 0;
    draw.target.depth_format = DepthFormat{};
    if (draw.target.has_depth != 0)
        decode_depth_buffer(regs, draw.target);

    if (regs.get(reg::COLOR_OPERATION::fragment_operation) == static_cast<FragmentOperation>(2))
        findings.add(Finding::FragmentOperation2);

    CombinerNeeds needs = color.needs;
    if (draw.fragment.alpha_func != CompareFunc::Always)
        needs.alpha = 1;
    return needs;
}

} // namespace pica
