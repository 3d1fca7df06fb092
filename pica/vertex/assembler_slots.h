// SPDX-License-Identifier: MIT
// The primitive assembler with the vertices in its two slots, which stay there from draw to draw, and the
// forms in which they leave a backend: for a device, and for saved states. Source:
// pica/hardware/primitives.md, "Assembly". Tests: assembler_slots_test.cpp, vertex_stage_test.cpp,
// tests/api/snapshot_test.cpp.
#pragma once

#include "pica/state/carryover.h"
#include "pica/state/draw.h"
#include "pica/state/pending_vertices.h"
#include "pica/vertex/primitive.h"
#include "pica/vertex/shaded_vertex.h"

#include <array>
#include <span>

namespace pica
{

class AssemblerSlots
{
public:
    PrimitiveAssembler& assembler() { return assembler_; }
    // Number of vertices that wait for later draws.
    u32 pending() const { return assembler_.pending(); }

    // At the start of a draw: copies the vertices that wait to the first ones of `vertices`, and numbers them
    // in the assembler from 0.
    void hand_out(std::span<ShadedVertex> vertices);
    // At its end: keeps those of `vertices` that wait in the assembler.
    void take_back(std::span<const ShadedVertex> vertices);

    // A slot that holds an element whose vertex is missing.
    struct Missing
    {
        u32 slot = 0;
        u32 element = 0;
    };
    // Assembles the first `count` elements of a draw without their vertices, and leaves its triangles out.
    // Returns which slots (of the array's first ones) then hold elements of the draw; set_vertex() fills
    // them.
    std::span<const Missing> skip(Topology topology, u32 count);
    void set_vertex(u32 slot, const ShadedVertex& vertex) { vertices_[slot] = vertex; }

    // On the way to a device and back.
    AssemblerState device_state() const;
    void set_device_state(const AssemblerState& state);
    // The vertices with which the draw continues.
    PendingVertices pending_vertices(const Draw& draw) const;
    // The form for exchange with other backends.
    CarriedPrimitive carried() const;
    void set_carried(const CarriedPrimitive& primitive);

private:
    PrimitiveAssembler assembler_;
    std::array<ShadedVertex, 2> vertices_{};
    std::array<Missing, 2> missing_;
};

} // namespace pica
