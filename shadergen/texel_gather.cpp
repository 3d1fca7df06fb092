// SPDX-License-Identifier: MIT
// Source of truth: design.md, row "Texel address", and Part II 2.4. Tests: fragment_test.cpp, tests/golden/glsl,
// tests/conformance/texture.cpp
#include "shadergen/texel_gather.h"

#include "shadergen/fragment_text.h"

namespace shadergen
{

namespace
{

using pica::TextureType;
using pica::TextureWrap;
using pica::u32;

// Is all that lies outside, on either side, the texel of the edge or the border?
bool is_clamped(TextureWrap mode)
{
    return mode == TextureWrap::ClampToEdge || mode == TextureWrap::ClampToBorder;
}

// Are both sides of a texture treated alike?
bool is_even(TextureWrap mode)
{
    return is_clamped(mode) || mode == TextureWrap::Repeat || mode == TextureWrap::MirroredRepeat;
}

// One axis of a unit, and the names of what is declared for it.
struct Axis
{
    TextureWrap wrap;
    std::string first; // the first texel
    std::string size;  // of the texture, an int
    std::string next;  // mirrored: the name of the texel behind the first one, in a period of two sizes
};

// An int expression: the texel behind the corner that is asked for. The sampler does the rest of the wrapping.
std::string corner(FragmentText& text, const Axis& axis)
{
    if (axis.wrap == TextureWrap::Repeat)
    {
        text.use("wrap_repeat");
        return "wrap_repeat(" + axis.first + ", " + axis.size + ") + 1";
    }
    if (axis.wrap != TextureWrap::MirroredRepeat)
        return axis.first + " + 1";
    // Behind the middle of a period of two sizes, texels count downwards.
    text.body.line("int ", axis.next, " = (", axis.first, " & (2 * ", axis.size, " - 1)) + 1;");
    return "min(" + axis.next + ", 2 * " + axis.size + " - " + axis.next + ")";
}

// One over the sizes. Those of guest textures are powers of two, so that only the exponent changes sign.
std::string inverse_sizes(FragmentText& text, u32 unit)
{
    const std::string n = number(unit);
    if (text.key.is_scaled(unit))
        return "1.0 / vec2(" + text.draw("texture_size[" + n + "]") + ".xy)";
    return "uintBitsToFloat(0x7F000000u - floatBitsToUint(" + text.draw("texture_scale[" + n + "]") + ".xy))";
}

// Puts the border colour where an axis is outside. low, high: the components of texelsN whose texel is the axis' first one,
// and the next one.
void write_border(FragmentText& text, u32 unit, const Axis& axis, const char* low, const char* high)
{
    if (axis.wrap != TextureWrap::ClampToBorder)
        return;
    text.use("outside_both");
    const std::string n = number(unit), color = "uvec2(" + text.draw("border_color[" + n + "]") + ")";
    const std::string texels = "texels" + n + ".";
    text.body.line("if (outside_both(", axis.first, ", ", axis.size, ")) ", texels, low, " = ", color, ";");
    text.body.line("if (outside_both(", axis.first, " + 1, ", axis.size, ")) ", texels, high, " = ", color,
                   ";");
}

} // namespace

bool gathers(const FragmentText& text, u32 unit)
{
    const pica::TextureUnitKey& key = text.key.texture[unit];
    const bool type = key.type == TextureType::Texture2D || key.type == TextureType::Projection;
    // Pictures of N x texels seldom repeat, and drivers may have other code for sizes that are no powers of two, which
    // the rehearsal does not see.
    const bool wraps = text.key.is_scaled(unit) ? is_clamped(key.wrap_s) && is_clamped(key.wrap_t)
                                                : is_even(key.wrap_s) && is_even(key.wrap_t);
    return text.target.gathers && key.samples() && type && key.linear != 0 && key.lod == 0 && wraps;
}

void write_gathered_texels(FragmentText& text, u32 unit)
{
    const pica::TextureUnitKey& key = text.key.texture[unit];
    const std::string n = number(unit), size = text.draw("texture_size[" + n + "]");
    const Axis s = {key.wrap_s, "(x" + n + " >> 8)", size + ".x", "next_s" + n};
    const Axis t = {key.wrap_t, "(y" + n + " >> 8)", size + ".y", "next_t" + n};
    text.define(
        "gather_place",
        R"(vec2 gather_place(int s, int t, vec2 inverse_sizes) { return vec2(ivec2(s, t)) * inverse_sizes; }
)");
    const std::string place =
        "gather_place(" + corner(text, s) + ", " + corner(text, t) + ", " + inverse_sizes(text, unit) + ")";
    text.body.line("uvec4 texels", n, " = textureGather(texture_image", n, ", ", place, ");");
    if (s.wrap == TextureWrap::MirroredRepeat)
        text.body.line("if (", s.next, " > ", s.size, ") texels", n, " = texels", n, ".yxwz;");
    if (t.wrap == TextureWrap::MirroredRepeat)
        text.body.line("if (", t.next, " > ", t.size, ") texels", n, " = texels", n, ".wzyx;");
    write_border(text, unit, s, "wx", "zy");
    write_border(text, unit, t, "wz", "xy");
}

} // namespace shadergen
