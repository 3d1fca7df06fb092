// SPDX-License-Identifier: MIT
// The pixel kernels behind one function pointer, so that the same text can be compiled for several
// instruction sets.
#pragma once

#include "pica/soft/pixel_plan.h"
#include "pica/soft/software_kernel.h"

#include <span>

namespace pica::soft
{

// Triangles in the form that VertexStage::emit writes.
struct TriangleList
{
    const u32* records = nullptr;
    const s32* positions = nullptr;
    u32 record_words = 0;
};

// Draws triangles first, first+1, ... of the list, or order[0], order[1], ... if `order` is not null, into
// memory rows [row_begin, row_end). Both are multiples of 8, except that the last may be the height.
using RasterFunction = void (*)(const PixelPlan& plan, const TriangleList& list, const u32* order, u32 count,
                                s32 row_begin, s32 row_end);

void raster_baseline(const PixelPlan& plan, const TriangleList& list, const u32* order, u32 count,
                     s32 row_begin, s32 row_end);
void raster_avx2(const PixelPlan& plan, const TriangleList& list, const u32* order, u32 count, s32 row_begin,
                 s32 row_end);

void raster_avx512(const PixelPlan& plan, const TriangleList& list, const u32* order, u32 count,
                   s32 row_begin, s32 row_end);

// The one that is asked for; if the processor cannot run it, the fastest that it can. All give the same bytes.
RasterFunction choose_raster(SoftwareKernel kernel);
// The memory rows and pixel columns that a triangle may cover, clipped to the plan: [x1, x2) x [y1, y2).
PixelRect triangle_bounds(const PixelPlan& plan, const s32* position);
// About how many pixels a triangle with these bounds covers, and what it costs besides.
s64 about_covered(const PixelRect& bounds);

} // namespace pica::soft
