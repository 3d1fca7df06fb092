// SPDX-License-Identifier: MIT
// RenderTargets: the cache of the guest's colour and depth buffers as images (surfaces), keyed by what the
// registers say. It knows which surface is newest for which bytes. Surfaces that overlap are kept exact through the
// bytes of the mirror: the older one is stored there, and the newer one is loaded from there. At most one surface is
// newest for a byte.
// Tests: tests/renderer/render_targets_test.cpp, tests/renderer/filled_surfaces_test.cpp.
#pragma once

#include "pica/memory/page_contents.h"
#include "renderer/residency/filled_ranges.h"
#include "renderer/residency/surface_budget.h"
#include "renderer/residency/surface_converter.h"

#include <memory>
#include <optional>
#include <vector>

namespace renderer
{

// Not thread-safe. Host failures are kept in Device::status.
class RenderTargets
{
public:
    using Overwrites = pica::PageContents::Overwrites;
    // scale: internal resolution, at least 1. An error where the device has no D32_SFLOAT. The arguments must
    // outlive the object.
    static Result<std::unique_ptr<RenderTargets>> create(const SurfaceConverter::Parts& parts, u32 scale);
    ~RenderTargets();

    // Are the surfaces of a target there, or is there memory for them within the budget? Either surface may be unwanted.
    // textures: bytes that the device must have besides, for images that are made before the surfaces.
    bool has_room(const pica::RenderTarget& target, bool color, bool depth, u64 textures);
    // Makes it so, as far as possible: stores and drops the surfaces that were not used for longest. Collected draws must
    // have been flushed. May submit and wait.
    void make_room(const pica::RenderTarget& target, bool color, bool depth, u64 textures);
    // Stores and drops those surfaces that were not used for longest and have half of the memory, for others who need it.
    // False: there are none. Collected draws must have been flushed. Submits and waits.
    bool give_back();

    // The colour or depth surface of a target, with the pixels of guest memory. Creates it if needed, and
    // records the load. Draws that are collected for *other* surfaces must have been flushed. The pointer is
    // valid until end_frame or the acquire after the next one (a draw acquires two). Null where the target is
    // outside of memory (reported) or the host failed (Device::status). Does not submit. Others are dropped where the
    // budget is used up, but their memory counts until the device is done with them, so callers make room before.
    Surface* acquire(const pica::RenderTarget& target, SurfaceKind kind);
    // Asks for the barrier that a render pass needs before it uses the surface as attachment (layout GENERAL,
    // load and store) or as storage image.
    void use_as_attachment(Surface& surface);
    // The same for a render pass that can clear the attachment where it would load it. A value: it must clear all
    // pixels to it. as_unorm: the attachment is the view in R8G8B8A8_UNORM.
    std::optional<VkClearValue> use_as_clearable(Surface& surface, bool as_unorm);
    // To be called when commands that write the surface have been recorded. overwrites: All if they write every
    // pixel. Overlapping surfaces become stale.
    void mark_dirty(Surface& surface, Overwrites overwrites = Overwrites::Some);

    // Records stores to the mirror for every dirty surface that overlaps the range.
    void store(PhysAddr address, u64 size);
    // The same for dirty surfaces that overlap the range and reach beyond it. For callers that overwrite all
    // bytes of the range.
    void store_cut(PhysAddr address, u64 size);
    // To be called when something else wrote these bytes, to guest memory or to the mirror. Overlapping
    // surfaces become stale, and what was drawn to them and not stored is lost.
    void invalidate(PhysAddr address, u64 size);
    // To be called when nobody watches these bytes any longer. Fills of them are forgotten. Surfaces over them become stale,
    // but for dirty ones.
    void forget_clean(PhysAddr address, u64 size);
    void forget_fills() { filled_.clear(); }
    // The ranges of memory whose bytes are known here: those of current surfaces, and what fills of this frame wrote.
    std::vector<pica::AddressSpan> current_ranges() const;
    // Does a dirty surface overlap the range?
    bool dirty_overlap(PhysAddr address, u64 size) const;
    bool any_dirty() const { return dirty_count_ != 0; }

    // To be called when the range of the mirror was filled. Surfaces inside of the range are cleared too, if all
    // their pixels are then equal, and are current. Other overlapping surfaces become stale. A surface that acquire makes
    // inside of the range later in the frame is cleared as well, in place of a load.
    void filled(const FillPattern& fill);

    // Handles a fill that covers exactly one surface and gives all its pixels the same value: only the
    // surface is cleared, with the next render pass that draws to it, and becomes dirty. Memory follows when it is read. False: there is no such
    // surface, and nothing was done.
    bool fill_surface(const FillPattern& fill);

    // The dirty colour surface that holds this picture: at `address`, tiled, exactly `width` pixels wide and
    // at least `rows` high, whole tiles. Null if there is none.
    Surface* find_dirty_color(PhysAddr address, u8 format, u32 width, u32 rows);
    // The current colour surface that holds exactly this picture, whose memory begins with row height-1. Null
    // if there is none.
    Surface* find_picture(PhysAddr address, u8 format, u32 width, u32 height);
    // Asks for the barrier that a compute shader needs before it reads the image.
    void use_in_compute(Surface& surface);
    // Asks for the barrier that a copy needs before it reads the image.
    void use_in_copy(Surface& surface);

    // Stores and drops surfaces that were not used for 120 frames. Forgets the frame's fills.
    void end_frame();
    u32 scale() const { return scale_; }
    SurfaceBudget& budget() { return budget_; }
    const SurfaceBudget& budget() const { return budget_; }

    // evictions: dropped because of the budget. loads, stores: conversions from and to the mirror's bytes.
    struct Counters
    {
        u64 created = 0, evictions = 0, loads = 0, stores = 0, clears = 0;
    };
    Counters counters;

private:
    RenderTargets(const SurfaceConverter::Parts& parts, u32 scale)
        : parts_(parts), converter_(parts, scale), budget_(parts.device, parts.memory, parts.stream, scale),
          scale_(scale)
    {
    }
    static SurfaceKey key_of(const pica::RenderTarget& target, SurfaceKind kind);
    Surface* find(const SurfaceKey& key) const;
    u64 missing_bytes(const SurfaceKey& key, u32 guest_bytes) const;
    u64 missing_bytes(const pica::RenderTarget& target, bool color, bool depth) const;
    u64 image_bytes(const SurfaceKey& key) const;
    Result<std::unique_ptr<Surface>> create_surface(const SurfaceKey& key, u32 bytes);
    void load(Surface& surface);
    void store(Surface& surface);
    void clear(Surface& surface, u32 raw);
    void make_cleared(Surface& surface);
    void drop(std::size_t index);
    // Stores and drops surfaces, in order of their last use, until at most so many bytes and surfaces are left. Those
    // stay that were used later than `last_use`.
    void drop_oldest(u64 bytes, std::size_t count, u64 last_use);
    void set_dirty(Surface& surface, bool dirty);

    SurfaceConverter::Parts parts_;
    SurfaceConverter converter_;
    SurfaceBudget budget_;
    u32 scale_;
    std::vector<std::unique_ptr<Surface>> surfaces_;
    FilledRanges filled_;
    u32 dirty_count_ = 0;
    u64 next_id_ = 1;
    u64 frame_ = 1;
    u64 uses_ = 0;
};

} // namespace renderer
