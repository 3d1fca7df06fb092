// SPDX-License-Identifier: MIT
// WorkTimer: measures how long the device takes for one kind of work, with timestamp queries around it. Does
// nothing on queues without timestamps. Work is not timed, and its items are not counted, where too few
// queries are free.
#pragma once

#include "renderer/vulkan/handle.h"
#include "renderer/vulkan/stream.h"

#include <memory>

namespace renderer
{

class WorkTimer
{
public:
    WorkTimer(Device& device, Stream& stream) : device_(device), stream_(stream) {}
    WorkTimer(const WorkTimer&) = delete;
    WorkTimer& operator=(const WorkTimer&) = delete;
    // Creates the query pool, if the queue has timestamps.
    Status create();

    // Put timestamps around work in one command buffer, outside of render passes. items: how many things the
    // work handles.
    void begin(VkCommandBuffer cmd, u64 items);
    void end(VkCommandBuffer cmd);

    // The sums over the timed work of submissions that are known to be done.
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
    UniqueQueryPool pool_; // null if the queue has no timestamps
    u64 begun_ = 0;        // pairs of queries that were begun
    u64 read_ = 0;         // pairs whose results are in the totals
    bool open_ = false;
    Totals totals_;
    std::shared_ptr<char> alive_ =
        std::make_shared<char>(); // the stream's actions may run after this object's end
};

} // namespace renderer
