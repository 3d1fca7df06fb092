// SPDX-License-Identifier: MIT
// The states draws are in, as small ids: (fragment key, output state, record layout) -> shaders and
// pipelines, resolved once per kind of render pass. A draw then carries an id, and equal states are found by
// a byte compare. Pipelines are made at once or, where a queue was given, by its workers (design D10). All
// functions are for the renderer's thread. Tests: tests/renderer/async_pipelines_test.cpp
#pragma once

#include "pica/state/draw.h"
#include "renderer/pipelines/compile_queue.h"
#include "renderer/pipelines/mailbox.h"
#include "renderer/pipelines/pipeline_cache.h"
#include "renderer/pipelines/shader_cache.h"
#include "renderer/vulkan/stream.h"

#include <array>
#include <cstring>
#include <deque>
#include <unordered_map>
#include <vector>

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
    // budget: pipelines that are kept (over_budget).
    DrawStates(ShaderCache& shaders, PipelineCache& pipelines, CompileQueue* queue, bool compiles_late,
               std::size_t budget)
        : shaders_(shaders), pipelines_(pipelines), queue_(queue), compiles_late_(compiles_late),
          budget_(budget)
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
        return states_[id].pipelines[slot_of(pass)] != nullptr;
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

    // Tells a state from others that had or will have its id.
    pica::u64 serial(pica::u32 id) const { return states_[id].serial; }
    bool over_budget() const { return held_ > budget_ || ids_.size() > 2 * budget_; }
    // Down to three quarters of the budget, those first that no draw was in for longest. Their ids go to
    // other states: no draw that was collected may still lack its commands.
    void evict_oldest(Stream& stream);

    struct Counters
    {
        pica::u64 made_by_workers = 0, failures = 0, evictions = 0;
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
        pica::u64 serial = 0;
        pica::u64 use = 0; // the largest was used last
        std::array<PipelineRef, kSlots> pipelines{};
        std::array<pica::u64, kSlots> wanted_frame{}; // last frame in which a draw wanted it from the workers
        pica::u8 failed = 0;                          // bit per slot, as the next
        pica::u8 compiled = 0;
    };
    struct Finished
    {
        pica::u32 id = 0;
        pica::u64 serial = 0;
        pica::u32 slot = 0;
        pica::Result<PipelineRef> pipeline;
    };
    struct Hash
    {
        std::size_t operator()(const DrawStateKey& key) const
        {
            return static_cast<std::size_t>(pica::hash_key(key));
        }
    };
    // Runs on any thread.
    pica::Result<PipelineRef> build(const DrawStateKey& key, const PassKey& pass) const;
    pica::u32 add(const DrawStateKey& key);
    void keep(State& state, pica::u32 slot, PipelineRef pipeline);

    ShaderCache& shaders_;
    PipelineCache& pipelines_;
    CompileQueue* queue_;
    const bool compiles_late_;
    const std::size_t budget_;
    std::deque<State> states_;
    std::vector<pica::u32> free_; // ids of no state
    std::size_t held_ = 0;        // pipelines
    pica::u64 serials_ = 0;
    pica::u64 uses_ = 0;
    std::unordered_map<DrawStateKey, pica::u32, Hash> ids_;
    pica::u32 last_ = 0;
    pica::u64 frame_ = 1;
    Mailbox<Finished> finished_;
};

} // namespace renderer
