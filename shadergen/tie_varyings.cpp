// SPDX-License-Identifier: MIT
// Source of truth: design.md, row "Ties". Tests: fragment_test.cpp, tests/conformance/ties.cpp
#include "shadergen/tie_varyings.h"

#include "shadergen/raster_vertex.h"

namespace shadergen
{

namespace
{

using pica::u32;

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
)";
// A tie is 2^13 units of 2^(E-28), or 2^(17-E) if E is below 4.
constexpr std::string_view kTieScale = R"(ivec2 tie_scale(uint power, int area)
{
    float spacing = max(uintBitsToFloat(power - 0x07800000u), uintBitsToFloat(0x3A000000u));
    return ivec2(0x7F000000 - floatBitsToInt(spacing), -(area << (3 + max(131 - int(power >> 23), 0))));
}
)";
// The distance from a tie, in spacings, below which one is near: that of the coordinate with the largest E, which is 2^(E-7)
// for E < 4. From E = 4 on, 2^-3 would do, but then sums of coordinates with E = 0 might leave the 42 bits of planes;
// 3 * 2^-5 is still more than interpolation can err (shaders/include/ties.h). Where a coordinate is farther away than
// its own limit, the sign agrees with it, and settling does not change it.
constexpr std::string_view kTieLimit =
    R"(float tie_limit(uint most) { return min(uintBitsToFloat(most - 0x03800000u), 0.09375); }
)";
// Words 0..6 of the record are the edges and the area.
constexpr std::string_view kTiePlane = R"(int high_part(uvec2 v) { return int(v.x << 22 | v.y >> 10); }
ivec4 tie_plane(vec3 a, uint power, ivec4 record0, ivec4 record1)
{
    ivec3 n = ivec3(floor(a * uintBitsToFloat(0x8D000000u - power)));
    uvec2 x = sum(product(n.y, record0.x), product(n.z, record0.w));
    uvec2 y = sum(product(n.y, record0.y), product(n.z, record1.x));
    uvec2 c = sum(sum(product(n.y, record0.z), product(n.z, record1.y)), product(n.x, record1.z));
    int low = int((c.y & 1023u) | (y.y & 1023u) << 10 | (x.y & 1023u) << 20);
    return ivec4(high_part(x), high_part(y), high_part(c) - (low >> 10), low);
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

// The first quad after the real edges.
u32 first_quad(const pica::RecordLayout& layout)
{
    return real_tail_word(layout) / 4 + 1;
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

// Visits the coordinates of the layout as (set, axis, name, triple).
template <typename Visit>
void for_each_coordinate(const pica::RecordLayout& layout, Visit visit)
{
    for (u32 set = 0; set < 3; set++)
        if (layout.texcoord[set] != 0)
            for (const u32 axis : {0u, 1u})
                visit(set, axis, (axis ? "v" : "u") + number(set),
                      record_triple(layout.texcoord[set] + 3 * axis));
}

} // namespace

u32 tie_words(const pica::RecordLayout& layout)
{
    return 12 * sets_before(layout, 3);
}

u32 tie_word(const pica::RecordLayout& layout, u32 set)
{
    return 4 * first_quad(layout) + 12 * sets_before(layout, set);
}

u32 tie_plane_word(const pica::RecordLayout& layout, u32 set, u32 axis)
{
    return tie_word(layout, set) + 4 + 4 * axis;
}

void declare_tie_varyings(const pica::RecordLayout& layout, GlslWriter& out)
{
    if (tie_words(layout) == 0)
        return;
    const u32 first = first_quad(layout), end = first + tie_words(layout) / 4;
    for (u32 quad = first; quad < end; quad++)
        out.line("layout(location = ", number(quad), ") flat out ivec4 q", number(quad), ";");
    out.blank();
    for (const std::string_view text : {kTieFunctions, kTieScale, kTieLimit, kTiePlane})
        out.raw(text);
}

void write_tie_varyings(const pica::RecordLayout& layout, GlslWriter& out)
{
    if (tie_words(layout) == 0)
        return;
    const std::string w = "record" + number(pica::kRecordInverseW / 4);
    static_assert(pica::kRecordInverseW % 4 == 0);
    out.line("    bool flat_triangle = ", w, ".x == ", w, ".y && ", w, ".x == ", w, ".z;");
    std::string most;
    for_each_coordinate(layout,
                        [&](u32, u32, const std::string& name, const std::string& triple)
                        {
                            out.line("    uint power_", name, " = tie_power(", triple, ");");
                            most = most.empty() ? "power_" + name : "max(" + most + ", power_" + name + ")";
                        });
    const std::string limit = number(kRealTieLimit);
    out.line("    tail[", limit, "] = flat_triangle ? floatBitsToInt(tie_limit(", most, ")) : 0;");
    const auto quad = [&](u32 word) { return "q" + number(word / 4); };
    for (u32 set = 0; set < 3; set++)
    {
        if (layout.texcoord[set] == 0)
            continue;
        const std::string n = number(set);
        out.line("    ", quad(tie_word(layout, set)), " = ivec4(tie_scale(power_u", n,
                 ", area), tie_scale(power_v", n, ", area));");
        out.line("    ", quad(tie_plane_word(layout, set, 0)), " = ", quad(tie_plane_word(layout, set, 1)),
                 " = ivec4(0);");
    }
    out.line("    if (flat_triangle)");
    out.line("    {");
    for_each_coordinate(layout,
                        [&](u32 set, u32 axis, const std::string& name, const std::string& triple)
                        {
                            out.line("        ", quad(tie_plane_word(layout, set, axis)), " = tie_plane(",
                                     triple, ", power_", name, ", record0, record1);");
                        });
    out.line("    }");
}

} // namespace shadergen
