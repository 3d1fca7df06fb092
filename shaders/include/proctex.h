// SPDX-License-Identifier: MIT
// Procedural texture (unit 3). Shared by C++ and GLSL like numeric.h. pica/hardware/procedural-texture.md, design.md row
// "Procedural texture": products are fm, sums go from left to right. From step 1 on, coordinates are magnitudes.

NUM_FN Real proctex_magnitude(Real c) { return as_real(magnitude_bits(c)); }

// The whole part as an integer. From 2^24 on all coordinates are even, and so is the limit.
NUM_FN Int proctex_cell(Real c) { return to_int(SEL(c < REAL(1073741824.0f), c, REAL(1073741824.0f))); }

// Step 2: the shift of one axis, from the other axis' coordinate. offset is 1 for mirrored clamping, else 0.5.
NUM_FN Real proctex_shift_odd(Real c, Real offset)
{
    Int k = proctex_cell(c);
    return SEL(((k >> 1) & INT(1)) != INT(0), offset, REAL(0.0f));
}
NUM_FN Real proctex_shift_even(Real c, Real offset)
{
    Int k = proctex_cell(c) + INT(1);
    return SEL(((k >> 1) & INT(1)) != INT(0), offset, REAL(0.0f));
}

// Step 5: clamping.
NUM_FN Real proctex_to_zero(Real c) { return SEL(c > REAL(1.0f), REAL(0.0f), c); }
NUM_FN Real proctex_to_edge(Real c) { return SEL(c > REAL(1.0f), REAL(1.0f), c); }
NUM_FN Real proctex_symmetric(Real c) { return c - FLOOR(c); }
NUM_FN Real proctex_mirrored(Real c)
{
    Real f = c - FLOOR(c);
    return SEL((proctex_cell(c) & INT(1)) == INT(0), f, REAL(1.0f) - f);
}
NUM_FN Real proctex_pulse(Real c) { return SEL(c > REAL(0.5f), REAL(1.0f), REAL(0.0f)); }

// Step 6: the input of the maps, by ProcTexFunction.
NUM_FN Real proctex_squares(Real u, Real v) { return fm(u, u) + fm(v, v); }
NUM_FN Real proctex_radius(Real u, Real v)
{
    Real x = proctex_squares(u, v);
    return SEL(x > REAL(0.0f), fm(x, rsq_newton(x)), REAL(0.0f));
}
NUM_FN Real proctex_mean(Real u, Real v) { return fm(u + v, REAL(0.5f)); }
NUM_FN Real proctex_half_squares(Real u, Real v) { return fm(proctex_squares(u, v), REAL(0.5f)); }
NUM_FN Real proctex_bounded_radius(Real u, Real v) { return proctex_to_edge(proctex_radius(u, v)); }
NUM_FN Real proctex_minimum(Real u, Real v) { return SEL(u < v, u, v); }
NUM_FN Real proctex_maximum(Real u, Real v) { return SEL(u > v, u, v); }
NUM_FN Real proctex_mean_and_radius(Real u, Real v)
{
    return proctex_to_edge(fm(proctex_mean(u, v) + proctex_radius(u, v), REAL(0.5f)));
}

// Tables of 128 entries; c is in [0, 1]. The result is clamped as in Azahar's shaders [EMU], because real tables leave
// [0, 1].
NUM_FN Int proctex_index(Real c)
{
    Int i = to_int(c * REAL(128.0f));
    return SEL(i > INT(127), INT(127), i) & INT(127); // dead lanes of a vector may hold anything
}
NUM_FN Real proctex_entry(Real c, Int index, Real value, Real difference)
{
    Real x = value + fm(c * REAL(128.0f) - to_real(index), difference);
    x = SEL(x > REAL(1.0f), REAL(1.0f), x);
    return SEL(x > REAL(0.0f), x, REAL(0.0f));
}

// Noise (procedural-texture.md, "Noise"). frequency is 9 * |f16|. Coordinates above 2^22 count as 2^22 [our rule].
NUM_FN Real proctex_noise_coordinate(Real c, Real phase, Real frequency)
{
    Real x = fm(frequency, proctex_magnitude(c + phase));
    return SEL(x < REAL(4194304.0f), x, REAL(4194304.0f));
}
NUM_FN Int proctex_nibble(Bits low, Bits high, Int i)
{
    Bits word = SEL(i > INT(7), high, low);
    return as_signed((word >> as_unsigned((i & INT(7)) << 2)) & BITS(15u));
}
// k is 0..2^22+1. 32768 = 80 modulo 144, and q = m / 9 for m < 2^16.
NUM_FN Int proctex_random_axis(Int k)
{
    Int m = (k >> 15) * INT(80) + (k & INT(32767));
    Int q = as_signed((as_unsigned(m) * BITS(58255u)) >> 19);
    Int r = m - q * INT(9);
    return (((r + INT(2)) * INT(3)) & INT(15)) ^ proctex_nibble(BITS(0xC7948A40u), BITS(0xB2FBEDF5u), q & INT(15));
}
// The 4-bit value whose -1 + b*2/15 was matched to hardware output. [HW]
NUM_FN Int proctex_random_code(Int x, Int y)
{
    Int a = proctex_random_axis(x);
    Int b = proctex_random_axis(y);
    b = SEL((a & INT(3)) == INT(1), b + INT(4), b);
    b = b ^ SEL((a & INT(1)) != INT(0), INT(6), INT(0));
    b = (b + INT(10) + a) & INT(15);
    return b ^ proctex_nibble(BITS(0x54708F2Au), BITS(0xE39D62D5u), a);
}
// 2/15 rounded to nearest; the product for b = 15 is 2.
NUM_FN Real proctex_random(Int x, Int y) { return fm(to_real(proctex_random_code(x, y)), as_real(BITS(0x3E088889u))) - REAL(1.0f); }
NUM_FN Real proctex_lerp(Real a, Real b, Real t) { return a + fm(b - a, t); }
// x, y: noise coordinates; wx, wy: the noise table at their fractions.
NUM_FN Real proctex_noise(Real x, Real y, Real wx, Real wy)
{
    Int i = to_int(x);
    Int j = to_int(y);
    Real f = (x - to_real(i)) + (y - to_real(j));
    Real g00 = fm(proctex_random(i, j), f);
    Real g10 = fm(proctex_random(i + INT(1), j), f - REAL(1.0f));
    Real g01 = fm(proctex_random(i, j + INT(1)), f - REAL(1.0f));
    Real g11 = fm(proctex_random(i + INT(1), j + INT(1)), f - REAL(2.0f));
    return proctex_lerp(proctex_lerp(g00, g10, wx), proctex_lerp(g01, g11, wx), wy);
}
// Step 3: adds the noise.
NUM_FN Real proctex_displaced(Real c, Real noise, Real amplitude) { return proctex_magnitude(c + fm(noise, amplitude)); }

// The first entry of a level in the colour table: four register bytes, then fixed values.
NUM_FN Int proctex_offset(Bits offsets, Int level)
{
    Bits bytes = SEL(level > INT(3), BITS(0xFEFCF8F0u), offsets);
    return as_signed((bytes >> as_unsigned((level & INT(3)) << 3)) & BITS(255u));
}
// Colour table (procedural-texture.md); r is in [0, 1]. A level narrower than a texel counts as one texel [our rule].
NUM_FN Real proctex_place(Real r, Int width, Int level)
{
    Int w = (width >> level) - INT(1);
    return fm(r, to_real(SEL(w < INT(0), INT(0), w)));
}
NUM_FN Int proctex_nearest_entry(Real place, Int offset)
{
    return to_int(FLOOR((to_real(offset) + place) + REAL(0.5f))) & INT(255);
}
NUM_FN Int proctex_linear_entry(Real place, Int offset) { return (offset + to_int(place)) & INT(255); }
NUM_FN Real proctex_fraction(Real place) { return place - FLOOR(place); }
// Channel `shift`/8 of an entry, 0..255. Differences are signed bytes, doubled.
NUM_FN Real proctex_channel(Bits color, Bits difference, Bits shift, Real fraction)
{
    Int c = as_signed((color >> shift) & BITS(255u));
    Int d = as_signed((difference >> shift) << 24) >> 24;
    Real x = to_real(c) + fm(to_real(d + d), fraction);
    x = SEL(x > REAL(255.0f), REAL(255.0f), x);
    return SEL(x > REAL(0.0f), x, REAL(0.0f));
}
// The share of the next level.
NUM_FN Real proctex_weight(Int lod) { return to_real(lod & INT(255)) * REAL(0.00390625f); }
