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
// The same for all who read it without w-buffer. A product below 2^-100 does not reach codes, nor fog positions.
NUM_FN Real window_depth_plain(Real zow, Real scale, Real offset) { return zow * scale + offset; }
NUM_FN Real window_depth_w(Real zow, Real scale, Real offset, Real w_factor) { return fm(window_depth_z(zow, scale, offset), w_factor); }
NUM_FN Real clamp_depth(Real d) { return clamped(d, REAL(0.0f), REAL(1.0f)); }
// The integer depth code of a clamped depth. maximum is 16777215.0 for 24-bit formats, 65535.0 for D16. The product is
// rounded once. [EMU formula]
NUM_FN Int depth_code(Real d, Real maximum) { return to_int(d * maximum); }
// The depth code times 2^-24 (16-bit formats: 2^-16), exact. unit: that power of two.
NUM_FN Real depth_fraction(Real d, Real maximum, Real unit) { return FLOOR(d * maximum) * unit; }

// The 8-bit code of an interpolated colour, as a float that carries an integer. It needs no limits: the colours of
// vertices are in [0, 1], weights are at least 0 and add up to at most 1 + 2^-21, and clipping and interpolation round by
// less than 2^-19, so the sum is above 0 and below 256 wherever a pixel is covered.
#ifdef PICA_GLSL
// Compilers know that conversions to integers make trunc superfluous. They do not know it of floor.
float color_code(float a) { return trunc(a * 255.0f + 0.5f); }
#else
NUM_FN Real color_code(Real a) { return FLOOR(a * REAL(255.0f) + REAL(0.5f)); }
#endif

// A texel coordinate in 1/256 texel. size256 = 256 * level size.
NUM_FN Int texel_coordinate(Real u, Real size256)
{
    return to_int(clamped(FLOOR(u * size256), REAL(-1073741824.0f), REAL(1073741824.0f)));
}

// The wrapped texel index. size is a power of two. pica/hardware/textures.md, "Wrap modes". [HW: modes 4-7]
NUM_FN Int wrap_clamp(Int s, Int size) { return clamped_int(s, INT(0), size - INT(1)); }
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

// Pictures of N x texels (design.md, "N times the resolution"). Their sizes, from 8 to 8192, need not be powers of two. Where
// they are powers of two up to 1024, all functions give what those above give.

// What is added before the floor: 0 where corners and centres of texels are ties (design.md, "Texel address").
NUM_FN Real texel_rounding(Int size)
{
    Mask ties = AND((size & (size - INT(1))) == INT(0), size < INT(1025));
    return SEL(ties, REAL(0.0f), REAL(0.5f));
}
NUM_FN Int scaled_texel_coordinate(Real u, Int size)
{
    Real v = FLOOR(u * to_real(size << 8) + texel_rounding(size));
    return to_int(clamped(v, REAL(-1073741824.0f), REAL(1073741824.0f)));
}
// The quotient of |s| up to 2^22 + 1, at most one off from its floor.
#ifdef PICA_GLSL
int rough_quotient(int s, int size) { return int(floor(float(s) * (1.0f / float(size)))); }
#else
NUM_FN Int rough_quotient(Int s, Int size) { return to_int(FLOOR(to_real(s) * rcp(to_real(size)))); }
#endif
NUM_FN Int wrap_scaled_repeat(Int s, Int size)
{
    Int r = s - rough_quotient(s, size) * size;
    r = r + SEL(r < INT(0), size, INT(0));
    return r - SEL(r < size, INT(0), size);
}
NUM_FN Int wrap_scaled_mirror(Int s, Int size)
{
    Int m = wrap_scaled_repeat(s, size + size);
    return SEL(m >= size, size + size - INT(1) - m, m);
}
NUM_FN Int wrap_scaled_clamp2(Int s, Int size) { return SEL(s >= size, size - INT(1), wrap_scaled_repeat(s, size)); }
