// SPDX-License-Identifier: MIT
// Shadow map rendering.
#pragma once

#include <string>

namespace shadergen
{

struct FragmentText;

// Replaces write_output. color: the result of the combiners.
void write_shadow_map(FragmentText& text, const std::string& color);

} // namespace shadergen
