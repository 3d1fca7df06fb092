// SPDX-License-Identifier: MIT
#include "tests/fault_layer/delayed_submissions.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace
{

// How often something that cannot be slept for is looked at.
constexpr auto kStep = std::chrono::microseconds(100);
// A wait of the thread, so that it sees that it is to end.
constexpr std::uint64_t kMostWait = 50'000'000;       // ns
constexpr std::uint64_t kLongest = 3'600'000'000'000; // ns; no test waits longer

const VkTimelineSemaphoreSubmitInfo* timeline_values(const VkSubmitInfo& info)
{
    for (auto* next = static_cast<const VkBaseInStructure*>(info.pNext); next != nullptr; next = next->pNext)
        if (next->sType == VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO)
            return reinterpret_cast<const VkTimelineSemaphoreSubmitInfo*>(next);
    return nullptr;
}

} // namespace

void DelayedSubmissions::begin(VkDevice device, const renderer::DeviceTable& next,
                               const SemaphoreTable& semaphores)
{
    device_ = device;
    next_ = next;
    semaphores_ = semaphores;
}

void DelayedSubmissions::stop()
{
    {
        const std::lock_guard lock(mutex_);
        stops_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable())
        thread_.join();
    for (const VkFence fence : std::exchange(unused_, {}))
        next_.vkDestroyFence(device_, fence, nullptr);
}

void DelayedSubmissions::add(std::span<const VkSubmitInfo> infos, VkFence& fence, std::optional<int> ms)
{
    const std::lock_guard lock(mutex_);
    if (!ms)
    {
        fences_.erase(fence);
        return;
    }
    auto submission = std::make_shared<Submission>();
    submission->delay = std::chrono::milliseconds(*ms);
    if (fence == VK_NULL_HANDLE)
    {
        submission->own_fence = true;
        VkFenceCreateInfo info{};
        info.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
        if (!unused_.empty())
        {
            fence = unused_.back();
            unused_.pop_back();
        }
        else if (next_.vkCreateFence(device_, &info, nullptr, &fence) != VK_SUCCESS)
            return;
    }
    submission->fence = fence;
    fences_[fence] = submission;
    for (const VkSubmitInfo& info : infos)
    {
        const VkTimelineSemaphoreSubmitInfo* const values = timeline_values(info);
        for (std::uint32_t i = 0; values != nullptr && i < values->signalSemaphoreValueCount; ++i)
        {
            const VkSemaphore semaphore = info.pSignalSemaphores[i];
            Timeline& timeline = timelines_[semaphore];
            // Nothing but the CPU has signalled it since, which shows at once.
            if (timeline.signals.empty() && semaphores_.value != nullptr)
                semaphores_.value(device_, semaphore, &timeline.seen);
            timeline.signals.push_back({values->pSignalSemaphoreValues[i], submission});
        }
    }
}

// Only now, because a fence that is being submitted must not be used by another thread.
void DelayedSubmissions::submitted(VkFence fence, VkResult result)
{
    const std::lock_guard lock(mutex_);
    const auto found = fences_.find(fence);
    if (found == fences_.end())
        return;
    if (result != VK_SUCCESS)
    {
        found->second->seen = Clock::now();
        forget(found->second);
        return;
    }
    watched_.push_back(found->second);
    if (!thread_.joinable())
        thread_ = std::thread([this] { watch(); });
    changed_.notify_all();
}

// The submission's own fence can be used again.
void DelayedSubmissions::forget(const std::shared_ptr<Submission>& submission)
{
    if (!submission->own_fence)
        return;
    fences_.erase(submission->fence);
    unused_.push_back(submission->fence);
}

// Notes when the driver has finished each submission.
void DelayedSubmissions::watch()
{
    std::unique_lock lock(mutex_);
    while (!stops_)
    {
        if (watched_.empty())
        {
            changed_.wait(lock);
            continue;
        }
        const std::shared_ptr<Submission> first = watched_.front();
        lock.unlock();
        const VkResult result = next_.vkWaitForFences(device_, 1, &first->fence, VK_TRUE, kMostWait);
        lock.lock();
        if (result == VK_TIMEOUT)
            continue;
        first->seen = Clock::now() + first->delay;
        last_ = std::max(last_.value_or(*first->seen), *first->seen);
        if (first->own_fence)
            next_.vkResetFences(device_, 1, &first->fence);
        forget(first);
        watched_.pop_front();
        changed_.notify_all();
    }
}

DelayedSubmissions::Clock::time_point DelayedSubmissions::after(std::uint64_t ns)
{
    return Clock::now() + std::chrono::nanoseconds(std::min(ns, kLongest));
}

// Is the submission that signals the fence not over for the CPU?
bool DelayedSubmissions::is_hidden(VkFence fence)
{
    const std::lock_guard lock(mutex_);
    const auto found = fences_.find(fence);
    if (found == fences_.end())
        return false;
    if (!is_seen(*found->second))
        return true;
    fences_.erase(found);
    return false;
}

VkResult DelayedSubmissions::status(VkFence fence)
{
    return is_hidden(fence) ? VK_NOT_READY : next_.vkGetFenceStatus(device_, fence);
}

VkResult DelayedSubmissions::wait(std::span<const VkFence> fences, bool all, std::uint64_t ns)
{
    const Clock::time_point end = after(ns);
    const VkResult result =
        next_.vkWaitForFences(device_, static_cast<std::uint32_t>(fences.size()), fences.data(), all, ns);
    if (result != VK_SUCCESS)
        return result;
    const auto is_over = [&]
    {
        const auto seen = [&](VkFence fence) { return status(fence) == VK_SUCCESS; };
        return all ? std::all_of(fences.begin(), fences.end(), seen)
                   : std::any_of(fences.begin(), fences.end(), seen);
    };
    while (!is_over())
    {
        if (Clock::now() >= end)
            return VK_TIMEOUT;
        std::this_thread::sleep_for(kStep);
    }
    return VK_SUCCESS;
}

// real: the driver's value.
std::uint64_t DelayedSubmissions::seen_value(VkSemaphore semaphore, std::uint64_t real)
{
    const std::lock_guard lock(mutex_);
    const auto found = timelines_.find(semaphore);
    if (found == timelines_.end())
        return real;
    Timeline& timeline = found->second;
    while (!timeline.signals.empty() && is_seen(*timeline.signals.front().submission))
    {
        timeline.seen = std::max(timeline.seen, timeline.signals.front().value);
        timeline.signals.pop_front();
    }
    if (timeline.signals.empty())
    {
        timelines_.erase(found);
        return real;
    }
    return real < timeline.signals.front().value ? real : timeline.seen;
}

VkResult DelayedSubmissions::value(VkSemaphore semaphore, std::uint64_t* value)
{
    const VkResult result = semaphores_.value(device_, semaphore, value);
    if (result == VK_SUCCESS)
        *value = seen_value(semaphore, *value);
    return result;
}

VkResult DelayedSubmissions::wait(const VkSemaphoreWaitInfo& info, std::uint64_t ns)
{
    const Clock::time_point end = after(ns);
    const VkResult result = semaphores_.wait(device_, &info, ns);
    if (result != VK_SUCCESS)
        return result;
    const bool any = (info.flags & VK_SEMAPHORE_WAIT_ANY_BIT) != 0;
    const auto is_over = [&]
    {
        bool all = true;
        for (std::uint32_t i = 0; i < info.semaphoreCount; ++i)
        {
            std::uint64_t now = 0;
            const bool reached = value(info.pSemaphores[i], &now) == VK_SUCCESS && now >= info.pValues[i];
            if (reached && any)
                return true;
            all = all && reached;
        }
        return all;
    };
    while (!is_over())
    {
        if (Clock::now() >= end)
            return VK_TIMEOUT;
        std::this_thread::sleep_for(kStep);
    }
    return VK_SUCCESS;
}

void DelayedSubmissions::wait_for_all()
{
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return watched_.empty(); });
    const std::optional<Clock::time_point> last = last_;
    lock.unlock();
    if (last)
        std::this_thread::sleep_until(*last);
}
