// SPDX-License-Identifier: MIT
// VertexPipelines: the pipelines of the compute executor that run no guest program: clip count, scan, emit, and the
// lookup of shared vertices.
#pragma once

#include "renderer/pipelines/pipeline_keys.h"
#include "renderer/vulkan/device.h"

#include <array>

namespace renderer
{

class PipelineCache;
class ShaderCache;

class VertexPipelines
{
public:
    explicit VertexPipelines(Device& device) : device_(device) {}
    // Compiles the pipelines, and so waits.
    Status create(ShaderCache& shaders, PipelineCache& pipelines);

    // Records the binding of the pipeline of ClipCount, Scan or Emit.
    void bind(VkCommandBuffer cmd, ComputeStage stage) const;
    // The same for the lookup of shared vertices, which has the layout of the stage Vertex.
    void bind_shared_rows(VkCommandBuffer cmd) const;

private:
    Device& device_;
    std::array<PipelineRef, kComputeStages> stage_;
    PipelineRef shared_rows_;
};

} // namespace renderer
