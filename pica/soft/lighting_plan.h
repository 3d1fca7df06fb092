// SPDX-License-Identifier: MIT
// What the lighting kernel needs to know about one draw.
#pragma once

#include "pica/state/keys.h"
#include "pica/state/luts.h"

#include <array>

namespace pica::soft
{

// A table with the parameters of its lookup. entries null: the table is off.
struct LightingTable
{
    const LutEntry* entries = nullptr;
    u8 number = 0; // LightingLut
    LightingInput input{};
    bool is_signed = false;
    f32 scale = 1.0f;
};

// Which vectors and cosines the tables and factors read that matter.
struct LightingNeeds
{
    bool half = false, nh = false, vh = false, nv = false, spot = false, cp = false, geometric = false;
};

// What of a light can change a colour. A colour that is 0 makes what it is multiplied with superfluous: all factors are
// finite (shaders/include/lighting.h), so the products are 0.
struct LightPart
{
    bool primary = false; // diffuse or ambient colour
    bool specular0 = false, specular1 = false;
    bool cosines = false; // the table FR reads them
    LightingNeeds needs;
    LightingNeeds dark_needs; // where the surface faces away, if highlights are clamped

    bool matters() const { return primary || specular0 || specular1 || cosines; }
};

struct LightingPlan
{
    LightingKey key;
    LightingConstants constants;
    EnumArray<LightingTable, LightTable, kSharedLightTables> table;
    std::array<LightingTable, 8> spot, distance; // by slot; of distance only entries and number are used
    std::array<LightPart, 8> part;               // by slot: what matters of the light
    LightPart whole;                             // a light of which everything matters
    LightingNeeds needs;                         // of any light
    // The lights' colours are 0, or at least 2^-10: what plain products need (lighting.h).
    bool plain_products = false;
    // Registers of the block batch that hold the texels; kNoRegister: the texels are 0.
    static constexpr u8 kNoRegister = 255;
    u8 bump_register = kNoRegister, shadow_register = kNoRegister;
};

// `decoded` owns the tables. The plan is valid until DecodedLuts::release(), after another decoding.
void make_lighting_plan(const FragmentKey& fragment, const LightingConstants& constants, const Luts& luts,
                        DecodedLuts& decoded, LightingPlan& plan);

} // namespace pica::soft
