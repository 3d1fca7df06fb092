// SPDX-License-Identifier: MIT
// The geometry shader unit for any program, without compilation (pica/hardware/shader-translation.md): one
// fixed compute shader that interprets decoded rows, and the words that it reads them from. Same interface
// and same bits as generate_geometry (geometry.h). Tests: tests/conformance/geometry_program.cpp
#pragma once

#include "pica/shader/program.h"
#include "shadergen/geometry.h"
#include "shadergen/target.h"

#include <string>
#include <vector>

namespace shadergen
{

// Loop rounds of a dispatch; each executes two instructions. Drivers end a shader's loops after 65535 rounds
// in total (llvmpipe), and some hundreds are needed to load and store registers.
inline constexpr pica::u32 kInterpretedRounds = 60000;
// The most rounds of an invocation besides those of its instructions: for its inputs and its phases, and for
// each primitive.
inline constexpr pica::u32 kInterpretedOwnRounds = 112;
inline constexpr pica::u32 kInterpretedPrimitiveRounds = 6;

std::string geometry_interpreter_shader(const Target& target);

// The words from STATE_PROGRAM of the unit's buffer on (layout.h).
std::vector<pica::u32> pack_geometry_program(const pica::Program& program, const GeometryKey& key);

} // namespace shadergen
