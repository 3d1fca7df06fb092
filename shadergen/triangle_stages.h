// SPDX-License-Identifier: MIT
// The fixed stages of the vertex executor after the vertex programs (design D2). Each works on all draws of a batch. Tests:
// tests/shadergen/vertex_program_test.cpp, tests/renderer/vertex_stage_compute_test.cpp
#pragma once

#include "shadergen/target.h"

#include <string>

namespace shadergen
{

// Which input triangles are whole, which leave nothing, and which need clipping.
std::string classify_shader(const Target& target);
// Set-up of whole triangles, and the indirect draws.
std::string emit_shader(const Target& target);
// Clipping, and set-up of what it leaves.
std::string clip_shader(const Target& target);

} // namespace shadergen
