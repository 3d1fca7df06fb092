// SPDX-License-Identifier: MIT
// The compute pipelines of the compute vertex executor: vertex programs, vertex programs in front of a
// geometry program, geometry programs, and the interpreters of any (program_pipelines.h).
#pragma once

#include "renderer/pipelines/program_pipelines.h"
#include "shadergen/geometry.h"

namespace renderer
{

class VertexPrograms
{
public:
    // budget: pipelines that are kept of each kind.
    VertexPrograms(ShaderCache& shaders, PipelineCache& pipelines, CompileQueue* queue, std::size_t budget);

    pica::Result<VkPipeline> vertex(const pica::VertexKey& key, const pica::Program& program)
    {
        return vertex_.pipeline(key, program);
    }
    pica::Result<VkPipeline> feed(const shadergen::FeedKey& key, const pica::Program& program)
    {
        return feed_.pipeline(key, program);
    }
    pica::Result<VkPipeline> geometry(const shadergen::GeometryKey& key, const pica::Program& program)
    {
        return geometry_.pipeline(key, program);
    }
    pica::Result<VkPipeline> vertex_interpreter(const pica::Program& program)
    {
        return vertex_interpreter_.pipeline({}, program);
    }
    pica::Result<VkPipeline> geometry_interpreter(const pica::Program& program)
    {
        return geometry_interpreter_.pipeline({}, program);
    }
    // As ProgramPipelines::ready.
    bool vertex_ready(const pica::VertexKey& key, const pica::Program& program)
    {
        return vertex_.ready(key, program, frame_);
    }
    // Too large for drivers' compilers, and the interpreter that runs it in their place is ready.
    bool vertex_interpreted(const pica::VertexKey& key, const pica::Program& program)
    {
        return vertex_.refused(key) && vertex_interpreter_.ready({}, program, frame_);
    }
    // Both that a draw with a geometry program needs.
    bool geometry_ready(const pica::Draw& draw, bool assembles);
    bool interpreters_ready(const pica::Program& program);

    void collect(pica::Report& report);
    void end_frame() { frame_++; }
    pica::u64 made_by_workers() const;
    pica::u64 failures() const;
    bool over_budget() const
    {
        return vertex_.over_budget() || feed_.over_budget() || geometry_.over_budget();
    }
    // Between draws whose commands have been recorded.
    void evict_oldest(Stream& stream);
    pica::u64 evictions() const
    {
        return vertex_.counters.evictions + feed_.counters.evictions + geometry_.counters.evictions;
    }

private:
    pica::u64 frame_ = 1;
    ProgramPipelines<pica::VertexKey> vertex_;
    ProgramPipelines<shadergen::FeedKey> feed_;
    ProgramPipelines<shadergen::GeometryKey> geometry_;
    ProgramPipelines<InterpreterKey> vertex_interpreter_;
    ProgramPipelines<InterpreterKey> geometry_interpreter_;
};

} // namespace renderer
