// SPDX-License-Identifier: MIT
// The stack machine of pica/hardware/shader-unit.md, "Control flow", with its odd cases, for every executor
// of vertex programs. Programs leave a trail: every mark that is executed adds a different power of two to
// o0.x.
#pragma once

#include "pica/shader/program.h"
#include "pica/shader/uniforms.h"

#include <functional>

namespace tests
{

struct FlowTrail
{
    pica::u32 marks = 0;  // o0.x
    pica::f32 second = 0; // o1.x
    pica::u32 events = 0; // as in pica/shader/flow.h
};

// Runs one vertex whose inputs are zero.
using FlowExecutor = std::function<FlowTrail(const pica::Program&, const pica::ShaderUniforms&)>;

// Checks the results of an executor in all cases.
void check_flow_cases(const FlowExecutor& execute);

} // namespace tests
