// SPDX-License-Identifier: MIT
// The fog unit. Shared by C++ and GLSL like numeric.h. pica/hardware/fog-and-gas.md, "Fog", design.md row "Fog". The
// rounding of the hardware is unknown; 8-bit fractions and truncation are our rule.

// Position in the table in 1/256 entry, 0..32768. d is the clamped depth. The product is exact.
NUM_FN Int fog_position(Real d) { return to_int(FLOOR(d * REAL(32768.0f))); }
NUM_FN Real fog_flipped(Real d) { return REAL(1.0f) - d; }

// The table entry of a position, 0..127.
NUM_FN Int fog_index(Int position)
{
    Int i = position >> 8;
    return SEL(i > INT(127), INT(127), i);
}

// The fragment colour's share, 0..2047; 2047 means no fog. value is 0..2047, difference -4096..4095.
NUM_FN Int fog_factor(Int position, Int value, Int difference)
{
    Int f = value + ((difference * (position - (fog_index(position) << 8))) >> 8);
    f = SEL(f > INT(2047), INT(2047), f);
    return SEL(f < INT(0), INT(0), f);
}

// floor(n / 2047) for 0 <= n <= 510 * 2047.
NUM_FN Int divide_2047(Int n) { return (n + (n >> 11) + INT(1)) >> 11; }

// Blends one 8-bit channel.
NUM_FN Int fog_blend(Int color, Int fog, Int factor) { return divide_2047(color * factor + fog * (INT(2047) - factor)); }
