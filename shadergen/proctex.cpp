// SPDX-License-Identifier: MIT
// Procedural texture (unit 3). Source of truth: procedural-texture.md, design.md row "Procedural texture";
// the arithmetic is shaders/include/proctex.h. Tests: fragment_test.cpp, tests/golden/glsl
#include "shadergen/proctex.h"

#include "shadergen/fragment_text.h"
#include "shadergen/level_of_detail.h"
#include "shadergen/texture_unit.h"

namespace shadergen
{

namespace
{

using pica::LutTable;
using pica::ProcTexClamp;
using pica::ProcTexFunction;
using pica::ProcTexMip;
using pica::ProcTexShift;
using pica::u32;

constexpr std::string_view kTable = R"(float proctex_table(int base, float c)
{
    int i = proctex_index(c);
    uvec2 e = texelFetch(luts, base + i).xy;
    return proctex_entry(c, i, uintBitsToFloat(e.x), uintBitsToFloat(e.y));
}
)";

constexpr std::string_view kNearest = R"(vec4 proctex_nearest(int base, int level, float r)
{
    float place = proctex_place(r, draw.proctex_level.y, level);
    int entry = proctex_nearest_entry(place, proctex_offset(uint(draw.proctex_level.x), level));
    uint c = texelFetch(luts, base + entry).x;
    return vec4(float(c & 255u), float((c >> 8) & 255u), float((c >> 16) & 255u), float(c >> 24));
}
)";

constexpr std::string_view kLinear = R"(vec4 proctex_linear(int base, int level, float r)
{
    float place = proctex_place(r, draw.proctex_level.y, level);
    int entry = proctex_linear_entry(place, proctex_offset(uint(draw.proctex_level.x), level));
    uvec2 e = texelFetch(luts, base + entry).xy;
    float f = proctex_fraction(place);
    return vec4(proctex_channel(e.x, e.y, 0u, f), proctex_channel(e.x, e.y, 8u, f),
                proctex_channel(e.x, e.y, 16u, f), proctex_channel(e.x, e.y, 24u, f));
}
)";

constexpr std::string_view kMix = R"(vec4 proctex_mix(vec4 a, vec4 b, float t)
{
    return vec4(proctex_lerp(a.r, b.r, t), proctex_lerp(a.g, b.g, t), proctex_lerp(a.b, b.b, t), proctex_lerp(a.a, b.a, t));
}
)";

// The sum of the largest steps of both coordinates inside the quad.
constexpr std::string_view kSteps = R"(float proctex_step(vec3 c)
{
    float origin = proctex_magnitude(c.x);
    return proctex_maximum(proctex_magnitude(proctex_magnitude(c.y) - origin),
                           proctex_magnitude(proctex_magnitude(c.z) - origin));
}
)";

} // namespace

std::string proctex_clamp(FragmentText& text, ProcTexClamp clamp, const std::string& c)
{
    constexpr std::string_view kNames[] = {"proctex_to_zero", "proctex_to_edge", "proctex_symmetric",
                                           "proctex_mirrored", "proctex_pulse"};
    const std::string_view name = kNames[static_cast<u32>(clamp)];
    text.use(name);
    return std::string(name) + "(" + c + ")";
}

std::string proctex_function(FragmentText& text, ProcTexFunction function, const std::string& u,
                             const std::string& v)
{
    const auto call = [&](std::string_view name, const std::string& a, const std::string& b)
    {
        text.use(name);
        return std::string(name) + "(" + a + ", " + b + ")";
    };
    switch (function)
    {
    case ProcTexFunction::U:
        return u;
    case ProcTexFunction::U2:
        return call("fm", u, u);
    case ProcTexFunction::V:
        return v;
    case ProcTexFunction::V2:
        return call("fm", v, v);
    case ProcTexFunction::Add:
        return call("proctex_mean", u, v);
    case ProcTexFunction::Add2:
        return call("proctex_half_squares", u, v);
    case ProcTexFunction::SqrtAdd2:
        return call("proctex_bounded_radius", u, v);
    case ProcTexFunction::Min:
        return call("proctex_minimum", u, v);
    case ProcTexFunction::Max:
        return call("proctex_maximum", u, v);
    case ProcTexFunction::RMax:
        break;
    }
    return call("proctex_mean_and_radius", u, v);
}

void define_proctex_table(FragmentText& text)
{
    for (const std::string_view name : {"proctex_index", "proctex_entry"})
        text.use(name);
    text.luts = true;
    text.define("proctex_table", kTable);
}

void define_proctex_colors(FragmentText& text, bool nearest, bool linear)
{
    for (const std::string_view name : {"proctex_place", "proctex_offset", "proctex_nearest_entry",
                                        "proctex_linear_entry", "proctex_fraction", "proctex_channel"})
        text.use(name);
    text.luts = true;
    text.draw_block = true;
    if (nearest)
        text.define("proctex_nearest", kNearest);
    if (linear)
        text.define("proctex_linear", kLinear);
}

void define_proctex_mix(FragmentText& text)
{
    text.use("proctex_lerp");
    text.use("proctex_weight");
    text.define("proctex_mix", kMix);
}

void write_proctex_lod(FragmentText& text, const std::string& u, const std::string& v)
{
    for (const std::string_view name :
         {"proctex_magnitude", "proctex_maximum", "fm", "level_of_detail", "bounded_lod"})
        text.use(name);
    text.define("proctex_step", kSteps);
    const std::string rho =
        "fm(" + text.draw("proctex_scale.z") + ", proctex_step(" + u + ") + proctex_step(" + v + "))";
    text.body.line("int proctex_lod = bounded_lod(beyond ? 0x100000 : level_of_detail(", rho,
                   "), 0, draw.proctex_level.z, draw.proctex_level.w);");
}

void write_proctex_noise(FragmentText& text)
{
    for (const std::string_view name :
         {"proctex_noise_coordinate", "proctex_fraction", "proctex_noise", "proctex_displaced"})
        text.use(name);
    define_proctex_table(text);
    text.draw_block = true;
    GlslWriter& out = text.body;
    const std::string table = text.lut_base(LutTable::ProcTexNoise);
    out.line(
        "float noise_x = proctex_noise_coordinate(proctex_u, draw.proctex_noise.x, draw.proctex_noise.z);");
    out.line(
        "float noise_y = proctex_noise_coordinate(proctex_v, draw.proctex_noise.y, draw.proctex_noise.w);");
    out.line("float noise = proctex_noise(noise_x, noise_y, proctex_table(", table,
             ", proctex_fraction(noise_x)),");
    out.line("                            proctex_table(", table, ", proctex_fraction(noise_y)));");
    out.line("proctex_u = proctex_displaced(proctex_u, noise, draw.proctex_scale.x);");
    out.line("proctex_v = proctex_displaced(proctex_v, noise, draw.proctex_scale.y);");
}

namespace
{

// Declares proctex_u and proctex_v: steps 1 to 5, what the functions read.
void write_coordinates(FragmentText& text)
{
    const pica::ProcTexKey& key = text.key.proctex;
    GlslWriter& out = text.body;
    text.use("proctex_magnitude");
    for (const std::string axis : {"u", "v"})
        out.line("float proctex_", axis, " = proctex_magnitude(texcoord", number(key.texcoord), "_", axis,
                 ");");
    const auto shift =
        [&](ProcTexShift kind, ProcTexClamp clamp, const std::string& axis, const std::string& other)
    {
        if (kind == ProcTexShift::None)
            return std::string();
        const std::string_view name = kind == ProcTexShift::Odd ? "proctex_shift_odd" : "proctex_shift_even";
        text.use(name);
        out.line("float shift_", axis, " = ", name, "(proctex_", other,
                 clamp == ProcTexClamp::MirroredRepeat ? ", 1.0);" : ", 0.5);");
        return " + shift_" + axis;
    };
    const std::string shift_u = shift(key.shift_u, key.clamp_u, "u", "v");
    const std::string shift_v = shift(key.shift_v, key.clamp_v, "v", "u");
    if (key.noise)
        write_proctex_noise(text);
    out.line("proctex_u = ", proctex_clamp(text, key.clamp_u, "proctex_u" + shift_u), ";");
    out.line("proctex_v = ", proctex_clamp(text, key.clamp_v, "proctex_v" + shift_v), ";");
}

// Declares texture3 with the channels of the colour table, not yet truncated.
void write_colors(FragmentText& text)
{
    const pica::ProcTexKey& key = text.key.proctex;
    GlslWriter& out = text.body;
    define_proctex_table(text);
    out.line("float proctex_r = proctex_table(", text.lut_base(LutTable::ProcTexRgbMap), ", ",
             proctex_function(text, key.color_func, "proctex_u", "proctex_v"), ");");

    define_proctex_colors(text, !key.linear, key.linear);
    const std::string level =
        (key.linear ? "proctex_linear(" : "proctex_nearest(") + text.lut_base(LutTable::ProcTexColor) + ", ";
    if (key.mip != ProcTexMip::None)
    {
        const u32 words = text.layout.texcoord[key.texcoord];
        write_proctex_lod(text, quad_values(text, words), quad_values(text, words == 0 ? 0 : words + 3));
    }
    if (key.mip == ProcTexMip::None)
        out.line("vec4 texture3 = ", level, "0, proctex_r);");
    else if (key.mip == ProcTexMip::Nearest)
        out.line("vec4 texture3 = ", level, "(proctex_lod + 128) >> 8, proctex_r);");
    else
    {
        define_proctex_mix(text);
        out.line("vec4 texture3 = proctex_mix(", level, "proctex_lod >> 8, proctex_r),");
        out.line("                            ", level,
                 "min((proctex_lod >> 8) + 1, 7), proctex_r), "
                 "proctex_weight(proctex_lod));");
    }
}

} // namespace

void write_proctex(FragmentText& text)
{
    const pica::ProcTexKey& key = text.key.proctex;
    if (!key.enabled)
        return;
    GlslWriter& out = text.body;
    write_texcoord(text, key.texcoord);
    if (key.mip != ProcTexMip::None)
        write_quad(text);
    out.blank();
    out.line("// Procedural texture");
    write_coordinates(text);
    if (key.alpha_only)
    {
        define_proctex_table(text);
        out.line("vec4 texture3 = vec4(0.0);");
    }
    else
        write_colors(text);
    if (key.separate_alpha)
    {
        text.use("fm");
        out.line("texture3.a = fm(proctex_table(", text.lut_base(LutTable::ProcTexAlphaMap), ", ",
                 proctex_function(text, key.alpha_func, "proctex_u", "proctex_v"), "), 255.0);");
    }
    out.line("texture3 = floor(texture3);");
}

} // namespace shadergen
