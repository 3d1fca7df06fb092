// SPDX-License-Identifier: MIT
// Fragment lighting.
#pragma once

namespace shadergen
{

struct FragmentText;

// Declares fragment_primary and fragment_secondary if the key has them. Textures must be written
// before.
void write_lighting(FragmentText& text);
// Functions, the interpolated quaternion (normalised), the view vector, and the sums. The ubershader uses it
// too.
void write_lighting_inputs(FragmentText& text);

} // namespace shadergen
