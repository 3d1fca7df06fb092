// SPDX-License-Identifier: MIT
// The answers of a build without the Vulkan backend (PICAVK_VULKAN in CMakeLists.txt); it stands in for
// vulkan_context.cpp and picavk_vulkan.cpp. The functions of picavk_vulkan.h are there, so that one emulator
// links with either build. No Vulkan header is needed: its types are named here, never used. Tests:
// tests/no_vulkan.
#include "renderer/embed/picavk_context.h"
#include "renderer/embed/vulkan_context.h"

#include <memory>
#include <string>

namespace
{

constexpr char kNoVulkan[] =
    "this build of picavk has no Vulkan backend: use the software backend, or build with "
    "PICAVK_VULKAN=ON";

} // namespace

namespace renderer
{

pica::Result<std::unique_ptr<VulkanContext>> make_vulkan_context(const Options&, pica::Report&)
{
    return pica::Error{kNoVulkan};
}

} // namespace renderer

PicavkResult host_device_of(const PicavkVulkanDevice&, std::shared_ptr<const renderer::HostDevice>&,
                            std::string& message)
{
    message = kNoVulkan;
    return PICAVK_UNAVAILABLE;
}

extern "C"
{

    // As vulkan_core.h and picavk_vulkan.h declare them.
    struct VkInstance_T;
    struct VkPhysicalDevice_T;
    struct VkInstanceCreateInfo;
    struct PicavkVulkanRequirements;
    struct PicavkVulkanImage;
    typedef void (*PFN_vkVoidFunction)(void);
    typedef PFN_vkVoidFunction (*PFN_vkGetInstanceProcAddr)(VkInstance_T* instance, const char* name);

    PICAVK_API PicavkResult picavk_vulkan_requirements(PFN_vkGetInstanceProcAddr, VkInstance_T*,
                                                       const VkInstanceCreateInfo*, VkPhysicalDevice_T*,
                                                       PicavkVulkanRequirements** requirements, char* message,
                                                       size_t message_size)
    {
        if (requirements != nullptr)
            *requirements = nullptr;
        copy_text(kNoVulkan, message, message_size);
        return PICAVK_UNAVAILABLE;
    }

    PICAVK_API void picavk_vulkan_free_requirements(PicavkVulkanRequirements*) {}

    PICAVK_API PicavkResult picavk_acquire_image(PicavkContext* context, PicavkScreen, PicavkVulkanImage*)
    {
        return call(context,
                    [&](renderer::Context&) { return fail(*context, PICAVK_UNAVAILABLE, kNoVulkan); });
    }

    PICAVK_API PicavkResult picavk_wait_image(PicavkContext* context, const PicavkVulkanImage*)
    {
        return call(context,
                    [&](renderer::Context&) { return fail(*context, PICAVK_UNAVAILABLE, kNoVulkan); });
    }

    PICAVK_API PicavkResult picavk_release_image(PicavkContext* context, const PicavkVulkanImage*)
    {
        return call(context,
                    [&](renderer::Context&) { return fail(*context, PICAVK_UNAVAILABLE, kNoVulkan); });
    }

} // extern "C"
