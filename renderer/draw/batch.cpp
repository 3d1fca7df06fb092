// SPDX-License-Identifier: MIT
#include "renderer/draw/batch.h"

#include "renderer/draw/descriptors.h"
#include "renderer/pipelines/draw_states.h"
#include "renderer/pipelines/pipeline_cache.h"
#include "renderer/residency/render_targets.h"
#include "renderer/vulkan/debug.h"
#include "shaders/include/layout.h"

#include <algorithm>
#include <utility>

namespace renderer
{

using pica::OutputClass;

namespace
{

// Framebuffers of dropped surfaces are kept until the cache reaches this size. Then all are released.
constexpr std::size_t kMaxFramebuffers = 256;
// Three times as many vertices are below 2^31.
constexpr VkDeviceSize kMostFirstTriangle = VkDeviceSize{1} << 29;
static_assert(VERTEX_BINDING_POSITION == VERTEX_BINDING_RECORD + 1); // bound in one call

} // namespace

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
    needs_unorm_ = writes_color_ = writes_depth_ = false;
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

bool Batch::must_close_before(const DrawStateKey& state, const PassKey& own_pass)
{
    if (items_.empty())
        return false;
    const PassKey pass = pass_with(state);
    if (!(pass == own_pass))
    {
        const u32 id = parts_.states.find(state);
        if (!parts_.states.usable(id, pass) && parts_.states.usable(id, own_pass))
        {
            parts_.states.want(id, pass);
            return true;
        }
    }
    if (needs_unorm_ || state.fragment.output != OutputClass::FixedBlend)
        return false;
    const PassKey unorm = drawing_pass(true);
    bool all_usable = true;
    for (const Item& item : items_)
    {
        const u32 id = item.binding.state;
        if (parts_.states.key(id).interlock || parts_.states.usable(id, unorm))
            continue;
        parts_.states.want(id, unorm);
        all_usable = false;
    }
    return !all_usable;
}

void Batch::add(const DrawBinding& binding, const DrawGeometry& geometry, const s32* positions)
{
    const DrawStateKey& state = parts_.states.key(binding.state);
    const OutputClass output = state.fragment.output;
    needs_unorm_ |= output == OutputClass::FixedBlend;
    writes_color_ |= output != OutputClass::None;
    writes_depth_ |= state.output.depth_write || state.output.stencil_test;

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
    if (!items_.empty() && !barrier_before)
    {
        Item& last = items_.back();
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
    items_.push_back({binding, geometry, 1, barrier_before});
}

// Does the indirect draw command of the geometry lie behind those of the item, so that one command can draw all?
bool Batch::follows_indirect(const Item& item, const DrawGeometry& geometry) const
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

VkFramebuffer Batch::framebuffer(VkRenderPass pass, const PassKey& key_of_pass)
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
    VkImageView views[2]{};
    u32 count = 0;
    if (color)
        views[count++] = unorm ? color->unorm_view.get() : color->image.view.get();
    if (depth)
        views[count++] = depth->image.view.get();
    auto info = make<VkFramebufferCreateInfo>(VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO);
    info.renderPass = pass;
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

// What the command buffer of a render pass has bound and set.
struct Batch::Bound
{
    VkPipeline pipeline = VK_NULL_HANDLE;
    const Item* item = nullptr;
    bool destination_bound = false; // the target itself is bound as destination
    bool interlock = false;
    bool stencil_set = false; // pipelines without a stencil test undo the stencil values
    // The vertex buffers, and the first bytes of a triangle in them.
    VkBuffer record_buffer = VK_NULL_HANDLE; // null: only positions are bound
    VkBuffer position_buffer = VK_NULL_HANDLE;
    VkDeviceSize record_offset = 0;
    VkDeviceSize position_offset = 0;
    s32 first_record = 0; // as it was pushed
};

void Batch::record_item(VkCommandBuffer cmd, const Item& item, const PassKey& pass, Bound& bound)
{
    auto pipeline = parts_.states.pipeline(item.binding.state, pass);
    if (!pipeline)
    {
        parts_.device.fail(pipeline.error().message);
        return;
    }
    if (*pipeline != bound.pipeline)
    {
        parts_.device.vk.vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, *pipeline);
        counters.binds++;
    }
    bind_sets(cmd, item, pass, bound);
    const u32 first_triangle = bind_vertices(cmd, item, bound);
    set_state(cmd, item, first_triangle, bound);
    draw_triangles(cmd, item, first_triangle);
    bound.pipeline = *pipeline;
    bound.item = &item;
    counters.commands++;
}

// Binds the descriptor sets that the item before did not, with one command. Both pipeline layouts have the same
// layouts for sets 0 and 1, so a set that was bound through one stays bound in the other.
void Batch::bind_sets(VkCommandBuffer cmd, const Item& item, const PassKey& pass, Bound& bound)
{
    const DrawBinding& binding = item.binding;
    const DrawStateKey& state = parts_.states.key(binding.state);
    const bool interlock = state.interlock != 0;
    const DrawBinding* last = bound.item ? &bound.item->binding : nullptr;
    const bool draw_changes = !last || last->draw_set != binding.draw_set ||
                              last->fragment_offset != binding.fragment_offset ||
                              last->lighting_offset != binding.lighting_offset;
    const bool textures_change = !last || last->texture_set != binding.texture_set;
    const bool fetch = state.fragment.output == OutputClass::Fetch;
    const bool destination_changes =
        !last || fetch != bound.destination_bound || (fetch && interlock != bound.interlock);
    if (!draw_changes && !textures_change && !destination_changes)
        return;
    VkDescriptorSet sets[3] = {binding.draw_set, binding.texture_set, VK_NULL_HANDLE};
    static_assert(SET_DRAW == 0 && SET_TEXTURES == 1 && SET_DESTINATION == 2);
    if (destination_changes)
    {
        // On some drivers a bound input attachment makes every later draw flush. So another image is bound where
        // the draw does not read the destination.
        const bool unorm = pass.color_output == shadergen::ColorOutput::Unorm && !interlock;
        sets[SET_DESTINATION] =
            fetch ? parts_.descriptors.destination_set(
                        color_->id, unorm ? color_->unorm_view.get() : color_->image.view.get(), unorm,
                        interlock)
                  : parts_.descriptors.destination_set(0, no_destination_.view.get(), false, interlock);
        bound.destination_bound = fetch;
        bound.interlock = interlock;
    }
    const u32 first = draw_changes ? SET_DRAW : textures_change ? SET_TEXTURES : SET_DESTINATION;
    const u32 end = 1 + (destination_changes ? SET_DESTINATION : textures_change ? SET_TEXTURES : SET_DRAW);
    const u32 offsets[2] = {binding.fragment_offset, binding.lighting_offset};
    parts_.device.vk.vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS,
                                             parts_.pipelines.graphics_layout(interlock), first, end - first,
                                             sets + first, draw_changes ? 2 : 0, offsets);
    counters.binds++;
}

// Binds the vertex buffers, unless the item's triangles lie in the bound ones at whole triangles from their start.
// Returns the number of the item's first triangle in them.
u32 Batch::bind_vertices(VkCommandBuffer cmd, const Item& item, Bound& bound)
{
    const DrawGeometry& geometry = item.geometry;
    const bool records = parts_.states.vertex_input(item.binding.state) == VertexInput::FlatRecords;
    const bool fits = bound.position_buffer == geometry.position_buffer &&
                      geometry.position_offset >= bound.position_offset &&
                      (!records || bound.record_buffer == geometry.record_buffer);
    if (fits)
    {
        const VkDeviceSize bytes = geometry.position_offset - bound.position_offset;
        const VkDeviceSize first = bytes / kPositionBytes;
        const bool aligned =
            first * kPositionBytes == bytes &&
            (!records || bound.record_offset + first * geometry.record_bytes == geometry.record_offset);
        // Draw commands that the device writes count from the start of the buffers.
        if (aligned && first <= kMostFirstTriangle &&
            (first == 0 || geometry.indirect_buffer == VK_NULL_HANDLE))
            return static_cast<u32>(first);
    }
    const VkBuffer buffers[2] = {geometry.record_buffer, geometry.position_buffer};
    const VkDeviceSize offsets[2] = {geometry.record_offset, geometry.position_offset};
    const u32 skipped = records ? 0 : 1;
    parts_.device.vk.vkCmdBindVertexBuffers(cmd, VERTEX_BINDING_RECORD + skipped, 2 - skipped,
                                            buffers + skipped, offsets + skipped);
    bound.record_buffer = records ? geometry.record_buffer : VK_NULL_HANDLE;
    bound.record_offset = geometry.record_offset;
    bound.position_buffer = geometry.position_buffer;
    bound.position_offset = geometry.position_offset;
    return 0;
}

// Sets the dynamic state and the push constants that differ from those of the item before.
void Batch::set_state(VkCommandBuffer cmd, const Item& item, u32 first_triangle, Bound& bound)
{
    const auto& vk = parts_.device.vk;
    const DrawBinding& binding = item.binding;
    const DrawStateKey& state = parts_.states.key(binding.state);
    const DrawBinding* last = bound.item ? &bound.item->binding : nullptr;
    if (!last || last->viewport != binding.viewport)
    {
        const VkViewport viewport = binding.viewport.vk();
        vk.vkCmdSetViewport(cmd, 0, 1, &viewport);
    }
    // Shaders that read texels add the number of the triangle in the bound buffers.
    const bool texels = parts_.states.vertex_input(binding.state) != VertexInput::FlatRecords;
    const s32 first_record = texels ? item.geometry.first_record - static_cast<s32>(first_triangle) : 0;
    if (!last || last->viewport != binding.viewport || bound.first_record != first_record)
    {
        shadergen::GraphicsPush push = binding.viewport.push();
        push.first_record = first_record;
        vk.vkCmdPushConstants(cmd, parts_.pipelines.graphics_layout(state.interlock != 0),
                              VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof push, &push);
        bound.first_record = first_record;
    }
    if (!last || last->scissor != binding.scissor)
    {
        const VkRect2D scissor{{binding.scissor.x1, binding.scissor.y1},
                               {static_cast<u32>(binding.scissor.x2 - binding.scissor.x1),
                                static_cast<u32>(binding.scissor.y2 - binding.scissor.y1)}};
        vk.vkCmdSetScissor(cmd, 0, 1, &scissor);
    }
    const bool stencil = state.output.stencil_test != 0;
    const bool all = !std::exchange(bound.stencil_set, stencil);
    if (!stencil)
        return;
    if (all || last->stencil_reference != binding.stencil_reference)
        vk.vkCmdSetStencilReference(cmd, VK_STENCIL_FACE_FRONT_AND_BACK, binding.stencil_reference);
    if (all || last->stencil_compare_mask != binding.stencil_compare_mask)
        vk.vkCmdSetStencilCompareMask(cmd, VK_STENCIL_FACE_FRONT_AND_BACK, binding.stencil_compare_mask);
    if (all || last->stencil_write_mask != binding.stencil_write_mask)
        vk.vkCmdSetStencilWriteMask(cmd, VK_STENCIL_FACE_FRONT_AND_BACK, binding.stencil_write_mask);
}

void Batch::draw_triangles(VkCommandBuffer cmd, const Item& item, u32 first_triangle)
{
    const auto& vk = parts_.device.vk;
    const DrawGeometry& geometry = item.geometry;
    if (geometry.indirect_buffer != VK_NULL_HANDLE)
        vk.vkCmdDrawIndirect(cmd, geometry.indirect_buffer, geometry.indirect_offset, item.indirect_draws,
                             sizeof(VkDrawIndirectCommand));
    else if (parts_.states.vertex_input(item.binding.state) == VertexInput::Rectangles)
        vk.vkCmdDraw(cmd, 6, geometry.triangles, 0, first_triangle);
    else
        vk.vkCmdDraw(cmd, geometry.triangles * 3, 1, first_triangle * 3, 0);
}

void Batch::record_pass(std::size_t first, std::size_t last, const PassKey& pass)
{
    auto render_pass = parts_.pipelines.render_pass(pass);
    if (!render_pass)
        parts_.device.fail(render_pass.error().message);
    const VkFramebuffer target = render_pass ? framebuffer(*render_pass, pass) : VK_NULL_HANDLE;
    if (target == VK_NULL_HANDLE || !parts_.device.status())
        return;
    if (color_)
        parts_.targets.use_as_attachment(*color_); // kColorAttachment also covers the use as a storage image
    if (depth_)
        parts_.targets.use_as_attachment(*depth_);
    const VkCommandBuffer cmd = parts_.stream.cmd();
    const LabelScope label(parts_.device, cmd, "draw batch: %u commands, colour %08X, depth %08X",
                           static_cast<u32>(last - first), color_ ? color_->key.address : 0,
                           depth_ ? depth_->key.address : 0);
    auto info = make<VkRenderPassBeginInfo>(VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO);
    info.renderPass = *render_pass;
    info.framebuffer = target;
    info.renderArea = {{0, 0}, {width_, height_}};
    parts_.device.vk.vkCmdBeginRenderPass(cmd, &info, VK_SUBPASS_CONTENTS_INLINE);
    Bound bound;
    for (std::size_t i = first; i < last; i++)
    {
        if (items_[i].barrier_before)
            self_dependency(cmd);
        record_item(cmd, items_[i], pass, bound);
    }
    parts_.device.vk.vkCmdEndRenderPass(cmd);
    counters.passes++;
}

void Batch::record()
{
    if (!open())
        return;
    // A colour attachment must not be a storage image in the same render pass. So draws that store to the
    // image (interlock) get render passes without attachments. They use neither depth nor stencil.
    const PassKey drawing = drawing_pass(needs_unorm_);
    const PassKey storing = storing_pass();
    const auto stores = [&](std::size_t i)
    { return parts_.states.key(items_[i].binding.state).interlock != 0; };
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
