// SPDX-License-Identifier: MIT
// VertexSets: the descriptor sets of the vertex shaders of one batch, and the pool that they come from. Items with the
// same buffers share sets.
#pragma once

#include "renderer/pipelines/pipeline_keys.h"
#include "renderer/vulkan/device.h"

#include <span>
#include <vector>

namespace renderer
{

class PipelineCache;
class Stream;

// The buffers in which items of a batch differ.
struct VertexItemBuffers
{
    VkBuffer block = VK_NULL_HANDLE;
    // With the code of an interpreted program; null if the program is compiled.
    VkBuffer program = VK_NULL_HANDLE;
    // Values of immediate mode, bound in place of the mirror of VRAM.
    VkBuffer inlined = VK_NULL_HANDLE;

    bool operator==(const VertexItemBuffers&) const = default;
    // The stage that runs the vertex program.
    ComputeStage vertex_stage() const
    {
        return program != VK_NULL_HANDLE ? ComputeStage::VertexInterpreter : ComputeStage::Vertex;
    }
};

// The buffers that all items of a batch share.
struct VertexBatchBuffers
{
    VkBuffer mirror_vram = VK_NULL_HANDLE;
    VkBuffer mirror_fcram = VK_NULL_HANDLE;
    VkBuffer shaded = VK_NULL_HANDLE;
    VkDescriptorBufferInfo status;
};

// Not thread-safe. Host failures are kept in Device::status.
class VertexSets
{
public:
    VertexSets(Device& device, Stream& stream, PipelineCache& pipelines)
        : device_(device), stream_(stream), pipelines_(pipelines)
    {
    }

    // Makes the set of an item, unless an item with the same buffers has it. False: the host failed.
    bool add(const VertexItemBuffers& item, const VertexBatchBuffers& batch);
    // Makes a set for one stage. Storage buffers have `storage`, the bindings beside them. Null: the host failed.
    struct Binding
    {
        u32 number = 0;
        VkDescriptorBufferInfo buffer;
        VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    };
    VkDescriptorSet make(ComputeStage stage, std::span<const Binding> bindings);
    // The set of an item that was added.
    VkDescriptorSet find(const VertexItemBuffers& item) const;
    // The batch was recorded.
    void reset() { sets_.clear(); }

private:
    struct ItemSet
    {
        VertexItemBuffers buffers;
        VkDescriptorSet set = VK_NULL_HANDLE;
    };
    VkDescriptorSet allocate(ComputeStage stage);

    Device& device_;
    Stream& stream_;
    PipelineCache& pipelines_;
    std::vector<ItemSet> sets_;
    UniqueDescriptorPool pool_;
    u32 pool_used_ = 0;
};

} // namespace renderer
