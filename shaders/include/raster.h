// SPDX-License-Identifier: MIT
// Per-pixel arithmetic from edge values to colour and depth codes. Shared by C++ and GLSL like numeric.h. design.md, rows
// "Edge values" to "Texel address".

// Perspective weights of vertices 0 and 1: b_i = f_i * iw_i, r = RCP((b0+b1)+b2).
NUM_FN Real weight(Real b, Real r)
{
    Real l = b * r;
    return flush_below(l, BITS(0x2D000000u)); // below 2^-37
}

// a2 + d0*l0 + d1*l1 with d0 = a0-a2, d1 = a1-a2. Also used in affine form for z / w.
NUM_FN Real interpolate(Real a2, Real d0, Real d1, Real l0, Real l1) { return (a2 + d0 * l0) + d1 * l1; }

// Window depth in [0, 1] from z / w. w_factor = A*r in w-buffer mode.
NUM_FN Real window_depth_z(Real zow, Real scale, Real offset) { return fm(zow, scale) + offset; }
NUM_FN Real window_depth_w(Real zow, Real scale, Real offset, Real w_factor) { return fm(window_depth_z(zow, scale, offset), w_factor); }
NUM_FN Real clamp_depth(Real d)
{
    Real r = SEL(d > REAL(1.0f), REAL(1.0f), d);
    return SEL(r > REAL(0.0f), r, REAL(0.0f));
}
// The integer depth code. maximum is 16777215.0 for 24-bit formats, 65535.0 for D16. The product is rounded once.
// [EMU formula]
NUM_FN Int depth_code(Real d, Real maximum) { return to_int(clamp_depth(d) * maximum); }

// The 8-bit code of an interpolated colour, as a float that carries an integer.
NUM_FN Real color_code(Real a)
{
    Real v = FLOOR(a * REAL(255.0f) + REAL(0.5f));
    v = SEL(v > REAL(255.0f), REAL(255.0f), v);
    return SEL(v > REAL(0.0f), v, REAL(0.0f));
}

// A texel coordinate in 1/256 texel. size256 = 256 * level size.
NUM_FN Int texel_coordinate(Real u, Real size256)
{
    Real v = FLOOR(u * size256);
    v = SEL(v > REAL(1073741824.0f), REAL(1073741824.0f), v);
    v = SEL(v < REAL(-1073741824.0f), REAL(-1073741824.0f), v);
    return to_int(v);
}

// The wrapped texel index. size is a power of two. pica/hardware/textures.md, "Wrap modes". [HW: modes 4-7]
NUM_FN Int wrap_clamp(Int s, Int size)
{
    Int r = SEL(s < INT(0), INT(0), s);
    return SEL(r >= size, size - INT(1), r);
}
NUM_FN Int wrap_repeat(Int s, Int size) { return s & (size - INT(1)); }
NUM_FN Int wrap_mirror(Int s, Int size)
{
    Int m = s & (size + size - INT(1));
    return SEL(m >= size, size + size - INT(1) - m, m);
}
// Mode 4: repeats below zero, clamps above.
NUM_FN Int wrap_clamp2(Int s, Int size) { return SEL(s >= size, size - INT(1), s & (size - INT(1))); }
// Border modes: is the texel outside? Mode 1 has a border on both sides, mode 5 only above (it repeats below zero).
NUM_FN Mask outside_both(Int s, Int size) { return OR(s < INT(0), s >= size); }
NUM_FN Mask outside_above(Int s, Int size) { return s >= size; }
