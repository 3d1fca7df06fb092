// SPDX-License-Identifier: MIT
// Translates one instruction of a program into one GLSL statement with the bits of pica/shader/interpreter.h.
// Registers are the variables v0..v15, r0..r15, o0..o15 (vec4), a0x, a0y, aL (int), cmp_x, cmp_y (bool);
// constants are u.constants. Tests: vertex_program_test.cpp
#pragma once

#include "pica/shader/program.h"
#include "shadergen/glsl_writer.h"

#include <string>

namespace shadergen
{

// Flow instructions, NOP and undefined opcodes write nothing. In a geometry program EMIT and SETEMIT call
// emit_vertex() and set_emit(), constants are constant_at(n), and bools are the variable `bools`.
void write_instruction(GlslWriter& out, const pica::Program& program, pica::u32 pc);

// A GLSL expression of type bool.
std::string condition_text(const pica::Condition& condition, pica::ShaderStage stage);

} // namespace shadergen
