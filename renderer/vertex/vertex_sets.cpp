// SPDX-License-Identifier: MIT
// Part of VertexExecutor: its descriptor sets.
#include "renderer/vertex/vertex_executor.h"
#include "shadergen/uniforms.h"
#include "shaders/include/layout.h"

namespace renderer
{

namespace
{

constexpr u32 kSetsPerPool = 256;

} // namespace

VkDescriptorSet VertexExecutor::allocate_set(ComputeStage stage)
{
    if (!pool_ || pool_used_ >= kSetsPerPool)
    {
        if (pool_)
            stream_.retire(std::move(pool_));
        const VkDescriptorPoolSize sizes[] = {
            {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, kSetsPerPool * 4},
            {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, kSetsPerPool * 2},
        };
        auto info = make<VkDescriptorPoolCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO);
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
    auto info = make<VkDescriptorSetAllocateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO);
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

bool VertexExecutor::make_sets(const Item& item, const Slice& scan)
{
    for (const Sets& sets : sets_)
        if (sets.serve(item))
            return true;
    Sets sets;
    sets.block_buffer = item.block_buffer;
    sets.program_buffer = item.program_buffer;
    sets.inline_buffer = item.inline_buffer;
    const VkBuffer vram = item.inline_buffer ? item.inline_buffer : mirror_.buffer(GuestMirror::kVram);
    const bool interpreted = item.program_buffer != VK_NULL_HANDLE;
    const ComputeStage vertex = interpreted ? ComputeStage::VertexInterpreter : ComputeStage::Vertex;
    const ComputeStage unused = interpreted ? ComputeStage::Vertex : ComputeStage::VertexInterpreter;
    const struct
    {
        ComputeStage stage;
        u32 binding;
        VkDescriptorBufferInfo info;
    } buffers[] = {
        {vertex, BINDING_MIRROR_VRAM, {vram, 0, VK_WHOLE_SIZE}},
        {vertex, BINDING_MIRROR_FCRAM, {mirror_.buffer(GuestMirror::kFcram), 0, VK_WHOLE_SIZE}},
        {vertex, BINDING_SHADED, {shaded_.buffer, 0, VK_WHOLE_SIZE}},
        {vertex, BINDING_STATUS, {status_.buffer, status_offset(), kStatusBytes}},
        {ComputeStage::ClipCount, BINDING_SHADED, {shaded_.buffer, 0, VK_WHOLE_SIZE}},
        {ComputeStage::ClipCount, BINDING_TRIANGLE_COUNT, {counts_.buffer, 0, VK_WHOLE_SIZE}},
        {ComputeStage::Scan, BINDING_TRIANGLE_COUNT, {counts_.buffer, 0, VK_WHOLE_SIZE}},
        {ComputeStage::Scan, BINDING_SCAN_DRAWS, {scan.buffer, scan.offset, scan.size}},
        {ComputeStage::Scan, BINDING_INDIRECT, {indirect_.buffer, 0, VK_WHOLE_SIZE}},
        {ComputeStage::Scan, BINDING_STATUS, {status_.buffer, status_offset(), kStatusBytes}},
        {ComputeStage::Emit, BINDING_SHADED, {shaded_.buffer, 0, VK_WHOLE_SIZE}},
        {ComputeStage::Emit, BINDING_TRIANGLE_COUNT, {counts_.buffer, 0, VK_WHOLE_SIZE}},
        {ComputeStage::Emit, BINDING_RECORDS, {records_.buffer, 0, VK_WHOLE_SIZE}},
        {ComputeStage::Emit, BINDING_POSITIONS, {positions_.buffer, 0, VK_WHOLE_SIZE}},
    };
    const VkDescriptorBufferInfo block{item.block_buffer, 0, sizeof(shadergen::VertexBlock)};
    const VkDescriptorBufferInfo program{item.program_buffer, 0, sizeof(shadergen::ProgramBlock)};
    for (std::size_t stage = 0; stage < kComputeStages; stage++)
    {
        if (stage == static_cast<std::size_t>(unused) ||
            stage == static_cast<std::size_t>(ComputeStage::Geometry)) // done by make_geometry_sets()
            continue;
        sets.set[stage] = allocate_set(static_cast<ComputeStage>(stage));
        if (sets.set[stage] == VK_NULL_HANDLE)
            return false;
        VkWriteDescriptorSet writes[6]{};
        u32 count = 0;
        const auto write = [&](u32 binding, VkDescriptorType type, const VkDescriptorBufferInfo& buffer)
        {
            VkWriteDescriptorSet& w = writes[count++];
            w.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
            w.dstSet = sets.set[stage];
            w.dstBinding = binding;
            w.descriptorCount = 1;
            w.descriptorType = type;
            w.pBufferInfo = &buffer;
        };
        for (const auto& buffer : buffers)
            if (static_cast<std::size_t>(buffer.stage) == stage)
                write(buffer.binding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, buffer.info);
        if (stage != static_cast<std::size_t>(ComputeStage::Scan))
            write(BINDING_VERTEX_BLOCK, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, block);
        if (stage == static_cast<std::size_t>(ComputeStage::VertexInterpreter))
            write(BINDING_PROGRAM, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, program);
        device_.vk.vkUpdateDescriptorSets(device_.handle, count, writes, 0, nullptr);
    }
    sets_.push_back(sets);
    return true;
}

} // namespace renderer
