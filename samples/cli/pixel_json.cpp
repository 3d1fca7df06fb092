// SPDX-License-Identifier: MIT
#include "samples/cli/pixel_json.h"

#include "pica/inspect/pixel_history.h"
#include "pica/regs/enum_names.h"
#include "pica/texture/format.h"
#include "pica/texture/pixel.h"

#include <algorithm>

namespace samples
{

namespace
{

using namespace pica;
using soft::FragmentTrace;
using soft::TestResult;
using soft::TextureTrace;

constexpr std::string_view kPixelFormatNames[] = {"RGBA8", "RGB8", "RGB565", "RGB5A1", "RGBA4"};

template <typename Enum>
std::string name(EnumNames names, Enum value)
{
    return name_or_number(names, static_cast<u32>(value));
}

const char* result_name(TestResult result)
{
    return result == TestResult::Off ? "off" : result == TestResult::Passed ? "passed" : "failed";
}

Json level_json(const soft::TextureLevelTrace& level)
{
    Json json;
    json["level"] = level.level;
    json["filter"] = level.linear ? "linear" : "nearest";
    if (level.linear)
        json["fraction_256"] = {level.fraction_s, level.fraction_t};
    for (u32 i = 0; i < level.tap_count; ++i)
    {
        const soft::TexelTap& tap = level.tap[i];
        Json texel;
        texel["s_t"] = {tap.s, tap.t};
        if (tap.border)
            texel["border"] = true;
        texel["rgba"] = color_json(tap.texel);
        json["texels"].push_back(std::move(texel));
    }
    return json;
}

Json texture_json(const TextureTrace& texture, const TextureUnitKey* key)
{
    Json json;
    json["unit"] = texture.unit;
    if (key)
        json["type"] = name(kTextureTypeNames, key->type);
    json["u_v"] = vector_json(std::array{texture.u, texture.v});
    if (key && key->uses_texcoord_w())
    {
        json["q"] = float_json(texture.q);
        json["divided_u_v"] = vector_json(std::array{texture.at_u, texture.at_v});
    }
    if (key && key->is_cube())
        json["face"] = texture.face;
    if (key && key->is_shadow())
        json["reference_depth"] = texture.reference;
    if (texture.has_lod)
        json["level_of_detail"] = texture.lod / 256.0;
    for (const soft::TextureLevelTrace& level : texture.levels)
        json["levels"].push_back(level_json(level));
    if (texture.levels.size() == 2)
        json["level_fraction_256"] = texture.level_fraction;
    json["rgba"] = color_json(texture.result);
    return json;
}

// One half of a stage: its operation, and where its operands come from.
template <typename Sources, typename Operands>
std::string half_text(CombinerOp op, u32 slots, u32 shift, const Sources& sources, const Operands& operands,
                      EnumNames operand_names)
{
    std::string text = name(kCombinerOpNames, op) + "(";
    for (u32 slot = 0; slot < slots; ++slot)
        text += (slot ? ", " : "") + name(kCombinerSourceNames, sources[slot]) + "." +
                name(operand_names, operands[slot]);
    text += ")";
    return shift ? text + " x " + std::to_string(1u << shift) : text;
}

Json stage_json(u32 number, const TexEnvStageKey& key, const soft::CombinerTrace& stage)
{
    Json json;
    json["stage"] = number;
    json["color"] = half_text(key.color_op, key.color_slots(), key.color_shift, key.color_source,
                              key.color_operand, kColorOperandNames);
    if (key.color_op != CombinerOp::Dot3Rgba)
        json["alpha"] = half_text(key.alpha_op, key.alpha_slots(), key.alpha_shift, key.alpha_source,
                                  key.alpha_operand, kAlphaOperandNames);
    const u32 slots = std::max(key.color_slots(), key.alpha_slots());
    for (u32 slot = 0; slot < slots; ++slot)
        json["operands"].push_back(color_json(stage.operand[slot]));
    json["buffer"] = color_json(stage.buffer);
    json["result"] = color_json(stage.result);
    return json;
}

Json shading_json(const PixelEvent& event, const FragmentTrace& fragment)
{
    const FragmentKey& key = event.key;
    Json json;
    if (key.uses_primary_color())
        json["primary_color"] = color_json(fragment.primary_color);
    for (const TextureTrace& texture : fragment.textures)
        json["textures"].push_back(texture_json(texture, &key.texture[texture.unit]));
    if (fragment.procedural)
        json["procedural_texture"] = texture_json(*fragment.procedural, nullptr);
    if (key.lighting.lights != 0)
    {
        Json& light = json["lighting"];
        light["quaternion"] = vector_json(fragment.quaternion);
        light["view"] = vector_json(fragment.view);
        light["primary"] = color_json(fragment.fragment_primary);
        light["secondary"] = color_json(fragment.fragment_secondary);
        for (const soft::LightingRead& read : fragment.lighting_reads)
            light["tables"].push_back({{"light", read.slot},
                                       {"table", name_or_number(kLightingLutNames, read.number)},
                                       {"input", float_json(read.x)},
                                       {"entry", read.index},
                                       {"value", float_json(read.value)}});
    }
    for (u32 number = 0; number < 6; ++number)
        if (!key.texenv[number].is_pass_through())
            json["combiners"].push_back(stage_json(number, key.texenv[number], fragment.stages[number]));
    json["combined"] = color_json(fragment.combined);
    if (key.fog.mode != FogMode::None)
    {
        Json& fog = json["fog"];
        fog["mode"] = name(kFogModeNames, key.fog.mode);
        if (key.fog.mode == FogMode::Fog)
        {
            fog["depth"] = float_json(fragment.window_depth);
            fog["color"] = color_json(event.constants.fog_color);
        }
        fog["result"] = color_json(fragment.fogged);
    }
    return json;
}

void add_tests(const PixelEvent& event, const FragmentTrace& fragment, Json& json)
{
    const OutputState& output = event.output;
    if (fragment.alpha != TestResult::Off)
        json["alpha_test"] = {{"result", result_name(fragment.alpha)},
                              {"alpha", fragment.fogged >> 24},
                              {"func", name(kCompareFuncNames, event.key.alpha_func)},
                              {"reference", event.constants.alpha_reference}};
    const soft::DepthStencilTrace& depth = fragment.depth_stencil;
    if (depth.stencil != TestResult::Off)
        json["stencil_test"] = {{"result", result_name(depth.stencil)},
                                {"reference", event.constants.stencil_reference},
                                {"func", name(kCompareFuncNames, output.stencil_func)},
                                {"stored", depth.stored_stencil},
                                {"compare_mask", event.constants.stencil_compare_mask},
                                {"written", depth.written_stencil}};
    if (depth.depth != TestResult::Off)
        json["depth_test"] = {{"result", result_name(depth.depth)},
                              {"code", depth.code},
                              {"func", name(kCompareFuncNames, output.depth_func)},
                              {"stored", depth.stored_depth},
                              {"written", depth.written_depth}};
    else if (output.depth_write != 0 && event.target.has_depth != 0)
        json["depth_write"] = {{"code", depth.code}, {"written", depth.written_depth}};
}

Json blend_json(const PixelEvent& event, const FragmentTrace& fragment)
{
    Json json;
    if (event.key.gas.accumulate != 0 || event.key.shadow_map != DepthMode::None)
    {
        json["mode"] = event.key.gas.accumulate != 0 ? "gas accumulation" : "shadow map";
        json["source"] = color_json(fragment.blend.source);
        json["depth_code"] = fragment.depth_stencil.code;
        return json;
    }
    const BlendState& state = event.output.blend;
    const bool stores = event.key.output == OutputClass::Opaque;
    json["mode"] = stores ? "store" : state.logic ? "logic operation" : "blending";
    json["source"] = color_json(fragment.blend.source);
    json["destination"] = color_json(fragment.blend.destination);
    if (!stores && state.logic)
        json["operation"] = name(kLogicOpNames, state.logic_op);
    if (!stores && !state.logic)
    {
        const auto half = [](BlendEquation equation, BlendFactor source, BlendFactor destination)
        {
            return name(kBlendEquationNames, equation) + "(source * " + name(kBlendFactorNames, source) +
                   ", destination * " + name(kBlendFactorNames, destination) + ")";
        };
        json["color"] = half(state.equation_color, state.source_color, state.destination_color);
        json["alpha"] = half(state.equation_alpha, state.source_alpha, state.destination_alpha);
        json["constant"] = color_json(event.constants.blend_color);
    }
    json["result"] = color_json(fragment.blend.result);
    std::string mask;
    for (u32 c = 0; c < 4; ++c)
        if (state.color_mask >> c & 1)
            mask += "RGBA"[c];
    json["written_channels"] = mask.empty() ? "none" : mask;
    return json;
}

Json fragment_json(const PixelEvent& event, const FragmentTrace& fragment)
{
    Json json;
    json["triangle"] = fragment.triangle;
    json["weights"] = vector_json(std::array{fragment.weight0, fragment.weight1});
    if (event.key.depth_mode() != DepthMode::None)
        json["depth"] = float_json(fragment.window_depth);
    json["scissor"] = result_name(fragment.scissor);
    const bool shades = event.key.output != OutputClass::None || event.key.alpha_func != CompareFunc::Always;
    if (shades)
        json["shading"] = shading_json(event, fragment);
    add_tests(event, fragment, json);
    if (fragment.writes_color)
        json["output"] = blend_json(event, fragment);
    if (event.key.output != OutputClass::None)
        json["color_in_memory"] = {{"before", hex(fragment.color_before)},
                                   {"after", hex(fragment.color_after)}};
    if (event.target.has_depth != 0)
        json["depth_in_memory"] = {{"before", hex(fragment.depth_before)},
                                   {"after", hex(fragment.depth_after)}};
    return json;
}

// What an operation did, by its kind.
void describe(const MemoryFill& fill, const PixelEvent&, u32, Json& json)
{
    json["kind"] = "fill";
    json["range"] = {hex(fill.start), hex(fill.end)};
    json["value"] = hex(fill.value);
}

void describe(const ByteRange& range, const PixelEvent&, u32, Json& json)
{
    json["kind"] = "cpu write";
    json["range"] = {hex(range.begin), hex(static_cast<u32>(range.begin + range.size))};
}

// Which of the N x N samples of its guest pixel it is: columns, and rows as they lie in memory. Above 1x only.
void add_sample(const PixelPlace& place, u32 scale, Json& json)
{
    if (scale != 1)
        json["sample"] = {place.plane % scale, place.plane / scale};
}

void add_sources(const PixelEvent& event, u32 scale, const PixelFormat* format, Json& json)
{
    for (std::size_t i = 0; i < event.sources.size(); ++i)
    {
        Json source;
        source["address"] = hex(event.sources[i].address);
        add_sample(event.sources[i], scale, source);
        const u32 word = i < event.source_words.size() ? event.source_words[i] : 0;
        source["value"] = hex(word);
        u8 bytes[4];
        store_le<4>(bytes, word);
        if (format)
            source["rgba"] = color_json(unpack_pixel(*format, bytes));
        json["sources"].push_back(std::move(source));
    }
}

void describe(const DisplayTransfer& transfer, const PixelEvent& event, u32 scale, Json& json)
{
    json["kind"] = "display transfer";
    json["formats"] = {name(kPixelFormatNames, transfer.input_format),
                       name(kPixelFormatNames, transfer.output_format)};
    add_sources(event, scale, &transfer.input_format, json);
}

void describe(const TextureCopy&, const PixelEvent& event, u32 scale, Json& json)
{
    json["kind"] = "texture copy";
    add_sources(event, scale, nullptr, json);
}

void describe(const DrawnTarget& drawn, const PixelEvent& event, u32, Json& json)
{
    json["kind"] = "draw";
    json["vertices"] = drawn.vertices;
    json["target"] = target_json(event.target);
    json["buffer"] = event.depth ? "depth" : "color";
    json["x_y"] = {event.x, event.y};
    json["fragments"] = Json::array();
    for (const FragmentTrace& fragment : event.fragments)
        json["fragments"].push_back(fragment_json(event, fragment));
    if (!event.agrees)
        json["error"] = "the trace does not lead to what the draw has left in memory";
}

} // namespace

Json target_json(const RenderTarget& target)
{
    Json json;
    json["color"] = hex(target.color_address);
    json["format"] = name(kColorFormatNames, target.color_format);
    if (target.has_depth != 0)
    {
        json["depth"] = hex(target.depth_address);
        json["depth_format"] = name(kDepthFormatNames, target.depth_format);
    }
    json["size"] = {target.width, target.height};
    return json;
}

Json pixel_history_json(const Replay& replay, const PixelHistory& history)
{
    const u32 scale = history.scale;
    Json json;
    json["address"] = hex(history.place.address);
    add_sample(history.place, scale, json);
    json["value"] = hex(history.word);
    json["events"] = Json::array();
    for (const PixelEvent& event : history.events)
    {
        const ReplayOperation& operation = replay.operations()[event.operation];
        Json item;
        item["kind"] = "";
        item["frame"] = operation.frame;
        item[operation.is_draw() ? "draw" : "draws_before"] = operation.draw;
        item["address"] = hex(event.place.address);
        add_sample(event.place, scale, item);
        std::visit([&](const auto& what) { describe(what, event, scale, item); }, operation.what);
        if (!std::holds_alternative<ByteRange>(operation.what))
            item["before"] = hex(event.before);
        item["after"] = hex(event.after);
        json["events"].push_back(std::move(item));
    }
    return json;
}

} // namespace samples
