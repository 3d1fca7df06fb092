// SPDX-License-Identifier: MIT
// Persistently mapped memory for data that changes every draw. Chunks are reused when the submission that
// used them is done; nothing is allocated per draw in steady state, and what a burst took is given back.
#pragma once

#include "renderer/vulkan/memory.h"
#include "renderer/vulkan/stream.h"

#include <vector>

namespace renderer
{

struct Slice
{
    std::byte* host = nullptr; // null when the host is out of memory (Device::status tells)
    VkBuffer buffer = VK_NULL_HANDLE;
    VkDeviceSize offset = 0;
    VkDeviceSize size = 0;
    u64 buffer_id = 0; // never reused, as the handle may be

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
    static constexpr VkDeviceSize kChunkSize = VkDeviceSize{2} << 20;
    // Of chunks of a submission, after which its recorder begins another one: a frame may bring any number.
    static constexpr VkDeviceSize kSubmissionBytes = VkDeviceSize{32} << 20;

    // Usable as transfer source and destination, uniform, storage, uniform texel, vertex, index and indirect
    // buffer.
    UploadRing(Memory& memory, Stream& stream) : memory_(memory), stream_(stream) {}

    // Valid for commands of the submission being recorded. alignment is a power of two.
    Slice allocate(VkDeviceSize size, VkDeviceSize alignment = 16);
    // Gives back what no frame has used for a while.
    void end_frame();

    u64 chunk_count() const { return chunks_.size(); }
    VkDeviceSize bytes() const;
    // The submission being recorded has that much.
    bool is_submission_full() const { return used_serial_ == stream_.current() && used_ > kSubmissionBytes; }

private:
    struct Chunk
    {
        Buffer buffer;
        u64 serial = 0; // last submission that used it
        u64 frame = 0;  // last frame that did
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
    VkDeviceSize used_ = 0; // by that submission: of its chunks
};

} // namespace renderer
