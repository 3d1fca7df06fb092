// SPDX-License-Identifier: MIT
// LateSubmissions: submissions that the fault layer holds back from the driver (rule `late`), so that the device
// executes them as late as Vulkan allows. Their order is kept. Thread-safe.
#pragma once

#include "renderer/vulkan/vulkan_api.h"
#include "tests/fault_layer/fault_rules.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

class LateSubmissions
{
public:
    static constexpr int kNever = FaultRules::kNever;

    // Where a submission goes, and what is signalled when it has been executed.
    struct Target
    {
        VkQueue queue = VK_NULL_HANDLE;
        VkFence fence = VK_NULL_HANDLE;
    };
    // Takes a vkQueueSubmit. polls: holds it back until poll() was called that many times for its fence, or
    // kNever. No value, or arguments that cannot be copied: passes it on at once, after all others.
    VkResult submit(const renderer::DeviceTable& next, const Target& target,
                    std::span<const VkSubmitInfo> infos, std::optional<int> polls);
    // Something waits for these fences: passes on all submissions up to the last of theirs.
    VkResult pass_on(const renderer::DeviceTable& next, std::span<const VkFence> fences);
    // Something waits for the queue or the device.
    VkResult pass_on_all(const renderer::DeviceTable& next);
    // The status of this fence is looked at. VK_NOT_READY: its submission is still held back.
    VkResult poll(const renderer::DeviceTable& next, VkFence fence);
    // Forgets them: the device is lost.
    void drop();

private:
    // A copy of the arguments of vkQueueSubmit.
    struct Submission
    {
        Target target;
        int polls = 0; // left
        std::vector<VkCommandBuffer> commands;
        std::vector<VkSemaphore> waits, signals;
        std::vector<VkPipelineStageFlags> stages;
        bool has_values = false; // for timeline semaphores
        std::vector<uint64_t> wait_values, signal_values;

        bool copy(const VkSubmitInfo& info); // false: has something unknown
        VkResult submit(const renderer::DeviceTable& next) const;
    };
    std::size_t count_until(VkFence fence) const;
    VkResult pass_on_first(const renderer::DeviceTable& next, std::size_t count);

    std::mutex mutex_; // also held around submissions to the driver
    std::deque<Submission> held_;
};
