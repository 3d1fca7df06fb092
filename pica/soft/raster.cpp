// SPDX-License-Identifier: MIT
#include "pica/soft/raster.h"

#include <algorithm>

namespace pica::soft
{

RasterFunction choose_raster(SoftwareKernel kernel)
{
#if defined(PICA_X86_KERNELS)
    const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    if (kernel == SoftwareKernel::Best && avx512)
        return raster_avx512;
    if (kernel != SoftwareKernel::Baseline && __builtin_cpu_supports("avx2"))
        return raster_avx2;
#else
    static_cast<void>(kernel);
#endif
    return raster_baseline;
}

PixelRect triangle_bounds(const PixelPlan& plan, const s32* position)
{
    const auto [min_x, max_x] = std::minmax({position[0], position[2], position[4]});
    const auto [min_y, max_y] = std::minmax({position[1], position[3], position[5]});
    // Centres at 16*p + 8.
    PixelRect r{(min_x + 7) >> 4, (min_y + 7) >> 4, ((max_x - 8) >> 4) + 1, ((max_y - 8) >> 4) + 1};
    if (plan.flip)
        r = {r.x1, plan.height - r.y2, r.x2, plan.height - r.y1};
    return {std::max(r.x1, plan.rect.x1), std::max(r.y1, plan.rect.y1), std::min(r.x2, plan.rect.x2),
            std::min(r.y2, plan.rect.y2)};
}

s64 about_covered(const PixelRect& bounds)
{
    return s64{bounds.x2 - bounds.x1} * (bounds.y2 - bounds.y1) / 2 + 8;
}

} // namespace pica::soft
