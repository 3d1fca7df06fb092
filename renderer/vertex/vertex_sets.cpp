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

std::size_t index_of(ComputeStage stage)
{
    return static_cast<std::size_t>(stage);
}

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
    for (const Sets& sets : sets_)
        if (sets.buffers == item)
            return true;
    const VkDescriptorType uniform = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
    const Binding block{BINDING_VERTEX_BLOCK, {item.block, 0, sizeof(shadergen::VertexBlock)}, uniform};
    const Binding program{BINDING_PROGRAM, {item.program, 0, sizeof(shadergen::ProgramBlock)}, uniform};
    const Binding vram{BINDING_MIRROR_VRAM, whole(item.inlined ? item.inlined : batch.mirror_vram)};
    const Binding fcram{BINDING_MIRROR_FCRAM, whole(batch.mirror_fcram)};
    const Binding shaded{BINDING_SHADED, whole(batch.shaded)};
    const Binding counts{BINDING_TRIANGLE_COUNT, whole(batch.counts)};
    const Binding status{BINDING_STATUS, batch.status};
    const std::array vertex = {vram, fcram, shaded, status, block, program};
    const std::array clip_count = {shaded, counts, block};
    const std::array scan = {counts, Binding{BINDING_SCAN_DRAWS, batch.scan_draws},
                             Binding{BINDING_INDIRECT, whole(batch.indirect)}, status};
    const std::array emit = {shaded, counts, Binding{BINDING_RECORDS, whole(batch.records)},
                             Binding{BINDING_POSITIONS, whole(batch.positions)}, block};

    Sets sets;
    sets.buffers = item;
    bool made = true;
    const auto add_stage = [&](ComputeStage stage, std::span<const Binding> bindings)
    { made = made && (sets.set[index_of(stage)] = make(stage, bindings)) != VK_NULL_HANDLE; };
    // Only the interpreter has a block with the program.
    add_stage(item.vertex_stage(), std::span(vertex).first(item.program ? vertex.size() : vertex.size() - 1));
    add_stage(ComputeStage::ClipCount, clip_count);
    add_stage(ComputeStage::Scan, scan);
    add_stage(ComputeStage::Emit, emit);
    if (made)
        sets_.push_back(sets);
    return made;
}

VkDescriptorSet VertexSets::find(const VertexItemBuffers& item, ComputeStage stage) const
{
    for (const Sets& sets : sets_)
        if (sets.buffers == item)
            return sets.set[index_of(stage)];
    return VK_NULL_HANDLE;
}

VkDescriptorSet VertexSets::any(ComputeStage stage) const
{
    return sets_.empty() ? VK_NULL_HANDLE : sets_.front().set[index_of(stage)];
}

} // namespace renderer
