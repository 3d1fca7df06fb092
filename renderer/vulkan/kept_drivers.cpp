// SPDX-License-Identifier: MIT
#include "renderer/vulkan/kept_drivers.h"

#include "renderer/vulkan/quirks.h"
#include "renderer/vulkan/vulkan_loader.h"

#include <algorithm>
#include <iterator>
#include <mutex>

namespace renderer
{

bool must_stay_loaded(VkDriverId driver, u32 version)
{
    return std::any_of(std::begin(kStaysLoaded), std::end(kStaysLoaded),
                       [&](const DriverRule& one) { return is_driver(one, driver, version); });
}

void keep_drivers_loaded()
{
    static std::once_flag kept;
    static VkInstance instance = VK_NULL_HANDLE; // for tools that look for leaks: it is still in reach
    std::call_once(kept,
                   []
                   {
                       const PFN_vkGetInstanceProcAddr get = open_vulkan_loader();
                       if (get == nullptr)
                           return;
                       const auto create =
                           reinterpret_cast<PFN_vkCreateInstance>(get(VK_NULL_HANDLE, "vkCreateInstance"));
                       auto application = make<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
                       application.apiVersion = VK_API_VERSION_1_1;
                       auto info = make<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
                       info.pApplicationInfo = &application;
                       if (create == nullptr || create(&info, nullptr, &instance) != VK_SUCCESS)
                           instance = VK_NULL_HANDLE;
                   });
}

} // namespace renderer
