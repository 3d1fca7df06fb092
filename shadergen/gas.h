// SPDX-License-Identifier: MIT
// Gas: shading, which replaces fog, and the output of the accumulation pass.
#pragma once

#include <string>
#include <string_view>

namespace shadergen
{

struct FragmentText;

// Returns the name of the colour that the next block uses.
std::string write_gas_shading(FragmentText& text, const std::string& color);
// The output of the accumulation pass.
void write_gas_accumulation(FragmentText& text, const std::string& color);
// Writes the new sums as the fragment's colour. destination, gas_code and gas_stored must be declared.
void write_gas_sums(FragmentText& text, const std::string& color);
// Declares uvec4 texel of the depth buffer. flip and block32 are bool expressions.
void write_gas_texel(FragmentText& text, const std::string& flip, const std::string& block32);
// Writes result = vec4(...). attenuated and by_light are bool expressions.
void write_gas_colors(FragmentText& text, const std::string& color, const std::string& attenuated,
                      const std::string& by_light, std::string_view result);

} // namespace shadergen
