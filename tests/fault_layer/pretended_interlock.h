// SPDX-License-Identifier: MIT
// Pretends that a device has the pixel interlock (rule `pretend-interlock:1:1` of the fault layer): the device
// says so, and what its driver does not know is taken out of what it gets. That is exact on drivers that
// finish each triangle before the next one begins, as software rasterisers do in each tile.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <vulkan/vulkan_core.h>

// What vkEnumerateDeviceExtensionProperties says, by `next`, and the interlock.
VkResult extensions_with_interlock(PFN_vkEnumerateDeviceExtensionProperties next, VkPhysicalDevice physical,
                                   uint32_t* count, VkExtensionProperties* properties);
// Adds the feature to an answer of vkGetPhysicalDeviceFeatures2.
void add_interlock(VkPhysicalDeviceFeatures2& features);

// A create info without the interlock, as long as it exists.
class WithoutInterlock
{
public:
    explicit WithoutInterlock(const VkDeviceCreateInfo& original);
    ~WithoutInterlock();
    WithoutInterlock(const WithoutInterlock&) = delete;
    WithoutInterlock& operator=(const WithoutInterlock&) = delete;

    VkDeviceCreateInfo info;

private:
    std::vector<const char*> extensions_;
    VkBaseOutStructure* before_ = nullptr; // the structure of the feature, in the chain of the original
    VkBaseOutStructure* feature_ = nullptr;
};

// Does the module use the interlock?
bool uses_interlock(std::span<const uint32_t> module);
// The module without it, or without its stores to images.
std::vector<uint32_t> without_interlock(std::span<const uint32_t> module);
std::vector<uint32_t> without_stores(std::span<const uint32_t> module);
