// SPDX-License-Identifier: MIT
// The pass-through vertex shader. Source of truth: design.md, Part II 2.2, 2.3, 2.8. Every intermediate of
// the position is exactly representable, so no driver can round it. Tests: fragment_test.cpp
#include "shadergen/raster_vertex.h"

#include "shadergen/glsl_writer.h"
#include "shadergen/prelude.h"
#include "shadergen/push_graphics.h"
#include "shadergen/tie_varyings.h"
#include "shadergen/uniform_blocks.h"
#include "shaders/include/layout.h"

#include <algorithm>
#include <array>

namespace shadergen
{

namespace
{

using pica::u32;

// A corner of the triangle's bounding rectangle, grown to whole pixels plus one and intersected with the
// viewport, whose size in 1/16 pixel is 2/scale. Any driver covers each pixel of the two triangles exactly
// once.
constexpr std::string_view kRectangle = R"(
    int corner = gl_VertexIndex;
    ivec2 low = ((min(min(position0, position1), position2) >> 4) << 4) - 16;
    ivec2 high = (((max(max(position0, position1), position2) + 15) >> 4) << 4) + 16;
    int size = 1 << (128 - (floatBitsToInt(scale) >> 23));
    low = clamp(low - origin, ivec2(0), ivec2(size));
    high = clamp(high - origin, ivec2(0), ivec2(size));
    bool right = corner == 1 || corner >= 4;
    bool upper = corner == 2 || corner == 3 || corner == 5;
    ivec2 position = ivec2(right ? high.x : low.x, upper ? high.y : low.y);
)";

// The varyings that take the place of record words 0..7, and `tail`, the quad after the record's last.
constexpr std::string_view kRealEdges = R"(
    int area = record1.z;
    int shift = record1.w & 3;
    ivec2 c = ivec2(record0.z - ((record0.x + record0.y) >> 1), record1.y - ((record0.w + record1.x) >> 1));
    ivec2 shifted = c >> shift;
    ivec2 low = shifted & (7 >> shift);
    ivec2 high = shifted - low;
    q0 = floatBitsToInt(vec4(record0.x >> shift, record0.y >> shift, high.x, low.x));
    q1 = floatBitsToInt(vec4(record0.w >> shift, record1.x >> shift, high.y, low.y));
    int sum = shifted.x + shifted.y + ((area - c.x - c.y) >> shift);
    ivec4 tail = ivec4(floatBitsToInt(vec2(sum, area >> shift)), 0, 0);
)";

// kRealSimple. All f are whole numbers from 0 on, and their sum is at most 2^24. So the sum of the f_i * c is exact for a
// power of two c, its reciprocal is 1/c times that of the sum of the f_i, and no weight but 0 is below 2^-37.
constexpr std::string_view kSimple = R"(
    bool power_of_two = (record2.x & 0x7FFFFF) == 0 && record2.x >= 0x20000000 && record2.x <= 0x5F000000;
    if (power_of_two && record2.x == record2.y && record2.x == record2.z)
        tail.w = floatBitsToInt(rcp_positive(float(sum)));
)";

} // namespace

static_assert(Target{}.varying_words == MAX_FLAT_RECORD_WORDS);

bool has_real_edges(const pica::RecordLayout& layout, const Target& target)
{
    return layout.wide == 0 && record_path(layout.words, target) == RecordPath::FlatVaryings &&
           real_tail_word(layout) + 4 + tie_words(layout) <= target.varying_words;
}

u32 constant_location(const pica::RecordLayout& layout, const Target& target)
{
    if (record_path(layout.words, target) == RecordPath::TexelBuffer)
        return 1; // the triangle's number
    return (has_real_edges(layout, target) ? real_tail_word(layout) + 4 + tie_words(layout) : layout.words) /
           4u;
}

u32 real_tail_word(const pica::RecordLayout& layout)
{
    u32 end = pica::kRecordHeader;
    const auto scalars = [&](u32 first, u32 count)
    { end = std::max(end, first == 0 ? 0 : first + 3 * count); };
    scalars(layout.depth, 1);
    scalars(layout.color, 4);
    for (const u32 texcoord : layout.texcoord)
        scalars(texcoord, 2);
    scalars(layout.texcoord0_w, 1);
    scalars(layout.quaternion, 4);
    scalars(layout.view, 3);
    return (end + 3) / 4 * 4;
}

RecordPath record_path(pica::u8 record_words, const Target& target)
{
    if (target.coverage_in_shader || record_words > MAX_FLAT_RECORD_WORDS)
        return RecordPath::TexelBuffer;
    return target.record_path;
}

namespace
{

// Statements after kRealEdges.
void write_simple(const pica::RecordLayout& layout, GlslWriter& out)
{
    static_assert(pica::kRecordInverseW == 8);
    out.raw(kSimple.substr(1));
    if (layout.color == 0)
        return;
    std::string differences;
    for (u32 channel = 0; channel < 4; channel++)
        for (const u32 difference : {1u, 2u})
        {
            const u32 word = layout.color + 3 * channel + difference;
            differences +=
                (differences.empty() ? "record" : " | record") + number(word / 4) + "." + "xyzw"[word % 4];
        }
    out.line("    if (((", differences, ") << 1) == 0)");
    out.line("        tail.w |= 1 << 31;");
}

} // namespace

std::string generate_raster_vertex(const pica::RecordLayout& layout, const Target& target,
                                   const ConstantWords& constants)
{
    const bool by_id = record_path(layout.words, target) == RecordPath::TexelBuffer;
    const bool real = has_real_edges(layout, target);
    const u32 quads = by_id ? 0 : (real ? real_tail_word(layout) : layout.words) / 4u;
    GlslWriter out;
    out.line("#version 450");
    out.line(kGraphicsPush);
    if (target.coverage_in_shader)
        for (u32 i = 0; i < 3; i++)
            out.line("layout(location = ", number(LOCATION_POSITION + i), ") in ivec2 position", number(i),
                     ";");
    else
        out.line("layout(location = ", number(LOCATION_POSITION), ") in ivec2 vertex;");
    if (by_id)
        out.line("layout(location = 0) flat out int triangle;");
    for (u32 quad = 0; quad < quads; quad++)
    {
        const std::string n = number(quad);
        out.line("layout(location = ", number(LOCATION_RECORD + quad), ") in ivec4 record", n, ";");
        out.line("layout(location = ", n, ") flat out ivec4 q", n, ";");
    }
    if (real)
        out.line("layout(location = ", number(quads), ") flat out ivec4 q", number(quads), ";");
    if (real)
        declare_tie_varyings(layout, out);
    if (real && target.votes)
    {
        constexpr std::array<std::string_view, 1> kTexts = {"numeric.h"}, kFunctions = {"rcp_positive"};
        out.raw(prelude(target, kTexts, kFunctions));
    }
    if (constants != ConstantWords{})
        declare_fragment_block(out);
    declare_constant_words(constants, constant_location(layout, target), "out", out);
    out.blank();
    out.line("void main()");
    out.line("{");
    write_constant_words(constants, out);
    if (real)
    {
        out.raw(kRealEdges.substr(1));
        if (target.votes)
            write_simple(layout, out);
        write_tie_varyings(layout, out);
        out.line("    q", number(quads), " = tail;");
    }
    for (u32 quad = real ? 2 : 0; quad < quads; quad++)
        out.line("    q", number(quad), " = record", number(quad), ";");
    if (by_id)
        out.line("    triangle = first_record + ",
                 target.coverage_in_shader ? "gl_InstanceIndex;" : "gl_VertexIndex / 3;");
    if (target.coverage_in_shader)
        out.raw(kRectangle.substr(1));
    else
        out.line("    ivec2 position = vertex - origin;");
    out.line("    gl_Position = vec4(vec2(position) * scale - 1.0, 0.0, 1.0);");
    out.line("}");
    return out.text();
}

} // namespace shadergen
