// SPDX-License-Identifier: MIT
// Runs vertex programs one vertex at a time. This is the reference; batch_interpreter.h is the batched form
// with the same bits. Source: pica/hardware/shader-unit.md; arithmetic is shaders/include/numeric.h. Tests:
// interpreter_test.cpp, flow_test.cpp
#pragma once

#include "pica/shader/flow.h"

#include <span>

namespace pica
{

using Vec4 = std::array<f32, 4>; // x, y, z, w

// Registers of one shader unit. All zero at the start of every vertex (design.md, "Program functions").
struct ShaderRegisters
{
    std::array<Vec4, 16> v = {};
    std::array<Vec4, 16> r = {};
    std::array<Vec4, 16> o = {};
    std::array<s32, 2> a0 = {};
    bool cmp_x = false;
    bool cmp_y = false;
};

// Executes an instruction that does not change control flow. Flow instructions, EMIT, SETEMIT and undefined
// opcodes do nothing here.
void execute_instruction(const Instruction& in, const OperandDescriptor& descriptor,
                         const ShaderUniforms& uniforms, s32 al, ShaderRegisters& registers);

// Runs a program from its entry until it ends. All registers start with the values in `registers`, v
// included. Returns the events of flow.h. EMIT and SETEMIT do nothing.
u32 run_program(const Program& program, const ShaderUniforms& uniforms, ShaderRegisters& registers);

// Runs one vertex. Registers start at zero; inputs are put into v0..v15 (float24 values as binary32); o0..o15
// are returned.
u32 run_vertex(const Program& program, const ShaderUniforms& uniforms, std::span<const Vec4, 16> inputs,
               std::span<Vec4, 16> outputs);

} // namespace pica
