// SPDX-License-Identifier: MIT
// Triangle records and snapped positions in mapped memory, back to back, so that consecutive draws of one
// record size can become one draw command.
#pragma once

#include "renderer/draw/batch.h"
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

    struct Space
    {
        DrawGeometry geometry;
        VkBufferView texels = VK_NULL_HANDLE; // over the records, where asked for
        u32* records = nullptr;               // null: the host is out of memory
        s32* positions = nullptr;
    };
    // Room for `triangles` records of record_words words and as many triples of positions, for the submission
    // being recorded. with_texels: records are read through a texel buffer, from geometry.first_record on.
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
