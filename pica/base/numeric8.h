// SPDX-License-Identifier: MIT
// 8-lane C++ compilation of the shared arithmetic: namespace pica::num8, on compiler vectors. Lane i of every
// function has the bits of the scalar function. All functions have internal linkage and are always inlined,
// so that one source file may be compiled for several instruction sets without sharing symbols.
#pragma once

#include "pica/base/numeric.h"

#include <cstring>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace pica::num8
{

using Real = f32 __attribute__((vector_size(32)));
using Bits = u32 __attribute__((vector_size(32)));
using Int = s32 __attribute__((vector_size(32)));
using Mask = Int; // all ones or all zeros per lane

#define NUM_FN [[gnu::always_inline]] static inline

NUM_FN Bits as_bits(Real x)
{
    return reinterpret_cast<Bits>(x);
}
NUM_FN Real as_real(Bits x)
{
    return reinterpret_cast<Real>(x);
}
NUM_FN Bits as_unsigned(Int x)
{
    return reinterpret_cast<Bits>(x);
}
NUM_FN Int as_signed(Bits x)
{
    return reinterpret_cast<Int>(x);
}
NUM_FN Real splat(f32 x)
{
    return Real{x, x, x, x, x, x, x, x};
}
NUM_FN Bits splat(u32 x)
{
    return Bits{x, x, x, x, x, x, x, x};
}
NUM_FN Int splat(s32 x)
{
    return Int{x, x, x, x, x, x, x, x};
}

// Truncating conversion. The value of a lane that is out of range is unspecified; every caller clamps first.
NUM_FN Int to_int(Real x)
{
#if defined(__AVX2__)
    return reinterpret_cast<Int>(_mm256_cvttps_epi32(x));
#else
    return __builtin_convertvector(x, Int);
#endif
}
NUM_FN Real to_real(Int x)
{
    return __builtin_convertvector(x, Real);
}

NUM_FN Real floor8(Real x)
{
#if defined(__AVX2__)
    return _mm256_floor_ps(x);
#else
    // Half by half: GCC compares lane by lane where the machine has no vectors of this size.
    using Real4 = f32 __attribute__((vector_size(16)));
    using Int4 = s32 __attribute__((vector_size(16)));
    Real4 part[2];
    std::memcpy(part, &x, sizeof part);
    for (Real4& p : part)
    {
        // From 2^23 on a float has no fraction (infinity and NaN included).
        const Int4 whole = (reinterpret_cast<Int4>(p) & 0x7FFFFFFF) >= 0x4B000000;
        const Real4 small = reinterpret_cast<Real4>(reinterpret_cast<Int4>(p) & ~whole);
        const Real4 t = __builtin_convertvector(__builtin_convertvector(small, Int4), Real4);
        const Int4 above = t > small;
        const Real4 one = {1.0f, 1.0f, 1.0f, 1.0f};
        const Real4 f = t - reinterpret_cast<Real4>(reinterpret_cast<Int4>(one) & above);
        p = reinterpret_cast<Real4>((reinterpret_cast<Int4>(p) & whole) |
                                    (reinterpret_cast<Int4>(f) & ~whole));
    }
    Real r;
    std::memcpy(&r, part, sizeof r);
    return r;
#endif
}

// Is any lane, are all lanes set?
NUM_FN bool any(Mask m)
{
#if defined(__AVX2__)
    return !_mm256_testz_si256(reinterpret_cast<__m256i>(m), reinterpret_cast<__m256i>(m));
#else
    u64 words[4];
    std::memcpy(words, &m, sizeof words);
    return (words[0] | words[1] | words[2] | words[3]) != 0;
#endif
}
NUM_FN bool all(Mask m)
{
    return !any(~m);
}

// Does q, a candidate for 2^25/sqrt(m), satisfy q*q*m <= 2^50? q < 2^17 + 2 and m < 2^18, so that the product
// is below 2^53 and exact in binary64.
NUM_FN Mask rsq_fits(Bits q, Bits m)
{
    using Half = s32 __attribute__((vector_size(16)));
    using Wide = double __attribute__((vector_size(32)));
    using WideMask = s64 __attribute__((vector_size(32)));
    Half halves_q[2];
    Half halves_m[2];
    Half fits[2];
    std::memcpy(halves_q, &q, sizeof q);
    std::memcpy(halves_m, &m, sizeof m);
    for (int i = 0; i < 2; i++)
    {
        const Wide wide_q = __builtin_convertvector(halves_q[i], Wide);
        const Wide wide_m = __builtin_convertvector(halves_m[i], Wide);
        const WideMask mask = wide_q * wide_q * wide_m <= 0x1p50;
        fits[i] = __builtin_convertvector(mask, Half);
    }
    Mask result;
    std::memcpy(&result, fits, sizeof result);
    return result;
}

#if defined(__AVX2__) || defined(__clang__)
#define SEL(mask, a, b) ((mask) ? (a) : (b))
#else
// GCC selects lane by lane where the machine has no vectors of this size.
template <typename T>
NUM_FN T select_bits(Mask mask, T a, T b)
{
    const Bits m = reinterpret_cast<Bits>(mask);
    return reinterpret_cast<T>((reinterpret_cast<Bits>(a) & m) | (reinterpret_cast<Bits>(b) & ~m));
}
#define SEL(mask, a, b) select_bits(mask, a, b)
#endif
#define AND(a, b) ((a) & (b))
#define OR(a, b) ((a) | (b))
#define NOT(a) (~(a))
#define REAL(x) splat(x)
#define BITS(x) splat(x)
#define INT(x) splat(x)
#define FLOOR(x) floor8(x)
#define HOST_RCP(x) (splat(1.0f) / (x))
#define PICA_LANES 8

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

} // namespace pica::num8
