// SPDX-License-Identifier: MIT
#include "tests/fault_layer/late_submissions.h"

#include <algorithm>
#include <cstddef>
#include <utility>

bool LateSubmissions::Submission::copy(const VkSubmitInfo& info)
{
    commands.assign(info.pCommandBuffers, info.pCommandBuffers + info.commandBufferCount);
    waits.assign(info.pWaitSemaphores, info.pWaitSemaphores + info.waitSemaphoreCount);
    stages.assign(info.pWaitDstStageMask, info.pWaitDstStageMask + info.waitSemaphoreCount);
    signals.assign(info.pSignalSemaphores, info.pSignalSemaphores + info.signalSemaphoreCount);
    if (info.pNext == nullptr)
        return true;
    const auto& values = *static_cast<const VkTimelineSemaphoreSubmitInfo*>(info.pNext);
    if (values.sType != VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO || values.pNext != nullptr)
        return false;
    has_values = true;
    wait_values.assign(values.pWaitSemaphoreValues,
                       values.pWaitSemaphoreValues + values.waitSemaphoreValueCount);
    signal_values.assign(values.pSignalSemaphoreValues,
                         values.pSignalSemaphoreValues + values.signalSemaphoreValueCount);
    return true;
}

VkResult LateSubmissions::Submission::submit(const renderer::DeviceTable& next) const
{
    VkTimelineSemaphoreSubmitInfo values{};
    values.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO;
    values.waitSemaphoreValueCount = static_cast<uint32_t>(wait_values.size());
    values.pWaitSemaphoreValues = wait_values.data();
    values.signalSemaphoreValueCount = static_cast<uint32_t>(signal_values.size());
    values.pSignalSemaphoreValues = signal_values.data();
    VkSubmitInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
    info.pNext = has_values ? &values : nullptr;
    info.waitSemaphoreCount = static_cast<uint32_t>(waits.size());
    info.pWaitSemaphores = waits.data();
    info.pWaitDstStageMask = stages.data();
    info.commandBufferCount = static_cast<uint32_t>(commands.size());
    info.pCommandBuffers = commands.data();
    info.signalSemaphoreCount = static_cast<uint32_t>(signals.size());
    info.pSignalSemaphores = signals.data();
    return next.vkQueueSubmit(target.queue, 1, &info, target.fence);
}

// How many submissions must be passed on before this fence can be signalled.
std::size_t LateSubmissions::count_until(VkFence fence) const
{
    for (std::size_t i = held_.size(); i != 0; --i)
        if (held_[i - 1].target.fence == fence)
            return i;
    return 0;
}

VkResult LateSubmissions::pass_on_first(const renderer::DeviceTable& next, std::size_t count)
{
    VkResult result = VK_SUCCESS;
    for (; count != 0; --count)
    {
        if (const VkResult one = held_.front().submit(next); one != VK_SUCCESS)
            result = one;
        held_.pop_front();
    }
    return result;
}

VkResult LateSubmissions::submit(const renderer::DeviceTable& next, const Target& target,
                                 std::span<const VkSubmitInfo> infos, std::optional<int> polls)
{
    const std::lock_guard lock(mutex_);
    if (Submission one; polls && infos.size() == 1 && one.copy(infos.front()))
    {
        one.target = target;
        one.polls = *polls;
        held_.push_back(std::move(one));
        return VK_SUCCESS;
    }
    if (const VkResult result = pass_on_first(next, held_.size()); result != VK_SUCCESS)
        return result;
    return next.vkQueueSubmit(target.queue, static_cast<uint32_t>(infos.size()), infos.data(), target.fence);
}

VkResult LateSubmissions::pass_on(const renderer::DeviceTable& next, std::span<const VkFence> fences)
{
    const std::lock_guard lock(mutex_);
    std::size_t count = 0;
    for (const VkFence fence : fences)
        count = std::max(count, count_until(fence));
    return pass_on_first(next, count);
}

VkResult LateSubmissions::pass_on_all(const renderer::DeviceTable& next)
{
    const std::lock_guard lock(mutex_);
    return pass_on_first(next, held_.size());
}

VkResult LateSubmissions::poll(const renderer::DeviceTable& next, VkFence fence)
{
    const std::lock_guard lock(mutex_);
    const std::size_t count = count_until(fence);
    if (count == 0)
        return VK_SUCCESS;
    int& polls = held_[count - 1].polls;
    if (polls == kNever || --polls >= 0)
        return VK_NOT_READY;
    return pass_on_first(next, count);
}

void LateSubmissions::drop()
{
    const std::lock_guard lock(mutex_);
    held_.clear();
}
