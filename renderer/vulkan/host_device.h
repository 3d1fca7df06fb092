// SPDX-License-Identifier: MIT
// The host's own Vulkan: what to enable on a device that picavk shall use, and how to hand it over. picavk
// makes no instance and no device then, destroys neither, and calls Vulkan through the host's loader. Guide:
// renderer/EMBEDDING_VULKAN.md. Tests: tests/api/host_device_test.cpp.
#pragma once

#include "renderer/vulkan/device_features.h"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace renderer
{

// Destroyed by the host after every context over it.
struct HostDevice
{
    PFN_vkGetInstanceProcAddr get_instance_proc_addr = nullptr;
    VkInstance instance = VK_NULL_HANDLE;
    VkPhysicalDevice physical = VK_NULL_HANDLE;
    VkDevice device = VK_NULL_HANDLE;
    VkQueue queue = VK_NULL_HANDLE; // of queue_family, which has graphics and compute
    u32 queue_family = 0;
    // What instance and device were made with: set by made_with.
    u32 api_version = 0;
    bool debug_utils = false;
    EnabledFeatures enabled;
    // Called around every use of the queue, from the thread that drives the context; needed where other
    // threads use the queue. Both or none; must not call the context.
    std::function<void()> lock_queue;
    std::function<void()> unlock_queue;
    // Families on whose queues the host reads images of screens; with others than queue_family the images are
    // concurrent between all of them.
    std::vector<u32> image_queue_families;

    // The structures that vkCreateInstance and vkCreateDevice were given. Of the device's, the extensions,
    // pEnabledFeatures and the chain of pNext are read.
    void made_with(const VkInstanceCreateInfo& instance_info, const VkDeviceCreateInfo& device_info);
    // What cannot work, in words; success says nothing about the device's abilities.
    Status check() const;
};

// What a host enables when it makes a device for picavk.
class DeviceRequirements
{
public:
    // instance_info: what the instance was made with. An error says why this device cannot carry picavk.
    static Result<DeviceRequirements> query(PFN_vkGetInstanceProcAddr get, VkInstance instance,
                                            const VkInstanceCreateInfo& instance_info,
                                            VkPhysicalDevice physical);

    // A family with graphics and compute; any other such family will do as well.
    u32 queue_family() const { return support_->queue_family; }
    // For VkDeviceCreateInfo, to which the host adds its own. All of them exist; the first
    // required_extensions() are required, the others spare work.
    std::span<const char* const> extensions() const { return support_->extensions; }
    u32 required_extensions() const { return support_->required_extensions; }
    // For VkDeviceCreateInfo::pNext: VkPhysicalDeviceFeatures2 with what exists of the features of list().
    // Valid as long as this object. The host may set further bits and hang its own structures to the end; or
    // leave the chain and set the listed features in structures of its own.
    VkPhysicalDeviceFeatures2* features() { return &support_->features2; }
    std::span<const DeviceRequirement> list() const { return support_->requirements; }

private:
    explicit DeviceRequirements(std::unique_ptr<DeviceSupport> support) : support_(std::move(support)) {}
    std::unique_ptr<DeviceSupport> support_;
};

} // namespace renderer
