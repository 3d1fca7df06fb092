// SPDX-License-Identifier: MIT
// The procedural texture (unit 3).
#pragma once

#include "pica/regs/enums.h"

#include <string>

namespace shadergen
{

struct FragmentText;

// Declares texture3 if unit 3 is on.
void write_proctex(FragmentText& text);

// What the ubershader shares.
// These take and return float expressions without side effects.
std::string proctex_clamp(FragmentText& text, pica::ProcTexClamp clamp, const std::string& c);
std::string proctex_function(FragmentText& text, pica::ProcTexFunction function, const std::string& u,
                             const std::string& v);
// float proctex_table(int base, float c)
void define_proctex_table(FragmentText& text);
// vec4 proctex_nearest and proctex_linear(int base, int level, float r): channels 0..255, not yet truncated
void define_proctex_colors(FragmentText& text, bool nearest, bool linear);
// vec4 proctex_mix(vec4 a, vec4 b, float t)
void define_proctex_mix(FragmentText& text);
// Declares int proctex_lod, in 1/256 level. u, v: vec3 expressions of the coordinates at the points of the
// quad.
void write_proctex_lod(FragmentText& text, const std::string& u, const std::string& v);
// Adds the noise to the variables proctex_u and proctex_v.
void write_proctex_noise(FragmentText& text);

} // namespace shadergen
