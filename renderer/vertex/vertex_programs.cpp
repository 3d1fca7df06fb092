// SPDX-License-Identifier: MIT
#include "renderer/vertex/vertex_programs.h"

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

VertexPrograms::VertexPrograms(const ProgramParts& parts)
    : vertex_(parts, ComputeStage::VertexBatch, &ShaderCache::vertex_program, first_job(0)),
      feed_(parts, ComputeStage::Vertex, &ShaderCache::feed_program, first_job(1)),
      geometry_(parts, ComputeStage::Geometry, &ShaderCache::geometry_program, first_job(2)),
      vertex_interpreter_(parts, ComputeStage::VertexInterpreter, &ShaderCache::vertex_interpreter,
                          first_job(3)),
      geometry_interpreter_(parts, ComputeStage::Geometry, &ShaderCache::geometry_interpreter, first_job(4))
{
}

bool VertexPrograms::geometry_ready(const pica::Draw& draw, bool assembles)
{
    const bool fed = feed_.ready(shadergen::feed_key(draw), *draw.program, frame_);
    return geometry_.ready(shadergen::geometry_key(draw, assembles), *draw.geometry_unit.program, frame_) &&
           fed;
}

bool VertexPrograms::interpreters_ready(const pica::Program& program)
{
    const bool vertex = vertex_interpreter_.ready({}, program, frame_);
    return geometry_interpreter_.ready({}, program, frame_) && vertex;
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
        warm_in(vertex_, entry);
        warm_in(feed_, entry);
        warm_in(geometry_, entry);
        warm_in(vertex_interpreter_, entry);
        warm_in(geometry_interpreter_, entry);
    }
}

void VertexPrograms::collect(pica::Report& report)
{
    vertex_.collect("vertex program", report);
    feed_.collect("vertex program in front of a geometry program", report);
    geometry_.collect("geometry program", report);
    vertex_interpreter_.collect("interpreter of vertex programs", report);
    geometry_interpreter_.collect("interpreter of geometry programs", report);
}

void VertexPrograms::evict_oldest(Stream& stream)
{
    if (vertex_.over_budget())
        vertex_.evict_oldest(stream);
    if (feed_.over_budget())
        feed_.evict_oldest(stream);
    if (geometry_.over_budget())
        geometry_.evict_oldest(stream);
}

pica::u64 VertexPrograms::made_by_workers() const
{
    return vertex_.counters.made_by_workers + feed_.counters.made_by_workers +
           geometry_.counters.made_by_workers + vertex_interpreter_.counters.made_by_workers +
           geometry_interpreter_.counters.made_by_workers;
}

pica::u64 VertexPrograms::warmed() const
{
    return vertex_.counters.warmed + feed_.counters.warmed + geometry_.counters.warmed +
           vertex_interpreter_.counters.warmed + geometry_interpreter_.counters.warmed;
}

pica::u64 VertexPrograms::failures() const
{
    return vertex_.counters.failures + feed_.counters.failures + geometry_.counters.failures +
           vertex_interpreter_.counters.failures + geometry_interpreter_.counters.failures;
}

} // namespace renderer
