// SPDX-License-Identifier: MIT
// Compute pipelines of vertex programs, made when a draw needs them or, where a queue was given, by its
// workers: until then the CPU executor does the draw, with the same bits. All functions are for the
// renderer's thread. Tests: tests/renderer/async_pipelines_test.cpp
#pragma once

#include "pica/base/report.h"
#include "renderer/compile_queue.h"
#include "renderer/mailbox.h"
#include "renderer/pipeline_cache.h"
#include "renderer/shader_cache.h"

#include <unordered_map>

namespace renderer
{

class VertexPrograms
{
public:
    // queue may be null; otherwise it must be idle or gone before these programs are.
    VertexPrograms(ShaderCache& shaders, PipelineCache& pipelines, CompileQueue* queue)
        : shaders_(shaders), pipelines_(pipelines), queue_(queue)
    {
    }

    // Made now where it is not ready.
    pica::Result<VkPipeline> pipeline(const pica::VertexKey& key, const pica::Program& program);
    // Without a queue always; with one it has the workers make what is not ready.
    bool ready(const pica::VertexKey& key, const pica::Program& program);
    void collect(pica::Report& report);
    void end_frame() { frame_++; }

    struct Counters
    {
        pica::u64 made_by_workers = 0, failures = 0;
    };
    Counters counters;

private:
    struct Entry
    {
        VkPipeline pipeline = VK_NULL_HANDLE;
        pica::u32 number = 0; // order of appearance
        bool failed = false;
        pica::u64 wanted_frame = 0; // last frame in which a draw wanted it from the workers
    };
    struct Finished
    {
        pica::VertexKey key;
        pica::Result<VkPipeline> pipeline;
    };
    struct Hash
    {
        std::size_t operator()(const pica::VertexKey& key) const
        {
            return static_cast<std::size_t>(pica::hash_key(key));
        }
    };
    Entry& entry(const pica::VertexKey& key);
    // Runs on any thread.
    pica::Result<VkPipeline> build(const pica::VertexKey& key, const pica::Program& program) const;

    ShaderCache& shaders_;
    PipelineCache& pipelines_;
    CompileQueue* queue_;
    std::unordered_map<pica::VertexKey, Entry, Hash> entries_;
    pica::VertexKey last_key_;
    Entry* last_ = nullptr; // its entry
    pica::u64 frame_ = 1;
    Mailbox<Finished> finished_;
};

} // namespace renderer
