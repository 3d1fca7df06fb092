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

struct LightingPlan
{
    LightingKey key;
    LightingConstants constants;
    EnumArray<LightingTable, LightTable, kSharedLightTables> table;
    std::array<LightingTable, 8> spot, distance; // by slot; of distance only entries and number are used
    // Which vectors and cosines a table or factor reads.
    bool needs_half = false, needs_nh = false, needs_vh = false, needs_nv = false, needs_spot = false,
         needs_cp = false, needs_geometric = false;
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
