// SPDX-License-Identifier: MIT
// Level of detail. Shared by C++ and GLSL like numeric.h. design.md, row "LOD"; textures.md, "Level of detail".

// The shifted edge value of a point of a pixel quad as a float. The point may lie outside the triangle.
NUM_FN Real bounded_edge(Int shifted)
{
    Int e = SEL(shifted > INT(16777215), INT(16777215), shifted);
    return to_real(SEL(e < INT(-16777215), INT(-16777215), e));
}

// Outside the triangle the plane of 1/w may come down to 0. Where this is true, nothing is divided by it. sum = (b0+b1)+b2.
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

// bias, low and high are in 1/256 level; low <= high.
NUM_FN Int bounded_lod(Int lod, Int bias, Int low, Int high)
{
    Int l = lod + bias;
    l = SEL(l < low, low, l);
    return SEL(l > high, high, l);
}

// ---------------------------------------------------------------------------------------------------------------------
// Types of unit 0: projection, cube, shadow. design.md, row "Texel address"; textures.md, "Types of unit 0".

// q as a divisor: a magnitude below 2^-40 counts as 2^-40 with the sign of q, + for 0. [our rule]
NUM_FN Real divisor(Real q)
{
    Bits u = as_bits(q);
    Bits m = u & BITS(0x7FFFFFFFu);
    Bits least = SEL(m == BITS(0u), BITS(0u), u & BITS(0x80000000u)) | BITS(0x2B800000u);
    return as_real(SEL(m < BITS(0x2B800000u), least, u));
}

// Faces +X, -X, +Y, -Y, +Z, -Z are 0..5. Of equal magnitudes the later axis wins. [EMU]
NUM_FN Int cube_face(Real x, Real y, Real z)
{
    Real ax = magnitude(x);
    Real ay = magnitude(y);
    Real az = magnitude(z);
    Mask is_x = AND(ax > ay, ax > az);
    Mask is_y = ay > az;
    Int face = SEL(z > REAL(0.0f), INT(4), INT(5));
    face = SEL(is_y, SEL(y > REAL(0.0f), INT(2), INT(3)), face);
    return SEL(is_x, SEL(x > REAL(0.0f), INT(0), INT(1)), face);
}
// The coordinate along the axis of the face; positive if the direction meets the face.
NUM_FN Real cube_major(Int face, Real x, Real y, Real z)
{
    Real major = SEL(face < INT(2), x, SEL(face < INT(4), y, z));
    return SEL((face & INT(1)) == INT(0), major, -major);
}
// The numerators of the coordinates on the face.
NUM_FN Real cube_s(Int face, Real x, Real z)
{
    Real s = SEL(face < INT(2), z, x);
    Mask negative = OR(face == INT(0), face == INT(5));
    return SEL(negative, -s, s);
}
NUM_FN Real cube_t(Int face, Real y, Real z)
{
    Real t = SEL(OR(face == INT(2), face == INT(3)), z, y);
    return SEL(face == INT(2), t, -t);
}
NUM_FN Real cube_coordinate(Real numerator, Real reciprocal) { return fm(numerator, reciprocal) * REAL(0.5f) + REAL(0.5f); }

// The value with which shadow texels are compared, 24 bits. [EMU: truncation, bias, and no less than 0]
NUM_FN Int shadow_reference(Real q, Int bias)
{
    Real m = magnitude(q);
    Int z = to_int(SEL(m > REAL(1.0f), REAL(1.0f), m) * REAL(16777215.0f)) - bias;
    return SEL(z < INT(0), INT(0), z);
}
// A shadow texel lights the fragment if the reference is nearer than the texel's depth. [EMU; equality unverified]
NUM_FN Int shadow_tap(Int depth, Int intensity, Int reference) { return SEL(depth > reference, intensity, INT(0)); }
