// SPDX-License-Identifier: MIT
// Parts that the modules of vertex programs and geometry programs share.
#pragma once

#include "shadergen/glsl_writer.h"
#include "shadergen/target.h"

#include <array>
#include <functional>
#include <string>

namespace shadergen
{

// Version, layout.h, uniforms.h.
std::string program_declarations();
// Only the functions that the text calls, and those that they call.
std::string arithmetic_for(const std::string& text, const Target& target);
// Writes "vec4 r3 = vec4(0.0);" for each bit, with the given register letter.
void declare_registers(GlslWriter& out, char file, pica::u16 registers);
// Writes the vertex output rules (design.md, "Vertex output") of one vertex at shaded[base]: the position as it
// is but for NaN, colour and the other attributes through their functions. component(source) is the text of an output
// component. Attributes that are not mapped are 1.0, which is either written here or there already.
void write_output_map(GlslWriter& out, const std::array<pica::u8, 24>& source, bool write_ones,
                      const std::function<std::string(pica::u8)>& component);

} // namespace shadergen
