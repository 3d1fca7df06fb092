// SPDX-License-Identifier: MIT
#include "renderer/vertex/triangle_stages.h"

#include "renderer/pipelines/pipeline_cache.h"
#include "renderer/vertex/vertex_buffers.h"
#include "renderer/vertex/vertex_pipelines.h"
#include "renderer/vertex/vertex_sets.h"
#include "shadergen/vertex_uniforms.h"

#include <algorithm>
#include <cstring>

namespace renderer
{

bool TriangleStages::prepare(const VkDescriptorBufferInfo& status)
{
    const shadergen::SlotsHeader header = shadergen::place_slots(draws_, groups_);
    slots_ = header.slots;
    upload_ = parts_.ring.allocate(head_bytes() + groups_.size() * 4);
    if (!upload_)
        return false;
    std::memcpy(upload_.host, &header, sizeof header);
    std::memcpy(upload_.host + sizeof header, draws_.data(), head_bytes() - sizeof header);
    std::memcpy(upload_.host + head_bytes(), groups_.data(), groups_.size() * 4);

    const auto whole = [](VkBuffer buffer) { return VkDescriptorBufferInfo{buffer, 0, VK_WHOLE_SIZE}; };
    const VertexBuffers& buffers = parts_.buffers;
    const VertexSets::Binding slots{BINDING_SLOTS, whole(buffers.slots())};
    triangles_ =
        parts_.sets.make(ComputeStage::Triangles,
                         std::array{VertexSets::Binding{BINDING_SHADED, whole(buffers.shaded())}, slots,
                                    VertexSets::Binding{BINDING_RECORDS, whole(buffers.records())},
                                    VertexSets::Binding{BINDING_POSITIONS, whole(buffers.positions())}});
    scan_ =
        parts_.sets.make(ComputeStage::Scan,
                         std::array{slots, VertexSets::Binding{BINDING_INDIRECT, whole(buffers.indirect())},
                                    VertexSets::Binding{BINDING_STATUS, status}});
    return triangles_ != VK_NULL_HANDLE && scan_ != VK_NULL_HANDLE;
}

void TriangleStages::record_upload(VkCommandBuffer cmd)
{
    const VkBufferCopy regions[] = {
        {upload_.offset, 0, head_bytes()},
        {upload_.offset + head_bytes(), VertexBuffers::kSlotWords, groups_.size() * 4},
    };
    parts_.device.vk.vkCmdCopyBuffer(cmd, upload_.buffer, parts_.buffers.slots(), 2, regions);
}

void TriangleStages::bind(VkCommandBuffer cmd, VkDescriptorSet set, bool scan)
{
    const ComputeStage stage = scan ? ComputeStage::Scan : ComputeStage::Triangles;
    parts_.device.vk.vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE,
                                             parts_.pipelines.compute_layout(stage), SET_COMPUTE, 1, &set, 0,
                                             nullptr);
}

void TriangleStages::dispatch_slots(VkCommandBuffer cmd)
{
    if (slots_ == 0)
        return;
    const u32 groups = (slots_ + COMPUTE_GROUP - 1) / COMPUTE_GROUP;
    const u32 columns = std::min(groups, 65535u);
    parts_.device.vk.vkCmdDispatch(cmd, columns, (groups + columns - 1) / columns, 1);
}

void TriangleStages::dispatch_list(VkCommandBuffer cmd)
{
    parts_.device.vk.vkCmdDispatchIndirect(cmd, parts_.buffers.slots(), 0); // SlotsHeader::clip_groups
}

// Records the barrier between two stages.
void TriangleStages::next_stage()
{
    parts_.stream.barrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                          VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT,
                          VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                              VK_ACCESS_INDIRECT_COMMAND_READ_BIT);
}

void TriangleStages::record(VkCommandBuffer cmd)
{
    bind(cmd, triangles_, false);
    parts_.fixed.bind(cmd, FixedStage::Classify);
    dispatch_slots(cmd);
    next_stage();
    parts_.fixed.bind(cmd, FixedStage::ClipCount);
    dispatch_list(cmd);
    next_stage();
    bind(cmd, scan_, true);
    parts_.fixed.bind(cmd, FixedStage::Scan);
    parts_.device.vk.vkCmdDispatch(cmd, static_cast<u32>(draws_.size()), 1, 1);
    next_stage();
    bind(cmd, triangles_, false);
    parts_.fixed.bind(cmd, FixedStage::Emit);
    dispatch_slots(cmd);
    parts_.fixed.bind(cmd, FixedStage::ClipEmit);
    dispatch_list(cmd);
    parts_.stream.need(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                       VK_PIPELINE_STAGE_VERTEX_INPUT_BIT | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT |
                           VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT | VK_PIPELINE_STAGE_HOST_BIT,
                       VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT | VK_ACCESS_INDIRECT_COMMAND_READ_BIT |
                           VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_HOST_READ_BIT);
}

} // namespace renderer
