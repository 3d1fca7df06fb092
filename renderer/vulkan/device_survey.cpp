// SPDX-License-Identifier: MIT
#include "renderer/vulkan/device_survey.h"

#include <algorithm>

namespace renderer
{

namespace
{

int rank(VkPhysicalDeviceType type)
{
    switch (type)
    {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return 0;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return 1;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
        return 2;
    case VK_PHYSICAL_DEVICE_TYPE_OTHER:
        return 3;
    default:
        return 4;
    }
}

} // namespace

std::vector<DeviceEntry> survey_devices(const InstanceTable& api, VkInstance instance,
                                        const std::vector<std::string>& mask)
{
    u32 count = 0;
    std::vector<DeviceEntry> list;
    if (api.vkEnumeratePhysicalDevices(instance, &count, nullptr) != VK_SUCCESS)
        return list;
    std::vector<VkPhysicalDevice> devices(count);
    if (api.vkEnumeratePhysicalDevices(instance, &count, devices.data()) < 0)
        return list;
    devices.resize(count);
    for (VkPhysicalDevice physical : devices)
    {
        DeviceEntry entry;
        entry.physical = physical;
        api.vkGetPhysicalDeviceProperties(physical, &entry.properties);
        const std::string prefix = std::string(entry.properties.deviceName) + ": ";
        const auto support = DeviceSupport::query(api, physical, VK_API_VERSION_1_1, mask, nullptr);
        const Status usable = support ? (*support)->usable() : Status(support.error());
        if (support)
            entry.driver = (*support)->driver_name + ((*support)->driver_info.empty() ? "" : " ") +
                           (*support)->driver_info;
        if (!usable)
            entry.refused = usable.error().message;
        if (entry.refused.starts_with(prefix))
            entry.refused.erase(0, prefix.size());
        list.push_back(std::move(entry));
    }
    const auto place = [](const DeviceEntry& entry)
    { return entry.refused.empty() ? rank(entry.properties.deviceType) : 5; };
    std::stable_sort(list.begin(), list.end(),
                     [&](const DeviceEntry& a, const DeviceEntry& b) { return place(a) < place(b); });
    return list;
}

} // namespace renderer
