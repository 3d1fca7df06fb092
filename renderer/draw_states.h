// SPDX-License-Identifier: MIT
// The states draws are in, as small ids: (fragment key, output state, record layout) -> shaders and
// pipelines, resolved once per kind of render pass. A draw then carries an id, and equal states are found by
// a byte compare. Pipelines are made at once or, where a queue was given, by its workers (design D10). All
// functions are for the renderer's thread. Tests: tests/renderer/async_pipelines_test.cpp
#pragma once

#include "pica/state/draw.h"
#include "renderer/compile_queue.h"
#include "renderer/mailbox.h"
#include "renderer/pipeline_cache.h"
#include "renderer/shader_cache.h"

#include <array>
#include <cstring>
#include <deque>
#include <unordered_map>

namespace renderer
{

struct DrawStateKey
{
    pica::FragmentKey fragment;
    pica::OutputState output;
    pica::RecordLayout layout;
    pica::u8 coverage_in_shader = 0;
    pica::u8 interlock = 0; // fetch class through the storage image (depth and stencil off)
    // 1: the fragment key is read from the uniform block; `fragment` is then empty but for its output class,
    // which the fixed function needs, and `ubershader_key` says what the text depends on.
    pica::u8 ubershader = 0;
    shadergen::UbershaderKey ubershader_key;
    bool operator==(const DrawStateKey& o) const { return std::memcmp(this, &o, sizeof *this) == 0; }
};
static_assert(std::has_unique_object_representations_v<DrawStateKey>);

// The state that draws the same with the ubershader.
DrawStateKey ubershader_form(const DrawStateKey& specialised);

class DrawStates
{
public:
    // queue may be null: then want() does nothing. It must be idle or gone before these states are.
    // compiles_late: usable() waits for set_usable().
    DrawStates(ShaderCache& shaders, PipelineCache& pipelines, CompileQueue* queue, bool compiles_late)
        : shaders_(shaders), pipelines_(pipelines), queue_(queue), compiles_late_(compiles_late)
    {
    }

    pica::u32 find(const DrawStateKey& key);
    const DrawStateKey& key(pica::u32 id) const { return states_[id].key; }
    VertexInput vertex_input(pica::u32 id) const;
    // True where both forms of the state read records as varyings: the compute stages write no texels. The
    // ubershader's records hold whatever a specialised form's hold.
    bool flat_records(const DrawStateKey& specialised) const;

    // The pipeline of a state in a kind of render pass; made now where it is not ready.
    pica::Result<VkPipeline> pipeline(pica::u32 id, const PassKey& pass);
    bool ready(pica::u32 id, const PassKey& pass) const
    {
        return states_[id].pipelines[slot_of(pass)] != VK_NULL_HANDLE;
    }
    // May draws use it without waiting? The same where the device compiles with the pipeline; otherwise from
    // set_usable on.
    bool usable(pica::u32 id, const PassKey& pass) const
    {
        return ready(id, pass) && (!compiles_late_ || (states_[id].compiled >> slot_of(pass) & 1) != 0);
    }
    // The device has executed a draw with it.
    void set_usable(pica::u32 id, const PassKey& pass)
    {
        states_[id].compiled |= static_cast<pica::u8>(1u << slot_of(pass));
    }
    // Has the workers make it. To be repeated by every draw that would use it: that keeps it ahead of others.
    void want(pica::u32 id, const PassKey& pass);
    // Takes what the workers have finished: those states are ready from now on. What failed is told to the
    // sink once and not tried again.
    void collect(pica::Report& report);
    void end_frame() { frame_++; }

    struct Counters
    {
        pica::u64 made_by_workers = 0, failures = 0;
    };
    Counters counters;

private:
    static constexpr pica::u32 kSlots = 8; // colour output, depth and colour presence; the blend path is the
                                           // renderer's
    static pica::u32 slot_of(const PassKey& pass)
    {
        return (pass.color_output == shadergen::ColorOutput::Unorm ? 1u : 0u) | (pass.has_depth ? 2u : 0u) |
               (pass.has_color ? 4u : 0u);
    }
    struct State
    {
        DrawStateKey key;
        std::array<VkPipeline, kSlots> pipelines{};
        std::array<pica::u64, kSlots> wanted_frame{}; // last frame in which a draw wanted it from the workers
        pica::u8 failed = 0;                          // bit per slot, as the next
        pica::u8 compiled = 0;
    };
    struct Finished
    {
        pica::u32 id = 0;
        pica::u32 slot = 0;
        pica::Result<VkPipeline> pipeline;
    };
    struct Hash
    {
        std::size_t operator()(const DrawStateKey& key) const
        {
            return static_cast<std::size_t>(pica::hash_key(key));
        }
    };
    // Runs on any thread.
    pica::Result<VkPipeline> build(const DrawStateKey& key, const PassKey& pass) const;

    ShaderCache& shaders_;
    PipelineCache& pipelines_;
    CompileQueue* queue_;
    const bool compiles_late_;
    std::deque<State> states_;
    std::unordered_map<DrawStateKey, pica::u32, Hash> ids_;
    pica::u32 last_ = 0;
    pica::u64 frame_ = 1;
    Mailbox<Finished> finished_;
};

} // namespace renderer
