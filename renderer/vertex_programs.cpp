// SPDX-License-Identifier: MIT
#include "renderer/vertex_programs.h"

#include "pica/shader/program.h"

#include <memory>

namespace renderer
{

namespace
{

// Jobs of draw states have small numbers (draw_states.cpp).
constexpr CompileQueue::Key kFirstQueueKey = CompileQueue::Key{1} << 63;

} // namespace

VertexPrograms::Entry& VertexPrograms::entry(const pica::VertexKey& key)
{
    // Consecutive draws mostly run one program.
    if (last_ && last_key_ == key)
        return *last_;
    const auto [it, added] = entries_.try_emplace(key);
    if (added)
        it->second.number = static_cast<pica::u32>(entries_.size());
    last_key_ = key;
    last_ = &it->second;
    return *last_;
}

pica::Result<VkPipeline> VertexPrograms::build(const pica::VertexKey& key, const pica::Program& program) const
{
    const auto module = shaders_.vertex_program(key, program);
    if (!module)
        return module.error();
    return pipelines_.compute(ComputeStage::Vertex, *module);
}

pica::Result<VkPipeline> VertexPrograms::pipeline(const pica::VertexKey& key, const pica::Program& program)
{
    Entry& found = entry(key);
    if (found.pipeline != VK_NULL_HANDLE)
        return found.pipeline;
    auto pipeline = build(key, program);
    if (pipeline)
        found.pipeline = *pipeline;
    return pipeline;
}

bool VertexPrograms::ready(const pica::VertexKey& key, const pica::Program& program)
{
    Entry& found = entry(key);
    if (!queue_ || found.pipeline != VK_NULL_HANDLE)
        return true;
    if (found.failed || found.wanted_frame == frame_)
        return false;
    found.wanted_frame = frame_;
    const CompileQueue::Key job = kFirstQueueKey | found.number;
    if (!queue_->want(job))
        queue_->add(job,
                    [this, key, copy = std::make_shared<const pica::Program>(program)] {
                        finished_.post({key, build(key, *copy)});
                    });
    return false;
}

void VertexPrograms::collect(pica::Report& report)
{
    finished_.collect(
        [&](const Finished& finished)
        {
            Entry& found = entry(finished.key);
            if (finished.pipeline)
            {
                found.pipeline = *finished.pipeline;
                counters.made_by_workers++;
                return;
            }
            found.failed = true;
            counters.failures++;
            report.report(pica::ReportKind::Info, "a vertex program has no compute pipeline, the CPU runs it",
                          finished.pipeline.error().message);
        });
}

} // namespace renderer
