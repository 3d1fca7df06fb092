// SPDX-License-Identifier: MIT
// The states draws are in, as small ids: (fragment key, output state, record layout) -> shaders and
// pipelines, resolved once per kind of render pass. A draw then carries an id, and equal states are found by
// a byte compare.
#pragma once

#include "pica/state/draw.h"
#include "renderer/pipeline_cache.h"
#include "renderer/shader_cache.h"

#include <array>
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
    // 1: the fragment key is read from the uniform block; `fragment` then holds only what the ubershader's
    // text depends on.
    pica::u8 ubershader = 0;
    bool operator==(const DrawStateKey& o) const { return std::memcmp(this, &o, sizeof *this) == 0; }
};
static_assert(std::has_unique_object_representations_v<DrawStateKey>);

// The key that stands for all keys which share an ubershader.
pica::FragmentKey ubershader_representative(const pica::FragmentKey& key);

class DrawStates
{
public:
    DrawStates(ShaderCache& shaders, PipelineCache& pipelines) : shaders_(shaders), pipelines_(pipelines) {}

    pica::u32 find(const DrawStateKey& key);
    const DrawStateKey& key(pica::u32 id) const { return states_[id].key; }
    VertexInput vertex_input(pica::u32 id) const;
    // The pipeline of a state in a kind of render pass; made on first use.
    pica::Result<VkPipeline> pipeline(pica::u32 id, const PassKey& pass);

private:
    struct State
    {
        DrawStateKey key;
        std::array<VkPipeline, 8>
            pipelines{}; // by colour output and depth presence; the blend path is the renderer's
    };
    struct Hash
    {
        std::size_t operator()(const DrawStateKey& key) const
        {
            return static_cast<std::size_t>(pica::hash_key(key));
        }
    };

    ShaderCache& shaders_;
    PipelineCache& pipelines_;
    std::deque<State> states_;
    std::unordered_map<DrawStateKey, pica::u32, Hash> ids_;
    pica::u32 last_ = 0;
};

} // namespace renderer
