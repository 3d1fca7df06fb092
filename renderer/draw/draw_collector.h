// SPDX-License-Identifier: MIT
// Collects prepared draws in the open draw batch: target, textures, constants, triangles. Decides which draws share a
// batch.
#pragma once

#include "renderer/draw/collected_draws.h"
#include "renderer/draw/fragment_constants.h"
#include "renderer/draw/record_arena.h"
#include "renderer/draw/state_chooser.h"
#include "renderer/residency/texture_cache.h"

namespace renderer
{

class DrawCollector
{
public:
    struct Parts
    {
        Device& device;
        Stream& stream;
        pica::GuestMemory& guest;
        RenderTargets& targets;
        TextureCache& textures;
        DrawStates& states;
        StateChooser& chooser;
        DrawDescriptors& descriptors;
        LutBuffer& luts;
        FragmentConstants& constants;
        RecordArena& arena;
        Batch& batch;
        CollectedDraws& collected;
        VertexExecutor* executor; // null: the CPU executes vertex programs
        pica::soft::VertexStage& vertex_stage;
    };
    // scale: internal resolution.
    DrawCollector(const Parts& parts, u32 scale) : parts_(parts), scale_(scale) {}

    // Opens a batch that the draw, or a part of it, may join, with everything that it reads. False: nothing can be
    // drawn. Fills the part of `binding` that the textures make.
    bool open(const pica::Draw& draw, const PreparedDraw& prepared, DrawBinding& binding);
    // Adds the draw to the open batch in the form that suits it. From then on the CPU asks before it touches the target.
    void add(const pica::Draw& draw, const PreparedDraw& prepared, DrawBinding& binding);
    // Records the draw alone, with the pipeline of state `id`, into a batch of its own; no batch is open.
    // False: it could not be.
    bool record_alone(const pica::Draw& draw, const PreparedDraw& prepared, u32 id);

private:
    bool target_is_open(const pica::Draw& draw) const;
    bool begin_target(const pica::Draw& draw);
    VkDescriptorSet texture_set(const pica::Draw& draw);
    bool place_triangles(const pica::Draw& draw, const PreparedDraw& prepared, u32 state,
                         RecordArena::Space& space);
    bool bind_constants(const pica::Draw& draw, const pica::FragmentKey& key, VkBufferView texels,
                        DrawBinding& binding);
    void add_triangles(const pica::Draw& draw, const PreparedDraw& prepared, DrawBinding& binding);
    void add_split(const pica::Draw& draw, const PreparedDraw& prepared, const DrawBinding& binding,
                   const RecordArena::Space& space);

    Parts parts_;
    const u32 scale_;
    pica::RenderTarget open_target_; // of the open batch
};

} // namespace renderer
