// SPDX-License-Identifier: MIT
// A host's own Vulkan for tests: an instance with validation layers, a device, and a queue behind a mutex.
// The loader function that it passes to picavk goes through wrappers that count calls and can make them fail.
#pragma once

#include "renderer/vulkan/device.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace tests
{

using pica::u32;
using pica::u64;
using pica::u8;

// What went through the wrappers. Only one host at a time counts.
struct HostCalls
{
    std::atomic<u64> submissions{0};
    std::atomic<u64> unlocked{0}; // uses of the queue without the lock
    // Calls of vkDeviceWaitIdle, which would wait for the host's other queues.
    std::atomic<u64> device_waits{0};
    std::atomic<u64> semaphore_waits{0}; // semaphores that submissions wait for
    std::atomic<u64> fence_waits{0};     // calls of vkWaitForFences
    std::atomic<u64> regions_begun{0}, regions_ended{0};
    std::atomic<u64> names{0};
    // A command buffer ended a debug region that it had not begun, or ended with an open one, which would
    // then contain the host's own commands.
    std::atomic<bool> unbalanced{false};
    std::unordered_map<VkCommandBuffer, int> open_regions;
    std::vector<std::string> labels;       // of the debug regions, in order
    std::atomic<u64> lose_device_after{0}; // this many more submissions succeed; 0: all do
    std::atomic<bool> device_lost{false};
    // Families that are reported besides the real ones, with the abilities of the first. Images made
    // concurrent are made exclusive on the real device.
    std::atomic<u32> more_queue_families{0};
    std::vector<std::vector<u32>> concurrent; // families of each image that was made concurrent
};

class HostVulkan
{
public:
    struct Options
    {
        bool optional = true; // enables extensions and features that picavk can do without
        bool timeline = true; // enables timeline semaphores, which are among these
        bool robust = true;   // enables the required feature
        bool debug_utils = true;
    };
    explicit HostVulkan(const Options& options);
    HostVulkan() : HostVulkan(Options{}) {}
    ~HostVulkan(); // fails the test for every message of the validation layers
    HostVulkan(const HostVulkan&) = delete;
    HostVulkan& operator=(const HostVulkan&) = delete;

    void lock();
    void unlock();
    // For renderer::Options::device. Its queue callbacks lock the mutex of this host.
    std::shared_ptr<renderer::HostDevice> host() const;
    std::unique_ptr<renderer::DeviceRequirements> requirements;
    const VkInstanceCreateInfo& instance_info() const { return instance_info_; }
    const VkDeviceCreateInfo& device_info() const { return device_info_; }

    renderer::InstanceTable api;
    renderer::DeviceTable vk;
    VkInstance instance = VK_NULL_HANDLE;
    VkPhysicalDevice physical = VK_NULL_HANDLE;
    VkDevice device = VK_NULL_HANDLE;
    VkQueue queue = VK_NULL_HANDLE;
    u32 queue_family = 0;
    mutable std::mutex mutex;
    HostCalls calls;

    // Copies a colour image (R8G8B8A8) in layout GENERAL to the CPU, on the same queue, after `semaphore` has
    // reached `value` (null: at once).
    std::vector<u8> read_image(VkImage image, u32 width, u32 height, VkSemaphore semaphore, u64 value);
    // A semaphore of the host. A binary semaphore has no value.
    VkSemaphore make_semaphore(bool timeline);
    void signal(VkSemaphore semaphore, u64 value);
    // Signals on the CPU, like another queue would: without an order between it and this queue.
    void signal_from_cpu(VkSemaphore semaphore, u64 value);
    bool has_reached(VkSemaphore semaphore, u64 value);
    bool wait_on_cpu(VkSemaphore semaphore, u64 value);
    std::vector<std::string> messages() const;

private:
    static VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT,
                                                     VkDebugUtilsMessageTypeFlagsEXT,
                                                     const VkDebugUtilsMessengerCallbackDataEXT* data,
                                                     void* user);
    VkApplicationInfo application_{};
    VkInstanceCreateInfo instance_info_{};
    VkDeviceCreateInfo device_info_{};
    VkPhysicalDeviceFeatures2 features_{};
    std::vector<const char*> instance_extensions_, device_extensions_;
    VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
    mutable std::mutex messages_mutex_;
    std::vector<std::string> messages_;
};

} // namespace tests
