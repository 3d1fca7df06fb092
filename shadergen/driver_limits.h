// SPDX-License-Identifier: MIT
// What drivers make of a structured program's nested statements: is it within what they can do? Where it is
// not, the program takes the form of basic blocks. Tests: tests/renderer/vertex_program_compute_test.cpp,
// vertex_program_test.cpp
#pragma once

#include "pica/shader/cfg.h"

namespace shadergen
{

// Drivers inline all functions: instructions that the text then has. A thousand take llvmpipe a minute and
// 2 GiB.
bool calls_fit_drivers(const pica::Cfg& cfg);

// llvmpipe ends the loops of a shader after 65535 rounds in all, and walks once through each loop in a branch
// that is not taken. For vertex programs, whatever the int uniforms are.
bool loops_fit_drivers(const pica::Cfg& cfg);

} // namespace shadergen
