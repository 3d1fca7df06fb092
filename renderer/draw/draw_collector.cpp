// SPDX-License-Identifier: MIT
#include "renderer/draw/draw_collector.h"

#include "pica/vertex/vertex_stage.h"
#include "renderer/draw/batch.h"
#include "renderer/draw/collected_draws.h"
#include "renderer/draw/descriptors.h"
#include "renderer/draw/draw_access.h"
#include "renderer/draw/draw_ranges.h"
#include "renderer/draw/early_submits.h"
#include "renderer/draw/fragment_constants.h"
#include "renderer/draw/prepared_draw.h"
#include "renderer/draw/state_chooser.h"
#include "renderer/pipelines/draw_states.h"
#include "renderer/residency/render_targets.h"
#include "renderer/residency/residency.h"
#include "renderer/residency/texture_cache.h"
#include "renderer/vertex/vertex_executor.h"
#include "renderer/vertex/vertex_job.h"
#include "shadergen/texel_gather.h"

#include <cstring>

namespace renderer
{

using pica::OutputClass;

namespace
{

VertexJob vertex_job(const pica::Draw& draw, const PreparedDraw& prepared)
{
    return {draw, prepared.vertices, prepared.pending, prepared.geometry ? &*prepared.geometry : nullptr};
}

// index: in TextureViews.
u32 repeat_axes_of(const pica::Draw& draw, std::size_t index)
{
    return index == kGasDepthView ? 0 : shadergen::repeat_axes(draw.fragment.texture[index]);
}

} // namespace

// A draw that does not use colour may join any batch of its size. Its colour address has no meaning.
bool DrawCollector::target_is_open(const pica::Draw& draw) const
{
    const Batch& batch = parts_.batch;
    if (!batch.open())
        return false;
    const pica::RenderTarget& a = open_target_;
    const pica::RenderTarget& b = draw.target;
    if (a.width != b.width || a.height != b.height || a.flip != b.flip || a.block32 != b.block32)
        return false;
    const bool color_fits =
        draw.fragment.output == OutputClass::None ||
        (batch.color() && a.color_address == b.color_address && a.color_format == b.color_format);
    const bool depth_fits = !b.has_depth || (batch.depth() && a.depth_address == b.depth_address &&
                                             a.depth_format == b.depth_format);
    return color_fits && depth_fits;
}

void DrawCollector::make_room(const pica::Draw& draw, const PreparedDraw& prepared)
{
    const bool color = draw.fragment.output != OutputClass::None, depth = draw.target.has_depth != 0;
    if (target_is_open(draw))
        return;
    const u64 textures = find_textures(draw, prepared).missing.bytes;
    if (parts_.targets.has_room(draw.target, color, depth, textures))
        return;
    parts_.collected.flush();
    parts_.targets.make_room(draw.target, color, depth, textures);
}

bool DrawCollector::begin_target(const pica::Draw& draw)
{
    if (parts_.batch.open())
        return true;
    const bool wants_color = draw.fragment.output != OutputClass::None;
    Surface* color = wants_color ? parts_.targets.acquire(draw.target, SurfaceKind::Color) : nullptr;
    Surface* depth =
        draw.target.has_depth ? parts_.targets.acquire(draw.target, SurfaceKind::Depth) : nullptr;
    if ((wants_color && !color) || (draw.target.has_depth && !depth))
        return false;
    parts_.batch.begin(color, depth, draw.target.width * scale_, draw.target.height * scale_);
    parts_.residency.batch_opens(color, depth);
    open_target_ = draw.target;
    return parts_.batch.open(); // without any buffer there is nothing to do
}

// How many texels of a picture in TextureViews there are for one of the guest, in x and in y.
u32 DrawCollector::scale_of(const PreparedDraw& prepared, std::size_t index) const
{
    return index == kGasDepthView || prepared.scaled_units[index] ? scale_ : 1;
}

// Above 1x textures change with planes, too.
bool DrawCollector::has_last_textures(const pica::Draw& draw) const
{
    return scale_ == 1 && draw.keys_revision != 0 && draw.keys_revision == last_textures_.keys_revision &&
           draw.constants_revision == last_textures_.constants_revision &&
           parts_.textures.now() == last_textures_.moment;
}

DrawCollector::Textures DrawCollector::find_textures(const pica::Draw& draw, const PreparedDraw& prepared)
{
    Textures textures;
    if (has_last_textures(draw))
    {
        textures.views = last_textures_.views;
        return textures;
    }
    textures.views.fill(parts_.textures.fallback());
    for_each_texture(draw,
                     [&](std::size_t unit, const pica::TextureBinding& binding)
                     {
                         const CubeFaces* faces = is_cube(draw, unit) ? &draw.cube_faces : nullptr;
                         if (const auto view = parts_.textures.find(binding, faces, scale_of(prepared, unit)))
                         {
                             textures.views[unit] = *view;
                             textures.views[unit].set_repeat_axes(repeat_axes_of(draw, unit));
                             return;
                         }
                         const TextureCosts costs =
                             parts_.textures.costs(binding, faces, scale_of(prepared, unit));
                         textures.all_found = false;
                         textures.missing.bytes += costs.bytes;
                         textures.missing.readback |= costs.readback;
                     });
    return textures;
}

void DrawCollector::load_textures(const pica::Draw& draw, const PreparedDraw& prepared, TextureViews& views)
{
    views.fill(parts_.textures.fallback());
    for_each_texture(draw,
                     [&](std::size_t unit, const pica::TextureBinding& binding)
                     {
                         const CubeFaces* faces = is_cube(draw, unit) ? &draw.cube_faces : nullptr;
                         views[unit] = parts_.textures.get(binding, faces, scale_of(prepared, unit));
                         views[unit].set_repeat_axes(repeat_axes_of(draw, unit));
                     });
}

// Must the open batch be recorded before this draw joins one? That is so if the draw has another target, if it reads
// what the batch draws or replaces what the batch reads, or if there is no memory for both.
bool DrawCollector::must_flush(const pica::Draw& draw, const PreparedDraw& prepared, const Textures& textures,
                               const VertexWork& vertex_work)
{
    if (!target_is_open(draw))
        return true;
    for (const DrawAccess& access : prepared.accesses)
    {
        // A draw samples memory as it was before the draw, even where the texture overlaps the target.
        const bool samples = access.use == DrawAccess::Use::Texture;
        if (samples && parts_.residency.batch_draws(access.address, access.size))
            return true;
        // Pages are uploaded over the bytes that draws of the batch read.
        const bool uploads = (samples && !textures.all_found) ||
                             (access.use == DrawAccess::Use::Vertices && prepared.on_device);
        if (uploads && parts_.residency.batch_reads_older(access.address, access.size))
            return true;
    }
    if (textures.missing.readback ||
        (!textures.all_found && !parts_.textures.has_room(textures.missing.bytes)))
        return true;
    return (prepared.on_device && !parts_.executor->has_room(vertex_work)) ||
           parts_.chooser.must_close(parts_.batch, prepared, draw.target);
}

// Makes indices and attributes current in the mirror, and reserves memory for the results.
void DrawCollector::load_vertices(const DrawAccesses& accesses, const VertexWork& work)
{
    parts_.executor->reserve(work);
    for (const DrawAccess& access : accesses)
        if (access.use == DrawAccess::Use::Vertices)
            parts_.residency.begin_batch_read(access.address, access.size);
}

std::optional<DrawCollector::Joining> DrawCollector::open(const pica::Draw& draw,
                                                          const PreparedDraw& prepared)
{
    Joining joining;
    if (prepared.on_device)
    {
        joining.vertex_work = parts_.executor->work_of(vertex_job(draw, prepared));
        joining.vertex_work.need.record_words = prepared.state->words;
    }
    const u64 generation = parts_.textures.now().generation;
    Textures textures = find_textures(draw, prepared);
    if (parts_.batch.open() && must_flush(draw, prepared, textures, joining.vertex_work))
    {
        parts_.collected.flush();
        if (!prepared.geometry) // its plan belongs to the submission being recorded
            parts_.early_submits.operation_ended();
        textures.all_found = false; // they belong to the batch that is over
    }
    // From here on nothing flushes.
    if (prepared.on_device)
        load_vertices(prepared.accesses, joining.vertex_work);
    if (!textures.all_found)
        load_textures(draw, prepared, textures.views);
    // They were current in this generation. What is loaded for a draw, and the batch that it opens, may begin the next.
    last_textures_ = {draw.keys_revision,
                      draw.constants_revision,
                      {generation, parts_.textures.now().batch},
                      textures.views};
    if (!parts_.device.status() || !begin_target(draw))
        return std::nullopt;
    joining.binding.texture_set = parts_.descriptors.texture_set(textures.views);
    if (joining.binding.texture_set == VK_NULL_HANDLE)
        return std::nullopt;
    return joining;
}

void DrawCollector::add(const pica::Draw& draw, const PreparedDraw& prepared, Joining& joining)
{
    joining.binding.state = parts_.chooser.form(parts_.batch, prepared);
    add_triangles(draw, prepared, joining);
}

bool DrawCollector::record_alone(const pica::Draw& draw, const PreparedDraw& prepared, u32 id)
{
    std::optional<Joining> joining = open(draw, prepared);
    if (!joining)
        return false;
    joining->binding.state = id;
    add_triangles(draw, prepared, *joining);
    parts_.collected.flush();
    return true;
}

bool DrawCollector::place_triangles(const pica::Draw& draw, const PreparedDraw& prepared,
                                    const Joining& joining, RecordArena::Space& space)
{
    const u32 state = joining.binding.state;
    const pica::RecordLayout layout = parts_.states.key(state).layout;
    const bool with_texels = parts_.states.vertex_input(state) != VertexInput::FlatRecords;
    if (prepared.on_device)
    {
        space.geometry =
            parts_.executor->add(vertex_job(draw, prepared), joining.vertex_work, layout, with_texels);
        space.texels = with_texels ? parts_.executor->texels() : VK_NULL_HANDLE;
        return true;
    }
    space = parts_.arena.allocate(layout.words, prepared.triangles, with_texels);
    if (!space.records)
        return false;
    if (!prepared.state->needs_groups)
    {
        parts_.vertex_stage.emit(layout, space.records, space.positions, parts_.vertex_threads);
        return true;
    }
    // Barrier groups are made from the positions, and upload memory is slow to read.
    positions_.resize(std::size_t{prepared.triangles} * 6);
    parts_.vertex_stage.emit(layout, space.records, positions_.data(), parts_.vertex_threads);
    std::memcpy(space.positions, positions_.data(), positions_.size() * sizeof(s32));
    space.positions = positions_.data();
    return true;
}

bool DrawCollector::bind_constants(const pica::Draw& draw, const pica::FragmentKey& key, VkBufferView texels,
                                   DrawBinding& binding)
{
    const bool ubershader = parts_.states.key(binding.state).ubershader != 0;
    const auto place = parts_.constants.place(draw, key, ubershader);
    if (!place)
        return false;
    binding.fragment_offset = static_cast<u32>(place->slice.offset);
    binding.lighting_offset = place->lighting_offset;
    binding.draw_set = parts_.descriptors.draw_set(place->slice, texels, parts_.luts.view());
    return binding.draw_set != VK_NULL_HANDLE;
}

// Places triangles and constants, fills the rest of the binding and adds the draw to the batch. binding.state
// and binding.texture_set must be set.
void DrawCollector::add_triangles(const pica::Draw& draw, const PreparedDraw& prepared, Joining& joining)
{
    DrawBinding& binding = joining.binding;
    binding.viewport = prepared.state->viewport;
    const s32 n = static_cast<s32>(scale_);
    binding.scissor = {draw.scissor.x1 * n, draw.scissor.y1 * n, draw.scissor.x2 * n, draw.scissor.y2 * n};
    // Where they have no effect they stay 0, so that draws that differ in nothing else can become one command.
    if (prepared.state->specialised.output.stencil_test)
    {
        binding.stencil_reference = draw.constants.stencil_reference;
        binding.stencil_compare_mask = draw.constants.stencil_compare_mask;
        binding.stencil_write_mask = draw.constants.stencil_write_mask;
    }

    RecordArena::Space space;
    if (!place_triangles(draw, prepared, joining, space) ||
        !bind_constants(draw, prepared.state->specialised.fragment, space.texels, binding))
        return;
    parts_.early_submits.count_draw();
    if (prepared.state->failing)
        add_split(draw, prepared, binding, space);
    else if (may_join(prepared, space))
    {
        const bool small = prepared.triangles <= JoinableDraws::kMostTriangles;
        const JoinableDraws::Part part{small ? parts_.vertex_stage.bounds() : pica::PixelRect{},
                                       space.geometry, space.records, space.positions};
        parts_.batch.add(binding, space.geometry, space.positions, &part);
    }
    else
        parts_.batch.add(binding, space.geometry, space.positions);
}

// May the draw become part of a draw command that other draws are behind?
bool DrawCollector::may_join(const PreparedDraw& prepared, const RecordArena::Space& space) const
{
    return parts_.batch.joins_draws() && !prepared.on_device && space.texels == VK_NULL_HANDLE;
}

// Adds each triangle twice, first with the state of the failing fragments, then with the other
// (ChosenState::failing).
void DrawCollector::add_split(const pica::Draw& draw, const PreparedDraw& prepared,
                              const DrawBinding& binding, const RecordArena::Space& space)
{
    DrawBinding failing = binding;
    failing.state = parts_.chooser.same_form(binding.state, *prepared.state->failing);
    if (!bind_constants(draw, prepared.state->failing->fragment, space.texels, failing))
        return;
    for (u32 triangle = 0; triangle < prepared.triangles; triangle++)
    {
        const DrawGeometry one = space.geometry.part(triangle, 1);
        const s32* positions = space.positions ? space.positions + std::size_t{triangle} * 6 : nullptr;
        parts_.batch.add(failing, one, positions);
        parts_.batch.add(binding, one, positions);
    }
}

} // namespace renderer
