// SPDX-License-Identifier: MIT
// What the interpreters of both shader units share: the decoded row of an instruction, and the text that runs
// one. Tests: tests/renderer/vertex_interpreter_test.cpp, tests/conformance/geometry_program.cpp
#pragma once

#include "pica/shader/program.h"
#include "shadergen/uniforms.h"

#include <string>

namespace shadergen
{

// As layout.h says at PROGRAM_WORDS.
uvec4 program_row(const pica::Program& program, pica::u32 pc);

// The stacks and shaders/include/program_interpreter.h.
std::string program_interpreter_text();

} // namespace shadergen
