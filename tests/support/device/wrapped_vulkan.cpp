// SPDX-License-Identifier: MIT
#include "tests/support/device/wrapped_vulkan.h"

#include "tests/support/device/host_vulkan.h"

#include <cstring>

namespace tests
{

namespace
{

HostVulkan* wrapped = nullptr;
thread_local bool locked_here = false;
std::mutex labels_mutex;

VkResult lost_or(VkResult result)
{
    return wrapped->calls.device_lost ? VK_ERROR_DEVICE_LOST : result;
}

void used_queue()
{
    if (!locked_here)
        ++wrapped->calls.unlocked;
}

VKAPI_ATTR VkResult VKAPI_CALL queue_submit(VkQueue queue, uint32_t count, const VkSubmitInfo* infos,
                                            VkFence fence)
{
    HostCalls& calls = wrapped->calls;
    used_queue();
    ++calls.submissions;
    for (uint32_t i = 0; i < count; ++i)
        calls.semaphore_waits += infos[i].waitSemaphoreCount;
    if (calls.lose_device_after != 0 && --calls.lose_device_after == 0)
        calls.device_lost = true;
    if (calls.device_lost)
        return VK_ERROR_DEVICE_LOST;
    return wrapped->vk.vkQueueSubmit(queue, count, infos, fence);
}

VKAPI_ATTR VkResult VKAPI_CALL queue_wait_idle(VkQueue queue)
{
    used_queue();
    return lost_or(wrapped->vk.vkQueueWaitIdle(queue));
}

VKAPI_ATTR VkResult VKAPI_CALL device_wait_idle(VkDevice device)
{
    ++wrapped->calls.device_waits;
    return lost_or(wrapped->vk.vkDeviceWaitIdle(device));
}

VKAPI_ATTR VkResult VKAPI_CALL wait_for_fences(VkDevice device, uint32_t count, const VkFence* fences,
                                               VkBool32 all, uint64_t timeout)
{
    ++wrapped->calls.fence_waits;
    return lost_or(wrapped->vk.vkWaitForFences(device, count, fences, all, timeout));
}

VKAPI_ATTR void VKAPI_CALL begin_label(VkCommandBuffer commands, const VkDebugUtilsLabelEXT* label)
{
    HostCalls& calls = wrapped->calls;
    ++calls.regions_begun;
    {
        const std::lock_guard lock(labels_mutex);
        ++calls.open_regions[commands];
        calls.labels.emplace_back(label->pLabelName);
    }
    wrapped->api.vkCmdBeginDebugUtilsLabelEXT(commands, label);
}

VKAPI_ATTR void VKAPI_CALL end_label(VkCommandBuffer commands)
{
    HostCalls& calls = wrapped->calls;
    ++calls.regions_ended;
    {
        const std::lock_guard lock(labels_mutex);
        if (--calls.open_regions[commands] < 0)
            calls.unbalanced = true;
    }
    wrapped->api.vkCmdEndDebugUtilsLabelEXT(commands);
}

VKAPI_ATTR VkResult VKAPI_CALL end_command_buffer(VkCommandBuffer commands)
{
    {
        const std::lock_guard lock(labels_mutex);
        if (wrapped->calls.open_regions[commands] != 0)
            wrapped->calls.unbalanced = true;
    }
    return wrapped->vk.vkEndCommandBuffer(commands);
}

VKAPI_ATTR VkResult VKAPI_CALL set_name(VkDevice device, const VkDebugUtilsObjectNameInfoEXT* info)
{
    ++wrapped->calls.names;
    return wrapped->api.vkSetDebugUtilsObjectNameEXT(device, info);
}

VKAPI_ATTR void VKAPI_CALL get_queue_families(VkPhysicalDevice physical, uint32_t* count,
                                              VkQueueFamilyProperties* families)
{
    const auto get = wrapped->api.vkGetPhysicalDeviceQueueFamilyProperties;
    uint32_t real = 0;
    get(physical, &real, nullptr);
    if (families == nullptr)
    {
        *count = real + wrapped->calls.more_queue_families;
        return;
    }
    get(physical, &real, families); // whoever asks has room for all
    for (uint32_t i = real; i < *count; ++i)
        families[i] = families[0];
}

VKAPI_ATTR VkResult VKAPI_CALL create_image(VkDevice device, const VkImageCreateInfo* info,
                                            const VkAllocationCallbacks* allocator, VkImage* image)
{
    VkImageCreateInfo real = *info;
    if (info->sharingMode == VK_SHARING_MODE_CONCURRENT)
    {
        wrapped->calls.concurrent.emplace_back(info->pQueueFamilyIndices,
                                               info->pQueueFamilyIndices + info->queueFamilyIndexCount);
        real.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
    }
    return wrapped->vk.vkCreateImage(device, &real, allocator, image);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device_proc(VkDevice device, const char* name)
{
    const auto is = [name](const char* other) { return std::strcmp(name, other) == 0; };
    if (is("vkQueueSubmit"))
        return reinterpret_cast<PFN_vkVoidFunction>(queue_submit);
    if (is("vkQueueWaitIdle"))
        return reinterpret_cast<PFN_vkVoidFunction>(queue_wait_idle);
    if (is("vkDeviceWaitIdle"))
        return reinterpret_cast<PFN_vkVoidFunction>(device_wait_idle);
    if (is("vkWaitForFences"))
        return reinterpret_cast<PFN_vkVoidFunction>(wait_for_fences);
    if (is("vkCreateImage"))
        return reinterpret_cast<PFN_vkVoidFunction>(create_image);
    if (is("vkEndCommandBuffer"))
        return reinterpret_cast<PFN_vkVoidFunction>(end_command_buffer);
    return wrapped->api.vkGetDeviceProcAddr(device, name);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_instance_proc(VkInstance instance, const char* name)
{
    const auto is = [name](const char* other) { return std::strcmp(name, other) == 0; };
    const PFN_vkVoidFunction real = wrapped->api.get(instance, name);
    if (real == nullptr)
        return nullptr;
    if (is("vkGetDeviceProcAddr"))
        return reinterpret_cast<PFN_vkVoidFunction>(get_device_proc);
    if (is("vkGetPhysicalDeviceQueueFamilyProperties"))
        return reinterpret_cast<PFN_vkVoidFunction>(get_queue_families);
    if (is("vkCmdBeginDebugUtilsLabelEXT"))
        return reinterpret_cast<PFN_vkVoidFunction>(begin_label);
    if (is("vkCmdEndDebugUtilsLabelEXT"))
        return reinterpret_cast<PFN_vkVoidFunction>(end_label);
    if (is("vkSetDebugUtilsObjectNameEXT"))
        return reinterpret_cast<PFN_vkVoidFunction>(set_name);
    return real;
}

} // namespace

void wrap_vulkan(HostVulkan& host)
{
    wrapped = &host;
}

void unwrap_vulkan()
{
    wrapped = nullptr;
}

PFN_vkGetInstanceProcAddr wrapped_get_instance_proc_addr()
{
    return get_instance_proc;
}

void queue_is_locked(bool locked)
{
    locked_here = locked;
}

} // namespace tests
