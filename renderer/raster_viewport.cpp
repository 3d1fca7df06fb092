// SPDX-License-Identifier: MIT
#include "renderer/raster_viewport.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace renderer
{

using pica::s32;
using pica::u32;

namespace
{

constexpr s32 kSmallest = 512; // most targets share one viewport, which saves state changes

struct Bounds
{
    double low, high;
};

Bounds axis_bounds(float half, s32 origin, u32 scale)
{
    const double extent = 2.0 * static_cast<double>(half);
    const double limit = 4096.0 * scale; // the snap clamps here
    return {std::clamp(std::floor((origin + std::min(extent, 0.0)) * scale), -limit, limit),
            std::clamp(std::ceil((origin + std::max(extent, 0.0)) * scale), -limit, limit)};
}

s32 power_of_two_at_least(double value)
{
    return static_cast<s32>(std::bit_ceil(static_cast<u32>(std::max(value, static_cast<double>(kSmallest)))));
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

RasterViewport::Push RasterViewport::push() const
{
    return {{origin_x * 16, origin_y * 16}, 1.0f / static_cast<float>(size * 8), 0};
}

RasterViewport choose_viewport(const pica::GeometryConstants& geometry, u32 scale,
                               const VkPhysicalDeviceLimits& limits)
{
    const Bounds x = axis_bounds(geometry.half_width, geometry.viewport_x, scale);
    const Bounds y = axis_bounds(geometry.half_height, geometry.viewport_y, scale);
    RasterViewport viewport;
    viewport.origin_x = static_cast<s32>(std::min(x.low, 0.0));
    viewport.origin_y = static_cast<s32>(std::min(y.low, 0.0));
    viewport.size = power_of_two_at_least(std::max(x.high - viewport.origin_x, y.high - viewport.origin_y));
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
    return {0, 0, power_of_two_at_least(std::max(target.width, target.height) * static_cast<double>(scale))};
}

} // namespace renderer
