// SPDX-License-Identifier: MIT
// The power-of-two Vulkan viewport through which pre-snapped triangles are drawn (design D3, 2.2): every
// vertex of a draw lies inside it, so the host's inexact clipper never acts, and every intermediate of the
// transform is exact.
#pragma once

#include "pica/state/draw.h"

#include <vulkan/vulkan_core.h>

namespace renderer
{

struct RasterViewport
{
    pica::s32 origin_x = 0; // scaled pixels
    pica::s32 origin_y = 0;
    pica::s32 size =
        0; // square; 0: no viewport of the device holds the draw, coverage must be decided in the shader
    bool operator==(const RasterViewport&) const = default;

    VkViewport vk() const;
    // Push constants of the raster vertex shader: clip = (position - origin16) * scale - 1.
    struct Push
    {
        pica::s32 origin16[2];
        float scale;
        pica::s32 first_record;
    };
    Push push() const;
};
static_assert(sizeof(RasterViewport::Push) == 16);

// Holds the bounds of the snapped coordinates (pica/state/triangle_record.h).
RasterViewport choose_viewport(const pica::GeometryConstants& geometry, pica::u32 scale,
                               const VkPhysicalDeviceLimits& limits);
// A viewport over the target itself: for bounding shapes that are cut to the target.
RasterViewport target_viewport(const pica::RenderTarget& target, pica::u32 scale);

} // namespace renderer
