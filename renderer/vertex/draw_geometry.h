// SPDX-License-Identifier: MIT
// DrawGeometry: where the triangles of one draw command are. Either executor of vertex work gives one.
#pragma once

#include "renderer/vulkan/vulkan.h"

namespace renderer
{

// Bytes of a triangle's three snapped vertices (x, y), 32 bits each.
inline constexpr VkDeviceSize kPositionBytes = 24;

// Offsets are bytes. The buffers belong to the executor and are valid for the submission being recorded.
struct DrawGeometry
{
    VkBuffer record_buffer = VK_NULL_HANDLE;
    VkBuffer position_buffer = VK_NULL_HANDLE; // three (x, y) per triangle, snapped to 1/16 pixel
    VkDeviceSize record_offset = 0;
    VkDeviceSize position_offset = 0;
    u32 record_bytes = 0;
    // How many, for direct draws.
    u32 triangles = 0;
    // For shaders that fetch records from a texel buffer. Direct draws: index of the first record in that
    // buffer. Indirect draws: the number to add to the device's record numbers to get indices in that buffer.
    s32 first_record = 0;
    // The indirect draw command of a draw of the compute executor: the device writes its vertex count and
    // first vertex. Null: direct draw.
    VkBuffer indirect_buffer = VK_NULL_HANDLE;
    VkDeviceSize indirect_offset = 0;

    // Triangles [first, first + count) of a direct draw.
    DrawGeometry part(u32 first, u32 count) const;
    // Do the triangles of `other` follow these in memory, so that one command can draw both? Never for
    // indirect draws.
    bool continues_with(const DrawGeometry& other) const;
};

} // namespace renderer
