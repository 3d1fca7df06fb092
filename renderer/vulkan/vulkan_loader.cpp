// SPDX-License-Identifier: MIT
// The machine's Vulkan loader, found by volk, which knows where each system keeps it. Of volk's global
// pointers only the loader's own is used; everything else is in the tables of vulkan_api.h.
#include "renderer/vulkan/vulkan_api.h"

#include <volk.h>

#include <mutex>

namespace renderer
{

PFN_vkGetInstanceProcAddr open_vulkan_loader()
{
    static std::once_flag opened; // contexts may be made by several threads at once
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
