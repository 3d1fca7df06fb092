// SPDX-License-Identifier: MIT
// Finds the machine's Vulkan loader with volk, which knows its place on each system. Of volk's global
// pointers only that of the loader is used. All others are in the tables of vulkan_api.h.
#include "renderer/vulkan/vulkan_loader.h"

#include <volk.h>

#include <mutex>

namespace renderer
{

PFN_vkGetInstanceProcAddr open_vulkan_loader()
{
    static std::once_flag opened; // several threads may create contexts at once
    static PFN_vkGetInstanceProcAddr get = nullptr;
    std::call_once(opened,
                   []
                   {
                       if (volkInitialize() == VK_SUCCESS)
                           get = vkGetInstanceProcAddr;
                   });
    return get;
}

} // namespace renderer
