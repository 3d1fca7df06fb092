// SPDX-License-Identifier: MIT
// The cases of tests/support/programs/flow_cases.cpp on the scalar and the batched interpreter; the device runs
// them in tests/renderer/vertex_rules_test.cpp.
#include "pica/shader/batch_interpreter.h"
#include "pica/shader/interpreter.h"
#include "tests/support/programs/flow_cases.h"

#include <doctest/doctest.h>

using namespace pica;

TEST_CASE("flow: every rule of the stack machine holds in the scalar interpreter")
{
    tests::check_flow_cases(
        [](const Program& program, const ShaderUniforms& uniforms)
        {
            const std::array<Vec4, 16> inputs = {};
            std::array<Vec4, 16> outputs;
            tests::FlowTrail trail;
            trail.events = run_vertex(program, uniforms, inputs, outputs);
            trail.marks = static_cast<u32>(outputs[0][0]);
            trail.second = outputs[1][0];
            return trail;
        });
}

TEST_CASE("flow: every rule of the stack machine holds in both builds of the batched interpreter")
{
    for (const BatchKernel kernel : {BatchKernel::Best, BatchKernel::Generic})
        tests::check_flow_cases(
            [kernel](const Program& program, const ShaderUniforms& uniforms)
            {
                BatchInterpreter batch(kernel);
                batch.bind(program, uniforms);
                tests::FlowTrail trail;
                trail.events = batch.run(20);
                trail.marks = static_cast<u32>(batch.output(0, 0)[19]);
                trail.second = batch.output(1, 0)[19];
                return trail;
            });
}
