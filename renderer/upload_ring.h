// SPDX-License-Identifier: MIT
// Persistently mapped memory for data that changes every draw. Chunks are reused when the submission that
// used them is done; nothing is allocated per draw in steady state.
#pragma once

#include "renderer/memory.h"
#include "renderer/stream.h"

#include <vector>

namespace renderer
{

struct Slice
{
    std::byte* host = nullptr; // null when the host is out of memory (Device::status tells)
    VkBuffer buffer = VK_NULL_HANDLE;
    VkDeviceSize offset = 0;
    VkDeviceSize size = 0;

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

    // Usable as transfer source and destination, uniform, storage, uniform texel, vertex, index and indirect
    // buffer.
    UploadRing(Memory& memory, Stream& stream) : memory_(memory), stream_(stream) {}

    // Valid for commands of the submission being recorded. alignment is a power of two.
    Slice allocate(VkDeviceSize size, VkDeviceSize alignment = 16);

    u64 chunk_count() const { return chunks_.size(); }

private:
    struct Chunk
    {
        Buffer buffer;
        u64 serial = 0; // last submission that used it
        VkDeviceSize used = 0;
    };
    Chunk* next_chunk(VkDeviceSize size);

    Memory& memory_;
    Stream& stream_;
    std::vector<std::unique_ptr<Chunk>> chunks_; // buffer handles stay valid for the ring's life
    Chunk* open_ = nullptr;
};

} // namespace renderer
