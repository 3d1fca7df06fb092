// SPDX-License-Identifier: MIT
// Presents with Vulkan.
#pragma once

#include "samples/cli/presenter.h"
#include "samples/window/window_api.h"

#include <memory>
#include <vector>

struct GLFWwindow;

namespace samples
{

class WindowPresenter final : public Presenter
{
public:
    // The window must have been created with GLFW_NO_API and must outlive the presenter.
    static pica::Result<std::unique_ptr<WindowPresenter>> create(GLFWwindow* window);
    ~WindowPresenter() override;
    WindowPresenter(const WindowPresenter&) = delete;
    WindowPresenter& operator=(const WindowPresenter&) = delete;

    pica::PictureSize size() const override;
    pica::Status present(const Picture& picture) override;
    const std::string& device_name() const override { return device_name_; }

private:
    explicit WindowPresenter(GLFWwindow* window) : window_(window) {}
    pica::Status create_instance();
    pica::Status choose_device();
    pica::Status create_device();
    pica::Status create_upload(pica::u32 width, pica::u32 height);
    void destroy_upload();
    pica::Status create_swapchain();
    void destroy_swapchain();
    pica::Result<VkDeviceMemory> allocate(const VkMemoryRequirements& needs, VkMemoryPropertyFlags flags);
    void record(VkImage target);

    GLFWwindow* window_;
    // Of the last picture.
    pica::u32 width_ = 0;
    pica::u32 height_ = 0;
    std::string device_name_;
    WindowApi vk_ = {};
    VkInstance instance_ = VK_NULL_HANDLE;
    VkSurfaceKHR surface_ = VK_NULL_HANDLE;
    VkPhysicalDevice gpu_ = VK_NULL_HANDLE;
    VkDevice device_ = VK_NULL_HANDLE;
    pica::u32 family_ = 0;
    VkQueue queue_ = VK_NULL_HANDLE;
    VkCommandPool pool_ = VK_NULL_HANDLE;
    VkCommandBuffer commands_ = VK_NULL_HANDLE;
    VkFence done_ = VK_NULL_HANDLE;
    VkSemaphore acquired_ = VK_NULL_HANDLE;
    VkBuffer staging_ = VK_NULL_HANDLE;
    VkDeviceMemory staging_memory_ = VK_NULL_HANDLE;
    void* staging_bytes_ = nullptr;
    VkImage canvas_ = VK_NULL_HANDLE;
    VkDeviceMemory canvas_memory_ = VK_NULL_HANDLE;
    VkSwapchainKHR swapchain_ = VK_NULL_HANDLE;
    VkExtent2D extent_ = {};
    std::vector<VkImage> images_;
    // One for each swapchain image, because presentation may still wait for it.
    std::vector<VkSemaphore> rendered_;
};

} // namespace samples
