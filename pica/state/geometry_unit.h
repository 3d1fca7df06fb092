// SPDX-License-Identifier: MIT
// What a draw asks of the geometry shader unit: how vertices become its inputs, which outputs it emits, and
// what the guest uploaded since the unit last ran. Source: pica/hardware/geometry-unit.md. Decoded in
// geometry.cpp; tests: geometry_state_test.cpp, geometry_stage_test.cpp.
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
    u8 attributes = 0;           // A: attributes of a vertex, 1..16
    u8 inputs = 0;               // point mode: attributes of an invocation, 1..16, a multiple of A
    u8 vertices = 0;             // fixed mode: vertices of an invocation, 1..16
    u8 first_uniform = 0;        // fixed mode: c register of the first attribute, 0..127
    u8 full_vertices = 0;        // variable mode: how many vertices have all attributes, 1..32
    u8 obeys_winding = 0;        // 1: topology 3, the only one for which the winding flag counts [HW]
    u16 output_mask = 0;         // o registers that EMIT copies, only o0..o6 [HW]
    std::array<u8, 16> source{}; // for attribute n of a vertex: output register of the vertex program
    std::array<u8, 16> target{}; // point mode: v register of input n

    bool operator==(const GeometryFeed&) const = default;
};

// The unit's registers, vertex slots and fed uniforms persist from draw to draw (pica/hardware/shader-unit.md
// and geometry-unit.md). Each backend keeps its own; this tells it what the guest changed in between.
struct GeometryUnit
{
    GeometryFeed feed;
    const Program* program = nullptr; // valid during the call, like the uniforms
    const ShaderUniforms* uniforms = nullptr;
    std::bitset<96> written_floats; // uploaded since the unit's previous draw; they replace fed values
    u8 written_bools = 0;           // 1: 0x280 was written since, and b15 has the written value
    u8 reset = 1;                   // power-up: all registers are 0 [our rule]
    u8 continues = 0; // immediate mode: the previous draw left an invocation with incomplete inputs

    // Do the triangles come from the geometry program?
    bool emits() const { return feed.enabled != 0; }
};

} // namespace pica
