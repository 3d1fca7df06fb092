// SPDX-License-Identifier: MIT
// PreparedDraw: what the planner decided for a draw before it is collected, that is its state, and who does its vertex
// work.
#pragma once

#include "pica/state/pending_vertices.h"
#include "pica/state/vertex_memory.h"
#include "renderer/draw/draw_access.h"
#include "renderer/vertex/geometry_work.h"

#include <array>
#include <optional>

namespace renderer
{

struct ChosenState;

struct PreparedDraw
{
    const ChosenState* state = nullptr; // until the planner chooses the next draw's
    // The units that are sampled at N x (pica::scaled_units). To be set before the state is chosen.
    std::array<bool, 3> scaled_units{};
    // The source alpha is 255 in every pixel, and the state has no blending therefore (source_alpha.h).
    bool opaque = false;
    // What the CPU knows of the vertices decided the state, so the device may not do the vertex work.
    bool vertices_decide = false;
    // The software renderer draws it, for a reason that DrawPlanner::is_for_host does not know. To be set before.
    bool for_host = false;
    u32 triangles = 0; // exact if the CPU did the vertex work, else an upper bound

    // The vertex work, where the compute executor does it.
    bool on_device = false;
    pica::IndexRange vertices;     // vertex numbers
    DrawAccesses accesses;         // of all parts
    pica::PendingVertices pending; // vertices that earlier draws left
    // Triangles per part before clipping, an even number; 0: the draw is not divided. For draws without a geometry
    // program. The parts of others are made of invocations.
    u32 part_triangles = 0;
    std::optional<GeometryWork> geometry; // of draws with a geometry program

    // The number of parts.
    u32 parts() const
    {
        return geometry              ? geometry->plan.parts
               : part_triangles != 0 ? (triangles + part_triangles - 1) / part_triangles
                                     : 1;
    }
};

} // namespace renderer
