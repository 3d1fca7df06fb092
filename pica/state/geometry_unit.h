// SPDX-License-Identifier: MIT
// What a draw asks of the geometry unit: how vertices become its inputs, which outputs it emits, and what the
// guest uploaded since the unit ran last. Source: geometry sheet 7. Decoded in geometry.cpp; tests:
// geometry_state_test.cpp, geometry_stage_test.cpp.
#pragma once

#include "pica/base/types.h"
#include "pica/regs/enums.h"
#include "pica/shader/uniforms.h"

#include <array>
#include <bitset>

namespace pica
{

class Program;

struct GeometryFeed
{
    static constexpr u8 kNoOutput = 0xFF; // beyond the enabled outputs: reads (0, 0, 0, 0) [our rule]

    u8 enabled = 0; // 0: the draw has no geometry shader, everything else is zero
    GeometryMode mode{};
    u8 attributes = 0;           // A, 1..16: attributes of a vertex
    u8 inputs = 0;               // point: attributes of an invocation, 1..16, a multiple of A
    u8 vertices = 0;             // fixed: vertices of an invocation, 1..16
    u8 first_uniform = 0;        // fixed: c register of the first attribute, 0..127
    u8 full_vertices = 0;        // variable: vertices that bring all their attributes, 1..32
    u8 obeys_winding = 0;        // 1: topology 3, the only one that looks at the winding flag [HW]
    u16 output_mask = 0;         // o registers that EMIT copies, only o0..o6 [HW]
    std::array<u8, 16> source{}; // attribute n of a vertex: output register of the vertex program
    std::array<u8, 16> target{}; // point: input n goes to this v register

    bool operator==(const GeometryFeed&) const = default;
};

// The unit's registers, slots and fed uniforms persist from draw to draw (geometry sheet 5.1, 7.2): each
// backend keeps its own, and what is here tells it what the guest changed in between.
struct GeometryUnit
{
    GeometryFeed feed;
    const Program* program = nullptr; // valid for the call, as the uniforms
    const ShaderUniforms* uniforms = nullptr;
    std::bitset<96> written_floats; // uploaded since the previous draw of the unit: they replace fed values
    u8 written_bools = 0;           // 0x280 was written since: b15 is what it says
    u8 reset = 1;                   // power-up: all registers are 0 [our rule]
    u8 continues = 0; // immediate mode: inputs of an unfinished invocation are kept from the previous draw
};

} // namespace pica
