// SPDX-License-Identifier: MIT
// Extensions that a device is made to have: the pixel interlock (rule `pretend-interlock:1:1` of the fault layer, see
// pretended_interlock.h) and statistics of pipelines (`pretend-statistics:1:1`), which are made up. The device says that
// it has them, and what its driver does not know is taken out of what it gets.
#pragma once

#include <cstdint>
#include <vector>

#include <vulkan/vulkan_core.h>

// Does a rule ask for one?
bool pretends();
// What vkEnumerateDeviceExtensionProperties says, by `next`, and what is pretended.
VkResult extensions_with_pretended(PFN_vkEnumerateDeviceExtensionProperties next, VkPhysicalDevice physical,
                                   uint32_t* count, VkExtensionProperties* properties);
// Adds the features to an answer of vkGetPhysicalDeviceFeatures2.
void add_pretended(VkPhysicalDeviceFeatures2& features);
// A function of a pretended extension, or of the pretended pipeline cache (pretended_cache.h); else null.
PFN_vkVoidFunction pretended_function(const char* name);

// A create info without what is pretended, as long as it exists.
class WithoutPretended
{
public:
    explicit WithoutPretended(const VkDeviceCreateInfo& original);
    ~WithoutPretended();
    WithoutPretended(const WithoutPretended&) = delete;
    WithoutPretended& operator=(const WithoutPretended&) = delete;

    VkDeviceCreateInfo info;

private:
    // A structure that was taken out of the chain of the original, and the one before it.
    struct Taken
    {
        VkBaseOutStructure* before;
        VkBaseOutStructure* feature;
    };
    std::vector<const char*> extensions_;
    std::vector<Taken> taken_;
};
