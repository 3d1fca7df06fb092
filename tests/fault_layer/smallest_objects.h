// SPDX-License-Identifier: MIT
// What may be created on the smallest device (smallest_device.h): the limits of images, and the features of
// VK_KHR_portability_subset, none of which it has. Debian's validation layers check neither.
#pragma once

#include <vulkan/vulkan_core.h>

namespace fault_layer
{

// Null, or what the device lacks for it.
const char* lacking_for(const VkImageCreateInfo& info);
const char* lacking_for(const VkImageViewCreateInfo& info);
const char* lacking_for(const VkSamplerCreateInfo& info);
const char* lacking_for(const VkGraphicsPipelineCreateInfo& info);
// VK_ERROR_FEATURE_NOT_PRESENT, after a line on stderr that names it.
VkResult refuse(const char* lacking);
// In place of vkCreateEvent: makes none.
PFN_vkVoidFunction event_refusal();

} // namespace fault_layer
