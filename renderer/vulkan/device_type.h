// SPDX-License-Identifier: MIT
// The name of a Vulkan device type in reports, as text and in JSON. Tests: tests/cli/device_test.cpp.
#pragma once

#include "renderer/vulkan/vulkan.h"

namespace renderer
{

// "discrete", "integrated", "virtual", "cpu" or "other".
inline const char* name_of(VkPhysicalDeviceType type)
{
    switch (type)
    {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return "discrete";
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return "integrated";
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
        return "virtual";
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
        return "cpu";
    default:
        return "other";
    }
}

} // namespace renderer
