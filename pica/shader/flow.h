// SPDX-License-Identifier: MIT
// The control-flow machine of a shader unit: program counter, the stacks of CALL, IF and LOOP, and aL. Both
// CPU interpreters use it. Source: pica/hardware/shader-unit.md, "Control flow". Tests: flow_test.cpp
#pragma once

#include "pica/shader/program.h"
#include "pica/shader/uniforms.h"

namespace pica
{

// [our rule] The instruction budget of an invocation. It is checked only where control moves backwards (to an
// address not above the current one), so that straight code is never stopped. When it is exhausted, the
// invocation ends as with END.
constexpr u32 kVertexBudget = 1u << 16;
constexpr u32 kGeometryBudget = 1u << 20;
// [our rule] A geometry program also ends at its kGeometryMoves-th move backwards: a loop round, jump, call
// or return to an address not above the current one. The reason is that drivers bound the loop rounds of a
// shader (llvmpipe: 65535).
constexpr u32 kGeometryMoves = 1u << 15;

// What went wrong while a program ran. Bits of a mask.
constexpr u32 kBudgetExhausted = 1;  // "shader: instruction budget exhausted"
constexpr u32 kBreakOutsideLoop = 2; // hangs the console [HW]; ends the invocation here
constexpr u32 kPrimitivesLost = 8;   // an invocation emitted more than kMaxInvocationPrimitives
constexpr u32 kBadVertexSlot = 16;   // EMIT for vertex 3: only the output banks are exchanged

void report_run_events(u32 events, std::string_view detail, Report& report);
void report_run_events(u32 events, const Program& program, Report& report);

// A push onto a full stack drops the oldest entry. [HW]
template <typename Entry, u32 kDepth>
struct FlowStack
{
    Entry entries[kDepth] = {};
    u32 top_index = 0;
    u32 count = 0;

    bool empty() const { return count == 0; }
    Entry& top() { return entries[top_index]; }
    void push(const Entry& entry)
    {
        top_index = (top_index + 1) % kDepth;
        entries[top_index] = entry;
        count += count < kDepth ? 1 : 0;
    }
    void pop()
    {
        top_index = (top_index + kDepth - 1) % kDepth;
        count--;
    }
};

struct FlowState
{
    struct Call
    {
        u32 end, ret;
    };
    struct If
    {
        u32 otherwise, end;
    };
    struct Loop
    {
        u32 start, end, remaining, step;
        s32 outer_al;
    };
    u32 pc = 0;
    s32 al = 0; // 32 bits wide [our rule]
    u32 executed = 0;
    u32 backward = 0; // number of moves to an address not above the current one
    u32 events = 0;
    FlowStack<Call, 4> calls;
    FlowStack<If, 8> ifs;
    FlowStack<Loop, 4> loops;
};

// Moves on after an instruction. condition: whether a conditional instruction acts; other instructions ignore
// it. Changes pc and returns true, or returns false if the invocation ends.
bool flow_step(FlowState& state, const Program& program, const ShaderUniforms& uniforms, bool condition);

} // namespace pica
