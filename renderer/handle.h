// SPDX-License-Identifier: MIT
// Move-only owners of Vulkan objects; the destroy function is a member of the device's table. Whoever drops a
// handle that a submission may still use gives it to Stream::retire.
#pragma once

#include "renderer/vulkan.h"

#include <utility>

namespace renderer
{

template <typename T, auto Destroy>
class Handle
{
public:
    Handle() = default;
    Handle(VkDevice device, const VolkDeviceTable& vk, T object)
        : device_(device), destroy_(vk.*Destroy), object_(object)
    {
    }
    Handle(Handle&& other) noexcept
        : device_(other.device_), destroy_(other.destroy_), object_(std::exchange(other.object_, T{}))
    {
    }
    Handle& operator=(Handle&& other) noexcept
    {
        if (this != &other)
        {
            reset();
            device_ = other.device_;
            destroy_ = other.destroy_;
            object_ = std::exchange(other.object_, T{});
        }
        return *this;
    }
    ~Handle() { reset(); }

    T get() const { return object_; }
    operator T() const { return object_; }
    const T& ref() const { return object_; } // for the arrays that Vulkan takes
    explicit operator bool() const { return object_ != T{}; }
    void reset()
    {
        if (object_ != T{})
            destroy_(device_, std::exchange(object_, T{}), nullptr);
    }

private:
    using DestroyFunction = void(VKAPI_PTR*)(VkDevice, T, const VkAllocationCallbacks*);
    VkDevice device_ = VK_NULL_HANDLE;
    DestroyFunction destroy_ = nullptr;
    T object_{};
};

using UniqueBuffer = Handle<VkBuffer, &VolkDeviceTable::vkDestroyBuffer>;
using UniqueBufferView = Handle<VkBufferView, &VolkDeviceTable::vkDestroyBufferView>;
using UniqueCommandPool = Handle<VkCommandPool, &VolkDeviceTable::vkDestroyCommandPool>;
using UniqueDescriptorPool = Handle<VkDescriptorPool, &VolkDeviceTable::vkDestroyDescriptorPool>;
using UniqueDescriptorSetLayout =
    Handle<VkDescriptorSetLayout, &VolkDeviceTable::vkDestroyDescriptorSetLayout>;
using UniqueDeviceMemory = Handle<VkDeviceMemory, &VolkDeviceTable::vkFreeMemory>;
using UniqueFence = Handle<VkFence, &VolkDeviceTable::vkDestroyFence>;
using UniqueFramebuffer = Handle<VkFramebuffer, &VolkDeviceTable::vkDestroyFramebuffer>;
using UniqueImage = Handle<VkImage, &VolkDeviceTable::vkDestroyImage>;
using UniqueImageView = Handle<VkImageView, &VolkDeviceTable::vkDestroyImageView>;
using UniquePipeline = Handle<VkPipeline, &VolkDeviceTable::vkDestroyPipeline>;
using UniquePipelineCache = Handle<VkPipelineCache, &VolkDeviceTable::vkDestroyPipelineCache>;
using UniquePipelineLayout = Handle<VkPipelineLayout, &VolkDeviceTable::vkDestroyPipelineLayout>;
using UniqueRenderPass = Handle<VkRenderPass, &VolkDeviceTable::vkDestroyRenderPass>;
using UniqueSampler = Handle<VkSampler, &VolkDeviceTable::vkDestroySampler>;
using UniqueShaderModule = Handle<VkShaderModule, &VolkDeviceTable::vkDestroyShaderModule>;

} // namespace renderer
