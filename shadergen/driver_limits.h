// SPDX-License-Identifier: MIT
// Can drivers handle the nested statements of a structured program? If not, the program is translated to
// basic blocks. Tests: tests/renderer/vertex_program_compute_test.cpp, vertex_program_test.cpp
#pragma once

#include "pica/shader/cfg.h"

namespace shadergen
{

// Drivers inline all functions, so this counts the instructions after inlining. A thousand take llvmpipe a
// minute and 2 GiB.
bool calls_fit_drivers(const pica::Cfg& cfg);

// llvmpipe ends the loops of a shader after 65535 rounds in total, and executes each loop of a branch that is
// not taken once. For vertex programs, with any values of the int uniforms.
bool loops_fit_drivers(const pica::Cfg& cfg);

} // namespace shadergen
