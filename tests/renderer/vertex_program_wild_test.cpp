// SPDX-License-Identifier: MIT
// Compiled vertex programs that no assembler would make, on the device against both CPU interpreters, bit for
// bit.
#include "tests/support/device/vertex_device.h"

#include <doctest/doctest.h>

using namespace tests;

// A second of compilation each: 200 of their kind go through the interpreter on the device
// (vertex_interpreter_test.cpp) in every run.
TEST_CASE("vertex compute: wild programs, compiled, give the interpreters' outputs")
{
    check_random_programs(VertexForm::Compiled, RandomFlow::Wild, "compiled wild programs", 25, 5000);
}

TEST_CASE("vertex compute: memory full of noise, compiled, gives the interpreters' outputs")
{
    check_random_programs(VertexForm::Compiled, RandomFlow::Noise, "compiled noise", 10, 500);
}
