// SPDX-License-Identifier: MIT
#include "renderer/vertex/vertex_dispatches.h"

#include "renderer/pipelines/pipeline_cache.h"
#include "shaders/include/layout.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace renderer
{

namespace
{

// A multiple of every alignment of uniform buffers.
constexpr VkDeviceSize kWindow = sizeof(shadergen::VertexGroups);

u32 windows_of(std::size_t groups)
{
    return static_cast<u32>((groups + MAX_VERTEX_GROUPS - 1) / MAX_VERTEX_GROUPS);
}

} // namespace

VertexDispatches::Run& VertexDispatches::run_of(VkPipeline program, VkBuffer inlined)
{
    for (std::size_t i = runs_.size(); i-- > 0;)
        if (runs_[i].program == program && runs_[i].inlined == inlined)
            return runs_[i];
    runs_.push_back({program, inlined, {}, 0, VK_NULL_HANDLE});
    return runs_.back();
}

void VertexDispatches::add(VkPipeline program, VkBuffer inlined, const shadergen::BatchDraw& draw,
                           u32 invocations)
{
    const u32 number = rows_.add(draw);
    Run& run = run_of(program, inlined);
    for (u32 group = 0; group * COMPUTE_GROUP < invocations; group++)
        run.groups.push_back(number | group << VERTEX_GROUP_SHIFT);
}

// Gives every dispatch a window of the table.
bool VertexDispatches::place_groups()
{
    u32 windows = 0;
    for (Run& run : runs_)
    {
        run.first_window = windows;
        windows += windows_of(run.groups.size());
    }
    groups_ = parts_.ring.allocate(
        std::max(windows, 1u) * kWindow,
        std::max<VkDeviceSize>(16, parts_.device.properties.limits.minUniformBufferOffsetAlignment));
    if (!groups_)
        return false;
    for (const Run& run : runs_)
        std::memcpy(groups_.host + run.first_window * kWindow, run.groups.data(), run.groups.size() * 4);
    return true;
}

// The set of a run; one that an earlier run has, if it is the same.
VkDescriptorSet VertexDispatches::set_of(std::size_t run, const Slice& rows, const VertexBatchBuffers& batch)
{
    const VkBuffer inlined = runs_[run].inlined;
    for (std::size_t i = 0; i < run; i++)
        if (runs_[i].inlined == inlined)
            return runs_[i].set;
    const std::array bindings = {
        VertexSets::Binding{BINDING_MIRROR_VRAM, {inlined ? inlined : batch.mirror_vram, 0, VK_WHOLE_SIZE}},
        VertexSets::Binding{BINDING_MIRROR_FCRAM, {batch.mirror_fcram, 0, VK_WHOLE_SIZE}},
        VertexSets::Binding{BINDING_SHADED, {batch.shaded, 0, VK_WHOLE_SIZE}},
        VertexSets::Binding{BINDING_VERTEX_BLOCKS, {rows.buffer, rows.offset, rows.size}},
        VertexSets::Binding{
            BINDING_VERTEX_GROUPS, {groups_.buffer, 0, kWindow}, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC},
    };
    return parts_.sets.make(ComputeStage::VertexBatch, bindings);
}

bool VertexDispatches::prepare(const VertexBatchBuffers& batch)
{
    if (runs_.empty())
        return true;
    const Slice rows = parts_.ring.allocate(
        rows_.bytes(),
        std::max<VkDeviceSize>(16, parts_.device.properties.limits.minStorageBufferOffsetAlignment));
    if (!rows || !place_groups())
        return false;
    rows_.write(rows.host);
    for (std::size_t i = 0; i < runs_.size(); i++)
        if ((runs_[i].set = set_of(i, rows, batch)) == VK_NULL_HANDLE)
            return false;
    return true;
}

void VertexDispatches::record(VkCommandBuffer cmd)
{
    const auto& vk = parts_.device.vk;
    for (const Run& run : runs_)
    {
        const u32 groups = static_cast<u32>(run.groups.size());
        if (groups != 0)
            vk.vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, run.program);
        for (u32 first = 0; first < groups; first += MAX_VERTEX_GROUPS)
        {
            const u32 window = run.first_window + first / MAX_VERTEX_GROUPS;
            const u32 offset = static_cast<u32>(groups_.offset + window * kWindow);
            vk.vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE,
                                       parts_.pipelines.compute_layout(ComputeStage::VertexBatch),
                                       SET_COMPUTE, 1, &run.set, 1, &offset);
            vk.vkCmdDispatch(cmd, std::min(groups - first, u32{MAX_VERTEX_GROUPS}), 1, 1);
        }
    }
}

void VertexDispatches::reset()
{
    rows_.clear();
    runs_.clear();
}

} // namespace renderer
