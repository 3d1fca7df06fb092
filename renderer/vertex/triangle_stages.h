// SPDX-License-Identifier: MIT
// TriangleStages: takes the shaded vertices of a batch to triangle records. Each stage is one dispatch for all draws:
// classify, then emit and clip. The last one is an indirect dispatch over the list that classify leaves, so that triangles
// inside of all planes cost nothing there. Tests: tests/renderer/vertex_stage_compute_test.cpp
#pragma once

#include "pica/state/triangle_record.h"
#include "renderer/vulkan/upload_ring.h"
#include "shadergen/uniforms.h"

#include <vector>

namespace renderer
{

class PipelineCache;
class VertexBuffers;
class VertexPipelines;
class VertexSets;

// Not thread-safe. Host failures are kept in Device::status.
class TriangleStages
{
public:
    struct Parts
    {
        Device& device;
        Stream& stream;
        UploadRing& ring;
        PipelineCache& pipelines;
        const VertexPipelines& fixed;
        VertexSets& sets;
        const VertexBuffers& buffers;
        u32 scale; // of the resolution
    };
    explicit TriangleStages(const Parts& parts) : parts_(parts) {}

    // What the stages read of a draw's state. Consecutive draws mostly have the same. Valid until the next call.
    const shadergen::TriangleDraw& state_of(const pica::Draw& draw, const pica::RecordLayout& layout);
    // Adds the triangles of a draw or part. They get their slots later.
    void add(const shadergen::TriangleDraw& draw) { draws_.push_back(draw); }
    // Places what the stages read, and makes their set. False: the host failed.
    bool prepare();
    // Records the stages, which follow a barrier after those of the vertices, and the barrier before the render pass.
    void record(VkCommandBuffer cmd);
    // The batch was recorded.
    void reset() { draws_.clear(); }

private:
    Parts parts_;
    shadergen::TriangleDraw state_{};
    u64 state_revision_ = 0; // the keys that state_ is of, with this layout (Draw::keys_revision); 0: none
    pica::RecordLayout state_layout_;
    std::vector<shadergen::TriangleDraw> draws_;
    std::vector<u32> groups_;
    u32 slots_ = 0;
    Slice placed_; // SLOTS of shaders/include/layout.h
    VkDescriptorSet set_ = VK_NULL_HANDLE;
};

} // namespace renderer
