// SPDX-License-Identifier: MIT
// VertexPrograms: the compute pipelines of the compute executor (program_pipelines.h). There are five kinds:
// vertex programs, vertex programs before a geometry program (feed), geometry programs, and the interpreters
// of vertex and geometry programs.
#pragma once

#include "pica/base/result.h"
#include "renderer/vulkan/vulkan.h"
#include "shadergen/geometry.h"

#include <memory>
#include <span>
#include <vector>

namespace pica
{
class Report;
} // namespace pica

namespace renderer
{

class Stream;
struct ProgramParts;
struct TitleProgram;

// All functions are for the renderer's thread.
class VertexPrograms
{
public:
    explicit VertexPrograms(const ProgramParts& parts);
    ~VertexPrograms();

    // The five functions give a pipeline and compile it at once, and so wait, if it is not ready. The
    // pipeline is valid until evict_oldest.
    pica::Result<VkPipeline> vertex(const pica::VertexKey& key, const pica::Program& program);
    pica::Result<VkPipeline> feed(const shadergen::FeedKey& key, const pica::Program& program);
    pica::Result<VkPipeline> geometry(const shadergen::GeometryKey& key, const pica::Program& program);
    pica::Result<VkPipeline> vertex_interpreter(const pica::Program& program);
    pica::Result<VkPipeline> geometry_interpreter(const pica::Program& program);
    // See ProgramPipelines::ready.
    bool vertex_ready(const pica::VertexKey& key, const pica::Program& program);
    // Is the program too large for drivers' compilers, and the interpreter ready to run it instead?
    bool vertex_interpreted(const pica::VertexKey& key, const pica::Program& program);
    // Are both pipelines ready that a draw with a geometry program needs? Asks for the missing ones.
    // assembles: the program also runs an assembler.
    bool geometry_ready(const pica::Draw& draw, bool assembles);
    // The same for the two interpreters.
    bool interpreters_ready(const pica::Program& program);

    // Asks the workers for the pipelines of a title's programs whose shaders are kept.
    void warm(std::span<const TitleProgram> programs);
    // Takes the pipelines that workers have finished, and reports those that failed.
    void collect(pica::Report& report);
    // To be called once per frame: workers are asked at most once per frame for each pipeline.
    void end_frame() { frame_++; }
    // Counters of all kinds since creation: pipelines made by workers, and failures.
    pica::u64 made_by_workers() const;
    pica::u64 failures() const;
    pica::u64 warmed() const;
    // Is one of the kinds over its budget?
    bool over_budget() const;
    // Evicts the least recently used pipelines of each kind that is over budget. The open batch must have
    // been flushed.
    void evict_oldest(Stream& stream);
    pica::u64 evictions() const;

private:
    // Programs of titles, as long as draws may still name them: their numbers end with them.
    std::vector<std::shared_ptr<const pica::Program>> warmed_programs_;
    pica::u64 frame_ = 1;
    struct Kinds;
    std::unique_ptr<Kinds> kinds_;
};

} // namespace renderer
