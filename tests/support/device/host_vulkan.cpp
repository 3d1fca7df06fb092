// SPDX-License-Identifier: MIT
#include "tests/support/device/host_vulkan.h"

#include "renderer/vulkan/vulkan_loader.h"
#include "tests/support/device/wrapped_vulkan.h"

#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace tests
{

using renderer::make;

namespace
{

constexpr const char* kLayer = "VK_LAYER_KHRONOS_validation";

void must(bool good, const char* what)
{
    if (good)
        return;
    std::fprintf(stderr, "the test needs Vulkan: %s\n", what);
    std::exit(1);
}

} // namespace

VKAPI_ATTR VkBool32 VKAPI_CALL HostVulkan::on_message(VkDebugUtilsMessageSeverityFlagBitsEXT,
                                                      VkDebugUtilsMessageTypeFlagsEXT,
                                                      const VkDebugUtilsMessengerCallbackDataEXT* data,
                                                      void* user)
{
    auto* host = static_cast<HostVulkan*>(user);
    const std::lock_guard lock(host->messages_mutex_);
    host->messages_.emplace_back(data->pMessage != nullptr ? data->pMessage : "");
    return VK_FALSE;
}

HostVulkan::HostVulkan(const Options& options)
{
    const PFN_vkGetInstanceProcAddr get = renderer::open_vulkan_loader();
    must(get != nullptr, "loader");
    const auto create = reinterpret_cast<PFN_vkCreateInstance>(get(VK_NULL_HANDLE, "vkCreateInstance"));

    auto messenger =
        make<VkDebugUtilsMessengerCreateInfoEXT>(VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT);
    messenger.messageSeverity =
        VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    messenger.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
    messenger.pfnUserCallback = on_message;
    messenger.pUserData = this;
    const VkValidationFeatureEnableEXT synchronization[] = {
        VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
    auto validation = make<VkValidationFeaturesEXT>(VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT);
    validation.enabledValidationFeatureCount = 1;
    validation.pEnabledValidationFeatures = synchronization;

    application_ = make<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
    application_.pApplicationName = "a host";
    application_.apiVersion = VK_API_VERSION_1_1;
    instance_extensions_ = {VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME};
    if (options.debug_utils)
        instance_extensions_.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
    instance_info_ = make<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
    instance_info_.pNext = &validation;
    instance_info_.pApplicationInfo = &application_;
    instance_info_.enabledLayerCount = 1;
    instance_info_.ppEnabledLayerNames = &kLayer;
    instance_info_.enabledExtensionCount = u32(instance_extensions_.size());
    instance_info_.ppEnabledExtensionNames = instance_extensions_.data();
    must(create(&instance_info_, nullptr, &instance) == VK_SUCCESS, "vkCreateInstance");
    instance_info_.pNext = nullptr;
    must(renderer::load_instance_table(api, get, instance, options.debug_utils) == nullptr, "functions");
    if (options.debug_utils)
        must(api.vkCreateDebugUtilsMessengerEXT(instance, &messenger, nullptr, &messenger_) == VK_SUCCESS,
             "messenger");

    u32 count = 1;
    must(api.vkEnumeratePhysicalDevices(instance, &count, &physical) >= 0 && count == 1, "device");
    auto needs = renderer::DeviceRequirements::query(get, instance, instance_info_, physical);
    must(bool(needs), "requirements");
    requirements = std::make_unique<renderer::DeviceRequirements>(std::move(*needs));
    queue_family = requirements->queue_family();

    const float priority = 1;
    auto queue_info = make<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
    queue_info.queueFamilyIndex = queue_family;
    queue_info.queueCount = 1;
    queue_info.pQueuePriorities = &priority;
    const u32 kept =
        options.optional ? u32(requirements->extensions().size()) : requirements->required_extensions();
    for (const char* extension : requirements->extensions().first(kept))
        if (options.timeline || std::strcmp(extension, VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME) != 0)
            device_extensions_.push_back(extension);
    device_info_ = make<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
    device_info_.queueCreateInfoCount = 1;
    device_info_.pQueueCreateInfos = &queue_info;
    device_info_.enabledExtensionCount = u32(device_extensions_.size());
    device_info_.ppEnabledExtensionNames = device_extensions_.data();
    if (options.optional)
    {
        if (!options.timeline) // out of the chain
            for (auto* s = reinterpret_cast<VkBaseOutStructure*>(requirements->features());
                 s->pNext != nullptr; s = s->pNext)
                if (s->pNext->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES)
                {
                    s->pNext = s->pNext->pNext;
                    if (s->pNext == nullptr)
                        break;
                }
        device_info_.pNext = requirements->features();
    }
    else
    {
        features_ = make<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
        features_.features.robustBufferAccess = options.robust;
        device_info_.pNext = &features_;
    }
    must(api.vkCreateDevice(physical, &device_info_, nullptr, &device) == VK_SUCCESS, "vkCreateDevice");
    device_info_.queueCreateInfoCount = 0;
    device_info_.pQueueCreateInfos = nullptr;
    must(renderer::load_device_table(vk, api, device) == nullptr, "device functions");
    vk.vkGetDeviceQueue(device, queue_family, 0, &queue);
    wrap_vulkan(*this);
}

HostVulkan::~HostVulkan()
{
    vk.vkDeviceWaitIdle(device);
    vk.vkDestroyDevice(device, nullptr);
    if (messenger_ != VK_NULL_HANDLE)
        api.vkDestroyDebugUtilsMessengerEXT(instance, messenger_, nullptr);
    api.vkDestroyInstance(instance, nullptr);
    for (const std::string& message : messages_)
        FAIL_CHECK(message);
    CHECK(calls.unlocked == 0);
    CHECK(calls.device_waits == 0);
    CHECK(calls.regions_begun == calls.regions_ended);
    CHECK_FALSE(calls.unbalanced);
    unwrap_vulkan();
}

std::shared_ptr<renderer::HostDevice> HostVulkan::host() const
{
    auto host = std::make_shared<renderer::HostDevice>();
    host->get_instance_proc_addr = wrapped_get_instance_proc_addr();
    host->instance = instance;
    host->physical = physical;
    host->device = device;
    host->queue = queue;
    host->queue_family = queue_family;
    host->made_with(instance_info_, device_info_);
    // Locking is no change to what a test sees of its host.
    auto* const self = const_cast<HostVulkan*>(this);
    host->lock_queue = [self] { self->lock(); };
    host->unlock_queue = [self] { self->unlock(); };
    return host;
}

void HostVulkan::lock()
{
    mutex.lock();
    queue_is_locked(true);
}

void HostVulkan::unlock()
{
    queue_is_locked(false);
    mutex.unlock();
}

std::vector<std::string> HostVulkan::messages() const
{
    const std::lock_guard lock(messages_mutex_);
    return messages_;
}

VkSemaphore HostVulkan::make_semaphore(bool timeline)
{
    auto type = make<VkSemaphoreTypeCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
    type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
    auto info = make<VkSemaphoreCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO);
    info.pNext = timeline ? &type : nullptr;
    VkSemaphore semaphore = VK_NULL_HANDLE;
    must(vk.vkCreateSemaphore(device, &info, nullptr, &semaphore) == VK_SUCCESS, "vkCreateSemaphore");
    return semaphore;
}

void HostVulkan::signal(VkSemaphore semaphore, u64 value)
{
    auto timeline = make<VkTimelineSemaphoreSubmitInfo>(VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
    timeline.signalSemaphoreValueCount = 1;
    timeline.pSignalSemaphoreValues = &value;
    auto submit = make<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
    submit.pNext = value != 0 ? &timeline : nullptr;
    submit.signalSemaphoreCount = 1;
    submit.pSignalSemaphores = &semaphore;
    const std::lock_guard lock(mutex);
    must(vk.vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE) == VK_SUCCESS, "submit");
}

namespace
{

template <typename Function>
Function timeline_function(const HostVulkan& host, const char* core, const char* extension)
{
    PFN_vkVoidFunction found = host.api.vkGetDeviceProcAddr(host.device, extension);
    if (found == nullptr)
        found = host.api.vkGetDeviceProcAddr(host.device, core);
    must(found != nullptr, core);
    return reinterpret_cast<Function>(found);
}

} // namespace

void HostVulkan::signal_from_cpu(VkSemaphore semaphore, u64 value)
{
    auto info = make<VkSemaphoreSignalInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO);
    info.semaphore = semaphore;
    info.value = value;
    const auto signal =
        timeline_function<PFN_vkSignalSemaphore>(*this, "vkSignalSemaphore", "vkSignalSemaphoreKHR");
    must(signal(device, &info) == VK_SUCCESS, "vkSignalSemaphore");
}

bool HostVulkan::has_reached(VkSemaphore semaphore, u64 value)
{
    u64 now = 0;
    const auto get = timeline_function<PFN_vkGetSemaphoreCounterValue>(*this, "vkGetSemaphoreCounterValue",
                                                                       "vkGetSemaphoreCounterValueKHR");
    must(get(device, semaphore, &now) == VK_SUCCESS, "vkGetSemaphoreCounterValue");
    return now >= value;
}

bool HostVulkan::wait_on_cpu(VkSemaphore semaphore, u64 value)
{
    auto info = make<VkSemaphoreWaitInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO);
    info.semaphoreCount = 1;
    info.pSemaphores = &semaphore;
    info.pValues = &value;
    const auto wait =
        timeline_function<PFN_vkWaitSemaphores>(*this, "vkWaitSemaphores", "vkWaitSemaphoresKHR");
    return wait(device, &info, u64{60} * 1000 * 1000 * 1000) == VK_SUCCESS;
}

std::vector<u8> HostVulkan::read_image(VkImage image, u32 width, u32 height, VkSemaphore semaphore, u64 value)
{
    const VkDeviceSize size = VkDeviceSize{width} * height * 4;
    auto buffer_info = make<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
    buffer_info.size = size;
    buffer_info.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    VkBuffer buffer = VK_NULL_HANDLE;
    must(vk.vkCreateBuffer(device, &buffer_info, nullptr, &buffer) == VK_SUCCESS, "vkCreateBuffer");
    VkMemoryRequirements needs{};
    vk.vkGetBufferMemoryRequirements(device, buffer, &needs);
    VkPhysicalDeviceMemoryProperties types{};
    api.vkGetPhysicalDeviceMemoryProperties(physical, &types);
    constexpr VkMemoryPropertyFlags kMapped =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    auto allocate = make<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
    allocate.allocationSize = needs.size;
    while ((needs.memoryTypeBits >> allocate.memoryTypeIndex & 1) == 0 ||
           (types.memoryTypes[allocate.memoryTypeIndex].propertyFlags & kMapped) != kMapped)
        ++allocate.memoryTypeIndex;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    must(vk.vkAllocateMemory(device, &allocate, nullptr, &memory) == VK_SUCCESS, "vkAllocateMemory");
    must(vk.vkBindBufferMemory(device, buffer, memory, 0) == VK_SUCCESS, "vkBindBufferMemory");

    auto pool_info = make<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
    pool_info.queueFamilyIndex = queue_family;
    VkCommandPool pool = VK_NULL_HANDLE;
    must(vk.vkCreateCommandPool(device, &pool_info, nullptr, &pool) == VK_SUCCESS, "vkCreateCommandPool");
    auto commands_info = make<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
    commands_info.commandPool = pool;
    commands_info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    commands_info.commandBufferCount = 1;
    VkCommandBuffer commands = VK_NULL_HANDLE;
    must(vk.vkAllocateCommandBuffers(device, &commands_info, &commands) == VK_SUCCESS, "commands");
    const auto begin = make<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
    must(vk.vkBeginCommandBuffer(commands, &begin) == VK_SUCCESS, "begin");
    const VkBufferImageCopy region{
        0, 0, 0, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, {0, 0, 0}, {width, height, 1}};
    vk.vkCmdCopyImageToBuffer(commands, image, VK_IMAGE_LAYOUT_GENERAL, buffer, 1, &region);
    auto barrier = make<VkMemoryBarrier>(VK_STRUCTURE_TYPE_MEMORY_BARRIER);
    barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
    barrier.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
    vk.vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                            &barrier, 0, nullptr, 0, nullptr);
    must(vk.vkEndCommandBuffer(commands) == VK_SUCCESS, "end");

    auto timeline = make<VkTimelineSemaphoreSubmitInfo>(VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
    timeline.waitSemaphoreValueCount = 1;
    timeline.pWaitSemaphoreValues = &value;
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
    auto submit = make<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
    if (semaphore != VK_NULL_HANDLE)
    {
        submit.pNext = &timeline;
        submit.waitSemaphoreCount = 1;
        submit.pWaitSemaphores = &semaphore;
        submit.pWaitDstStageMask = &stage;
    }
    submit.commandBufferCount = 1;
    submit.pCommandBuffers = &commands;
    const std::lock_guard lock(mutex);
    must(vk.vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE) == VK_SUCCESS, "submit");
    must(vk.vkQueueWaitIdle(queue) == VK_SUCCESS, "wait");
    void* mapped = nullptr;
    must(vk.vkMapMemory(device, memory, 0, size, 0, &mapped) == VK_SUCCESS, "map");
    std::vector<u8> bytes(size);
    std::memcpy(bytes.data(), mapped, size);
    vk.vkDestroyBuffer(device, buffer, nullptr);
    vk.vkFreeMemory(device, memory, nullptr);
    vk.vkDestroyCommandPool(device, pool, nullptr);
    return bytes;
}

} // namespace tests
