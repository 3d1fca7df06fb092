// SPDX-License-Identifier: MIT
// Handle: a move-only owner of a Vulkan object. The destroy function is looked up in the device's table when
// the object is destroyed, because Device::abandon exchanges the functions there. The table must outlive the
// handle. A handle that a submission may still use must be given to Stream::retire.
#pragma once

#include "renderer/vulkan/vulkan.h"

#include <utility>

namespace renderer
{

template <typename T, auto Destroy>
class Handle
{
public:
    Handle() = default;
    Handle(VkDevice device, const DeviceTable& vk, T object) : device_(device), vk_(&vk), object_(object) {}
    Handle(Handle&& other) noexcept
        : device_(other.device_), vk_(other.vk_), object_(std::exchange(other.object_, T{}))
    {
    }
    Handle& operator=(Handle&& other) noexcept
    {
        if (this != &other)
        {
            reset();
            device_ = other.device_;
            vk_ = other.vk_;
            object_ = std::exchange(other.object_, T{});
        }
        return *this;
    }
    ~Handle() { reset(); }

    T get() const { return object_; }
    operator T() const { return object_; }
    const T& ref() const { return object_; } // for the arrays that Vulkan takes
    explicit operator bool() const { return object_ != T{}; }
    // Destroys the object, if there is one.
    void reset()
    {
        if (object_ != T{})
            (vk_->*Destroy)(device_, std::exchange(object_, T{}), nullptr);
    }

private:
    VkDevice device_ = VK_NULL_HANDLE;
    const DeviceTable* vk_ = nullptr;
    T object_{};
};

using UniqueBuffer = Handle<VkBuffer, &DeviceTable::vkDestroyBuffer>;
using UniqueBufferView = Handle<VkBufferView, &DeviceTable::vkDestroyBufferView>;
using UniqueCommandPool = Handle<VkCommandPool, &DeviceTable::vkDestroyCommandPool>;
using UniqueDescriptorPool = Handle<VkDescriptorPool, &DeviceTable::vkDestroyDescriptorPool>;
using UniqueDescriptorSetLayout = Handle<VkDescriptorSetLayout, &DeviceTable::vkDestroyDescriptorSetLayout>;
using UniqueDeviceMemory = Handle<VkDeviceMemory, &DeviceTable::vkFreeMemory>;
using UniqueFence = Handle<VkFence, &DeviceTable::vkDestroyFence>;
using UniqueFramebuffer = Handle<VkFramebuffer, &DeviceTable::vkDestroyFramebuffer>;
using UniqueImage = Handle<VkImage, &DeviceTable::vkDestroyImage>;
using UniqueImageView = Handle<VkImageView, &DeviceTable::vkDestroyImageView>;
using UniquePipeline = Handle<VkPipeline, &DeviceTable::vkDestroyPipeline>;
using UniquePipelineCache = Handle<VkPipelineCache, &DeviceTable::vkDestroyPipelineCache>;
using UniquePipelineLayout = Handle<VkPipelineLayout, &DeviceTable::vkDestroyPipelineLayout>;
using UniqueQueryPool = Handle<VkQueryPool, &DeviceTable::vkDestroyQueryPool>;
using UniqueRenderPass = Handle<VkRenderPass, &DeviceTable::vkDestroyRenderPass>;
using UniqueSampler = Handle<VkSampler, &DeviceTable::vkDestroySampler>;
using UniqueSemaphore = Handle<VkSemaphore, &DeviceTable::vkDestroySemaphore>;
using UniqueShaderModule = Handle<VkShaderModule, &DeviceTable::vkDestroyShaderModule>;

} // namespace renderer
