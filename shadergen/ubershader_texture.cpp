// SPDX-License-Identifier: MIT
// Texture units of the ubershader. Variants without a level of detail pay nothing for it. Source of truth:
// design.md, rows "Texel address", "LOD", "Filter". Tests: ubershader_test.cpp, tests/golden/glsl
#include "shadergen/ubershader_blocks.h"

#include <cstddef>

namespace shadergen
{

namespace
{

using pica::u32;

static_assert(offsetof(pica::TextureUnitKey, linear) == 3 &&
              offsetof(pica::TextureUnitKey, null_address) == 5 && offsetof(pica::TextureUnitKey, lod) == 6);

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
    R"(vec4 texel(usampler2D image, uint key, ivec2 size, vec4 border, int s, int t)
{
    uint mode_s = byte_of(key, 1u);
    uint mode_t = byte_of(key, 2u);
    vec4 c = vec4(texelFetch(image, ivec2(wrap_texel(mode_s, s, size.x), wrap_texel(mode_t, t, size.y)), 0));
    return is_border(mode_s, s, size.x) || is_border(mode_t, t, size.y) ? border : c;
}
vec4 sample_unit(usampler2D image, uvec2 key, ivec2 size, vec4 border, vec2 set0, vec2 set1, vec2 set2)
{
    if (byte_of(key.x, 0u) != 0u) return vec4(0.0);
    if (byte_of(key.y, 1u) != 0u) return vec4(0.0, 0.0, 0.0, 255.0);
    uint set = byte_of(key.y, 0u);
    float s = set == 0u ? set0.x : set == 1u ? set1.x : set2.x;
    float t = set == 0u ? set0.y : set == 1u ? set1.y : set2.y;
    int u = texel_coordinate(s, float(size.x << 8));
    int v = texel_coordinate(t, float(size.y << 8));
    if (byte_of(key.x, 3u) == 0u) return texel(image, key.x, size, border, u >> 8, v >> 8);
    int x = (u - 128) >> 8;
    int y = (v - 128) >> 8;
    vec4 c00 = texel(image, key.x, size, border, x, y);
    vec4 c10 = texel(image, key.x, size, border, x + 1, y);
    vec4 c01 = texel(image, key.x, size, border, x, y + 1);
    vec4 c11 = texel(image, key.x, size, border, x + 1, y + 1);
    return bilinear(c00, c10, c01, c11, u - 128, v - 128);
}
)";

// With levels: texel, filter and unit take the level, or the level of detail.
constexpr std::string_view kLevels =
    R"(vec4 texel(usampler2D image, uint key, ivec2 size, vec4 border, int s, int t, int level)
{
    uint mode_s = byte_of(key, 1u);
    uint mode_t = byte_of(key, 2u);
    vec4 c = vec4(texelFetch(image, ivec2(wrap_texel(mode_s, s, size.x), wrap_texel(mode_t, t, size.y)), level));
    return is_border(mode_s, s, size.x) || is_border(mode_t, t, size.y) ? border : c;
}
vec4 sample_level(usampler2D image, uint key, ivec2 size0, vec4 border, vec2 at, int level, bool linear)
{
    ivec2 size = size0 >> level;
    int u = texel_coordinate(at.x, float(size.x << 8));
    int v = texel_coordinate(at.y, float(size.y << 8));
    if (!linear) return texel(image, key, size, border, u >> 8, v >> 8, level);
    int x = (u - 128) >> 8;
    int y = (v - 128) >> 8;
    vec4 c00 = texel(image, key, size, border, x, y, level);
    vec4 c10 = texel(image, key, size, border, x + 1, y, level);
    vec4 c01 = texel(image, key, size, border, x, y + 1, level);
    vec4 c11 = texel(image, key, size, border, x + 1, y + 1, level);
    return bilinear(c00, c10, c01, c11, u - 128, v - 128);
}
vec4 sample_unit(usampler2D image, uvec2 key, ivec4 size, vec4 border, vec2 at, int lod)
{
    if (byte_of(key.x, 0u) != 0u) return vec4(0.0);
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

void write_level0(FragmentText& text)
{
    text.functions.raw(kLevel0);
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

void write_levels(FragmentText& text)
{
    define_mix_levels(text);
    text.functions.raw(kLevels);
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
        out.line("int lod", n, " = ", level_of_detail(text, unit, "u" + n, "v" + n), ";");
        out.line("vec2 at", n, " = choose_set(set", n,
                 ", vec2(texcoord0_u, texcoord0_v), "
                 "vec2(texcoord1_u, texcoord1_v), vec2(texcoord2_u, texcoord2_v));");
        out.line("vec4 texture", n, " = sample_unit(texture_image", n, ", key", n, ", draw.texture_size[", n,
                 "], draw.border_color[", n, "], at", n, ", lod", n, ");");
    }
}

} // namespace

void write_ubershader_textures(FragmentText& text, const UbershaderKey& key)
{
    for (const std::string_view name : {"texel_coordinate", "wrap_mirror", "wrap_clamp", "wrap_clamp2",
                                        "wrap_repeat", "outside_both", "outside_above"})
        text.use(name);
    define_bilinear(text);
    text.functions.raw(kWrap);
    text.textures = 7;
    for (u32 set = 0; set < 3; set++)
        write_texcoord(text, set);
    if (key.lod)
        write_levels(text);
    else
        write_level0(text);
}

} // namespace shadergen
