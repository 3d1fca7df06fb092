// SPDX-License-Identifier: MIT
// DrawGeometry: the triangles of one draw command, as the vertex stage of either executor has left them.
#pragma once

#include "renderer/vulkan/vulkan.h"

namespace renderer
{

inline constexpr VkDeviceSize kPositionBytes = 24; // of a triangle's three snapped vertices

// Where a draw command's triangles are.
struct DrawGeometry
{
    VkBuffer record_buffer = VK_NULL_HANDLE;
    VkBuffer position_buffer = VK_NULL_HANDLE; // snapped vertices
    VkDeviceSize record_offset = 0;
    VkDeviceSize position_offset = 0;
    u32 record_bytes = 0;
    u32 triangles = 0; // direct draws
    // Where the shader fetches records: index in the texel buffer of the first one; indirect draws: what
    // their record numbers lack of it.
    s32 first_record = 0;
    VkBuffer indirect_buffer =
        VK_NULL_HANDLE; // compute executor: vertex count and first vertex come from the device
    VkDeviceSize indirect_offset = 0;

    // Some of the triangles of a direct draw.
    DrawGeometry part(u32 first, u32 count) const;
    // Does other begin where this ends?
    bool continues_with(const DrawGeometry& other) const;
};

} // namespace renderer
