// SPDX-License-Identifier: MIT
// What the fault layer knows of the devices and instances of the process, found by their dispatchable handles, and its
// rules.
#pragma once

#include "renderer/vulkan/vulkan_api.h"
#include "tests/fault_layer/corruptions.h"
#include "tests/fault_layer/delayed_submissions.h"
#include "tests/fault_layer/fault_rules.h"
#include "tests/fault_layer/late_submissions.h"
#include "tests/fault_layer/memory_bound.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>

namespace fault_layer
{

inline constexpr int kNever = FaultRules::kNever;

inline FaultRules rules;

struct Device
{
    VkDevice handle = VK_NULL_HANDLE;
    PFN_vkGetDeviceProcAddr get = nullptr;
    renderer::DeviceTable next;
    std::mutex mutex;
    std::map<VkFence, int> waits; // that a fence still passes for unsignalled
    LateSubmissions late;
    DelayedSubmissions delayed;
    MemoryBound memory;
    Corruptions corruptions{[](const char* name) { return rules.value_of(name).has_value(); }};

    bool hangs()
    {
        const std::lock_guard lock(mutex);
        for (const auto& [fence, left] : waits)
            if (left == kNever)
                return true;
        return false;
    }
    bool is_late(VkFence fence, bool is_waited_for)
    {
        const std::lock_guard lock(mutex);
        const auto found = waits.find(fence);
        if (found == waits.end() || found->second == 0)
            return false;
        if (is_waited_for && found->second != kNever)
            --found->second;
        return true;
    }
};

// The functions that ask what a physical device has.
#define PHYSICAL_DEVICE_FUNCTIONS(X)                                                                         \
    X(vkEnumerateDeviceExtensionProperties)                                                                  \
    X(vkGetPhysicalDeviceFeatures)                                                                           \
    X(vkGetPhysicalDeviceFeatures2)                                                                          \
    X(vkGetPhysicalDeviceFormatProperties)                                                                   \
    X(vkGetPhysicalDeviceFormatProperties2)                                                                  \
    X(vkGetPhysicalDeviceImageFormatProperties)                                                              \
    X(vkGetPhysicalDeviceImageFormatProperties2)                                                             \
    X(vkGetPhysicalDeviceProperties)                                                                         \
    X(vkGetPhysicalDeviceProperties2)                                                                        \
    X(vkGetPhysicalDeviceQueueFamilyProperties)                                                              \
    X(vkGetPhysicalDeviceQueueFamilyProperties2)

struct PhysicalDeviceTable
{
#define MEMBER(name) PFN_##name name = nullptr;
    PHYSICAL_DEVICE_FUNCTIONS(MEMBER)
#undef MEMBER
};

struct Instance
{
    PFN_vkGetInstanceProcAddr get = nullptr;
    PhysicalDeviceTable next;
};

// The first word of a dispatchable handle is the same in a device and its queues.
inline std::mutex registry_mutex;
inline std::map<void*, std::unique_ptr<Device>> devices;
inline std::map<void*, Instance> instances;

template <typename Handle>
void* key(Handle handle)
{
    return *reinterpret_cast<void**>(handle);
}

template <typename Handle>
Device& device_of(Handle handle)
{
    const std::lock_guard lock(registry_mutex);
    return *devices.at(key(handle));
}

inline Instance instance_of(void* dispatch_key)
{
    const std::lock_guard lock(registry_mutex);
    return instances.at(dispatch_key);
}

} // namespace fault_layer
