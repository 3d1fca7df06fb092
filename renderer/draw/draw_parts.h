// SPDX-License-Identifier: MIT
// A draw of many triangles divided into draws of fewer, in order, for the compute executor.
#pragma once

#include "renderer/draw/prepared_draw.h"

namespace renderer
{

struct DrawPart
{
    pica::Draw draw;
    PreparedDraw prepared;
};

// The part that begins with triangle `first`, a multiple of prepared.part_triangles, which is even: a strip's
// triangles keep their order of vertices. For lists and strips without a geometry program.
DrawPart part_from(const pica::Draw& draw, const PreparedDraw& prepared, u32 first);

} // namespace renderer
