// SPDX-License-Identifier: MIT
// Gas accumulation in the ubershader.
#pragma once

namespace shadergen
{

struct FragmentText;

// The complete output of gas accumulation. window_depth must be declared.
void write_ubershader_gas(FragmentText& text);

} // namespace shadergen
