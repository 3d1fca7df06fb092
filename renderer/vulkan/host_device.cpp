// SPDX-License-Identifier: MIT
#include "renderer/vulkan/host_device.h"

#include "renderer/vulkan/device.h"

#include <algorithm>
#include <cstring>

namespace renderer
{

namespace
{

bool enables_debug_utils(const VkInstanceCreateInfo& info)
{
    const auto* const end = info.ppEnabledExtensionNames + info.enabledExtensionCount;
    return std::any_of(info.ppEnabledExtensionNames, end,
                       [](const char* name)
                       { return std::strcmp(name, VK_EXT_DEBUG_UTILS_EXTENSION_NAME) == 0; });
}

// The version as vkCreateInstance reads it: a missing structure and 0 mean Vulkan 1.0.
u32 api_version_of(const VkInstanceCreateInfo& info)
{
    const u32 version = info.pApplicationInfo != nullptr ? info.pApplicationInfo->apiVersion : 0;
    return version != 0 ? version : VK_API_VERSION_1_0;
}

} // namespace

void HostDevice::made_with(const VkInstanceCreateInfo& instance_info, const VkDeviceCreateInfo& device_info)
{
    api_version = api_version_of(instance_info);
    debug_utils = enables_debug_utils(instance_info);
    enabled = EnabledFeatures::of(device_info);
}

Status HostDevice::check() const
{
    if (get_instance_proc_addr == nullptr)
        return Error{"the host's vkGetInstanceProcAddr is null"};
    if (instance == VK_NULL_HANDLE || physical == VK_NULL_HANDLE || device == VK_NULL_HANDLE ||
        queue == VK_NULL_HANDLE)
        return Error{"the host's instance, physical device, device or queue is null"};
    if (static_cast<bool>(lock_queue) != static_cast<bool>(unlock_queue))
        return Error{"of the host's queue callbacks, one locks or unlocks alone"};
    return {};
}

Result<DeviceRequirements> DeviceRequirements::query(PFN_vkGetInstanceProcAddr get, VkInstance instance,
                                                     const VkInstanceCreateInfo& instance_info,
                                                     VkPhysicalDevice physical)
{
    if (get == nullptr || instance == VK_NULL_HANDLE || physical == VK_NULL_HANDLE)
        return Error{"vkGetInstanceProcAddr, the instance or the physical device is null"};
    InstanceTable api;
    if (const char* missing = load_instance_table(api, get, instance, false))
        return Error{std::string("the host's Vulkan instance lacks ") + missing};
    auto support = DeviceSupport::query(api, physical, api_version_of(instance_info), {}, nullptr);
    if (!support)
        return support.error();
    if (Status usable = (*support)->usable(); !usable)
        return Error{std::string((*support)->properties.deviceName) + ": " + usable.error().message};
    return DeviceRequirements(std::move(*support));
}

Status Device::share_images(std::span<const u32> families)
{
    u32 count = 0;
    api.vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, nullptr);
    std::vector<u32> all(families.begin(), families.end());
    all.push_back(queue_family);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    if (all.back() >= count)
        return Error{"images for queue family " + std::to_string(all.back()) + ": the device has " +
                     std::to_string(count)};
    if (all.size() > 1)
        image_queue_families = std::move(all);
    return {};
}

Status Device::adopt(const DeviceOptions& options)
{
    const HostDevice& host = *options.host;
    if (Status status = host.check(); !status)
        return status;
    if (options.validation)
        return Error{"validation layers belong to the instance, which is the host's here"};
    host_ = options.host;
    if (const char* missing =
            load_instance_table(api, host.get_instance_proc_addr, host.instance, host.debug_utils))
        return Error{std::string("the host's Vulkan instance lacks ") + missing};
    instance = host.instance;
    physical = host.physical;
    handle = host.device;
    queue = host.queue;
    queue_family = host.queue_family;
    features.debug_utils = host.debug_utils;
    const auto support = DeviceSupport::query(api, physical, host.api_version, options.mask, report);
    if (!support)
        return support.error();
    take_facts(**support);
    if (find_queue_family(api, physical, static_cast<s32>(queue_family)) < 0)
        return Error{"the host's queue family " + std::to_string(queue_family) +
                     " has not both graphics and compute"};
    if (Status status = share_images(host.image_queue_families); !status)
        return status;
    const auto enabled = (*support)->features_of(host.enabled);
    if (!enabled)
        return enabled.error();
    features = *enabled;
    features.debug_utils = host.debug_utils;
    return load_functions();
}

} // namespace renderer
