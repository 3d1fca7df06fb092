// SPDX-License-Identifier: MIT
// VertexRunner: one thread's means to run the vertex programs of draws: input rows, and the batched interpreter. Tests:
// vertex_runner_test.cpp, vertex_stage_test.cpp.
#pragma once

#include "pica/state/vertex_memory.h"
#include "pica/vertex/vertex_fetch.h"

namespace pica
{

class VertexRunner
{
public:
    static constexpr u32 kLanes = BatchInterpreter::kLanes;

    // Takes another program, or other uniforms. Those of the same revision are the same; 0 is of none.
    void bind(const Program& program, const ShaderUniforms& uniforms, u64 revision);
    // Binds the draw's program, and prepares to fetch vertices of these numbers.
    void begin(const Draw& draw, const IndexRange& numbers, const GuestMemory& memory, Report& report);
    // Runs the program for up to kLanes vertices; lane i is vertex number[i]. Returns its events (flow.h).
    u32 run(std::span<const u64> numbers);

    // Has the output rows of the last run.
    BatchInterpreter& interpreter() { return interpreter_; }
    const BatchInterpreter& interpreter() const { return interpreter_; }

private:
    BatchInterpreter interpreter_;
    const Program* program_ = nullptr; // the program that is bound; program_id_ is its id
    u64 program_id_ = 0;
    u64 uniforms_revision_ = 0;
    VertexFetch fetch_;
};

} // namespace pica
