// SPDX-License-Identifier: MIT
// What a physical device says that it has, as the rules of the fault layer change it.
#pragma once

#include <vulkan/vulkan_core.h>

namespace fault_layer
{

// The layer's own function of this name, or null.
PFN_vkVoidFunction own_physical_device_function(const char* name);
// Does the device lack a format that its driver has?
bool lacks(VkFormat format);

} // namespace fault_layer
