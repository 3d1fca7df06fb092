// SPDX-License-Identifier: MIT
// The smallest device that Vulkan 1.1 allows to carry the renderer (rule `smallest:1:1` of the fault layer): limits at the
// minimum of the specification's table "Required Limits", formats with their mandatory features only, and of the optional
// features none. robustBufferAccess is the one that the specification demands. The one extension is
// VK_KHR_portability_subset with none of its features, as a device may have it that is built on another interface: no
// events, no triangle fans, no mutable comparison samplers, no attributes beyond the stride.
// Validation layers above this layer ask it for features and limits as a program does, and so check that a program uses
// nothing else. What they do not check is checked here (create info) and in smallest_objects.h.
#pragma once

#include <cstdint>
#include <vector>

#include <vulkan/vulkan_core.h>

namespace fault_layer
{

// The only extension.
VkResult smallest_extensions(uint32_t* count, VkExtensionProperties* properties);
// Takes away from what the driver answered.
void make_smallest(VkPhysicalDeviceFeatures& features);
void make_smallest(VkPhysicalDeviceFeatures2& features);
void make_smallest(VkPhysicalDeviceProperties& properties);
void make_smallest(VkPhysicalDeviceProperties2& properties);
void make_smallest(VkFormat format, VkFormatProperties& properties);
void make_smallest(VkImageFormatProperties& properties);

// A create info without the extension that the driver lacks, as long as it exists.
class SmallestCreateInfo
{
public:
    explicit SmallestCreateInfo(const VkDeviceCreateInfo& original);
    ~SmallestCreateInfo();
    SmallestCreateInfo(const SmallestCreateInfo&) = delete;
    SmallestCreateInfo& operator=(const SmallestCreateInfo&) = delete;

    // What the device says to the original: an extension or a feature that it has not is refused.
    VkResult verdict = VK_SUCCESS;
    VkDeviceCreateInfo info;

private:
    VkResult judge() const;
    VkBaseOutStructure* before_ =
        nullptr; // the structure of the extension's features, in the chain of the original
    VkBaseOutStructure* feature_ = nullptr;
};

} // namespace fault_layer
