// SPDX-License-Identifier: MIT
// Texture coordinates on texel boundaries, for triangles whose three 1/w are equal: integers decide on which
// side of the boundary the exact fraction is. Source of truth: design.md, row "Ties"; the arithmetic is
// shaders/include/ties.h. Tests: fragment_test.cpp, tests/golden/glsl, tests/conformance/ties.cpp
#include "shadergen/ties.h"

#include "shadergen/fragment_text.h"
#include "shadergen/interpolation.h"
#include "shadergen/raster_vertex.h"

namespace shadergen
{

namespace
{

using pica::u32;

// The product of v and an edge value, as (high, low).
constexpr std::string_view kEdgeProductWide = R"(uvec2 multiply_edge(int v, uvec2 e)
{
    uvec2 product = multiply_wide(v, int(e.y));
    return uvec2(product.x + uint(v) * e.x + (int(e.y) < 0 ? uint(v) : 0u), product.y);
}
)";

// a: the coordinate's triple in the triangle record. tie_power: 2^E as bits. The other powers of two are differences of
// bits. All products with them are exact, fused or not. is_near: is u near a tie, which is a whole number of steps?
// settle_tie: the value near a tie.
std::string functions(const FragmentText& text)
{
    const std::string edge = text.layout.wide ? "uvec2 " : "int ";
    const std::string product = text.layout.wide ? "multiply_edge(" : "multiply_wide(";
    return R"(uint tie_power(vec3 a) { return as_bits(max(max(abs(a.x), abs(a.y)), max(abs(a.z), 1.0))) & 0x7F800000u; }
float spacing_of(uint power) { return max(as_real(power - 0x07800000u), as_real(0x3A000000u)); }
float nearest_multiple(float u, float step) { return floor(fma(u, as_real(0x7F000000u - as_bits(step)), 0.5)); }
bool is_near(float u, float multiple, float step, uint power)
{
    return abs(fma(-multiple, step, u)) < as_real(power - 0x09000000u);
}
int tie_units(float a, uint power) { return int(floor(a * as_real(0x8D000000u - power))); }
float settle_tie(float u, float tie, uint power, vec3 a, )" +
           edge + "e0, " + edge + "e1, " + edge + R"(area)
{
    uvec2 sum = )" +
           product + R"(tie_units(a.x, power) - int(tie * as_real(0x8D000000u - power)), area);
    sum = add_wide(sum, )" +
           product + R"(tie_units(a.y, power), e0));
    sum = add_wide(sum, )" +
           product + R"(tie_units(a.z, power), e1));
    return beside_tie(u, tie, spacing_of(power), int(sum.x) >= 0);
}
)";
}

// The unit that alone reads the set, if it takes the nearest texel of level 0: then no other tie than the edge of a texel
// can be seen. Pictures that are drawn texel for pixel are sampled in the middle of texels, which are ties as well. 3: none.
u32 nearest_unit(const pica::FragmentKey& key, u32 set)
{
    u32 found = 3;
    for (u32 unit = 0; unit < 3; unit++)
    {
        const pica::TextureUnitKey& texture = key.texture[unit];
        if (!texture.samples() || texture.texcoord != set)
            continue;
        if (found != 3 || texture.type != pica::TextureType::Texture2D || texture.linear || texture.lod)
            return 3;
        found = unit;
    }
    return key.proctex.enabled && key.proctex.texcoord == set ? 3 : found;
}

// One coordinate of a texture coordinate set.
struct Coordinate
{
    std::string suffix; // of the names of its variables
    std::string name;
    std::string triple;
};

// Declares power, step, multiple and near, each with the coordinate's suffix. With nearest filtering, the ties are the
// multiples of the texel or of the spacing, whichever is larger, because both are powers of two.
Coordinate write_near(FragmentText& text, u32 set, u32 axis)
{
    const std::string suffix = number(set) + (axis ? "_v" : "_u");
    const u32 word = text.layout.texcoord[set] + 3 * axis;
    const Coordinate at = {suffix, "texcoord" + suffix,
                           "vec3(" + text.real_word(word) + ", " + text.real_word(word + 1) + ", " +
                               text.real_word(word + 2) + ")"};
    const u32 unit = nearest_unit(text.key, set);
    std::string step = "spacing_of(power" + suffix + ")";
    if (unit < 3)
        step = "max(" + step + ", as_real(0x7F000000u - as_bits(" +
               text.draw("texture_scale[" + number(unit) + "]") + (axis ? ".y)))" : ".x)))");
    GlslWriter& out = text.body;
    out.line("uint power", suffix, " = tie_power(", at.triple, ");");
    out.line("float step", suffix, " = ", step, ";");
    out.line("float multiple", suffix, " = nearest_multiple(", at.name, ", step", suffix, ");");
    out.line("bool near", suffix, " = is_near(", at.name, ", multiple", suffix, ", step", suffix, ", power",
             suffix, ");");
    return at;
}

// Declares e0 and e1 where the varyings hold floats.
void write_integer_edges(FragmentText& text)
{
    const std::string bits = text.word(text.layout.words + kRealBits);
    text.body.line("int e0 = (int(f0) << (", bits, " & 255)) | (", bits, " >> 8 & 255);");
    text.body.line("int e1 = (int(f1) << (", bits, " & 255)) | ", bits, " >> 16;");
}

} // namespace

void write_ties(FragmentText& text, u32 set)
{
    if (text.layout.texcoord[set] == 0)
        return;
    text.use("beside_tie");
    define_wide_sums(text);
    if (text.layout.wide)
        text.define("multiply_edge", kEdgeProductWide);
    text.define("settle_tie", functions(text));
    const std::string area = text.layout.wide  ? "area"
                             : text.real_edges ? text.word(text.layout.words + kRealArea)
                                               : text.word(pica::kRecordArea);
    const std::string inverse_w[3] = {text.word(pica::kRecordInverseW), text.word(pica::kRecordInverseW + 1),
                                      text.word(pica::kRecordInverseW + 2)};
    GlslWriter& out = text.body;
    out.line("if (", inverse_w[0], " == ", inverse_w[1], " && ", inverse_w[0], " == ", inverse_w[2], ")");
    out.open();
    const Coordinate coordinates[2] = {write_near(text, set, 0), write_near(text, set, 1)};
    // One branch for both coordinates, because most pixels that come here are near no tie.
    out.line("if (near", coordinates[0].suffix, " || near", coordinates[1].suffix, ")");
    out.open();
    if (text.real_edges)
        write_integer_edges(text);
    for (const Coordinate& at : coordinates)
        out.line("if (near", at.suffix, ") ", at.name, " = settle_tie(", at.name, ", multiple", at.suffix,
                 " * step", at.suffix, ", power", at.suffix, ", ", at.triple, ", e0, e1, ", area, ");");
    out.close();
    out.close();
}

} // namespace shadergen
