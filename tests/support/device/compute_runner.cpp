// SPDX-License-Identifier: MIT
#include "tests/support/device/compute_runner.h"

#include "tests/support/device/validation.h"

#include <doctest/doctest.h>

#include <array>
#include <cstdio>
#include <cstdlib>

namespace tests
{

std::unique_ptr<ComputeRunner> ComputeRunner::create()
{
    renderer::DeviceOptions options;
    options.validation = kAskForValidationLayers;
    auto device = renderer::Device::create(options);
    if (!device)
    {
        std::fprintf(stderr, "no Vulkan device: %s\n", device.error().message.c_str());
        return nullptr;
    }
    return std::unique_ptr<ComputeRunner>(new ComputeRunner(std::move(device.value())));
}

ComputeRunner::ComputeRunner(std::unique_ptr<renderer::Device> device) : device_(std::move(device))
{
    memory_ = std::make_unique<renderer::Memory>(*device_);
    const VkCommandPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, nullptr,
                                               VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                               device_->queue_family};
    VkCommandPool pool = VK_NULL_HANDLE;
    must(device_->vk.vkCreateCommandPool(device_->handle, &pool_info, nullptr, &pool), "command pool");
    command_pool_ = {device_->handle, device_->vk, pool};
    const VkCommandBufferAllocateInfo allocate_info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                       nullptr, pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
    must(device_->vk.vkAllocateCommandBuffers(device_->handle, &allocate_info, &commands_), "command buffer");
}

ComputeRunner::~ComputeRunner() = default;

void ComputeRunner::must(VkResult result, const char* what)
{
    if (result == VK_SUCCESS)
        return;
    std::fprintf(stderr, "compute runner: %s failed with %d\n", what, static_cast<int>(result));
    std::abort();
}

shadergen::Target ComputeRunner::target() const
{
    shadergen::Target target;
    target.rounding_mode_rte = device_->features.float_rte;
    target.nan_preserve = device_->features.float_nan_preserve;
    target.choice = device_->features.branches ? shadergen::Choice::Branch : shadergen::Choice::Select;
    return target;
}

renderer::Buffer ComputeRunner::buffer(std::size_t bytes)
{
    auto result =
        memory_->create_buffer(bytes, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT,
                               renderer::MemoryKind::Upload, "test");
    if (!result)
        must(VK_ERROR_OUT_OF_DEVICE_MEMORY, result.error().message.c_str());
    std::memset(result->mapped, 0, bytes);
    return std::move(result.value());
}

u32 ComputeRunner::pipeline(const shadergen::Spirv& spirv, std::initializer_list<ComputeBinding> layout)
{
    std::vector<VkDescriptorSetLayoutBinding> bindings;
    for (const ComputeBinding& b : layout)
        bindings.push_back({b.binding,
                            b.uniform ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                            1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr});
    const VkDescriptorSetLayoutCreateInfo set_info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                      nullptr, 0, static_cast<u32>(bindings.size()),
                                                      bindings.data()};
    const auto& vk = device_->vk;
    Pipeline result;
    VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
    must(vk.vkCreateDescriptorSetLayout(device_->handle, &set_info, nullptr, &set_layout), "set layout");
    result.set_layout = {device_->handle, vk, set_layout};
    VkPipelineLayoutCreateInfo layout_info = {};
    layout_info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
    layout_info.setLayoutCount = 1;
    layout_info.pSetLayouts = &set_layout;
    VkPipelineLayout pipeline_layout = VK_NULL_HANDLE;
    must(vk.vkCreatePipelineLayout(device_->handle, &layout_info, nullptr, &pipeline_layout),
         "pipeline layout");
    result.layout = {device_->handle, vk, pipeline_layout};

    const VkShaderModuleCreateInfo module_info = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, nullptr, 0,
                                                  spirv.size() * 4, spirv.data()};
    VkShaderModule module = VK_NULL_HANDLE;
    must(vk.vkCreateShaderModule(device_->handle, &module_info, nullptr, &module), "shader module");
    VkComputePipelineCreateInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = module;
    info.stage.pName = "main";
    info.layout = pipeline_layout;
    VkPipeline handle = VK_NULL_HANDLE;
    const VkResult made =
        vk.vkCreateComputePipelines(device_->handle, VK_NULL_HANDLE, 1, &info, nullptr, &handle);
    vk.vkDestroyShaderModule(device_->handle, module, nullptr);
    must(made, "compute pipeline");
    result.pipeline = {device_->handle, vk, handle};
    pipelines_.push_back(std::move(result));
    return static_cast<u32>(pipelines_.size() - 1);
}

void ComputeRunner::dispatch(u32 index, std::initializer_list<ComputeBinding> bindings, u32 groups)
{
    const auto& vk = device_->vk;
    const Pipeline& pipeline = pipelines_[index];
    if (!recording_)
    {
        VkCommandBufferBeginInfo begin = {};
        begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
        begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
        must(vk.vkBeginCommandBuffer(commands_, &begin), "begin");
        recording_ = true;
    }
    const std::array<VkDescriptorPoolSize, 2> sizes = {
        {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 12}, {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 2}}};
    const VkDescriptorPoolCreateInfo pool_info = {
        VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, nullptr, 0, 1, 2, sizes.data()};
    VkDescriptorPool pool = VK_NULL_HANDLE;
    must(vk.vkCreateDescriptorPool(device_->handle, &pool_info, nullptr, &pool), "descriptor pool");
    descriptor_pools_.emplace_back(device_->handle, vk, pool);
    const VkDescriptorSetLayout set_layout = pipeline.set_layout.get();
    const VkDescriptorSetAllocateInfo allocate = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, nullptr,
                                                  pool, 1, &set_layout};
    VkDescriptorSet set = VK_NULL_HANDLE;
    must(vk.vkAllocateDescriptorSets(device_->handle, &allocate, &set), "descriptor set");
    for (const ComputeBinding& b : bindings)
    {
        const VkDescriptorBufferInfo info = {b.buffer->buffer.get(), 0, VK_WHOLE_SIZE};
        VkWriteDescriptorSet write = {};
        write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
        write.dstSet = set;
        write.dstBinding = b.binding;
        write.descriptorCount = 1;
        write.descriptorType =
            b.uniform ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
        write.pBufferInfo = &info;
        vk.vkUpdateDescriptorSets(device_->handle, 1, &write, 0, nullptr);
    }
    const VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_SHADER_WRITE_BIT,
                                     VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT};
    vk.vkCmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                            VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &barrier, 0, nullptr, 0, nullptr);
    vk.vkCmdBindPipeline(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.pipeline.get());
    vk.vkCmdBindDescriptorSets(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.layout.get(), 0, 1, &set,
                               0, nullptr);
    vk.vkCmdDispatch(commands_, groups, 1, 1);
}

void ComputeRunner::submit()
{
    const auto& vk = device_->vk;
    if (!recording_)
        return;
    const VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_SHADER_WRITE_BIT,
                                     VK_ACCESS_HOST_READ_BIT};
    vk.vkCmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                            &barrier, 0, nullptr, 0, nullptr);
    must(vk.vkEndCommandBuffer(commands_), "end");
    recording_ = false;
    VkSubmitInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
    info.commandBufferCount = 1;
    info.pCommandBuffers = &commands_;
    must(vk.vkQueueSubmit(device_->queue, 1, &info, VK_NULL_HANDLE), "submit");
    must(vk.vkQueueWaitIdle(device_->queue), "wait");
    descriptor_pools_.clear();
}

shadergen::Spirv compile_compute(const std::string& text, const shadergen::Target& target)
{
    auto result = shadergen::compile(shadergen::Stage::Compute, text, target);
    if (!result)
    {
        FAIL_CHECK(result.error().message);
        return {};
    }
    return std::move(result.value());
}

} // namespace tests
