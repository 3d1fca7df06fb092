// SPDX-License-Identifier: MIT
// Texture coordinates on texel boundaries. Shared by C++ and GLSL as numeric.h is. design.md, row "Ties".
//
// A triangle whose three 1/w are equal is a piece of a flat picture, and its texture coordinates are exact fractions:
// R = a2 + (d0*e0 + d1*e1) / area, from a record's words and its edge values. Interpolation in floats comes near R, and where
// R is the boundary of a texel it may fall just below. So an interpolated coordinate u that is near a tie, which is a multiple
// of tie_spacing, goes to the side where R is. The sign of (R - tie) * area tells which one; it is an integer in units of
// tie_units, and the cores compute it modulo 2^64, which holds it near a tie.
//
// exponent: that of the largest of |a2|, |d0|, |d1| (below 2^(exponent+1); so |R| < 2^(exponent+2) inside the triangle), at
// least 0. Interpolation is off by less than 2^(exponent-18.6) there: the weights by 2^-21.2 (edge values and their sum lose
// less than 2 units of 2^23, then five roundings), sums and products by three more roundings each.
NUM_FN Int tie_exponent(Real a2, Real d0, Real d1)
{
    Int e = as_signed(as_bits(larger(larger(magnitude(a2), magnitude(d0)), magnitude(d1))) >> 23) - INT(127);
    return SEL(e < INT(0), INT(0), e);
}
// 2^-11, half a texel of the largest texture; 2^(exponent-15) for coordinates of 32 and more, which span many small textures.
NUM_FN Real tie_spacing(Int exponent)
{
    Int e = SEL(exponent < INT(4), INT(4), exponent);
    return as_real(as_unsigned(e + INT(112)) << 23);
}
NUM_FN Real nearest_tie(Real u, Int exponent, Real spacing)
{
    Int e = SEL(exponent < INT(4), INT(4), exponent);
    Real per_unit = as_real(as_unsigned(INT(142) - e) << 23); // 1 / spacing
    return FLOOR(u * per_unit + REAL(0.5f)) * spacing;
}
// Nearer than 2^(exponent-18), at most an eighth of the spacing.
NUM_FN Mask is_near_tie(Real u, Real tie, Int exponent) { return magnitude(u - tie) < as_real(as_unsigned(exponent + INT(109)) << 23); }
// In 2^(exponent-28), rounded down; below 2^30 in magnitude. A tie is a whole number of them.
NUM_FN Int tie_units(Real a, Int exponent) { return to_int(FLOOR(a * as_real(as_unsigned(INT(155) - exponent) << 23))); }
// reached: R is the tie or above. Below it, u comes at most 2^-22 of itself and of the spacing near to it.
NUM_FN Real beside_tie(Real u, Real tie, Real spacing, Mask reached)
{
    Real below = tie - (magnitude(tie) + spacing) * as_real(BITS(0x34800000u));
    return SEL(reached, larger(u, tie), SEL(u < below, u, below));
}
