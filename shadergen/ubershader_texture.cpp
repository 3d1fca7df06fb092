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
using pica::u8;

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

// A texel of a unit. PLACE: of unit 0, which may have faces.
constexpr std::string_view kFetch = R"(uint fetch(uint unit, int s, int t, int level)
{
    switch (unit)
    {
    case 0u: return texelFetch(texture_image0, PLACE, level).x;
    case 1u: return texelFetch(texture_image1, ivec2(s, t), level).x;
    }
    return texelFetch(texture_image2, ivec2(s, t), level).x;
}
)";

// Without the linear filter all four texels are the same one, and so is the filter's result.
constexpr std::string_view kLevel =
    R"(vec4 sample_level(uint unit, uint key, ivec2 size0, uint border, vec2 at, int level, bool linear)
{
    ivec2 size = size0 >> level;
    uint mode_s = byte_of(key, 1u);
    uint mode_t = byte_of(key, 2u);
    int half_texel = linear ? 128 : 0;
    int u = texel_coordinate(at.x, float(size.x << 8)) - half_texel;
    int v = texel_coordinate(at.y, float(size.y << 8)) - half_texel;
    int x = u >> 8;
    int y = v >> 8;
    int next_x = x + (half_texel >> 7);
    int next_y = y + (half_texel >> 7);
    int s0 = wrap_texel(mode_s, x, size.x);
    int s1 = wrap_texel(mode_s, next_x, size.x);
    int t0 = wrap_texel(mode_t, y, size.y);
    int t1 = wrap_texel(mode_t, next_y, size.y);
    bool border_s0 = is_border(mode_s, x, size.x);
    bool border_s1 = is_border(mode_s, next_x, size.x);
    bool border_t0 = is_border(mode_t, y, size.y);
    bool border_t1 = is_border(mode_t, next_y, size.y);
    uint c00 = fetch(unit, s0, t0, level);
    uint c10 = fetch(unit, s1, t0, level);
    uint c01 = fetch(unit, s0, t1, level);
    uint c11 = fetch(unit, s1, t1, level);
    return bilinear(border_s0 || border_t0 ? border : c00, border_s1 || border_t0 ? border : c10,
                    border_s0 || border_t1 ? border : c01, border_s1 || border_t1 ? border : c11, u, v);
}
)";

constexpr std::string_view kUnit =
    R"(vec4 sample_unit(uint unit, uvec2 key, ivec2 size, uint border, vec2 at)
{
    if (byte_of(key.x, 0u) != 0u) return vec4(0.0);
    if (byte_of(key.y, 1u) != 0u) return vec4(0.0, 0.0, 0.0, 255.0);
    return sample_level(unit, key.x, size, border, at, 0, byte_of(key.x, 3u) != 0u);
}
)";

// The loop has one round or two, so that there is one copy of its body.
constexpr std::string_view kUnitWithLevels =
    R"(vec4 sample_unit(uint unit, uvec2 key, ivec4 size, uint border, vec2 at, int lod)
{
    if (byte_of(key.x, 0u) == 5u) return vec4(0.0);
    if (byte_of(key.y, 1u) != 0u) return vec4(0.0, 0.0, 0.0, 255.0);
    uint choice = byte_of(key.y, 2u);
    bool is_smaller = choice != 0u && lod > 0;
    bool linear = is_smaller ? (choice & 2u) != 0u : byte_of(key.x, 3u) != 0u;
    bool between = is_smaller && (choice & 4u) != 0u;
    int level = between ? lod >> 8 : is_smaller ? (lod + 127) >> 8 : 0;
    int end = between ? min(level + 1, size.w >> 24) : level;
    vec4 color = vec4(0.0);
    int rounds = between ? 2 : 1;
    for (int i = 0; i < rounds; i++)
    {
        vec4 sampled = sample_level(unit, key.x, size.xy, border, at, i == 0 ? level : end, linear);
        color = i == 0 ? sampled : mix_levels(color, sampled, lod & 255);
    }
    return color;
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

constexpr std::string_view kShadow = R"(vec4 shadow_unit(bool bordered, ivec2 size, vec2 at, int reference)
{
    int x = texel_coordinate(at.x, float(size.x << 8)) - 128;
    int y = texel_coordinate(at.y, float(size.y << 8)) - 128;
    vec4 lit;
    for (int i = 0; i < 4; i++)
    {
        int s = (x >> 8) + (i & 1);
        int t = (y >> 8) + (i >> 1);
        uint c = fetch(0u, wrap_clamp(s, size.x), wrap_clamp(t, size.y), 0);
        int tap = shadow_tap(int(c >> 8), int(c & 255u), reference);
        lit[i] = bordered && (outside_both(s, size.x) || outside_both(t, size.y)) ? 255.0 : float(tap);
    }
    return vec4(bilinear_value(lit.x, lit.y, lit.z, lit.w, x, y));
}
)";

// Defines the functions down to sample_unit.
void define_sampling(FragmentText& text, std::string_view unit, bool faces, bool scaled)
{
    std::string fetch(kFetch);
    replace_all(fetch, "PLACE", faces ? "ivec3(s, t, face0)" : "ivec2(s, t)");
    text.functions.raw((faces ? "int face0;\n" : "") + fetch);
    text.functions.raw(for_texels(kLevel, scaled));
    text.functions.raw(unit);
    text.functions.raw(kChoose);
}

// Opens the loop over the units. It ends with the last unit that is used, so compilers cannot know its rounds, and the
// shader has one copy of what the units do. Declares unit, key and set.
void open_units(FragmentText& text)
{
    GlslWriter& out = text.body;
    out.blank();
    out.line("// Texture units");
    for (const std::string n : {"0", "1", "2"})
        out.line("vec4 texture", n, " = vec4(0.0);");
    const std::string row = text.draw("state[" + number(kTextureRow)),
                      next = text.draw("state[" + number(kTextureRow + 1));
    out.line("uint units = byte_of(", next, "].x, 0u) != 5u ? 3u : byte_of(", row,
             "].z, 0u) != 5u ? 2u : 1u;");
    out.line("for (uint unit = 0u; unit < units; unit++)");
    out.open();
    out.line("uvec2 key = unit == 0u ? ", row, "].xy : unit == 1u ? ", row, "].zw : ", next, "].xy;");
    out.line("uint set = byte_of(key.y, 0u);");
}

// color: the unit's.
void close_units(FragmentText& text, const std::string& color)
{
    GlslWriter& out = text.body;
    out.line("vec4 color = ", color, ";");
    out.line("if (unit == 0u) texture0 = color;");
    out.line("else if (unit == 1u) texture1 = color;");
    out.line("else texture2 = color;");
    out.close();
}

// An expression of the coordinates at the pixel of the set that the uint `set` names.
std::string chosen_place(const std::string& set)
{
    return "choose_set(" + set +
           ", vec2(texcoord0_u, texcoord0_v), vec2(texcoord1_u, texcoord1_v), vec2(texcoord2_u, "
           "texcoord2_v))";
}

// The same of a coordinate at three pixels of the quad.
std::string chosen_quad(FragmentText& text, const std::string& set, u32 axis)
{
    std::string values = "choose_set(" + set;
    for (const u8 offset : text.layout.texcoord)
        values += ", " + record_values(text, offset + 3 * axis);
    return quad_values(text, values + ")");
}

void write_level0(FragmentText& text, bool scaled)
{
    define_sampling(text, kUnit, false, scaled);
    open_units(text);
    close_units(text, "sample_unit(unit, key, " + text.draw("texture_size[unit].xy, ") +
                          text.draw("border_color[unit], ") + chosen_place("set") + ")");
}

// Declares texcoord0_w, type0 and reference0, and changes at0, u0 and v0.
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

// Declares at0, u0 and v0, the coordinates of unit 0 after its type has changed them; also type0 and reference0.
void write_typed_unit0(FragmentText& text, Unit0Types types)
{
    GlslWriter& out = text.body;
    out.line("uvec2 key0 = ", text.draw("state[" + number(kTextureRow) + "].xy"), ";");
    out.line("uint set0 = byte_of(key0.y, 0u);");
    for (const u32 axis : {0u, 1u})
        out.line("vec3 ", axis ? "v0" : "u0", " = ", chosen_quad(text, "set0", axis), ";");
    out.line("vec2 at0 = ", chosen_place("set0"), ";");
    write_unit0(text, types);
}

void write_levels(FragmentText& text, Unit0Types types, bool scaled)
{
    define_mix_levels(text);
    define_sampling(text, kUnitWithLevels, types == Unit0Types::Cube, scaled);
    const bool typed = types != Unit0Types::Texture2D;
    if (typed)
        text.functions.raw(for_texels(kShadow, scaled));
    write_quad(text);
    if (typed)
        write_typed_unit0(text, types);
    open_units(text);
    GlslWriter& out = text.body;
    for (const u32 axis : {0u, 1u})
        out.line("vec3 ", axis ? "v" : "u", " = ", chosen_quad(text, "set", axis), ";");
    out.line("vec2 at = ", chosen_place("set"), ";");
    if (typed)
    {
        out.line("if (unit == 0u)");
        out.open();
        for (const std::string name : {"u", "v", "at"})
            out.line(name, " = ", name, "0;");
        out.close();
    }
    out.line("int lod = ", level_of_detail(text, "unit", "u", "v"), ";");
    std::string sample = "sample_unit(unit, key, " + text.draw("texture_size[unit], ") +
                         text.draw("border_color[unit], ") + "at, lod)";
    if (typed)
        sample = std::string("unit == 0u && type0 == ") + (types == Unit0Types::Cube ? "4u" : "2u") +
                 " ? shadow_unit(type0 == 2u, " + text.draw("texture_size[0].xy") +
                 ", at0, reference0) : " + sample;
    close_units(text, sample);
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
