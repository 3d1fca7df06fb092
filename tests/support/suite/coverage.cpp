// SPDX-License-Identifier: MIT
#include "tests/support/suite/coverage.h"

#include "renderer/draw/premultiplied_blend.h"

#include <bit>
#include <numeric>

namespace tests
{

namespace
{

template <typename T>
u32 number(T value)
{
    return static_cast<u32>(value);
}

} // namespace

void Coverage::note(std::string_view kind, u32 value, bool effective)
{
    auto it = counts_.find(kind);
    if (it == counts_.end())
        it = counts_.emplace(std::string(kind), std::map<u32, Count>{}).first;
    Count& count = it->second[value];
    ++count.all;
    count.effective += effective ? 1 : 0;
}

void Coverage::see(const Draw& draw, bool effective)
{
    see_fragment(draw, effective);
    see_output(draw, effective);
    see_geometry(draw, effective);
}

void Coverage::see(const RegisterFile& registers, std::span<const OwnedField> fields, bool effective)
{
    for (const OwnedField& field : fields)
        for (u32 i = 0; i < field.count; ++i)
            if (field.applies == nullptr || field.applies(registers, i))
                note(field.name, registers[field.ids[i]] >> field.shift & ((1u << field.width) - 1),
                     effective);
}

void Coverage::see(const MemoryFill& fill, bool effective)
{
    note("fill width", number(fill.width), effective);
}

void Coverage::see(const DisplayTransfer& transfer, bool effective)
{
    const u32 input = number(transfer.input_format), output = number(transfer.output_format);
    const u32 layout = (transfer.input_linear ? 1u : 0u) | (transfer.raw_copy ? 2u : 0u);
    // What decides the way of a pixel: formats in decimal digits, then 0 tiled to linear, 1 linear to tiled,
    // 2 raw tiled, 3 raw linear.
    note("transfer formats", input * 10 + output, effective);
    note("transfer layout", layout, effective);
    note("transfer scaling", number(transfer.scaling), effective);
    note("transfer flip", transfer.flip_vertically, effective);
    note("transfer crop", transfer.crop, effective);
    note("transfer 32x32 blocks", transfer.block32, effective);
    note("transfer layout and scaling", layout * 4 + number(transfer.scaling), effective);
    note("transfer layout and flip, crop",
         layout * 4 + (transfer.flip_vertically ? 1u : 0u) + (transfer.crop ? 2u : 0u), effective);
    note("transfer size change",
         (transfer.input_width < transfer.output_width   ? 1u
          : transfer.input_width > transfer.output_width ? 2u
                                                         : 0u),
         effective);
}

void Coverage::see(const TextureCopy& copy, bool effective)
{
    note("copy gaps", (copy.input_gap != 0 ? 1u : 0u) | (copy.output_gap != 0 ? 2u : 0u), effective);
    note("copy widths differ", copy.input_width != copy.output_width, effective);
    const u64 a = copy.input_range().begin, b = copy.output_range().begin;
    const bool overlaps = a < b + copy.output_range().size && b < a + copy.input_range().size;
    note("copy over itself", overlaps, effective);
}

void Coverage::see_fragment(const Draw& draw, bool effective)
{
    const FragmentKey& key = draw.fragment;
    for (u32 unit = 0; unit < 3; ++unit)
    {
        const TextureUnitKey& texture = key.texture[unit];
        if (!texture.enabled())
            continue;
        note("texture unit", unit, effective);
        note("texture null address", texture.null_address, effective);
        if (texture.null_address != 0)
            continue;
        const TextureBinding& binding = draw.texture[unit];
        if (unit == 0)
            note("texture type", number(texture.type), effective);
        if (texture.type == TextureType::Shadow2D)
            note("shadow orthographic", texture.orthographic, effective);
        note("texture wrap s", number(texture.wrap_s), effective);
        note("texture wrap t", number(texture.wrap_t), effective);
        note("texture filter", texture.linear, effective);
        note("texture lod", texture.lod, effective);
        note("texture levels", binding.levels, effective);
        note("texture coordinate", texture.texcoord, effective);
        note("texture format", number(binding.format), effective);
        note("texture width", u32(std::countr_zero(binding.width)), effective);
        note("texture height", u32(std::countr_zero(binding.height)), effective);
        const u64 begin = draw.target.color_address;
        const bool overlaps = binding.address < begin + draw.target.color_bytes() &&
                              begin < u64{binding.address} + binding.byte_size();
        note("texture over target", overlaps && key.output != OutputClass::None, effective);
    }
    for (u32 i = 0; i < 6; ++i)
    {
        const TexEnvStageKey& stage = key.texenv[i];
        note("combiner pass-through", stage.is_pass_through(), effective);
        if (stage.is_pass_through())
            continue;
        note("combiner colour op", number(stage.color_op), effective);
        note("combiner colour shift", stage.color_shift, effective);
        for (u32 slot = 0; slot < stage.color_slots(); ++slot)
        {
            note("combiner source", number(stage.color_source[slot]), effective);
            note("combiner colour operand", number(stage.color_operand[slot]), effective);
        }
        if (stage.color_op != CombinerOp::Dot3Rgba)
            note("combiner alpha op", number(stage.alpha_op), effective);
        note("combiner alpha shift", stage.alpha_shift, effective);
        for (u32 slot = 0; slot < stage.alpha_slots(); ++slot)
        {
            note("combiner source", number(stage.alpha_source[slot]), effective);
            note("combiner alpha operand", number(stage.alpha_operand[slot]), effective);
        }
    }
    note("combiner buffer colour", key.buffer_color_update, effective);
    note("combiner buffer alpha", key.buffer_alpha_update, effective);
    if (const ProcTexKey& proctex = key.proctex; proctex.enabled != 0)
    {
        note("proctex clamp u", number(proctex.clamp_u), effective);
        note("proctex clamp v", number(proctex.clamp_v), effective);
        note("proctex shift u", number(proctex.shift_u), effective);
        note("proctex shift v", number(proctex.shift_v), effective);
        note("proctex noise", proctex.noise, effective);
        note("proctex colour function", number(proctex.color_func), effective);
        note("proctex separate alpha", proctex.separate_alpha, effective);
        if (proctex.separate_alpha != 0)
            note("proctex alpha function", number(proctex.alpha_func), effective);
        note("proctex filter", proctex.linear + 2 * number(proctex.mip), effective);
        note("proctex coordinate", proctex.texcoord, effective);
        note("proctex alpha only", proctex.alpha_only, effective);
        const ColorChannels read = key.proctex_channels();
        note("proctex channels", u32{read.color} | u32{read.alpha} << 1, effective);
    }
    note("fog mode", number(key.fog.mode), effective);
    if (key.fog.mode == FogMode::Fog)
    {
        note("fog flip", key.fog.flip, effective);
        note("fog depth", number(key.fog.depth), effective);
        note("fog with depth code", key.depth != DepthMode::None, effective);
    }
    see_lighting(key.lighting, effective);
    if ((key.lighting.texture_units() & 8) != 0)
        note("light from procedural texture", key.proctex.enabled, effective);
    if (key.fog.mode == FogMode::Gas)
        note("gas shading", key.fog.gas, effective);
    if (key.gas.accumulate != 0)
    {
        note("gas depth func", number(key.gas.func), effective);
        note("gas depth", number(key.gas.depth), effective);
        note("gas depth format", number(key.gas.depth_format), effective);
        note("gas flip", key.gas.flip, effective);
    }
    note("shadow map", number(key.shadow_map), effective);
    note("depth test against 0", number(key.depth_zero), effective);
    note("alpha func", number(key.alpha_func), effective);
    note("scissor exclude", key.scissor_exclude, effective);
    const PixelRect whole{0, 0, draw.target.width, draw.target.height};
    note("scissor include", !(draw.scissor == whole), effective);
}

void Coverage::see_lighting(const LightingKey& key, bool effective)
{
    note("lights", key.lights, effective);
    if (key.lights == 0)
        return;
    note("light colours", key.primary | u32{key.secondary} << 1, effective);
    for (u32 slot = 0; slot < key.lights; ++slot)
        for (u32 bit = 0; bit < 8; ++bit)
            if ((key.light[slot].flags >> bit & 1) != 0)
                note("light flag", bit, effective);
    u32 n = 0;
    for (const LightingTableKey& table : key.table)
    {
        if (table.enabled)
        {
            note("lighting table", n, effective);
            note("lighting table signed", table.is_signed, effective);
            note("lighting input", number(table.input), effective);
            note("lighting scale", number(table.scale), effective);
        }
        ++n;
    }
    note("bump mode", number(key.bump), effective);
    if (key.bump != BumpMode::None)
        note("bump unit", key.bump_unit, effective);
    if (key.bump == BumpMode::NormalMap)
        note("bump keeps z", key.bump_keep_z, effective);
    note("light shadow", key.shadow, effective);
    if (key.shadow != 0)
    {
        note("light shadow unit", key.shadow_unit, effective);
        note("light shadow inverted", key.shadow_invert, effective);
        note("light shadow alpha", key.shadow_alpha, effective);
    }
    note("fresnel primary", key.fresnel_primary, effective);
    note("fresnel secondary", key.fresnel_secondary, effective);
    note("clamp highlights", key.clamp_highlights, effective);
}

void Coverage::see_output(const Draw& draw, bool effective)
{
    const OutputState& out = draw.output;
    note("output class", number(draw.fragment.output), effective);
    note("colour mask", out.blend.color_mask, effective);
    const bool blends =
        draw.fragment.output == OutputClass::FixedBlend || draw.fragment.output == OutputClass::Fetch;
    if (draw.fragment.output != OutputClass::None && out.blend.logic != 0)
        note("logic op", number(out.blend.logic_op), effective);
    else if (blends)
    {
        note("blend closed destination", out.blend.read_destination == 0, effective);
        if ((out.blend.color_mask & 7) != 0)
        {
            note("blend colour equation", number(out.blend.equation_color), effective);
            note("blend colour source", number(out.blend.source_color), effective);
            note("blend colour destination", number(out.blend.destination_color), effective);
        }
        if ((out.blend.color_mask & 8) != 0)
        {
            note("blend alpha equation", number(out.blend.equation_alpha), effective);
            note("blend alpha source", number(out.blend.source_alpha), effective);
            note("blend alpha destination", number(out.blend.destination_alpha), effective);
        }
    }
    if (draw.fragment.output == OutputClass::Fetch)
        note("premultiplied form", number(renderer::premultiplied_form(draw.fragment)), effective);
    note("depth mode", number(draw.fragment.depth), effective);
    if (draw.fragment.depth != DepthMode::None)
    {
        note("depth func", number(out.depth_func), effective);
        note("depth write", out.depth_write, effective);
    }
    note("stencil test", out.stencil_test, effective);
    if (out.stencil_test != 0)
    {
        note("stencil func", number(out.stencil_func), effective);
        note("stencil fail", number(out.stencil_fail), effective);
        note("stencil depth fail", number(out.stencil_depth_fail), effective);
        note("stencil pass", number(out.stencil_pass), effective);
    }
    if (draw.fragment.output != OutputClass::None)
        note("colour format", number(draw.target.color_format), effective);
    const RenderTarget& target = draw.target;
    if (draw.fragment.output != OutputClass::None)
        note("colour address modulo 1024", target.color_address % 1024 / 64, effective);
    if (target.has_depth != 0)
        note("depth address modulo 1024", target.depth_address % 1024 / 64, effective);
    if (draw.fragment.output != OutputClass::None && target.has_depth != 0)
        note("colour over depth",
             target.color_address < u64{target.depth_address} + target.depth_bytes() &&
                 target.depth_address < u64{target.color_address} + target.color_bytes(),
             effective);
    note("target width bits", u32(std::bit_width(target.width)), effective);
    note("target height bits", u32(std::bit_width(target.height)), effective);
    note("target size modulo 8", (target.width % 8 != 0 ? 1u : 0u) | (target.height % 8 != 0 ? 2u : 0u),
         effective);
    note("depth format", draw.target.has_depth != 0 ? number(draw.target.depth_format) : 4, effective);
    note("target flip", draw.target.flip, effective);
    note("target blocks", draw.target.block32, effective);
}

void Coverage::see_geometry(const Draw& draw, bool effective)
{
    const VertexSource& source = draw.source;
    note("topology", number(source.topology), effective);
    note("restart", source.restart, effective);
    if (!source.inline_values.empty())
        note("immediate topology", number(source.topology), effective);
    if (source.restart == 0)
        note("continued topology", number(source.topology), effective);
    note("cull", number(draw.geometry.cull), effective);
    note("user clip plane", draw.geometry.clip_plane_enable, effective);
    note("flat colour", draw.geometry.flat_color, effective);
    // 0 arrays, 1 u8 indices, 2 u16 indices, 3 immediate
    note("vertex order",
         !source.inline_values.empty() ? 3
         : source.indexed              ? 1u + source.index16
                                       : 0u,
         effective);
    for (const FetchInput& input : source.input)
    {
        note("input source", number(input.source), effective);
        if (input.source != FetchInput::Source::Memory)
            continue;
        note("attribute type", number(input.type), effective);
        note("attribute components", input.components, effective);
        note("attribute type and components", number(input.type) * 4 + input.components - 1u, effective);
        note("attribute address modulo 4", input.address % 4, effective);
        note("attribute stride modulo 4", input.stride % 4u, effective);
    }
    for (u32 semantic = 0; semantic < draw.vertex.source.size(); ++semantic)
        if (draw.vertex.source[semantic] != VertexKey::kUnmapped)
            note("semantic", semantic, effective);
}

void Coverage::merge(const Coverage& other)
{
    for (const auto& [kind, values] : other.counts_)
        for (const auto& [value, count] : values)
        {
            Count& mine = counts_[kind][value];
            mine.all += count.all;
            mine.effective += count.effective;
        }
}

void Coverage::require_values(std::string_view kind, std::span<const u32> values, u32 inert)
{
    std::string absent;
    const auto it = counts_.find(kind);
    ++kinds_;
    for (const u32 value : values)
    {
        ++wanted_;
        const bool is_inert = value < 32 && (inert >> value & 1) != 0;
        u32 times = 0;
        if (it != counts_.end())
            if (const auto found = it->second.find(value); found != it->second.end())
                times = is_inert ? found->second.all : found->second.effective;
        if (times == 0)
            absent += " " + std::to_string(value);
        else
            ++reached_;
        if (times < rarest_)
        {
            rarest_ = times;
            rarest_name_ = std::string(kind) + " " + std::to_string(value);
        }
    }
    if (!absent.empty())
        missing_.push_back(std::string(kind) + ":" + absent);
}

void Coverage::require(std::string_view kind, u32 count, u32 inert)
{
    std::vector<u32> values(count);
    std::iota(values.begin(), values.end(), 0u);
    require_values(kind, values, inert);
}

void Coverage::require(std::string_view kind, std::initializer_list<u32> values)
{
    require_values(kind, values, 0);
}

void Coverage::require(std::span<const OwnedField> fields)
{
    for (const OwnedField& field : fields)
        require(field.name, field.values, field.inert);
}

std::string Coverage::summary() const
{
    return "reached " + std::to_string(reached_) + " of " + std::to_string(wanted_) + " enumerators of " +
           std::to_string(kinds_) + " kinds (rarest: " + rarest_name_ + ", " + std::to_string(rarest_) +
           " times)";
}

std::string Coverage::text() const
{
    std::string text;
    for (const auto& [kind, values] : counts_)
    {
        text += "  " + kind + ":";
        for (const auto& [value, count] : values)
            text += " " + std::to_string(value) + "*" + std::to_string(count.effective) + "/" +
                    std::to_string(count.all);
        text += "\n";
    }
    return text;
}

} // namespace tests
