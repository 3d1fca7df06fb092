// SPDX-License-Identifier: MIT
// Scalar C++ compilation of the shared arithmetic (shaders/include/*.h): namespace pica::num.
#pragma once

#include "pica/base/types.h"

#include <bit>
#include <cmath>

namespace pica::num
{

using Real = f32;
using Bits = u32;
using Int = s32;
using Mask = bool;

inline Bits as_bits(Real x)
{
    return std::bit_cast<Bits>(x);
}
inline Real as_real(Bits x)
{
    return std::bit_cast<Real>(x);
}
inline Bits as_unsigned(Int x)
{
    return static_cast<Bits>(x);
}
inline Int as_signed(Bits x)
{
    return static_cast<Int>(x);
}
inline Int to_int(Real x)
{
    return static_cast<Int>(x);
}
inline Real to_real(Int x)
{
    return static_cast<Real>(x);
}

#define NUM_FN inline
#define SEL(mask, a, b) ((mask) ? (a) : (b))
#define AND(a, b) ((a) && (b))
#define OR(a, b) ((a) || (b))
#define NOT(a) (!(a))
#define REAL(x) (x)
#define BITS(x) (x)
#define INT(x) (x)
#define FLOOR(x) std::floor(x)
#define HOST_RCP(x) (1.0f / (x))
#define MUL_WIDE(a, b, high, low)                                                                            \
    {                                                                                                        \
        const u64 product_ = static_cast<u64>(a) * (b);                                                      \
        high = static_cast<Bits>(product_ >> 32);                                                            \
        low = static_cast<Bits>(product_);                                                                   \
    }

#include "shaders/include/numeric.h"

#include "shaders/include/fog.h"
#include "shaders/include/gas.h"
#include "shaders/include/geometry.h"
#include "shaders/include/lighting.h"
#include "shaders/include/proctex.h"
#include "shaders/include/raster.h"
#include "shaders/include/shadow.h"
#include "shaders/include/texture.h"
#include "shaders/include/ties.h"

#include "pica/base/numeric_undef.h"

} // namespace pica::num
