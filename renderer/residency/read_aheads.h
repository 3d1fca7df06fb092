// SPDX-License-Identifier: MIT
// ReadAheads: readbacks of mirror pages (guest_mirror.h) that were requested in advance and are collected later. Tests:
// tests/renderer/read_ahead_test.cpp.
#pragma once

#include "renderer/residency/page_bytes.h"
#include "renderer/vulkan/memory.h"
#include "renderer/vulkan/stream.h"

#include <functional>
#include <vector>

namespace renderer
{

// Not thread-safe.
class ReadAheads
{
public:
    // A page that a readback holds. Pages are numbered within their region of the mirror.
    struct Page
    {
        u32 number = 0;
        u64 generation = 0;  // when the device wrote what is copied
        VkDeviceSize at = 0; // offset in the buffer
        PageBytes bytes;     // which ones
    };
    ReadAheads(Memory& memory, Stream& stream) : memory_(memory), stream_(stream) {}

    bool empty() const { return readbacks_.empty(); }
    // The submission that reads back what the device wrote to the page in this generation. 0: none was requested.
    u64 serial_of(u32 region, u32 page, u64 generation) const;
    // Creates the buffer of a new readback, which belongs to the submission being recorded. The caller records the
    // copies. May drop the oldest readback. An error: out of memory.
    Result<VkBuffer> add(u32 region, std::vector<Page> pages, VkDeviceSize bytes);

    // Drops what is held of a page.
    void forget(u32 region, u32 page);

    // Are these still the newest bytes of the page?
    using IsFresh = std::function<bool(u32 region, const Page& page)>;
    // Takes the copied bytes of a page.
    using Take = std::function<void(const Page& page, const u8* bytes)>;
    // Gives the fresh pages [first, last) of a region to `take`. Waits for their submissions. Drops all pages that are
    // not fresh any more. An error: the device failed.
    Status collect(u32 region, u32 first, u32 last, const IsFresh& is_fresh, const Take& take);

private:
    struct Readback
    {
        u32 region = 0;
        u64 serial = 0;
        Buffer buffer;
        std::vector<Page> pages; // those that may still be fresh
    };
    void drop(std::size_t index);

    Memory& memory_;
    Stream& stream_;
    std::vector<Readback> readbacks_;
};

} // namespace renderer
