// SPDX-License-Identifier: MIT
// DelayedSubmissions: submissions whose end the CPU sees later than it is (rule `delay`). A thread notes when the driver
// has finished each, so that delays overlap, and the device does as much as before. Thread-safe.
#pragma once

#include "renderer/vulkan/vulkan_api.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

class DelayedSubmissions
{
public:
    // Functions of timeline semaphores; null where the device has none.
    struct SemaphoreTable
    {
        PFN_vkGetSemaphoreCounterValue value = nullptr;
        PFN_vkWaitSemaphores wait = nullptr;
    };
    DelayedSubmissions() = default;
    ~DelayedSubmissions() { stop(); }
    DelayedSubmissions(const DelayedSubmissions&) = delete;
    DelayedSubmissions& operator=(const DelayedSubmissions&) = delete;
    // To be called once, before the device is used.
    void begin(VkDevice device, const renderer::DeviceTable& next, const SemaphoreTable& semaphores);
    // To be called before the device is destroyed.
    void stop();

    // To be called before a submission. ms: its delay; no value: none, and the submission is passed on as it is. fence: what
    // it signals; becomes one of this object where it is null.
    void add(std::span<const VkSubmitInfo> infos, VkFence& fence, std::optional<int> ms);
    // To be called after it, with its result.
    void submitted(VkFence fence, VkResult result);

    // vkGetFenceStatus, vkWaitForFences, and the same for timeline semaphores.
    VkResult status(VkFence fence);
    VkResult wait(std::span<const VkFence> fences, bool all, std::uint64_t ns);
    VkResult value(VkSemaphore semaphore, std::uint64_t* value);
    VkResult wait(const VkSemaphoreWaitInfo& info, std::uint64_t ns);
    // To be called after something has waited for the queue or the device.
    void wait_for_all();

private:
    using Clock = std::chrono::steady_clock;
    struct Submission
    {
        VkFence fence = VK_NULL_HANDLE;
        bool own_fence = false;
        std::chrono::milliseconds delay{};
        std::optional<Clock::time_point> seen; // when the CPU sees its end; no value: the driver is at work
    };
    struct Signal
    {
        std::uint64_t value = 0;
        std::shared_ptr<Submission> submission;
    };
    struct Timeline
    {
        std::uint64_t seen = 0;     // the newest value that the CPU may see
        std::deque<Signal> signals; // of larger values
    };
    void forget(const std::shared_ptr<Submission>& submission);
    static bool is_seen(const Submission& submission)
    {
        return submission.seen && *submission.seen <= Clock::now();
    }
    static Clock::time_point after(std::uint64_t ns);
    bool is_hidden(VkFence fence);
    std::uint64_t seen_value(VkSemaphore semaphore, std::uint64_t real);
    void watch();

    VkDevice device_ = VK_NULL_HANDLE;
    renderer::DeviceTable next_;
    SemaphoreTable semaphores_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<VkFence, std::shared_ptr<Submission>> fences_; // by the newest submission that signals it
    std::map<VkSemaphore, Timeline> timelines_;
    std::deque<std::shared_ptr<Submission>> watched_; // by the thread, in order
    std::vector<VkFence> unused_;                     // own fences
    std::optional<Clock::time_point> last_;           // when the CPU sees the end of all that is finished
    bool stops_ = false;
    std::thread thread_;
};
