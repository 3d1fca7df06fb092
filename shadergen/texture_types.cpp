// SPDX-License-Identifier: MIT
// Types of texture unit 0 beyond 2D: projection, cube, shadow. Source of truth: design.md, row "Texel
// address"; pica/hardware/textures.md, "Types of unit 0"; the arithmetic is shaders/include/texture.h. Tests:
// fragment_test.cpp, tests/golden/glsl
#include "shadergen/texture_types.h"

#include "shadergen/fragment_text.h"
#include "shadergen/interpolation.h"
#include "shadergen/level_of_detail.h"
#include "shadergen/texture_unit.h"

namespace shadergen
{

namespace
{

using pica::TextureType;

void write_cube(FragmentText& text)
{
    const pica::TextureUnitKey& key = text.key.texture[0];
    for (const std::string_view name :
         {"rcp", "divisor", "cube_face", "cube_major", "cube_s", "cube_t", "cube_coordinate"})
        text.use(name);
    text.functions.line("int face0;"); // the functions that fetch texels read it
    GlslWriter& out = text.body;
    const std::string x = "texcoord0_u", y = "texcoord0_v", z = "texcoord0_w";
    out.line("face0 = cube_face(", x, ", ", y, ", ", z, ");");
    out.line("float major0 = cube_major(face0, ", x, ", ", y, ", ", z, ");");
    out.line("float divided0 = rcp(divisor(major0));");
    out.line("float unit0_u = cube_coordinate(cube_s(face0, ", x, ", ", z, "), divided0);");
    out.line("float unit0_v = cube_coordinate(cube_t(face0, ", y, ", ", z, "), divided0);");
    if (key.type == TextureType::ShadowCube)
        out.line("int reference0 = shadow_reference(major0, int(", text.draw("misc.w"), "));");
    if (!key.lod)
        return;
    out.line("int quad_face = cube_face(u0.x, v0.x, w0.x);");
    for (const std::string c : {"x", "y", "z"})
        out.line("float quad_divided_", c, " = rcp(divisor(cube_major(quad_face, u0.", c, ", v0.", c, ", w0.",
                 c, ")));");
    for (const std::string axis : {"u", "v"})
    {
        out.line("vec3 quad0_", axis, " = vec3(");
        for (const std::string c : {"x", "y", "z"})
            out.line("    cube_coordinate(cube_", axis == "u" ? "s(quad_face, u0." : "t(quad_face, v0.", c,
                     ", w0.", c, "), quad_divided_", c, c == "z" ? "));" : "),");
    }
}

void write_divided(FragmentText& text)
{
    const pica::TextureUnitKey& key = text.key.texture[0];
    GlslWriter& out = text.body;
    const bool divides = key.type == TextureType::Projection || !key.orthographic;
    if (divides)
    {
        for (const std::string_view name : {"rcp", "divisor", "fm"})
            text.use(name);
        out.line("float divided0 = rcp(divisor(texcoord0_w));");
        out.line("float unit0_u = fm(texcoord0_u, divided0);");
        out.line("float unit0_v = fm(texcoord0_v, divided0);");
    }
    else
    {
        out.line("float unit0_u = texcoord0_u;");
        out.line("float unit0_v = texcoord0_v;");
    }
    if (key.type == TextureType::Shadow2D)
        out.line("int reference0 = shadow_reference(texcoord0_w, int(", text.draw("misc.w"), "));");
    if (!key.lod)
        return;
    text.define("divided_points", R"(vec3 divided_points(vec3 a, vec3 q)
{
    return vec3(fm(a.x, rcp(divisor(q.x))), fm(a.y, rcp(divisor(q.y))), fm(a.z, rcp(divisor(q.z))));
}
)");
    out.line("vec3 quad0_u = divided_points(u0, w0);");
    out.line("vec3 quad0_v = divided_points(v0, w0);");
}

} // namespace

void write_unit0_coordinates(FragmentText& text)
{
    const pica::TextureUnitKey& key = text.key.texture[0];
    const pica::u32 word = text.layout.texcoord0_w;
    text.body.line("float texcoord0_w = ", interpolated(text, word), ";");
    if (key.lod)
        text.body.line("vec3 w0 = ", quad_values(text, word), ";");
    if (key.is_shadow())
        text.use("shadow_reference");
    if (key.is_cube())
        write_cube(text);
    else
        write_divided(text);
}

void define_bilinear_value(FragmentText& text)
{
    text.define("bilinear_value",
                R"(float bilinear_value(float c00, float c10, float c01, float c11, int x, int y)
{
    float fx = float(x & 255);
    float fy = float(y & 255);
    float lower = fma(c10, fx, c00 * (256.0 - fx));
    float upper = fma(c11, fx, c01 * (256.0 - fx));
    return trunc(fma(upper, fy, fma(lower, 256.0 - fy, 32768.0)) * as_real(0x37800000u));
}
)");
}

void write_shadow(FragmentText& text)
{
    const bool cube = text.key.texture[0].is_cube();
    for (const std::string_view name : {"shadow_tap", "wrap_clamp"})
        text.use(name);
    define_bilinear_value(text);
    const std::string size = text.draw("texture_size[0]");
    GlslWriter& out = text.functions;
    out.line("float shadow0(int s, int t, int reference)");
    out.open();
    out.line("uint c = texelFetch(texture_image0, ", cube ? "ivec3(" : "ivec2(", "wrap_clamp(s, ", size,
             ".x), wrap_clamp(t, ", size, ".y)", cube ? ", face0" : "", "), 0).x;");
    out.line("int lit = shadow_tap(int(c >> 8), int(c & 255u), reference);");
    if (!cube)
    {
        text.use("outside_both");
        out.line("if (outside_both(s, ", size, ".x) || outside_both(t, ", size, ".y)) lit = 255;");
    }
    out.line("return float(lit);");
    out.close();
    text.body.line("int x0 = ", texel_position(text, 0, "unit0_u", size + ".x"), " - 128;");
    text.body.line("int y0 = ", texel_position(text, 0, "unit0_v", size + ".y"), " - 128;");
    const auto tap = [](const char* s, const char* t)
    { return "shadow0((x0 >> 8)" + std::string(s) + ", (y0 >> 8)" + t + ", reference0)"; };
    text.body.line("vec4 texture0 = vec4(bilinear_value(", tap("", ""), ", ", tap(" + 1", ""), ", ",
                   tap("", " + 1"), ", ", tap(" + 1", " + 1"), ", x0, y0));");
}

} // namespace shadergen
