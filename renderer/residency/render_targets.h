// SPDX-License-Identifier: MIT
// RenderTargets: the cache of the guest's colour and depth buffers as images (surfaces), keyed by what the
// registers say.
//
// * Colour images are R8G8B8A8_UINT with values expanded to 8 bits. Alpha is 255 where the format has none,
//   because textures and transfers are made of them too. Row 0 is py 0.
// * Depth images are D32_SFLOAT_S8_UINT with codes k * 2^-24, for D16 k * 2^-16 (design D6).
// * All images stay in layout GENERAL.
// * Surfaces that overlap are kept exact through the bytes of the mirror: the older one is stored there, and
//   the newer one is loaded from there. At most one surface is newest for a byte.
//
// pica/hardware/framebuffer.md. Tests: tests/renderer/render_targets_test.cpp.
#pragma once

#include "pica/state/draw.h"
#include "renderer/residency/guest_mirror.h"

#include <memory>
#include <optional>
#include <vector>

namespace renderer
{

enum class SurfaceKind : u8
{
    Color,
    Depth,
};

// What identifies a surface: where it is and how its pixels are laid out.
struct SurfaceKey
{
    PhysAddr address = 0;
    u16 width = 0; // pixels of the guest; the image is `scale` times as wide and high
    u16 height = 0;
    SurfaceKind kind{};
    u8 format = 0; // pica::ColorFormat or pica::DepthFormat
    u8 flip = 0;
    u8 block32 = 0; // 1: blocks of 32x32 pixels; 0: tiles of 8x8

    // Does every byte of the surface's range belong to a pixel?
    bool is_whole() const { return ((width | height) & (block32 != 0 ? 31 : 7)) == 0; }
    bool operator==(const SurfaceKey&) const = default;
};

// A colour or depth buffer as an image. Owned by RenderTargets.
struct Surface
{
    SurfaceKey key;
    u64 id = 0;    // never reused
    u32 bytes = 0; // bytes of guest memory, cut at the end of the region
    // `image.view` serves as colour attachment, input attachment and storage image in R8G8B8A8_UINT, or as
    // depth-stencil attachment.
    Image image;
    UniqueImageView unorm_view; // of colour surfaces: the same image as R8G8B8A8_UNORM
    bool current = false;       // the image equals guest memory or is newer
    bool dirty = false;         // newer than the mirror
    u64 frame = 0;              // last frame that used it
    u64 use = 0;                // number of its last acquire
    VkDescriptorSet set = VK_NULL_HANDLE;
    AccessTracker access;
};

// Not thread-safe. Host failures are kept in Device::status.
class RenderTargets
{
public:
    // scale: internal resolution, at least 1. An error where the device has no D32_SFLOAT_S8_UINT. The
    // arguments must outlive the object.
    static Result<std::unique_ptr<RenderTargets>> create(Device& device, Memory& memory, Stream& stream,
                                                         FixedPipelines& pipelines, GuestMirror& mirror,
                                                         u32 scale);
    ~RenderTargets();

    // The colour or depth surface of a target, with the pixels of guest memory. Creates it if needed, and
    // records the load. Draws that are collected for *other* surfaces must have been flushed. The pointer is
    // valid until end_frame or the acquire after the next one (a draw acquires two). Null where the target is
    // outside of memory (reported) or the host failed (Device::status). Does not submit.
    Surface* acquire(const pica::RenderTarget& target, SurfaceKind kind);
    // Records the barrier that a render pass needs before it uses the surface as attachment (layout GENERAL,
    // load and store) or as storage image.
    void use_as_attachment(Surface& surface);
    // To be called when a render pass that draws to the surface has been recorded. Overlapping surfaces
    // become stale.
    void mark_dirty(Surface& surface);

    // Records stores to the mirror for every dirty surface that overlaps the range.
    void store(PhysAddr address, u64 size);
    // The same for dirty surfaces that overlap the range and reach beyond it. For callers that overwrite all
    // bytes of the range.
    void store_cut(PhysAddr address, u64 size);
    // To be called when something else wrote these bytes, to guest memory or to the mirror. Overlapping
    // surfaces become stale, and what was drawn to them and not stored is lost.
    void invalidate(PhysAddr address, u64 size);
    // Does a dirty surface overlap the range?
    bool dirty_overlap(PhysAddr address, u64 size) const;
    bool any_dirty() const { return dirty_count_ != 0; }

    // To be called when [address, address + size) of the mirror was filled with a repeated pattern of
    // pattern_bytes (2, 3 or 4) bytes. Surfaces inside of the range are cleared too, if all their pixels are
    // then equal, and are current. Other overlapping surfaces become stale.
    void filled(PhysAddr address, u32 size, u32 value, u32 pattern_bytes);

    // Handles a fill that covers exactly one surface and gives all its pixels the same value: only the
    // surface is cleared and becomes dirty, and memory follows when it is read. False: there is no such
    // surface, and nothing was done.
    bool fill_surface(PhysAddr address, u32 size, u32 value, u32 pattern_bytes);

    // The dirty colour surface that holds this picture: at `address`, tiled, exactly `width` pixels wide and
    // at least `rows` high, whole tiles. Null if there is none.
    Surface* find_dirty_color(PhysAddr address, u8 format, u32 width, u32 rows);
    // The current colour surface that holds exactly this picture, whose memory begins with row height-1. Null
    // if there is none.
    Surface* find_picture(PhysAddr address, u8 format, u32 width, u32 height);
    // Records the barrier that a compute shader needs before it reads the image.
    void use_in_compute(Surface& surface) { surface.access.use(stream_, kComputeRead); }

    // Records the barrier that a copy needs before it reads the image.
    void use_in_copy(Surface& surface) { surface.access.use(stream_, kTransferRead); }

    // Stores and drops surfaces that were not used for 120 frames.
    void end_frame();
    u32 scale() const { return scale_; }

    // loads, stores: conversions from and to the mirror's bytes.
    struct Counters
    {
        u64 created = 0, loads = 0, stores = 0, clears = 0;
    };
    Counters counters;

private:
    RenderTargets(Device& device, Memory& memory, Stream& stream, FixedPipelines& pipelines,
                  GuestMirror& mirror, u32 scale)
        : device_(device), memory_(memory), stream_(stream), pipelines_(pipelines), mirror_(mirror),
          scale_(scale)
    {
    }
    Result<std::unique_ptr<Surface>> create_surface(const SurfaceKey& key, u32 bytes);
    void load(Surface& surface);
    void store(Surface& surface);
    // The raw bytes of a pixel if the repeated pattern gives all pixels of the surface the same bytes; else
    // no value.
    static std::optional<u32> uniform_pixel(const SurfaceKey& key, PhysAddr fill_begin, u32 value,
                                            u32 pattern_bytes);
    void clear(Surface& surface, u32 raw);
    void drop(std::size_t index);
    void drop_oldest();
    void set_dirty(Surface& surface, bool dirty);
    Status scratch(u32 pixels);
    u32 scratch_regions(const Surface& surface, VkBufferImageCopy (&regions)[2]) const;
    SurfaceConstants constants_of(const Surface& surface) const;

    Device& device_;
    Memory& memory_;
    Stream& stream_;
    FixedPipelines& pipelines_;
    GuestMirror& mirror_;
    u32 scale_;
    std::vector<std::unique_ptr<Surface>> surfaces_;
    u32 dirty_count_ = 0;
    u64 next_id_ = 1;
    u64 frame_ = 1;
    u64 uses_ = 0;
    Buffer scratch_; // linear depth floats, then stencil bytes
    u32 scratch_pixels_ = 0;
    VkDescriptorSet scratch_set_ = VK_NULL_HANDLE;
    AccessTracker scratch_access_;
};

} // namespace renderer
