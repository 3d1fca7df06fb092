// SPDX-License-Identifier: MIT
// Tables of Vulkan functions, one per instance and one per device. There are no global pointers, so that any
// number of instances, devices and loaders (the emulator's too) can exist in one process.
#pragma once

#include <vulkan/vulkan_core.h>

namespace renderer
{

// clang-format off
#define RENDERER_INSTANCE_FUNCTIONS(X) \
    X(vkCreateDevice) X(vkDestroyInstance) X(vkEnumerateDeviceExtensionProperties) X(vkEnumeratePhysicalDevices) \
    X(vkGetDeviceProcAddr) X(vkGetPhysicalDeviceFeatures2) X(vkGetPhysicalDeviceFormatProperties) \
    X(vkGetPhysicalDeviceMemoryProperties) X(vkGetPhysicalDeviceProperties) X(vkGetPhysicalDeviceProperties2) \
    X(vkGetPhysicalDeviceQueueFamilyProperties)

// Functions of VK_EXT_debug_utils; null where the instance was created without it.
#define RENDERER_DEBUG_FUNCTIONS(X) \
    X(vkCmdBeginDebugUtilsLabelEXT) X(vkCmdEndDebugUtilsLabelEXT) X(vkCreateDebugUtilsMessengerEXT) \
    X(vkDestroyDebugUtilsMessengerEXT) X(vkSetDebugUtilsObjectNameEXT)

#define RENDERER_DEVICE_FUNCTIONS(X) \
    X(vkAllocateCommandBuffers) X(vkAllocateDescriptorSets) X(vkAllocateMemory) X(vkBeginCommandBuffer) \
    X(vkBindBufferMemory) X(vkBindImageMemory) X(vkCmdBeginRenderPass) X(vkCmdBindDescriptorSets) \
    X(vkCmdBindPipeline) X(vkCmdBindVertexBuffers) X(vkCmdClearColorImage) X(vkCmdClearDepthStencilImage) \
    X(vkCmdCopyBuffer) X(vkCmdCopyBufferToImage) X(vkCmdCopyImage) X(vkCmdCopyImageToBuffer) X(vkCmdDispatch) X(vkCmdDispatchIndirect) \
    X(vkCmdDraw) X(vkCmdDrawIndirect) X(vkCmdEndRenderPass) X(vkCmdFillBuffer) X(vkCmdPipelineBarrier) \
    X(vkCmdPushConstants) X(vkCmdResetQueryPool) X(vkCmdSetScissor) X(vkCmdSetStencilCompareMask) X(vkCmdSetStencilReference) \
    X(vkCmdSetStencilWriteMask) X(vkCmdSetViewport) X(vkCmdUpdateBuffer) X(vkCmdWriteTimestamp) X(vkCreateBuffer) X(vkCreateBufferView) \
    X(vkCreateCommandPool) X(vkCreateComputePipelines) X(vkCreateDescriptorPool) X(vkCreateDescriptorSetLayout) \
    X(vkCreateFence) X(vkCreateFramebuffer) X(vkCreateGraphicsPipelines) X(vkCreateImage) X(vkCreateImageView) \
    X(vkCreatePipelineCache) X(vkCreatePipelineLayout) X(vkCreateQueryPool) X(vkCreateRenderPass) X(vkCreateSampler) \
    X(vkCreateSemaphore) X(vkCreateShaderModule) X(vkDestroyBuffer) X(vkDestroyBufferView) \
    X(vkDestroyCommandPool) X(vkDestroyDescriptorPool) X(vkDestroyDescriptorSetLayout) X(vkDestroyDevice) \
    X(vkDestroyFence) X(vkDestroyFramebuffer) X(vkDestroyImage) X(vkDestroyImageView) X(vkDestroyPipeline) \
    X(vkDestroyPipelineCache) X(vkDestroyPipelineLayout) X(vkDestroyQueryPool) X(vkDestroyRenderPass) X(vkDestroySampler) \
    X(vkDestroySemaphore) X(vkDestroyShaderModule) X(vkDeviceWaitIdle) X(vkEndCommandBuffer) \
    X(vkFreeDescriptorSets) X(vkFreeMemory) X(vkGetBufferMemoryRequirements) X(vkGetDeviceQueue) \
    X(vkGetFenceStatus) X(vkGetImageMemoryRequirements) X(vkGetPipelineCacheData) X(vkGetQueryPoolResults) \
    X(vkInvalidateMappedMemoryRanges) X(vkMapMemory) X(vkMergePipelineCaches) \
    X(vkQueueSubmit) X(vkQueueWaitIdle) X(vkResetFences) X(vkUpdateDescriptorSets) X(vkWaitForFences)
// clang-format on

#define RENDERER_MEMBER(name) PFN_##name name = nullptr;
// The functions of an instance.
struct InstanceTable
{
    PFN_vkGetInstanceProcAddr get = nullptr; // the loader's function, with which the others were loaded
    RENDERER_INSTANCE_FUNCTIONS(RENDERER_MEMBER)
    RENDERER_DEBUG_FUNCTIONS(RENDERER_MEMBER)
};

// The functions of a device.
struct DeviceTable
{
    RENDERER_DEVICE_FUNCTIONS(RENDERER_MEMBER)
};
#undef RENDERER_MEMBER

// Load a table. The result is the name of the first function of Vulkan 1.1 that is missing, or null if the
// table is complete.
const char* load_instance_table(InstanceTable& table, PFN_vkGetInstanceProcAddr get, VkInstance instance,
                                bool debug_utils);
const char* load_device_table(DeviceTable& table, const InstanceTable& instance, VkDevice device);
// Makes all functions of the table do nothing. Those with a result return VK_ERROR_DEVICE_LOST and set
// nothing else.
void silence(DeviceTable& table);
// The same for functions that record, submit and write descriptors. Functions that create, wait and free
// still work.
void silence_commands(DeviceTable& table);

} // namespace renderer
