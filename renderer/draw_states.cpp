// SPDX-License-Identifier: MIT
#include "renderer/draw_states.h"

#include "shadergen/fragment.h"
#include "shadergen/ubershader.h"

namespace renderer
{

using pica::OutputClass;
using pica::u32;

pica::FragmentKey ubershader_representative(const pica::FragmentKey& key)
{
    const shadergen::UbershaderKey uber = shadergen::ubershader_key(key);
    pica::FragmentKey representative;
    representative.output = key.output; // the fixed function needs the class itself
    representative.depth = uber.depth ? pica::DepthMode::Z : pica::DepthMode::None;
    if (uber.fog)
        representative.fog = {pica::FogMode::Fog, 0, pica::DepthMode::Z, 0};
    representative.lighting.lights = uber.lighting;
    representative.scissor_exclude = uber.discards;
    representative.texture[0].lod = uber.lod;
    return representative;
}

u32 DrawStates::find(const DrawStateKey& key)
{
    // Consecutive draws are mostly in one state.
    if (last_ < states_.size() && states_[last_].key == key)
        return last_;
    if (const auto it = ids_.find(key); it != ids_.end())
        return last_ = it->second;
    last_ = static_cast<u32>(states_.size());
    states_.push_back({key, {}});
    ids_.emplace(key, last_);
    return last_;
}

pica::Result<VkPipeline> DrawStates::pipeline(u32 id, const PassKey& pass)
{
    State& state = states_[id];
    const bool interlock = state.key.interlock != 0;
    VkPipeline& slot = state.pipelines[(pass.color_output == shadergen::ColorOutput::Unorm ? 1u : 0u) |
                                       (pass.has_depth ? 2u : 0u) | (pass.has_color ? 4u : 0u)];
    if (slot != VK_NULL_HANDLE)
        return slot;

    const ShaderCache::FragmentVariant variant{pass.color_output,
                                               interlock ? shadergen::FetchPath::Interlock
                                                         : shadergen::FetchPath::InputAttachment,
                                               state.key.coverage_in_shader};
    auto fragment = state.key.ubershader ? shaders_.ubershader(shadergen::ubershader_key(state.key.fragment),
                                                               state.key.layout, variant)
                                         : shaders_.fragment(state.key.fragment, state.key.layout, variant);
    if (!fragment)
        return fragment.error();
    auto vertex = shaders_.raster_vertex(state.key.layout.words, state.key.coverage_in_shader != 0);
    if (!vertex)
        return vertex.error();

    PipelineKey key;
    key.fragment_shader = fragment->id;
    key.vertex_shader = vertex->id;
    key.output = state.key.output;
    key.output_class = state.key.fragment.output;
    if (key.output_class == OutputClass::Fetch)
        key.output.blend = {}; // done by the shader
    key.pass = pass;
    key.record_words = state.key.layout.words;
    key.interlock = state.key.interlock;
    key.vertex_input = vertex_input(id);
    auto pipeline = pipelines_.graphics(key, fragment->module, vertex->module);
    if (pipeline)
        slot = *pipeline;
    return pipeline;
}

VertexInput DrawStates::vertex_input(u32 id) const
{
    const DrawStateKey& state = states_[id].key;
    if (state.coverage_in_shader)
        return VertexInput::Rectangles;
    return shadergen::record_path(state.layout.words, shaders_.target()) ==
                   shadergen::RecordPath::FlatVaryings
               ? VertexInput::FlatRecords
               : VertexInput::Positions;
}

} // namespace renderer
