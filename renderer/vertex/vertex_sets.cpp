// SPDX-License-Identifier: MIT
#include "renderer/vertex/vertex_sets.h"

#include "renderer/pipelines/pipeline_cache.h"
#include "renderer/vulkan/stream.h"
#include "shadergen/uniforms.h"
#include "shadergen/vertex_uniforms.h"
#include "shaders/include/layout.h"

#include <algorithm>
#include <array>

namespace renderer
{

namespace
{

constexpr u32 kSetsPerPool = 256;
constexpr std::size_t kMostBindings = 8;

VkDescriptorBufferInfo whole(VkBuffer buffer)
{
    return {buffer, 0, VK_WHOLE_SIZE};
}

} // namespace

VkDescriptorSet VertexSets::allocate(ComputeStage stage)
{
    if (!pool_ || pool_used_ >= kSetsPerPool)
    {
        if (pool_)
            stream_.retire(std::move(pool_));
        const VkDescriptorPoolSize sizes[] = {
            {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, kSetsPerPool * 4},
            {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, kSetsPerPool * 2},
        };
        auto info = renderer::make<VkDescriptorPoolCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO);
        info.maxSets = kSetsPerPool;
        info.poolSizeCount = static_cast<u32>(std::size(sizes));
        info.pPoolSizes = sizes;
        VkDescriptorPool pool = VK_NULL_HANDLE;
        if (!device_.check(device_.vk.vkCreateDescriptorPool(device_.handle, &info, nullptr, &pool),
                           "vkCreateDescriptorPool"))
            return VK_NULL_HANDLE;
        pool_ = UniqueDescriptorPool(device_.handle, device_.vk, pool);
        pool_used_ = 0;
    }
    const VkDescriptorSetLayout layout = pipelines_.compute_set(stage);
    auto info = renderer::make<VkDescriptorSetAllocateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO);
    info.descriptorPool = pool_;
    info.descriptorSetCount = 1;
    info.pSetLayouts = &layout;
    VkDescriptorSet set = VK_NULL_HANDLE;
    if (!device_.check(device_.vk.vkAllocateDescriptorSets(device_.handle, &info, &set),
                       "vkAllocateDescriptorSets"))
        return VK_NULL_HANDLE;
    pool_used_++;
    return set;
}

VkDescriptorSet VertexSets::make(ComputeStage stage, std::span<const Binding> bindings)
{
    const VkDescriptorSet set = allocate(stage);
    if (set == VK_NULL_HANDLE)
        return VK_NULL_HANDLE;
    std::array<VkWriteDescriptorSet, kMostBindings> writes{};
    u32 count = 0;
    for (const Binding& binding : bindings)
    {
        VkWriteDescriptorSet& write = writes[count++];
        write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
        write.dstSet = set;
        write.dstBinding = binding.number;
        write.descriptorCount = 1;
        write.descriptorType = binding.type;
        write.pBufferInfo = &binding.buffer;
    }
    device_.vk.vkUpdateDescriptorSets(device_.handle, count, writes.data(), 0, nullptr);
    return set;
}

bool VertexSets::add(const VertexItemBuffers& item, const VertexBatchBuffers& batch)
{
    if (find(item) != VK_NULL_HANDLE)
        return true;
    const VkDescriptorType uniform = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
    const std::array bindings = {
        Binding{BINDING_MIRROR_VRAM, whole(item.inlined ? item.inlined : batch.mirror_vram)},
        Binding{BINDING_MIRROR_FCRAM, whole(batch.mirror_fcram)},
        Binding{BINDING_SHADED, whole(batch.shaded)},
        Binding{BINDING_STATUS, batch.status},
        Binding{BINDING_VERTEX_BLOCK, {item.block, 0, sizeof(shadergen::VertexBlock)}, uniform},
        Binding{BINDING_PROGRAM, {item.program, 0, sizeof(shadergen::ProgramBlock)}, uniform},
    };
    // Only the interpreter has a block with the program.
    const VkDescriptorSet set = make(
        item.vertex_stage(), std::span(bindings).first(item.program ? bindings.size() : bindings.size() - 1));
    if (set != VK_NULL_HANDLE)
        sets_.push_back({item, set});
    return set != VK_NULL_HANDLE;
}

VkDescriptorSet VertexSets::find(const VertexItemBuffers& item) const
{
    for (const ItemSet& made : sets_)
        if (made.buffers == item)
            return made.set;
    return VK_NULL_HANDLE;
}

} // namespace renderer
