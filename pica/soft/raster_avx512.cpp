// SPDX-License-Identifier: MIT
// The pixel kernels, compiled for AVX-512 (flags in pica/CMakeLists.txt).
#include "pica/soft/raster_kernel.inc"

namespace pica::soft
{

void raster_avx512(const PixelPlan& plan, const TriangleList& list, const u32* order, u32 count,
                   s32 row_begin, s32 row_end)
{
    raster(plan, list, order, count, row_begin, row_end);
}

} // namespace pica::soft
