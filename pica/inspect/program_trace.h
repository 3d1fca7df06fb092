// SPDX-License-Identifier: MIT
// Vertex and geometry programs one instruction at a time, with the values that each reads and leaves. The arithmetic is
// that of pica/shader/interpreter.h; inputs come from the software core's vertex stage. Tests:
// tests/pica/program_trace_test.cpp.
#pragma once

#include "pica/shader/geometry_program.h"
#include "pica/state/carryover.h"
#include "pica/state/draw.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace pica
{

class GuestMemory;

struct ProgramStep
{
    u16 pc = 0;
    std::string text; // disassembled
    u8 source_count = 0;
    std::array<Vec4, 3> source{}; // after swizzle and sign
    bool writes = false;
    Vec4 result{};           // the destination register afterwards, with writes
    bool is_flow = false;    // may move the program counter by itself
    bool condition = false;  // of flow: whether it acts
    bool emits = false;      // EMIT that completed a primitive
    std::array<s32, 2> a0{}; // these are afterwards
    bool cmp_x = false, cmp_y = false;
    s32 al = 0;
    u32 loops = 0;          // open loops
    u32 loop_remaining = 0; // rounds that are left in the innermost
};

struct ProgramTrace
{
    // What is beyond is run, but not kept.
    static constexpr std::size_t kMostSteps = 1u << 16;
    std::vector<ProgramStep> steps;
    u64 executed = 0;
    u32 events = 0; // bits of flow.h
};

struct VertexTrace
{
    u32 number = 0;                           // of the vertex: its index, or its place in the arrays
    u16 inputs_read = 0, outputs_written = 0; // bit n: register n
    std::array<Vec4, 16> inputs{};            // components that the program does not read are not fetched
    std::array<Vec4, 16> outputs{};           // of the software core's vertex stage
    ProgramTrace program;
    bool agrees = true; // the last values of the trace are the core's, bit by bit
};

struct InvocationTrace
{
    std::array<Vec4, 16> inputs{}; // v0-v15
    ShaderUniforms uniforms;       // with fed values
    GeometryRegisters before, after;
    std::vector<std::array<VertexSlot, 3>> primitives;
    ProgramTrace program;
    bool agrees = true;
};

// index: the element of the draw. memory: as before the draw. Nothing: the draw has no such element, or no program.
std::optional<VertexTrace> trace_vertex(const Draw& draw, u32 index, const GuestMemory& memory);
// number: the invocation of the geometry program in the draw. carryover: as before the draw.
std::optional<InvocationTrace> trace_invocation(const Draw& draw, u32 number, const Carryover& carryover,
                                                const GuestMemory& memory);

} // namespace pica
