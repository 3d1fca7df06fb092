// SPDX-License-Identifier: MIT
// DrawCollector: adds prepared draws to the draw batch. It opens the batch for the draw's target, looks up
// textures, places triangles and constants, and decides which draws share a batch.
#pragma once

#include "renderer/draw/draw_binding.h"
#include "renderer/draw/record_arena.h"
#include "renderer/residency/texture_view.h"
#include "renderer/vertex/vertex_work.h"

#include <optional>
#include <vector>

namespace pica
{
class VertexStage;
class WorkSharer;
} // namespace pica

namespace renderer
{

class Batch;
class CollectedDraws;
class Device;
class DrawAccesses;
class DrawDescriptors;
class DrawStates;
class EarlySubmits;
class FragmentConstants;
class LutBuffer;
class RenderTargets;
class Residency;
class StateChooser;
class TextureCache;
class VertexExecutor;
struct PreparedDraw;

class DrawCollector
{
public:
    struct Parts
    {
        Device& device;
        RenderTargets& targets;
        Residency& residency;
        TextureCache& textures;
        DrawStates& states;
        StateChooser& chooser;
        DrawDescriptors& descriptors;
        LutBuffer& luts;
        FragmentConstants& constants;
        RecordArena& arena;
        Batch& batch;
        CollectedDraws& collected;
        EarlySubmits& early_submits;
        VertexExecutor* executor; // null: the CPU does all vertex work
        pica::VertexStage& vertex_stage;
        pica::WorkSharer* vertex_threads; // divide its triangles; may be null
    };
    // scale: internal resolution, pixels of the image per pixel of the guest.
    DrawCollector(const Parts& parts, u32 scale) : parts_(parts), scale_(scale) {}

    // A draw, or a part of one, on its way into the batch.
    struct Joining
    {
        DrawBinding binding;
        VertexWork vertex_work; // where the device does it
    };
    // To be called before a draw is prepared, of which scaled_units are known. Where there is no memory for the draw's
    // surfaces and textures it flushes, submits and drops other surfaces.
    void make_room(const pica::Draw& draw, const PreparedDraw& prepared);
    // Makes what the draw reads resident (textures, and vertices if the device does the vertex work) and
    // leaves a batch open that the draw may join. Flushes the open batch once where the draw cannot join it. May
    // submit and wait, as TextureCache::get does. No value: nothing can be drawn. Then the host failed
    // (Device::status), the draw uses neither colour nor depth buffer, or the target is not in memory.
    std::optional<Joining> open(const pica::Draw& draw, const PreparedDraw& prepared);
    // Adds the draw to the batch that open() left open. Chooses between the draw's own pipeline and the
    // ubershader. From then on the page tracker reports the target's pages as newer on the device. May wait for
    // a missing variant of the ubershader (StateChooser::form).
    void add(const pica::Draw& draw, const PreparedDraw& prepared, Joining& joining);
    // Records the draw in a batch of its own, with the pipeline of state `id`, and flushes. No batch may be
    // open before. Does not submit. False: nothing was recorded, for the reasons given at open().
    bool record_alone(const pica::Draw& draw, const PreparedDraw& prepared, u32 id);

private:
    bool target_is_open(const pica::Draw& draw) const;
    bool begin_target(const pica::Draw& draw);
    // The textures of a draw that were found, and what the others need.
    struct Textures
    {
        TextureViews views;
        bool all_found = true;
        TextureCosts missing;
    };
    // The textures of the last draw; consecutive draws mostly have them in common.
    struct LastTextures
    {
        u64 keys_revision = 0; // of the draw; 0: there is none
        u64 constants_revision = 0;
        TextureMoment moment;
        TextureViews views{};
    };
    u32 scale_of(const PreparedDraw& prepared, std::size_t index) const;
    bool has_last_textures(const pica::Draw& draw) const;
    Textures find_textures(const pica::Draw& draw, const PreparedDraw& prepared);
    void load_textures(const pica::Draw& draw, const PreparedDraw& prepared, TextureViews& views);
    bool must_flush(const pica::Draw& draw, const PreparedDraw& prepared, const Textures& textures,
                    const VertexWork& vertex_work);
    void load_vertices(const DrawAccesses& accesses, const VertexWork& work);
    bool place_triangles(const pica::Draw& draw, const PreparedDraw& prepared, const Joining& joining,
                         RecordArena::Space& space);
    bool bind_constants(const pica::Draw& draw, const pica::FragmentKey& key, VkBufferView texels,
                        DrawBinding& binding);
    void add_triangles(const pica::Draw& draw, const PreparedDraw& prepared, Joining& joining);
    bool may_join(const PreparedDraw& prepared, const RecordArena::Space& space) const;
    void add_split(const pica::Draw& draw, const PreparedDraw& prepared, const DrawBinding& binding,
                   const RecordArena::Space& space);

    Parts parts_;
    const u32 scale_;
    pica::RenderTarget open_target_; // of the open batch
    LastTextures last_textures_;
    std::vector<s32> positions_; // of the draw being added, where barrier groups are made from them
};

} // namespace renderer
