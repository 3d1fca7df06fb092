// SPDX-License-Identifier: MIT
// Fog. Source of truth: pica/hardware/fog-and-gas.md, "Fog", design.md row "Fog"; the arithmetic is
// shaders/include/fog.h. Tests: fragment_test.cpp, tests/golden/glsl
#include "shadergen/fog.h"

#include "shadergen/fragment_text.h"
#include "shadergen/gas.h"
#include "shadergen/interpolation.h"

namespace shadergen
{

std::string write_fog(FragmentText& text, const std::string& color)
{
    if (text.key.fog.mode == pica::FogMode::Gas)
        return write_gas_shading(text, color);
    if (text.key.fog.mode != pica::FogMode::Fog)
        return color;
    write_window_depth(text);
    text.body.blank();
    text.body.line("// Fog");
    // The numbers of shaders/include/fog.h as floats: integers below 2^21, and multiples of 2^-8 of such, so products and
    // sums are exact, fused or not. The division by 2047 is exact for all its 521 986 numerators, with one rounding or two.
    text.define("fog", R"(float fog_factor(float at, float index, ivec2 entry)
{
    float step = float(entry.y) * 0.00390625;
    return clamp(float(entry.x) + floor(step * fma(index, -256.0, at)), 0.0, 2047.0);
}
vec3 fog_blend(vec3 color, vec3 fog, float share)
{
    return trunc(fma(fma(color, vec3(share), fog * (2047.0 - share)), vec3(as_real(0x3A001002u)), vec3(as_real(0x39801002u))));
}
)");
    if (text.key.fog.flip)
        text.use("fog_flipped");
    text.body.line("float fog_at = trunc(", text.key.fog.flip ? "fog_flipped(window_depth)" : "window_depth",
                   " * 32768.0);");
    text.body.line("float fog_index = min(trunc(fog_at * 0.00390625), 127.0);");
    text.body.line("float fog_share = fog_factor(fog_at, fog_index, ivec2(",
                   text.lut(pica::LutTable::Fog, "int(fog_index)"), "));");
    text.body.line("vec4 fogged = vec4(fog_blend(", color, ".rgb, ", text.draw("fog_color"),
                   ".rgb, fog_share), ", color, ".a);");
    return "fogged";
}

} // namespace shadergen
