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
        if (last.binding == binding && last.geometry.continues_with(geometry))
        {
            last.geometry.triangles += geometry.triangles;
            counters.merged++;
            return;
        }
    }
    items_.push_back({binding, geometry, barrier_before});
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

struct Batch::Bound
{
    VkPipeline pipeline = VK_NULL_HANDLE;
    const Item* item = nullptr;
    bool viewport_set = false;
    bool destination_bound = false; // the target itself is bound as destination
    bool interlock = false;
};

void Batch::bind_set(VkCommandBuffer cmd, VkPipelineLayout layout, u32 number, VkDescriptorSet set,
                     std::span<const u32> dynamic_offsets)
{
    parts_.device.vk.vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, number, 1, &set,
                                             static_cast<u32>(dynamic_offsets.size()),
                                             dynamic_offsets.data());
    counters.binds++;
}

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
    set_state(cmd, item, bound);
    draw_triangles(cmd, item);
    bound.pipeline = *pipeline;
    bound.item = &item;
    counters.commands++;
}

// Binds the descriptor sets that the item before did not. Both pipeline layouts have the same layouts for sets 0
// and 1, so a set that was bound through one stays bound in the other.
void Batch::bind_sets(VkCommandBuffer cmd, const Item& item, const PassKey& pass, Bound& bound)
{
    const DrawBinding& binding = item.binding;
    const DrawStateKey& state = parts_.states.key(binding.state);
    const bool interlock = state.interlock != 0;
    const VkPipelineLayout layout = parts_.pipelines.graphics_layout(interlock);
    const DrawBinding* last = bound.item ? &bound.item->binding : nullptr;
    if (!last || last->draw_set != binding.draw_set || last->fragment_offset != binding.fragment_offset ||
        last->lighting_offset != binding.lighting_offset)
    {
        const u32 offsets[2] = {binding.fragment_offset, binding.lighting_offset};
        bind_set(cmd, layout, SET_DRAW, binding.draw_set, offsets);
    }
    if (!last || last->texture_set != binding.texture_set)
        bind_set(cmd, layout, SET_TEXTURES, binding.texture_set, {});
    const bool fetch = state.fragment.output == OutputClass::Fetch;
    if (fetch == bound.destination_bound && (!fetch || interlock == bound.interlock))
        return;
    // On some drivers a bound input attachment makes every later draw flush. So another image is bound where the
    // draw does not read the destination.
    const bool unorm = pass.color_output == shadergen::ColorOutput::Unorm && !interlock;
    const VkDescriptorSet set =
        fetch ? parts_.descriptors.destination_set(
                    color_->id, unorm ? color_->unorm_view.get() : color_->image.view.get(), unorm, interlock)
              : parts_.descriptors.destination_set(0, no_destination_.view.get(), false, interlock);
    bind_set(cmd, layout, SET_DESTINATION, set, {});
    bound.destination_bound = fetch;
    bound.interlock = interlock;
}

// Sets the dynamic state and the push constants that differ from those of the item before.
void Batch::set_state(VkCommandBuffer cmd, const Item& item, const Bound& bound)
{
    const auto& vk = parts_.device.vk;
    const DrawBinding& binding = item.binding;
    const DrawBinding* last = bound.item ? &bound.item->binding : nullptr;
    if (!last || last->viewport != binding.viewport)
    {
        const VkViewport viewport = binding.viewport.vk();
        vk.vkCmdSetViewport(cmd, 0, 1, &viewport);
    }
    if (!last || last->viewport != binding.viewport ||
        bound.item->geometry.first_record != item.geometry.first_record)
    {
        const bool interlock = parts_.states.key(binding.state).interlock != 0;
        shadergen::GraphicsPush push = binding.viewport.push();
        push.first_record = item.geometry.first_record;
        vk.vkCmdPushConstants(cmd, parts_.pipelines.graphics_layout(interlock), VK_SHADER_STAGE_VERTEX_BIT, 0,
                              sizeof push, &push);
    }
    if (!last || last->scissor != binding.scissor)
    {
        const VkRect2D scissor{{binding.scissor.x1, binding.scissor.y1},
                               {static_cast<u32>(binding.scissor.x2 - binding.scissor.x1),
                                static_cast<u32>(binding.scissor.y2 - binding.scissor.y1)}};
        vk.vkCmdSetScissor(cmd, 0, 1, &scissor);
    }
    if (!last || last->stencil_reference != binding.stencil_reference)
        vk.vkCmdSetStencilReference(cmd, VK_STENCIL_FACE_FRONT_AND_BACK, binding.stencil_reference);
    if (!last || last->stencil_compare_mask != binding.stencil_compare_mask)
        vk.vkCmdSetStencilCompareMask(cmd, VK_STENCIL_FACE_FRONT_AND_BACK, binding.stencil_compare_mask);
    if (!last || last->stencil_write_mask != binding.stencil_write_mask)
        vk.vkCmdSetStencilWriteMask(cmd, VK_STENCIL_FACE_FRONT_AND_BACK, binding.stencil_write_mask);
}

// Records the draw command with its vertex buffers.
void Batch::draw_triangles(VkCommandBuffer cmd, const Item& item)
{
    const auto& vk = parts_.device.vk;
    const DrawGeometry& geometry = item.geometry;
    const VkBuffer buffers[2] = {geometry.record_buffer, geometry.position_buffer};
    const VkDeviceSize offsets[2] = {geometry.record_offset, geometry.position_offset};
    const VertexInput input = parts_.states.vertex_input(item.binding.state);
    if (input == VertexInput::FlatRecords)
        vk.vkCmdBindVertexBuffers(cmd, VERTEX_BINDING_RECORD, 2, buffers, offsets);
    else
        vk.vkCmdBindVertexBuffers(cmd, VERTEX_BINDING_POSITION, 1, buffers + 1, offsets + 1);
    if (geometry.indirect_buffer != VK_NULL_HANDLE)
        vk.vkCmdDrawIndirect(cmd, geometry.indirect_buffer, geometry.indirect_offset, 1,
                             sizeof(VkDrawIndirectCommand));
    else if (input == VertexInput::Rectangles)
        vk.vkCmdDraw(cmd, 6, geometry.triangles, 0, 0);
    else
        vk.vkCmdDraw(cmd, geometry.triangles * 3, 1, 0, 0);
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
