// SPDX-License-Identifier: MIT
// An emulator with a Vulkan device of its own: picavk draws on it, and its pictures go to a window as images,
// without passing the CPU. The guest is a recorded stream (pica/trace/FORMAT.md). Guide:
// renderer/EMBEDDING_VULKAN.md.
//
//     embed_vulkan STREAM.ctf [FRAMES [SCALE]]
//
// Shows the stream's frames until the window is closed. With FRAMES, if it is not 0, it shows this many, names the last
// one in the window's title, and ends when the standard input ends. Draws at SCALE times the console's resolution, 1 to
// 8, in a window of that size. Exits with 1 if Vulkan's validation layer, where it is installed, reports anything.
#include "samples/window/window_api.h"

#include <picavk/picavk.hpp>
#include <picavk/picavk_vulkan.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <mutex>
#include <string>
#include <vector>

namespace
{

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr u32 kWidth = 400, kHeight = 240; // of the top screen, at 1x

[[noreturn]] void give_up(const std::string& why)
{
    std::cerr << "embed_vulkan: " << why << '\n';
    std::_Exit(1); // without the destructors of a Vulkan that may still be in use
}

void must(VkResult result, const char* what)
{
    if (result < 0)
        give_up(std::string(what) + " failed (VkResult " + std::to_string(int(result)) + ")");
}

template <typename T>
T structure(VkStructureType type)
{
    T object{};
    object.sType = type;
    return object;
}

u32 validation_messages = 0;

VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT,
                                          VkDebugUtilsMessageTypeFlagsEXT,
                                          const VkDebugUtilsMessengerCallbackDataEXT* data, void*)
{
    ++validation_messages;
    std::cerr << data->pMessage << '\n';
    return VK_FALSE;
}

// The emulator's guest: memory, and a stream of the CPU's writes.
class Guest
{
public:
    explicit Guest(const char* path) : vram_(6u << 20), fcram_(128u << 20)
    {
        std::ifstream in(path, std::ios::binary);
        file_.assign(std::istreambuf_iterator<char>(in), {});
        if (file_.size() < 100 || std::memcmp(file_.data(), "CiTr", 4) != 0)
            give_up(std::string(path) + " is no recorded stream");
        first_ = word(0x5C);
        count_ = word(0x60);
    }
    std::vector<PicavkRegion> regions()
    {
        return {{0x18000000, u32(vram_.size()), vram_.data()},
                {0x20000000, u32(fcram_.size()), fcram_.data()}};
    }
    // Plays one frame; after the last one, from the start again. (Of the two layouts of register writes, only
    // the shorter one.)
    void play_frame(picavk::Context& gpu)
    {
        for (u32 i = 0; i < count_; ++i)
        {
            const u32 element = first_ + next_ * 20;
            next_ = (next_ + 1) % count_;
            const u32 kind = word(element) & 0xFF, a = word(element + 4), b = word(element + 8);
            if (kind == 0xE1)
                return;
            if (kind == 0xE2)
                load(gpu, word(element + 12), a, b);
            else
                check(gpu.write_register(a, b));
        }
    }
    static void check(const picavk::Status& status)
    {
        if (!status)
            give_up(status.message);
    }

private:
    u32 word(std::size_t at) const
    {
        u32 value = 0;
        if (at + 4 > file_.size())
            give_up("the stream ends early");
        for (u32 i = 0; i < 4; ++i)
            value |= u32(u8(file_[at + i])) << (8 * i);
        return value;
    }
    void load(picavk::Context& gpu, u32 address, u32 offset, u32 size)
    {
        std::vector<u8>& bytes = address < 0x20000000 ? vram_ : fcram_;
        const u32 at = address & 0x07FFFFFF;
        if (u64{at} + size > bytes.size() || u64{offset} + size > file_.size())
            give_up("the stream loads beyond memory");
        check(gpu.will_write(address, size));
        std::memcpy(bytes.data() + at, file_.data() + offset, size);
        check(gpu.did_write(address, size));
    }

    std::vector<char> file_;
    std::vector<u8> vram_, fcram_;
    u32 first_ = 0, count_ = 0, next_ = 0;
};

// The emulator's Vulkan. The emulator makes it, with what picavk asks for in addition to its own swapchain.
class Host
{
public:
    Host(GLFWwindow* window, VkExtent2D window_size)
    {
        create_instance();
        must(glfwCreateWindowSurface(instance_, window, nullptr, &surface_), "glfwCreateWindowSurface");
        create_device();
        create_swapchain(window_size);
    }
    ~Host()
    {
        vk_.DeviceWaitIdle(device_);
        for (VkSemaphore semaphore : drawn_)
            vk_.DestroySemaphore(device_, semaphore, nullptr);
        vk_.DestroySemaphore(device_, acquired_, nullptr);
        vk_.DestroyFence(device_, done_, nullptr);
        vk_.DestroyCommandPool(device_, pool_, nullptr);
        vk_.DestroySwapchainKHR(device_, swapchain_, nullptr);
        vk_.DestroyDevice(device_, nullptr);
        picavk_vulkan_free_requirements(needs_);
        vk_.DestroySurfaceKHR(instance_, surface_, nullptr);
        if (messenger_ != VK_NULL_HANDLE)
            reinterpret_cast<PFN_vkDestroyDebugUtilsMessengerEXT>(
                get_(instance_, "vkDestroyDebugUtilsMessengerEXT"))(instance_, messenger_, nullptr);
        vk_.DestroyInstance(instance_, nullptr);
    }
    Host(const Host&) = delete;
    Host& operator=(const Host&) = delete;

    // What picavk_create gets. This program uses its queue on one thread only; the lock is here to show its
    // place.
    PicavkVulkanDevice device()
    {
        PicavkVulkanDevice d{};
        d.struct_size = sizeof d;
        d.queue_family = needs_->queue_family;
        d.get_instance_proc_addr = get_;
        d.instance = instance_;
        d.instance_info = &instance_info_;
        d.physical_device = gpu_;
        d.device = device_;
        d.device_info = &device_info_;
        d.queue = queue_;
        d.user = &queue_mutex_;
        d.lock_queue = [](void* user) { static_cast<std::mutex*>(user)->lock(); };
        d.unlock_queue = [](void* user) { static_cast<std::mutex*>(user)->unlock(); };
        return d;
    }

    // Copies the top screen's picture to the window. The program holds picavk's image until the commands that
    // read it are submitted: later pictures are drawn after them on the same queue.
    void present(PicavkContext* context)
    {
        vk_.WaitForFences(device_, 1, &done_, VK_TRUE, ~u64{0}); // the command buffer is free again
        u32 index = 0;
        must(vk_.AcquireNextImageKHR(device_, swapchain_, ~u64{0}, acquired_, VK_NULL_HANDLE, &index),
             "vkAcquireNextImageKHR");
        PicavkVulkanImage picture{};
        picture.struct_size = sizeof picture;
        if (picavk_acquire_image(context, PICAVK_SCREEN_TOP, &picture) != PICAVK_OK)
            give_up(picavk_message(context));
        record(picture, images_[index]);

        // On this queue it is not necessary to wait for the picture's semaphore. On another queue it would
        // be.
        const std::array<VkSemaphore, 2> waits = {acquired_, picture.semaphore};
        const std::array<u64, 2> values = {0, picture.value};
        const std::array<VkPipelineStageFlags, 2> stages = {VK_PIPELINE_STAGE_TRANSFER_BIT,
                                                            VK_PIPELINE_STAGE_TRANSFER_BIT};
        auto timeline =
            structure<VkTimelineSemaphoreSubmitInfo>(VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
        auto submit = structure<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
        submit.waitSemaphoreCount = picture.semaphore != VK_NULL_HANDLE ? 2 : 1;
        submit.pWaitSemaphores = waits.data();
        submit.pWaitDstStageMask = stages.data();
        submit.commandBufferCount = 1;
        submit.pCommandBuffers = &commands_;
        submit.signalSemaphoreCount = 1;
        submit.pSignalSemaphores = &drawn_[index];
        timeline.waitSemaphoreValueCount = submit.waitSemaphoreCount;
        timeline.pWaitSemaphoreValues = values.data();
        if (picture.semaphore != VK_NULL_HANDLE)
            submit.pNext = &timeline;
        auto info = structure<VkPresentInfoKHR>(VK_STRUCTURE_TYPE_PRESENT_INFO_KHR);
        info.waitSemaphoreCount = 1;
        info.pWaitSemaphores = &drawn_[index];
        info.swapchainCount = 1;
        info.pSwapchains = &swapchain_;
        info.pImageIndices = &index;
        vk_.ResetFences(device_, 1, &done_);
        {
            const std::lock_guard lock(queue_mutex_);
            must(vk_.QueueSubmit(queue_, 1, &submit, done_), "vkQueueSubmit");
            must(vk_.QueuePresentKHR(queue_, &info), "vkQueuePresentKHR");
        }
        if (picavk_release_image(context, &picture) != PICAVK_OK)
            give_up(picavk_message(context));
    }
    void wait() { vk_.WaitForFences(device_, 1, &done_, VK_TRUE, ~u64{0}); }

private:
    void create_instance()
    {
        get_ = reinterpret_cast<PFN_vkGetInstanceProcAddr>(
            glfwGetInstanceProcAddress(nullptr, "vkGetInstanceProcAddr"));
        u32 count = 0;
        const char** needed = glfwGetRequiredInstanceExtensions(&count);
        if (get_ == nullptr || needed == nullptr)
            give_up("no Vulkan that can present to this display");
        instance_extensions_.assign(needed, needed + count);
        const auto layers_of = reinterpret_cast<PFN_vkEnumerateInstanceLayerProperties>(
            get_(nullptr, "vkEnumerateInstanceLayerProperties"));
        must(layers_of(&count, nullptr), "vkEnumerateInstanceLayerProperties");
        std::vector<VkLayerProperties> layers(count);
        must(layers_of(&count, layers.data()), "vkEnumerateInstanceLayerProperties");
        const bool validates = std::any_of(layers.begin(), layers.end(),
                                           [](const VkLayerProperties& layer)
                                           { return std::strcmp(layer.layerName, layer_) == 0; });
        if (validates)
            instance_extensions_.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);

        application_.apiVersion = VK_API_VERSION_1_1; // the version that picavk needs
        instance_info_.pApplicationInfo = &application_;
        instance_info_.enabledLayerCount = validates ? 1 : 0;
        instance_info_.ppEnabledLayerNames = &layer_;
        instance_info_.enabledExtensionCount = u32(instance_extensions_.size());
        instance_info_.ppEnabledExtensionNames = instance_extensions_.data();
        const auto create = reinterpret_cast<PFN_vkCreateInstance>(get_(nullptr, "vkCreateInstance"));
        must(create(&instance_info_, nullptr, &instance_), "vkCreateInstance");
        if (!samples::load_window_api(vk_, get_, instance_))
            give_up("the Vulkan loader lacks presentation functions");
        if (!validates)
            return;
        auto info = structure<VkDebugUtilsMessengerCreateInfoEXT>(
            VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT);
        info.messageSeverity =
            VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
        info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
        info.pfnUserCallback = on_message;
        must(reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(
                 get_(instance_, "vkCreateDebugUtilsMessengerEXT"))(instance_, &info, nullptr, &messenger_),
             "vkCreateDebugUtilsMessengerEXT");
    }

    // The first device that picavk can use and that can present.
    void create_device()
    {
        u32 count = 0;
        vk_.EnumeratePhysicalDevices(instance_, &count, nullptr);
        std::vector<VkPhysicalDevice> gpus(count);
        vk_.EnumeratePhysicalDevices(instance_, &count, gpus.data());
        std::string why = "no Vulkan device";
        for (const VkPhysicalDevice gpu : gpus)
        {
            std::array<char, 256> message{};
            VkBool32 presents = VK_FALSE;
            if (picavk_vulkan_requirements(get_, instance_, &instance_info_, gpu, &needs_, message.data(),
                                           message.size()) != PICAVK_OK)
            {
                why = message.data();
                continue;
            }
            vk_.GetPhysicalDeviceSurfaceSupportKHR(gpu, needs_->queue_family, surface_, &presents);
            if (presents == VK_TRUE)
            {
                gpu_ = gpu;
                break;
            }
            why = "no Vulkan device can present to this display";
            picavk_vulkan_free_requirements(needs_);
            needs_ = nullptr;
        }
        if (gpu_ == VK_NULL_HANDLE)
            give_up(why);

        const float priority = 1;
        auto queue = structure<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
        queue.queueFamilyIndex = needs_->queue_family;
        queue.queueCount = 1;
        queue.pQueuePriorities = &priority;
        device_extensions_.assign(needs_->extensions, needs_->extensions + needs_->extension_count);
        device_extensions_.push_back(VK_KHR_SWAPCHAIN_EXTENSION_NAME);
        device_info_.pNext = needs_->features;
        device_info_.queueCreateInfoCount = 1;
        device_info_.pQueueCreateInfos = &queue;
        device_info_.enabledExtensionCount = u32(device_extensions_.size());
        device_info_.ppEnabledExtensionNames = device_extensions_.data();
        must(vk_.CreateDevice(gpu_, &device_info_, nullptr, &device_), "vkCreateDevice");
        vk_.GetDeviceQueue(device_, needs_->queue_family, 0, &queue_);

        auto pool = structure<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
        pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
        pool.queueFamilyIndex = needs_->queue_family;
        must(vk_.CreateCommandPool(device_, &pool, nullptr, &pool_), "vkCreateCommandPool");
        auto commands =
            structure<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
        commands.commandPool = pool_;
        commands.commandBufferCount = 1;
        must(vk_.AllocateCommandBuffers(device_, &commands, &commands_), "vkAllocateCommandBuffers");
        auto fence = structure<VkFenceCreateInfo>(VK_STRUCTURE_TYPE_FENCE_CREATE_INFO);
        fence.flags = VK_FENCE_CREATE_SIGNALED_BIT;
        must(vk_.CreateFence(device_, &fence, nullptr, &done_), "vkCreateFence");
        acquired_ = make_semaphore();
    }

    VkSemaphore make_semaphore()
    {
        const auto info = structure<VkSemaphoreCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO);
        VkSemaphore semaphore = VK_NULL_HANDLE;
        must(vk_.CreateSemaphore(device_, &info, nullptr, &semaphore), "vkCreateSemaphore");
        return semaphore;
    }

    void create_swapchain(VkExtent2D window_size)
    {
        VkSurfaceCapabilitiesKHR abilities;
        must(vk_.GetPhysicalDeviceSurfaceCapabilitiesKHR(gpu_, surface_, &abilities), "surface");
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
        if (plain == formats.end())
            give_up("the display takes no 8-bit UNORM pictures");
        auto info = structure<VkSwapchainCreateInfoKHR>(VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR);
        info.surface = surface_;
        info.minImageCount = std::max(abilities.minImageCount, 2u);
        info.imageFormat = plain->format;
        info.imageColorSpace = plain->colorSpace;
        extent_ = abilities.currentExtent.width != ~0u ? abilities.currentExtent : window_size;
        info.imageExtent = extent_;
        info.imageArrayLayers = 1;
        info.imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT;
        info.preTransform = abilities.currentTransform;
        info.compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR;
        info.presentMode = VK_PRESENT_MODE_FIFO_KHR;
        info.clipped = VK_TRUE;
        must(vk_.CreateSwapchainKHR(device_, &info, nullptr, &swapchain_), "vkCreateSwapchainKHR");
        vk_.GetSwapchainImagesKHR(device_, swapchain_, &count, nullptr);
        images_.resize(count);
        vk_.GetSwapchainImagesKHR(device_, swapchain_, &count, images_.data());
        for (u32 i = 0; i < count; ++i)
            drawn_.push_back(make_semaphore());
    }

    void record(const PicavkVulkanImage& picture, VkImage target)
    {
        const auto begin = structure<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
        must(vk_.BeginCommandBuffer(commands_, &begin), "vkBeginCommandBuffer");
        auto barrier = structure<VkImageMemoryBarrier>(VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER);
        barrier.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
        barrier.newLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
        barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
        barrier.image = target;
        barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
        vk_.CmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                               0, nullptr, 0, nullptr, 1, &barrier);
        VkImageBlit blit{};
        blit.srcSubresource = blit.dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
        blit.srcOffsets[1] = {int(picture.width), int(picture.height), 1};
        blit.dstOffsets[1] = {int(extent_.width), int(extent_.height), 1};
        vk_.CmdBlitImage(commands_, picture.image, picture.layout, target, barrier.newLayout, 1, &blit,
                         VK_FILTER_NEAREST);
        barrier.oldLayout = barrier.newLayout;
        barrier.newLayout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR;
        barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
        barrier.dstAccessMask = 0;
        vk_.CmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_TRANSFER_BIT,
                               VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0, 0, nullptr, 0, nullptr, 1, &barrier);
        must(vk_.EndCommandBuffer(commands_), "vkEndCommandBuffer");
    }

    static constexpr const char* layer_ = "VK_LAYER_KHRONOS_validation";
    samples::WindowApi vk_{};
    PFN_vkGetInstanceProcAddr get_ = nullptr;
    VkApplicationInfo application_ = structure<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
    VkInstanceCreateInfo instance_info_ =
        structure<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
    VkDeviceCreateInfo device_info_ = structure<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
    std::vector<const char*> instance_extensions_, device_extensions_;
    PicavkVulkanRequirements* needs_ = nullptr;
    VkInstance instance_ = VK_NULL_HANDLE;
    VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
    VkSurfaceKHR surface_ = VK_NULL_HANDLE;
    VkPhysicalDevice gpu_ = VK_NULL_HANDLE;
    VkDevice device_ = VK_NULL_HANDLE;
    VkQueue queue_ = VK_NULL_HANDLE;
    std::mutex queue_mutex_;
    VkSwapchainKHR swapchain_ = VK_NULL_HANDLE;
    VkExtent2D extent_{};
    std::vector<VkImage> images_;
    // One for each swapchain image, because presentation may still wait for it.
    std::vector<VkSemaphore> drawn_;
    VkSemaphore acquired_ = VK_NULL_HANDLE;
    VkFence done_ = VK_NULL_HANDLE;
    VkCommandPool pool_ = VK_NULL_HANDLE;
    VkCommandBuffer commands_ = VK_NULL_HANDLE;
};

} // namespace

int main(int argc, char** argv)
{
    const long frames = argc > 2 ? std::strtol(argv[2], nullptr, 10) : 0;
    const u32 scale = argc > 3 ? static_cast<u32>(std::strtoul(argv[3], nullptr, 10)) : 1;
    if (argc < 2 || argc > 4 || scale < 1 || scale > 8)
    {
        std::cerr << "usage: embed_vulkan STREAM.ctf [FRAMES [SCALE]], SCALE from 1 to 8\n";
        return 2;
    }
    if (!glfwInit())
        give_up("no display");
    glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
    glfwWindowHint(GLFW_RESIZABLE, GLFW_FALSE);
    const VkExtent2D size = {kWidth * scale, kHeight * scale};
    GLFWwindow* const window =
        glfwCreateWindow(int(size.width), int(size.height), "picavk embed_vulkan", nullptr, nullptr);
    if (window == nullptr)
        give_up("no window");
    {
        Guest guest(argv[1]);
        Host host(window, size);
        const PicavkVulkanDevice device = host.device();
        picavk::Options options;
        options.backend = picavk::Backend::Vulkan;
        options.regions = guest.regions();
        options.vulkan_device = &device;
        options.scale = scale;
        options.on_report = [](picavk::ReportKind, const char* cause, const char* detail)
        { std::cerr << cause << ": " << detail << '\n'; };
        auto [gpu, created] = picavk::Context::create(options);
        Guest::check(created);
        for (long frame = 0; (frames == 0 || frame < frames) && !glfwWindowShouldClose(window); ++frame)
        {
            guest.play_frame(gpu);
            Guest::check(gpu.end_frame());
            host.present(gpu.handle());
            glfwPollEvents();
        }
        if (frames != 0)
        {
            host.wait();
            glfwSetWindowTitle(window, ("picavk embed_vulkan, frame " + std::to_string(frames)).c_str());
            glfwPollEvents();
            std::cin.ignore(1 << 20, std::char_traits<char>::eof());
        }
    }
    glfwDestroyWindow(window);
    glfwTerminate();
    return validation_messages == 0 ? 0 : 1;
}
