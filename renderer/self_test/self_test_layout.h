// SPDX-License-Identifier: MIT
// The sizes and structs of shaders/include/self_test_layout.h in C++. Part of self_test.cpp.
#pragma once

#include "pica/base/types.h"

namespace renderer
{

using uint = pica::u32; // as in GLSL

#include "shaders/include/self_test_layout.h"

static_assert(ARITHMETIC_GRID * ARITHMETIC_GRID == ARITHMETIC_CASES);
static_assert(MANTISSAS % (MANTISSAS_PER_INVOCATION * SELF_TEST_GROUP) == 0);

} // namespace renderer
