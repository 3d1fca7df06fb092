// SPDX-License-Identifier: MIT
// RecordArena: mapped memory for triangle records and snapped positions. They lie back to back, so that
// consecutive draws with records of one size can become one draw command.
#pragma once

#include "renderer/vertex/draw_geometry.h"
#include "renderer/vulkan/upload_ring.h"

namespace renderer
{

class RecordArena
{
public:
    RecordArena(Device& device, UploadRing& ring, Stream& stream)
        : device_(device), ring_(ring), stream_(stream)
    {
    }
    ~RecordArena();
    RecordArena(const RecordArena&) = delete;
    RecordArena& operator=(const RecordArena&) = delete;

    // Memory for the triangles of one draw. It belongs to the ring and is valid for the submission being
    // recorded.
    struct Space
    {
        DrawGeometry geometry;
        VkBufferView texels = VK_NULL_HANDLE; // view of the records, if requested
        // Where to write the records; null: memory ran out (Device::status).
        u32* records = nullptr;
        s32* positions = nullptr;
    };
    // Reserves memory for `triangles` records of record_words 32-bit words each, and for three positions (x,
    // y) per triangle. with_texels: the shader reads the records through a texel buffer, beginning with
    // record geometry.first_record. Does not wait.
    Space allocate(u32 record_words, u32 triangles, bool with_texels);

private:
    struct Run
    {
        Slice slice;
        VkDeviceSize used = 0;
    };
    bool reserve(Run& run, VkDeviceSize size, VkDeviceSize chunk);
    VkBufferView texel_view();

    Device& device_;
    UploadRing& ring_;
    Stream& stream_;
    Run records_;
    Run positions_;
    UniqueBufferView view_; // of records_, made when first asked for
    u64 serial_ = 0;
};

} // namespace renderer
