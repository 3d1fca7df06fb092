// SPDX-License-Identifier: MIT
// One draw: vertex stage, target, textures, constants, and an item of the batch. design.md, Part II 2.1.
#include "renderer/backend/renderer_impl.h"

#include "pica/state/target_memory.h"
#include "shadergen/fragment.h"

#include <algorithm>
#include <chrono>
#include <cstring>

namespace renderer
{

using pica::OutputClass;

void Renderer::Impl::flush_batch()
{
    if (!batch_->open())
        return;
    if (executor_)
        executor_->record(); // vertex work of all draws of the batch, before its render pass
    batch_->record();
}

void Renderer::Impl::bound_uploads()
{
    if (!ring_->is_submission_full())
        return;
    flush_batch();
    stream_->submit();
}

void Renderer::Impl::bound_pipelines()
{
    const bool draws = states_->over_budget();
    const bool programs = executor_ && executor_->programs().over_budget();
    if (!draws && !programs)
        return;
    flush_batch(); // what it uses is in use no more once it is recorded
    if (draws)
        states_->evict_oldest(*stream_);
    if (programs)
        executor_->programs().evict_oldest(*stream_);
    // No more than some submissions' worth wait for the device at a time.
    stream_->submit();
}

bool Renderer::Impl::batch_overlaps(PhysAddr address, u64 size) const
{
    const auto overlaps = [&](const Surface* surface)
    { return surface && pica::overlap(surface->key.address, surface->bytes, address, size); };
    return batch_->open() && (overlaps(batch_->color()) || overlaps(batch_->depth()));
}

void Renderer::Impl::make_current(PhysAddr address, u64 size)
{
    // Of whole pages, as what follows: the page tracker then says that nothing of them is newer here.
    const Pages pages = whole_pages(address, size);
    if (batch_overlaps(pages.address, pages.size))
        flush_batch();
    if (newer_on_device(*targets_, *mirror_, address, size))
    {
        flush_batch();
        if (Status status = bring_to_memory(*targets_, *mirror_, address, size); !status)
            device_->fail(status.error().message);
    }
    guest_.pages().made_current(address, size);
}

void Renderer::Impl::request_read(PhysAddr address, u64 size)
{
    const Pages pages = whole_pages(address, size);
    if (!batch_overlaps(pages.address, pages.size) && !newer_on_device(*targets_, *mirror_, address, size))
        return;
    flush_batch();
    if (Status status = begin_bringing(*targets_, *mirror_, address, size); !status)
        device_->fail(status.error().message);
    stream_->submit();
}

void Renderer::Impl::did_write(PhysAddr address, u64 size)
{
    if (batch_overlaps(address, size))
        flush_batch();
    guest_.did_write(address, size);
    targets_->invalidate(address, size);
}

// A draw that leaves colour alone fits any pass of its size: its colour address may be anything.
bool Renderer::Impl::target_is_open(const pica::Draw& draw) const
{
    if (!batch_->open())
        return false;
    const pica::RenderTarget& a = open_target_;
    const pica::RenderTarget& b = draw.target;
    if (a.width != b.width || a.height != b.height || a.flip != b.flip || a.block32 != b.block32)
        return false;
    const bool color_fits =
        draw.fragment.output == OutputClass::None ||
        (batch_->color() && a.color_address == b.color_address && a.color_format == b.color_format);
    const bool depth_fits = !b.has_depth || (batch_->depth() && a.depth_address == b.depth_address &&
                                             a.depth_format == b.depth_format);
    return color_fits && depth_fits;
}

bool Renderer::Impl::begin_target(const pica::Draw& draw)
{
    if (batch_->open())
        return true;
    const bool wants_color = draw.fragment.output != OutputClass::None;
    Surface* color = wants_color ? targets_->acquire(draw.target, SurfaceKind::Color) : nullptr;
    Surface* depth = draw.target.has_depth ? targets_->acquire(draw.target, SurfaceKind::Depth) : nullptr;
    if ((wants_color && !color) || (draw.target.has_depth && !depth))
        return false;
    batch_->begin(color, depth, draw.target.width * options_.scale, draw.target.height * options_.scale);
    open_target_ = draw.target;
    return batch_->open(); // a draw that touches neither buffer has nothing to do
}

DrawStateKey Renderer::Impl::specialised_state(const pica::Draw& draw, bool coverage_in_shader) const
{
    DrawStateKey key;
    key.fragment = draw.fragment;
    key.output = draw.output;
    const bool fixed_function_missing =
        (key.fragment.output == OutputClass::LogicOp && !device_->features.logic_op) ||
        (key.fragment.output == OutputClass::FixedBlend && !self_test_.fixed_blend_exact);
    if (fixed_function_missing)
        pica::force_fetch(key.fragment, key.output);
    key.layout = pica::record_layout(key.fragment, draw.geometry, options_.scale);
    key.coverage_in_shader = coverage_in_shader ? 1 : 0;
    // States that cannot use the interlock use barrier groups.
    key.interlock = blend_path_ == BlendPath::Interlock && key.fragment.output == OutputClass::Fetch &&
                    shadergen::can_interlock(key.fragment, key.output);
    return key;
}

PassKey Renderer::Impl::own_pass(const DrawStateKey& state, const pica::RenderTarget& target) const
{
    const OutputClass output = state.fragment.output;
    if (state.interlock)
        return {shadergen::ColorOutput::Uint, 0, 0, blend_path_};
    return {output == OutputClass::FixedBlend ? shadergen::ColorOutput::Unorm : shadergen::ColorOutput::Uint,
            static_cast<u8>(output != OutputClass::None ? 1 : 0), static_cast<u8>(target.has_depth ? 1 : 0),
            blend_path_};
}

u32 Renderer::Impl::choose_form(const DrawStateKey& specialised)
{
    switch (options_.ubershader)
    {
    case UbershaderChoice::Never:
        return states_->find(specialised);
    case UbershaderChoice::Mixed:
        if ((draws_ & 1) == 0)
            return states_->find(specialised);
        break;
    case UbershaderChoice::Always:
        break;
    case UbershaderChoice::First:
    {
        const PassKey pass = batch_->pass_with(specialised);
        const u32 id = states_->find(specialised);
        if (states_->usable(id, pass))
            return id;
        states_->want(id, pass);
        break;
    }
    }
    const DrawStateKey form = ubershader_form(specialised);
    const u32 id = states_->find(form);
    ubershader_draws_++;
    if (const PassKey pass = batch_->pass_with(form); !states_->ready(id, pass))
    {
        // The one wait that is left: a variant of the ubershader that start-up did not make.
        const auto start = std::chrono::steady_clock::now();
        if (auto pipeline = states_->pipeline(id, pass); !pipeline)
            device_->fail(pipeline.error().message);
        ubershader_waits_++;
        ubershader_wait_ms_ +=
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    }
    return id;
}

VkDescriptorSet Renderer::Impl::textures(const pica::Draw& draw)
{
    TextureViews views;
    const auto view = [&](std::size_t unit, const pica::TextureBinding& binding)
    {
        // A draw samples memory as it stood before the draw, also where the texture overlaps the target.
        for_each_address(draw, unit, binding,
                         [&](PhysAddr address)
                         {
                             if (batch_overlaps(address, binding.byte_size()))
                                 flush_batch();
                         });
        views[unit] = is_cube(draw, unit) ? texture_cache_->get_cube(binding, draw.cube_faces)
                                          : texture_cache_->get(binding);
    };
    // A texture that records the batch may drop those that were looked up before it: once more, and then they
    // stay.
    for (u64 batch = 0; batch != stream_->batch() && usable();)
    {
        batch = stream_->batch();
        views.fill(texture_cache_->fallback());
        for_each_texture(draw, view);
    }
    if (!usable())
        return VK_NULL_HANDLE;
    return descriptors_->texture_set(views);
}

bool Renderer::Impl::fragment_block(const pica::Draw& draw, const pica::FragmentKey& key, bool ubershader)
{
    shadergen::FragmentBlock block;
    shadergen::pack_fragment_block(draw.constants, draw.texture, options_.scale, block);
    if (const pica::LutMask tables = key.luts(); tables != 0)
    {
        LutBuffer::Bases bases;
        if (!luts_->place(*draw.luts, tables, bases))
            return false;
        shadergen::pack_lut_bases(bases, block);
    }
    if (key.gas.accumulate)
        shadergen::pack_gas_height(draw.gas_depth.height, draw.target.height, block);
    if (ubershader)
        shadergen::pack_ubershader_state(key, block);
    const bool lit = key.lighting.lights != 0;
    shadergen::LightingBlock lighting;
    if (lit)
    {
        shadergen::pack_lighting_block(draw.lighting, lighting);
        if (ubershader)
            shadergen::pack_ubershader_lighting(key.lighting, lighting);
    }
    if (last_block_serial_ == stream_->current() && std::memcmp(&block, &last_block_, sizeof block) == 0 &&
        (!lit || (last_block_lit_ && std::memcmp(&lighting, &last_lighting_, sizeof lighting) == 0)))
        return true;
    // Both in one slice, so that they are in one buffer.
    const VkDeviceSize alignment =
        std::max<VkDeviceSize>(16, device_->properties.limits.minUniformBufferOffsetAlignment);
    const VkDeviceSize second = (sizeof block + alignment - 1) & ~(alignment - 1);
    last_block_slice_ = ring_->allocate(lit ? second + sizeof lighting : sizeof block, alignment);
    if (!last_block_slice_)
        return false;
    std::memcpy(last_block_slice_.host, &block, sizeof block);
    if (lit)
    {
        std::memcpy(last_block_slice_.host + second, &lighting, sizeof lighting);
        last_lighting_ = lighting;
        last_lighting_offset_ = static_cast<u32>(last_block_slice_.offset + second);
    }
    last_block_ = block;
    last_block_lit_ = lit;
    last_block_serial_ = stream_->current();
    return true;
}

void Renderer::Impl::collect_pipelines()
{
    states_->collect(report_);
    if (stand_in_)
        collect_rehearsals();
    if (executor_)
        executor_->programs().collect(report_);
}

void Renderer::Impl::finish_pipelines()
{
    if (compile_queue_)
        for (u32 seconds = 1; !compile_queue_->wait_idle_for(std::chrono::seconds(1)); ++seconds)
            (void)device_->tell_wait(seconds);
    if (stand_in_ && stand_in_->submission != 0)
        (void)stream_->wait(stand_in_->submission);
    collect_pipelines();
}

// False where nothing can be drawn.
bool Renderer::Impl::prepare(const pica::Draw& draw, PreparedDraw& prepared)
{
    prepared.vertices = bring_vertex_data(draw);
    prepared.on_host = needs_host(draw, prepared.vertices);
    prepared.viewport = choose_viewport(draw.geometry, options_.scale, device_->properties.limits);
    const bool coverage_in_shader = coverage_in_shader_ || prepared.viewport.size == 0;
    if (coverage_in_shader)
        prepared.viewport = target_viewport(draw.target, options_.scale);
    prepared.specialised = specialised_state(draw, coverage_in_shader);
    split_depth_zero(prepared);
    const bool emits = draw.geometry_unit.feed.enabled != 0;
    if (executor_ && !emits)
        executor_->return_assembler(draw.source.restart != 0, vertex_stage_);
    // Barrier groups are made from the snapped triangles: those draws are the CPU's.
    const bool grouped = blend_path_ != BlendPath::RasterOrder &&
                         prepared.specialised.fragment.output == OutputClass::Fetch &&
                         !prepared.specialised.interlock;
    prepared.on_device = executor_ && !prepared.on_host && !coverage_in_shader && !grouped &&
                         !prepared.failing && executor_->accepts(draw) && (!emits || takes_geometry(draw)) &&
                         plan_parts(draw, prepared);
    if (prepared.on_device)
    {
        prepared.pending = vertex_stage_.pending_vertices(draw);
        vertex_stage_.run_tail(draw, guest_, report_);
        prepared.triangles = executor_->triangle_bound(draw, prepared.pending.count);
        if (emits)
        {
            prepared.pending = {}; // whole triangles, none in front of them
            executor_->take_geometry(draw, vertex_stage_);
        }
    }
    else
    {
        if (executor_ && emits)
        {
            executor_->return_geometry(vertex_stage_.geometry());
            executor_->return_assembler(draw.source.restart != 0, vertex_stage_);
        }
        vertex_stage_.run(draw, guest_, report_);
        prepared.triangles = vertex_stage_.triangle_count();
        triangles_ += prepared.triangles;
    }
    return prepared.triangles != 0 && draw.scissor.x2 > draw.scissor.x1 &&
           draw.scissor.y2 > draw.scissor.y1 && pica::target_in_memory(draw, guest_, report_);
}

bool Renderer::Impl::open_batch(const pica::Draw& draw, const PreparedDraw& prepared, DrawBinding& binding)
{
    // Whatever may record the open batch comes first: afterwards the draw belongs to the batch that is open
    // then.
    if (!target_is_open(draw))
        flush_batch();
    // Each of these may record it too, and what they marked as in use by the draw's batch then carries the
    // wrong number: once more. Nothing is stale the second time.
    for (;;)
    {
        u64 collected = 0;
        do
        {
            collected = stream_->batch();
            if (prepared.on_device)
                executor_->require(draw, prepared.vertices, prepared.pending.count);
            binding.texture_set = textures(draw);
        } while (stream_->batch() != collected && usable());
        if (binding.texture_set == VK_NULL_HANDLE || !begin_target(draw))
            return false;
        const DrawStateKey& specialised = prepared.specialised;
        if (options_.ubershader != UbershaderChoice::First ||
            !batch_->must_close_before(specialised, own_pass(specialised, draw.target)))
            return true;
        flush_batch();
    }
}

void Renderer::Impl::add_to_batch(const pica::Draw& draw, const PreparedDraw& prepared, DrawBinding& binding)
{
    binding.viewport = prepared.viewport;
    const pica::RecordLayout layout = states_->key(binding.state).layout;
    const s32 n = static_cast<s32>(options_.scale);
    binding.scissor = {draw.scissor.x1 * n, draw.scissor.y1 * n, draw.scissor.x2 * n, draw.scissor.y2 * n};
    binding.stencil_reference = draw.constants.stencil_reference;
    binding.stencil_compare_mask = draw.constants.stencil_compare_mask;
    binding.stencil_write_mask = draw.constants.stencil_write_mask;

    RecordArena::Space space;
    if (prepared.on_device)
    {
        const bool with_texels = states_->vertex_input(binding.state) != VertexInput::FlatRecords;
        space.geometry = executor_->add(draw, layout, with_texels, prepared.pending);
        space.texels = with_texels ? executor_->texels() : VK_NULL_HANDLE;
    }
    else
    {
        space = arena_->allocate(layout.words, prepared.triangles,
                                 states_->vertex_input(binding.state) != VertexInput::FlatRecords);
        if (!space.records)
            return;
        vertex_stage_.emit(layout, space.records, space.positions);
    }
    const bool ubershader = states_->key(binding.state).ubershader != 0;
    if (!fragment_block(draw, prepared.specialised.fragment, ubershader))
        return;
    binding.fragment_offset = static_cast<u32>(last_block_slice_.offset);
    binding.lighting_offset = prepared.specialised.fragment.lighting.lights != 0 ? last_lighting_offset_ : 0;
    binding.draw_set = descriptors_->draw_set(last_block_slice_, space.texels, luts_->view());
    if (binding.draw_set == VK_NULL_HANDLE)
        return;
    if (prepared.failing)
        add_split(draw, prepared, binding, space);
    else
        batch_->add(binding, space.geometry, space.positions);
}

void Renderer::Impl::split_depth_zero(PreparedDraw& prepared)
{
    using pica::DepthZero;
    pica::FragmentKey& fragment = prepared.specialised.fragment;
    pica::OutputState& output = prepared.specialised.output;
    if (fragment.depth_zero == DepthZero::None)
        return;
    output.depth_func = pica::CompareFunc::LessOrEqual;
    // Nothing passes the stencil, so no depth is written, and what fails it changes the stencil at any depth.
    if (output.stencil_test && output.stencil_func == pica::CompareFunc::Never)
        output.depth_write = 0;
    if (fragment.depth_zero != DepthZero::Nonzero || !output.depth_write)
        return;
    fragment.depth_zero = DepthZero::KeepNonzero;
    if (output.stencil_test && output.stencil_depth_fail != pica::StencilOp::Keep)
    {
        prepared.failing = prepared.specialised;
        prepared.failing->fragment.depth_zero = DepthZero::KeepZero;
        prepared.failing->output.depth_func = pica::CompareFunc::Never;
        prepared.failing->output.depth_write = 0;
    }
    output.depth_func = pica::CompareFunc::Always;
    output.depth_test = 0;
    output.stencil_depth_fail = pica::StencilOp::Keep;
}

void Renderer::Impl::add_split(const pica::Draw& draw, const PreparedDraw& prepared,
                               const DrawBinding& binding, const RecordArena::Space& space)
{
    const bool ubershader = states_->key(binding.state).ubershader != 0;
    DrawBinding failing = binding;
    failing.state = states_->find(ubershader ? ubershader_form(*prepared.failing) : *prepared.failing);
    if (!fragment_block(draw, prepared.failing->fragment, ubershader))
        return;
    failing.fragment_offset = static_cast<u32>(last_block_slice_.offset);
    failing.lighting_offset = binding.lighting_offset != 0 ? last_lighting_offset_ : 0;
    failing.draw_set = descriptors_->draw_set(last_block_slice_, space.texels, luts_->view());
    if (failing.draw_set == VK_NULL_HANDLE)
        return;
    for (u32 triangle = 0; triangle < prepared.triangles; triangle++)
    {
        const DrawGeometry one = space.geometry.part(triangle, 1);
        const s32* positions = space.positions ? space.positions + std::size_t{triangle} * 6 : nullptr;
        batch_->add(failing, one, positions);
        batch_->add(binding, one, positions);
    }
}

void Renderer::Impl::draw(const pica::Draw& draw)
{
    draws_++;
    if (!usable())
    {
        if (compile_queue_)
            compile_queue_->clear(); // nobody will draw with it
        return;
    }
    collect_pipelines();
    bound_uploads();
    bound_pipelines();
    PreparedDraw prepared;
    if (!prepare(draw, prepared))
        return;
    if (target_needs_host(draw))
        return draw_on_host(draw);
    if (stands_in())
        return stand_in_draw(draw, prepared);
    device_draws_ += prepared.on_device ? 1 : 0;
    if (prepared.parts == 1)
        draw_part(draw, prepared);
    else
        draw_parts(draw, prepared);
}

void Renderer::Impl::draw_part(const pica::Draw& draw, const PreparedDraw& prepared)
{
    DrawBinding binding;
    if (!open_batch(draw, prepared, binding))
        return;
    if (stand_in_ &&
        !states_->usable(states_->find(prepared.specialised), batch_->pass_with(prepared.specialised)))
    {
        stand_in_->device_draws = false;
        stand_in_->counters.changes++;
        return stand_in_draw(draw, prepared);
    }
    binding.state = choose_form(prepared.specialised);
    add_to_batch(draw, prepared, binding);
    // The batch is recorded later; the CPU must ask from now on.
    for (const Surface* surface : {batch_->color(), batch_->depth()})
        if (surface)
            guest_.pages().device_wrote(surface->key.address, surface->bytes);
}

} // namespace renderer
