// SPDX-License-Identifier: MIT
// The procedural texture in the ubershader.
#pragma once

namespace shadergen
{

struct FragmentText;

// Declares texture3.
void write_ubershader_proctex(FragmentText& text);

} // namespace shadergen
