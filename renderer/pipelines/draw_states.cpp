// SPDX-License-Identifier: MIT
#include "renderer/pipelines/draw_states.h"

#include "renderer/pipelines/pipeline_cache.h"
#include "renderer/pipelines/shader_cache.h"
#include "renderer/pipelines/title_states.h"
#include "renderer/vulkan/stream.h"
#include "shadergen/raster_vertex.h"
#include "shadergen/ubershader.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace renderer
{

using pica::OutputClass;
using pica::u32;
using pica::u64;
using pica::u8;

namespace
{

VertexInput vertex_input_of(const DrawStateKey& key, const shadergen::Target& target)
{
    if (key.coverage_in_shader)
        return VertexInput::Rectangles;
    return shadergen::record_path(key.layout.words, target) == shadergen::RecordPath::FlatVaryings
               ? VertexInput::FlatRecords
               : VertexInput::Positions;
}

// What the fixed function reads of the output state. States that differ in nothing else share pipelines.
pica::OutputState fixed_function(const pica::OutputState& output, OutputClass output_class)
{
    pica::OutputState used = output;
    used.blend = {};
    switch (output_class)
    {
    case OutputClass::None:
    case OutputClass::Fetch: // the shader does the work
        break;
    case OutputClass::Opaque:
        used.blend.color_mask = output.blend.color_mask;
        break;
    case OutputClass::LogicOp:
        used.blend.logic_op = output.blend.logic_op;
        used.blend.color_mask = output.blend.color_mask;
        break;
    case OutputClass::FixedBlend:
        used.blend = output.blend;
        break;
    }
    return used;
}

} // namespace

DrawStateKey ubershader_form(const DrawStateKey& specialised)
{
    DrawStateKey key;
    key.fragment.output = specialised.fragment.output;
    key.output = fixed_function(specialised.output, specialised.fragment.output);
    key.coverage_in_shader = specialised.coverage_in_shader;
    key.interlock = specialised.interlock;
    key.ubershader = 1;
    key.ubershader_key = shadergen::ubershader_key(specialised.fragment);
    key.layout = shadergen::ubershader_layout(key.ubershader_key, specialised.layout.wide);
    return key;
}

u32 DrawStates::find(const DrawStateKey& key)
{
    // Consecutive draws mostly have the same state.
    if (last_ >= states_.size() || states_[last_].serial == 0 || !(states_[last_].key == key))
    {
        if (const auto it = ids_.find(key); it != ids_.end())
            last_ = it->second;
        else
            last_ = add(key);
    }
    states_[last_].use = ++uses_;
    return last_;
}

u32 DrawStates::add(const DrawStateKey& key)
{
    u32 id = static_cast<u32>(states_.size());
    if (free_.empty())
        states_.emplace_back();
    else
    {
        id = free_.back();
        free_.pop_back();
    }
    states_[id].key = key;
    states_[id].serial = ++serials_;
    ids_.emplace(key, id);
    return id;
}

void DrawStates::evict_oldest(Stream& stream)
{
    std::vector<u32> oldest;
    for (const auto& [key, id] : ids_)
        oldest.push_back(id);
    std::sort(oldest.begin(), oldest.end(), [&](u32 a, u32 b) { return states_[a].use < states_[b].use; });
    const std::size_t limit = budget_ - budget_ / 4;
    for (const u32 id : oldest)
    {
        if (held_ <= limit && ids_.size() <= 2 * limit)
            return;
        State& state = states_[id];
        for (PipelineRef& pipeline : state.pipelines)
        {
            if (!pipeline)
                continue;
            stream.retire(std::move(pipeline));
            --held_;
            ++counters.evictions;
        }
        ids_.erase(state.key);
        state = {};
        free_.push_back(id);
    }
}

void DrawStates::keep(State& state, u32 slot, PipelineRef pipeline)
{
    held_ += state.pipelines[slot] ? 0 : 1;
    state.pipelines[slot] = std::move(pipeline);
}

bool DrawStates::flat_records(const DrawStateKey& specialised) const
{
    const pica::RecordLayout layout = shadergen::ubershader_layout(
        shadergen::ubershader_key(specialised.fragment), specialised.layout.wide);
    return shadergen::record_path(layout.words, shaders_.target()) == shadergen::RecordPath::FlatVaryings;
}

VertexInput DrawStates::vertex_input(u32 id) const
{
    return vertex_input_of(states_[id].key, shaders_.target());
}

pica::Result<PipelineRef> DrawStates::build(const DrawStateKey& state, const PassKey& pass,
                                            ShaderSource source) const
{
    const ShaderCache::FragmentVariant variant{pass.color_output,
                                               state.interlock ? shadergen::FetchPath::Interlock
                                                               : shadergen::FetchPath::InputAttachment,
                                               state.coverage_in_shader};
    auto fragment = state.ubershader
                        ? shaders_.ubershader(state.ubershader_key, state.layout, variant, source)
                        : shaders_.fragment(state.fragment, state.layout, variant, source);
    if (!fragment)
        return fragment.error();
    auto vertex =
        shaders_.raster_vertex(state.ubershader ? nullptr : &state.fragment, state.layout, variant, source);
    if (!vertex)
        return vertex.error();

    PipelineKey key;
    key.fragment_shader = fragment->id;
    key.vertex_shader = vertex->id;
    key.output = fixed_function(state.output, state.fragment.output);
    key.output_class = state.fragment.output;
    key.pass = pass;
    key.record_words = state.layout.words;
    key.interlock = state.interlock;
    key.vertex_input = vertex_input_of(state, shaders_.target());
    return pipelines_.graphics(key, *fragment, *vertex);
}

pica::Result<VkPipeline> DrawStates::pipeline(u32 id, const PassKey& pass)
{
    State& state = states_[id];
    const u32 slot = slot_of(pass);
    use(state, pass);
    if (!state.pipelines[slot])
    {
        const auto start = std::chrono::steady_clock::now();
        auto pipeline = build(state.key, pass, ShaderSource::Any);
        counters.waits++;
        counters.wait_ms +=
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        if (!pipeline)
            return pipeline.error();
        keep(state, slot, std::move(*pipeline));
    }
    return state.pipelines[slot]->get();
}

void DrawStates::want(u32 id, const PassKey& pass)
{
    const u32 slot = slot_of(pass);
    State& state = states_[id];
    if (!may_want(state, slot))
        return;
    state.wanted_frame[slot] = frame_;
    use(state, pass);
    const u64 key = state.serial * kSlots + slot;
    if (!queue_->want(key))
        queue_->add(key, job(id, slot, pass));
}

void DrawStates::want_later(u32 id, const PassKey& pass)
{
    const u32 slot = slot_of(pass);
    if (may_want(states_[id], slot))
        queue_->add_later(states_[id].serial * kSlots + slot, job(id, slot, pass));
}

CompileQueue::Job DrawStates::job(u32 id, u32 slot, const PassKey& pass)
{
    return [this, id, slot, pass, serial = states_[id].serial, key = states_[id].key] {
        finished_.post({id, serial, slot, false, build(key, pass, ShaderSource::Any)});
    };
}

void DrawStates::warm(const DrawStateKey& state_key, const PassKey& pass)
{
    const u32 id = find(state_key);
    const u32 slot = slot_of(pass);
    const State& state = states_[id];
    if (!queue_ || state.pipelines[slot])
        return;
    queue_->add(state.serial * kSlots + slot,
                [this, id, serial = state.serial, slot, pass, state_key]
                {
                    // What is not kept is made when a draw wants it.
                    if (auto made = build(state_key, pass, ShaderSource::Kept))
                        finished_.post({id, serial, slot, true, std::move(made)});
                });
}

void DrawStates::use(State& state, const PassKey& pass)
{
    const u32 slot = slot_of(pass);
    if (title_ == nullptr || (state.used >> slot & 1) != 0)
        return;
    state.used |= static_cast<u8>(1u << slot);
    title_->use(state.key, pass);
}

void DrawStates::collect(pica::Report& report)
{
    finished_.collect(
        [&](const Finished& finished)
        {
            State& state = states_[finished.id];
            if (state.serial != finished.serial)
                return; // the state was evicted in the meantime
            if (finished.pipeline)
            {
                keep(state, finished.slot, *finished.pipeline);
                counters.made_by_workers++;
                counters.warmed += finished.warmed ? 1 : 0;
                return;
            }
            state.failed |= static_cast<u8>(1u << finished.slot);
            counters.failures++;
            report.report(pica::ReportKind::Info,
                          "a specialised pipeline could not be made, the ubershader stays",
                          finished.pipeline.error().message);
        });
}

} // namespace renderer
