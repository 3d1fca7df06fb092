// SPDX-License-Identifier: MIT
// How a draw with a geometry program runs on the device, as values: the plan (GeometryPlanner), what it begins with
// (GeometryRegisters), and the part that is executed now. pica/hardware/geometry-unit.md.
#pragma once

#include "pica/shader/geometry_program.h"
#include "renderer/vulkan/vulkan.h"

#include <algorithm>
#include <bitset>
#include <vector>

namespace renderer
{

// The most triangles of a part before clipping. Results are reserved for the worst case, so larger draws are made in
// parts.
inline constexpr u32 kMostPartTriangles = 32768;
// b15 of the bool uniforms, 1 once an invocation has run [HW, HB].
inline constexpr u32 kGeometryRunBit = 0x8000;

// A part of a draw: consecutive invocations of the geometry program.
struct GeometryPart
{
    u32 number = 0;
    u32 first = 0;     // first invocation
    u32 count = 0;     // invocations
    u32 triangles = 1; // reserved before clipping, at least 1
};

struct GeometryPlan
{
    // The invocations run side by side. Else one invocation of the compute shader runs them one after the other.
    bool parallel = false;
    bool interpreted = false;
    u64 rounds = 0;     // interpreted: the most loop rounds of an invocation
    u32 dispatches = 0; // ... and one after the other: the most dispatches of the draw
    // An assembler runs: for strips, fans, and lists that continue an earlier draw.
    bool assembles = false;
    u32 assembly = 0; // flags GEOMETRY_TOPOLOGY_SHIFT and GEOMETRY_RESTARTS
    u32 largest = 1;  // the most triangles that an emitted primitive makes
    u32 invocations = 0;
    // 1: the first invocation runs before the others, because it sees b15 = 0.
    u32 first_alone = 0;
    u32 primitives = 0;   // primitives reserved per invocation
    u32 per_dispatch = 0; // one after the other: invocations per dispatch
    u32 per_part = 0;     // invocations per part
    u32 parts = 1;
    u32 emit_parity = 0;
    u32 first_uniform = 0;     // fixed mode: first uniform that vertices are fed to
    u32 fed = 0;               // uniforms that an invocation is fed
    u32 left = 0;              // vertices after the last whole invocation (fixed mode)
    std::vector<u32> vertices; // variable mode: first element and number of vertices of each invocation

    GeometryPart part(u32 number) const
    {
        const u32 first = number * per_part;
        const u32 count = std::min(per_part, invocations - first);
        return {number, first, count, std::max(count * primitives * largest, 1u)};
    }
    // The dispatches that run so many invocations one after the other.
    u32 dispatches_of(u32 invocation_count) const;
    u32 dispatches_of(const GeometryPart& part) const { return parallel ? 3 : dispatches_of(part.count); }
    // Rows before the assembled vertices: the assembler's two slots, and what an invocation emits.
    u32 assembler_rows() const { return assembles ? 2 + 3 * primitives : 0; }
};

// The state of the geometry shader unit and of the assembler that a draw begins with.
struct GeometryStart
{
    pica::ShaderUniforms uniforms; // with values that vertices fed
    std::bitset<96> fed;           // float uniforms that earlier draws fed
    // Words STATE_* to copy to the device before the draw; empty: the device has them.
    std::vector<u32> registers;
    std::vector<u32> assembler; // ... beginning with STATE_ASSEMBLER
};

struct GeometryWork
{
    GeometryPlan plan;
    GeometryStart start;
    GeometryPart part;
};

} // namespace renderer
