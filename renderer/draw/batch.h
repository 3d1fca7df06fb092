// SPDX-License-Identifier: MIT
// Batch: one draw batch, that is consecutive draws to the same colour and depth surface. The draws are
// collected as plain values and recorded later as one render pass (design 2.1). Draws whose states and
// bindings are equal become one draw command, if their triangles or their indirect commands follow each other in memory.
#pragma once

#include "renderer/draw/draw_commands.h"
#include "renderer/draw/joinable_draws.h"
#include "renderer/draw/overlap_groups.h"
#include "renderer/pipelines/draw_state_key.h"
#include "renderer/pipelines/pipeline_keys.h"
#include "renderer/vulkan/memory.h"

#include <unordered_map>
#include <vector>

namespace renderer
{

class DrawDescriptors;
class DrawStates;
class PipelineCache;
class RecordArena;
class RenderTargets;
class Stream;
struct Surface;

// Not thread-safe. Host failures are kept in Device::status.
class Batch
{
public:
    struct Parts
    {
        Device& device;
        Stream& stream;
        Memory& memory;
        RenderTargets& targets;
        DrawStates& states;
        PipelineCache& pipelines;
        DrawDescriptors& descriptors;
        RecordArena& arena;
    };
    // unorm_passes: all passes that write colour are UNORM, not only those with fixed-function blending. A draw needs a
    // pipeline for each kind of pass, and devices that are warmed up have one for each draw.
    Batch(const Parts& parts, BlendPath path, bool unorm_passes);
    ~Batch();
    Batch(const Batch&) = delete;
    Batch& operator=(const Batch&) = delete;
    // Creates the image that is bound where a draw reads no destination.
    Status create();

    // Between begin() and record().
    bool open() const { return color_ || depth_; }
    bool empty() const { return items_.empty(); }
    Surface* color() const { return color_; }
    Surface* depth() const { return depth_; }

    // Opens the batch. No batch may be open. One of the two surfaces may be null. The surfaces stay the
    // caller's and must live until record(). width and height: of the target, in pixels of the scaled image.
    void begin(Surface* color, Surface* depth, u32 width, u32 height);
    // Adds a draw to the open batch. positions: three vertices (x, y) per triangle, snapped to 1/16 pixel.
    // They are needed where the draw's state needs barrier groups (StateChooser::needs_groups), and may be
    // null otherwise. joinable: the draw may be drawn earlier, with one that binds the same; null: it may not.
    void add(const DrawBinding& binding, const DrawGeometry& geometry, const s32* positions,
             const JoinableDraws::Part* joinable = nullptr);
    // Do draws that may be joined become fewer commands?
    bool joins_draws() const { return joins_draws_; }
    // The kind of render pass that a draw of this state would be recorded in, if it were added now.
    PassKey pass_with(const DrawStateKey& state) const;
    // Would a draw of this state move the batch to another kind of render pass, in which pipelines of earlier
    // draws are not usable? Then it must be recorded before. Requests the missing pipelines from the workers.
    bool must_close_before(const DrawStateKey& state);
    // Records the render passes of the collected draws, closes the batch and calls Stream::end_batch. Does
    // not submit. Does nothing where no batch is open.
    void record();

    // merged: draws that were joined to the draw command before them. commands: draw commands. passes: render
    // passes. blend_barriers: barriers between barrier groups. binds: pipelines and descriptor sets bound.
    struct Counters
    {
        u64 merged = 0, commands = 0, passes = 0, blend_barriers = 0, binds = 0;
    };
    Counters counters;

private:
    struct Item
    {
        DrawCommand command;
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
    PassKey drawing_pass(bool unorm) const;
    PassKey storing_pass() const { return {shadergen::ColorOutput::Uint, 0, 0, path_}; }
    void add_item(const DrawBinding& binding, const DrawGeometry& geometry, bool barrier_before);
    void add_joinable(const DrawBinding& binding, const JoinableDraws::Part& draw);
    void place_joined();
    bool follows_indirect(const DrawCommand& item, const DrawGeometry& geometry) const;
    void add_fetch_groups(const DrawBinding& binding, const DrawGeometry& geometry, const s32* positions);
    VkFramebuffer framebuffer(const PassKey& key_of_pass);
    PassLoads begin_attachments(const PassKey& pass, VkClearValue (&values)[2]);
    bool reads_destination(const Item& item) const;
    void record_pass(std::size_t first, std::size_t last, const PassKey& pass);
    void self_dependency(VkCommandBuffer cmd);

    Parts parts_;
    BlendPath path_;
    const bool unorm_passes_;
    const bool joins_draws_;
    Image no_destination_; // bound in place of the destination for draws that do not read it

    Surface* color_ = nullptr;
    Surface* depth_ = nullptr;
    u32 width_ = 0;
    u32 height_ = 0;
    std::vector<Item> items_;
    bool needs_unorm_ = false;
    bool writes_color_ = false;
    bool writes_depth_ = false;
    // Attachment writes that no barrier has made visible to destination reads yet.
    bool destination_stale_ = false;
    bool stores_ = false; // the last item stores to the destination image (interlock)
    OverlapGroups groups_;
    JoinableDraws joinable_; // the items, where draws are joined
    std::unordered_map<FramebufferKey, UniqueFramebuffer, Hash> framebuffers_;
};

} // namespace renderer
