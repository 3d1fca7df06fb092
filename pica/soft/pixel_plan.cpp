// SPDX-License-Identifier: MIT
#include "pica/soft/pixel_plan.h"

#include <algorithm>

namespace pica::soft
{

namespace
{

// Converts rows [y1, y2) of a picture of height h to memory rows.
void flip_rows(PixelRect& rect, s32 height)
{
    const s32 y1 = rect.y1;
    rect.y1 = height - rect.y2;
    rect.y2 = height - y1;
}

BlendFactorPlan factor_plan(BlendFactor color, BlendFactor alpha, u32 constant)
{
    BlendFactorPlan plan;
    std::array<u8, 4> source = {kZeroChannel, kZeroChannel, kZeroChannel, kZeroChannel};
    std::array<u8, 4> destination = source;
    for (u8 c = 0; c < 4; ++c)
    {
        BlendFactor f = c < 3 ? color : alpha;
        if (f == BlendFactor::SourceAlphaSaturate && c == 3)
            f = BlendFactor::One;
        const auto constant_channel = [&](u32 channel)
        { return static_cast<u16>(constant >> (8 * channel) & 255); };
        const bool inverted = static_cast<u8>(f) & 1 && f > BlendFactor::One;
        plan.invert[c] = inverted ? 255 : 0;
        switch (f)
        {
        case BlendFactor::Zero:
            break;
        case BlendFactor::SourceColor:
        case BlendFactor::OneMinusSourceColor:
            source[c] = c;
            break;
        case BlendFactor::DestColor:
        case BlendFactor::OneMinusDestColor:
            destination[c] = c;
            break;
        case BlendFactor::SourceAlpha:
        case BlendFactor::OneMinusSourceAlpha:
            source[c] = 3;
            break;
        case BlendFactor::DestAlpha:
        case BlendFactor::OneMinusDestAlpha:
            destination[c] = 3;
            break;
        case BlendFactor::ConstantColor:
        case BlendFactor::OneMinusConstantColor:
            plan.constant[c] = constant_channel(c);
            break;
        case BlendFactor::ConstantAlpha:
        case BlendFactor::OneMinusConstantAlpha:
            plan.constant[c] = constant_channel(3);
            break;
        case BlendFactor::SourceAlphaSaturate:
            plan.saturate = true;
            break;
        case BlendFactor::One:
            plan.constant[c] = 255;
            break;
        }
    }
    plan.source = channel_select(source);
    plan.destination = channel_select(destination);
    const auto used = [](const std::array<u8, 4>& s)
    { return std::any_of(s.begin(), s.end(), [](u8 c) { return c != kZeroChannel; }); };
    plan.uses_source = used(source);
    plan.uses_destination = used(destination);
    return plan;
}

void make_depth_plan(const Draw& draw, DepthPlan& plan)
{
    const OutputState& output = draw.output;
    const FragmentConstants& constants = draw.constants;
    const bool has_depth = draw.target.has_depth != 0;
    plan.format = draw.target.depth_format;
    plan.test = has_depth && output.depth_test;
    plan.write = has_depth && output.depth_write;
    plan.mode = plan.test || plan.write ? draw.fragment.depth : DepthMode::None;
    if (plan.mode == DepthMode::None)
        plan.test = plan.write = false;
    plan.stencil = has_depth && output.stencil_test && plan.format == DepthFormat::D24S8;
    plan.reads_zero = draw.fragment.depth_zero != DepthZero::None;
    plan.touches = plan.mode != DepthMode::None || plan.stencil;
    plan.plain = plan.test && !plan.stencil && !plan.reads_zero && plan.format == DepthFormat::D24S8;
    plan.scale = constants.depth_scale;
    plan.offset = constants.depth_offset;
    plan.maximum = draw.fragment.depth16 ? 65535.0f : 16777215.0f;
    plan.compare = compare_plan(plan.test ? output.depth_func : CompareFunc::Always);
    plan.stencil_compare = compare_plan(output.stencil_func);
    plan.fail = output.stencil_fail;
    plan.depth_fail = output.stencil_depth_fail;
    plan.pass = output.stencil_pass;
    plan.changes_stencil =
        plan.stencil &&
        (plan.fail != StencilOp::Keep || plan.depth_fail != StencilOp::Keep || plan.pass != StencilOp::Keep);
    plan.reference = constants.stencil_reference;
    plan.compare_mask = constants.stencil_compare_mask;
    plan.write_mask = constants.stencil_write_mask;
    const bool alpha_test = draw.fragment.alpha_func != CompareFunc::Always;
    plan.late = alpha_test && plan.touches;
    // With these functions the stored value can only move away from passing. So a pixel that fails against a
    // value which other pixels of the draw may still change would fail later, too.
    plan.reject_early =
        plan.late && plan.test && !plan.stencil && output.depth_func >= CompareFunc::Less && !plan.reads_zero;
}

// Where the draw may change pixels. Returns false if nowhere.
bool make_area_plan(const Draw& draw, s32 scale, PixelPlan& plan)
{
    const RenderTarget& target = draw.target;
    plan.color_format = target.color_format;
    plan.tiles_per_row = target.width / 8u * static_cast<u32>(scale);
    plan.first_tile = 0;
    plan.block32 = target.block32 != 0 && scale == 1;
    plan.height = target.height * scale;
    plan.flip = target.flip != 0;
    const s32 width = target.width * scale;
    plan.rect.x1 = std::max(draw.scissor.x1, 0) * scale;
    plan.rect.y1 = std::max(draw.scissor.y1, 0) * scale;
    plan.rect.x2 = std::min(draw.scissor.x2 * scale, width);
    plan.rect.y2 = std::min(draw.scissor.y2 * scale, plan.height);
    if (plan.rect.x1 >= plan.rect.x2 || plan.rect.y1 >= plan.rect.y2)
        return false;
    plan.exclude = draw.fragment.scissor_exclude != 0;
    plan.excluded = {draw.constants.scissor_x1 * scale, draw.constants.scissor_y1 * scale,
                     (draw.constants.scissor_x2 + 1) * scale, (draw.constants.scissor_y2 + 1) * scale};
    if (plan.flip)
    {
        flip_rows(plan.rect, plan.height);
        flip_rows(plan.excluded, plan.height);
    }
    return true;
}

void make_texture_plan(const TextureUnitKey& key, TexturePlan& texture)
{
    texture.type = key.type;
    texture.divides =
        key.type == TextureType::Projection || (key.type == TextureType::Shadow2D && !key.orthographic);
    texture.linear = key.linear != 0;
    texture.lod = key.lod != 0;
    texture.min_linear = (key.lod & TextureUnitKey::kLodMinLinear) != 0;
    texture.mip_linear = (key.lod & TextureUnitKey::kLodMipLinear) != 0;
    texture.texcoord = key.texcoord;
    texture.coordinates = key.uses_texcoord_w() ? u8{kUnit0Coordinates} : texture.texcoord;
    texture.wrap_s = key.wrap_s;
    texture.wrap_t = key.wrap_t;
    texture.scaled = false;
    texture.texels = nullptr;
}

// Units 0-2 and the procedural texture of unit 3.
void make_texture_plans(const Draw& draw, PixelPlan& plan)
{
    plan.lod = false;
    for (u32 unit = 0; unit < 3; ++unit)
    {
        const TextureUnitKey& key = draw.fragment.texture[unit];
        TexturePlan& texture = plan.texture[unit];
        make_texture_plan(key, texture);
        texture.enabled = plan.shades && key.samples();
        texture.shadow_bias = static_cast<s32>(draw.constants.shadow_bias);
        texture.bounds = draw.constants.texture_lod[unit];
        texture.border = draw.constants.border_color[unit];
        plan.lod |= texture.enabled && texture.lod;
    }
    plan.proctex = {};
    if (plan.shades && draw.fragment.proctex.enabled)
    {
        plan.proctex.key = draw.fragment.proctex;
        plan.proctex.constants = draw.constants.proctex;
        plan.proctex.lod = plan.proctex.key.mip != ProcTexMip::None;
        plan.lod |= plan.proctex.lod;
    }
}

// Gas that the draw accumulates in the target.
void make_gas_accumulation_plan(const Draw& draw, s32 scale, GasPlan& gas)
{
    const GasKey& key = draw.fragment.gas;
    gas.accumulate = true;
    gas.func = key.func;
    gas.format = key.depth_format;
    gas.depth_scale = draw.constants.gas_depth_scale;
    gas.largest = key.depth_format == DepthFormat::D16 ? 65535.0f : 16777215.0f;
    gas.width = draw.target.width * scale;
    gas.height = draw.gas_depth.height * scale;
}

// The fog unit: fog, or the shading of gas.
void make_fog_plan(const Draw& draw, PixelPlan& plan)
{
    const FogKey& key = draw.fragment.fog;
    plan.fog.enabled = plan.shades && key.mode == FogMode::Fog;
    plan.fog.flip = key.flip != 0;
    for (u32 c = 0; c < 3; ++c)
        plan.fog.color[c] = static_cast<s32>(draw.constants.fog_color >> (8 * c) & 255);
    plan.gas.shade = plan.shades && key.mode == FogMode::Gas;
    plan.gas.attenuated = (key.gas & FogKey::kGasAttenuated) != 0;
    plan.gas.by_light = (key.gas & FogKey::kGasByLight) != 0;
    plan.gas.constants = draw.constants.gas;
}

} // namespace

ComparePlan compare_plan(CompareFunc func)
{
    const auto pass = [](bool yes) { return yes ? -1 : 0; };
    const bool less = func == CompareFunc::Less || func == CompareFunc::LessOrEqual ||
                      func == CompareFunc::NotEqual || func == CompareFunc::Always;
    const bool equal = func == CompareFunc::Equal || func == CompareFunc::LessOrEqual ||
                       func == CompareFunc::GreaterOrEqual || func == CompareFunc::Always;
    const bool greater = func == CompareFunc::Greater || func == CompareFunc::GreaterOrEqual ||
                         func == CompareFunc::NotEqual || func == CompareFunc::Always;
    return {pass(less), pass(equal), pass(greater)};
}

void make_blend_plan(const BlendState& state, OutputClass output, ColorFormat format, u32 blend_color,
                     BlendPlan& plan)
{
    plan = {};
    u32 mask = state.color_mask & 15u;
    if (output == OutputClass::None || mask == 0)
        return;
    if (!has_alpha(format))
        mask |= 8;
    for (u32 c = 0; c < 4; ++c)
        plan.write_mask |= (mask >> c & 1) * (255u << (8 * c));
    plan.read_destination = state.read_destination != 0;
    plan.kind = plan.write_mask == 0xFFFFFFFFu ? BlendPlan::Kind::Store : BlendPlan::Kind::Masked;
    if (output == OutputClass::Opaque)
        return;
    if (state.logic)
    {
        plan.logic_op = state.logic_op;
        if (state.logic_op != LogicOp::Copy)
            plan.kind = BlendPlan::Kind::Logic;
        return;
    }
    // All other values count as sums.
    const auto sums = [](BlendEquation equation)
    {
        return equation != BlendEquation::Subtract && equation != BlendEquation::ReverseSubtract &&
               equation != BlendEquation::Min && equation != BlendEquation::Max;
    };
    // With these factors a difference is a sum.
    const auto keeps_source = [&](BlendEquation equation)
    { return sums(equation) || equation == BlendEquation::Subtract; };
    if (keeps_source(state.equation_color) && keeps_source(state.equation_alpha) &&
        state.source_color == BlendFactor::One && state.source_alpha == BlendFactor::One &&
        state.destination_color == BlendFactor::Zero && state.destination_alpha == BlendFactor::Zero)
        return;
    plan.kind = BlendPlan::Kind::Blend;
    plan.color = state.equation_color;
    plan.alpha = state.equation_alpha;
    plan.source = factor_plan(state.source_color, state.source_alpha, blend_color);
    plan.destination = factor_plan(state.destination_color, state.destination_alpha, blend_color);
    const auto by_source = [](const BlendFactorPlan& factor)
    { return !factor.uses_destination && !factor.saturate; };
    if (sums(plan.color) && sums(plan.alpha) && by_source(plan.source) && by_source(plan.destination))
        plan.kind = BlendPlan::Kind::BlendBySource;
}

bool make_pixel_plan(const Draw& draw, const RecordLayout& layout, u32 scale, PixelPlan& plan)
{
    plan.layout = layout;
    if (!make_area_plan(draw, static_cast<s32>(scale), plan))
        return false;

    const CompareFunc alpha_func = draw.fragment.alpha_func;
    if (alpha_func == CompareFunc::Never)
        return false;
    plan.alpha_test = alpha_func != CompareFunc::Always;
    plan.alpha_compare = compare_plan(alpha_func);
    plan.alpha_reference = draw.constants.alpha_reference;
    make_depth_plan(draw, plan.depth_stencil);
    make_blend_plan(draw.output.blend, draw.fragment.output, draw.target.color_format,
                    draw.constants.blend_color, plan.blend);
    plan.gas = {};
    const bool accumulates_gas = draw.fragment.gas.accumulate != 0;
    if (accumulates_gas)
    {
        plan.blend.kind = BlendPlan::Kind::Gas;
        make_gas_accumulation_plan(draw, static_cast<s32>(scale), plan.gas);
    }
    const bool shadow_map = draw.fragment.shadow_map != DepthMode::None;
    if (shadow_map)
        plan.blend.kind = BlendPlan::Kind::ShadowMap;
    const DepthPlan& depth = plan.depth_stencil;
    const bool colors = plan.blend.kind != BlendPlan::Kind::None;
    if (!colors && !depth.write && !depth.stencil)
        return false;
    if (depth.test && draw.output.depth_func == CompareFunc::Never && !depth.stencil)
        return false;

    plan.shades = colors || depth.late;
    make_texture_plans(draw, plan);
    make_fog_plan(draw, plan);
    plan.shadow_constant = draw.constants.shadow_constant;
    plan.shadow_linear = draw.constants.shadow_linear;
    plan.depth_mode = accumulates_gas    ? draw.fragment.gas.depth
                      : plan.fog.enabled ? draw.fragment.fog.depth
                      : shadow_map       ? draw.fragment.shadow_map
                                         : depth.mode;
    plan.lit = plan.shades && draw.fragment.lighting.lights != 0;
    if (plan.shades)
    {
        make_texenv_program(draw.fragment, draw.constants, plan.texenv);
        plan.result = plan.fog.enabled || plan.gas.shade ? u8{kFinalRegister} : plan.texenv.result;
    }
    return true;
}

} // namespace pica::soft
