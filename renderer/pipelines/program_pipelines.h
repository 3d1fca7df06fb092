// SPDX-License-Identifier: MIT
// ProgramPipelines: the compute pipelines of one kind of program, by key. A pipeline is compiled when a draw
// needs it or, if a queue was given, by workers. Until then the CPU executor or an interpreter does the draw,
// with the same bits. All functions are for the renderer's thread. Tests:
// tests/renderer/async_pipelines_test.cpp.
#pragma once

#include "pica/base/report.h"
#include "pica/shader/program.h"
#include "renderer/pipelines/compile_queue.h"
#include "renderer/pipelines/mailbox.h"
#include "renderer/pipelines/pipeline_cache.h"
#include "renderer/pipelines/shader_cache.h"
#include "renderer/vulkan/stream.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace renderer
{

class TitleStates;

// What the pipelines of all kinds of programs share.
struct ProgramParts
{
    ShaderCache& shaders;
    PipelineCache& pipelines;
    CompileQueue* queue; // may be null; else it must be idle or destroyed before the pipelines are
    std::size_t budget;  // how many pipelines of a kind are kept
    TitleStates* title;  // is told what draws use; may be null
};

// The stage whose layout a program has: `stage`, but Vertex in place of VertexBatch for vertex programs that may report
// something. They run for one draw at a time (shadergen/vertex.h).
ComputeStage stage_of(ComputeStage stage, const pica::Program& program);

// Tells the title that draws use a program (TitleStates::use).
void use_program(TitleStates& title, pica::u8 kind, std::span<const pica::u8> key,
                 const pica::Program& program);

template <typename Key>
class ProgramPipelines
{
public:
    // The function of ShaderCache that makes the module. It may run on any thread.
    using Make = pica::Result<ShaderModule> (ShaderCache::*)(const Key& key, const pica::Program& program,
                                                             ShaderSource source);

    // first_job: the jobs for the queue have keys from here on.
    ProgramPipelines(const ProgramParts& parts, ComputeStage stage, Make make, CompileQueue::Key first_job)
        : parts_(parts), stage_(stage), make_(make), first_job_(first_job)
    {
    }

    // The pipeline. Compiles it, and so waits, if it is not ready. Valid until evict_oldest.
    pica::Result<VkPipeline> pipeline(const Key& key, const pica::Program& program)
    {
        Entry& found = entry(key);
        use(found, key, program);
        if (!found.pipeline)
        {
            auto pipeline = build(key, program, ShaderSource::Any);
            if (!pipeline)
                return pipeline.error();
            found.pipeline = std::move(*pipeline);
        }
        return found.pipeline->get();
    }

    // Is the pipeline ready? If not, the workers are asked for it; without a queue it is compiled at once.
    // Stays false for programs that cannot be compiled, because they are too large for drivers' compilers.
    // frame: the workers are asked at most once per frame.
    bool ready(const Key& key, const pica::Program& program, pica::u64 frame)
    {
        Entry& found = entry(key);
        use(found, key, program);
        if (found.pipeline)
            return true;
        if (!parts_.queue && !found.failed)
        {
            auto made = build(key, program, ShaderSource::Any);
            found.failed = !made;
            if (made)
                found.pipeline = *made;
            else
                finished_.post({key, false, made});
            return !found.failed;
        }
        if (found.failed || found.wanted_frame == frame)
            return false;
        found.wanted_frame = frame;
        const CompileQueue::Key job = first_job_ | found.number;
        if (!parts_.queue->want(job))
            parts_.queue->add(job,
                              [this, key, copy = std::make_shared<const pica::Program>(program)] {
                                  finished_.post({key, false, build(key, *copy, ShaderSource::Any)});
                              });
        return false;
    }

    // Asks the workers for a pipeline that no draw has used yet, if its shader is kept. bytes: of the key, as
    // TitleStates has them.
    void warm(std::span<const pica::u8> bytes, const std::shared_ptr<const pica::Program>& program)
    {
        Key key;
        if (!parts_.queue || bytes.size() != sizeof key)
            return;
        std::memcpy(static_cast<void*>(&key), bytes.data(), sizeof key);
        if constexpr (requires { key.program; })
            key.program = program->id();
        const Entry& found = entry(key);
        if (!found.pipeline)
            parts_.queue->add(first_job_ | found.number,
                              [this, key, program]
                              {
                                  // What is not kept is made when a draw wants it.
                                  if (auto made = build(key, *program, ShaderSource::Kept))
                                      finished_.post({key, true, std::move(made)});
                              });
    }

    // Did compiling the pipeline fail?
    bool refused(const Key& key) { return entry(key).failed; }

    // The number of this kind among the kinds of programs, for TitleStates.
    pica::u8 kind() const { return static_cast<pica::u8>(first_job_ >> 32); }

    bool over_budget() const { return entries_.size() > parts_.budget; }
    // Evicts the least recently used pipelines, until three quarters of the budget remain. They are destroyed
    // when the device has finished with them. The collected draws must have been flushed.
    void evict_oldest(Stream& stream)
    {
        last_ = nullptr;
        std::vector<std::pair<pica::u64, Key>> oldest;
        for (const auto& [key, entry] : entries_)
            oldest.emplace_back(entry.use, key);
        std::sort(oldest.begin(), oldest.end(),
                  [](const auto& a, const auto& b) { return a.first < b.first; });
        oldest.resize(oldest.size() - std::min(oldest.size(), parts_.budget - parts_.budget / 4));
        for (const auto& [use, key] : oldest)
        {
            const auto found = entries_.find(key);
            if (found->second.pipeline)
            {
                stream.retire(std::move(found->second.pipeline));
                counters.evictions++;
            }
            entries_.erase(found);
        }
    }

    // Has collect() anything to take?
    bool has_finished() const { return finished_.any(); }
    // Takes the pipelines that workers have finished, and reports those that failed. what: the kind of
    // program, for the report.
    void collect(const char* what, pica::Report& report)
    {
        finished_.collect(
            [&](const Finished& finished)
            {
                Entry& found = entry(finished.key);
                if (finished.pipeline)
                {
                    found.pipeline = *finished.pipeline;
                    counters.made_by_workers++;
                    counters.warmed += finished.warmed ? 1 : 0;
                    return;
                }
                found.failed = true;
                counters.failures++;
                report.report(pica::ReportKind::Info,
                              std::string("a ") + what +
                                  " has no compute pipeline, the CPU or an interpreter runs it",
                              finished.pipeline.error().message);
            });
    }

    struct Counters
    {
        pica::u64 made_by_workers = 0, failures = 0, evictions = 0;
        pica::u64 warmed = 0; // of those made by workers: before a draw wanted them
    };
    Counters counters;

private:
    struct Entry
    {
        PipelineRef pipeline;
        pica::u32 number = 0; // order of appearance
        pica::u64 use = 0;    // number of its last use
        bool failed = false;
        bool used = false;          // the title was told
        pica::u64 wanted_frame = 0; // last frame in which the queue was asked
    };
    struct Finished
    {
        Key key;
        bool warmed = false;
        pica::Result<PipelineRef> pipeline;
    };
    struct Hash
    {
        std::size_t operator()(const Key& key) const { return static_cast<std::size_t>(pica::hash_key(key)); }
    };

    Entry& entry(const Key& key)
    {
        // Consecutive draws mostly run the same program.
        if (!last_ || !(last_key_ == key))
        {
            const auto [it, added] = entries_.try_emplace(key);
            if (added)
                it->second.number = ++numbers_;
            last_key_ = key;
            last_ = &it->second;
        }
        last_->use = ++uses_;
        return *last_;
    }

    // Tells the title that a draw uses the pipeline.
    void use(Entry& found, const Key& key, const pica::Program& program)
    {
        if (found.used || parts_.title == nullptr)
            return;
        found.used = true;
        Key portable = key;
        if constexpr (requires { portable.program; })
            portable.program = 0;
        use_program(*parts_.title, kind(), {reinterpret_cast<const pica::u8*>(&portable), sizeof portable},
                    program);
    }

    pica::Result<PipelineRef> build(const Key& key, const pica::Program& program, ShaderSource source) const
    {
        const auto module = (parts_.shaders.*make_)(key, program, source);
        if (!module)
            return module.error();
        return parts_.pipelines.compute(stage_of(stage_, program), *module);
    }

    const ProgramParts parts_;
    ComputeStage stage_;
    Make make_;
    CompileQueue::Key first_job_;
    pica::u32 numbers_ = 0;
    pica::u64 uses_ = 0;
    std::unordered_map<Key, Entry, Hash> entries_;
    Key last_key_;
    Entry* last_ = nullptr; // the entry of last_key_
    Mailbox<Finished> finished_;
};

} // namespace renderer
