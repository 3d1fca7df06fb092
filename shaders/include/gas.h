// SPDX-License-Identifier: MIT
// Gas. Shared by C++ and GLSL like numeric.h. The registers are documented, but the arithmetic of the hardware is unknown:
// everything here is our rule [ASM], and this is its only place (pica/hardware/fog-and-gas.md, "Gas"; pica/design.md).
//
// The colour buffer of the accumulation pass is RGBA8 with two 16-bit sums in each pixel: plain density D1 in bits 0-15 of
// the word in memory (B, A), depth-attenuated density D2 in bits 16-31 (R, G).

// Accumulation: the part of a fragment's density that counts for D2. difference: |stored depth code - own depth code|;
// scale: delta-Z divided by the largest code.
NUM_FN Int gas_attenuated(Int density, Int difference, Real scale)
{
    Real f = fm(to_real(difference), scale);
    f = SEL(f > REAL(1.0f), REAL(1.0f), f);
    return to_int(fm(f, to_real(density)));
}
// Sums saturate [HW: the two accumulators do].
NUM_FN Int gas_sum(Int stored, Int density)
{
    Int s = stored + density;
    return SEL(s > INT(65535), INT(65535), s);
}

NUM_FN Real gas_bounded(Real x)
{
    x = SEL(x > REAL(1.0f), REAL(1.0f), x);
    return SEL(x > REAL(0.0f), x, REAL(0.0f));
}
// Shading: the density of a pixel in [0, 1]. normalisation is register 0x0E5, 1 / largest density.
NUM_FN Real gas_density(Int sum, Real normalisation) { return gas_bounded(fm(to_real(sum), normalisation)); }
// Intensity of one kind of light: falls from its maximum towards its minimum as the gas gets denser.
NUM_FN Real gas_intensity(Real density, Real low, Real high, Real attenuation)
{
    return high - fm(high - low, fm(density, attenuation));
}
// planar and view are intensities; line_of_sight is the share of the second that is seen.
NUM_FN Real gas_light(Real planar, Real view, Real line_of_sight) { return gas_bounded(planar + fm(line_of_sight, view)); }
// The table has eight colours with differences. x is in [0, 1].
NUM_FN Int gas_index(Real x)
{
    Int i = to_int(x * REAL(8.0f));
    return SEL(i > INT(7), INT(7), i) & INT(7); // dead lanes of a vector may hold anything
}
// Channel `shift`/8 of an entry, 0..255, truncated. A difference is a sign bit and a 7-bit magnitude in 1/127
// [HB: what libraries write]; a unit of it counts as two codes.
NUM_FN Int gas_channel(Bits color, Bits difference, Bits shift, Real x, Int index)
{
    Int c = as_signed((color >> shift) & BITS(255u));
    Int d = as_signed((difference >> shift) & BITS(127u)) << 1;
    d = SEL(((difference >> shift) & BITS(128u)) != BITS(0u), INT(0) - d, d);
    Real v = to_real(c) + fm(to_real(d), x * REAL(8.0f) - to_real(index));
    v = SEL(v > REAL(255.0f), REAL(255.0f), v);
    return to_int(SEL(v > REAL(0.0f), v, REAL(0.0f)));
}
// The alpha code is linear in the density. attenuation is register 0x0E4.
NUM_FN Int gas_alpha(Real density, Real attenuation) { return to_int(FLOOR(gas_bounded(fm(density, attenuation)) * REAL(255.0f) + REAL(0.5f))); }
