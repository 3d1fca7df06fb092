// SPDX-License-Identifier: MIT
// The device's interpreter (shaders/vertex_interpreter.comp) against both CPU interpreters, bit for bit: many
// programs, because none is compiled.
#include "shadergen/vertex_interpreter.h"

#include "tests/support/device/vertex_device.h"

#include <doctest/doctest.h>

using namespace tests;

TEST_CASE("vertex interpreter: straight programs give the CPU's outputs")
{
    check_random_programs(VertexForm::Interpreted, RandomFlow::None, "interpreted straight programs", 200,
                          20000);
}

TEST_CASE("vertex interpreter: structured programs give the CPU's outputs")
{
    check_random_programs(VertexForm::Interpreted, RandomFlow::Structured, "interpreted structured programs",
                          200, 100000);
}

TEST_CASE("vertex interpreter: wild programs give the CPU's outputs")
{
    check_random_programs(VertexForm::Interpreted, RandomFlow::Wild, "interpreted wild programs", 200,
                          100000);
}

TEST_CASE("vertex interpreter: memory full of noise gives the CPU's outputs")
{
    check_random_programs(VertexForm::Interpreted, RandomFlow::Noise, "interpreted noise", 200, 10000);
}
