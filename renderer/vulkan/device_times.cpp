// SPDX-License-Identifier: MIT
#include "renderer/vulkan/device_times.h"

#include <algorithm>

namespace renderer
{

std::string_view kind_of_label(std::string_view label)
{
    label = label.substr(0, label.find(':'));
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    for (std::size_t word = 0; word < label.size();)
    {
        const std::size_t end = std::min(label.find(' ', word), label.size());
        const std::string_view text = label.substr(word, end - word);
        if (word != 0 && std::any_of(text.begin(), text.end(), is_digit))
            return label.substr(0, word - 1);
        word = end + 1;
    }
    return label;
}

void DeviceTimes::begin(VkCommandBuffer cmd, std::string_view label)
{
    const u32 depth = depth_++;
    if (depth >= kTimed)
        return;
    const std::string_view kind = kind_of_label(label);
    auto timer = timers_.find(kind);
    if (timer == timers_.end())
    {
        timer = timers_.emplace(kind, std::make_unique<WorkTimer>(device_, stream_)).first;
        if (!timer->second->create())
            return; // a failure stays in the device's status
    }
    open_[depth] = timer->second.get();
    open_[depth]->begin(cmd, 1);
}

void DeviceTimes::end(VkCommandBuffer cmd)
{
    if (--depth_ >= kTimed || open_[depth_] == nullptr)
        return;
    open_[depth_]->end(cmd);
    open_[depth_] = nullptr;
}

std::vector<DeviceTimes::Total> DeviceTimes::totals() const
{
    std::vector<Total> all;
    for (const auto& [kind, timer] : timers_)
        all.push_back({kind, timer->totals().ns, timer->totals().items});
    return all;
}

} // namespace renderer
