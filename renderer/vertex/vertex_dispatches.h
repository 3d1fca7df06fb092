// SPDX-License-Identifier: MIT
// VertexDispatches: runs vertex programs for many draws at once. Draws with one pipeline and the same buffers share a
// dispatch, however many lie between them: no program of a batch reads what another one writes. What the programs read of
// all draws is in one storage buffer, and a table says which draw each group of invocations belongs to.
#pragma once

#include "renderer/vertex/vertex_sets.h"
#include "renderer/vulkan/upload_ring.h"
#include "shadergen/batch_rows.h"

#include <vector>

namespace renderer
{

// Not thread-safe. Host failures are kept in Device::status.
class VertexDispatches
{
public:
    struct Parts
    {
        Device& device;
        UploadRing& ring;
        PipelineCache& pipelines;
        VertexSets& sets;
    };
    explicit VertexDispatches(const Parts& parts) : parts_(parts) {}

    // Keeps what the program of a draw that is about to be added reads, and gives its BatchDraw.
    shadergen::BatchDraw describe(const pica::Draw& draw, const shadergen::VertexPlacement& placement)
    {
        return rows_.describe(draw, placement);
    }
    // Adds invocations that read the draw's rows. inlined: bound in place of the mirror of VRAM, or null.
    void add(VkPipeline program, VkBuffer inlined, const shadergen::BatchDraw& draw, u32 invocations);
    // Places what was added, and makes the sets. False: the host failed.
    bool prepare(const VertexBatchBuffers& batch);
    // Records the dispatches, of which none depends on another.
    void record(VkCommandBuffer cmd);
    // The batch was recorded.
    void reset();

private:
    struct Run
    {
        VkPipeline program = VK_NULL_HANDLE;
        VkBuffer inlined = VK_NULL_HANDLE;
        std::vector<u32> groups; // draw | group of the draw << VERTEX_GROUP_SHIFT
        u32 first_window = 0;    // of groups_
        VkDescriptorSet set = VK_NULL_HANDLE;
    };
    Run& run_of(VkPipeline program, VkBuffer inlined);
    bool place_groups();
    VkDescriptorSet set_of(std::size_t run, const Slice& rows, const VertexBatchBuffers& batch);

    Parts parts_;
    shadergen::BatchRows rows_;
    std::vector<Run> runs_;
    Slice groups_; // windows of VertexGroups, one for each dispatch
};

} // namespace renderer
