// SPDX-License-Identifier: MIT
// The geometry unit with any program without compilation (pica/hardware/shader-translation.md): one fixed
// compute shader that interprets decoded rows, and the words that it reads them from. Same interface and same
// bits as generate_geometry (geometry.h). Tests: tests/conformance/geometry_program.cpp
#pragma once

#include "pica/shader/program.h"
#include "shadergen/geometry.h"
#include "shadergen/target.h"

#include <string>
#include <vector>

namespace shadergen
{

// Loop rounds of a dispatch, two instructions each; drivers end a shader's loops after 65535 in all
// (llvmpipe), and some hundreds go to loading and keeping registers.
inline constexpr pica::u32 kInterpretedRounds = 60000;
// Rounds of an invocation besides those of its instructions, at most: its inputs and its phases, and per
// primitive.
inline constexpr pica::u32 kInterpretedOwnRounds = 112;
inline constexpr pica::u32 kInterpretedPrimitiveRounds = 6;

std::string geometry_interpreter_shader(const Target& target);

// From word STATE_PROGRAM of the unit's buffer on (layout.h).
std::vector<pica::u32> pack_geometry_program(const pica::Program& program, const GeometryKey& key);

} // namespace shadergen
