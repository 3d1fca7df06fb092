// SPDX-License-Identifier: MIT
// Fragment operations: scissor, alpha test and the colour output.
#pragma once

#include "pica/regs/enums.h"

#include <string>
#include <string_view>

namespace shadergen
{

class GlslWriter;
struct FragmentText;

void write_scissor_exclude(FragmentText& text);
void write_alpha_test(FragmentText& text, const std::string& color);
// Declares the outputs, the attachment or the image of the colour.
void write_output_declarations(const FragmentText& text, GlslWriter& out);
// Writes the colour as the key's output class says. color: the result of the blocks before.
void write_output(FragmentText& text, const std::string& color);
// Declares `destination`: the codes in the attachment or image.
void write_destination(FragmentText& text);
// Writes the codes to the attachment or, with interlock, to the image.
void write_color(FragmentText& text, const std::string& result);
// Declares `name`: the colour truncated to the format and expanded again. Returns the name to use.
std::string write_quantized(FragmentText& text, pica::ColorFormat format, const std::string& color,
                            std::string_view name);

} // namespace shadergen
