// SPDX-License-Identifier: MIT
// Translates one instruction of a program into one GLSL statement with the bits of pica/shader/interpreter.h.
// Registers are the variables v0..v15, r0..r15, o0..o15 (vec4), a0x, a0y, aL (int), cmp_x, cmp_y (bool);
// constants are u.constants. Tests: vertex_program_test.cpp
#pragma once

#include "pica/shader/program.h"
#include "shadergen/glsl_writer.h"

#include <array>
#include <string>

namespace shadergen
{

// Components of temporaries that are normal whenever they are read (shaders/include/float24_fast.h), bit 0 = x. Constants,
// inputs, and copies of them may be below 2^-62, where they count as 0 in arithmetic but not in comparisons.
using NormalTemporaries = std::array<pica::u8, 16>;
NormalTemporaries normal_temporaries(const pica::Program& program);

// Flow instructions, NOP and undefined opcodes write nothing. In a geometry program EMIT and SETEMIT call
// emit_vertex() and set_emit(), constants are constant_at(n), and bools are the variable `bools`.
void write_instruction(GlslWriter& out, const pica::Program& program, const NormalTemporaries& normal,
                       pica::u32 pc);

// A GLSL expression of type bool.
std::string condition_text(const pica::Condition& condition, pica::ShaderStage stage);

} // namespace shadergen
