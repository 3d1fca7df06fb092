// SPDX-License-Identifier: MIT
// All vertices of a draw: what the vertex program reads and leaves, what the geometry program emits, and the triangles
// that the assembler makes of them, before clipping and culling. For dumps. Tests: tests/pica/draw_vertices_test.cpp.
#pragma once

#include "pica/state/carryover.h"
#include "pica/state/draw.h"
#include "pica/state/draw_limits.h"

#include <array>
#include <vector>

namespace pica
{

class GuestMemory;

struct DrawVertex
{
    u64 number = 0;                // its index, or its place in the arrays
    std::array<Vec4, 16> inputs{}; // v0-v15; components that the program does not read are not fetched
    std::array<Vec4, 16> outputs{};
};

// A vertex of the primitive assembler.
struct AssembledVertex
{
    static constexpr u32 kNone = ~0u;
    u32 shaded =
        kNone; // its place in DrawVertices::shaded. kNone: an earlier draw left it, or a geometry program emitted it
    // By semantic (VertexKey): what the output map does not name is 1. Of an earlier draw's vertex only what is drawn.
    std::array<f32, 24> semantics{};

    Vec4 position() const { return {semantics[0], semantics[1], semantics[2], semantics[3]}; }
};

struct DrawVertices
{
    u16 inputs_read = 0, outputs_written = 0; // bit n: register n
    std::vector<DrawVertex> shaded;           // each once
    std::vector<u32> elements;                // for each element that is a vertex: its place in `shaded`
    std::vector<AssembledVertex> assembled; // those of earlier draws first, then `shaded` or what was emitted
    u32 earlier = 0;                        // how many of `assembled` are of earlier draws
    std::vector<std::array<u32, 3>> triangles; // places in `assembled`
    u32 left_out = 0;                          // elements beyond the most that were asked for
};

// carryover and memory: as before the draw. most: elements; those beyond are left out.
DrawVertices find_vertices(const Draw& draw, const Carryover& carryover, const GuestMemory& memory,
                           u32 most = kMaxDrawVertices);

} // namespace pica
