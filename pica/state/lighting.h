// SPDX-License-Identifier: MIT
// Fragment lighting -> key part and constants, in canonical form: what cannot reach the two colours is zero.
// Source: fragment sheet 6. Tests: tests/pica/lighting_state_test.cpp.
#pragma once

#include "pica/base/types.h"
#include "pica/regs/enums.h"
#include "pica/state/luts.h"

#include <array>

namespace pica
{

// Input of a table that reads 0: undefined selections, and CP outside of environment 8. [ASM; EMU]
inline constexpr LightingInput kZeroLightingInput = static_cast<LightingInput>(6);

// One of the seven tables with an input of its own. All zero where it is off.
struct LightingTableKey
{
    u8 enabled = 0;
    u8 is_signed = 0; // 1: index -128..127, 0: 0..255 of the absolute or one-sided input
    LightingInput input{};
    LightingScale scale{}; // undefined ones are One [ASM]

    bool operator==(const LightingTableKey&) const = default;
};

// One light in use, in the order of the permutation.
struct LightKey
{
    enum Flag : u8
    {
        Directional = 1,
        TwoSided = 2,
        GeometricFactor0 = 4, // on the first specular product
        GeometricFactor1 = 8,
        Spot = 16, // the tables Spotlight0 + light and DistanceAttenuation0 + light
        Distance = 32,
        ShadowPrimary = 64,
        ShadowSecondary = 128,
    };
    u8 flags = 0;
    u8 light = 0; // number of the tables; 0 where neither is used
    bool has(Flag flag) const { return (flags & flag) != 0; }

    bool operator==(const LightKey&) const = default;
};

struct LightingKey
{
    u8 lights = 0;    // 0: lighting is off or its colours are not read, and all else is zero
    u8 primary = 0;   // 1: the combiners read the primary colour
    u8 secondary = 0; // 1: ... the secondary one
    BumpMode bump{};  // None where it changes nothing
    u8 bump_unit = 0;
    u8 bump_keep_z = 0; // 1: z of the normal is the texture's
    u8 shadow = 0;      // 1: shadow_unit attenuates something
    u8 shadow_unit = 0;
    u8 shadow_invert = 0;
    u8 shadow_alpha = 0;      // 1: also the alphas that the Fresnel selectors name
    u8 fresnel_primary = 0;   // Fresnel selector of the primary alpha
    u8 fresnel_secondary = 0; // of the secondary one
    u8 clamp_highlights = 0;
    LightKey light[8];
    LightingTableKey d0, d1, rr, rg, rb, fr, spot;

    bool operator==(const LightingKey&) const = default;
    // Bit i: texture unit i is read for bump mapping or shadows.
    u8 texture_units() const;
    bool reads(LightingInput input) const;
    LutMask luts() const;
};
static_assert(sizeof(LightingKey) == 13 + 2 * 8 + 4 * 7);

// One light, as its slot names it. Colours: 1.0 is 255 in the register.
struct LightConstants
{
    std::array<f32, 3> specular0{}, specular1{}, diffuse{}, ambient{}; // r, g, b
    std::array<f32, 3> position{};                                     // or direction
    std::array<f32, 3> spot{};                                         // as programmed: negated
    f32 attenuation_scale = 0.0f, attenuation_bias = 0.0f;

    bool operator==(const LightConstants&) const = default;
};

struct LightingConstants
{
    std::array<LightConstants, 8> light; // in the order of the permutation; unused ones are zero
    std::array<f32, 3> ambient{};

    bool operator==(const LightingConstants&) const = default;
};

class RegisterFile;
struct Draw;

// Reads 0x08F and 0x140-0x1DF; fills draw.fragment.lighting and draw.lighting. Call it after the combiners
// are decoded: they say which colours are read. Returns the texture units that it names as source (bit i =
// unit i), those that give nothing included.
u8 decode_lighting(const RegisterFile& regs, Draw& draw);
bool lighting_is_on(const RegisterFile& regs);

} // namespace pica
