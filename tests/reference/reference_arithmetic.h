// SPDX-License-Identifier: MIT
// What several parts of the scalar reference compute with.
#pragma once

#include "pica/base/types.h"

#include <cmath>

namespace tests
{

// A product that is nearly 0 is 0, as on GPUs that flush subnormal numbers (pica/design.md, part II 3).
inline pica::f32 product(pica::f32 a, pica::f32 b)
{
    const pica::f32 p = a * b;
    return std::fabs(p) < 0x1p-100f ? 0.0f : p;
}

// A byte of a colour, R in bits 0-7.
inline pica::u32 channel(pica::u32 rgba, pica::u32 c)
{
    return rgba >> (8 * c) & 255;
}

} // namespace tests
