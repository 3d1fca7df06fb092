// SPDX-License-Identifier: MIT
#include "renderer/vertex/vertex_pipelines.h"

#include "renderer/pipelines/pipeline_cache.h"
#include "renderer/pipelines/shader_cache.h"

namespace renderer
{

Status VertexPipelines::create(ShaderCache& shaders, PipelineCache& pipelines)
{
    const struct
    {
        ComputeStage stage;
        const char* shader;
        PipelineRef& pipeline;
    } wanted[] = {
        {ComputeStage::ClipCount, "clip_count", stage_[static_cast<std::size_t>(ComputeStage::ClipCount)]},
        {ComputeStage::Scan, "scan", stage_[static_cast<std::size_t>(ComputeStage::Scan)]},
        {ComputeStage::Emit, "emit", stage_[static_cast<std::size_t>(ComputeStage::Emit)]},
        {ComputeStage::Vertex, "shared_rows", shared_rows_},
    };
    for (const auto& [stage, shader, pipeline] : wanted)
    {
        const auto module = shaders.fixed_stage(shader);
        if (!module)
            return module.error();
        const Result<PipelineRef> made = pipelines.compute(stage, *module);
        if (!made)
            return made.error();
        pipeline = *made;
    }
    return {};
}

void VertexPipelines::bind(VkCommandBuffer cmd, ComputeStage stage) const
{
    device_.vk.vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE,
                                 stage_[static_cast<std::size_t>(stage)]->get());
}

void VertexPipelines::bind_shared_rows(VkCommandBuffer cmd) const
{
    device_.vk.vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, shared_rows_->get());
}

} // namespace renderer
