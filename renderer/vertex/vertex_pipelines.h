// SPDX-License-Identifier: MIT
// VertexPipelines: the pipelines of the compute executor that run no guest program: the lookup of shared vertices, and what
// makes triangle records of shaded vertices.
#pragma once

#include "renderer/pipelines/pipeline_keys.h"
#include "renderer/vulkan/device.h"

#include <array>

namespace renderer
{

class PipelineCache;
class ShaderCache;

enum class FixedStage : pica::u8
{
    SharedRows, // has the layout of ComputeStage::VertexBatch
    Classify,
    Emit,
    Clip,
};

class VertexPipelines
{
public:
    explicit VertexPipelines(Device& device) : device_(device) {}
    // Compiles the pipelines, and so waits.
    Status create(ShaderCache& shaders, PipelineCache& pipelines);

    void bind(VkCommandBuffer cmd, FixedStage stage) const;
    VkPipeline get(FixedStage stage) const;

private:
    Device& device_;
    std::array<PipelineRef, 4> pipelines_; // by FixedStage
};

} // namespace renderer
