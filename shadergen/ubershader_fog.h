// SPDX-License-Identifier: MIT
// The fog unit in the ubershader.
#pragma once

namespace shadergen
{

struct FragmentText;

// Applies fog to vec4 `combined`. window_depth must be declared.
void write_ubershader_fog(FragmentText& text);

} // namespace shadergen
