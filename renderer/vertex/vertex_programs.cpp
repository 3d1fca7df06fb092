// SPDX-License-Identifier: MIT
#include "renderer/vertex/vertex_programs.h"

#include "renderer/pipelines/program_pipelines.h"
#include "renderer/pipelines/title_states.h"

namespace renderer
{

namespace
{

// The first key of the jobs of a kind. The keys of draw states are small numbers (draw_states.cpp).
constexpr CompileQueue::Key first_job(u32 kind)
{
    return CompileQueue::Key{1} << 63 | CompileQueue::Key{kind} << 32;
}

} // namespace

struct VertexPrograms::Kinds
{
    explicit Kinds(const ProgramParts& parts)
        : vertex(parts, ComputeStage::VertexBatch, &ShaderCache::vertex_program, first_job(0)),
          feed(parts, ComputeStage::Vertex, &ShaderCache::feed_program, first_job(1)),
          geometry(parts, ComputeStage::Geometry, &ShaderCache::geometry_program, first_job(2)),
          vertex_interpreter(parts, ComputeStage::VertexInterpreter, &ShaderCache::vertex_interpreter,
                             first_job(3)),
          geometry_interpreter(parts, ComputeStage::Geometry, &ShaderCache::geometry_interpreter,
                               first_job(4))
    {
    }
    ProgramPipelines<pica::VertexKey> vertex;
    ProgramPipelines<shadergen::FeedKey> feed;
    ProgramPipelines<shadergen::GeometryKey> geometry;
    ProgramPipelines<InterpreterKey> vertex_interpreter;
    ProgramPipelines<InterpreterKey> geometry_interpreter;
};

VertexPrograms::VertexPrograms(const ProgramParts& parts) : kinds_(std::make_unique<Kinds>(parts)) {}

VertexPrograms::~VertexPrograms() = default;

pica::Result<VkPipeline> VertexPrograms::vertex(const pica::VertexKey& key, const pica::Program& program)
{
    return kinds_->vertex.pipeline(key, program);
}

pica::Result<VkPipeline> VertexPrograms::feed(const shadergen::FeedKey& key, const pica::Program& program)
{
    return kinds_->feed.pipeline(key, program);
}

pica::Result<VkPipeline> VertexPrograms::geometry(const shadergen::GeometryKey& key,
                                                  const pica::Program& program)
{
    return kinds_->geometry.pipeline(key, program);
}

pica::Result<VkPipeline> VertexPrograms::vertex_interpreter(const pica::Program& program)
{
    return kinds_->vertex_interpreter.pipeline({}, program);
}

pica::Result<VkPipeline> VertexPrograms::geometry_interpreter(const pica::Program& program)
{
    return kinds_->geometry_interpreter.pipeline({}, program);
}

bool VertexPrograms::vertex_ready(const pica::VertexKey& key, const pica::Program& program)
{
    return kinds_->vertex.ready(key, program, frame_);
}

bool VertexPrograms::vertex_interpreted(const pica::VertexKey& key, const pica::Program& program)
{
    return kinds_->vertex.refused(key) && kinds_->vertex_interpreter.ready({}, program, frame_);
}

bool VertexPrograms::over_budget() const
{
    return kinds_->vertex.over_budget() || kinds_->feed.over_budget() || kinds_->geometry.over_budget();
}

pica::u64 VertexPrograms::evictions() const
{
    return kinds_->vertex.counters.evictions + kinds_->feed.counters.evictions +
           kinds_->geometry.counters.evictions;
}

bool VertexPrograms::geometry_ready(const pica::Draw& draw, bool assembles)
{
    const bool fed = kinds_->feed.ready(shadergen::feed_key(draw), *draw.program, frame_);
    return kinds_->geometry.ready(shadergen::geometry_key(draw, assembles), *draw.geometry_unit.program,
                                  frame_) &&
           fed;
}

bool VertexPrograms::interpreters_ready(const pica::Program& program)
{
    const bool vertex = kinds_->vertex_interpreter.ready({}, program, frame_);
    return kinds_->geometry_interpreter.ready({}, program, frame_) && vertex;
}

void VertexPrograms::warm(std::span<const TitleProgram> programs)
{
    const auto warm_in = [](auto& pipelines, const TitleProgram& entry)
    {
        if (pipelines.kind() == entry.kind)
            pipelines.warm(entry.key, entry.program);
    };
    for (const TitleProgram& entry : programs)
    {
        warmed_programs_.push_back(entry.program);
        warm_in(kinds_->vertex, entry);
        warm_in(kinds_->feed, entry);
        warm_in(kinds_->geometry, entry);
        warm_in(kinds_->vertex_interpreter, entry);
        warm_in(kinds_->geometry_interpreter, entry);
    }
}

void VertexPrograms::collect(pica::Report& report)
{
    if (!kinds_->vertex.has_finished() && !kinds_->feed.has_finished() && !kinds_->geometry.has_finished() &&
        !kinds_->vertex_interpreter.has_finished() && !kinds_->geometry_interpreter.has_finished())
        return; // nearly always
    kinds_->vertex.collect("vertex program", report);
    kinds_->feed.collect("vertex program in front of a geometry program", report);
    kinds_->geometry.collect("geometry program", report);
    kinds_->vertex_interpreter.collect("interpreter of vertex programs", report);
    kinds_->geometry_interpreter.collect("interpreter of geometry programs", report);
}

void VertexPrograms::evict_oldest(Stream& stream)
{
    if (kinds_->vertex.over_budget())
        kinds_->vertex.evict_oldest(stream);
    if (kinds_->feed.over_budget())
        kinds_->feed.evict_oldest(stream);
    if (kinds_->geometry.over_budget())
        kinds_->geometry.evict_oldest(stream);
}

pica::u64 VertexPrograms::made_by_workers() const
{
    return kinds_->vertex.counters.made_by_workers + kinds_->feed.counters.made_by_workers +
           kinds_->geometry.counters.made_by_workers + kinds_->vertex_interpreter.counters.made_by_workers +
           kinds_->geometry_interpreter.counters.made_by_workers;
}

pica::u64 VertexPrograms::warmed() const
{
    return kinds_->vertex.counters.warmed + kinds_->feed.counters.warmed + kinds_->geometry.counters.warmed +
           kinds_->vertex_interpreter.counters.warmed + kinds_->geometry_interpreter.counters.warmed;
}

pica::u64 VertexPrograms::failures() const
{
    return kinds_->vertex.counters.failures + kinds_->feed.counters.failures +
           kinds_->geometry.counters.failures + kinds_->vertex_interpreter.counters.failures +
           kinds_->geometry_interpreter.counters.failures;
}

} // namespace renderer
