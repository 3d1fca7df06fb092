// SPDX-License-Identifier: MIT
// Texture units of the ubershader. Variants without a level of detail pay nothing for it. Source of truth:
// design.md, rows "Texel address", "LOD", "Filter". Tests: ubershader_test.cpp, tests/golden/glsl
#include "shadergen/ubershader_texture.h"

#include "shadergen/fragment_text.h"
#include "shadergen/interpolation.h"
#include "shadergen/level_of_detail.h"
#include "shadergen/texture_types.h"
#include "shadergen/texture_unit.h"
#include "shadergen/ubershader.h"
#include "shadergen/ubershader_state.h"

#include <cstddef>

namespace shadergen
{

namespace
{

using pica::u32;

static_assert(offsetof(pica::TextureUnitKey, linear) == 3 &&
              offsetof(pica::TextureUnitKey, null_address) == 5 && offsetof(pica::TextureUnitKey, lod) == 6 &&
              offsetof(pica::TextureUnitKey, orthographic) == 7);

// Enumerators as in pica/regs/enums.h.
constexpr std::string_view kWrap = R"(int wrap_texel(uint mode, int s, int size)
{
    if (mode == 3u) return wrap_mirror(s, size);
    if (mode <= 1u) return wrap_clamp(s, size);
    if (mode == 4u || mode == 5u) return wrap_clamp2(s, size);
    return wrap_repeat(s, size);
}
bool is_border(uint mode, int s, int size)
{
    return (mode == 1u && outside_both(s, size)) || (mode == 5u && outside_above(s, size));
}
)";

constexpr std::string_view kLevel0 =
    R"(uint texel(usampler2D image, uint key, ivec2 size, uint border, int s, int t)
{
    uint mode_s = byte_of(key, 1u);
    uint mode_t = byte_of(key, 2u);
    uint c = texelFetch(image, ivec2(wrap_texel(mode_s, s, size.x), wrap_texel(mode_t, t, size.y)), 0).x;
    return is_border(mode_s, s, size.x) || is_border(mode_t, t, size.y) ? border : c;
}
vec4 sample_unit(usampler2D image, uvec2 key, ivec2 size, uint border, vec2 set0, vec2 set1, vec2 set2)
{
    if (byte_of(key.x, 0u) != 0u) return vec4(0.0);
    if (byte_of(key.y, 1u) != 0u) return vec4(0.0, 0.0, 0.0, 255.0);
    uint set = byte_of(key.y, 0u);
    float s = set == 0u ? set0.x : set == 1u ? set1.x : set2.x;
    float t = set == 0u ? set0.y : set == 1u ? set1.y : set2.y;
    int u = texel_coordinate(s, float(size.x << 8));
    int v = texel_coordinate(t, float(size.y << 8));
    if (byte_of(key.x, 3u) == 0u) return unpacked(texel(image, key.x, size, border, u >> 8, v >> 8));
    int x = (u - 128) >> 8;
    int y = (v - 128) >> 8;
    uint c00 = texel(image, key.x, size, border, x, y);
    uint c10 = texel(image, key.x, size, border, x + 1, y);
    uint c01 = texel(image, key.x, size, border, x, y + 1);
    uint c11 = texel(image, key.x, size, border, x + 1, y + 1);
    return bilinear(c00, c10, c01, c11, u - 128, v - 128);
}
)";

// With levels, the functions for texel, filter and unit also take the level, or the level of detail. SAMPLER
// and FETCH are replaced by what unit 0 and the other units have.
constexpr std::string_view kLevels =
    R"(uint texel(SAMPLER image, uint key, ivec2 size, uint border, int s, int t, int level)
{
    uint mode_s = byte_of(key, 1u);
    uint mode_t = byte_of(key, 2u);
    uint c = FETCH(image, wrap_texel(mode_s, s, size.x), wrap_texel(mode_t, t, size.y), level);
    return is_border(mode_s, s, size.x) || is_border(mode_t, t, size.y) ? border : c;
}
vec4 sample_level(SAMPLER image, uint key, ivec2 size0, uint border, vec2 at, int level, bool linear)
{
    ivec2 size = size0 >> level;
    int u = texel_coordinate(at.x, float(size.x << 8));
    int v = texel_coordinate(at.y, float(size.y << 8));
    if (!linear) return unpacked(texel(image, key, size, border, u >> 8, v >> 8, level));
    int x = (u - 128) >> 8;
    int y = (v - 128) >> 8;
    uint c00 = texel(image, key, size, border, x, y, level);
    uint c10 = texel(image, key, size, border, x + 1, y, level);
    uint c01 = texel(image, key, size, border, x, y + 1, level);
    uint c11 = texel(image, key, size, border, x + 1, y + 1, level);
    return bilinear(c00, c10, c01, c11, u - 128, v - 128);
}
vec4 sample_unit(SAMPLER image, uvec2 key, ivec4 size, uint border, vec2 at, int lod)
{
    if (byte_of(key.x, 0u) == 5u) return vec4(0.0);
    if (byte_of(key.y, 1u) != 0u) return vec4(0.0, 0.0, 0.0, 255.0);
    uint choice = byte_of(key.y, 2u);
    bool linear = byte_of(key.x, 3u) != 0u;
    if (choice == 0u || lod <= 0) return sample_level(image, key.x, size.xy, border, at, 0, linear);
    linear = (choice & 2u) != 0u;
    if ((choice & 4u) == 0u) return sample_level(image, key.x, size.xy, border, at, (lod + 127) >> 8, linear);
    vec4 c0 = sample_level(image, key.x, size.xy, border, at, lod >> 8, linear);
    vec4 c1 = sample_level(image, key.x, size.xy, border, at, min((lod >> 8) + 1, size.w >> 24), linear);
    return mix_levels(c0, c1, lod & 255);
}
)";

constexpr std::string_view kChoose =
    R"(vec2 choose_set(uint set, vec2 a, vec2 b, vec2 c) { return set == 0u ? a : set == 1u ? b : c; }
vec3 choose_set(uint set, vec3 a, vec3 b, vec3 c) { return set == 0u ? a : set == 1u ? b : c; }
)";

void replace_all(std::string& in, std::string_view what, std::string_view by)
{
    for (std::size_t at = in.find(what); at != in.npos; at = in.find(what, at + by.size()))
        in.replace(at, what.size(), by);
}

// The text for pictures of N x texels, or unchanged. Those of 1x are sampled alike: their sizes are powers of two.
std::string for_texels(std::string_view text, bool scaled)
{
    std::string result(text);
    if (!scaled)
        return result;
    for (const std::string mode : {"mirror", "repeat", "clamp2"})
        replace_all(result, "wrap_" + mode + "(", "wrap_scaled_" + mode + "(");
    replace_all(result, "texel_coordinate(", "scaled_texel_coordinate(");
    for (const std::string axis : {"x", "y"})
        replace_all(result, "float(size." + axis + " << 8)", "size." + axis);
    return result;
}

void write_level0(FragmentText& text, bool scaled)
{
    text.functions.raw(for_texels(kLevel0, scaled));
    text.body.blank();
    text.body.line("// Texture units");
    for (u32 unit = 0; unit < 3; unit++)
    {
        const std::string n = number(unit);
        text.body.line("vec4 texture", n, " = sample_unit(texture_image", n, ", ",
                       text.draw("state[" + number(kTextureRow + unit / 2) + "]"), unit == 1 ? ".zw" : ".xy",
                       ", draw.texture_size[", n, "].xy, draw.border_color[", n,
                       "], vec2(texcoord0_u, texcoord0_v), vec2(texcoord1_u, texcoord1_v), "
                       "vec2(texcoord2_u, texcoord2_v));");
    }
}

constexpr std::string_view kShadow =
    R"(vec4 shadow_unit(SAMPLER image, bool bordered, ivec2 size, vec2 at, int reference)
{
    int x = texel_coordinate(at.x, float(size.x << 8)) - 128;
    int y = texel_coordinate(at.y, float(size.y << 8)) - 128;
    vec4 lit;
    for (int i = 0; i < 4; i++)
    {
        int s = (x >> 8) + (i & 1);
        int t = (y >> 8) + (i >> 1);
        uint c = FETCH(image, wrap_clamp(s, size.x), wrap_clamp(t, size.y), 0);
        int tap = shadow_tap(int(c >> 8), int(c & 255u), reference);
        lit[i] = bordered && (outside_both(s, size.x) || outside_both(t, size.y)) ? 255.0 : float(tap);
    }
    return vec4(bilinear_value(lit.x, lit.y, lit.z, lit.w, x, y));
}
)";

// The text for one kind of sampler.
std::string for_sampler(std::string_view text, bool array)
{
    std::string result(text);
    replace_all(result, "SAMPLER", array ? "usampler2DArray" : "usampler2D");
    replace_all(result, "FETCH(image, ", array ? "fetch_face(image, " : "fetch(image, ");
    return result;
}

constexpr std::string_view kFetch =
    R"(uint fetch(usampler2D image, int s, int t, int level) { return texelFetch(image, ivec2(s, t), level).x; }
)";
constexpr std::string_view kFetchFace = R"(int face0;
uint fetch_face(usampler2DArray image, int s, int t, int level) { return texelFetch(image, ivec3(s, t, face0), level).x; }
)";

// Declares texcoord0_w, and unit0_u, unit0_v, quad0_u and quad0_v of unit 0 from set 0; also reference0.
void write_unit0(FragmentText& text, Unit0Types types)
{
    for (const std::string_view name :
         {"rcp", "divisor", "fm", "shadow_reference", "shadow_tap", "wrap_clamp", "outside_both"})
        text.use(name);
    const u32 word = text.layout.texcoord0_w;
    GlslWriter& out = text.body;
    out.line("float texcoord0_w = ", interpolated(text, word), ";");
    out.line("vec3 quad0_w = ", quad_values(text, word), ";");
    out.line("uint type0 = byte_of(key0.x, 0u);");
    if (types == Unit0Types::Divided)
    {
        out.line("bool divides = type0 == 3u || byte_of(key0.y, 3u) == 0u;");
        out.line("float divided = rcp(divisor(texcoord0_w));");
        out.line("at0 = divides ? vec2(fm(at0.x, divided), fm(at0.y, divided)) : at0;");
        out.line("vec3 divided_quad = vec3(rcp(divisor(quad0_w.x)), rcp(divisor(quad0_w.y)), "
                 "rcp(divisor(quad0_w.z)));");
        for (const std::string axis : {"u0", "v0"})
            out.line(axis, " = vec3(fm(", axis, ".x, divided_quad.x), fm(", axis, ".y, divided_quad.y), fm(",
                     axis, ".z, divided_quad.z));");
        out.line("int reference0 = shadow_reference(texcoord0_w, int(", text.draw("misc.w"), "));");
        return;
    }
    for (const std::string_view name : {"cube_face", "cube_major", "cube_s", "cube_t", "cube_coordinate"})
        text.use(name);
    out.line("face0 = cube_face(at0.x, at0.y, texcoord0_w);");
    out.line("float major0 = cube_major(face0, at0.x, at0.y, texcoord0_w);");
    out.line("float divided = rcp(divisor(major0));");
    out.line("int reference0 = shadow_reference(major0, int(", text.draw("misc.w"), "));");
    out.line("at0 = vec2(cube_coordinate(cube_s(face0, at0.x, texcoord0_w), divided), "
             "cube_coordinate(cube_t(face0, at0.y, texcoord0_w), divided));");
    out.line("int quad_face = cube_face(u0.x, v0.x, quad0_w.x);");
    out.line("for (int i = 0; i < 3; i++)");
    out.open();
    out.line("vec3 direction = vec3(u0[i], v0[i], quad0_w[i]);");
    out.line(
        "float reciprocal = rcp(divisor(cube_major(quad_face, direction.x, direction.y, direction.z)));");
    out.line("u0[i] = cube_coordinate(cube_s(quad_face, direction.x, direction.z), reciprocal);");
    out.line("v0[i] = cube_coordinate(cube_t(quad_face, direction.y, direction.z), reciprocal);");
    out.close();
}

void write_levels(FragmentText& text, Unit0Types types, bool scaled)
{
    define_mix_levels(text);
    const std::string levels = for_texels(kLevels, scaled);
    text.functions.raw(kFetch);
    text.functions.raw(for_sampler(levels, false));
    if (types == Unit0Types::Cube)
    {
        text.functions.raw(kFetchFace);
        text.functions.raw(for_sampler(levels, true));
    }
    if (types != Unit0Types::Texture2D)
        text.functions.raw(for_sampler(for_texels(kShadow, scaled), types == Unit0Types::Cube));
    text.functions.raw(kChoose);
    write_quad(text);
    GlslWriter& out = text.body;
    for (u32 set = 0; set < 3; set++)
        for (const u32 axis : {0u, 1u})
            out.line("vec3 quad", number(set),
                     axis ? "_v = " : "_u = ", quad_values(text, text.layout.texcoord[set] + 3 * axis), ";");
    out.blank();
    out.line("// Texture units");
    for (u32 unit = 0; unit < 3; unit++)
    {
        const std::string n = number(unit);
        out.line("uvec2 key", n, " = ", text.draw("state[" + number(kTextureRow + unit / 2) + "]"),
                 unit == 1 ? ".zw" : ".xy", ";");
        out.line("uint set", n, " = byte_of(key", n, ".y, 0u);");
        for (const std::string axis : {"u", "v"})
            out.line("vec3 ", axis, n, " = choose_set(set", n, ", quad0_", axis, ", quad1_", axis, ", quad2_",
                     axis, ");");
        out.line("vec2 at", n, " = choose_set(set", n,
                 ", vec2(texcoord0_u, texcoord0_v), vec2(texcoord1_u, texcoord1_v), "
                 "vec2(texcoord2_u, texcoord2_v));");
        const bool typed = unit == 0 && types != Unit0Types::Texture2D;
        if (typed)
            write_unit0(text, types);
        out.line("int lod", n, " = ", level_of_detail(text, unit, "u" + n, "v" + n), ";");
        const std::string sample = "sample_unit(texture_image" + n + ", key" + n + ", draw.texture_size[" +
                                   n + "], draw.border_color[" + n + "], at" + n + ", lod" + n + ")";
        if (typed)
            out.line(
                "vec4 texture0 = type0 == ", types == Unit0Types::Cube ? "4u" : "2u",
                " ? shadow_unit(texture_image0, type0 == 2u, draw.texture_size[0].xy, at0, reference0) : ",
                sample, ";");
        else
            out.line("vec4 texture", n, " = ", sample, ";");
    }
}

} // namespace

void write_ubershader_textures(FragmentText& text, const UbershaderKey& key)
{
    const bool scaled = key.scaled != 0;
    for (const std::string_view name : {"wrap_clamp", "outside_both", "outside_above"})
        text.use(name);
    for (const std::string_view name : {"texel_coordinate", "wrap_mirror", "wrap_clamp2", "wrap_repeat"})
        if (!scaled)
            text.use(name);
    for (const std::string_view name :
         {"scaled_texel_coordinate", "wrap_scaled_mirror", "wrap_scaled_clamp2", "wrap_scaled_repeat"})
        if (scaled)
            text.use(name);
    define_unpacked(text);
    define_bilinear(text);
    define_bilinear_value(text);
    text.functions.raw(for_texels(kWrap, scaled));
    text.textures = 7;
    for (u32 set = 0; set < 3; set++)
        write_texcoord(text, set);
    if (key.lod)
        write_levels(text, key.unit0, scaled);
    else
        write_level0(text, scaled);
}

} // namespace shadergen
