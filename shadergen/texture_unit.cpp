// SPDX-License-Identifier: MIT
// Texture units 0..2: four exact texels and an integer filter, no arithmetic of samplers. Source of
// truth: design.md, rows "Texel address", "LOD" and "Filter"; pica/hardware/textures.md. Tests:
// fragment_test.cpp, tests/golden/glsl
#include "shadergen/texture_unit.h"

#include "shadergen/fragment_text.h"
#include "shadergen/interpolation.h"
#include "shadergen/level_of_detail.h"
#include "shadergen/texel_gather.h"
#include "shadergen/texture_types.h"
#include "shadergen/ties.h"

namespace shadergen
{

namespace
{

using pica::TextureWrap;
using pica::u32;

// How an axis maps a tap to a texel, and which taps take the border colour.
struct Wrap
{
    std::string_view index;
    std::string_view outside; // empty: no border
};

// scaled: the picture has N x texels, and its sizes need not be powers of two.
Wrap wrap_of(TextureWrap mode, bool scaled)
{
    switch (mode)
    {
    case TextureWrap::ClampToEdge:
        return {"wrap_clamp", {}};
    case TextureWrap::ClampToBorder:
        return {"wrap_clamp", "outside_both"};
    case TextureWrap::MirroredRepeat:
        return {scaled ? "wrap_scaled_mirror" : "wrap_mirror", {}};
    case TextureWrap::ClampToEdge2:
        return {scaled ? "wrap_scaled_clamp2" : "wrap_clamp2", {}};
    case TextureWrap::ClampToBorder2:
        return {scaled ? "wrap_scaled_clamp2" : "wrap_clamp2", "outside_above"};
    case TextureWrap::Repeat:
        break;
    }
    return {scaled ? "wrap_scaled_repeat" : "wrap_repeat", {}};
}

// Is an axis bounded before its coordinate becomes an integer? That is cheaper: it needs no floor, and taps are outside on
// one side alone.
bool wraps_real(const FragmentText& text, u32 unit, TextureWrap mode)
{
    const pica::TextureUnitKey& key = text.key.texture[unit];
    return mode == TextureWrap::ClampToEdge && !key.lod && key.type != pica::TextureType::Cube &&
           !text.key.is_scaled(unit);
}

// uint texelN(int s, int t): one tap as an RGBA8 word, wrapped, or the border colour. With levels, also takes the level's
// size.
void define_texel(FragmentText& text, u32 unit)
{
    const pica::TextureUnitKey& key = text.key.texture[unit];
    const bool scaled = text.key.is_scaled(unit);
    const Wrap s = wrap_of(key.wrap_s, scaled), t = wrap_of(key.wrap_t, scaled);
    const std::string n = number(unit);
    const bool levels = key.lod != 0 || key.type == pica::TextureType::Cube;
    const std::string size = levels ? "size" : text.draw("texture_size[" + n + "]");
    GlslWriter& out = text.functions;
    out.line("uint texel", n, levels ? "(int s, int t, ivec2 size, int level)" : "(int s, int t)");
    out.open();
    const auto wrapped =
        [&](const Wrap& wrap, TextureWrap mode, const std::string& tap, std::string_view axis)
    {
        if (wraps_real(text, unit, mode))
            return tap;
        text.use(wrap.index);
        return std::string(wrap.index).append("(" + tap + ", " + size).append(axis).append(")");
    };
    const std::string face = key.is_cube() ? ", face" + n : std::string();
    out.line("uint c = texelFetch(texture_image", n, face.empty() ? ", ivec2(" : ", ivec3(",
             wrapped(s, key.wrap_s, "s", ".x"), ", ", wrapped(t, key.wrap_t, "t", ".y"), face, "), ",
             levels ? "level" : "0", ").x;");
    std::string border;
    const auto add_border = [&](const Wrap& wrap, std::string_view tap, std::string_view axis)
    {
        if (wrap.outside.empty())
            return;
        text.use(wrap.outside);
        border.append(border.empty() ? "" : " || ").append(wrap.outside).append("(").append(tap);
        border.append(", ").append(size).append(axis).append(")");
    };
    add_border(s, "s", ".x");
    add_border(t, "t", ".y");
    if (border.empty())
        out.line("return c;");
    else
        out.line("return ", border, " ? ", text.draw("border_color[" + n + "]"), " : c;");
    out.close();
}

// vec4 nearestN or linearN(float u, float v, int level): the filter on one level.
std::string define_filter(FragmentText& text, u32 unit, bool linear)
{
    const std::string n = number(unit);
    const std::string name = (linear ? "linear" : "nearest") + n;
    GlslWriter& out = text.functions;
    out.line("vec4 ", name, "(float u, float v, int level)");
    out.open();
    out.line("ivec2 size = ", text.draw("texture_size[" + n + "]"), ".xy >> level;");
    out.line("int x = ", texel_position(text, unit, "u", "size.x"), linear ? " - 128;" : ";");
    out.line("int y = ", texel_position(text, unit, "v", "size.y"), linear ? " - 128;" : ";");
    const std::string tap = "texel" + n + "(";
    if (linear)
    {
        out.line("int s = x >> 8;");
        out.line("int t = y >> 8;");
        out.line("return bilinear(", tap, "s, t, size, level), ", tap, "s + 1, t, size, level), ", tap,
                 "s, t + 1, size, level), ", tap, "s + 1, t + 1, size, level), x, y);");
    }
    else
        out.line("return unpacked(", tap, "x >> 8, y >> 8, size, level));");
    out.close();
    return name;
}

// Expressions of a texture unit's coordinates, at the pixel and at the points of the quad.
struct Coordinates
{
    std::string u, v;
    std::string quad_u, quad_v;
};

// Declares textureN of a unit that chooses filter and level by the level of detail.
void write_levels(FragmentText& text, u32 unit, const Coordinates& at)
{
    const pica::TextureUnitKey& key = text.key.texture[unit];
    const std::string n = number(unit);
    const bool min_linear = (key.lod & pica::TextureUnitKey::kLodMinLinear) != 0;
    if (key.linear || min_linear)
        define_bilinear(text);
    const std::string minify = define_filter(text, unit, min_linear);
    const bool same = (key.linear != 0) == min_linear;
    const std::string magnify = same ? minify : define_filter(text, unit, !min_linear);
    text.body.line("int lod", n, " = ", level_of_detail(text, n, at.quad_u, at.quad_v), ";");
    const std::string where = "(" + at.u + ", " + at.v + ", ";
    std::string color;
    if ((key.lod & pica::TextureUnitKey::kLodMipLinear) != 0)
    {
        define_mix_levels(text);
        color = "mix_levels(" + minify + where + "lod" + n + " >> 8), " + minify + where + "min((lod" + n +
                " >> 8) + 1, " + text.draw("texture_size[" + n + "]") + ".w >> 24)), lod" + n + " & 255)";
    }
    else
        color = minify + where + "(lod" + n + " + 127) >> 8)";
    if (!same)
        color = "lod" + n + " <= 0 ? " + magnify + where + "0) : " + color;
    text.body.line("vec4 texture", n, " = ", color, ";");
}

// Declares textureN of a unit without levels that takes one texel: the floor of the coordinate times the size. Both are
// floors of the same exact product.
void write_nearest(FragmentText& text, u32 unit, const Coordinates& at)
{
    const pica::TextureUnitKey& key = text.key.texture[unit];
    const std::string n = number(unit);
    const std::string scale = text.draw("texture_scale[" + n + "]");
    for (const u32 axis : {0u, 1u})
    {
        const std::string coordinate = axis ? at.v : at.u, size = scale + (axis ? ".y" : ".x");
        const std::string index =
            wraps_real(text, unit, axis ? key.wrap_t : key.wrap_s)
                ? "min(clamp(" + coordinate + ", 0.0, 1.0) * " + size + ", " + scale + (axis ? ".w)" : ".z)")
                : "clamp(floor(" + coordinate + " * " + size + "), -4194304.0, 4194304.0)";
        text.body.line("int ", axis ? "t" : "s", n, " = int(", index, ");");
    }
    text.body.line("vec4 texture", n, " = unpacked(texel", n, "(s", n, ", t", n, "));");
}

// The taps of an axis, before texelN wraps them.
struct Taps
{
    std::string low, high;
};

// Declares x or y, the coordinate of a linear filter in 1/256 texel. Outside of 0..1, both taps that are clamped to the edge
// are the same texel, whatever the weights.
Taps write_linear_axis(FragmentText& text, u32 unit, u32 axis, const std::string& coordinate)
{
    const pica::TextureUnitKey& key = text.key.texture[unit];
    const std::string n = number(unit);
    const std::string suffix = axis ? ".y" : ".x";
    const std::string name = (axis ? "y" : "x") + n;
    const std::string size =
        "as_real(as_bits(" + text.draw("texture_scale[" + n + "]") + suffix + ") + 0x04000000u)";
    const std::string low = name + " >> 8", high = "(" + name + " >> 8) + 1";
    if (text.key.is_scaled(unit))
    {
        text.body.line("int ", name, " = ",
                       texel_position(text, unit, coordinate, text.draw("texture_size[" + n + "]") + suffix),
                       " - 128;");
        return {low, high};
    }
    if (!wraps_real(text, unit, axis ? key.wrap_t : key.wrap_s))
    {
        text.use("texel_coordinate");
        text.body.line("int ", name, " = texel_coordinate(", coordinate, ", ", size, ") - 128;");
        return {low, high};
    }
    text.body.line("int ", name, " = int(clamp(", coordinate, ", 0.0, 1.0) * ", size, ") - 128;");
    const std::string last = text.draw("texture_size[" + n + "]") + suffix + " - 1";
    return {"max(" + low + ", 0)", "min(" + high + ", " + last + ")"};
}

// Declares textureN of a unit without levels that takes one texel of N x texels.
void write_scaled_nearest(FragmentText& text, u32 unit, const Coordinates& at)
{
    const std::string n = number(unit);
    const std::string size = text.draw("texture_size[" + n + "]");
    text.body.line("int s", n, " = ", texel_position(text, unit, at.u, size + ".x"), " >> 8;");
    text.body.line("int t", n, " = ", texel_position(text, unit, at.v, size + ".y"), " >> 8;");
    text.body.line("vec4 texture", n, " = unpacked(texel", n, "(s", n, ", t", n, "));");
}

// Declares textureN of a unit without levels that takes four texels. In the middle of a texel that texel is the result, as
// in pictures that are drawn pixel for pixel.
void write_linear(FragmentText& text, u32 unit, const Coordinates& at)
{
    const std::string n = number(unit);
    const Taps s = write_linear_axis(text, unit, 0, at.u);
    const Taps t = write_linear_axis(text, unit, 1, at.v);
    const bool gathered = gathers(text, unit);
    if (gathered)
        write_gathered_texels(text, unit);
    const auto tap = [&](bool next_s, bool next_t)
    {
        if (gathered)
            return "texels" + n + "." + (next_t ? next_s ? "y" : "x" : next_s ? "z" : "w");
        return "texel" + n + "(" + (next_s ? s.high : s.low) + ", " + (next_t ? t.high : t.low) + ")";
    };
    const std::string others = ", " + tap(true, false) + ", " + tap(false, true) + ", " + tap(true, true) +
                               ", x" + n + ", y" + n + ");";
    if (!text.votes)
    {
        text.body.line("vec4 texture", n, " = bilinear(", tap(false, false), others);
        return;
    }
    text.body.line("uint first", n, " = ", tap(false, false), ";");
    text.body.line("vec4 texture", n, ";");
    text.body.line("if (", text.vote("((x" + n + " | y" + n + ") & 255) != 0"), ") texture", n,
                   " = bilinear(first", n, others);
    text.body.line("else texture", n, " = unpacked(first", n, ");");
}

} // namespace

std::string texel_position(FragmentText& text, u32 unit, const std::string& coordinate,
                           const std::string& size)
{
    if (text.key.is_scaled(unit))
    {
        text.use("scaled_texel_coordinate");
        return "scaled_texel_coordinate(" + coordinate + ", " + size + ")";
    }
    text.use("texel_coordinate");
    return "texel_coordinate(" + coordinate + ", float(" + size + " << 8))";
}

void define_mix_levels(FragmentText& text)
{
    text.define("mix_levels", R"(vec4 mix_levels(vec4 a, vec4 b, int g)
{
    float weight_b = float(g) * 0.00390625; // in steps of 2^-8, so all is exact
    return trunc(fma(b, vec4(weight_b), fma(a, vec4(1.0 - weight_b), vec4(0.5))));
}
)");
}

void write_texcoord(FragmentText& text, u32 set)
{
    if ((text.texcoords >> set & 1) != 0)
        return;
    text.texcoords |= 1u << set;
    const u32 offset = text.layout.texcoord[set];
    text.body.blank();
    text.body.line("// Texture coordinate ", number(set));
    for (const u32 axis : {0u, 1u})
        text.body.line("float texcoord", number(set),
                       axis ? "_v = " : "_u = ", interpolated(text, offset == 0 ? 0 : offset + 3 * axis),
                       ";");
    write_ties(text, set);
}

void define_unpacked(FragmentText& text)
{
    text.define("unpacked",
                R"(vec4 unpacked(uint c) { return vec4(uvec4(c, c >> 8, c >> 16, c >> 24) & 255u); }
)");
}

void define_bilinear(FragmentText& text)
{
    // The first step works on two channels of a word at a time: 255 * 256 fits 16 bits. All values are integers, in the
    // second step of 2^-16, so fma is exact.
    text.define("bilinear", R"(vec4 bilinear(uint c00, uint c10, uint c01, uint c11, int x, int y)
{
    uint fx = uint(x & 255);
    uint gx = (fx ^ 255u) + 1u;
    uvec2 lower = (uvec2(c00, c00 >> 8) & 0xFF00FFu) * gx + (uvec2(c10, c10 >> 8) & 0xFF00FFu) * fx;
    uvec2 upper = (uvec2(c01, c01 >> 8) & 0xFF00FFu) * gx + (uvec2(c11, c11 >> 8) & 0xFF00FFu) * fx;
    float fy = float(y & 255) * as_real(0x37800000u);
    vec4 l = vec4(uvec4(lower & 0xFFFFu, lower >> 16));
    vec4 u = vec4(uvec4(upper & 0xFFFFu, upper >> 16));
    return trunc(fma(u, vec4(fy), fma(l, vec4(0.00390625 - fy), vec4(0.5))));
}
)");
}

void write_texture_unit(FragmentText& text, u32 unit)
{
    const pica::TextureUnitKey& key = text.key.texture[unit];
    const std::string n = number(unit);
    const u32 set = key.texcoord;
    if (!key.enabled())
        return;
    if (key.null_address)
    {
        text.body.line("vec4 texture", n, " = vec4(0.0, 0.0, 0.0, 255.0);");
        return;
    }
    text.textures |= 1u << unit;
    define_unpacked(text);
    write_texcoord(text, set);
    if (key.lod)
        write_quad(text);
    text.body.blank();
    text.body.line("// Texture unit ", n);
    Coordinates at = {"texcoord" + number(set) + "_u", "texcoord" + number(set) + "_v", "u" + n, "v" + n};
    if (key.lod)
    {
        const u32 word = text.layout.texcoord[set];
        text.body.line("vec3 u", n, " = ", quad_values(text, word), ";");
        text.body.line("vec3 v", n, " = ", quad_values(text, word == 0 ? 0 : word + 3), ";");
    }
    if (key.uses_texcoord_w())
    {
        write_unit0_coordinates(text);
        if (key.is_shadow())
        {
            write_shadow(text);
            return;
        }
        at = {"unit0_u", "unit0_v", "quad0_u", "quad0_v"};
    }
    if (!gathers(text, unit))
        define_texel(text, unit);
    if (key.lod)
    {
        write_levels(text, unit, at);
        return;
    }
    if (key.linear)
        define_bilinear(text);
    if (key.type == pica::TextureType::Cube)
    {
        text.body.line("vec4 texture", n, " = ", define_filter(text, unit, key.linear != 0), "(", at.u, ", ",
                       at.v, ", 0);");
        return;
    }
    if (key.linear)
        write_linear(text, unit, at);
    else if (text.key.is_scaled(unit))
        write_scaled_nearest(text, unit, at);
    else
        write_nearest(text, unit, at);
}

} // namespace shadergen
