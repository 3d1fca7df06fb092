// SPDX-License-Identifier: MIT
#include "samples/cli/state_json.h"

#include "pica/regs/enum_names.h"
#include "pica/regs/register_fields.h"
#include "pica/shader/program.h"
#include "pica/texture/format.h"
#include "samples/cli/pixel_json.h"

#include <array>
#include <bit>
#include <cstdio>
#include <utility>
#include <vector>

namespace samples
{

namespace
{

using namespace pica;

std::string hex_id(u32 id)
{
    char text[16];
    std::snprintf(text, sizeof text, "0x%03X", id);
    return text;
}

std::string hash_text(const Program& program)
{
    char text[32];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(program.hash()));
    return text;
}

Json field_json(const FieldValue& field)
{
    return std::visit(
        [](const auto& value) -> Json
        {
            using Value = std::decay_t<decltype(value)>;
            if constexpr (std::is_same_v<Value, FieldAddress>)
                return hex(value.address);
            else if constexpr (std::is_same_v<Value, f32>)
                return float_json(value);
            else
                return value;
        },
        field.value);
}

Json register_json(u32 id, u32 word)
{
    Json json;
    json["id"] = hex_id(id);
    json["word"] = hex(word);
    for (const FieldValue& field : register_fields(id, word))
        json["fields"][std::string(field.name)] = field_json(field);
    return json;
}

bool is_shown(const RegisterFile& registers, u32 id)
{
    return is_named_register(id) || registers[id] != 0;
}

// Calls function(table, name) for each table of the mask.
template <typename Function>
void for_each_table(LutMask which, const Function& function)
{
    static constexpr const char* kNames[] = {
        "fog", "proctex_noise", "proctex_rgb_map", "proctex_alpha_map", "proctex_color", "gas"};
    for (u32 n = 0; n < Luts::kTables; ++n)
    {
        if (!(which >> n & 1))
            continue;
        const u32 lighting = n - static_cast<u32>(LutTable::Lighting0);
        function(static_cast<LutTable>(n), n < static_cast<u32>(LutTable::Lighting0)
                                               ? std::string(kNames[n])
                                               : "lighting_" + name_or_number(kLightingLutNames, lighting));
    }
}

// The words as the guest wrote them.
std::vector<u32> words_of(const Luts& luts, LutTable table)
{
    const auto copy = [](const auto& words) { return std::vector<u32>(words.begin(), words.end()); };
    switch (table)
    {
    case LutTable::Fog:
        return copy(luts.fog);
    case LutTable::ProcTexNoise:
        return copy(luts.proctex_noise);
    case LutTable::ProcTexRgbMap:
        return copy(luts.proctex_rgb_map);
    case LutTable::ProcTexAlphaMap:
        return copy(luts.proctex_alpha_map);
    case LutTable::ProcTexColor:
        return copy(luts.proctex_color);
    case LutTable::Gas:
        return copy(luts.gas);
    default:
        return copy(luts.lighting[static_cast<u32>(table) - static_cast<u32>(LutTable::Lighting0)]);
    }
}

// Half the difference to the next colour, of each channel.
Json difference_json(u32 word)
{
    Json json = Json::array();
    for (u32 c = 0; c < 4; ++c)
        json.push_back(static_cast<s8>(word >> (8 * c)));
    return json;
}

Json table_json(const Luts& luts, LutTable table)
{
    std::array<LutEntry, 256> entries;
    decode_lut(luts, table, entries.data());
    Json json;
    for (const u32 word : words_of(luts, table))
        json["words"].push_back(hex(word));
    for (u32 i = 0; i < lut_size(table); ++i)
    {
        const LutEntry& entry = entries[i];
        const bool colors = table == LutTable::ProcTexColor || table == LutTable::Gas;
        if (colors)
        {
            json["values"].push_back(color_json(entry.value));
            json["differences"].push_back(difference_json(entry.difference));
        }
        else if (table == LutTable::Fog)
        {
            json["values"].push_back(entry.value);
            json["differences"].push_back(static_cast<s32>(entry.difference));
        }
        else
        {
            json["values"].push_back(float_json(std::bit_cast<f32>(entry.value)));
            json["differences"].push_back(float_json(std::bit_cast<f32>(entry.difference)));
        }
    }
    return json;
}

Json texture_json(const Draw& draw, u32 unit)
{
    const TextureUnitKey& key = draw.fragment.texture[unit];
    const TextureBinding& binding = draw.texture[unit];
    Json json;
    json["unit"] = unit;
    json["type"] = name_or_number(kTextureTypeNames, static_cast<u32>(key.type));
    if (key.null_address != 0)
    {
        json["address"] = "none: the unit gives (0, 0, 0, 255)";
        return json;
    }
    if (key.is_cube())
        for (const PhysAddr face : draw.cube_faces)
            json["faces"].push_back(hex(face));
    else
        json["address"] = hex(binding.address);
    json["size"] = {binding.width, binding.height};
    json["format"] = std::string(format_name(binding.format));
    json["levels"] = binding.levels;
    return json;
}

const char* source_name(const VertexSource& source)
{
    if (!source.inline_values.empty())
        return "immediate";
    if (source.indexed == 0)
        return "array";
    return source.index16 != 0 ? "indexed (u16)" : "indexed (u8)";
}

void add_unit_changes(const std::string& unit, const ShaderUniforms& uniforms,
                      const ShaderUnitChanges& changes, Json& json)
{
    if (changes.code)
        json[unit + "_code"] = "changed";
    if (const Json values = uniforms_json(uniforms, changes); !values.empty())
        json[unit + "_uniforms"] = values;
}

} // namespace

Json draw_json(const Draw& draw)
{
    Json json;
    json["vertices"] = draw.source.count;
    json["source"] = source_name(draw.source);
    json["topology"] = name_or_number(kTopologyNames, static_cast<u32>(draw.source.topology));
    json["continues_primitive"] = draw.source.restart == 0;
    if (draw.geometry_unit.feed.enabled != 0)
        json["geometry_mode"] =
            name_or_number(kGeometryModeNames, static_cast<u32>(draw.geometry_unit.feed.mode));
    json["target"] = target_json(draw.target);
    json["scissor"] = {draw.scissor.x1, draw.scissor.y1, draw.scissor.x2, draw.scissor.y2};
    for (u32 unit = 0; unit < draw.texture.size(); ++unit)
        if (draw.fragment.texture[unit].enabled())
            json["textures"].push_back(texture_json(draw, unit));
    if (draw.program)
        json["vertex_program"] = hash_text(*draw.program);
    if (draw.geometry_unit.program)
        json["geometry_program"] = hash_text(*draw.geometry_unit.program);
    json["vertex_key"] = draw.vertex.text();
    json["fragment_key"] = draw.fragment.text();
    json["output"] = draw.output.text();
    return json;
}

Json registers_json(const RegisterFile& registers)
{
    Json json;
    for (u32 id = 0; id < kRegisterCount; ++id)
        if (is_shown(registers, id))
            json[std::string(register_name(id))] = register_json(id, registers[id]);
    return json;
}

std::string registers_text(const RegisterFile& registers)
{
    std::string text;
    for (u32 id = 0; id < kRegisterCount; ++id)
    {
        if (!is_shown(registers, id))
            continue;
        text += hex_id(id) + " " + std::string(register_name(id)) + " = " + hex(registers[id]);
        const char* separator = ": ";
        for (const FieldValue& field : register_fields(id, registers[id]))
        {
            const Json value = field_json(field);
            text += separator + std::string(field.name) + " " +
                    (value.is_string() ? value.get<std::string>() : value.dump());
            separator = ", ";
        }
        text += "\n";
    }
    return text;
}

Json uniforms_json(const ShaderUniforms& uniforms)
{
    ShaderUnitChanges all;
    all.floats.set();
    all.ints.set();
    all.bools = true;
    return uniforms_json(uniforms, all);
}

Json uniforms_json(const ShaderUniforms& uniforms, const ShaderUnitChanges& changes)
{
    Json json = Json::object();
    for (std::size_t n = 0; n < changes.floats.size(); ++n)
        if (changes.floats[n])
            json["c" + std::to_string(n)] = vector_json(uniforms.f[n]);
    for (std::size_t n = 0; n < changes.ints.size(); ++n)
        if (changes.ints[n])
            json["i" + std::to_string(n)] = uniforms.i[n];
    if (changes.bools)
    {
        Json bools = Json::array();
        for (u32 n = 0; n < 16; ++n)
            bools.push_back((uniforms.b >> n & 1) != 0);
        json["b"] = std::move(bools);
    }
    return json;
}

Json fixed_attributes_json(const FixedAttributes& attributes, std::bitset<16> which)
{
    Json json = Json::object();
    for (std::size_t n = 0; n < which.size(); ++n)
        if (which[n])
            json[std::to_string(n)] = vector_json(attributes[n]);
    return json;
}

LutMask all_tables()
{
    return ~LutMask{0} >> (32 - Luts::kTables) & ~lut_bit(lighting_lut(2)) & ~lut_bit(lighting_lut(7));
}

Json tables_json(const Luts& luts, LutMask which)
{
    Json json = Json::object();
    for_each_table(which,
                   [&](LutTable table, const std::string& name) { json[name] = table_json(luts, table); });
    return json;
}

Json table_names(LutMask which)
{
    Json names = Json::array();
    for_each_table(which, [&](LutTable, const std::string& name) { names.push_back(name); });
    return names;
}

Json changes_json(const DrawState& before, const DrawState& now)
{
    const StateChanges changes = find_changes(before, now);
    Json json = Json::object();
    for (const u32 id : changes.registers)
    {
        Json& change = json["registers"][std::string(register_name(id))];
        change["before"] = hex(before.registers[id]);
        change.update(register_json(id, now.registers[id]));
    }
    add_unit_changes("vertex", now.ports.vertex.uniforms, changes.vertex, json);
    add_unit_changes("geometry", now.ports.geometry.uniforms, changes.geometry, json);
    if (changes.fixed_attributes.any())
        json["fixed_attributes"] = fixed_attributes_json(now.ports.fixed, changes.fixed_attributes);
    if (changes.tables != 0)
        json["tables"] = table_names(changes.tables);
    return json;
}

Json changed_names(const DrawState& before, const DrawState& now)
{
    const Json changes = changes_json(before, now);
    Json names = Json::array();
    for (const auto& [group, members] : changes.items())
    {
        if (group == "registers")
            for (const auto& [name, change] : members.items())
                names.push_back(name);
        else if (group == "tables")
            for (const Json& name : members)
                names.push_back(name);
        else
            names.push_back(group);
    }
    return names;
}

} // namespace samples
