// SPDX-License-Identifier: MIT
// VertexPipelines: the pipelines of the compute executor that run no guest program: the lookup of shared vertices, and what
// makes triangle records of shaded vertices.
#pragma once

#include "renderer/pipelines/pipeline_keys.h"
#include "renderer/vulkan/device.h"

#include <array>
#include <atomic>
#include <optional>

namespace renderer
{

class CompileQueue;
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
    // Lets a worker compile them. The queue must be idle or destroyed before the arguments and this object are.
    void create_later(CompileQueue& queue, ShaderCache& shaders, PipelineCache& pipelines);
    // Are the pipelines there? The other functions need them.
    bool ready() const { return state_.load(std::memory_order_acquire) == State::Ready; }
    // The error of the worker, once.
    std::optional<Error> take_failure();

    void bind(VkCommandBuffer cmd, FixedStage stage) const;
    VkPipeline get(FixedStage stage) const;

private:
    Device& device_;
    enum class State : pica::u8
    {
        Missing,
        Ready,
        Failed,
        Reported,
    };
    std::atomic<State> state_{State::Missing};
    std::array<PipelineRef, 4> pipelines_; // by FixedStage; as error_, written before state_ changes
    std::optional<Error> error_;
};

} // namespace renderer
