// SPDX-License-Identifier: MIT
#include "samples/cli/window_presenter.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace samples
{

using namespace pica;

namespace
{

Status check(VkResult result, const char* what)
{
    if (result == VK_SUCCESS)
        return {};
    return Error{std::string("window: ") + what +
                 (result == VK_ERROR_DEVICE_LOST ? ": device lost" : " failed") + " (VkResult " +
                 std::to_string(int(result)) + ")"};
}

VkImageMemoryBarrier barrier(VkImage image, VkImageLayout from, VkImageLayout to, VkAccessFlags source,
                             VkAccessFlags destination)
{
    VkImageMemoryBarrier result = {};
    result.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER;
    result.srcAccessMask = source;
    result.dstAccessMask = destination;
    result.oldLayout = from;
    result.newLayout = to;
    result.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    result.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    result.image = image;
    result.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    return result;
}

} // namespace

Result<std::unique_ptr<WindowPresenter>> WindowPresenter::create(GLFWwindow* window)
{
    std::unique_ptr<WindowPresenter> presenter(new WindowPresenter(window));
    for (const auto step : {&WindowPresenter::create_instance, &WindowPresenter::choose_device,
                            &WindowPresenter::create_device, &WindowPresenter::create_swapchain})
    {
        if (Status status = (*presenter.*step)(); !status)
            return status.error();
    }
    return presenter;
}

WindowPresenter::~WindowPresenter()
{
    if (device_ != VK_NULL_HANDLE)
    {
        vk_.DeviceWaitIdle(device_);
        destroy_swapchain();
        destroy_upload();
        vk_.DestroySemaphore(device_, acquired_, nullptr);
        vk_.DestroyFence(device_, done_, nullptr);
        vk_.DestroyCommandPool(device_, pool_, nullptr);
        vk_.DestroyDevice(device_, nullptr);
    }
    if (surface_ != VK_NULL_HANDLE)
        vk_.DestroySurfaceKHR(instance_, surface_, nullptr);
    if (instance_ != VK_NULL_HANDLE && vk_.DestroyInstance != nullptr)
        vk_.DestroyInstance(instance_, nullptr);
}

Status WindowPresenter::create_instance()
{
    const auto get = reinterpret_cast<PFN_vkGetInstanceProcAddr>(
        glfwGetInstanceProcAddress(nullptr, "vkGetInstanceProcAddr"));
    const auto create =
        reinterpret_cast<PFN_vkCreateInstance>(glfwGetInstanceProcAddress(nullptr, "vkCreateInstance"));
    u32 count = 0;
    const char** extensions = glfwGetRequiredInstanceExtensions(&count);
    if (get == nullptr || create == nullptr || extensions == nullptr)
        return Error{"window: no Vulkan that can present to this display"};

    VkApplicationInfo application = {};
    application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
    application.pApplicationName = "picavk";
    application.apiVersion = VK_API_VERSION_1_1;
    VkInstanceCreateInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
    info.pApplicationInfo = &application;
    info.enabledExtensionCount = count;
    info.ppEnabledExtensionNames = extensions;
    if (Status status = check(create(&info, nullptr, &instance_), "vkCreateInstance"); !status)
        return status;
    if (!load_window_api(vk_, get, instance_))
        return Error{"window: the Vulkan loader lacks presentation functions"};
    return check(glfwCreateWindowSurface(instance_, window_, nullptr, &surface_), "glfwCreateWindowSurface");
}

Status WindowPresenter::choose_device()
{
    u32 count = 0;
    vk_.EnumeratePhysicalDevices(instance_, &count, nullptr);
    std::vector<VkPhysicalDevice> gpus(count);
    vk_.EnumeratePhysicalDevices(instance_, &count, gpus.data());
    int best_rank = -1;
    for (VkPhysicalDevice gpu : gpus)
    {
        VkPhysicalDeviceProperties properties;
        vk_.GetPhysicalDeviceProperties(gpu, &properties);
        const int rank = properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU     ? 3
                         : properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU ? 2
                         : properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU            ? 0
                                                                                           : 1;
        u32 families = 0;
        vk_.GetPhysicalDeviceQueueFamilyProperties(gpu, &families, nullptr);
        std::vector<VkQueueFamilyProperties> family_properties(families);
        vk_.GetPhysicalDeviceQueueFamilyProperties(gpu, &families, family_properties.data());
        for (u32 family = 0; family < families; ++family)
        {
            VkBool32 presents = VK_FALSE;
            vk_.GetPhysicalDeviceSurfaceSupportKHR(gpu, family, surface_, &presents);
            const bool draws = (family_properties[family].queueFlags & VK_QUEUE_GRAPHICS_BIT) != 0;
            if (presents == VK_FALSE || !draws || rank <= best_rank)
                continue;
            best_rank = rank;
            gpu_ = gpu;
            family_ = family;
            device_name_ = properties.deviceName;
        }
    }
    if (gpu_ == VK_NULL_HANDLE)
        return Error{"window: no Vulkan device can present to this display"};
    return {};
}

Status WindowPresenter::create_device()
{
    const f32 priority = 1.0f;
    VkDeviceQueueCreateInfo queue = {};
    queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
    queue.queueFamilyIndex = family_;
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    const char* extension = VK_KHR_SWAPCHAIN_EXTENSION_NAME;
    VkDeviceCreateInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue;
    info.enabledExtensionCount = 1;
    info.ppEnabledExtensionNames = &extension;
    if (Status status = check(vk_.CreateDevice(gpu_, &info, nullptr, &device_), "vkCreateDevice"); !status)
        return status;
    vk_.GetDeviceQueue(device_, family_, 0, &queue_);

    VkCommandPoolCreateInfo pool = {};
    pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
    pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
    pool.queueFamilyIndex = family_;
    if (Status status = check(vk_.CreateCommandPool(device_, &pool, nullptr, &pool_), "vkCreateCommandPool");
        !status)
        return status;
    VkCommandBufferAllocateInfo buffer = {};
    buffer.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
    buffer.commandPool = pool_;
    buffer.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    buffer.commandBufferCount = 1;
    if (Status status =
            check(vk_.AllocateCommandBuffers(device_, &buffer, &commands_), "vkAllocateCommandBuffers");
        !status)
        return status;
    VkFenceCreateInfo fence = {};
    fence.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
    fence.flags = VK_FENCE_CREATE_SIGNALED_BIT;
    if (Status status = check(vk_.CreateFence(device_, &fence, nullptr, &done_), "vkCreateFence"); !status)
        return status;
    VkSemaphoreCreateInfo semaphore = {};
    semaphore.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
    return check(vk_.CreateSemaphore(device_, &semaphore, nullptr, &acquired_), "vkCreateSemaphore");
}

Result<VkDeviceMemory> WindowPresenter::allocate(const VkMemoryRequirements& needs,
                                                 VkMemoryPropertyFlags flags)
{
    VkPhysicalDeviceMemoryProperties properties;
    vk_.GetPhysicalDeviceMemoryProperties(gpu_, &properties);
    for (u32 type = 0; type < properties.memoryTypeCount; ++type)
    {
        if ((needs.memoryTypeBits >> type & 1) == 0 ||
            (properties.memoryTypes[type].propertyFlags & flags) != flags)
            continue;
        VkMemoryAllocateInfo info = {};
        info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
        info.allocationSize = needs.size;
        info.memoryTypeIndex = type;
        VkDeviceMemory memory = VK_NULL_HANDLE;
        if (Status status = check(vk_.AllocateMemory(device_, &info, nullptr, &memory), "vkAllocateMemory");
            !status)
            return status.error();
        return memory;
    }
    return Error{"window: no memory type of the Vulkan device fits"};
}

void WindowPresenter::destroy_upload()
{
    vk_.DestroyImage(device_, canvas_, nullptr);
    vk_.FreeMemory(device_, canvas_memory_, nullptr);
    vk_.DestroyBuffer(device_, staging_, nullptr);
    vk_.FreeMemory(device_, staging_memory_, nullptr);
    canvas_ = VK_NULL_HANDLE;
    staging_ = VK_NULL_HANDLE;
    canvas_memory_ = staging_memory_ = VK_NULL_HANDLE;
}

// Nothing may be in flight.
Status WindowPresenter::create_upload(u32 width, u32 height)
{
    destroy_upload();
    width_ = width;
    height_ = height;
    VkBufferCreateInfo buffer = {};
    buffer.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    buffer.size = VkDeviceSize(width_) * height_ * 4;
    buffer.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
    if (Status status = check(vk_.CreateBuffer(device_, &buffer, nullptr, &staging_), "vkCreateBuffer");
        !status)
        return status;
    VkMemoryRequirements needs;
    vk_.GetBufferMemoryRequirements(device_, staging_, &needs);
    Result<VkDeviceMemory> memory =
        allocate(needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    if (!memory)
        return memory.error();
    staging_memory_ = *memory;
    vk_.BindBufferMemory(device_, staging_, staging_memory_, 0);
    if (Status status = check(vk_.MapMemory(device_, staging_memory_, 0, VK_WHOLE_SIZE, 0, &staging_bytes_),
                              "vkMapMemory");
        !status)
        return status;

    VkImageCreateInfo image = {};
    image.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
    image.imageType = VK_IMAGE_TYPE_2D;
    image.format = VK_FORMAT_R8G8B8A8_UNORM;
    image.extent = {width_, height_, 1};
    image.mipLevels = 1;
    image.arrayLayers = 1;
    image.samples = VK_SAMPLE_COUNT_1_BIT;
    image.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    if (Status status = check(vk_.CreateImage(device_, &image, nullptr, &canvas_), "vkCreateImage"); !status)
        return status;
    vk_.GetImageMemoryRequirements(device_, canvas_, &needs);
    memory = allocate(needs, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    if (!memory)
        return memory.error();
    canvas_memory_ = *memory;
    return check(vk_.BindImageMemory(device_, canvas_, canvas_memory_, 0), "vkBindImageMemory");
}

void WindowPresenter::destroy_swapchain()
{
    for (VkSemaphore semaphore : rendered_)
        vk_.DestroySemaphore(device_, semaphore, nullptr);
    rendered_.clear();
    images_.clear();
    vk_.DestroySwapchainKHR(device_, swapchain_, nullptr);
    swapchain_ = VK_NULL_HANDLE;
}

Status WindowPresenter::create_swapchain()
{
    vk_.DeviceWaitIdle(device_);
    destroy_swapchain();
    VkSurfaceCapabilitiesKHR abilities;
    if (Status status = check(vk_.GetPhysicalDeviceSurfaceCapabilitiesKHR(gpu_, surface_, &abilities),
                              "vkGetPhysicalDeviceSurfaceCapabilitiesKHR");
        !status)
        return status;
    extent_ = abilities.currentExtent;
    if (extent_.width == ~0u)
    {
        int width = 0, height = 0;
        glfwGetFramebufferSize(window_, &width, &height);
        extent_.width =
            std::clamp(u32(width), abilities.minImageExtent.width, abilities.maxImageExtent.width);
        extent_.height =
            std::clamp(u32(height), abilities.minImageExtent.height, abilities.maxImageExtent.height);
    }
    if (extent_.width == 0 || extent_.height == 0)
        return {}; // minimised: present() tries again

    u32 count = 0;
    vk_.GetPhysicalDeviceSurfaceFormatsKHR(gpu_, surface_, &count, nullptr);
    std::vector<VkSurfaceFormatKHR> formats(count);
    vk_.GetPhysicalDeviceSurfaceFormatsKHR(gpu_, surface_, &count, formats.data());
    // Never an sRGB format: the blit would convert the guest's bytes.
    const auto plain = std::find_if(formats.begin(), formats.end(),
                                    [](const VkSurfaceFormatKHR& format) {
                                        return format.format == VK_FORMAT_B8G8R8A8_UNORM ||
                                               format.format == VK_FORMAT_R8G8B8A8_UNORM;
                                    });
    if (plain == formats.end() || (abilities.supportedUsageFlags & VK_IMAGE_USAGE_TRANSFER_DST_BIT) == 0)
        return Error{"window: the display takes no 8-bit UNORM pictures that can be copied to"};

    VkSwapchainCreateInfoKHR info = {};
    info.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR;
    info.surface = surface_;
    info.minImageCount = std::max(abilities.minImageCount, 2u);
    if (abilities.maxImageCount != 0)
        info.minImageCount = std::min(info.minImageCount, abilities.maxImageCount);
    info.imageFormat = plain->format;
    info.imageColorSpace = plain->colorSpace;
    info.imageExtent = extent_;
    info.imageArrayLayers = 1;
    info.imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    info.preTransform = abilities.currentTransform;
    info.compositeAlpha = (abilities.supportedCompositeAlpha & VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR) != 0
                              ? VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR
                              : VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR;
    info.presentMode = VK_PRESENT_MODE_FIFO_KHR;
    info.clipped = VK_TRUE;
    if (Status status =
            check(vk_.CreateSwapchainKHR(device_, &info, nullptr, &swapchain_), "vkCreateSwapchainKHR");
        !status)
        return status;
    vk_.GetSwapchainImagesKHR(device_, swapchain_, &count, nullptr);
    images_.resize(count);
    vk_.GetSwapchainImagesKHR(device_, swapchain_, &count, images_.data());
    rendered_.resize(count);
    VkSemaphoreCreateInfo semaphore = {};
    semaphore.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
    for (VkSemaphore& rendered : rendered_)
    {
        if (Status status =
                check(vk_.CreateSemaphore(device_, &semaphore, nullptr, &rendered), "vkCreateSemaphore");
            !status)
            return status;
    }
    return {};
}

void WindowPresenter::record(VkImage target)
{
    VkCommandBufferBeginInfo begin = {};
    begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
    begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    vk_.BeginCommandBuffer(commands_, &begin);
    const std::array to_destination = {
        barrier(canvas_, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                VK_ACCESS_TRANSFER_WRITE_BIT),
        barrier(target, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                VK_ACCESS_TRANSFER_WRITE_BIT)};
    vk_.CmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0,
                           nullptr, 0, nullptr, u32(to_destination.size()), to_destination.data());
    VkBufferImageCopy copy = {};
    copy.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    copy.imageExtent = {width_, height_, 1};
    vk_.CmdCopyBufferToImage(commands_, staging_, canvas_, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
    const VkClearColorValue black = {};
    const VkImageSubresourceRange whole = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    vk_.CmdClearColorImage(commands_, target, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &black, 1, &whole);
    const std::array to_blit = {
        barrier(canvas_, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT),
        barrier(target, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_TRANSFER_WRITE_BIT)};
    vk_.CmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0,
                           nullptr, 0, nullptr, u32(to_blit.size()), to_blit.data());

    // A window smaller than the picture shows its middle part.
    const s32 shown_width = std::min(s32(width_), s32(extent_.width));
    const s32 shown_height = std::min(s32(height_), s32(extent_.height));
    const s32 source_x = (s32(width_) - shown_width) / 2;
    const s32 source_y = (s32(height_) - shown_height) / 2;
    const s32 x = (s32(extent_.width) - shown_width) / 2;
    const s32 y = (s32(extent_.height) - shown_height) / 2;
    VkImageBlit blit = {};
    blit.srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    blit.srcOffsets[0] = {source_x, source_y, 0};
    blit.srcOffsets[1] = {source_x + shown_width, source_y + shown_height, 1};
    blit.dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    blit.dstOffsets[0] = {x, y, 0};
    blit.dstOffsets[1] = {x + shown_width, y + shown_height, 1};
    vk_.CmdBlitImage(commands_, canvas_, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, target,
                     VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &blit, VK_FILTER_NEAREST);
    const VkImageMemoryBarrier to_present =
        barrier(target, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR,
                VK_ACCESS_TRANSFER_WRITE_BIT, 0);
    vk_.CmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0,
                           0, nullptr, 0, nullptr, 1, &to_present);
    vk_.EndCommandBuffer(commands_);
}

PictureSize WindowPresenter::size() const
{
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    return {u32(width), u32(height)};
}

Status WindowPresenter::present(const Picture& picture)
{
    // Not every system says that the pictures have another size than the window.
    if (swapchain_ == VK_NULL_HANDLE || size() != PictureSize{extent_.width, extent_.height})
    {
        if (Status status = create_swapchain(); !status || swapchain_ == VK_NULL_HANDLE)
            return status;
    }
    // The staging buffer is free again.
    if (Status status = check(vk_.WaitForFences(device_, 1, &done_, VK_TRUE, ~u64(0)), "vkWaitForFences");
        !status)
        return status;
    if (picture.width != width_ || picture.height != height_)
        if (Status status = create_upload(picture.width, picture.height); !status)
        {
            width_ = 0; // nothing is there to write to
            return status;
        }
    std::memcpy(staging_bytes_, picture.rgba.data(), picture.rgba.size());
    u32 index = 0;
    VkResult acquired = VK_ERROR_OUT_OF_DATE_KHR;
    for (int attempt = 0; attempt < 4 && acquired == VK_ERROR_OUT_OF_DATE_KHR; ++attempt)
    {
        acquired = vk_.AcquireNextImageKHR(device_, swapchain_, ~u64(0), acquired_, VK_NULL_HANDLE, &index);
        if (acquired != VK_ERROR_OUT_OF_DATE_KHR)
            break;
        if (Status status = create_swapchain(); !status || swapchain_ == VK_NULL_HANDLE)
            return status;
    }
    if (acquired != VK_SUBOPTIMAL_KHR)
    {
        if (Status status = check(acquired, "vkAcquireNextImageKHR"); !status)
            return status;
    }
    record(images_[index]);
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
    VkSubmitInfo submit = {};
    submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
    submit.waitSemaphoreCount = 1;
    submit.pWaitSemaphores = &acquired_;
    submit.pWaitDstStageMask = &stage;
    submit.commandBufferCount = 1;
    submit.pCommandBuffers = &commands_;
    submit.signalSemaphoreCount = 1;
    submit.pSignalSemaphores = &rendered_[index];
    vk_.ResetFences(device_, 1, &done_);
    if (Status status = check(vk_.QueueSubmit(queue_, 1, &submit, done_), "vkQueueSubmit"); !status)
        return status;
    VkPresentInfoKHR info = {};
    info.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR;
    info.waitSemaphoreCount = 1;
    info.pWaitSemaphores = &rendered_[index];
    info.swapchainCount = 1;
    info.pSwapchains = &swapchain_;
    info.pImageIndices = &index;
    const VkResult presented = vk_.QueuePresentKHR(queue_, &info);
    if (presented == VK_ERROR_OUT_OF_DATE_KHR || presented == VK_SUBOPTIMAL_KHR)
        return create_swapchain();
    return check(presented, "vkQueuePresentKHR");
}

} // namespace samples
