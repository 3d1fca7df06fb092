// SPDX-License-Identifier: MIT
// The machine's Vulkan loader.
#pragma once

#include <vulkan/vulkan_core.h>

namespace renderer
{

// vkGetInstanceProcAddr of the machine's Vulkan loader; null where there is none, and in a program that is linked
// with -static, which can load no driver. The loader is never unloaded, because its drivers do not survive that.
// Thread-safe.
PFN_vkGetInstanceProcAddr open_vulkan_loader();

} // namespace renderer
