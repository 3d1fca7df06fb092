// SPDX-License-Identifier: MIT
// Runs vertex programs one vertex at a time: the reference. The batched form with the same bits is
// batch_interpreter.h. Source: geometry sheet 5.1-5.7; arithmetic is shaders/include/numeric.h.
// Tests: interpreter_test.cpp, interpreter_flow_test.cpp
#pragma once

#include "pica/shader/flow.h"

#include <span>

namespace pica
{

using Vec4 = std::array<f32, 4>; // x, y, z, w

// Registers of one unit. All zero at the start of every vertex (design, "Program functions").
struct ShaderRegisters
{
    std::array<Vec4, 16> v = {};
    std::array<Vec4, 16> r = {};
    std::array<Vec4, 16> o = {};
    std::array<s32, 2> a0 = {};
    bool cmp_x = false;
    bool cmp_y = false;
};

// Executes a non-flow instruction (a flow instruction, EMIT, SETEMIT and undefined opcodes do nothing here).
void execute_instruction(const Instruction& in, const OperandDescriptor& descriptor,
                         const ShaderUniforms& uniforms, s32 al, ShaderRegisters& registers);

// Runs a program from its entry until it ends. v is taken from `registers`, everything else starts as it is
// there. Returns the events of flow.h. EMIT and SETEMIT do nothing.
u32 run_program(const Program& program, const ShaderUniforms& uniforms, ShaderRegisters& registers);

// One vertex: registers start at zero, inputs become v0..v15 (float24 values as binary32), o0..o15 come back.
u32 run_vertex(const Program& program, const ShaderUniforms& uniforms, std::span<const Vec4, 16> inputs,
               std::span<Vec4, 16> outputs);

} // namespace pica
