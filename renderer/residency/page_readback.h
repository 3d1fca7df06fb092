// SPDX-License-Identifier: MIT
// PageReadback: reads parts of a buffer back to the CPU, and waits for them. Its memory is kept from one readback to the
// next. Not thread-safe. Tests: tests/renderer/guest_mirror_test.cpp.
#pragma once

#include "renderer/vulkan/memory.h"
#include "renderer/vulkan/stream.h"

#include <vector>

namespace renderer
{

// Copies of parts of a buffer, packed one behind the other. Parts that follow on from each other are one copy.
struct PackedCopies
{
    std::vector<VkBufferCopy> copies;
    VkDeviceSize bytes = 0;

    void clear()
    {
        copies.clear();
        bytes = 0;
    }
    void add(VkDeviceSize offset, VkDeviceSize size);
};

class PageReadback
{
public:
    PageReadback(Device& device, Memory& memory, Stream& stream)
        : device_(device), memory_(memory), stream_(stream)
    {
    }
    // Records the copies of what commands before have left in `from`, submits and waits. The barrier before the copies is
    // the caller's. Returns the bytes, which are valid until the next call. An error: out of memory, or the device
    // failed.
    Result<const std::byte*> read(VkBuffer from, const PackedCopies& parts);
    // Gives memory back that is larger than most readbacks need. The bytes of the last readback are invalid.
    void shrink();

private:
    Device& device_;
    Memory& memory_;
    Stream& stream_;
    Buffer buffer_;
};

} // namespace renderer
