// SPDX-License-Identifier: MIT
#include "renderer/draw/draw_collector.h"

#include "renderer/draw/draw_ranges.h"

namespace renderer
{

using pica::OutputClass;

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
    open_target_ = draw.target;
    return parts_.batch.open(); // without any buffer there is nothing to do
}

VkDescriptorSet DrawCollector::texture_set(const pica::Draw& draw)
{
    TextureViews views;
    const auto view = [&](std::size_t unit, const pica::TextureBinding& binding)
    {
        // A draw samples memory as it was before the draw, even where the texture overlaps the target. So
        // draws that write to the texture's memory are flushed first.
        for_each_address(draw, unit, binding,
                         [&](PhysAddr address)
                         {
                             if (parts_.collected.overlap(address, binding.byte_size()))
                                 parts_.collected.flush();
                         });
        views[unit] = is_cube(draw, unit) ? parts_.textures.get_cube(binding, draw.cube_faces)
                                          : parts_.textures.get(binding);
    };
    // Loading a texture may flush the batch, and after a flush the cache may evict textures that this loop
    // has already looked up. So the loop repeats until the batch number stays the same.
    for (u64 batch = 0; batch != parts_.stream.batch() && parts_.device.status();)
    {
        batch = parts_.stream.batch();
        views.fill(parts_.textures.fallback());
        for_each_texture(draw, view);
    }
    if (!parts_.device.status())
        return VK_NULL_HANDLE;
    return parts_.descriptors.texture_set(views);
}

bool DrawCollector::open(const pica::Draw& draw, const PreparedDraw& prepared, DrawBinding& binding)
{
    // Everything that may flush the open batch happens before the draw joins one.
    if (!target_is_open(draw))
        parts_.collected.flush();
    // Each step below may flush too. What the draw uses was then marked with the number of a batch that is
    // over. So the steps repeat. The second time everything is resident, and nothing flushes.
    for (;;)
    {
        u64 collected = 0;
        do
        {
            collected = parts_.stream.batch();
            if (prepared.on_device)
                parts_.executor->require(draw, prepared.vertices, prepared.pending.count);
            binding.texture_set = texture_set(draw);
        } while (parts_.stream.batch() != collected && parts_.device.status());
        if (binding.texture_set == VK_NULL_HANDLE || !begin_target(draw))
            return false;
        if (!parts_.chooser.must_close(parts_.batch, prepared.specialised, draw.target))
            return true;
        parts_.collected.flush();
    }
}

void DrawCollector::add(const pica::Draw& draw, const PreparedDraw& prepared, DrawBinding& binding)
{
    binding.state = parts_.chooser.form(parts_.batch, prepared.specialised);
    add_triangles(draw, prepared, binding);
    // The batch is recorded later, but the page tracker must report the target's pages as newer on the device
    // now.
    for (const Surface* surface : {parts_.batch.color(), parts_.batch.depth()})
        if (surface)
            parts_.guest.pages().device_wrote(surface->key.address, surface->bytes);
}

bool DrawCollector::record_alone(const pica::Draw& draw, const PreparedDraw& prepared, u32 id)
{
    DrawBinding binding;
    binding.texture_set = texture_set(draw);
    if (binding.texture_set == VK_NULL_HANDLE || !begin_target(draw))
        return false;
    binding.state = id;
    add_triangles(draw, prepared, binding);
    parts_.collected.flush();
    return true;
}

bool DrawCollector::place_triangles(const pica::Draw& draw, const PreparedDraw& prepared, u32 state,
                                    RecordArena::Space& space)
{
    const pica::RecordLayout layout = parts_.states.key(state).layout;
    const bool with_texels = parts_.states.vertex_input(state) != VertexInput::FlatRecords;
    if (prepared.on_device)
    {
        space.geometry = parts_.executor->add(draw, layout, with_texels, prepared.pending);
        space.texels = with_texels ? parts_.executor->texels() : VK_NULL_HANDLE;
        return true;
    }
    space = parts_.arena.allocate(layout.words, prepared.triangles, with_texels);
    if (!space.records)
        return false;
    parts_.vertex_stage.emit(layout, space.records, space.positions);
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
void DrawCollector::add_triangles(const pica::Draw& draw, const PreparedDraw& prepared, DrawBinding& binding)
{
    binding.viewport = prepared.viewport;
    const s32 n = static_cast<s32>(scale_);
    binding.scissor = {draw.scissor.x1 * n, draw.scissor.y1 * n, draw.scissor.x2 * n, draw.scissor.y2 * n};
    binding.stencil_reference = draw.constants.stencil_reference;
    binding.stencil_compare_mask = draw.constants.stencil_compare_mask;
    binding.stencil_write_mask = draw.constants.stencil_write_mask;

    RecordArena::Space space;
    if (!place_triangles(draw, prepared, binding.state, space) ||
        !bind_constants(draw, prepared.specialised.fragment, space.texels, binding))
        return;
    if (prepared.failing)
        add_split(draw, prepared, binding, space);
    else
        parts_.batch.add(binding, space.geometry, space.positions);
}

// Adds each triangle twice, first with the state of the failing fragments, then with the other
// (PreparedDraw::failing).
void DrawCollector::add_split(const pica::Draw& draw, const PreparedDraw& prepared,
                              const DrawBinding& binding, const RecordArena::Space& space)
{
    DrawBinding failing = binding;
    failing.state = parts_.chooser.same_form(binding.state, *prepared.failing);
    if (!bind_constants(draw, prepared.failing->fragment, space.texels, failing))
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
