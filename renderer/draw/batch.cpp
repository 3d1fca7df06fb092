// SPDX-License-Identifier: MIT
#include "renderer/draw/batch.h"

#include "renderer/draw/descriptors.h"
#include "renderer/draw/record_arena.h"
#include "renderer/pipelines/draw_states.h"
#include "renderer/pipelines/pass_dependency.h"
#include "renderer/pipelines/pipeline_cache.h"
#include "renderer/residency/render_targets.h"
#include "renderer/vulkan/debug.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace renderer
{

using pica::OutputClass;

namespace
{

// Framebuffers of dropped surfaces are kept until the cache reaches this size. Then all are released.
constexpr std::size_t kMaxFramebuffers = 256;

} // namespace

Batch::Batch(const Parts& parts, BlendPath path, bool unorm_passes)
    : parts_(parts), path_(path), unorm_passes_(unorm_passes),
      joins_draws_(parts.device.features.is_cpu && path == BlendPath::RasterOrder)
{
}

Batch::~Batch() = default;

Status Batch::create()
{
    ImageInfo info;
    info.format = VK_FORMAT_R8G8B8A8_UINT;
    info.width = info.height = 4;
    info.usage = VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                 VK_IMAGE_USAGE_STORAGE_BIT;
    info.name = "no destination";
    auto image = parts_.memory.create_image(info);
    if (!image)
        return image.error();
    no_destination_ = std::move(*image);
    return {};
}

void Batch::begin(Surface* color, Surface* depth, u32 width, u32 height)
{
    color_ = color;
    depth_ = depth;
    width_ = width;
    height_ = height;
    needs_unorm_ = unorm_passes_ && color != nullptr;
    writes_color_ = writes_depth_ = false;
    destination_stale_ = stores_ = false;
    if (path_ != BlendPath::RasterOrder)
        groups_.begin(width, height);
}

PassKey Batch::drawing_pass(bool unorm) const
{
    return {unorm ? shadergen::ColorOutput::Unorm : shadergen::ColorOutput::Uint,
            static_cast<u8>(color_ ? 1 : 0), static_cast<u8>(depth_ ? 1 : 0), path_};
}

PassKey Batch::pass_with(const DrawStateKey& state) const
{
    if (state.interlock)
        return storing_pass();
    return drawing_pass(needs_unorm_ || state.fragment.output == OutputClass::FixedBlend);
}

bool Batch::must_close_before(const DrawStateKey& state)
{
    if (needs_unorm_ || state.fragment.output != OutputClass::FixedBlend)
        return false;
    const PassKey unorm = drawing_pass(true);
    bool all_usable = true;
    for (const Item& item : items_)
    {
        const u32 id = item.command.binding.state;
        if (parts_.states.key(id).interlock || parts_.states.usable(id, unorm))
            continue;
        parts_.states.want_shared(id, unorm);
        all_usable = false;
    }
    return !all_usable;
}

void Batch::add(const DrawBinding& binding, const DrawGeometry& geometry, const s32* positions,
                const JoinableDraws::Part* joinable)
{
    const DrawStateKey& state = parts_.states.key(binding.state);
    const OutputClass output = state.fragment.output;
    needs_unorm_ |= output == OutputClass::FixedBlend;
    writes_color_ |= output != OutputClass::None;
    writes_depth_ |= state.output.depth_write || state.output.stencil_test;

    if (joins_draws_ && joinable)
        return add_joinable(binding, *joinable);
    if (state.interlock)
    {
        // The interlock orders the fragments. The draw goes to a render pass without attachments (see
        // record), which begins with a barrier.
        add_item(binding, geometry, false);
        stores_ = true;
        return;
    }
    if (std::exchange(stores_, false))
    {
        destination_stale_ = false;
        groups_.restart();
    }
    if (output != OutputClass::Fetch || path_ == BlendPath::RasterOrder)
    {
        add_item(binding, geometry, false);
        destination_stale_ |= output != OutputClass::None;
        return;
    }
    add_fetch_groups(binding, geometry, positions);
}

void Batch::add_item(const DrawBinding& binding, const DrawGeometry& geometry, bool barrier_before)
{
    const bool joins_last = !items_.empty() && !barrier_before &&
                            (!joins_draws_ || joinable_.is_fixed(static_cast<u32>(items_.size()) - 1));
    if (joins_last)
    {
        DrawCommand& last = items_.back().command;
        const bool same = last.binding == binding;
        if (same && last.geometry.continues_with(geometry))
        {
            last.geometry.triangles += geometry.triangles;
            counters.merged++;
            return;
        }
        if (same && follows_indirect(last, geometry))
        {
            last.indirect_draws++;
            counters.merged++;
            return;
        }
    }
    items_.push_back({{binding, geometry, 1}, barrier_before});
    if (joins_draws_)
        joinable_.append_fixed();
}

void Batch::add_joinable(const DrawBinding& binding, const JoinableDraws::Part& draw)
{
    const auto same = [&](u32 item) { return items_[item].command.binding == binding; };
    if (const auto item = joinable_.command_for(draw, same))
    {
        joinable_.join(*item, draw);
        counters.merged++;
        return;
    }
    items_.push_back({{binding, draw.geometry, 1}, false});
    joinable_.append(draw);
}

// Puts the triangles of draws that were joined side by side in memory.
void Batch::place_joined()
{
    for (u32 n = 0; n < items_.size(); ++n)
    {
        DrawGeometry& geometry = items_[n].command.geometry;
        u32 triangles = 0;
        joinable_.for_each(n, [&](const JoinableDraws::Part& part) { triangles += part.geometry.triangles; });
        if (triangles <= geometry.triangles) // one draw
            continue;
        if (!joinable_.is_scattered(n))
        {
            geometry.triangles = triangles;
            continue;
        }
        const u32 words = geometry.record_bytes / 4;
        RecordArena::Space space = parts_.arena.allocate(words, triangles, false);
        if (!space.records)
            return; // Device::status
        geometry = space.geometry;
        joinable_.for_each(n,
                           [&](const JoinableDraws::Part& part)
                           {
                               const u32 count = part.geometry.triangles;
                               std::memcpy(space.records, part.records, std::size_t{count} * words * 4);
                               std::memcpy(space.positions, part.positions, count * kPositionBytes);
                               space.records += std::size_t{count} * words;
                               space.positions += std::size_t{count} * 6;
                           });
    }
}

// Does the indirect draw command of the geometry lie behind those of the item, so that one command can draw all?
bool Batch::follows_indirect(const DrawCommand& item, const DrawGeometry& geometry) const
{
    const DrawGeometry& first = item.geometry;
    return parts_.device.features.multi_draw_indirect && first.indirect_buffer != VK_NULL_HANDLE &&
           first.indirect_buffer == geometry.indirect_buffer &&
           first.indirect_offset + item.indirect_draws * sizeof(VkDrawIndirectCommand) ==
               geometry.indirect_offset &&
           item.indirect_draws < parts_.device.properties.limits.maxDrawIndirectCount &&
           first.record_buffer == geometry.record_buffer && first.record_offset == geometry.record_offset &&
           first.record_bytes == geometry.record_bytes && first.first_record == geometry.first_record &&
           first.position_buffer == geometry.position_buffer &&
           first.position_offset == geometry.position_offset;
}

void Batch::add_fetch_groups(const DrawBinding& binding, const DrawGeometry& geometry, const s32* positions)
{
    bool barrier = std::exchange(destination_stale_, false);
    if (barrier)
        groups_.restart();
    u32 first = 0;
    const auto piece = [&](u32 last) { add_item(binding, geometry.part(first, last - first), barrier); };
    for (u32 triangle = 0; triangle < geometry.triangles; triangle++)
    {
        if (!groups_.add(positions + std::size_t{triangle} * 6))
            continue;
        if (triangle > first)
            piece(triangle);
        first = triangle;
        barrier = true;
    }
    piece(geometry.triangles);
}

VkFramebuffer Batch::framebuffer(const PassKey& key_of_pass)
{
    const bool unorm = key_of_pass.color_output == shadergen::ColorOutput::Unorm;
    const Surface* color = key_of_pass.has_color ? color_ : nullptr;
    const Surface* depth = key_of_pass.has_depth ? depth_ : nullptr;
    // A framebuffer without attachments differs from others in its size only.
    const u64 size = color || depth ? 0 : u64{width_} << 32 | u64{height_} << 1;
    const FramebufferKey key{color ? color->id : 0, depth ? depth->id : 0, (unorm ? 1u : 0u) | size};
    if (const auto it = framebuffers_.find(key); it != framebuffers_.end())
        return it->second.get();
    if (framebuffers_.size() >= kMaxFramebuffers)
    {
        for (auto& [old_key, old] : framebuffers_)
            parts_.stream.retire(std::move(old));
        framebuffers_.clear();
    }
    const auto pass = parts_.pipelines.render_pass(key_of_pass);
    if (!pass)
    {
        parts_.device.fail(pass.error().message);
        return VK_NULL_HANDLE;
    }
    VkImageView views[2]{};
    u32 count = 0;
    if (color)
        views[count++] = unorm ? color->unorm_view.get() : color->image.view.get();
    if (depth)
        views[count++] = depth->image.view.get();
    auto info = make<VkFramebufferCreateInfo>(VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO);
    info.renderPass = *pass;
    info.attachmentCount = count;
    info.pAttachments = views;
    info.width = width_;
    info.height = height_;
    info.layers = 1;
    VkFramebuffer framebuffer = VK_NULL_HANDLE;
    if (!parts_.device.check(
            parts_.device.vk.vkCreateFramebuffer(parts_.device.handle, &info, nullptr, &framebuffer),
            "vkCreateFramebuffer"))
        return VK_NULL_HANDLE;
    framebuffers_.emplace(key, UniqueFramebuffer(parts_.device.handle, parts_.device.vk, framebuffer));
    return framebuffer;
}

void Batch::self_dependency(VkCommandBuffer cmd)
{
    auto barrier = make<VkMemoryBarrier>(VK_STRUCTURE_TYPE_MEMORY_BARRIER);
    barrier.srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
    barrier.dstAccessMask = VK_ACCESS_INPUT_ATTACHMENT_READ_BIT;
    parts_.device.vk.vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                                          VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_DEPENDENCY_BY_REGION_BIT,
                                          1, &barrier, 0, nullptr, 0, nullptr);
    counters.blend_barriers++;
}

// Asks for the barriers of the attachments. Returns what the render pass does with them, and the values to clear them
// to by attachment.
PassLoads Batch::begin_attachments(const PassKey& pass, VkClearValue (&values)[2])
{
    PassLoads loads;
    const auto use = [&](Surface& surface, bool attached, u8& clears, VkClearValue& value)
    {
        if (!attached) // a storage image
            return parts_.targets.use_as_attachment(surface);
        const bool unorm = pass.color_output == shadergen::ColorOutput::Unorm;
        if (const auto cleared = parts_.targets.use_as_clearable(surface, unorm))
        {
            clears = 1;
            value = *cleared;
        }
    };
    if (color_)
        use(*color_, pass.has_color != 0, loads.clears_color, values[0]);
    if (depth_)
        use(*depth_, pass.has_depth != 0, loads.clears_depth, values[pass.has_color ? 1 : 0]);
    // Draws test the stencil in this format only, and conversions copy it in this format only.
    loads.has_stencil = !depth_ || (depth_->key.format == static_cast<u8>(pica::DepthFormat::D24S8) &&
                                    !depth_->stencil_in_memory);
    return loads;
}

bool Batch::reads_destination(const Item& item) const
{
    const pica::FragmentKey& fragment = parts_.states.key(item.command.binding.state).fragment;
    return fragment.output == OutputClass::Fetch;
}

void Batch::record_pass(std::size_t first, std::size_t last, const PassKey& pass)
{
    const VkFramebuffer target = framebuffer(pass);
    if (target == VK_NULL_HANDLE || !parts_.device.status())
        return;
    VkClearValue values[2]{};
    const PassLoads loads = begin_attachments(pass, values);
    const auto render_pass = parts_.pipelines.render_pass(pass, loads);
    if (!render_pass)
    {
        parts_.device.fail(render_pass.error().message);
        return;
    }
    const VkCommandBuffer cmd = parts_.stream.cmd_before_pass(kPassDependency);
    for (Surface* const surface : {color_, depth_})
        if (surface)
            surface->access.recorded(parts_.stream);
    const LabelScope label(parts_.device, cmd, "draw batch: %u commands, colour %08X, depth %08X",
                           static_cast<u32>(last - first), color_ ? color_->key.address : 0,
                           depth_ ? depth_->key.address : 0);
    auto info = make<VkRenderPassBeginInfo>(VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO);
    info.renderPass = *render_pass;
    info.framebuffer = target;
    info.renderArea = {{0, 0}, {width_, height_}};
    info.clearValueCount = 2;
    info.pClearValues = values;
    DrawCommands commands(
        {parts_.device, parts_.states, parts_.pipelines, parts_.descriptors},
        {.cmd = cmd, .key = pass, .color = color_, .no_destination = no_destination_.view.get()});
    // lavapipe of Mesa 22.3 learns the number of samples from the first pipeline of a command buffer. If attachments have been
    // cleared by then, it draws the clears by themselves first.
    if (!commands.bind_pipeline(items_[first].command))
        return;
    parts_.device.vk.vkCmdBeginRenderPass(cmd, &info, VK_SUBPASS_CONTENTS_INLINE);
    // A load operation that clears is a write of the attachment. Raster order is among fragments only.
    bool clear_is_unread = loads.clears_color != 0;
    for (std::size_t i = first; i < last; i++)
    {
        const bool reads_clear = clear_is_unread && reads_destination(items_[i]);
        if (items_[i].barrier_before || reads_clear)
        {
            self_dependency(cmd);
            clear_is_unread = false;
        }
        commands.record(items_[i].command);
    }
    parts_.device.vk.vkCmdEndRenderPass(cmd);
    counters.passes++;
    counters.commands += last - first;
    counters.binds += commands.binds();
}

void Batch::record()
{
    if (!open())
        return;
    if (joins_draws_)
        place_joined();
    // A colour attachment must not be a storage image in the same render pass. So draws that store to the
    // image (interlock) get render passes without attachments. They use neither depth nor stencil.
    const PassKey drawing = drawing_pass(needs_unorm_);
    const PassKey storing = storing_pass();
    const auto stores = [&](std::size_t i)
    { return parts_.states.key(items_[i].command.binding.state).interlock != 0; };
    for (std::size_t first = 0, last = 0; first < items_.size(); first = last)
    {
        const bool storing_now = stores(first);
        while (last < items_.size() && stores(last) == storing_now)
            last++;
        record_pass(first, last, storing_now ? storing : drawing);
    }
    const bool drew = !items_.empty() && parts_.device.status();
    Surface* const color = drew && writes_color_ ? color_ : nullptr;
    Surface* const depth = drew && writes_depth_ ? depth_ : nullptr;
    items_.clear();
    joinable_.clear();
    color_ = depth_ = nullptr;
    // The batch number advances before the surfaces are marked dirty. Marking may upload pages that a surface
    // covers only partly. Pages that these draws read would otherwise request another flush of this batch.
    parts_.stream.end_batch();
    if (color)
        parts_.targets.mark_dirty(*color);
    if (depth)
        parts_.targets.mark_dirty(*depth);
}

} // namespace renderer
