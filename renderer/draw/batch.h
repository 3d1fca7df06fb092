// SPDX-License-Identifier: MIT
// A render-pass batch: consecutive draws to one pair of surfaces, collected as plain items and recorded as
// one render pass when something forces it (design 2.1). Items that differ in nothing but their triangles are
// one draw command.
#pragma once

#include "renderer/draw/descriptors.h"
#include "renderer/draw/overlap_groups.h"
#include "renderer/draw/raster_viewport.h"
#include "renderer/pipelines/draw_states.h"
#include "renderer/residency/render_targets.h"
#include "renderer/vertex/draw_geometry.h"

#include <span>
#include <vector>

namespace renderer
{

// Everything that is bound or set for a draw command.
struct DrawBinding
{
    u32 state = 0; // DrawStates id
    u32 fragment_offset = 0;
    u32 lighting_offset = 0; // 0 without lighting
    VkDescriptorSet draw_set = VK_NULL_HANDLE;
    VkDescriptorSet texture_set = VK_NULL_HANDLE;
    RasterViewport viewport;
    pica::PixelRect scissor; // scaled pixels
    u8 stencil_reference = 0;
    u8 stencil_compare_mask = 0;
    u8 stencil_write_mask = 0;

    bool operator==(const DrawBinding&) const = default;
};

class Batch
{
public:
    Batch(Device& device, Stream& stream, Memory& memory, RenderTargets& targets, DrawStates& states,
          PipelineCache& pipelines, DrawDescriptors& descriptors, BlendPath path)
        : device_(device), stream_(stream), memory_(memory), targets_(targets), states_(states),
          pipelines_(pipelines), descriptors_(descriptors), path_(path)
    {
    }
    ~Batch();
    Batch(const Batch&) = delete;
    Batch& operator=(const Batch&) = delete;
    Status create();

    bool open() const { return color_ || depth_; }
    bool empty() const { return items_.empty(); }
    Surface* color() const { return color_; }
    Surface* depth() const { return depth_; }

    // width and height in scaled pixels. One of the surfaces may be null.
    void begin(Surface* color, Surface* depth, u32 width, u32 height);
    // positions: the snapped vertices of a direct draw, 6 words a triangle, for the barrier path; may be
    // null otherwise.
    void add(const DrawBinding& binding, const DrawGeometry& geometry, const s32* positions);
    // The kind of render pass that draws of this state would be recorded in, were one added now.
    PassKey pass_with(const DrawStateKey& state) const;
    // Would adding a draw of this state make a draw wait, which does not if the draw begins a batch? Because
    // it moves those in the batch to another kind of pass, in which some of their pipelines are not usable,
    // or because its own is not usable in theirs but in `own_pass`. Asks for what is missing.
    bool must_close_before(const DrawStateKey& state, const PassKey& own_pass);
    // Records the render pass, closes the batch and counts it in the stream; nothing happens when it is not
    // open.
    void record();

    struct Counters
    {
        u64 merged = 0, commands = 0, passes = 0, blend_barriers = 0, binds = 0;
    };
    Counters counters;

private:
    struct Item
    {
        DrawBinding binding;
        DrawGeometry geometry;
        bool barrier_before = false;
    };
    struct FramebufferKey
    {
        u64 color_id = 0;
        u64 depth_id = 0;
        u64 unorm = 0;
        bool operator==(const FramebufferKey&) const = default;
    };
    struct Hash
    {
        std::size_t operator()(const FramebufferKey& key) const
        {
            return static_cast<std::size_t>(pica::hash_key(key));
        }
    };
    void bind_set(VkCommandBuffer cmd, VkPipelineLayout layout, u32 number, VkDescriptorSet set,
                  std::span<const u32> dynamic_offsets);
    struct Bound; // what the command buffer has bound while items are recorded

    PassKey drawing_pass(bool unorm) const;
    PassKey storing_pass() const { return {shadergen::ColorOutput::Uint, 0, 0, path_}; }
    void add_item(const DrawBinding& binding, const DrawGeometry& geometry, bool barrier_before);
    void add_fetch_groups(const DrawBinding& binding, const DrawGeometry& geometry, const s32* positions);
    VkFramebuffer framebuffer(VkRenderPass pass, const PassKey& key_of_pass);
    void record_pass(std::size_t first, std::size_t last, const PassKey& pass);
    void record_item(VkCommandBuffer cmd, const Item& item, const PassKey& pass, Bound& bound);
    void self_dependency(VkCommandBuffer cmd);

    Device& device_;
    Stream& stream_;
    Memory& memory_;
    RenderTargets& targets_;
    DrawStates& states_;
    PipelineCache& pipelines_;
    DrawDescriptors& descriptors_;
    BlendPath path_;
    Image no_destination_; // bound in place of the destination for draws that do not read it

    Surface* color_ = nullptr;
    Surface* depth_ = nullptr;
    u32 width_ = 0;
    u32 height_ = 0;
    std::vector<Item> items_;
    bool needs_unorm_ = false;
    bool writes_color_ = false;
    bool writes_depth_ = false;
    bool destination_stale_ = false; // attachment writes that a fetch has not been made to see
    bool stores_ = false;            // the last item stores to the destination image (interlock)
    OverlapGroups groups_;
    std::unordered_map<FramebufferKey, UniqueFramebuffer, Hash> framebuffers_;
};

} // namespace renderer
