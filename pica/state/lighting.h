// SPDX-License-Identifier: MIT
// Decodes fragment lighting into its part of the key and constants, in canonical form: whatever cannot reach
// the two colours is zero. Source: pica/hardware/lighting.md. Tests: tests/pica/lighting_state_test.cpp.
#pragma once

#include "pica/base/enum_array.h"
#include "pica/base/types.h"
#include "pica/regs/enums.h"
#include "pica/regs/registers.h"
#include "pica/state/luts.h"

#include <array>

namespace pica
{

// The seven tables that have an input of their own. All lights read the same contents of the first six; of SP
// each light has its own contents, Spotlight0 + light.
enum class LightTable : u8
{
    D0,
    D1,
    RR,
    RG,
    RB,
    FR,
    SP,
};
inline constexpr u32 kLightTables = 7;
inline constexpr u32 kSharedLightTables = 6; // all but SP
// Where the contents of a table are; of SP, those of light 0.
LightingLut light_table_lut(LightTable table);

// All zero if the table is off.
struct LightingTableKey
{
    u8 enabled = 0;
    u8 is_signed = 0; // 1: index -128..127; 0: index 0..255 of the absolute or one-sided input
    LightingInput input{};
    LightingScale scale{};

    bool operator==(const LightingTableKey&) const = default;
};

// One light in use. Lights are in the order of the permutation register.
struct LightKey
{
    enum Flag : u8
    {
        Directional = 1,
        TwoSided = 2,
        GeometricFactor0 = 4, // applies to the first specular product
        GeometricFactor1 = 8,
        Spot = 16, // uses the tables Spotlight0 + light and DistanceAttenuation0 + light
        Distance = 32,
        ShadowPrimary = 64,
        ShadowSecondary = 128,
    };
    u8 flags = 0;
    u8 light = 0; // number of its tables; 0 if it uses neither
    bool has(Flag flag) const { return (flags & flag) != 0; }

    bool operator==(const LightKey&) const = default;
};

struct LightingKey
{
    u8 lights = 0;    // 0: lighting is off or its colours are not read; everything else is zero
    u8 primary = 0;   // 1: the combiners read the primary colour
    u8 secondary = 0; // 1: the combiners read the secondary colour
    BumpMode bump{};  // None if it has no effect
    u8 bump_unit = 0;
    u8 bump_keep_z = 0; // 1: z of the normal is taken from the texture
    u8 shadow = 0;      // 1: shadow_unit attenuates something
    u8 shadow_unit = 0;
    u8 shadow_invert = 0;
    u8 shadow_alpha = 0;      // 1: it also attenuates the alphas that the Fresnel selectors name
    u8 fresnel_primary = 0;   // the Fresnel selector for the primary alpha
    u8 fresnel_secondary = 0; // the Fresnel selector for the secondary alpha
    u8 clamp_highlights = 0;
    LightKey light[8];
    EnumArray<LightingTableKey, LightTable, kLightTables> table;

    bool operator==(const LightingKey&) const = default;
    // Bit i: bump mapping or shadows read texture unit i.
    u8 texture_units() const;
    bool reads(LightingInput input) const; // does any table?
    LutMask luts() const;
};
static_assert(sizeof(LightingKey) == 13 + 2 * 8 + 4 * kLightTables);

// One light. Colours: 255 in the register is 1.0.
struct LightConstants
{
    std::array<f32, 3> specular0{}, specular1{}, diffuse{}, ambient{}; // r, g, b
    std::array<f32, 3> position{};                                     // or direction, for directional lights
    std::array<f32, 3> spot{}; // as programmed, which is the negated direction
    f32 attenuation_scale = 0.0f, attenuation_bias = 0.0f;

    bool operator==(const LightConstants&) const = default;
};

struct LightingConstants
{
    std::array<LightConstants, 8> light; // in the order of the permutation register; unused ones are zero
    std::array<f32, 3> ambient{};

    bool operator==(const LightingConstants&) const = default;
};

struct Draw;

// What decode_lighting reads, except for the switches of lighting_is_on.
inline constexpr RegisterRange kLightingRegisters[] = {
    {reg::LIGHT_SPECULAR0::id, reg::LIGHTING_LIGHT_PERMUTATION::id}};
// Fills draw.fragment.lighting and draw.lighting. Call it after the combiners are decoded, because they say
// which colours are read. Returns the texture units that lighting reads (bit i = unit i), including those
// that give nothing.
u8 decode_lighting(const RegisterFile& regs, Draw& draw);
bool lighting_is_on(const RegisterFile& regs);

} // namespace pica
