// SPDX-License-Identifier: MIT
// Texture coordinates on texel boundaries, for triangles whose three 1/w are equal: integers decide on which
// side of the boundary the exact fraction is. Source of truth: design.md, row "Ties"; the arithmetic is
// shaders/include/ties.h. Tests: fragment_test.cpp, tests/golden/glsl, tests/conformance/ties.cpp
#include "shadergen/ties.h"

#include "shadergen/fragment_text.h"
#include "shadergen/interpolation.h"

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

// near_tie: is the interpolated value of a coordinate near a tie? near_texel_edge: and is that tie the edge of a texel?
// settle_tie: the value near a tie. a: the coordinate's triple in the triangle record. size: texels of the texture.
std::string functions(const FragmentText& text)
{
    const std::string edge = text.layout.wide ? "uvec2 " : "int ";
    const std::string product = text.layout.wide ? "multiply_edge(" : "multiply_wide(";
    return R"(bool near_tie(float u, vec3 a)
{
    int exponent = tie_exponent(a.x, a.y, a.z);
    return is_near_tie(u, nearest_tie(u, exponent, tie_spacing(exponent)), exponent);
}
bool near_texel_edge(float u, vec3 a, int size)
{
    int exponent = tie_exponent(a.x, a.y, a.z);
    float tie = nearest_tie(u, exponent, tie_spacing(exponent));
    float texel = tie * float(size);
    return is_near_tie(u, tie, exponent) && texel == floor(texel);
}
float settle_tie(float u, vec3 a, )" +
           edge + "e0, " + edge + "e1, " + edge + R"(area)
{
    int exponent = tie_exponent(a.x, a.y, a.z);
    float spacing = tie_spacing(exponent);
    float tie = nearest_tie(u, exponent, spacing);
    uvec2 sum = )" +
           product + R"(tie_units(a.x, exponent) - tie_units(tie, exponent), area);
    sum = add_wide(sum, )" +
           product + R"(tie_units(a.y, exponent), e0));
    sum = add_wide(sum, )" +
           product + R"(tie_units(a.z, exponent), e1));
    return beside_tie(u, tie, spacing, int(sum.x) >= 0);
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

} // namespace

void write_ties(FragmentText& text, u32 set)
{
    const u32 offset = text.layout.texcoord[set];
    if (offset == 0)
        return;
    for (const std::string_view name :
         {"tie_exponent", "tie_spacing", "nearest_tie", "is_near_tie", "tie_units", "beside_tie"})
        text.use(name);
    define_wide_sums(text);
    if (text.layout.wide)
        text.define("multiply_edge", kEdgeProductWide);
    text.define("settle_tie", functions(text));
    const std::string area = text.layout.wide ? "area" : text.word(pica::kRecordArea);
    const std::string inverse_w[3] = {text.word(pica::kRecordInverseW), text.word(pica::kRecordInverseW + 1),
                                      text.word(pica::kRecordInverseW + 2)};
    GlslWriter& out = text.body;
    out.line("if (", inverse_w[0], " == ", inverse_w[1], " && ", inverse_w[0], " == ", inverse_w[2], ")");
    out.open();
    const u32 unit = nearest_unit(text.key, set);
    // One branch for both coordinates, because most pixels that come here are near no tie.
    const std::string name[2] = {"texcoord" + number(set) + "_u", "texcoord" + number(set) + "_v"};
    std::string triple[2];
    for (const u32 axis : {0u, 1u})
    {
        const u32 word = offset + 3 * axis;
        triple[axis] = "vec3(" + text.real_word(word) + ", " + text.real_word(word + 1) + ", " +
                       text.real_word(word + 2) + ")";
        const std::string arguments = "(" + name[axis] + ", " + triple[axis];
        if (unit < 3)
            out.line("bool near_", axis ? "v" : "u", " = near_texel_edge", arguments, ", ",
                     text.draw("texture_size[" + number(unit) + "]"), axis ? ".y);" : ".x);");
        else
            out.line("bool near_", axis ? "v" : "u", " = near_tie", arguments, ");");
    }
    out.line("if (near_u || near_v)");
    out.open();
    for (const u32 axis : {0u, 1u})
        out.line("if (near_", axis ? "v) " : "u) ", name[axis], " = settle_tie(", name[axis], ", ",
                 triple[axis], ", e0, e1, ", area, ");");
    out.close();
    out.close();
}

} // namespace shadergen
