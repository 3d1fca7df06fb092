// SPDX-License-Identifier: MIT
// The division of a large draw into parts, in order, for the compute executor.
#pragma once

#include "renderer/draw/prepared_draw.h"

namespace renderer
{

// One part: a draw of its own, and how it is prepared.
struct DrawPart
{
    pica::Draw draw;
    PreparedDraw prepared;
};

// The part that begins with triangle `first`, a multiple of prepared.part_triangles. That number is even, so
// that the triangles of a strip keep their order of vertices. For lists and strips without a geometry
// program. The part refers to the memory of `draw` (inline values, tables), which must outlive it.
DrawPart part_from(const pica::Draw& draw, const PreparedDraw& prepared, u32 first);

} // namespace renderer
