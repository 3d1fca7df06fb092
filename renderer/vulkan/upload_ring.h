// SPDX-License-Identifier: MIT
// UploadRing: persistently mapped memory for data that changes every draw. It consists of chunks, which are
// reused when the submissions that used them are done. In steady state nothing is allocated per draw, and
// memory that a burst took is freed again.
#pragma once

#include "renderer/vulkan/memory.h"
#include "renderer/vulkan/stream.h"

#include <vector>

namespace renderer
{

// A range of upload memory. It belongs to the ring and is valid for the submission being recorded.
struct Slice
{
    std::byte* host = nullptr; // where the CPU writes; null if memory ran out (Device::status)
    VkBuffer buffer = VK_NULL_HANDLE;
    VkDeviceSize offset = 0;
    VkDeviceSize size = 0;
    u64 buffer_id = 0; // identifies the buffer; unlike the handle it is never reused

    explicit operator bool() const { return host != nullptr; }
    template <typename T>
    T* as() const
    {
        return reinterpret_cast<T*>(host);
    }
};

class UploadRing
{
public:
    // Bytes of a usual chunk. Larger allocations get a chunk of their own.
    static constexpr VkDeviceSize kChunkSize = VkDeviceSize{2} << 20;
    // The bytes of chunks after which a submission is full (is_submission_full), because a frame may upload
    // any amount.
    static constexpr VkDeviceSize kSubmissionBytes = VkDeviceSize{32} << 20;

    // The memory may be used as transfer source and destination, and as uniform, storage, uniform texel,
    // vertex, index and indirect buffer.
    UploadRing(Memory& memory, Stream& stream) : memory_(memory), stream_(stream) {}

    // Allocates `size` bytes for commands of the submission being recorded. alignment: a power of two.
    // Allocates another chunk where none is free; never waits. reach: a descriptor at the slice covers this many bytes,
    // so the buffer has them, but what is behind `size` bytes may belong to other slices. 0: no more than the size.
    Slice allocate(VkDeviceSize size, VkDeviceSize alignment = 16, VkDeviceSize reach = 0);
    // Frees all chunks that no submission uses. False: there was none.
    bool drop_idle();
    // Frees chunks that no frame has used for 60 frames.
    void end_frame();

    // Chunks and their bytes, now.
    u64 chunk_count() const { return chunks_.size(); }
    VkDeviceSize bytes() const;
    // Has the submission being recorded used more than kSubmissionBytes? Then its owner should submit, so
    // that chunks can be reused.
    bool is_submission_full() const { return used_serial_ == stream_.current() && used_ > kSubmissionBytes; }

private:
    struct Chunk
    {
        Buffer buffer;
        u64 serial = 0; // last submission that used it
        u64 frame = 0;  // last frame that used it
        u64 id = 0;
        VkDeviceSize used = 0;
    };
    Chunk* next_chunk(VkDeviceSize size);

    Memory& memory_;
    Stream& stream_;
    std::vector<std::unique_ptr<Chunk>> chunks_;
    Chunk* open_ = nullptr;
    u64 frame_ = 0;
    u64 next_id_ = 1;
    u64 used_serial_ = 0;
    VkDeviceSize used_ = 0; // bytes of the chunks that used_serial_ has used
};

} // namespace renderer
