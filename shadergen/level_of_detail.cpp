// SPDX-License-Identifier: MIT
// Level of detail from the coarse 2x2 quad: values are interpolated once more at three of its pixels, covered
// or not. Source of truth: design.md, row "LOD"; the arithmetic is shaders/include/texture.h. Tests:
// fragment_test.cpp, tests/golden/glsl
#include "shadergen/level_of_detail.h"

#include "shadergen/fragment_text.h"

namespace shadergen
{

namespace
{

using pica::u32;

// The edge values at a point of the quad. e0, e1: A, B, C.
constexpr std::string_view kQuadWeights =
    R"(vec3 quad_weights(ivec3 e0, ivec3 e1, int area, int shift, vec3 inverse_w, ivec2 at)
{
    int value0 = e0.x * at.x + e0.y * at.y + e0.z;
    int value1 = e1.x * at.x + e1.y * at.y + e1.z;
    int value2 = area - value0 - value1;
    float b_0 = bounded_edge(value0 >> shift) * inverse_w.x;
    float b_1 = bounded_edge(value1 >> shift) * inverse_w.y;
    float b_2 = bounded_edge(value2 >> shift) * inverse_w.z;
    float sum = (b_0 + b_1) + b_2;
    float r = rcp(sum);
    return vec3(weight(b_0, r), weight(b_1, r), is_beyond_horizon(b_0, b_1, b_2, sum) ? 1.0 : 0.0);
}
)";

// Likewise if C and the area have 64 bits; the high words are in c_high. Values that need more than 32 bits
// after the shift are limited to what bounded_edge limits them to.
constexpr std::string_view kQuadWeightsWide = R"(int bounded_wide(uvec2 v, int s)
{
    int low = shift_wide(v, s);
    int high = int(v.x) >> s;
    return high == low >> 31 ? low : high < 0 ? -16777215 : 16777215;
}
vec3 quad_weights(ivec3 e0, ivec3 e1, int area, int shift, vec3 inverse_w, ivec2 at, ivec3 c_high)
{
    uvec2 value0 = add_wide(add_wide(multiply_wide(e0.x, at.x), multiply_wide(e0.y, at.y)), uvec2(c_high.x, e0.z));
    uvec2 value1 = add_wide(add_wide(multiply_wide(e1.x, at.x), multiply_wide(e1.y, at.y)), uvec2(c_high.y, e1.z));
    uvec2 value2 = subtract_wide(subtract_wide(uvec2(c_high.z, area), value0), value1);
    float b_0 = bounded_edge(bounded_wide(value0, shift)) * inverse_w.x;
    float b_1 = bounded_edge(bounded_wide(value1, shift)) * inverse_w.y;
    float b_2 = bounded_edge(bounded_wide(value2, shift)) * inverse_w.z;
    float sum = (b_0 + b_1) + b_2;
    float r = rcp(sum);
    return vec3(weight(b_0, r), weight(b_1, r), is_beyond_horizon(b_0, b_1, b_2, sum) ? 1.0 : 0.0);
}
)";

constexpr std::string_view kQuadValues = R"(vec3 quad_values(vec3 a, vec3 w00, vec3 w10, vec3 w01)
{
    return vec3(interpolate(a.x, a.y, a.z, w00.x, w00.y),
                interpolate(a.x, a.y, a.z, w10.x, w10.y),
                interpolate(a.x, a.y, a.z, w01.x, w01.y));
}
)";

// The largest step along x and y, in texels of level 0.
constexpr std::string_view kQuadStep =
    R"(float quad_step(vec3 v, int size) { return larger(magnitude(v.y - v.x), magnitude(v.z - v.x)) * float(size); }
)";

std::string words(FragmentText& text, u32 first)
{
    return text.word(first) + ", " + text.word(first + 1) + ", " + text.word(first + 2);
}

} // namespace

void write_quad(FragmentText& text)
{
    if (text.quad)
        return;
    text.quad = true;
    for (const std::string_view name : {"bounded_edge", "is_beyond_horizon", "rcp", "weight", "interpolate"})
        text.use(name);
    text.define("quad_weights", text.layout.wide ? kQuadWeightsWide : kQuadWeights);
    std::string arguments = "ivec3(" + words(text, pica::kRecordEdge0) + "), ivec3(" +
                            words(text, pica::kRecordEdge1) + "), " + text.word(pica::kRecordArea) + ", " +
                            text.word(pica::kRecordShift) + ", vec3(";
    for (u32 i = 0; i < 3; i++)
        arguments += (i ? ", " : "") + text.real_word(pica::kRecordInverseW + i);
    const std::string high =
        text.layout.wide ? ", ivec3(" + words(text, pica::kRecordHeader) + ")" : std::string();
    text.body.blank();
    text.body.line("// Three pixels of the quad");
    text.body.line("ivec2 quad = p & ~1;");
    const std::string_view points[3][2] = {{"w00", ""}, {"w10", " + ivec2(1, 0)"}, {"w01", " + ivec2(0, 1)"}};
    for (const auto& [name, offset] : points)
        text.body.line("vec3 ", name, " = quad_weights(", arguments, "), quad", offset, high, ");");
    text.body.line("bool beyond = w00.z > 0.5 || w10.z > 0.5 || w01.z > 0.5;");
}

std::string quad_values(FragmentText& text, u32 offset)
{
    if (offset == 0)
        return "vec3(0.0)";
    text.define("quad_values", kQuadValues);
    return "quad_values(vec3(" + text.real_word(offset) + ", " + text.real_word(offset + 1) + ", " +
           text.real_word(offset + 2) + "), w00, w10, w01)";
}

std::string level_of_detail(FragmentText& text, u32 unit, const std::string& u, const std::string& v)
{
    for (const std::string_view name : {"larger", "magnitude", "level_of_detail", "bounded_lod"})
        text.use(name);
    text.define("quad_step", kQuadStep);
    const std::string size = text.draw("texture_size[" + number(unit) + "]");
    return "bounded_lod(beyond ? 0x100000 : level_of_detail(larger(quad_step(" + u + ", " + size +
           ".x), quad_step(" + v + ", " + size + ".y))), " + size + ".z, " + size + ".w & 65535, " + size +
           ".w >> 16)";
}

} // namespace shadergen
