// SPDX-License-Identifier: MIT
// The exact-arithmetic contract. This text is compiled three times: as GLSL (after the prelude of shadergen/prelude.h), as
// scalar C++ (pica/base/numeric.h) and as 8-lane C++ (pica/base/numeric8.h). The same text gives the same bits.
//
// The including side defines
//   types   Real (binary32), Bits (u32), Int (s32), Mask (comparison result)
//   macros  NUM_FN (function prefix), SEL(mask, a, b), AND, OR, NOT (on masks), REAL(x), BITS(x), INT(x) (constants)
//   as_bits, as_real (bit casts), to_int (truncates), to_real, FLOOR, and for C++ HOST_RCP (IEEE division).
// Rules (design.md, "The exact-arithmetic contract"): only + - *, comparisons, floor, select, bit casts and conversions of
// small integers; no fused operations; no result depends on the sign of zero, on a NaN payload or on denormals.
// Constants are written as bits where a decimal literal could be rounded differently by two compilers.

// ---------------------------------------------------------------------------------------------------------------
// Binary32 outside programs

NUM_FN Bits magnitude_bits(Real x) { return as_bits(x) & BITS(0x7FFFFFFFu); }
NUM_FN Mask is_nan(Real x) { return magnitude_bits(x) > BITS(0x7F800000u); }
NUM_FN Mask is_finite(Real x) { return magnitude_bits(x) < BITS(0x7F800000u); }

// GLSL's own functions are one instruction on a GPU. They give the bits of the other form for the numbers that come here:
// no NaN, and of two zeros either may come out, because no result depends on the sign of zero.
#ifdef PICA_GLSL
float magnitude(float x) { return abs(x); }
float larger(float a, float b) { return max(a, b); }
float smaller(float a, float b) { return min(a, b); }
float clamped(float x, float low, float high) { return clamp(x, low, high); }
int clamped_int(int x, int low, int high) { return clamp(x, low, high); }
#else
NUM_FN Real magnitude(Real x) { return as_real(magnitude_bits(x)); }
NUM_FN Real larger(Real a, Real b) { return SEL(a > b, a, b); }
NUM_FN Real smaller(Real a, Real b) { return SEL(a < b, a, b); }
NUM_FN Real clamped(Real x, Real low, Real high)
{
    Real r = SEL(x > high, high, x);
    return SEL(r > low, r, low);
}
NUM_FN Int clamped_int(Int x, Int low, Int high)
{
    Int r = SEL(x < low, low, x);
    return SEL(r > high, high, r);
}
#endif

// x, or +0 if its magnitude is below the positive float whose bits are `limit`.
NUM_FN Real flush_below(Real x, Bits limit) { return SEL(magnitude(x) < as_real(limit), REAL(0.0f), x); }

// FM of the design: a product; results with a magnitude below 2^-100 become +0.
NUM_FN Real fm(Real a, Real b)
{
    Real p = a * b;
    return flush_below(p, BITS(0x0D800000u));
}

// RCP of the design: the correctly rounded reciprocal.
#ifdef PICA_GLSL
// The device's division may be off by 2.5 ULP. Its quotient of the mantissas is taken as a seed and corrected with
// integers: 2^47 = q*m + r, and the residual r fits 32 bits for every seed within a few ULP. Ties cannot occur. RCP_STEPS
// (0..3) comes from the start-up self-test. Returns 1 / (1 + mantissa/2^23); mantissa has 23 bits, without the leading one.
float rcp_mantissa(uint mantissa)
{
    float seed = 1.0f / as_real(mantissa | 0x3F800000u);
    if (RCP_STEPS == 0)
        return seed;
    uint m = mantissa | 0x800000u;
    int q = to_int(seed * 16777216.0f);
    int r = int(0u - uint(q) * m);
    int mi = int(m);
    for (int k = 0; k < RCP_STEPS; k++)
    {
        bool up = r + r > mi;
        q += up ? 1 : 0;
        r -= up ? mi : 0;
        bool down = r + r < -mi;
        q -= down ? 1 : 0;
        r += down ? mi : 0;
    }
    return to_real(q) * as_real(0x33800000u); // q * 2^-24, exact
}
// Of a positive number from 2^-125 to 2^125.
float rcp_positive(float x)
{
    uint u = as_bits(x);
    uint mantissa = u & 0x7FFFFFu;
    return as_real(as_bits(rcp_mantissa(mantissa)) + ((mantissa | 0x3F800000u) - u)); // takes the exponent away
}
float rcp(float x)
{
    uint u = as_bits(x);
    uint quotient = as_bits(rcp_mantissa(u & 0x7FFFFFu));
    int exponent = int((u >> 23) & 255u);
    uint result = quotient + uint((127 - exponent) << 23);
    uint a = u & 0x7FFFFFFFu;
    result = SEL(a == 0u, 0x7F800000u, result);
    result = SEL(a == 0x7F800000u, 0u, result);
    result = result | (u & 0x80000000u);
    return as_real(SEL(a > 0x7F800000u, 0x7FC00000u, result));
}
#else
NUM_FN Real rcp(Real x) { return HOST_RCP(x); }
NUM_FN Real rcp_positive(Real x) { return HOST_RCP(x); }
#endif

// Reciprocal square root estimate of the contract (three Newton steps), for positive normal x.
NUM_FN Real rsq_newton(Real x)
{
    Real h = x * REAL(0.5f);
    Real r = as_real(BITS(0x5F375A86u) - (as_bits(x) >> 1));
    r = r * (REAL(1.5f) - (h * r) * r);
    r = r * (REAL(1.5f) - (h * r) * r);
    r = r * (REAL(1.5f) - (h * r) * r);
    return r;
}

// ---------------------------------------------------------------------------------------------------------------
// float24, the arithmetic of shader programs (design D7, pica/hardware/shader-unit.md, "Arithmetic"). A register holds
// a float24 value as binary32 with the low 7 mantissa bits zero.

// T(): truncates to 16 mantissa bits. Below 2^-62 gives +0, 2^64 and above gives infinity, NaN becomes canonical, and there
// is no -0.
NUM_FN Real f24_round(Real x)
{
    Bits u = as_bits(x);
    Bits a = u & BITS(0x7FFFFFFFu);
    Bits t = u & BITS(0xFFFFFF80u);
    t = SEL(a < BITS(0x20800000u), BITS(0u), t);
    t = SEL(a >= BITS(0x5F800000u), (u & BITS(0x80000000u)) | BITS(0x7F800000u), t);
    t = SEL(a > BITS(0x7F800000u), BITS(0x7FC00000u), t);
    return as_real(t);
}

// in(): operands of arithmetic that are below 2^-62 (float24 subnormals) count as +0.
// NaN must stay on devices that need not keep it, so bits are compared.
NUM_FN Real f24_in(Real x) { return as_real(SEL(magnitude_bits(x) < BITS(0x20800000u), BITS(0u), as_bits(x))); }

NUM_FN Real f24_add(Real a, Real b)
{
    Real s = f24_in(a) + f24_in(b);
    return f24_round(s);
}

// 0 times anything but NaN is 0, infinity included. [HW]
NUM_FN Real f24_mul(Real a, Real b)
{
    Bits ma = magnitude_bits(a);
    Bits mb = magnitude_bits(b);
    Real p = a * b;
    Bits r = as_bits(f24_round(p));
    Mask zero = OR(ma < BITS(0x20800000u), mb < BITS(0x20800000u));
    Mask nan = OR(ma > BITS(0x7F800000u), mb > BITS(0x7F800000u));
    r = SEL(zero, BITS(0u), r);
    r = SEL(nan, BITS(0x7FC00000u), r);
    return as_real(r);
}

// Not fused: the product is rounded before the addition. [HW]
NUM_FN Real f24_mad(Real a, Real b, Real c)
{
    Real p = f24_mul(a, b);
    return f24_add(p, c);
}

// Comparisons do not flush subnormals [HW]. With a NaN all of them are false. [ASSUMED: ordered]
NUM_FN Mask f24_ordered(Real a, Real b)
{
    return AND(magnitude_bits(a) <= BITS(0x7F800000u), magnitude_bits(b) <= BITS(0x7F800000u));
}
NUM_FN Mask f24_greater(Real a, Real b) { return AND(a > b, f24_ordered(a, b)); }
NUM_FN Mask f24_less(Real a, Real b) { return AND(a < b, f24_ordered(a, b)); }
NUM_FN Mask f24_greater_equal(Real a, Real b) { return AND(a >= b, f24_ordered(a, b)); }
NUM_FN Mask f24_less_equal(Real a, Real b) { return AND(a <= b, f24_ordered(a, b)); }
NUM_FN Mask f24_equal(Real a, Real b) { return AND(a == b, f24_ordered(a, b)); }
// "Not equal" is true if an operand is NaN. [ASSUMED: IEEE]
NUM_FN Mask f24_not_equal(Real a, Real b) { return NOT(f24_equal(a, b)); }

// max(0, NaN) = NaN, max(NaN, 0) = 0 [HW]; max(0, -inf) by the comparison rule. [our rule]
NUM_FN Real f24_max(Real a, Real b) { return as_real(SEL(f24_greater(a, b), as_bits(a), as_bits(b))); }
NUM_FN Real f24_min(Real a, Real b) { return as_real(SEL(f24_less(a, b), as_bits(a), as_bits(b))); }
NUM_FN Real f24_sge(Real a, Real b) { return as_real(SEL(f24_greater_equal(a, b), BITS(0x3F800000u), BITS(0u))); }
NUM_FN Real f24_slt(Real a, Real b) { return as_real(SEL(f24_less(a, b), BITS(0x3F800000u), BITS(0u))); }

NUM_FN Real f24_floor(Real x)
{
    Real f = FLOOR(f24_in(x));
    return f24_round(f);
}

NUM_FN Real f24_rcp(Real x)
{
    Real r = rcp(f24_in(x));
    return f24_round(r);
}

// 2^x. The accuracy of the hardware is unknown: a degree-5 polynomial, truncated. [our rule]
NUM_FN Real f24_ex2(Real x)
{
    Bits u = as_bits(f24_in(x));
    Bits a = u & BITS(0x7FFFFFFFu);
    Mask big = a >= BITS(0x43000000u); // |x| >= 128, infinity or NaN
    Real xs = as_real(SEL(big, BITS(0u), u));
    Real whole = FLOOR(xs);
    Real t = xs - whole;
    Real p = as_real(BITS(0x3AF61905u));
    p = p * t + as_real(BITS(0x3C134806u));
    p = p * t + as_real(BITS(0x3D64AA23u));
    p = p * t + as_real(BITS(0x3E75EAD4u));
    p = p * t + as_real(BITS(0x3F31727Bu));
    p = p * t + REAL(1.0f);
    Int e = to_int(whole);
    Bits v = as_bits(p) + as_unsigned(e << 23);
    v = SEL(e >= INT(64), BITS(0x7F800000u), v);
    v = SEL(e < INT(-63), BITS(0u), v);
    v = as_bits(f24_round(as_real(v)));
    v = SEL(big, SEL((u >> 31) != BITS(0u), BITS(0u), BITS(0x7F800000u)), v);
    v = SEL(a > BITS(0x7F800000u), BITS(0x7FC00000u), v);
    return as_real(v);
}

// log2(x). The accuracy of the hardware is unknown: an 11-coefficient polynomial, truncated. [our rule]
// lg2(0) = -inf, lg2(negative) = NaN, lg2(+inf) = +inf. [EMU]
NUM_FN Real f24_lg2(Real x)
{
    Bits u = as_bits(f24_in(x));
    Bits a = u & BITS(0x7FFFFFFFu);
    Mask special = OR((u >> 31) != BITS(0u), OR(a == BITS(0u), a >= BITS(0x7F800000u)));
    Bits w = SEL(special, BITS(0x3F800000u), u);
    Int e = as_signed(w >> 23) - INT(127);
    Bits m = (w & BITS(0x7FFFFFu)) | BITS(0x3F800000u);
    Mask high = m > BITS(0x3FB504F3u); // above sqrt(2): halve, so that t is around 0
    m = SEL(high, m - BITS(0x800000u), m);
    e = SEL(high, e + INT(1), e);
    Real t = as_real(m) - REAL(1.0f);
    Real p = as_real(BITS(0x3DCFDF4Bu));
    p = p * t + as_real(BITS(0xBE2A6A5Au));
    p = p * t + as_real(BITS(0x3E2EC8D6u));
    p = p * t + as_real(BITS(0xBE37432Bu));
    p = p * t + as_real(BITS(0x3E51AF85u));
    p = p * t + as_real(BITS(0xBE75F1BAu));
    p = p * t + as_real(BITS(0x3E93BFF6u));
    p = p * t + as_real(BITS(0xBEB8AA6Fu));
    p = p * t + as_real(BITS(0x3EF6384Cu));
    p = p * t + as_real(BITS(0xBF38AA3Bu));
    p = p * t + as_real(BITS(0x3FB8AA3Bu));
    Real r = p * t + to_real(e);
    Bits v = as_bits(f24_round(r));
    v = SEL(a == BITS(0u), BITS(0xFF800000u), v);
    v = SEL(AND((u >> 31) != BITS(0u), a != BITS(0u)), BITS(0x7FC00000u), v);
    v = SEL(u == BITS(0x7F800000u), BITS(0x7F800000u), v);
    v = SEL(a > BITS(0x7F800000u), BITS(0x7FC00000u), v);
    return as_real(v);
}

// MOVA: truncation toward zero [EMU]. NaN, infinity and anything beyond 16 bits become 0x8000, which the rule for
// out-of-range offsets turns into offset 0.
NUM_FN Int f24_to_offset(Real x)
{
    Mask big = magnitude_bits(x) >= BITS(0x47000000u);
    Int i = to_int(as_real(SEL(big, BITS(0u), as_bits(x))));
    return SEL(big, INT(0x8000), i);
}

// The constant register of a relative access. n: encoded register 0..95; offset: a0.x, a0.y or aL. A result of 96 or more
// reads (1,1,1,1). [HW]
NUM_FN Int relative_constant(Int n, Int offset)
{
    Mask outside = OR(offset < INT(-128), offset > INT(127));
    return (n + SEL(outside, INT(0), offset)) & INT(0x7F);
}

#ifndef PICA_LANES // products of up to 53 bits: the 8-lane compilation has its own form
// Does q, a candidate for 2^25/sqrt(m), satisfy q*q*m <= 2^50? q < 2^17 + 2, m < 2^18.
NUM_FN Mask rsq_fits(Bits q, Bits m)
{
    Bits square_high;
    Bits square_low;
    MUL_WIDE(q, q, square_high, square_low);
    Bits high;
    Bits low;
    MUL_WIDE(square_low, m, high, low);
    high = high + square_high * m;
    return OR(high < BITS(0x40000u), AND(high == BITS(0x40000u), low == BITS(0u)));
}
#endif

// RSQ: the exact value truncated to 17 significant bits. The Newton estimate is within one unit, and integers decide.
// rsq(0) = +inf, rsq(+inf) = 0, rsq(negative) = NaN. [HW for the special values; truncation is our rule]
NUM_FN Real f24_rsq(Real x)
{
    Bits u = as_bits(f24_in(x));
    Bits a = u & BITS(0x7FFFFFFFu);
    Mask special = OR((u >> 31) != BITS(0u), OR(a == BITS(0u), a >= BITS(0x7F800000u)));
    Bits w = SEL(special, BITS(0x3F800000u), u);
    Int e = as_signed(w >> 23) - INT(127);
    Bits odd = as_unsigned(e) & BITS(1u);
    Bits m = (((w >> 7) & BITS(0xFFFFu)) | BITS(0x10000u)) << odd; // x = m * 2^(e - odd - 16)
    Int half_exponent = (e - as_signed(odd)) >> 1;
    Real scaled = to_real(as_signed(m)) * as_real(BITS(0x37800000u)); // m * 2^-16, in [1, 4)
    Bits q = as_unsigned(to_int(rsq_newton(scaled) * REAL(131072.0f))) + BITS(1u);
    q = SEL(rsq_fits(q, m), q, q - BITS(1u));
    q = SEL(rsq_fits(q, m), q, q - BITS(1u));
    // q in [2^16, 2^17]; value = q * 2^-17 * 2^-half_exponent, exact.
    Bits v = as_bits(to_real(as_signed(q)) * as_real(BITS(0x37000000u))) - as_unsigned(half_exponent << 23);
    v = SEL((u >> 31) != BITS(0u), BITS(0x7FC00000u), v);
    v = SEL(a == BITS(0u), BITS(0x7F800000u), v);
    v = SEL(u == BITS(0x7F800000u), BITS(0u), v);
    v = SEL(a > BITS(0x7F800000u), BITS(0x7FC00000u), v);
    return as_real(v);
}
