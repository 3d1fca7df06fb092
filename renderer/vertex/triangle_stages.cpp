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

const shadergen::TriangleDraw& TriangleStages::state_of(const pica::Draw& draw,
                                                        const pica::RecordLayout& layout)
{
    if (draw.keys_revision == 0 || draw.keys_revision != state_revision_ || layout != state_layout_)
        state_ = shadergen::triangle_state(draw.geometry, layout, parts_.scale);
    state_revision_ = draw.keys_revision;
    state_layout_ = layout;
    return state_;
}

bool TriangleStages::prepare()
{
    const VertexBuffers& buffers = parts_.buffers;
    const shadergen::SlotsHeader header =
        shadergen::place_slots(draws_, groups_, static_cast<u32>(buffers.slots_offset() / 4));
    slots_ = header.slots;
    constexpr std::size_t kDraws = sizeof header + (MAX_SLOT_GROUPS + 1) * sizeof(u32);
    const std::size_t bytes = draws_.size() * sizeof(shadergen::TriangleDraw);
    placed_ = parts_.ring.allocate(
        kDraws + bytes,
        std::max<VkDeviceSize>(16, parts_.device.properties.limits.minStorageBufferOffsetAlignment));
    if (!placed_)
        return false;
    std::memcpy(placed_.host, &header, sizeof header);
    std::memcpy(placed_.host + sizeof header, groups_.data(), groups_.size() * sizeof(u32));
    std::memcpy(placed_.host + kDraws, draws_.data(), bytes);

    const auto whole = [](VkBuffer buffer) { return VkDescriptorBufferInfo{buffer, 0, VK_WHOLE_SIZE}; };
    set_ = parts_.sets.make(
        ComputeStage::Triangles,
        std::array{
            VertexSets::Binding{BINDING_SHADED, whole(buffers.shaded())},
            VertexSets::Binding{BINDING_SLOTS, {placed_.buffer, placed_.offset, placed_.size}},
            VertexSets::Binding{BINDING_RECORDS, whole(buffers.records())},
            VertexSets::Binding{BINDING_POSITIONS, whole(buffers.positions())},
        });
    return set_ != VK_NULL_HANDLE;
}

void TriangleStages::record(VkCommandBuffer cmd)
{
    const auto& vk = parts_.device.vk;
    const u32 groups = (slots_ + COMPUTE_GROUP - 1) / COMPUTE_GROUP;
    vk.vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE,
                               parts_.pipelines.compute_layout(ComputeStage::Triangles), SET_COMPUTE, 1,
                               &set_, 0, nullptr);
    parts_.fixed.bind(cmd, FixedStage::Classify);
    vk.vkCmdDispatch(cmd, groups, 1, 1);
    parts_.stream.barrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                          VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT,
                          VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                              VK_ACCESS_INDIRECT_COMMAND_READ_BIT);
    parts_.fixed.bind(cmd, FixedStage::Emit);
    vk.vkCmdDispatch(cmd, groups, 1, 1);
    parts_.fixed.bind(cmd, FixedStage::Clip);
    vk.vkCmdDispatchIndirect(cmd, placed_.buffer, placed_.offset); // SlotsHeader::clipped
    parts_.stream.need(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                       VK_PIPELINE_STAGE_VERTEX_INPUT_BIT | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT |
                           VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                       VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT | VK_ACCESS_INDIRECT_COMMAND_READ_BIT |
                           VK_ACCESS_SHADER_READ_BIT);
}

} // namespace renderer
