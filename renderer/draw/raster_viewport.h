// SPDX-License-Identifier: MIT
// RasterViewport: the power-of-two Vulkan viewport through which snapped triangles are drawn (design D3,
// 2.2). Every vertex of a draw lies inside of it, so the host's inexact clipper never acts, and every
// intermediate value of the transform is exact.
#pragma once

#include "pica/state/draw.h"
#include "shadergen/push_graphics.h"

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
    // The push constants for this viewport. first_record (DrawGeometry) is left 0.
    shadergen::GraphicsPush push() const;
};

// The viewport around all coordinates that the draw's snapped vertices can have
// (pica/state/triangle_record.h). Its size is 0 where the device's limits allow no such viewport.
RasterViewport choose_viewport(const pica::GeometryConstants& geometry, pica::u32 scale,
                               const VkPhysicalDeviceLimits& limits);
// A viewport over the target itself, for bounding shapes that are cut to the target.
RasterViewport target_viewport(const pica::RenderTarget& target, pica::u32 scale);

} // namespace renderer
