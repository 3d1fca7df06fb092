// SPDX-License-Identifier: MIT
#include "renderer/draw/raster_viewport.h"

#include "pica/state/triangle_record.h"

#include <algorithm>
#include <bit>

namespace renderer
{

using pica::s32;
using pica::u32;

namespace
{

constexpr s32 kSmallest = 512; // most targets share one viewport, which saves state changes

s32 power_of_two_at_least(s32 value)
{
    return static_cast<s32>(std::bit_ceil(static_cast<u32>(std::max(value, kSmallest))));
}

} // namespace

VkViewport RasterViewport::vk() const
{
    return {static_cast<float>(origin_x),
            static_cast<float>(origin_y),
            static_cast<float>(size),
            static_cast<float>(size),
            0.0f,
            1.0f};
}

shadergen::GraphicsPush RasterViewport::push() const
{
    return {{origin_x * 16, origin_y * 16}, 1.0f / static_cast<float>(size * 8), 0};
}

RasterViewport choose_viewport(const pica::GeometryConstants& geometry, u32 scale,
                               const VkPhysicalDeviceLimits& limits)
{
    const pica::SnapBounds bounds = pica::snap_bounds(geometry, scale);
    RasterViewport viewport;
    viewport.origin_x = std::min(bounds.low_x >> 4, 0);
    viewport.origin_y = std::min(bounds.low_y >> 4, 0);
    viewport.size = power_of_two_at_least(std::max(((bounds.high_x + 15) >> 4) - viewport.origin_x,
                                                   ((bounds.high_y + 15) >> 4) - viewport.origin_y));
    const bool fits =
        static_cast<u32>(viewport.size) <=
            std::min(limits.maxViewportDimensions[0], limits.maxViewportDimensions[1]) &&
        static_cast<float>(std::min(viewport.origin_x, viewport.origin_y)) >= limits.viewportBoundsRange[0] &&
        static_cast<float>(std::max(viewport.origin_x, viewport.origin_y) + viewport.size) <=
            limits.viewportBoundsRange[1];
    if (!fits)
        viewport = {};
    return viewport;
}

RasterViewport target_viewport(const pica::RenderTarget& target, u32 scale)
{
    return {0, 0, power_of_two_at_least(static_cast<s32>(std::max(target.width, target.height) * scale))};
}

} // namespace renderer
