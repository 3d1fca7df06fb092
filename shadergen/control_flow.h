// SPDX-License-Identifier: MIT
// Translates a program into the GLSL function run_program() and the functions that it calls: nested
// statements if the program is structured (pica/hardware/shader-translation.md), else basic blocks in a loop
// (with tests in the order of addresses in place of the switch). Both do exactly what pica/shader/flow.h
// does. Tests: vertex_program_test.cpp
#pragma once

#include "pica/shader/program.h"
#include "shadergen/glsl_writer.h"

namespace shadergen
{

enum class ControlFlowForm : pica::u8
{
    Structured,
    Counted, // structured, and counts instructions against the budget
    Blocks,
};

ControlFlowForm control_flow_form(const pica::Program& program);

// Can run_program() set bits in the variable `events` (uint)? If so, the caller declares it.
bool may_raise_events(const pica::Program& program);

void write_control_flow(GlslWriter& out, const pica::Program& program);

} // namespace shadergen
