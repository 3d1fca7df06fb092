// SPDX-License-Identifier: MIT
// The table of tests/support/programs/special_values.cpp on the scalar and the batched interpreter; the device
// runs it in tests/renderer/vertex_rules_test.cpp.
#include "pica/shader/batch_interpreter.h"
#include "pica/shader/interpreter.h"
#include "tests/support/programs/special_values.h"

#include <doctest/doctest.h>

using namespace pica;

TEST_CASE("special values: every rule holds in the scalar interpreter")
{
    tests::check_special_values(
        [](const Program& program, const ShaderUniforms& uniforms)
        {
            const std::array<Vec4, 16> inputs = {};
            std::array<Vec4, 16> outputs;
            CHECK(run_vertex(program, uniforms, inputs, outputs) == 0);
            return outputs[0];
        });
}

TEST_CASE("special values: every rule holds in both builds of the batched interpreter")
{
    for (const BatchKernel kernel : {BatchKernel::Best, BatchKernel::Generic})
        tests::check_special_values(
            [kernel](const Program& program, const ShaderUniforms& uniforms)
            {
                BatchInterpreter batch(kernel);
                batch.bind(program, uniforms);
                CHECK(batch.run(9) == 0);
                Vec4 result;
                for (u32 i = 0; i < 4; i++)
                    result[i] = batch.output(0, i)[8];
                return result;
            });
}
