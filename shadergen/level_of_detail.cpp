// SPDX-License-Identifier: MIT
// Level of detail from the coarse 2x2 quad: values are interpolated once more at three of its pixels, covered
// or not. Source of truth: design.md, row "LOD"; the arithmetic is shaders/include/texture.h. Tests:
// fragment_test.cpp, tests/golden/glsl
#include "shadergen/level_of_detail.h"

#include "shadergen/fragment_text.h"
#include "shadergen/raster_vertex.h"

namespace shadergen
{

namespace
{

using pica::u32;

// From the edge values at a point of the quad.
constexpr std::string_view kQuadWeights =
    R"(vec3 quad_weights(int value0, int value1, int area, int shift, vec3 inverse_w)
{
    int value2 = area - value0 - value1;
    float b_0 = bounded_edge(value0 >> shift) * inverse_w.x;
    float b_1 = bounded_edge(value1 >> shift) * inverse_w.y;
    float b_2 = bounded_edge(value2 >> shift) * inverse_w.z;
    float sum = (b_0 + b_1) + b_2;
    float r = rcp_positive(sum);
    return vec3(weight(b_0, r), weight(b_1, r), is_beyond_horizon(b_0, b_1, b_2, sum) ? 1.0 : 0.0);
}
)";

// Likewise for kEdges36. In quads with a pixel of the triangle, shifted values have less than 32 bits.
constexpr std::string_view kQuadWeightsSplit =
    R"(vec3 quad_weights(int value0, int value1, int edge_sum, ivec3 low, ivec3 shifts, vec3 inverse_w)
{
    float b_0 = bounded_edge(shift_split(value0, low.x, shifts)) * inverse_w.x;
    float b_1 = bounded_edge(shift_split(value1, low.y, shifts)) * inverse_w.y;
    float b_2 = bounded_edge(shift_split(edge_sum - value0 - value1, low.z, shifts)) * inverse_w.z;
    float total = (b_0 + b_1) + b_2;
    float r = rcp_positive(total);
    return vec3(weight(b_0, r), weight(b_1, r), is_beyond_horizon(b_0, b_1, b_2, total) ? 1.0 : 0.0);
}
)";

// Likewise if edge values and the area have 64 bits. Values that need more than 32 bits after the shift are
// limited to what bounded_edge limits them to.
constexpr std::string_view kQuadWeightsWide = R"(int bounded_wide(uvec2 v, int s)
{
    int low = shift_wide(v, s);
    int high = int(v.x) >> s;
    return high == low >> 31 ? low : high < 0 ? -16777215 : 16777215;
}
vec3 quad_weights(uvec2 value0, uvec2 value1, uvec2 area, int shift, vec3 inverse_w)
{
    uvec2 value2 = subtract_wide(subtract_wide(area, value0), value1);
    float b_0 = bounded_edge(bounded_wide(value0, shift)) * inverse_w.x;
    float b_1 = bounded_edge(bounded_wide(value1, shift)) * inverse_w.y;
    float b_2 = bounded_edge(bounded_wide(value2, shift)) * inverse_w.z;
    float sum = (b_0 + b_1) + b_2;
    float r = rcp_positive(sum);
    return vec3(weight(b_0, r), weight(b_1, r), is_beyond_horizon(b_0, b_1, b_2, sum) ? 1.0 : 0.0);
}
// v plus the 32-bit number w.
uvec2 add_step(uvec2 v, int w) { return add_wide(v, uvec2(uint(w >> 31), uint(w))); }
)";

// Likewise from f0, f1, f2 at a point of the quad. Beyond 2^24 they may be rounded, but not to less.
constexpr std::string_view kQuadWeightsReal = R"(vec3 quad_weights(vec3 value, vec3 inverse_w)
{
    vec3 b = clamp(value, vec3(-16777215.0), vec3(16777215.0)) * inverse_w;
    float sum = (b.x + b.y) + b.z;
    float r = rcp_positive(sum);
    return vec3(weight(b.x, r), weight(b.y, r), is_beyond_horizon(b.x, b.y, b.z, sum) ? 1.0 : 0.0);
}
)";

constexpr std::string_view kQuadValues = R"(vec3 quad_values(vec3 a, vec3 w00, vec3 w10, vec3 w01)
{
    return vec3(interpolate(a.x, a.y, a.z, w00.x, w00.y),
                interpolate(a.x, a.y, a.z, w10.x, w10.y),
                interpolate(a.x, a.y, a.z, w01.x, w01.y));
}
)";

// By pica::EdgeWidth.
constexpr std::string_view kQuadWeightsOf[] = {kQuadWeights, kQuadWeightsSplit, kQuadWeightsWide};
static_assert(std::size(kQuadWeightsOf) == pica::kEdges64 + 1);

// The largest step along x and y, in texels of level 0.
constexpr std::string_view kQuadStep =
    R"(float quad_step(vec3 v, int size) { return larger(magnitude(v.y - v.x), magnitude(v.z - v.x)) * float(size); }
)";

// The word A or B of an edge, in what edge values are counted in.
std::string edge_step(FragmentText& text, u32 word)
{
    return text.layout.wide == pica::kEdges36 ? "(" + text.word(word) + " >> 4)" : text.word(word);
}

// Declares quad_e0 or quad_e1, the edge value at the quad's first pixel: that of this pixel, less its steps from there.
void write_quad_edge(FragmentText& text, u32 edge)
{
    const u32 at = edge == 0 ? pica::kRecordEdge0 : pica::kRecordEdge1;
    const std::string n = number(edge), a = edge_step(text, at), b = edge_step(text, at + 1);
    const std::string step = "((p.x & 1) != 0 ? -" + a + " : 0) + ((p.y & 1) != 0 ? -" + b + " : 0)";
    if (text.layout.wide == pica::kEdges64)
        text.body.line("uvec2 quad_e", n, " = add_step(add_step(e", n, ", (p.x & 1) != 0 ? -", a,
                       " : 0), (p.y & 1) != 0 ? -", b, " : 0);");
    else
        text.body.line("int quad_e", n, " = e", n, " + (", step, ");");
}

// The edge value at a point of the quad. offset: the word, 0 or 1 after the edge's first, that steps to it.
std::string quad_edge(FragmentText& text, u32 edge, u32 offset)
{
    const u32 at = edge == 0 ? pica::kRecordEdge0 : pica::kRecordEdge1;
    const std::string value = "quad_e" + number(edge), step = edge_step(text, at + offset);
    return text.layout.wide == pica::kEdges64 ? "add_step(" + value + ", " + step + ")"
                                              : value + " + " + step;
}

// The weights from f0, f1, f2 of this pixel and their steps, whose sums are small and exact.
void write_real_weights(FragmentText& text)
{
    GlslWriter& out = text.body;
    const auto pair = [&](u32 word)
    { return "vec2(" + text.real_word(kRealEdge0 + word) + ", " + text.real_word(kRealEdge1 + word) + ")"; };
    out.line("vec3 step_x = vec3(", pair(0), ", 0.0);");
    out.line("vec3 step_y = vec3(", pair(1), ", 0.0);");
    out.line("step_x.z = -(step_x.x + step_x.y);");
    out.line("step_y.z = -(step_y.x + step_y.y);");
    out.line("vec3 back = ((p.x & 1) != 0 ? -step_x : vec3(0.0)) + ((p.y & 1) != 0 ? -step_y : vec3(0.0));");
    out.line("vec3 f = vec3(f0, f1, f2);");
    const std::string rest = ", vec3(" + text.real_word(pica::kRecordInverseW) + ", " +
                             text.real_word(pica::kRecordInverseW + 1) + ", " +
                             text.real_word(pica::kRecordInverseW + 2) + "));";
    out.line("vec3 w00 = quad_weights(f + back", rest);
    out.line("vec3 w10 = quad_weights(f + (back + step_x)", rest);
    out.line("vec3 w01 = quad_weights(f + (back + step_y)", rest);
}

void write_integer_weights(FragmentText& text)
{
    for (const u32 edge : {0u, 1u})
        write_quad_edge(text, edge);
    std::string rest = ", edge_sum, ivec3(low0, low1, low2), shifts, vec3(";
    if (text.layout.wide != pica::kEdges36)
        rest = std::string(", ") + (text.layout.wide ? "area" : text.word(pica::kRecordArea)) + ", " +
               text.word(pica::kRecordShift) + ", vec3(";
    for (u32 i = 0; i < 3; i++)
        rest += (i ? ", " : "") + text.real_word(pica::kRecordInverseW + i);
    rest += "));";
    text.body.line("vec3 w00 = quad_weights(quad_e0, quad_e1", rest);
    text.body.line("vec3 w10 = quad_weights(", quad_edge(text, 0, 0), ", ", quad_edge(text, 1, 0), rest);
    text.body.line("vec3 w01 = quad_weights(", quad_edge(text, 0, 1), ", ", quad_edge(text, 1, 1), rest);
}

} // namespace

void write_quad(FragmentText& text)
{
    if (text.quad)
        return;
    text.quad = true;
    for (const std::string_view name : {"is_beyond_horizon", "rcp_positive", "weight", "interpolate"})
        text.use(name);
    if (!text.real_edges)
        text.use("bounded_edge");
    text.define("quad_weights", text.real_edges ? kQuadWeightsReal : kQuadWeightsOf[text.layout.wide]);
    text.body.blank();
    text.body.line("// Three pixels of the quad");
    if (text.real_edges)
        write_real_weights(text);
    else
        write_integer_weights(text);
    text.body.line("bool beyond = w00.z > 0.5 || w10.z > 0.5 || w01.z > 0.5;");
}

std::string quad_values(FragmentText& text, u32 offset)
{
    if (offset == 0)
        return "vec3(0.0)";
    return quad_values(text, record_values(text, offset));
}

std::string quad_values(FragmentText& text, const std::string& words)
{
    text.define("quad_values", kQuadValues);
    return "quad_values(" + words + ", w00, w10, w01)";
}

std::string record_values(FragmentText& text, u32 offset)
{
    return "vec3(" + text.real_word(offset) + ", " + text.real_word(offset + 1) + ", " +
           text.real_word(offset + 2) + ")";
}

std::string level_of_detail(FragmentText& text, const std::string& unit, const std::string& u,
                            const std::string& v)
{
    for (const std::string_view name : {"larger", "magnitude", "level_of_detail", "bounded_lod"})
        text.use(name);
    text.define("quad_step", kQuadStep);
    const std::string size = text.draw("texture_size[" + unit + "]");
    return "bounded_lod(beyond ? 0x100000 : level_of_detail(larger(quad_step(" + u + ", " + size +
           ".x), quad_step(" + v + ", " + size + ".y))), " + size + ".z, " + size + ".w & 65535, " + size +
           ".w >> 16)";
}

} // namespace shadergen
