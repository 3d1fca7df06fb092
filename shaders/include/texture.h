// SPDX-License-Identifier: MIT
// Level of detail. Shared by C++ and GLSL as numeric.h is. design.md, row "LOD"; fragment sheet 3.6.

NUM_FN Real larger(Real a, Real b) { return SEL(a > b, a, b); }
NUM_FN Real magnitude(Real x) { return as_real(magnitude_bits(x)); }

// Shifted edge value of a point of a pixel quad, which may lie outside the triangle, as a float.
NUM_FN Real bounded_edge(Int shifted)
{
    Int e = SEL(shifted > INT(16777215), INT(16777215), shifted);
    return to_real(SEL(e < INT(-16777215), INT(-16777215), e));
}

// Outside the triangle the plane of 1/w may come down to 0: from here on there is no division by it. sum = (b0+b1)+b2.
NUM_FN Mask is_beyond_horizon(Real b0, Real b1, Real b2, Real sum)
{
    Real most = larger(larger(b0, b1), b2);
    return NOT(sum > most * as_real(BITS(0x35800000u))); // 2^-20
}

// log2 of rho >= 0 in 1/256: 256 * exponent + table[top 8 mantissa bits], table[k] = round(256 * log2(1 + k/256)). The
// polynomial gives exactly these 256 integers (tests/pica/texture_unit_numeric_test.cpp). Zero and subnormal numbers give
// values far below every level.
NUM_FN Int level_of_detail(Real rho)
{
    Bits u = as_bits(rho);
    Real x = to_real(as_signed((u >> 15) & BITS(255u))) * REAL(0.00390625f);
    Real p = as_real(BITS(0x413DAD83u));
    p = p * x + as_real(BITS(0xC2482BDFu));
    p = p * x + as_real(BITS(0x42D52ED8u));
    p = p * x + as_real(BITS(0xC33583DEu));
    p = p * x + as_real(BITS(0x43B88F55u));
    Int fraction = to_int(p * x + REAL(0.5f));
    return (as_signed(u >> 23) - INT(127)) * INT(256) + fraction;
}

// bias, low and high in 1/256 level; low <= high.
NUM_FN Int bounded_lod(Int lod, Int bias, Int low, Int high)
{
    Int l = lod + bias;
    l = SEL(l < low, low, l);
    return SEL(l > high, high, l);
}
