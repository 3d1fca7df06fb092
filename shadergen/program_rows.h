// SPDX-License-Identifier: MIT
// What the interpreters of both shader units share: the decoded row of an instruction, and the text that
// executes one. Tests: tests/renderer/vertex_interpreter_test.cpp, tests/conformance/geometry_program.cpp
#pragma once

#include "pica/shader/program.h"
#include "shadergen/uniforms.h"

#include <string>

namespace shadergen
{

// The row that layout.h describes at PROGRAM_WORDS.
uvec4 program_row(const pica::Program& program, pica::u32 pc);

// The text of the stacks and of shaders/include/program_interpreter.h.
std::string program_interpreter_text();

} // namespace shadergen
