// SPDX-License-Identifier: MIT
// Fragment lighting for one pixel, from raw registers and tables, in the words of pica/hardware/lighting.md.
// Both backends are compared with it. It shares neither the decoding nor the functions of shaders/include.
#pragma once

#include "pica/regs/registers.h"
#include "pica/state/luts.h"

#include <array>
#include <vector>

namespace tests
{

// The inputs of lighting: what interpolation and the texture units give for a fragment.
struct LitFragment
{
    std::array<pica::f32, 4> quaternion{}; // x, y, z, w, not normalised
    std::array<pica::f32, 3> view{};       // from the surface to the eye
    std::array<pica::u32, 4> texture{};    // RGBA8 words of the texture units, 0 if a unit is off
};

// Sources 1 and 2 of the combiners, RGBA8 with R in bits 0-7; 0 if lighting is off.
struct LitColors
{
    pica::u32 primary = 0, secondary = 0;
};

// A lookup in a table.
struct LitRead
{
    pica::u32 slot = 0;   // the light in the order of the permutation register
    pica::u32 number = 0; // of the table, as in 0x1C5
    pica::f32 x = 0;      // the input, after it was made positive for tables without sign
    pica::s32 entry = 0;  // -128..127 of tables with sign, else 0..255
    pica::f32 value = 0;  // with the scale
    bool operator==(const LitRead&) const = default;
};

// reads: if not null, gets every lookup.
LitColors reference_lighting(const pica::RegisterFile& regs, const pica::Luts& luts,
                             const LitFragment& fragment, std::vector<LitRead>* reads = nullptr);

} // namespace tests
