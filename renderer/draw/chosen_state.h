// SPDX-License-Identifier: MIT
// ChosenState: what the keys of a draw decide (pica::Draw::keys_revision) with the units that are sampled at N x, that is
// its pipeline state and its viewport. Consecutive draws mostly have one in common.
#pragma once

#include "renderer/draw/raster_viewport.h"
#include "renderer/pipelines/draw_state_key.h"
#include "renderer/vertex/vertex_work.h"

#include <optional>

namespace renderer
{

struct ChosenState
{
    // The state with the draw's own fragment shader. What the fixed function of the device lacks is moved to
    // the fetch class.
    DrawStateKey specialised;
    // The state for the fragments that fail the depth test. Used where these change the stencil and the
    // pipeline of the other fragments cannot tell them apart (DepthZero::KeepZero). They are drawn before the
    // others of the same triangle.
    std::optional<DrawStateKey> failing;
    // Of `specialised` in DrawStates, which evicts between draws.
    u32 id = 0;
    u64 serial = 0;
    RasterViewport viewport;
    RecordWords words; // the sizes that the triangle records may have in the states that form() may choose
    bool needs_groups = false; // needs barrier groups (OverlapGroups)
    bool flat_records = false; // no form reads its records from a texel buffer
};

} // namespace renderer
