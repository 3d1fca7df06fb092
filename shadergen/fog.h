// SPDX-License-Identifier: MIT
// Fog.
#pragma once

#include <string>

namespace shadergen
{

struct FragmentText;

// Declares `fogged` if the key has fog. Returns the name of the colour that the next block uses.
std::string write_fog(FragmentText& text, const std::string& color);

} // namespace shadergen
