// SPDX-License-Identifier: MIT
#include "renderer/vertex/draw_geometry.h"

namespace renderer
{

bool DrawGeometry::continues_with(const DrawGeometry& other) const
{
    return indirect_buffer == VK_NULL_HANDLE && other.indirect_buffer == VK_NULL_HANDLE &&
           record_buffer == other.record_buffer && position_buffer == other.position_buffer &&
           record_bytes == other.record_bytes &&
           record_offset + VkDeviceSize{triangles} * record_bytes == other.record_offset &&
           position_offset + VkDeviceSize{triangles} * kPositionBytes == other.position_offset;
}

DrawGeometry DrawGeometry::part(u32 first, u32 count) const
{
    DrawGeometry result = *this;
    result.record_offset += VkDeviceSize{first} * record_bytes;
    result.position_offset += VkDeviceSize{first} * kPositionBytes;
    result.first_record += static_cast<s32>(first);
    result.triangles = count;
    return result;
}

} // namespace renderer
