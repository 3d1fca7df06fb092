// SPDX-License-Identifier: MIT
#include "renderer/draw/draw_commands.h"

#include "renderer/draw/descriptors.h"
#include "renderer/pipelines/draw_states.h"
#include "renderer/pipelines/pipeline_cache.h"
#include "renderer/residency/surface.h"
#include "shaders/include/layout.h"

#include <utility>

namespace renderer
{

using pica::OutputClass;

namespace
{

// Three times as many vertices are below 2^31.
constexpr VkDeviceSize kMostFirstTriangle = VkDeviceSize{1} << 29;
static_assert(VERTEX_BINDING_POSITION == VERTEX_BINDING_RECORD + 1); // bound in one call

} // namespace

bool DrawCommands::bind_pipeline(const DrawCommand& item)
{
    auto pipeline = parts_.states.pipeline(item.binding.state, pass_.key);
    if (!pipeline)
    {
        parts_.device.fail(pipeline.error().message);
        return false;
    }
    if (*pipeline == pipeline_)
        return true;
    parts_.device.vk.vkCmdBindPipeline(pass_.cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, *pipeline);
    pipeline_ = *pipeline;
    binds_++;
    return true;
}

void DrawCommands::record(const DrawCommand& item)
{
    if (!bind_pipeline(item))
        return;
    bind_sets(item);
    const u32 first_triangle = bind_vertices(item);
    set_state(item, first_triangle);
    draw_triangles(item, first_triangle);
    last_ = item;
}

// Binds the descriptor sets that the item before did not, with one command. Both pipeline layouts have the same
// layouts for sets 0 and 1, so a set that was bound through one stays bound in the other.
void DrawCommands::bind_sets(const DrawCommand& item)
{
    const DrawBinding& binding = item.binding;
    const DrawStateKey& state = parts_.states.key(binding.state);
    const bool interlock = state.interlock != 0;
    const DrawBinding* last = last_ ? &last_->binding : nullptr;
    const bool draw_changes = !last || last->draw_set != binding.draw_set ||
                              last->fragment_offset != binding.fragment_offset ||
                              last->lighting_offset != binding.lighting_offset;
    const bool textures_change = !last || last->texture_set != binding.texture_set;
    const bool fetch = state.fragment.output == OutputClass::Fetch;
    // With a bound input attachment, lavapipe ends its scene before each draw, and waits. So another image is bound
    // where the draw does not read the destination. Other devices are spared the command.
    const bool must_unbind = destination_bound_ && parts_.device.features.is_cpu;
    const bool destination_changes =
        !last || (fetch ? !destination_bound_ || interlock != interlock_bound_ : must_unbind);
    if (!draw_changes && !textures_change && !destination_changes)
        return;
    VkDescriptorSet sets[3] = {binding.draw_set, binding.texture_set, VK_NULL_HANDLE};
    static_assert(SET_DRAW == 0 && SET_TEXTURES == 1 && SET_DESTINATION == 2);
    if (destination_changes)
    {
        const bool unorm = pass_.key.color_output == shadergen::ColorOutput::Unorm && !interlock;
        sets[SET_DESTINATION] =
            fetch
                ? parts_.descriptors.destination_set(
                      pass_.color->id, unorm ? pass_.color->unorm_view.get() : pass_.color->image.view.get(),
                      unorm, interlock)
                : parts_.descriptors.destination_set(0, pass_.no_destination, false, interlock);
        destination_bound_ = fetch;
        interlock_bound_ = interlock;
    }
    const u32 first = draw_changes ? SET_DRAW : textures_change ? SET_TEXTURES : SET_DESTINATION;
    const u32 end = 1 + (destination_changes ? SET_DESTINATION : textures_change ? SET_TEXTURES : SET_DRAW);
    const u32 offsets[2] = {binding.fragment_offset, binding.lighting_offset};
    parts_.device.vk.vkCmdBindDescriptorSets(pass_.cmd, VK_PIPELINE_BIND_POINT_GRAPHICS,
                                             parts_.pipelines.graphics_layout(interlock), first, end - first,
                                             sets + first, draw_changes ? 2 : 0, offsets);
    binds_++;
}

// Binds the vertex buffers, unless the item's triangles lie in the bound ones at whole triangles from their start.
// Returns the number of the item's first triangle in them.
u32 DrawCommands::bind_vertices(const DrawCommand& item)
{
    const DrawGeometry& geometry = item.geometry;
    const bool records = parts_.states.vertex_input(item.binding.state) == VertexInput::FlatRecords;
    const bool fits = position_buffer_ == geometry.position_buffer &&
                      geometry.position_offset >= position_offset_ &&
                      (!records || record_buffer_ == geometry.record_buffer);
    if (fits)
    {
        const VkDeviceSize bytes = geometry.position_offset - position_offset_;
        const VkDeviceSize first = bytes / kPositionBytes;
        const bool aligned =
            first * kPositionBytes == bytes &&
            (!records || record_offset_ + first * geometry.record_bytes == geometry.record_offset);
        // Draw commands that the device writes count from the start of the buffers.
        if (aligned && first <= kMostFirstTriangle &&
            (first == 0 || geometry.indirect_buffer == VK_NULL_HANDLE))
            return static_cast<u32>(first);
    }
    const VkBuffer buffers[2] = {geometry.record_buffer, geometry.position_buffer};
    const VkDeviceSize offsets[2] = {geometry.record_offset, geometry.position_offset};
    const u32 skipped = records ? 0 : 1;
    parts_.device.vk.vkCmdBindVertexBuffers(pass_.cmd, VERTEX_BINDING_RECORD + skipped, 2 - skipped,
                                            buffers + skipped, offsets + skipped);
    record_buffer_ = records ? geometry.record_buffer : VK_NULL_HANDLE;
    record_offset_ = geometry.record_offset;
    position_buffer_ = geometry.position_buffer;
    position_offset_ = geometry.position_offset;
    return 0;
}

// Sets the dynamic state and the push constants that differ from those of the item before.
void DrawCommands::set_state(const DrawCommand& item, u32 first_triangle)
{
    const auto& vk = parts_.device.vk;
    const DrawBinding& binding = item.binding;
    const DrawStateKey& state = parts_.states.key(binding.state);
    const DrawBinding* last = last_ ? &last_->binding : nullptr;
    if (!last || last->viewport != binding.viewport)
    {
        const VkViewport viewport = binding.viewport.vk();
        vk.vkCmdSetViewport(pass_.cmd, 0, 1, &viewport);
    }
    // Shaders that read texels add the number of the triangle in the bound buffers.
    const bool texels = parts_.states.vertex_input(binding.state) != VertexInput::FlatRecords;
    const s32 first_record = texels ? item.geometry.first_record - static_cast<s32>(first_triangle) : 0;
    if (!last || last->viewport != binding.viewport || first_record_ != first_record)
    {
        shadergen::GraphicsPush push = binding.viewport.push();
        push.first_record = first_record;
        vk.vkCmdPushConstants(pass_.cmd, parts_.pipelines.graphics_layout(state.interlock != 0),
                              VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof push, &push);
        first_record_ = first_record;
    }
    if (!last || last->scissor != binding.scissor)
    {
        const VkRect2D scissor{{binding.scissor.x1, binding.scissor.y1},
                               {static_cast<u32>(binding.scissor.x2 - binding.scissor.x1),
                                static_cast<u32>(binding.scissor.y2 - binding.scissor.y1)}};
        vk.vkCmdSetScissor(pass_.cmd, 0, 1, &scissor);
    }
    const bool stencil = state.output.stencil_test != 0;
    const bool all = !std::exchange(stencil_set_, stencil);
    if (!stencil)
        return;
    if (all || last->stencil_reference != binding.stencil_reference)
        vk.vkCmdSetStencilReference(pass_.cmd, VK_STENCIL_FACE_FRONT_AND_BACK, binding.stencil_reference);
    if (all || last->stencil_compare_mask != binding.stencil_compare_mask)
        vk.vkCmdSetStencilCompareMask(pass_.cmd, VK_STENCIL_FACE_FRONT_AND_BACK,
                                      binding.stencil_compare_mask);
    if (all || last->stencil_write_mask != binding.stencil_write_mask)
        vk.vkCmdSetStencilWriteMask(pass_.cmd, VK_STENCIL_FACE_FRONT_AND_BACK, binding.stencil_write_mask);
}

void DrawCommands::draw_triangles(const DrawCommand& item, u32 first_triangle)
{
    const auto& vk = parts_.device.vk;
    const DrawGeometry& geometry = item.geometry;
    if (geometry.indirect_buffer != VK_NULL_HANDLE)
        vk.vkCmdDrawIndirect(pass_.cmd, geometry.indirect_buffer, geometry.indirect_offset,
                             item.indirect_draws, sizeof(VkDrawIndirectCommand));
    else if (parts_.states.vertex_input(item.binding.state) == VertexInput::Rectangles)
        vk.vkCmdDraw(pass_.cmd, 6, geometry.triangles, 0, first_triangle);
    else
        vk.vkCmdDraw(pass_.cmd, geometry.triangles * 3, 1, first_triangle * 3, 0);
}

} // namespace renderer
