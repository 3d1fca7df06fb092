// SPDX-License-Identifier: MIT
// Compute pipelines of programs by key, made when a draw needs them or, where a queue was given, by its
// workers: until then the CPU executor or an interpreter does the draw, with the same bits. All functions are
// for the renderer's thread. Tests: tests/renderer/async_pipelines_test.cpp
#pragma once

#include "pica/base/report.h"
#include "pica/shader/program.h"
#include "renderer/pipelines/compile_queue.h"
#include "renderer/pipelines/mailbox.h"
#include "renderer/pipelines/pipeline_cache.h"
#include "renderer/pipelines/shader_cache.h"
#include "renderer/vulkan/stream.h"

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace renderer
{

template <typename Key>
class ProgramPipelines
{
public:
    // Gives the module; runs on any thread.
    using Make = pica::Result<ShaderModule> (ShaderCache::*)(const Key& key, const pica::Program& program);

    // queue may be null; otherwise it must be idle or gone before these programs are. Its jobs have numbers
    // from first_job on. budget: pipelines that are kept (over_budget).
    ProgramPipelines(ShaderCache& shaders, PipelineCache& pipelines, CompileQueue* queue, ComputeStage stage,
                     Make make, CompileQueue::Key first_job, std::size_t budget)
        : shaders_(shaders), pipelines_(pipelines), queue_(queue), stage_(stage), make_(make),
          first_job_(first_job), budget_(budget)
    {
    }

    // Made now where it is not ready.
    pica::Result<VkPipeline> pipeline(const Key& key, const pica::Program& program)
    {
        Entry& found = entry(key);
        if (!found.pipeline)
        {
            auto pipeline = build(key, program);
            if (!pipeline)
                return pipeline.error();
            found.pipeline = std::move(*pipeline);
        }
        return found.pipeline->get();
    }

    // Makes it where it is not ready, with a queue by the workers. False until then, and for good where it
    // cannot be made: programs that are too large for drivers' compilers.
    bool ready(const Key& key, const pica::Program& program, pica::u64 frame)
    {
        Entry& found = entry(key);
        if (found.pipeline)
            return true;
        if (!queue_ && !found.failed)
        {
            auto made = build(key, program);
            found.failed = !made;
            if (made)
                found.pipeline = *made;
            else
                finished_.post({key, made});
            return !found.failed;
        }
        if (found.failed || found.wanted_frame == frame)
            return false;
        found.wanted_frame = frame;
        const CompileQueue::Key job = first_job_ | found.number;
        if (!queue_->want(job))
            queue_->add(job,
                        [this, key, copy = std::make_shared<const pica::Program>(program)] {
                            finished_.post({key, build(key, *copy)});
                        });
        return false;
    }

    // Has it turned out that the pipeline cannot be made?
    bool refused(const Key& key) { return entry(key).failed; }

    bool over_budget() const { return entries_.size() > budget_; }
    // Down to three quarters of the budget, those first that no draw wanted for longest. No draw that was
    // collected may still lack its commands.
    void evict_oldest(Stream& stream)
    {
        last_ = nullptr;
        std::vector<std::pair<pica::u64, Key>> oldest;
        for (const auto& [key, entry] : entries_)
            oldest.emplace_back(entry.use, key);
        std::sort(oldest.begin(), oldest.end(),
                  [](const auto& a, const auto& b) { return a.first < b.first; });
        oldest.resize(oldest.size() - std::min(oldest.size(), budget_ - budget_ / 4));
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

    // what: the program, for people.
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
    };
    Counters counters;

private:
    struct Entry
    {
        PipelineRef pipeline;
        pica::u32 number = 0; // order of appearance
        pica::u64 use = 0;    // the largest was used last
        bool failed = false;
        pica::u64 wanted_frame = 0; // last frame in which a draw wanted it from the workers
    };
    struct Finished
    {
        Key key;
        pica::Result<PipelineRef> pipeline;
    };
    struct Hash
    {
        std::size_t operator()(const Key& key) const { return static_cast<std::size_t>(pica::hash_key(key)); }
    };

    Entry& entry(const Key& key)
    {
        // Consecutive draws mostly run one program.
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

    pica::Result<PipelineRef> build(const Key& key, const pica::Program& program) const
    {
        const auto module = (shaders_.*make_)(key, program);
        if (!module)
            return module.error();
        return pipelines_.compute(stage_, *module);
    }

    ShaderCache& shaders_;
    PipelineCache& pipelines_;
    CompileQueue* queue_;
    ComputeStage stage_;
    Make make_;
    CompileQueue::Key first_job_;
    const std::size_t budget_;
    pica::u32 numbers_ = 0;
    pica::u64 uses_ = 0;
    std::unordered_map<Key, Entry, Hash> entries_;
    Key last_key_;
    Entry* last_ = nullptr; // its entry
    Mailbox<Finished> finished_;
};

} // namespace renderer
