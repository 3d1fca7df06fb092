// SPDX-License-Identifier: MIT
// The rules of the shader unit on the device, compiled and interpreted: special values, the stack machine.
#include "tests/support/device/compute_runner.h"
#include "tests/support/device/vertex_device.h"
#include "tests/support/programs/flow_cases.h"
#include "tests/support/programs/special_values.h"

#include <doctest/doctest.h>

using namespace tests;

namespace
{

template <typename Check>
void on_device(VertexForm form, Check check)
{
    const auto runner = ComputeRunner::create();
    if (!runner)
        return;
    VertexDevice device(*runner);
    check(
        [&](const Program& program, const ShaderUniforms& uniforms)
        {
            const VertexJob job = plain_job(program, uniforms);
            return device.run(form, {&job, 1})[0];
        });
    for (const std::string& message : runner->messages())
        FAIL_CHECK(message);
}

void check_special_values_on(VertexForm form)
{
    on_device(form,
              [](const auto& run)
              {
                  check_special_values(
                      [&](const Program& program, const ShaderUniforms& uniforms)
                      {
                          const VertexDevice::Result result = run(program, uniforms);
                          CHECK(result.events == 0);
                          return std::array<f32, 4>{result.shaded[0], result.shaded[1], result.shaded[2],
                                                    result.shaded[3]};
                      });
              });
}

void check_flow_on(VertexForm form)
{
    on_device(
        form,
        [](const auto& run)
        {
            check_flow_cases(
                [&](const Program& program, const ShaderUniforms& uniforms)
                {
                    const VertexDevice::Result result = run(program, uniforms);
                    return FlowTrail{static_cast<u32>(result.shaded[0]), result.shaded[0x0C], result.events};
                });
        });
}

} // namespace

TEST_CASE("vertex rules: special values in compiled programs")
{
    check_special_values_on(VertexForm::Compiled);
}

TEST_CASE("vertex rules: special values in the device's interpreter")
{
    check_special_values_on(VertexForm::Interpreted);
}

TEST_CASE("vertex rules: the stack machine in compiled programs")
{
    check_flow_on(VertexForm::Compiled);
}

TEST_CASE("vertex rules: the stack machine in the device's interpreter")
{
    check_flow_on(VertexForm::Interpreted);
}
