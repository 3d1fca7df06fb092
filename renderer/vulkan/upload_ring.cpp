// SPDX-License-Identifier: MIT
#include "renderer/vulkan/upload_ring.h"

#include <algorithm>

namespace renderer
{

namespace
{
constexpr u64 kFramesKept = 60;
// Above this, unused chunks are freed before another one is allocated.
constexpr VkDeviceSize kMostIdleBytes = 4 * UploadRing::kSubmissionBytes;
constexpr VkBufferUsageFlags kUsage =
    VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
    VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
    VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT |
    VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT;
} // namespace

UploadRing::Chunk* UploadRing::next_chunk(VkDeviceSize size)
{
    for (const auto& chunk : chunks_)
        if (chunk.get() != open_ && chunk->buffer.size >= size && stream_.done(chunk->serial))
        {
            chunk->used = 0;
            return chunk.get();
        }
    const VkDeviceSize bytes_wanted = std::max(size, kChunkSize);
    // The unused chunks are too small.
    if (bytes() + bytes_wanted > kMostIdleBytes)
        (void)drop_idle();
    auto chunk = std::make_unique<Chunk>();
    Result<Buffer> buffer = memory_.create_buffer(bytes_wanted, kUsage, MemoryKind::Upload, "upload ring");
    if (!buffer)
    {
        stream_.device().fail(buffer.error().message);
        return nullptr;
    }
    chunk->buffer = std::move(*buffer);
    chunk->id = next_id_++;
    chunks_.push_back(std::move(chunk));
    return chunks_.back().get();
}

bool UploadRing::drop_idle()
{
    return std::erase_if(chunks_, [&](const std::unique_ptr<Chunk>& chunk)
                         { return chunk.get() != open_ && stream_.done(chunk->serial); }) != 0;
}

void UploadRing::end_frame()
{
    ++frame_;
    const auto is_idle = [&](const std::unique_ptr<Chunk>& chunk)
    { return chunk.get() != open_ && chunk->frame + kFramesKept < frame_ && stream_.done(chunk->serial); };
    std::erase_if(chunks_, is_idle);
}

VkDeviceSize UploadRing::bytes() const
{
    VkDeviceSize bytes = 0;
    for (const auto& chunk : chunks_)
        bytes += chunk->buffer.size;
    return bytes;
}

Slice UploadRing::allocate(VkDeviceSize size, VkDeviceSize alignment, VkDeviceSize reach)
{
    reach = std::max(reach, size);
    VkDeviceSize at = open_ ? (open_->used + alignment - 1) & ~(alignment - 1) : 0;
    if (!open_ || at + reach > open_->buffer.size)
    {
        Chunk* chunk = next_chunk(reach);
        if (!chunk)
            return {};
        open_ = chunk;
        at = 0;
        stream_.take_upload_bytes(chunk->buffer.size);
    }
    open_->used = at + size;
    const u64 current = stream_.current();
    if (used_serial_ != current)
        used_ = 0;
    if (open_->serial != current)
        used_ += open_->buffer.size; // the whole chunk stays in use until the submission is done
    used_serial_ = open_->serial = current;
    open_->frame = frame_;
    return {open_->buffer.mapped + at, open_->buffer.buffer, at, size, open_->id};
}

} // namespace renderer
