// SPDX-License-Identifier: MIT
// PreparedDraw: what was decided of a draw before it is collected: its state, its viewport, and who executes its
// vertex work.
#pragma once

#include "pica/soft/vertex_stage.h"
#include "renderer/draw/raster_viewport.h"
#include "renderer/pipelines/draw_states.h"

#include <optional>

namespace renderer
{

struct PreparedDraw
{
    // The state with the draw's own fragment shader; what the device lacks is moved to the fetch class.
    DrawStateKey specialised;
    // The draw's fragments that fail the depth test, where they change the stencil and the pipeline of the others
    // cannot tell (DepthZero::KeepZero): drawn before the others of the same triangle.
    std::optional<DrawStateKey> failing;
    RasterViewport viewport;
    pica::soft::IndexRange vertices;     // for the compute executor
    pica::soft::PendingVertices pending; // for the compute executor: what earlier draws left
    u32 triangles = 0;                   // an upper bound on the device, exact on the CPU
    u32 parts = 1;                       // of a draw on the device
    u32 part_triangles =
        0; // ... without a geometry program: triangles of a part in front of clipping, an even number
    bool on_device = false; // the compute executor does its vertices
};

} // namespace renderer
