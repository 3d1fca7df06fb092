// SPDX-License-Identifier: MIT
// PreparedDraw: what the planner decided for a draw before it is collected, that is its pipeline state, its
// viewport, and who does its vertex work.
#pragma once

#include "pica/state/pending_vertices.h"
#include "pica/state/vertex_memory.h"
#include "renderer/draw/raster_viewport.h"
#include "renderer/pipelines/draw_states.h"

#include <optional>

namespace renderer
{

struct PreparedDraw
{
    // The state with the draw's own fragment shader. What the fixed function of the device lacks is moved to
    // the fetch class.
    DrawStateKey specialised;
    // The state for the fragments that fail the depth test. Used where these change the stencil and the
    // pipeline of the other fragments cannot tell them apart (DepthZero::KeepZero). They are drawn before the
    // others of the same triangle.
    std::optional<DrawStateKey> failing;
    RasterViewport viewport;
    pica::IndexRange vertices;     // vertex numbers, for the compute executor
    pica::PendingVertices pending; // vertices that earlier draws left, for the compute executor
    u32 triangles = 0;             // exact if the CPU did the vertex work, else an upper bound
    u32 parts = 1;                 // how many; more than one only on the device
    // Triangles per part before clipping, an even number. For draws without a geometry program; the parts
    // of others are made of invocations.
    u32 part_triangles = 0;
    bool on_device = false; // the compute executor does the vertex work
};

} // namespace renderer
