// SPDX-License-Identifier: MIT
// RasterViewport: the power-of-two Vulkan viewport through which snapped triangles are drawn (design D3,
// 2.2). Every vertex of a draw lies inside of it, so the host's inexact clipper never acts, and every
// intermediate value of the transform is exact.
#pragma once

#include "pica/state/draw.h"

#include <vulkan/vulkan_core.h>

namespace renderer
{

struct RasterViewport
{
    pica::s32 origin_x = 0; // of the upper left corner, in pixels of the scaled image
    pica::s32 origin_y = 0;
    // Width and height. 0: the device has no viewport that holds the draw, so coverage must be decided in
    // the shader.
    pica::s32 size = 0;
    bool operator==(const RasterViewport&) const = default;

    // The viewport for vkCmdSetViewport, with depth 0 to 1.
    VkViewport vk() const;
    // Push constants of the raster vertex shader: clip = (position - origin16) * scale - 1. origin16: in 1/16
    // pixel. first_record: see DrawGeometry; push() leaves it 0.
    struct Push
    {
        pica::s32 origin16[2];
        float scale;
        pica::s32 first_record;
    };
    // The push constants for this viewport.
    Push push() const;
};
static_assert(sizeof(RasterViewport::Push) == 16);

// The viewport around all coordinates that the draw's snapped vertices can have
// (pica/state/triangle_record.h). Its size is 0 where the device's limits allow no such viewport.
RasterViewport choose_viewport(const pica::GeometryConstants& geometry, pica::u32 scale,
                               const VkPhysicalDeviceLimits& limits);
// A viewport over the target itself, for bounding shapes that are cut to the target.
RasterViewport target_viewport(const pica::RenderTarget& target, pica::u32 scale);

} // namespace renderer
