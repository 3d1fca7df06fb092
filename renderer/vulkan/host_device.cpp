// SPDX-License-Identifier: MIT
#include "renderer/vulkan/host_device.h"

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

} // namespace renderer
