// SPDX-License-Identifier: MIT
#include "renderer/vertex/vertex_pipelines.h"

#include "renderer/pipelines/compile_queue.h"
#include "renderer/pipelines/pipeline_cache.h"
#include "renderer/pipelines/shader_cache.h"

namespace renderer
{

namespace
{

// Keys of other jobs are in draw_states.cpp, vertex_programs.cpp and fixed_pipelines.cpp.
constexpr CompileQueue::Key kJob = ~CompileQueue::Key{0};

} // namespace

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
    state_.store(State::Ready, std::memory_order_release);
    return {};
}

void VertexPipelines::create_later(CompileQueue& queue, ShaderCache& shaders, PipelineCache& pipelines)
{
    queue.add(kJob,
              [this, &shaders, &pipelines]
              {
                  if (Status status = create(shaders, pipelines); !status)
                  {
                      error_ = status.error();
                      state_.store(State::Failed, std::memory_order_release);
                  }
              });
}

std::optional<Error> VertexPipelines::take_failure()
{
    if (state_.load(std::memory_order_acquire) != State::Failed)
        return std::nullopt;
    state_.store(State::Reported, std::memory_order_relaxed);
    return std::move(error_);
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
