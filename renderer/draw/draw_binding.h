// SPDX-License-Identifier: MIT
// DrawBinding: what a draw command binds and sets.
#pragma once

#include "renderer/draw/raster_viewport.h"
#include "renderer/vulkan/vulkan.h"

namespace renderer
{

// Everything that a draw command binds or sets: pipeline state, descriptor sets, viewport, scissor, stencil
// values.
struct DrawBinding
{
    u32 state = 0; // id in DrawStates
    u32 fragment_offset = 0;
    u32 lighting_offset = 0; // of the LightingBlock, bytes; any place in the buffer without lighting
    VkDescriptorSet draw_set = VK_NULL_HANDLE;
    VkDescriptorSet texture_set = VK_NULL_HANDLE;
    RasterViewport viewport;
    pica::PixelRect scissor; // pixels of the scaled image
    u8 stencil_reference = 0;
    u8 stencil_compare_mask = 0;
    u8 stencil_write_mask = 0;

    bool operator==(const DrawBinding&) const = default;
};

} // namespace renderer
