// SPDX-License-Identifier: MIT
#include "renderer/vertex/vertex_pipelines.h"

#include "renderer/pipelines/pipeline_cache.h"
#include "renderer/pipelines/shader_cache.h"

namespace renderer
{

Status VertexPipelines::create(ShaderCache& shaders, PipelineCache& pipelines)
{
    constexpr struct
    {
        const char* shader;
        ComputeStage layout;
    } kStages[] = {
        {"shared_rows", ComputeStage::VertexBatch},
        {"classify", ComputeStage::Triangles},
        {"emit", ComputeStage::Triangles},
        {"clip", ComputeStage::Triangles},
    };
    for (std::size_t i = 0; i < pipelines_.size(); i++)
    {
        const auto module = shaders.fixed_stage(kStages[i].shader);
        if (!module)
            return module.error();
        const Result<PipelineRef> made = pipelines.compute(kStages[i].layout, *module);
        if (!made)
            return made.error();
        pipelines_[i] = *made;
    }
    return {};
}

void VertexPipelines::bind(VkCommandBuffer cmd, FixedStage stage) const
{
    device_.vk.vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, get(stage));
}

VkPipeline VertexPipelines::get(FixedStage stage) const
{
    return pipelines_[static_cast<std::size_t>(stage)]->get();
}

} // namespace renderer
