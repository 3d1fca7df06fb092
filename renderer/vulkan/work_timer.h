// SPDX-License-Identifier: MIT
// How long the device takes for one kind of work, by timestamp queries around it. Does nothing on queues
// without timestamps; work that would need more queries than there are is left out, count and all.
#pragma once

#include "renderer/vulkan/handle.h"
#include "renderer/vulkan/stream.h"

namespace renderer
{

class WorkTimer
{
public:
    WorkTimer(Device& device, Stream& stream) : device_(device), stream_(stream) {}
    WorkTimer(const WorkTimer&) = delete;
    WorkTimer& operator=(const WorkTimer&) = delete;
    Status create();

    // Around the work of one command buffer, outside of render passes. items: what it handles.
    void begin(VkCommandBuffer cmd, u32 items);
    void end(VkCommandBuffer cmd);

    // Of submissions that are known to be done.
    struct Totals
    {
        u64 ns = 0;
        u64 items = 0;
    };
    const Totals& totals() const { return totals_; }

private:
    static constexpr u32 kPairs = 256;

    Device& device_;
    Stream& stream_;
    UniqueQueryPool pool_; // null: nothing is timed
    u64 begun_ = 0;        // pairs
    u64 read_ = 0;         // ... of which the results are in the totals
    bool open_ = false;
    Totals totals_;
};

} // namespace renderer
