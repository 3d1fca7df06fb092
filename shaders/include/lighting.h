// SPDX-License-Identifier: MIT
// Fragment lighting: vectors, table indices and sums of one fragment. Shared by C++ and GLSL like numeric.h, which must be
// included before. design.md, row "Lighting"; pica/hardware/lighting.md. Everything is binary32; products are fm, sums go
// from left to right. Inputs are interpolated attributes (finite, magnitudes 0 or 2^-123 to 2^42) and constants of at most
// 2^40, so nothing here becomes infinite or NaN.

NUM_FN Real dot3(Real ax, Real ay, Real az, Real bx, Real by, Real bz) { return (fm(ax, bx) + fm(ay, by)) + fm(az, bz); }
NUM_FN Real dot4(Real ax, Real ay, Real az, Real aw, Real bx, Real by, Real bz, Real bw)
{
    return ((fm(ax, bx) + fm(ay, by)) + fm(az, bz)) + fm(aw, bw);
}

// 1/sqrt(x) of a squared length. 0 for 0, so that zero vectors stay zero. [our rule]
NUM_FN Real inverse_length(Real squared)
{
    Mask none = squared <= REAL(0.0f);
    return SEL(none, REAL(0.0f), rsq_newton(squared)); // finite for 0 as well
}
// sqrt(x) by the same routine; x >= 0.
NUM_FN Real root(Real x) { return fm(x, inverse_length(x)); }

NUM_FN Real cross_term(Real a, Real b, Real c, Real d) { return fm(a, b) - fm(c, d); }

// v + 2*cross(q, t) with t = cross(q.xyz, v) + q.w*v, component by component: the rotation of v by the unit quaternion q.
// A zero quaternion leaves v. [our rule; the hardware's result is unknown]
NUM_FN Real rotate_t(Real qa, Real vb, Real qb, Real va, Real qw, Real v) { return cross_term(qa, vb, qb, va) + fm(qw, v); }
NUM_FN Real rotate_sum(Real v, Real qa, Real tb, Real qb, Real ta) { return v + REAL(2.0f) * cross_term(qa, tb, qb, ta); }

// A component, -1..1, from a bump texel's code 0..255: c * (2/255) - 1.
NUM_FN Real bump_component(Real code) { return fm(code, as_real(BITS(0x3C008081u))) - REAL(1.0f); }
// z of a normal map's vector if it is not taken from the texture. [HW: wwylele]
NUM_FN Real bump_z(Real x, Real y)
{
    Real s = (REAL(1.0f) - fm(x, x)) - fm(y, y);
    return root(SEL(s > REAL(0.0f), s, REAL(0.0f)));
}

// Shadow attenuation from a texel's code 0..255: c * (1/255); 255 gives exactly 1.
NUM_FN Real shadow_factor(Real code) { return fm(code, as_real(BITS(0x3B808081u))); }

// Cosines of lights: absolute for two-sided lights, else at least 0.
NUM_FN Real two_sided(Real x) { return magnitude(x); }
NUM_FN Real one_sided(Real x) { return larger(x, REAL(0.0f)); }

// Table index of an input that is already absolute or one-sided, and of a signed input (-128..127). [EMU]
NUM_FN Int unsigned_index(Real x)
{
    return to_int(clamped(x * REAL(256.0f), REAL(0.0f), REAL(255.0f))); // to_int rounds down what is at least 0
}
NUM_FN Int signed_index(Real x)
{
    return to_int(clamped(FLOOR(x * REAL(128.0f)), REAL(-128.0f), REAL(127.0f)));
}
// value + difference * delta, where delta is the part of the scaled input that the index leaves, in full precision.
// [EMU; our form]
NUM_FN Real unsigned_delta(Real x, Int index) { return x * REAL(256.0f) - to_real(index); }
NUM_FN Real signed_delta(Real x, Int index) { return x * REAL(128.0f) - to_real(index); }
NUM_FN Real table_value(Real value, Real difference, Real delta) { return value + fm(difference, delta); }

// The input of the distance attenuation table.
NUM_FN Real attenuation_input(Real distance, Real scale, Real bias)
{
    return clamped(fm(scale, distance) + bias, REAL(0.0f), REAL(1.0f));
}

// min(cosine / |H|^2, 1); 0 if H is 0. [HW: wwylele]
NUM_FN Real geometric_factor(Real cosine, Real squared)
{
    Mask none = squared <= REAL(0.0f);
    Real g = clamped(fm(cosine, rcp_positive(SEL(none, REAL(1.0f), squared))), REAL(0.0f), REAL(1.0f));
    return SEL(none, REAL(0.0f), g);
}

// The code 0..255 of a sum, as a float that carries an integer. Truncation is from EMU; rounding is our rule.
NUM_FN Real light_code(Real sum)
{
    return FLOOR(clamped(sum, REAL(0.0f), REAL(1.0f)) * REAL(255.0f) + REAL(0.5f));
}
