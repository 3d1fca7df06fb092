// SPDX-License-Identifier: MIT
// Can the invocations of a geometry program run in parallel, with the results of running one after the other?
// pica/hardware/shader-translation.md, "Geometry programs side by side", decided for structured programs with
// the bool and int uniforms of a draw. Tests: geometry_analysis_test.cpp.
#pragma once

#include "pica/shader/program.h"
#include "pica/shader/uniforms.h"

#include <string>

namespace pica
{

struct GeometryAnalysis
{
    // If true, the invocations may run in any order, each from the register values before the draw. After the
    // draw the registers are those that the last invocation leaves, and the output banks were exchanged
    // emit_parity times per invocation.
    bool parallel = false;
    std::string reason; // why not
    u32 emit_parity = 0;
    // Upper bounds per invocation: kMaxInvocationPrimitives and kGeometryMoves if nothing better is known.
    u32 primitives = 0;
    u32 moves = 0; // moves backwards (flow.h)
    u32 instructions = 0;
    u32 emits = 0; // EMIT instructions in the program
    // Structured programs: loop rounds, plus kEmitRounds for every EMIT. Branches that are not taken count
    // too, because drivers that mask lanes execute them.
    u32 rounds = 0;
    static constexpr u32 kEmitRounds = 4; // a loop over three vertices (shadergen/geometry.h), and its end
    // B15 is tested: the first invocation after the guest wrote the bools is special.
    bool tests_run_bit = false;
};

// Assumes that b15 is set.
GeometryAnalysis analyse_geometry(const Program& program, const ShaderUniforms& uniforms, u16 output_mask);

} // namespace pica
