// SPDX-License-Identifier: MIT
// The fog unit in the ubershader: the expressions of fog.cpp under conditions.
#include "shadergen/ubershader_fog.h"

#include "shadergen/fragment_text.h"
#include "shadergen/gas.h"
#include "shadergen/ubershader_state.h"

namespace shadergen
{

void write_ubershader_fog(FragmentText& text)
{
    for (const std::string_view name :
         {"fog_position", "fog_flipped", "fog_index", "fog_factor", "fog_blend"})
        text.use(name);
    GlslWriter& out = text.body;
    out.blank();
    out.line("// Fog");
    out.line("if (", state_byte(text, kFogMode), " == ", number(static_cast<pica::u32>(pica::FogMode::Fog)),
             "u)");
    out.open();
    out.line("int fog_at = fog_position(", state_byte(text, kFogFlip),
             " != 0u ? fog_flipped(window_depth) : window_depth);");
    out.line("ivec2 fog_entry = ivec2(", text.lut(pica::LutTable::Fog, "fog_index(fog_at)"), ");");
    out.line("int fog_share = fog_factor(fog_at, fog_entry.x, fog_entry.y);");
    const auto channel = [](const std::string& c)
    { return "fog_blend(int(combined." + c + "), int(draw.fog_color." + c + "), fog_share)"; };
    out.line("combined = vec4(", channel("r"), ",");
    out.line("                ", channel("g"), ",");
    out.line("                ", channel("b"), ", combined.a);");
    out.close();
    out.line("else");
    out.open();
    const std::string gas = state_byte(text, kFogGas);
    write_gas_colors(text, "combined", "(" + gas + " & " + number(pica::FogKey::kGasAttenuated) + "u) != 0u",
                     "(" + gas + " & " + number(pica::FogKey::kGasByLight) + "u) != 0u", "combined");
    out.close();
}

} // namespace shadergen
