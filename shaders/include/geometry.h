// SPDX-License-Identifier: MIT
// From the outputs of a program to snapped screen coordinates: vertex output rules, clipping arithmetic, division,
// viewport, snapping. Shared by C++ and GLSL like numeric.h, which must be included before. design.md, rows "Vertex output"
// to "Snap".

// An interpolated attribute. NaN and magnitudes below 2^-40 give 0; magnitudes above 2^40 give 2^40 with their sign.
// [our rule]
NUM_FN Real vertex_attribute(Real x)
{
    Bits u = as_bits(x);
    Bits a = u & BITS(0x7FFFFFFFu);
    Bits v = SEL(a < BITS(0x2B800000u), BITS(0u), u);
    v = SEL(a > BITS(0x53800000u), (u & BITS(0x80000000u)) | BITS(0x53800000u), v);
    v = SEL(a > BITS(0x7F800000u), BITS(0u), v);
    return as_real(v);
}

// Colour components: min(|c|, 1) before interpolation [HW]; NaN gives 1.
NUM_FN Real vertex_color(Real c)
{
    Bits a = magnitude_bits(c);
    return vertex_attribute(as_real(SEL(a < BITS(0x3F800000u), a, BITS(0x3F800000u))));
}

// The sign bit that puts a vertex quaternion (b) on the same hemisphere as that of vertex 0 (a): set if their dot product
// is negative. [HW: vertex-output.md] It is applied by exclusive or, so that the bits are the same everywhere.
NUM_FN Bits quaternion_flip(Real ax, Real ay, Real az, Real aw, Real bx, Real by, Real bz, Real bw)
{
    Real d = ((fm(ax, bx) + fm(ay, by)) + fm(az, bz)) + fm(aw, bw);
    return SEL(d < REAL(0.0f), BITS(0x80000000u), BITS(0u));
}
NUM_FN Real flip_sign(Real x, Bits sign) { return as_real(as_bits(x) ^ sign); }

// How far outside of the depth planes z may lie. [HW: tolerance; our form]
NUM_FN Real depth_snap_near(Real w) { return fm(as_real(BITS(0x358637BDu)), w); }        // 1e-6 * w
NUM_FN Real depth_snap_far(Real w) { return (-w) - fm(as_real(BITS(0x3727C5ACu)), w); } // -w - 1e-5 * w

// z of a clip-space position, moved onto a depth plane if it lies just outside of it.
NUM_FN Real snap_to_depth_planes(Real z, Real w)
{
    Real near_limit = depth_snap_near(w);
    Real far_limit = depth_snap_far(w);
    Mask is_near = AND(z > REAL(0.0f), z <= near_limit);
    Mask is_far = AND(z >= far_limit, z < -w);
    Real r = SEL(is_far, -w, z);
    return SEL(is_near, REAL(0.0f), r);
}

// The eye plane is w = 1e-5.
NUM_FN Real clip_epsilon() { return as_real(BITS(0x3727C5ACu)); }

NUM_FN Real user_plane_distance(Real c0, Real c1, Real c2, Real c3, Real x, Real y, Real z, Real w)
{
    return ((fm(c0, x) + fm(c1, y)) + fm(c2, z)) + fm(c3, w);
}

// Parameter of the intersection, from the inside end (distance da >= 0) to the outside end (db < 0).
NUM_FN Real clip_parameter(Real da, Real db)
{
    Real t = fm(da, rcp(da - db));
    t = SEL(t > REAL(1.0f), REAL(1.0f), t);
    return flush_below(t, BITS(0x33800000u)); // below 2^-24
}

NUM_FN Real clip_position(Real inside, Real outside, Real t)
{
    Real v = inside + fm(outside - inside, t);
    return flush_below(v, BITS(0x20800000u)); // below 2^-62
}

NUM_FN Real clip_attribute(Real inside, Real outside, Real t)
{
    Real v = inside + fm(outside - inside, t);
    return flush_below(v, BITS(0x2B800000u)); // below 2^-40
}

NUM_FN Real inverse_w(Real w) { return rcp(SEL(w > clip_epsilon(), w, clip_epsilon())); }

// Viewport transformation. half_size is register 0x041 or 0x043, origin is register 0x068.
NUM_FN Real viewport_transform(Real c, Real iw, Real half_size, Real origin) { return fm(fm(c, iw) + REAL(1.0f), half_size) + origin; }

NUM_FN Real depth_over_w(Real z, Real iw) { return flush_below(fm(z, iw), BITS(0x2B800000u)); }

// Converts a screen coordinate to 1/16 pixel of the scaled image. scale16 = 16*N, limit = 65536*N.
// [ASM: 12.4; our rounding]
NUM_FN Int snap_coordinate(Real s, Real scale16, Real limit)
{
    Real v = FLOOR(s * scale16 + REAL(0.5f));
    v = SEL(v < -limit, -limit, v);
    v = SEL(v > limit, limit, v);
    return to_int(v);
}
