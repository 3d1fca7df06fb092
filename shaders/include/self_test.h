// SPDX-License-Identifier: MIT
// Arithmetic cases of the start-up self-test, shared by C++ and GLSL like numeric.h, which must be included before. Each
// case gives one word that depends on every bit of every result. Then the codes of colour and depth that are written in a
// case. design.md, Part II 2.8, 3.

NUM_FN Bits scramble(Bits x)
{
    Bits v = (x ^ (x >> 16)) * BITS(0x7FEB352Du);
    v = (v ^ (v >> 15)) * BITS(0x846CA68Bu);
    return v ^ (v >> 16);
}

// The sign of zero does not count (design.md, contract rule 5).
NUM_FN Bits fold(Bits hash, Real x)
{
    return scramble(hash ^ SEL(magnitude_bits(x) == BITS(0u), BITS(0u), as_bits(x)));
}

NUM_FN Bits self_test_case(Bits n)
{
    Bits r = scramble(n * BITS(3u) + BITS(1u));
    Bits s = scramble(n * BITS(3u) + BITS(2u));
    Bits t = scramble(n * BITS(3u) + BITS(3u));
    // Magnitudes 2^-24 to 2^31. b is at most 31 binary places below a, and half of the cases have few bits, so that sums
    // fall on the middle between two floats and beside it.
    Bits exponent = BITS(103u) + ((r >> 24) & BITS(31u)) + ((s >> 24) & BITS(7u)) * BITS(3u);
    Bits few = SEL((n & BITS(1u)) != BITS(0u), BITS(0xFFFF0000u), BITS(0xFFFFFFFFu));
    Real a = as_real((r & BITS(0x807FFFFFu)) | (exponent << 23));
    Real b = as_real((s & few & BITS(0x807FFFFFu)) | ((exponent - (t >> 27)) << 23));
    Real c = as_real((t & BITS(0x807FFFFFu)) | ((exponent - BITS(8u) + ((t >> 23) & BITS(15u))) << 23));

    Bits hash = n;
    hash = fold(hash, a + b);
    hash = fold(hash, a - b);
    hash = fold(hash, a * b);
    Real unfused = a * b + c;
    hash = fold(hash, unfused);
    Real cancelled = (a + b) - a;
    hash = fold(hash, cancelled);
    Real distributed = a * c + b * c;
    hash = fold(hash, distributed);
    Real chained = (a * REAL(3.0f)) * REAL(5.0f);
    hash = fold(hash, chained);
    Real small_sum = (a + REAL(1.25f)) + as_real(BITS(0x33D6BF95u));
    hash = fold(hash, small_sum);
    hash = fold(hash, FLOOR(a * as_real(BITS(0x3D800000u)))); // a / 16, exact
    hash = fold(hash, to_real(to_int(FLOOR(as_real((as_bits(c) & BITS(0x807FFFFFu)) | BITS(0x4A000000u))))));
    hash = fold(hash, rcp(a));
    hash = fold(hash, fm(b, rcp(c)));
    Real newton = rsq_newton(as_real(magnitude_bits(c)));
    hash = fold(hash, newton);
    return hash;
}

// What the fragment stage writes in case n. Colour: a code of 8 bits in each channel, red lowest.
NUM_FN Bits self_test_color(Bits n)
{
    Bits red_green = (n & BITS(255u)) | ((n >> 2) & BITS(255u)) << 8;
    return red_green | ((n >> 4) & BITS(255u)) << 16 | ((BITS(255u) - n) & BITS(255u)) << 24;
}
// Depth: codes of 24 bits around 0, the middle and the end, then anywhere.
NUM_FN Bits self_test_depth(Bits n)
{
    Bits kind = n >> 10;
    Bits low = n & BITS(1023u);
    Bits code = SEL(kind == BITS(0u), n, scramble(n) & BITS(0xFFFFFFu));
    code = SEL(kind == BITS(1u), BITS(0x7FFE00u) + low, code);
    return SEL(kind == BITS(2u), BITS(0xFFFC00u) + low, code);
}
