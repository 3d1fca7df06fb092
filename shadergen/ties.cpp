// SPDX-License-Identifier: MIT
// Texture coordinates on texel boundaries, for triangles whose three 1/w are equal: integers decide on which
// side of the boundary the exact fraction is. Source of truth: design.md, row "Ties"; the arithmetic is
// shaders/include/ties.h. Tests: fragment_test.cpp, tests/golden/glsl, tests/conformance/ties.cpp
#include "shadergen/ties.h"

#include "shadergen/fragment_text.h"
#include "shadergen/interpolation.h"
#include "shadergen/raster_vertex.h"
#include "shadergen/tie_varyings.h"

namespace shadergen
{

namespace
{

using pica::u32;

// An edge value of kEdges36 as (high, low).
constexpr std::string_view kWholeEdge = R"(uvec2 whole_edge(int value, int low)
{
    return uvec2(uint(value >> 28), uint(value) << 4 | uint(low));
}
)";

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

// Where varyings hold a plane of the triangle (tie_varyings.h): t is the coordinate in spacings, and the tie a whole number
// of them. Near a tie the sum is below 2^41 units in magnitude, so 32 bits from bit 10 on have its sign. `low` exceeds the
// sum of the low bits by what kTiePlaneC lacks. All factors of t are powers of two, so the steps round as in beside_tie.
constexpr std::string_view kSettlePlane =
    R"(float settle_tie(float t, float tie, ivec4 plane, uvec2 p, int area)
{
    uint bits = uint(plane.w);
    uint low = (bits >> 20) * p.x + (bitfieldExtract(bits, 10, 10) * p.y + bits);
    int sum = plane.x * int(p.x) + plane.y * int(p.y) + plane.z + (int(tie) * area + int(low >> 10));
    float below = tie - fma(abs(tie), as_real(0x34800000u), as_real(0x34800000u));
    return sum >= 0 ? max(t, tie) : min(t, below);
}
)";

// The unit that alone reads the set, if it takes the nearest texel of level 0: then no other tie than the edge of a texel
// can be seen. Pictures that are drawn texel for pixel are sampled in the middle of texels, which are ties as well. Edges of
// N x texels need not be ties. 3: none.
u32 nearest_unit(const pica::FragmentKey& key, u32 set)
{
    u32 found = 3;
    for (u32 unit = 0; unit < 3; unit++)
    {
        const pica::TextureUnitKey& texture = key.texture[unit];
        if (!texture.samples() || texture.texcoord != set)
            continue;
        if (found != 3 || texture.type != pica::TextureType::Texture2D || texture.linear || texture.lod ||
            key.is_scaled(unit))
            return 3;
        found = unit;
    }
    return key.proctex.enabled && key.proctex.texcoord == set ? 3 : found;
}

// One coordinate of a texture coordinate set.
struct Coordinate
{
    u32 axis;
    std::string suffix; // of the names of its variables
    std::string name;
    std::string triple;
};

Coordinate coordinate_of(FragmentText& text, u32 set, u32 axis)
{
    const std::string suffix = number(set) + (axis ? "_v" : "_u");
    const u32 word = text.layout.texcoord[set] + 3 * axis;
    return {axis, suffix, "texcoord" + suffix,
            "vec3(" + text.real_word(word) + ", " + text.real_word(word + 1) + ", " +
                text.real_word(word + 2) + ")"};
}

// The texels of the axis, as a float, of the unit that takes the nearest one. Empty: none does.
std::string texels_of(FragmentText& text, u32 set, u32 axis)
{
    const u32 unit = nearest_unit(text.key, set);
    return unit < 3 ? text.draw("texture_scale[" + number(unit) + "]") + (axis ? ".y" : ".x") : std::string();
}

// Declares power, step, multiple and near, each with the coordinate's suffix. With nearest filtering, the ties are the
// multiples of the texel or of the spacing, whichever is larger, because both are powers of two.
void write_near(FragmentText& text, u32 set, const Coordinate& at)
{
    const std::string texels = texels_of(text, set, at.axis);
    std::string step = "spacing_of(power" + at.suffix + ")";
    if (!texels.empty())
        step = "max(" + step + ", as_real(0x7F000000u - as_bits(" + texels + ")))";
    GlslWriter& out = text.body;
    out.line("uint power", at.suffix, " = tie_power(", at.triple, ");");
    out.line("float step", at.suffix, " = ", step, ";");
    out.line("float multiple", at.suffix, " = nearest_multiple(", at.name, ", step", at.suffix, ");");
    out.line("bool near", at.suffix, " = is_near(", at.name, ", multiple", at.suffix, ", step", at.suffix,
             ", power", at.suffix, ");");
}

// The same where varyings hold what the triangle needs: scaled or per_unit, and steps in place of multiple.
void write_near_plane(FragmentText& text, u32 set, const Coordinate& at)
{
    const std::string& n = at.suffix;
    const std::string spacing = text.real_word(tie_word(text.layout, set) + 2 * at.axis + kTiePerUnit);
    const std::string limit = text.real_word(real_tail_word(text.layout) + kRealTieLimit);
    const std::string texels = texels_of(text, set, at.axis);
    GlslWriter& out = text.body;
    if (texels.empty())
    {
        out.line("float scaled", n, " = ", at.name, " * ", spacing, ";");
        out.line("float steps", n, " = roundEven(scaled", n, ");");
        out.line("bool near", n, " = abs(scaled", n, " - steps", n, ") < ", limit, ";");
        return;
    }
    out.line("float per_unit", n, " = min(", spacing, ", ", texels, ");");
    out.line("float steps", n, " = roundEven(", at.name, " * per_unit", n, ");");
    out.line("bool near", n, " = abs(fma(-steps", n, ", inverse_power(per_unit", n, "), ", at.name, ")) < ",
             limit, " * inverse_power(", spacing, ");");
}

void write_settled(FragmentText& text, const Coordinate& at)
{
    std::string edges;
    if (text.layout.wide == pica::kEdges36)
        edges = ", whole_edge(e0, low0), whole_edge(e1, low1), uvec2(" + text.word(pica::kRecordHeader + 2) +
                ", " + text.word(pica::kRecordArea) + ")";
    else
        edges = ", e0, e1, " + (text.layout.wide ? "area" : text.word(pica::kRecordArea));
    text.body.line("if (near", at.suffix, ") ", at.name, " = settle_tie(", at.name, ", multiple", at.suffix,
                   " * step", at.suffix, ", power", at.suffix, ", ", at.triple, edges, ");");
}

void write_settled_plane(FragmentText& text, u32 set, const Coordinate& at)
{
    const std::string& n = at.suffix;
    const u32 word = tie_word(text.layout, set) + 2 * at.axis;
    const u32 plane = tie_plane_word(text.layout, set, at.axis);
    const std::string spacing = text.real_word(word + kTiePerUnit);
    const std::string rest = ", q" + number(plane / 4) + ", tie_p, " + text.word(word + kTieArea) + ")";
    text.word(plane);
    std::string t = "scaled" + n, tie = "steps" + n;
    if (!texels_of(text, set, at.axis).empty())
    {
        t = at.name + " * " + spacing;
        tie += " * (" + spacing + " * inverse_power(per_unit" + n + "))";
    }
    const std::string settled = "settle_tie(" + t + ", " + tie + rest + " * inverse_power(" + spacing + ")";
    if (text.votes)
        text.body.line(at.name, " = near", n, " ? ", settled, " : ", at.name, ";");
    else
        text.body.line("if (near", n, ") ", at.name, " = ", settled, ";");
}

// Where varyings hold planes. The limit is 0 if the triangle is not flat.
void write_plane_ties(FragmentText& text, u32 set, const Coordinate (&coordinates)[2])
{
    text.define("inverse_power",
                "float inverse_power(float a) { return as_real(0x7F000000u - as_bits(a)); }\n");
    text.define("settle_tie", kSettlePlane);
    GlslWriter& out = text.body;
    const std::string is_flat = text.real_word(real_tail_word(text.layout) + kRealTieLimit) + " > 0.0";
    out.line("if (", text.vote(is_flat), ")");
    out.open();
    for (const Coordinate& at : coordinates)
        write_near_plane(text, set, at);
    out.line("if (", text.vote("near" + coordinates[0].suffix + " || near" + coordinates[1].suffix), ")");
    out.open();
    out.line(
        "uvec2 tie_p = uvec2(gl_FragCoord.xy) & 0xFFFFu;"); // so that compilers know that products are short
    for (const Coordinate& at : coordinates)
        write_settled_plane(text, set, at);
    out.close();
    out.close();
}

} // namespace

void write_ties(FragmentText& text, u32 set)
{
    if (text.layout.texcoord[set] == 0)
        return;
    const Coordinate coordinates[2] = {coordinate_of(text, set, 0), coordinate_of(text, set, 1)};
    if (text.real_edges)
        return write_plane_ties(text, set, coordinates);
    text.use("beside_tie");
    define_wide_sums(text);
    if (text.layout.wide)
        text.define("multiply_edge", kEdgeProductWide);
    if (text.layout.wide == pica::kEdges36)
        text.define("whole_edge", kWholeEdge);
    text.define("settle_tie", functions(text));
    const std::string inverse_w[3] = {text.word(pica::kRecordInverseW), text.word(pica::kRecordInverseW + 1),
                                      text.word(pica::kRecordInverseW + 2)};
    GlslWriter& out = text.body;
    out.line("if (", inverse_w[0], " == ", inverse_w[1], " && ", inverse_w[0], " == ", inverse_w[2], ")");
    out.open();
    for (const Coordinate& at : coordinates)
        write_near(text, set, at);
    // One branch for both coordinates, because most pixels that come here are near no tie.
    out.line("if (near", coordinates[0].suffix, " || near", coordinates[1].suffix, ")");
    out.open();
    for (const Coordinate& at : coordinates)
        write_settled(text, at);
    out.close();
    out.close();
}

} // namespace shadergen
