// SPDX-License-Identifier: MIT
// Vertex programs without branches, one vertex at a time, as pica/hardware/shader-unit.md describes them. It shares
// neither interpreter nor arithmetic with the product, but for the two polynomials of EX2 and LG2.
#pragma once

#include "pica/shader/program.h"
#include "pica/shader/uniforms.h"

#include <array>
#include <span>

namespace tests
{

using ReferenceVector = std::array<pica::f32, 4>;

// The float24 of a number: truncated, or rounded to nearest.
pica::f32 reference_float24(double exact, bool nearest = false);

// Is it straight, without instructions that the reference does not know?
bool reference_knows(const pica::Program& program);

// Runs the program on input registers v0..v15; returns o0..o15. Instructions that it does not know are a failure of the
// test (it throws std::logic_error).
std::array<ReferenceVector, 16> reference_program(const pica::Program& program,
                                                  const pica::ShaderUniforms& uniforms,
                                                  const std::array<ReferenceVector, 16>& inputs);

} // namespace tests
