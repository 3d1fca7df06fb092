// SPDX-License-Identifier: MIT
// Shadow map rendering (fragment operation 3). Shared by C++ and GLSL like numeric.h, which must be included before.
// design.md, row "Shadow write"; pica/hardware/shadow-maps.md.

// The intensity 0..255 of a penumbra fragment with code z below the stored code `depth` (which therefore is at least 1), as
// a float that carries an integer. s: green of the combiners, 1..255; constant, linear: register 0x130. [EMU formula;
// bounds of the division are our rule]
NUM_FN Real shadow_intensity(Int z, Int depth, Real s, Real constant, Real linear)
{
    Real x = fm(to_real(z), rcp(to_real(depth)));
    Real n = constant + fm(linear, x);
    Real v = FLOOR(fm(s, rcp(n)));
    v = SEL(v > REAL(255.0f), REAL(255.0f), v);
    v = SEL(n > as_real(BITS(0x2B800000u)), v, REAL(255.0f)); // 2^-40
    return SEL(n < REAL(0.0f), REAL(0.0f), v);
}
