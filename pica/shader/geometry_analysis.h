// SPDX-License-Identifier: MIT
// Can the invocations of a geometry program run side by side with the results of running one after the other?
// Geometry sheet 12.7, decided for structured programs with the bool and int uniforms of a draw.
// Tests: geometry_analysis_test.cpp.
#pragma once

#include "pica/shader/program.h"
#include "pica/shader/uniforms.h"

#include <string>

namespace pica
{

struct GeometryAnalysis
{
    // True: in any order, each from the registers that were there before the draw. They are what the last
    // invocation makes of them, and an output bank is exchanged emit_parity times per invocation.
    bool parallel = false;
    std::string reason; // why not
    u32 emit_parity = 0;
    // Bounds per invocation; kMaxInvocationPrimitives and kGeometryMoves where nothing better is known.
    u32 primitives = 0;
    u32 moves = 0; // backward ones
    u32 instructions = 0;
    u32 emits = 0; // EMIT instructions in the program
    // Structured programs: loop rounds, with kEmitRounds for every EMIT, where branches that are not taken
    // are walked through as well, as drivers do that mask them.
    u32 rounds = 0;
    static constexpr u32 kEmitRounds = 4; // a loop over three vertices (shadergen/geometry.h), and its end
    bool tests_run_bit = false; // b15: the first invocation since the guest wrote the bools is special
};

// b15 counts as set.
GeometryAnalysis analyse_geometry(const Program& program, const ShaderUniforms& uniforms, u16 output_mask);

} // namespace pica
