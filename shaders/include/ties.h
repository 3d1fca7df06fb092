// SPDX-License-Identifier: MIT
// Texture coordinates on texel boundaries. Shared by C++ and GLSL like numeric.h. design.md, row "Ties".
//
// A triangle whose three 1/w are equal is a piece of a flat picture, and its texture coordinates are exact fractions: R =
// a2 + (d0*e0 + d1*e1) / area, from the words of its triangle record and its edge values. Interpolation in floats gives a
// value near R, and if R is the boundary of a texel, that value may fall just below it. So an interpolated coordinate u
// near a tie, which is a multiple of tie_spacing, is moved to the side on which R is. The sign of (R - tie) * area tells
// the side; it is an integer in units of tie_units, and both backends compute it modulo 2^64, which is enough near a tie.
//
// exponent: that of the largest of |a2|, |d0|, |d1|, at least 0 (all are below 2^(exponent+1), so |R| < 2^(exponent+2)
// inside the triangle). There interpolation is off by less than 2^(exponent-18.6): the weights by 2^-21.2 (edge values and
// their sum lose less than 2 units of 2^23, then five roundings), sums and products by three more roundings each.
NUM_FN Int tie_exponent(Real a2, Real d0, Real d1)
{
    Real most = larger(larger(magnitude(a2), magnitude(d0)), larger(magnitude(d1), REAL(1.0f)));
    return as_signed(as_bits(most) >> 23) - INT(127);
}
// 2^-11, half a texel of the largest texture; or 2^(exponent-15) for coordinates of 32 and more, which span many small
// textures.
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
// Is the distance less than 2^(exponent-18), which is at most an eighth of the spacing?
NUM_FN Mask is_near_tie(Real u, Real tie, Int exponent) { return magnitude(u - tie) < as_real(as_unsigned(exponent + INT(109)) << 23); }
// In units of 2^(exponent-28), rounded down; below 2^30 in magnitude. A tie is a whole number of units.
NUM_FN Int tie_units(Real a, Int exponent) { return to_int(FLOOR(a * as_real(as_unsigned(INT(155) - exponent) << 23))); }
// reached: R is at the tie or above. If it is below, u is moved to 2^-22 of itself and of the spacing below the tie.
NUM_FN Real beside_tie(Real u, Real tie, Real spacing, Mask reached)
{
    Real below = tie - (magnitude(tie) + spacing) * as_real(BITS(0x34800000u));
    return SEL(reached, larger(u, tie), smaller(u, below));
}
