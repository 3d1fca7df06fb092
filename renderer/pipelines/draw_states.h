// SPDX-License-Identifier: MIT
// DrawStates: the pipeline states of draws. Each state has a small id, so that a draw carries an id and equal
// states are found by comparing bytes. A state has one pipeline per kind of render pass. It is compiled when
// a draw needs it or, if a queue was given, by workers (design D10). All functions are for the renderer's
// thread. Tests: tests/renderer/async_pipelines_test.cpp.
#pragma once

#include "pica/base/report.h"
#include "renderer/pipelines/compile_queue.h"
#include "renderer/pipelines/draw_state_key.h"
#include "renderer/pipelines/mailbox.h"
#include "renderer/pipelines/pipeline_keys.h"

#include <array>
#include <deque>
#include <unordered_map>
#include <vector>

namespace renderer
{

class PipelineCache;
class ShaderCache;
class Stream;
class TitleStates;
enum class ShaderSource : pica::u8;

class DrawStates
{
public:
    // queue: may be null; then want() does nothing. The queue must be idle or destroyed before this object
    // is. compiles_late: pipelines are usable only after set_usable(). budget: how many pipelines are kept
    // (over_budget). title: is told what draws use; may be null.
    DrawStates(ShaderCache& shaders, PipelineCache& pipelines, CompileQueue* queue, bool compiles_late,
               std::size_t budget, TitleStates* title)
        : shaders_(shaders), pipelines_(pipelines), queue_(queue), compiles_late_(compiles_late),
          budget_(budget), title_(title)
    {
    }

    // The id of a state, which is added if it is new. Valid until evict_oldest.
    pica::u32 find(const DrawStateKey& key);
    // The same for a state that was found before, with the id and the serial that it had.
    pica::u32 find_again(const DrawStateKey& key, pica::u32 id, pica::u64 serial)
    {
        if (states_[id].serial != serial)
            return find(key);
        states_[id].use = ++uses_;
        return id;
    }
    const DrawStateKey& key(pica::u32 id) const { return states_[id].key; }
    // What the state's vertex shader reads.
    VertexInput vertex_input(pica::u32 id) const;
    // Do both forms of the state read records as varyings? Then the compute executor need not write texels.
    // The records of the ubershader hold all that those of the specialised form hold.
    bool flat_records(const DrawStateKey& specialised) const;

    // The pipeline of a state in a kind of render pass. Compiles it, and so waits, if it is not ready. Owned
    // by this object.
    pica::Result<VkPipeline> pipeline(pica::u32 id, const PassKey& pass);
    // Is the pipeline compiled, as far as Vulkan's interface shows?
    bool ready(pica::u32 id, const PassKey& pass) const
    {
        return states_[id].pipelines[slot_of(pass)] != nullptr;
    }
    // May draws use the pipeline without waiting for a compiler? On devices that compile late this needs
    // set_usable(); otherwise it is ready().
    bool usable(pica::u32 id, const PassKey& pass) const
    {
        return ready(id, pass) && (!compiles_late_ || (states_[id].compiled >> slot_of(pass) & 1) != 0);
    }
    // To be called when the device has executed a draw with the pipeline.
    void set_usable(pica::u32 id, const PassKey& pass)
    {
        states_[id].compiled |= static_cast<pica::u8>(1u << slot_of(pass));
    }
    // Asks the workers for the pipeline. Every draw that would use it repeats this, which keeps the job at
    // the front of the queue.
    void want(pica::u32 id, const PassKey& pass);
    // The same for a kind of render pass that the draw would share with draws of another kind. On devices that compile
    // late nothing is asked: a warm-up draws in the draw's own kind of pass, so the pipeline would never become usable.
    void want_shared(pica::u32 id, const PassKey& pass)
    {
        if (!compiles_late_)
            want(id, pass);
    }
    // Asks the workers for a pipeline that no draw has used yet, if all of its shaders are kept. Nothing is
    // generated, so the state need not be one that a guest can reach.
    void warm(const DrawStateKey& state, const PassKey& pass);
    // The same as want() for a pipeline that no draw needs yet: the workers make it when nothing else waits.
    void want_later(pica::u32 id, const PassKey& pass);
    // Takes the pipelines that workers have finished: they are ready from now on. A failure is reported once,
    // and the pipeline is not tried again.
    void collect(pica::Report& report);
    // To be called once per frame: want() asks the queue at most once per frame.
    void end_frame() { frame_++; }

    // A number that distinguishes the state from earlier and later states with the same id.
    pica::u64 serial(pica::u32 id) const { return states_[id].serial; }
    // Are there more pipelines than the budget, or more than twice as many states?
    bool over_budget() const { return held_ > budget_ || ids_.size() > 2 * budget_; }
    // Evicts the least recently used states, until three quarters of the budget remain. Their pipelines are
    // destroyed when the device has finished with them, and their ids go to other states. So the collected
    // draws must have been flushed.
    void evict_oldest(Stream& stream);

    struct Counters
    {
        pica::u64 made_by_workers = 0, failures = 0, evictions = 0;
        pica::u64 warmed = 0; // of those made by workers: before a draw wanted them
        pica::u64 waits = 0;  // pipelines made by pipeline(), on the caller's thread
        double wait_ms = 0.0;
    };
    Counters counters;

private:
    // An index of the kinds of render pass: colour output, presence of depth, presence of colour. The blend
    // path is the same in all of them.
    static constexpr pica::u32 kSlots = 8;
    static pica::u32 slot_of(const PassKey& pass)
    {
        return (pass.color_output == shadergen::ColorOutput::Unorm ? 1u : 0u) | (pass.has_depth ? 2u : 0u) |
               (pass.has_color ? 4u : 0u);
    }
    struct State
    {
        DrawStateKey key;
        pica::u64 serial = 0;
        pica::u64 use = 0; // number of its last use
        std::array<PipelineRef, kSlots> pipelines{};
        std::array<pica::u64, kSlots> wanted_frame{}; // last frame in which want() asked the queue
        pica::u8 failed = 0;                          // bits by slot, as the next
        pica::u8 compiled = 0;
        pica::u8 used = 0; // title_ was told
    };
    struct Finished
    {
        pica::u32 id = 0;
        pica::u64 serial = 0;
        pica::u32 slot = 0;
        bool warmed = false;
        pica::Result<PipelineRef> pipeline;
    };
    struct Hash
    {
        std::size_t operator()(const DrawStateKey& key) const
        {
            return static_cast<std::size_t>(pica::hash_key(key));
        }
    };
    // Compiles a pipeline. May run on any thread.
    pica::Result<PipelineRef> build(const DrawStateKey& key, const PassKey& pass, ShaderSource source) const;
    // Tells the title that a draw uses the pipeline.
    void use(State& state, const PassKey& pass);
    pica::u32 add(const DrawStateKey& key);
    void keep(State& state, pica::u32 slot, PipelineRef pipeline);
    bool may_want(const State& state, pica::u32 slot) const
    {
        return queue_ && !state.pipelines[slot] && (state.failed >> slot & 1) == 0 &&
               state.wanted_frame[slot] != frame_;
    }
    CompileQueue::Job job(pica::u32 id, pica::u32 slot, const PassKey& pass);

    ShaderCache& shaders_;
    PipelineCache& pipelines_;
    CompileQueue* queue_;
    const bool compiles_late_;
    const std::size_t budget_;
    TitleStates* const title_;
    std::deque<State> states_;
    std::vector<pica::u32> free_; // ids that are free
    std::size_t held_ = 0;        // how many pipelines exist
    pica::u64 serials_ = 0;
    pica::u64 uses_ = 0;
    std::unordered_map<DrawStateKey, pica::u32, Hash> ids_;
    pica::u32 last_ = 0;
    pica::u64 frame_ = 1;
    Mailbox<Finished> finished_;
};

} // namespace renderer
