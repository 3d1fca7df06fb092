// SPDX-License-Identifier: MIT
#include "samples/cli/dump_vertices.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace samples
{

namespace
{

using namespace pica;

// What readers know by a name, and where it is in the semantics.
struct NamedSemantics
{
    const char* name;
    u32 first;
    u32 count;
};
constexpr NamedSemantics kSemantics[] = {
    {"position", 0, 4},   {"quaternion", 4, 4},   {"color", 8, 4}, {"texcoord0", 12, 2},
    {"texcoord1", 14, 2}, {"texcoord0_w", 16, 1}, {"view", 18, 3}, {"texcoord2", 22, 2},
};
constexpr u32 kTexcoord0 = 12;

bool is_mapped(const VertexKey& key, u32 semantic)
{
    return key.source[semantic] != VertexKey::kUnmapped;
}

Json registers_json(char letter, const std::array<Vec4, 16>& registers, u32 mask)
{
    Json json = Json::object();
    for (u32 n = 0; n < registers.size(); ++n)
        if (mask >> n & 1)
            json[letter + std::to_string(n)] = vector_json(registers[n]);
    return json;
}

Json assembled_json(const AssembledVertex& vertex, bool earlier, const VertexKey& key)
{
    Json json;
    if (earlier)
        json["from"] = "an earlier draw";
    else if (vertex.shaded != AssembledVertex::kNone)
        json["from"] = vertex.shaded;
    else
        json["from"] = "the geometry program";
    for (const NamedSemantics& semantics : kSemantics)
    {
        bool mapped = false;
        for (u32 n = 0; n < semantics.count; ++n)
            mapped = mapped || is_mapped(key, semantics.first + n);
        if (mapped)
            json[semantics.name] =
                vector_json(std::span(vertex.semantics).subspan(semantics.first, semantics.count));
    }
    return json;
}

std::string number_text(f32 value)
{
    return std::isfinite(value) ? float_json(value).dump() : "0";
}

std::string line(const char* keyword, std::span<const f32> values)
{
    std::string text = keyword;
    for (const f32 value : values)
        text += " " + number_text(value);
    return text + "\n";
}

bool is_finite(std::span<const f32> values)
{
    return std::all_of(values.begin(), values.end(), [](f32 value) { return std::isfinite(value); });
}

// OBJ counts from 1.
std::string face_line(const std::array<u32, 3>& triangle, bool with_texcoords)
{
    std::string text = "f";
    for (const u32 vertex : triangle)
    {
        const std::string number = std::to_string(vertex + 1);
        text += " " + number + (with_texcoords ? "/" + number : "");
    }
    return text + "\n";
}

} // namespace

Json vertices_json(const DrawVertices& vertices, const VertexKey& key)
{
    Json json;
    if (vertices.left_out != 0)
        json["left_out"] = vertices.left_out;
    json["shaded"] = Json::array();
    for (const DrawVertex& vertex : vertices.shaded)
    {
        Json item;
        item["number"] = vertex.number;
        item["inputs"] = registers_json('v', vertex.inputs, vertices.inputs_read);
        item["outputs"] = registers_json('o', vertex.outputs, vertices.outputs_written);
        json["shaded"].push_back(std::move(item));
    }
    json["elements"] = vertices.elements;
    json["assembled"] = Json::array();
    for (std::size_t i = 0; i < vertices.assembled.size(); ++i)
        json["assembled"].push_back(assembled_json(vertices.assembled[i], i < vertices.earlier, key));
    json["triangles"] = vertices.triangles;
    return json;
}

std::string obj_before(const DrawVertices& vertices)
{
    if (vertices.inputs_read == 0)
        return "# the vertex program reads no input\n";
    const auto reg = static_cast<u32>(std::countr_zero(vertices.inputs_read));
    std::string text = "# x y z of v" + std::to_string(reg) + ", before the vertex program\n";
    for (const DrawVertex& vertex : vertices.shaded)
    {
        const std::span<const f32> position = std::span(vertex.inputs[reg]).first(3);
        if (!is_finite(position))
            text += "# no finite number:\n";
        text += line("v", position);
    }
    const bool emitted =
        std::any_of(vertices.assembled.begin() + vertices.earlier, vertices.assembled.end(),
                    [](const AssembledVertex& vertex) { return vertex.shaded == AssembledVertex::kNone; });
    if (emitted || vertices.triangles.empty())
    {
        for (const u32 element : vertices.elements)
            text += "p " + std::to_string(element + 1) + "\n";
        return text;
    }
    for (const std::array<u32, 3>& triangle : vertices.triangles)
    {
        std::array<u32, 3> corners{};
        bool known = true;
        for (u32 i = 0; i < 3; ++i)
        {
            corners[i] = vertices.assembled[triangle[i]].shaded;
            known = known && corners[i] != AssembledVertex::kNone;
        }
        text += known ? face_line(corners, false) : "# a triangle with a vertex of an earlier draw\n";
    }
    return text;
}

std::string obj_after(const DrawVertices& vertices, const VertexKey& key)
{
    std::string text = "# x/w y/w z/w, after the programs, before clipping\n";
    const bool texcoords = is_mapped(key, kTexcoord0) && is_mapped(key, kTexcoord0 + 1);
    std::vector<bool> visible;
    for (const AssembledVertex& vertex : vertices.assembled)
    {
        const Vec4 p = vertex.position();
        const std::array<f32, 3> divided = {p[0] / p[3], p[1] / p[3], p[2] / p[3]};
        visible.push_back(p[3] > 0 && is_finite(divided));
        text += visible.back() ? line("v", divided) : "# not in front of the eye:\nv 0 0 0\n";
        if (texcoords)
            text += line("vt", std::span(vertex.semantics).subspan(kTexcoord0, 2));
    }
    for (const std::array<u32, 3>& triangle : vertices.triangles)
    {
        const bool whole = std::all_of(triangle.begin(), triangle.end(), [&](u32 i) { return visible[i]; });
        text += (whole ? "" : "# ") + face_line(triangle, texcoords);
    }
    return text;
}

} // namespace samples
