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
    for (const std::string_view name : {"fog_position", "fog_index", "fog_factor", "fog_blend"})
        text.use(name);
    if (text.key.fog.flip)
        text.use("fog_flipped");
    text.body.line("int fog_at = fog_position(",
                   text.key.fog.flip ? "fog_flipped(window_depth)" : "window_depth", ");");
    text.body.line("ivec2 fog_entry = ivec2(", text.lut(pica::LutTable::Fog, "fog_index(fog_at)"), ");");
    text.body.line("int fog_share = fog_factor(fog_at, fog_entry.x, fog_entry.y);");
    const std::string fog = text.draw("fog_color");
    const auto channel = [&](const char* c)
    { return "fog_blend(int(" + color + "." + c + "), int(" + fog + "." + c + "), fog_share)"; };
    text.body.line("vec4 fogged = vec4(", channel("r"), ",");
    text.body.line("                   ", channel("g"), ",");
    text.body.line("                   ", channel("b"), ", ", color, ".a);");
    return "fogged";
}

} // namespace shadergen
