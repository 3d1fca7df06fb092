// SPDX-License-Identifier: MIT
// Source of truth: design.md, row "Ties". Tests: fragment_test.cpp, tests/conformance/ties.cpp
#include "shadergen/tie_varyings.h"

#include "shadergen/raster_vertex.h"
#include "shaders/include/layout.h"

#include <algorithm>

namespace shadergen
{

namespace
{

using pica::u32;

constexpr u32 kMostQuads = MAX_FLAT_RECORD_WORDS / 4;

// 64-bit integers as (high, low), and 2^E of a coordinate's words as bits (shadergen/ties.cpp).
constexpr std::string_view kTieFunctions = R"(uvec2 product(int a, int b)
{
    int high;
    int low;
    imulExtended(a, b, high, low);
    return uvec2(uint(high), uint(low));
}
uvec2 sum(uvec2 a, uvec2 b)
{
    uint carry;
    uint low = uaddCarry(a.y, b.y, carry);
    return uvec2(a.x + b.x + carry, low);
}
uint tie_power(vec3 a)
{
    return floatBitsToUint(max(max(abs(a.x), abs(a.y)), max(abs(a.z), 1.0))) & 0x7F800000u;
}
vec2 tie_limits(uint power, bool flat_triangle)
{
    float spacing = max(uintBitsToFloat(power - 0x07800000u), uintBitsToFloat(0x3A000000u));
    return vec2(uintBitsToFloat(0x7F000000u - floatBitsToUint(spacing)),
                flat_triangle ? uintBitsToFloat(power - 0x09000000u) : 0.0);
}
)";
// Words 0..6 of the record are the edges and the area.
constexpr std::string_view kTiePlane = R"(int high_part(uvec2 v) { return int(v.x << 22 | v.y >> 10); }
ivec4 tie_plane(vec3 a, uint power, ivec4 record0, ivec4 record1)
{
    ivec3 n = ivec3(floor(a * uintBitsToFloat(0x8D000000u - power)));
    uvec2 x = sum(product(n.y, record0.x), product(n.z, record0.w));
    uvec2 y = sum(product(n.y, record0.y), product(n.z, record1.x));
    uvec2 c = sum(sum(product(n.y, record0.z), product(n.z, record1.y)), product(n.x, record1.z));
    uint low = (x.y & 1023u) | (y.y & 1023u) << 10 | (c.y & 1023u) << 20;
    return ivec4(high_part(x), high_part(y), high_part(c), int(low));
}
)";

// The sets of the layout before one.
u32 sets_before(const pica::RecordLayout& layout, u32 end)
{
    u32 sets = 0;
    for (u32 set = 0; set < end; set++)
        sets += layout.texcoord[set] != 0;
    return sets;
}

u32 sets_of(const pica::RecordLayout& layout)
{
    return sets_before(layout, 3);
}

// The first quad after the real edges.
u32 first_quad(const pica::RecordLayout& layout)
{
    return real_tail_word(layout) / 4 + 1;
}

bool has_ties(const pica::RecordLayout& layout)
{
    return sets_of(layout) != 0 && first_quad(layout) + sets_of(layout) <= kMostQuads;
}

// How many sets have planes: all that fit, the first ones of the layout.
u32 plane_sets(const pica::RecordLayout& layout)
{
    return has_ties(layout)
               ? std::min(sets_of(layout), (kMostQuads - first_quad(layout) - sets_of(layout)) / 2)
               : 0;
}

// A word of the record as the vertex stage reads it.
std::string record_real(u32 word)
{
    return "intBitsToFloat(record" + number(word / 4) + "." + "xyzw"[word % 4] + ")";
}

std::string record_triple(u32 word)
{
    return "vec3(" + record_real(word) + ", " + record_real(word + 1) + ", " + record_real(word + 2) + ")";
}

void write_planes(const pica::RecordLayout& layout, u32 set, const std::string (&triples)[2], GlslWriter& out)
{
    const std::string quads[2] = {"q" + number(tie_plane_word(layout, set, 0) / 4),
                                  "q" + number(tie_plane_word(layout, set, 1) / 4)};
    out.line("    ", quads[0], " = ", quads[1], " = ivec4(0);");
    out.line("    if (flat_triangle)");
    out.line("    {");
    for (const u32 axis : {0u, 1u})
        out.line("        ", quads[axis], " = tie_plane(", triples[axis], ", power_", axis ? "v" : "u",
                 number(set), ", record0, record1);");
    out.line("    }");
}

} // namespace

u32 tie_word(const pica::RecordLayout& layout, u32 set)
{
    return has_ties(layout) ? 4 * (first_quad(layout) + sets_before(layout, set)) : 0;
}

u32 tie_plane_word(const pica::RecordLayout& layout, u32 set, u32 axis)
{
    const u32 before = sets_before(layout, set);
    if (layout.texcoord[set] == 0 || before >= plane_sets(layout))
        return 0;
    return 4 * (first_quad(layout) + sets_of(layout) + 2 * before + axis);
}

void declare_tie_varyings(const pica::RecordLayout& layout, GlslWriter& out)
{
    if (!has_ties(layout))
        return;
    const u32 first = first_quad(layout), end = first + sets_of(layout) + 2 * plane_sets(layout);
    for (u32 quad = first; quad < end; quad++)
        out.line("layout(location = ", number(quad), ") flat out ivec4 q", number(quad), ";");
    out.blank();
    out.raw(kTieFunctions);
    if (plane_sets(layout) != 0)
        out.raw(kTiePlane);
}

void write_tie_varyings(const pica::RecordLayout& layout, GlslWriter& out)
{
    if (!has_ties(layout))
        return;
    const std::string w = "record" + number(pica::kRecordInverseW / 4);
    static_assert(pica::kRecordInverseW % 4 == 0);
    out.line("    bool flat_triangle = ", w, ".x == ", w, ".y && ", w, ".x == ", w, ".z;");
    for (u32 set = 0; set < 3; set++)
    {
        if (layout.texcoord[set] == 0)
            continue;
        const std::string n = number(set);
        const std::string triples[2] = {record_triple(layout.texcoord[set]),
                                        record_triple(layout.texcoord[set] + 3u)};
        out.line("    uint power_u", n, " = tie_power(", triples[0], ");");
        out.line("    uint power_v", n, " = tie_power(", triples[1], ");");
        out.line("    q", number(tie_word(layout, set) / 4), " = floatBitsToInt(vec4(tie_limits(power_u", n,
                 ", flat_triangle), tie_limits(power_v", n, ", flat_triangle)));");
        if (tie_plane_word(layout, set, 0) != 0)
            write_planes(layout, set, triples, out);
    }
}

} // namespace shadergen
