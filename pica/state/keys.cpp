// SPDX-License-Identifier: MIT
// Text form and hash of keys. The text names every byte that is not at its default, so a new field only needs
// a row in the table (the static_assert counts them).
#include "pica/state/keys.h"

#include "pica/regs/enum_names.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <span>

namespace pica
{

namespace
{

// `count` bytes at `offset`; array elements repeat at `stride`.
struct KeyField
{
    std::string_view name;
    u16 offset;
    u8 count = 1;
    EnumNames names = {}; // printed instead of numbers; empty: numbers
};

constexpr std::string_view kDepthModeNames[] = {"None", "Z", "W"};
constexpr std::string_view kOutputClassNames[] = {"None", "Opaque", "LogicOp", "FixedBlend", "Fetch"};

// For example "tex1.wrap_s=Repeat tev0.color_source=Texture0,Zero,Zero": a prefix with the element's number,
// then the field.
struct KeyGroup
{
    std::string_view prefix; // empty: no number, no dot
    u16 offset;
    u16 stride;
    u8 elements;
    const KeyField* fields;
    u8 field_count;
};

constexpr KeyField kTextureFields[] = {
    {"type", offsetof(TextureUnitKey, type), 1, kTextureTypeNames},
    {"wrap_s", offsetof(TextureUnitKey, wrap_s), 1, kTextureWrapNames},
    {"wrap_t", offsetof(TextureUnitKey, wrap_t), 1, kTextureWrapNames},
    {"linear", offsetof(TextureUnitKey, linear)},
    {"texcoord", offsetof(TextureUnitKey, texcoord)},
    {"null_address", offsetof(TextureUnitKey, null_address)},
    {"lod", offsetof(TextureUnitKey, lod)},
    {"orthographic", offsetof(TextureUnitKey, orthographic)},
};
static_assert(sizeof(TextureUnitKey) == std::size(kTextureFields));

constexpr KeyField kStageFields[] = {
    {"color_op", offsetof(TexEnvStageKey, color_op), 1, kCombinerOpNames},
    {"color_source", offsetof(TexEnvStageKey, color_source), 3, kCombinerSourceNames},
    {"color_operand", offsetof(TexEnvStageKey, color_operand), 3, kColorOperandNames},
    {"color_shift", offsetof(TexEnvStageKey, color_shift)},
    {"alpha_op", offsetof(TexEnvStageKey, alpha_op), 1, kCombinerOpNames},
    {"alpha_source", offsetof(TexEnvStageKey, alpha_source), 3, kCombinerSourceNames},
    {"alpha_operand", offsetof(TexEnvStageKey, alpha_operand), 3, kAlphaOperandNames},
    {"alpha_shift", offsetof(TexEnvStageKey, alpha_shift)},
};
static_assert(sizeof(TexEnvStageKey) == 4 + 4 * 3);

constexpr std::string_view kDepthZeroNames[] = {"None", "Zero", "Nonzero", "KeepNonzero", "KeepZero"};

constexpr KeyField kFragmentFields[] = {
    {"buffer_color_update", offsetof(FragmentKey, buffer_color_update)},
    {"buffer_alpha_update", offsetof(FragmentKey, buffer_alpha_update)},
    {"alpha_func", offsetof(FragmentKey, alpha_func), 1, kCompareFuncNames},
    {"scissor_exclude", offsetof(FragmentKey, scissor_exclude)},
    {"depth", offsetof(FragmentKey, depth), 1, kDepthModeNames},
    {"depth16", offsetof(FragmentKey, depth16)},
    {"depth_zero", offsetof(FragmentKey, depth_zero), 1, kDepthZeroNames},
    {"shadow_map", offsetof(FragmentKey, shadow_map), 1, kDepthModeNames},
    {"output", offsetof(FragmentKey, output), 1, kOutputClassNames},
    {"color_format", offsetof(FragmentKey, color_format), 1, kColorFormatNames},
    {"scaled_units", offsetof(FragmentKey, scaled_units)},
};

constexpr std::string_view kProcTexMipNames[] = {"None", "Nearest", "Linear"};
constexpr KeyField kProcTexFields[] = {
    {"enabled", offsetof(ProcTexKey, enabled)},
    {"texcoord", offsetof(ProcTexKey, texcoord)},
    {"clamp_u", offsetof(ProcTexKey, clamp_u), 1, kProcTexClampNames},
    {"clamp_v", offsetof(ProcTexKey, clamp_v), 1, kProcTexClampNames},
    {"shift_u", offsetof(ProcTexKey, shift_u), 1, kProcTexShiftNames},
    {"shift_v", offsetof(ProcTexKey, shift_v), 1, kProcTexShiftNames},
    {"noise", offsetof(ProcTexKey, noise)},
    {"color_func", offsetof(ProcTexKey, color_func), 1, kProcTexFunctionNames},
    {"separate_alpha", offsetof(ProcTexKey, separate_alpha)},
    {"alpha_func", offsetof(ProcTexKey, alpha_func), 1, kProcTexFunctionNames},
    {"linear", offsetof(ProcTexKey, linear)},
    {"mip", offsetof(ProcTexKey, mip), 1, kProcTexMipNames},
    {"alpha_only", offsetof(ProcTexKey, alpha_only)},
};
static_assert(sizeof(ProcTexKey) == std::size(kProcTexFields));

constexpr KeyField kFogFields[] = {
    {"mode", offsetof(FogKey, mode), 1, kFogModeNames},
    {"flip", offsetof(FogKey, flip)},
    {"depth", offsetof(FogKey, depth), 1, kDepthModeNames},
    {"gas", offsetof(FogKey, gas)},
};
static_assert(sizeof(FogKey) == std::size(kFogFields));

constexpr std::string_view kGasDepthFuncNames[] = {"Never", "Always", "Greater", "Less"};
constexpr KeyField kGasFields[] = {
    {"accumulate", offsetof(GasKey, accumulate)},
    {"func", offsetof(GasKey, func), 1, kGasDepthFuncNames},
    {"depth", offsetof(GasKey, depth), 1, kDepthModeNames},
    {"depth_format", offsetof(GasKey, depth_format), 1, kDepthFormatNames},
    {"flip", offsetof(GasKey, flip)},
    {"block32", offsetof(GasKey, block32)},
};
static_assert(sizeof(GasKey) == std::size(kGasFields));

constexpr KeyField kBlendFields[] = {
    {"logic", offsetof(BlendState, logic)},
    {"logic_op", offsetof(BlendState, logic_op), 1, kLogicOpNames},
    {"equation_color", offsetof(BlendState, equation_color), 1, kBlendEquationNames},
    {"equation_alpha", offsetof(BlendState, equation_alpha), 1, kBlendEquationNames},
    {"source_color", offsetof(BlendState, source_color), 1, kBlendFactorNames},
    {"destination_color", offsetof(BlendState, destination_color), 1, kBlendFactorNames},
    {"source_alpha", offsetof(BlendState, source_alpha), 1, kBlendFactorNames},
    {"destination_alpha", offsetof(BlendState, destination_alpha), 1, kBlendFactorNames},
    {"color_mask", offsetof(BlendState, color_mask)},
    {"read_destination", offsetof(BlendState, read_destination)},
};
static_assert(sizeof(BlendState) == 10);

constexpr KeyField kLightingFields[] = {
    {"lights", offsetof(LightingKey, lights)},
    {"primary", offsetof(LightingKey, primary)},
    {"secondary", offsetof(LightingKey, secondary)},
    {"bump", offsetof(LightingKey, bump)},
    {"bump_unit", offsetof(LightingKey, bump_unit)},
    {"bump_keep_z", offsetof(LightingKey, bump_keep_z)},
    {"shadow", offsetof(LightingKey, shadow)},
    {"shadow_unit", offsetof(LightingKey, shadow_unit)},
    {"shadow_invert", offsetof(LightingKey, shadow_invert)},
    {"shadow_alpha", offsetof(LightingKey, shadow_alpha)},
    {"fresnel_primary", offsetof(LightingKey, fresnel_primary)},
    {"fresnel_secondary", offsetof(LightingKey, fresnel_secondary)},
    {"clamp_highlights", offsetof(LightingKey, clamp_highlights)},
};
constexpr KeyField kLightFields[] = {
    {"flags", offsetof(LightKey, flags)},
    {"table", offsetof(LightKey, light)},
};
// Enabled, signed, input, scale.
constexpr KeyField light_table_field(std::string_view name, LightTable table)
{
    return {name, static_cast<u16>(offsetof(LightingKey, table) + 4 * static_cast<u32>(table)), 4};
}
constexpr KeyField kLightingTableFields[] = {
    light_table_field("d0", LightTable::D0),   light_table_field("d1", LightTable::D1),
    light_table_field("rr", LightTable::RR),   light_table_field("rg", LightTable::RG),
    light_table_field("rb", LightTable::RB),   light_table_field("fr", LightTable::FR),
    light_table_field("spot", LightTable::SP),
};
static_assert(sizeof(LightingKey) ==
              std::size(kLightingFields) + 8 * std::size(kLightFields) + 4 * std::size(kLightingTableFields));

constexpr KeyField kOutputFields[] = {
    {"depth_test", offsetof(OutputState, depth_test)},
    {"depth_func", offsetof(OutputState, depth_func), 1, kCompareFuncNames},
    {"depth_write", offsetof(OutputState, depth_write)},
    {"stencil_test", offsetof(OutputState, stencil_test)},
    {"stencil_func", offsetof(OutputState, stencil_func), 1, kCompareFuncNames},
    {"stencil_fail", offsetof(OutputState, stencil_fail), 1, kStencilOpNames},
    {"stencil_depth_fail", offsetof(OutputState, stencil_depth_fail), 1, kStencilOpNames},
    {"stencil_pass", offsetof(OutputState, stencil_pass), 1, kStencilOpNames},
};
static_assert(sizeof(OutputState) == sizeof(BlendState) + std::size(kOutputFields));

constexpr KeyGroup kFragmentGroups[] = {
    {"tex", offsetof(FragmentKey, texture), sizeof(TextureUnitKey), 3, kTextureFields,
     std::size(kTextureFields)},
    {"proctex", offsetof(FragmentKey, proctex), 0, 1, kProcTexFields, std::size(kProcTexFields)},
    {"tev", offsetof(FragmentKey, texenv), sizeof(TexEnvStageKey), 6, kStageFields, std::size(kStageFields)},
    {"", 0, 0, 1, kFragmentFields, std::size(kFragmentFields)},
    {"fog", offsetof(FragmentKey, fog), 0, 1, kFogFields, std::size(kFogFields)},
    {"gas", offsetof(FragmentKey, gas), 0, 1, kGasFields, std::size(kGasFields)},
    {"fetch", offsetof(FragmentKey, fetch), 0, 1, kBlendFields, std::size(kBlendFields)},
    {"lighting", offsetof(FragmentKey, lighting), 0, 1, kLightingFields, std::size(kLightingFields)},
    {"light", offsetof(FragmentKey, lighting) + offsetof(LightingKey, light), sizeof(LightKey), 8,
     kLightFields, std::size(kLightFields)},
    {"lut", offsetof(FragmentKey, lighting), 0, 1, kLightingTableFields, std::size(kLightingTableFields)},
};
static_assert(sizeof(FragmentKey) == sizeof(LightingKey) + 3 * sizeof(TextureUnitKey) +
                                         6 * sizeof(TexEnvStageKey) + std::size(kFragmentFields) +
                                         sizeof(FogKey) + sizeof(GasKey) + sizeof(ProcTexKey) +
                                         sizeof(BlendState));

constexpr KeyGroup kOutputGroups[] = {
    {"", 0, 0, 1, kOutputFields, std::size(kOutputFields)},
    {"blend", offsetof(OutputState, blend), 0, 1, kBlendFields, std::size(kBlendFields)},
};

// Calls visit(name, offset, field) for every field of every element.
template <std::size_t count, typename Visit>
void for_each_field(const KeyGroup (&groups)[count], const Visit& visit)
{
    for (const KeyGroup& group : groups)
    {
        for (u32 element = 0; element < group.elements; ++element)
        {
            for (u32 i = 0; i < group.field_count; ++i)
            {
                const KeyField& field = group.fields[i];
                std::string name(group.prefix);
                if (group.elements > 1)
                    name += static_cast<char>('0' + element);
                if (!name.empty())
                    name += '.';
                name += field.name;
                visit(name, group.offset + element * group.stride + field.offset, field);
            }
        }
    }
}

template <typename Key, std::size_t count>
std::string text_of(const Key& key, const KeyGroup (&groups)[count])
{
    std::array<u8, sizeof(Key)> bytes, defaults;
    const Key default_key{};
    std::memcpy(bytes.data(), &key, sizeof key);
    std::memcpy(defaults.data(), &default_key, sizeof key);
    std::string text;
    for_each_field(groups,
                   [&](const std::string& name, u32 offset, const KeyField& field)
                   {
                       if (std::memcmp(&bytes[offset], &defaults[offset], field.count) == 0)
                           return;
                       text += text.empty() ? "" : " ";
                       text += name;
                       for (u32 i = 0; i < field.count; ++i)
                       {
                           text += i == 0 ? '=' : ',';
                           text += name_or_number(field.names, bytes[offset + i]);
                       }
                   });
    return text.empty() ? "default" : text;
}

// Parses names or numbers "a,b,c" into exactly `bytes`.
bool parse_values(std::string_view text, EnumNames names, std::span<u8> bytes)
{
    for (std::size_t i = 0; i < bytes.size(); ++i)
    {
        const bool last = i + 1 == bytes.size();
        const std::size_t comma = last ? text.size() : text.find(',');
        if (comma == std::string_view::npos)
            return false;
        const std::string_view word = text.substr(0, comma);
        text.remove_prefix(last ? comma : comma + 1);
        const auto named = std::find(names.begin(), names.end(), word);
        if (!word.empty() && named != names.end())
        {
            bytes[i] = static_cast<u8>(named - names.begin());
            continue;
        }
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), bytes[i]);
        if (error != std::errc{} || end != word.data() + word.size())
            return false;
    }
    return true;
}

} // namespace

std::string FragmentKey::text() const
{
    return text_of(*this, kFragmentGroups);
}

std::string OutputState::text() const
{
    return text_of(*this, kOutputGroups);
}

std::string VertexKey::text() const
{
    char number[32];
    std::string text;
    for (std::size_t semantic = 0; semantic < source.size(); ++semantic)
    {
        if (source[semantic] == kUnmapped)
            continue;
        std::snprintf(number, sizeof number, "%s%zu=o%u.%c", text.empty() ? "" : " ", semantic,
                      source[semantic] / 4u, "xyzw"[source[semantic] % 4]);
        text += number;
    }
    return text;
}

bool fragment_key_from_text(std::string_view text, FragmentKey& key)
{
    const FragmentKey default_key{};
    std::array<u8, sizeof(FragmentKey)> bytes;
    std::memcpy(bytes.data(), &default_key, sizeof default_key);
    while (!text.empty())
    {
        const std::size_t space = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, space);
        text.remove_prefix(std::min(space + 1, text.size()));
        if (word.empty() || word == "default")
            continue;
        const std::size_t equals = word.find('=');
        if (equals == std::string_view::npos)
            return false;
        bool known = false;
        for_each_field(kFragmentGroups,
                       [&](const std::string& name, u32 offset, const KeyField& field)
                       {
                           if (name == word.substr(0, equals))
                               known = parse_values(word.substr(equals + 1), field.names,
                                                    std::span(bytes).subspan(offset, field.count));
                       });
        if (!known)
            return false;
    }
    std::memcpy(&key, bytes.data(), sizeof key);
    return true;
}

void set_scaled_units(FragmentKey& key, const std::array<bool, 3>& units)
{
    key.scaled_units = 0;
    for (u32 unit = 0; unit < 3; ++unit)
        if (units[unit] && key.texture[unit].samples())
            key.scaled_units = static_cast<u8>(key.scaled_units | 1u << unit);
}

bool FragmentKey::reads(CombinerSource source) const
{
    for (const TexEnvStageKey& stage : texenv)
    {
        for (u32 slot = 0; slot < stage.color_slots(); ++slot)
        {
            if (stage.color_source[slot] == source)
                return true;
        }
        for (u32 slot = 0; slot < stage.alpha_slots(); ++slot)
        {
            if (stage.alpha_source[slot] == source)
                return true;
        }
    }
    return false;
}

ColorChannels FragmentKey::proctex_channels() const
{
    ColorChannels channels;
    for (const TexEnvStageKey& stage : texenv)
    {
        for (u32 slot = 0; slot < stage.color_slots(); ++slot)
        {
            if (stage.color_source[slot] == CombinerSource::Texture3)
                channels.add(read_by(stage.color_operand[slot]));
        }
        for (u32 slot = 0; slot < stage.alpha_slots(); ++slot)
        {
            if (stage.alpha_source[slot] == CombinerSource::Texture3)
                channels.add(read_by(stage.alpha_operand[slot]));
        }
    }
    if (lighting.bump != BumpMode::None && lighting.bump_unit == 3)
        channels.color = true;
    if (lighting.shadow && lighting.shadow_unit == 3)
        channels = {true, true};
    return channels;
}

DepthMode FragmentKey::depth_mode() const
{
    if (depth != DepthMode::None)
        return depth;
    if (shadow_map != DepthMode::None)
        return shadow_map;
    return gas.accumulate != 0 ? gas.depth : fog.depth;
}

LutMask FragmentKey::luts() const
{
    LutMask mask = 0;
    if (fog.mode == FogMode::Fog)
        mask |= lut_bit(LutTable::Fog);
    if (fog.mode == FogMode::Gas)
        mask |= lut_bit(LutTable::Gas);
    mask |= lighting.luts();
    if (proctex.enabled)
    {
        if (!proctex.alpha_only)
            mask |= lut_bit(LutTable::ProcTexRgbMap) | lut_bit(LutTable::ProcTexColor);
        if (proctex.noise)
            mask |= lut_bit(LutTable::ProcTexNoise);
        if (proctex.separate_alpha)
            mask |= lut_bit(LutTable::ProcTexAlphaMap);
    }
    return mask;
}

u64 hash_bytes(const void* data, std::size_t size)
{
    const u8* bytes = static_cast<const u8*>(data);
    u64 hash = 0xCBF29CE484222325u ^ size;
    const auto add = [&hash](u64 word)
    {
        hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 32;
    };
    u64 word = 0;
    std::size_t done = 0;
    for (; done + sizeof word <= size; done += sizeof word)
    {
        std::memcpy(&word, bytes + done, sizeof word);
        add(word);
    }
    if (done == size)
        return hash;
    word = 0; // the last one is filled up with zeros
    std::memcpy(&word, bytes + done, size - done);
    add(word);
    return hash;
}

void force_fetch(FragmentKey& key, const OutputState& output)
{
    if (key.output == OutputClass::None)
        return;
    key.output = OutputClass::Fetch;
    key.fetch = output.blend;
}

} // namespace pica
