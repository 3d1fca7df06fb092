// SPDX-License-Identifier: MIT
// Colour and depth buffers as images: caches over guest memory, keyed by what the registers say. Colour
// images are R8G8B8A8_UINT with expanded 8-bit values (alpha 255 where the format has none, since textures
// and transfers are made of them too), row 0 = py 0; depth images D32_SFLOAT_S8_UINT with codes k * 2^-24
// (D16: k * 2^-16) (design D6). All stay in layout GENERAL. Surfaces that overlap others are kept exact
// through the mirror's bytes: pack the older one, unpack the newer one. At most one surface is newest for a
// byte. pica/hardware/framebuffer.md. Tests: tests/renderer/render_targets_test.cpp.
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

struct SurfaceKey
{
    PhysAddr address = 0;
    u16 width = 0; // pixels of the guest; the image is scale times larger
    u16 height = 0;
    SurfaceKind kind{};
    u8 format = 0; // pica::ColorFormat or pica::DepthFormat
    u8 flip = 0;
    u8 block32 = 0; // 32x32 blocks, else 8x8 tiles

    // Does every byte of the surface's range belong to a pixel?
    bool is_whole() const { return ((width | height) & (block32 != 0 ? 31 : 7)) == 0; }
    bool operator==(const SurfaceKey&) const = default;
};

struct Surface
{
    SurfaceKey key;
    u64 id = 0;    // never reused
    u32 bytes = 0; // of guest memory, cut where the region ends
    Image image;   // image.view: colour attachment, input attachment and storage image as R8G8B8A8_UINT; or
                   // depth-stencil
    UniqueImageView unorm_view; // colour: the same image as R8G8B8A8_UNORM
    bool current = false;       // the image equals guest memory, or is newer
    bool dirty = false;         // newer than the mirror
    u64 frame = 0;              // last frame that used it
    u64 use = 0;                // number of its last acquire
    VkDescriptorSet set = VK_NULL_HANDLE;
    AccessTracker access;
};

class RenderTargets
{
public:
    static Result<std::unique_ptr<RenderTargets>> create(Device& device, Memory& memory, Stream& stream,
                                                         FixedPipelines& pipelines, GuestMirror& mirror,
                                                         u32 scale);
    ~RenderTargets();

    // The surface, created if need be, with the pixels of guest memory. Pending draws to *other* surfaces
    // must have been recorded. Null (and Device::status, or a report) where there is no such guest memory or
    // the host fails. Valid until end_frame or the acquire after the next one: a draw acquires two.
    Surface* acquire(const pica::RenderTarget& target, SurfaceKind kind);
    // Records the barrier that a render pass with the surface as attachment needs (layout GENERAL, load and
    // store).
    void use_as_attachment(Surface& surface);
    // A recorded render pass has drawn to it.
    void mark_dirty(Surface& surface);

    // Packs every dirty surface that reaches into the range into the mirror.
    void store(PhysAddr address, u64 size);
    // The same for those that reach over an end of the range: all bytes inside are about to be overwritten.
    void store_cut(PhysAddr address, u64 size);
    // Others wrote these bytes (to guest memory or the mirror); what was drawn there before is gone.
    void invalidate(PhysAddr address, u64 size);
    bool dirty_overlap(PhysAddr address, u64 size) const;
    bool any_dirty() const { return dirty_count_ != 0; }

    // A repeated byte pattern was written to [address, address + size) of the mirror: surfaces that lie
    // inside are cleared as well and are current; others are invalidated. pattern_bytes is 2, 3 or 4.
    void filled(PhysAddr address, u32 size, u32 value, u32 pattern_bytes);

    // The fill covers exactly one colour or depth buffer and gives every pixel the same value: only the
    // surface is cleared, memory follows when somebody reads it. False: nothing was done.
    bool fill_surface(PhysAddr address, u32 size, u32 value, u32 pattern_bytes);

    // A colour surface that is newer than memory and holds the whole picture: tiled, so many pixels wide, at
    // least so many rows.
    Surface* find_dirty_color(PhysAddr address, u8 format, u32 width, u32 rows);
    // A colour surface that holds exactly this picture, newer than memory or equal, memory row height-1
    // first.
    Surface* find_picture(PhysAddr address, u8 format, u32 width, u32 height);
    // Records the barrier that a compute shader reading the image needs.
    void use_in_compute(Surface& surface) { surface.access.use(stream_, kComputeRead); }

    void use_in_copy(Surface& surface) { surface.access.use(stream_, kTransferRead); }

    // Cache housekeeping: surfaces that were not used for long are stored and dropped.
    void end_frame();
    u32 scale() const { return scale_; }

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
    // The bytes of every pixel of a surface that a repeated pattern fills, if they are the same.
    static std::optional<u32> uniform_pixel(const SurfaceKey& key, PhysAddr fill_begin, u32 value,
                                            u32 pattern_bytes);
    void clear(Surface& surface, u32 raw);
    void drop(std::size_t index);
    void drop_oldest();
    void set_dirty(Surface& surface, bool dirty);
    Status scratch(u32 pixels);
    u32 scratch_regions(const Surface& surface, VkBufferImageCopy (&regions)[2]) const;
    FixedConstants constants_of(const Surface& surface) const;

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
