// SPDX-License-Identifier: MIT
// The procedural texture in the ubershader: the expressions of proctex.cpp under switches.
#include "shadergen/ubershader_proctex.h"

#include "shadergen/fragment_text.h"
#include "shadergen/level_of_detail.h"
#include "shadergen/proctex.h"
#include "shadergen/texture_unit.h"
#include "shadergen/ubershader_state.h"

#include <cstddef>

namespace shadergen
{

namespace
{

using pica::LutTable;
using pica::ProcTexClamp;
using pica::ProcTexFunction;
using pica::ProcTexKey;
using pica::u32;

std::string key_byte(FragmentText& text, std::size_t member)
{
    return state_byte(text, static_cast<StateByte>(16 * kProcTexRow + member));
}

constexpr std::string_view kShift = R"(float proctex_shifted(uint shift, uint clamp_mode, float c)
{
    float offset = clamp_mode == 3u ? 1.0 : 0.5;
    return shift == 0u ? 0.0 : shift == 1u ? proctex_shift_odd(c, offset) : proctex_shift_even(c, offset);
}
)";

constexpr std::string_view kLevel = R"(vec4 proctex_color(uint linear, int base, int level, float r)
{
    if (linear != 0u) return proctex_linear(base, level, r);
    return proctex_nearest(base, level, r);
}
)";

void define_functions(FragmentText& text)
{
    for (const std::string_view name : {"proctex_magnitude", "proctex_shift_odd", "proctex_shift_even", "fm"})
        text.use(name);
    GlslWriter clamp;
    clamp.line("float proctex_clamped(uint mode, float c)");
    clamp.open();
    for (u32 i = 0; i < 4; i++)
        clamp.line("if (mode == ", number(i), "u) return ",
                   proctex_clamp(text, static_cast<ProcTexClamp>(i), "c"), ";");
    clamp.line("return ", proctex_clamp(text, ProcTexClamp::Pulse, "c"), ";");
    clamp.close();
    GlslWriter function;
    function.line("float proctex_mapped(uint code, float u, float v)");
    function.open();
    function.line("switch (code)");
    function.open();
    for (u32 i = 0; i < 9; i++)
        function.line("case ", number(i), "u: return ",
                      proctex_function(text, static_cast<ProcTexFunction>(i), "u", "v"), ";");
    function.close();
    function.line("return ", proctex_function(text, ProcTexFunction::RMax, "u", "v"), ";");
    function.close();
    define_proctex_table(text);
    define_proctex_colors(text, true, true);
    define_proctex_mix(text);
    text.functions.raw(kShift);
    text.functions.raw(clamp.text());
    text.functions.raw(function.text());
    text.functions.raw(kLevel);
}

// Declares texture3; zero where the draw reads nothing of the colour table.
// u, v: as in write_proctex_lod.
void write_colors(FragmentText& text, const std::string& u, const std::string& v)
{
    GlslWriter& out = text.body;
    out.line("vec4 texture3 = vec4(0.0);");
    out.line("if (", key_byte(text, offsetof(ProcTexKey, alpha_only)), " == 0u)");
    out.open();
    out.line("float proctex_r = proctex_table(", text.lut_base(LutTable::ProcTexRgbMap), ", proctex_mapped(",
             key_byte(text, offsetof(ProcTexKey, color_func)), ", proctex_u, proctex_v));");
    write_proctex_lod(text, u, v);
    out.line("uint proctex_mip = ", key_byte(text, offsetof(ProcTexKey, mip)), ";");
    out.line("uint proctex_filter = ", key_byte(text, offsetof(ProcTexKey, linear)), ";");
    out.line("int proctex_level = proctex_mip == 0u ? 0 : proctex_mip == 1u ? (proctex_lod + 128) >> 8 : "
             "proctex_lod >> 8;");
    const std::string base = text.lut_base(LutTable::ProcTexColor);
    out.line("texture3 = proctex_color(proctex_filter, ", base, ", proctex_level, proctex_r);");
    out.line("if (proctex_mip == 2u)");
    out.line("    texture3 = proctex_mix(texture3, proctex_color(proctex_filter, ", base,
             ", min(proctex_level + 1, 7), proctex_r), proctex_weight(proctex_lod));");
    out.close();
}

} // namespace

void write_ubershader_proctex(FragmentText& text)
{
    define_functions(text);
    for (u32 set = 0; set < 3; set++)
        write_texcoord(text, set);
    write_quad(text);
    GlslWriter& out = text.body;
    out.blank();
    out.line("// Procedural texture");
    out.line("uint proctex_set = ", key_byte(text, offsetof(ProcTexKey, texcoord)), ";");
    const auto choose = [](const std::string& a, const std::string& b, const std::string& c)
    { return "proctex_set == 0u ? " + a + " : proctex_set == 1u ? " + b + " : " + c; };
    for (const std::string axis : {"_u", "_v"})
        out.line("float proctex", axis, " = proctex_magnitude(",
                 choose("texcoord0" + axis, "texcoord1" + axis, "texcoord2" + axis), ");");
    const std::string clamp_u = key_byte(text, offsetof(ProcTexKey, clamp_u));
    const std::string clamp_v = key_byte(text, offsetof(ProcTexKey, clamp_v));
    out.line("float shift_u = proctex_shifted(", key_byte(text, offsetof(ProcTexKey, shift_u)), ", ", clamp_u,
             ", proctex_v);");
    out.line("float shift_v = proctex_shifted(", key_byte(text, offsetof(ProcTexKey, shift_v)), ", ", clamp_v,
             ", proctex_u);");
    out.line("if (", key_byte(text, offsetof(ProcTexKey, noise)), " != 0u)");
    out.open();
    write_proctex_noise(text);
    out.close();
    out.line("proctex_u = proctex_clamped(", clamp_u, ", proctex_u + shift_u);");
    out.line("proctex_v = proctex_clamped(", clamp_v, ", proctex_v + shift_v);");

    const auto values = [&](u32 axis)
    {
        std::string set[3];
        for (u32 i = 0; i < 3; i++)
            set[i] = quad_values(text, text.layout.texcoord[i] + 3 * axis);
        return choose(set[0], set[1], set[2]);
    };
    write_colors(text, values(0), values(1));
    out.line("if (", key_byte(text, offsetof(ProcTexKey, separate_alpha)), " != 0u)");
    out.line("    texture3.a = fm(proctex_table(", text.lut_base(LutTable::ProcTexAlphaMap),
             ", proctex_mapped(", key_byte(text, offsetof(ProcTexKey, alpha_func)),
             ", proctex_u, proctex_v)), 255.0);");
    out.line("texture3 = floor(texture3);");
}

} // namespace shadergen
