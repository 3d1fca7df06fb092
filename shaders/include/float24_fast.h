// SPDX-License-Identifier: MIT
// GLSL only: float24 arithmetic of numeric.h in fewer instructions. It has the same bits, but for the sign and payload of NaN.
// It is for devices that keep infinities and NaN (Target::nan_preserve); float24_plain.h has the names for the others.
//
// Operands are normal: zero, infinite, NaN, or of a magnitude from 2^-62 on. So is every result of float24 arithmetic.
// T() becomes three steps. Times 2^64 a value from 2^64 on overflows to infinity, and no other value changes but in its
// exponent; a selection clears what is below 2^-62; a mask truncates. Sums and products of normal operands are never
// denormal. Dot products stay multiplied from the first product to the last sum.

float fast_up(float x) { return x * as_real(0x5F800000u); }   // 2^64
float fast_down(float x) { return x * as_real(0x1F800000u); } // 2^-64

// T() of a value that is multiplied by 2^64.
float fast_cut(float x) { return SEL(abs(x) < 4.0f, 0.0f, as_real(as_bits(x) & 0xFFFFFF80u)); }

// A product. 0 where it is NaN: 0 times infinity, and where an operand is NaN, for which the callers look.
float fast_product(float a, float b)
{
    float p = a * fast_up(b);
    return SEL(abs(p) >= 4.0f, as_real(as_bits(p) & 0xFFFFFF80u), 0.0f);
}

bool fast_any_nan(float a, float b) { return OR(isnan(a), isnan(b)); }
float fast_or_nan(bool nan, float x) { return SEL(nan, as_real(0x7FC00000u), x); }

float fast_mul(float a, float b) { return fast_or_nan(fast_any_nan(a, b), fast_down(fast_product(a, b))); }
float fast_add(float a, float b) { return fast_down(fast_cut(fast_up(a + b))); }
float fast_mad(float a, float b, float c)
{
    float sum = fast_cut(fast_product(a, b) + fast_up(c));
    return fast_or_nan(fast_any_nan(a, b), fast_down(sum));
}
float fast_dp3(float ax, float bx, float ay, float by, float az, float bz)
{
    float sum = fast_product(ax, bx);
    sum = fast_cut(fast_product(ay, by) + sum);
    sum = fast_cut(fast_product(az, bz) + sum);
    bool nan = OR(fast_any_nan(ax, bx), OR(fast_any_nan(ay, by), fast_any_nan(az, bz)));
    return fast_or_nan(nan, fast_down(sum));
}
float fast_dp4(float ax, float bx, float ay, float by, float az, float bz, float aw, float bw)
{
    float sum = fast_product(ax, bx);
    sum = fast_cut(fast_product(ay, by) + sum);
    sum = fast_cut(fast_product(az, bz) + sum);
    sum = fast_cut(fast_product(aw, bw) + sum);
    bool nan = OR(OR(fast_any_nan(ax, bx), fast_any_nan(ay, by)), OR(fast_any_nan(az, bz), fast_any_nan(aw, bw)));
    return fast_or_nan(nan, fast_down(sum));
}

// The functions below take any operands.

// in()
float fast_in(float x) { return SEL(abs(x) < as_real(0x20800000u), 0.0f, x); }
// T()
float fast_round(float x)
{
    float t = as_real(as_bits(fast_down(fast_up(x))) & 0xFFFFFF80u);
    return fast_or_nan(isnan(x), SEL(abs(x) < as_real(0x20800000u), 0.0f, t));
}

bool fast_greater(float a, float b) { return a > b; }
bool fast_less(float a, float b) { return a < b; }
bool fast_greater_equal(float a, float b) { return a >= b; }
bool fast_less_equal(float a, float b) { return a <= b; }
bool fast_equal(float a, float b) { return a == b; }
bool fast_not_equal(float a, float b) { return !(a == b); }
float fast_sge(float a, float b) { return SEL(a >= b, 1.0f, 0.0f); }
float fast_slt(float a, float b) { return SEL(a < b, 1.0f, 0.0f); }

// Clip-space coordinates: NaN becomes canonical.
float fast_position(float x) { return fast_or_nan(isnan(x), x); }
// vertex_attribute() and vertex_color() of geometry.h
float fast_attribute(float x)
{
    float limited = clamp(x, as_real(0xD3800000u), as_real(0x53800000u)); // -2^40 .. 2^40
    return SEL(abs(x) >= as_real(0x2B800000u), limited, 0.0f);            // not NaN, and from 2^-40 on
}
float fast_color(float c)
{
    uint a = min(as_bits(c) & 0x7FFFFFFFu, 0x3F800000u);
    return as_real(SEL(a < 0x2B800000u, 0u, a));
}
