// SPDX-License-Identifier: MIT
// What the scalar reference computes products with (pica/design.md, part II 3).
#pragma once

#include "pica/base/types.h"

#include <cmath>

namespace tests
{

// A product that is nearly 0 is 0, as on GPUs that flush subnormal numbers.
inline pica::f32 product(pica::f32 a, pica::f32 b)
{
    const pica::f32 p = a * b;
    return std::fabs(p) < 0x1p-100f ? 0.0f : p;
}

} // namespace tests
