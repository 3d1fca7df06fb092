// SPDX-License-Identifier: MIT
#include "renderer/upload_ring.h"

#include <algorithm>

namespace renderer
{

namespace
{
constexpr VkBufferUsageFlags kUsage =
    VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
    VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
    VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT |
    VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT;
}

UploadRing::Chunk* UploadRing::next_chunk(VkDeviceSize size)
{
    for (const auto& chunk : chunks_)
        if (chunk.get() != open_ && chunk->buffer.size >= size && stream_.done(chunk->serial))
        {
            chunk->used = 0;
            return chunk.get();
        }
    auto chunk = std::make_unique<Chunk>();
    Result<Buffer> buffer =
        memory_.create_buffer(std::max(size, kChunkSize), kUsage, MemoryKind::Upload, "upload ring");
    if (!buffer)
    {
        stream_.device().fail(buffer.error().message);
        return nullptr;
    }
    chunk->buffer = std::move(*buffer);
    chunks_.push_back(std::move(chunk));
    return chunks_.back().get();
}

Slice UploadRing::allocate(VkDeviceSize size, VkDeviceSize alignment)
{
    VkDeviceSize at = open_ ? (open_->used + alignment - 1) & ~(alignment - 1) : 0;
    if (!open_ || at + size > open_->buffer.size)
    {
        Chunk* chunk = next_chunk(size);
        if (!chunk)
            return {};
        open_ = chunk;
        at = 0;
    }
    open_->used = at + size;
    open_->serial = stream_.current();
    return {open_->buffer.mapped + at, open_->buffer.buffer, at, size};
}

} // namespace renderer
