// SPDX-License-Identifier: MIT
// Tables that programs upload word by word through ports: lighting, fog, procedural texture, gas. Raw words;
// each group has a revision that changes with every stored word. Source: fragment sheet 4, 6, 7; geometry
// sheet 2.
#pragma once

#include "pica/base/types.h"

#include <array>

namespace pica
{

struct Luts
{
    static constexpr u32 kLightingTables = 24; // numbers 2 and 7 do not exist
    std::array<std::array<u32, 256>, kLightingTables> lighting{};
    std::array<u32, 128> fog{};
    std::array<u32, 128> proctex_noise{};
    std::array<u32, 128> proctex_rgb_map{};
    std::array<u32, 128> proctex_alpha_map{};
    std::array<u32, 256> proctex_color{};
    std::array<u32, 256> proctex_color_diff{};
    std::array<u32, 16> gas{};

    u64 lighting_revision = 1;
    u64 fog_revision = 1;
    u64 proctex_revision = 1;
    u64 gas_revision = 1;
};

} // namespace pica
