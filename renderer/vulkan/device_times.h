// SPDX-License-Identifier: MIT
// DeviceTimes: how long the device works on each kind of labelled work, with timestamps around labels (debug.h): around the
// label of a command buffer, and those right within it. Off unless it is asked for (Options::time_device), because
// timestamps keep work from overlapping. Work of a kind beyond 256 pieces that the device has not finished is left out.
#pragma once

#include "renderer/vulkan/work_timer.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace renderer
{

class DeviceTimes
{
public:
    // The sum over all work of one kind in submissions that are known to be done.
    struct Total
    {
        std::string kind;
        u64 ns = 0;
        u64 count = 0;
    };
    DeviceTimes(Device& device, Stream& stream) : device_(device), stream_(stream) {}
    DeviceTimes(const DeviceTimes&) = delete;
    DeviceTimes& operator=(const DeviceTimes&) = delete;

    // Begins work outside of render passes. label: its kind is all that comes before a colon or the first word with a
    // digit. Labels within labels within the command buffer's are not timed.
    void begin(VkCommandBuffer cmd, std::string_view label);
    void end(VkCommandBuffer cmd);
    std::vector<Total> totals() const;

private:
    Device& device_;
    Stream& stream_;
    std::map<std::string, std::unique_ptr<WorkTimer>, std::less<>> timers_;
    static constexpr u32 kTimed = 2;
    WorkTimer* open_[kTimed]{}; // of the outermost labels
    u32 depth_ = 0;             // labels that are open
};

// The kind of a label, as begin() takes it. "memory fill 18000000-18010000" is a "memory fill".
std::string_view kind_of_label(std::string_view label);

} // namespace renderer
