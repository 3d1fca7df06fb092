// SPDX-License-Identifier: MIT
// The host's own Vulkan device: what to enable on it, and how to hand it to picavk. picavk then creates and
// destroys neither instance nor device, and calls Vulkan through the host's loader. Guide:
// renderer/EMBEDDING_VULKAN.md. Tests: tests/api/host_device_test.cpp.
#pragma once

#include "renderer/vulkan/device_features.h"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace renderer
{

// HostDevice: a device that the host hands over. The host destroys the Vulkan objects after every context
// that uses them.
struct HostDevice
{
    PFN_vkGetInstanceProcAddr get_instance_proc_addr = nullptr;
    VkInstance instance = VK_NULL_HANDLE;
    VkPhysicalDevice physical = VK_NULL_HANDLE;
    VkDevice device = VK_NULL_HANDLE;
    VkQueue queue = VK_NULL_HANDLE; // a queue of queue_family, which has graphics and compute
    u32 queue_family = 0;
    // What instance and device were created with. Set by made_with.
    u32 api_version = 0;
    bool debug_utils = false;
    EnabledFeatures enabled;
    // Called around every use of the queue, on the thread that drives the context. Needed where other threads
    // use the queue. Either both or none are set. They must not call the context.
    std::function<void()> lock_queue;
    std::function<void()> unlock_queue;
    // Queue families on which the host reads images of screens. If there are others than queue_family, the
    // images are concurrent between all of them.
    std::vector<u32> image_queue_families;

    // Reads the structures that vkCreateInstance and vkCreateDevice were given: of the instance the version
    // and the extensions, of the device the extensions, pEnabledFeatures and the chain of pNext.
    void made_with(const VkInstanceCreateInfo& instance_info, const VkDeviceCreateInfo& device_info);
    // Checks the members for consistency. An error says in words what cannot work. Success says nothing about
    // what the device can do.
    Status check() const;
};

// DeviceRequirements: what a host should enable when it creates a device for picavk.
class DeviceRequirements
{
public:
    // Queries a physical device. instance_info: what the instance was created with. An error says why this
    // device cannot carry picavk.
    static Result<DeviceRequirements> query(PFN_vkGetInstanceProcAddr get, VkInstance instance,
                                            const VkInstanceCreateInfo& instance_info,
                                            VkPhysicalDevice physical);

    // A queue family with graphics and compute. Any other such family will do.
    u32 queue_family() const { return support_->queue_family; }
    // The extensions for VkDeviceCreateInfo, to which the host adds its own. The device has all of them. The
    // first required_extensions() are required; the others save work. Valid as long as this object.
    std::span<const char* const> extensions() const { return support_->extensions; }
    u32 required_extensions() const { return support_->required_extensions; }
    // The chain for VkDeviceCreateInfo::pNext: VkPhysicalDeviceFeatures2 with the features of list() that the
    // device has. Valid as long as this object. The host may set further bits and append its own structures.
    // Or it leaves the chain alone and sets the listed features in structures of its own.
    VkPhysicalDeviceFeatures2* features() { return &support_->features2; }
    // The same extensions and features as a list with names and purposes.
    std::span<const DeviceRequirement> list() const { return support_->requirements; }

private:
    explicit DeviceRequirements(std::unique_ptr<DeviceSupport> support) : support_(std::move(support)) {}
    std::unique_ptr<DeviceSupport> support_;
};

} // namespace renderer
