// SPDX-License-Identifier: MIT
#include "samples/window/window_api.h"

namespace samples
{

bool load_window_api(WindowApi& api, PFN_vkGetInstanceProcAddr get, VkInstance instance)
{
    bool complete = true;
    const auto load = [&]<typename Function>(Function& function, const char* name)
    {
        function = reinterpret_cast<Function>(get(instance, name));
        complete = complete && function != nullptr;
    };
    load(api.DestroyInstance, "vkDestroyInstance");
    load(api.EnumeratePhysicalDevices, "vkEnumeratePhysicalDevices");
    load(api.GetPhysicalDeviceProperties, "vkGetPhysicalDeviceProperties");
    load(api.GetPhysicalDeviceQueueFamilyProperties, "vkGetPhysicalDeviceQueueFamilyProperties");
    load(api.GetPhysicalDeviceMemoryProperties, "vkGetPhysicalDeviceMemoryProperties");
    load(api.EnumerateDeviceExtensionProperties, "vkEnumerateDeviceExtensionProperties");
    load(api.GetPhysicalDeviceSurfaceSupportKHR, "vkGetPhysicalDeviceSurfaceSupportKHR");
    load(api.GetPhysicalDeviceSurfaceCapabilitiesKHR, "vkGetPhysicalDeviceSurfaceCapabilitiesKHR");
    load(api.GetPhysicalDeviceSurfaceFormatsKHR, "vkGetPhysicalDeviceSurfaceFormatsKHR");
    load(api.DestroySurfaceKHR, "vkDestroySurfaceKHR");
    load(api.CreateDevice, "vkCreateDevice");
    load(api.DestroyDevice, "vkDestroyDevice");
    load(api.DeviceWaitIdle, "vkDeviceWaitIdle");
    load(api.GetDeviceQueue, "vkGetDeviceQueue");
    load(api.CreateSwapchainKHR, "vkCreateSwapchainKHR");
    load(api.DestroySwapchainKHR, "vkDestroySwapchainKHR");
    load(api.GetSwapchainImagesKHR, "vkGetSwapchainImagesKHR");
    load(api.AcquireNextImageKHR, "vkAcquireNextImageKHR");
    load(api.QueuePresentKHR, "vkQueuePresentKHR");
    load(api.QueueSubmit, "vkQueueSubmit");
    load(api.CreateCommandPool, "vkCreateCommandPool");
    load(api.DestroyCommandPool, "vkDestroyCommandPool");
    load(api.AllocateCommandBuffers, "vkAllocateCommandBuffers");
    load(api.BeginCommandBuffer, "vkBeginCommandBuffer");
    load(api.EndCommandBuffer, "vkEndCommandBuffer");
    load(api.CmdPipelineBarrier, "vkCmdPipelineBarrier");
    load(api.CmdCopyBufferToImage, "vkCmdCopyBufferToImage");
    load(api.CmdClearColorImage, "vkCmdClearColorImage");
    load(api.CmdBlitImage, "vkCmdBlitImage");
    load(api.CreateSemaphore, "vkCreateSemaphore");
    load(api.DestroySemaphore, "vkDestroySemaphore");
    load(api.CreateFence, "vkCreateFence");
    load(api.DestroyFence, "vkDestroyFence");
    load(api.WaitForFences, "vkWaitForFences");
    load(api.ResetFences, "vkResetFences");
    load(api.CreateBuffer, "vkCreateBuffer");
    load(api.DestroyBuffer, "vkDestroyBuffer");
    load(api.GetBufferMemoryRequirements, "vkGetBufferMemoryRequirements");
    load(api.BindBufferMemory, "vkBindBufferMemory");
    load(api.CreateImage, "vkCreateImage");
    load(api.DestroyImage, "vkDestroyImage");
    load(api.GetImageMemoryRequirements, "vkGetImageMemoryRequirements");
    load(api.BindImageMemory, "vkBindImageMemory");
    load(api.AllocateMemory, "vkAllocateMemory");
    load(api.FreeMemory, "vkFreeMemory");
    load(api.MapMemory, "vkMapMemory");
    return complete;
}

} // namespace samples
