// SPDX-License-Identifier: MIT
// Guest memory on the device (design D8): one storage buffer per region, a state per 4 KiB page. A page is
// current, older than the CPU's bytes (its generation moved), or newer (the device wrote it). Every write of
// the device also moves the page generation, so generations alone tell caches what is stale. Rendered
// surfaces are a further layer above the mirror (render_targets.h). Tests:
// tests/renderer/guest_mirror_test.cpp.
#pragma once

#include "pica/memory/guest_memory.h"
#include "renderer/pipelines/fixed_pipelines.h"
#include "renderer/vulkan/memory.h"
#include "renderer/vulkan/stream.h"
#include "renderer/vulkan/upload_ring.h"

#include <array>

namespace renderer
{

class GuestMirror
{
public:
    static constexpr u32 kPageSize = 4096;
    static constexpr u32 kVram = 0; // region numbers: binding numbers of shaders/include/layout.h
    static constexpr u32 kFcram = 1;

    static Result<std::unique_ptr<GuestMirror>> create(Device& device, Memory& memory, Stream& stream,
                                                       UploadRing& ring, FixedPipelines& pipelines,
                                                       pica::GuestMemory& guest);

    struct Location
    {
        VkBuffer buffer = VK_NULL_HANDLE; // null: outside guest memory
        VkDeviceSize offset = 0;
        u32 region = 0;
    };
    // Where [address, address + size) lies; all of it must be inside one region.
    Location locate(PhysAddr address, u32 size = 1) const;
    // How many bytes of a range the mirror has from its start on.
    u32 clamp_size(PhysAddr address, u32 size) const;
    // All of guest memory is in it: no region is larger than a storage buffer may be, none is elsewhere.
    bool is_whole() const { return is_whole_; }
    // Has guest memory bytes of this range that the mirror lacks?
    bool misses(PhysAddr address, u64 size) const;
    // Are all bytes that guest memory has of this range in the region of the mirror that `place` is in? Only
    // there a shader finds them that counts from `place`.
    bool region_holds(PhysAddr place, PhysAddr address, u64 size) const;
    VkBuffer buffer(u32 region) const { return regions_[region].buffer.buffer; }
    PhysAddr region_base(u32 region) const { return regions_[region].base; }
    u32 region_size(u32 region) const { return regions_[region].size; }
    VkDeviceSize buffer_size(u32 region) const { return regions_[region].buffer.size; }

    // Records the upload of pages that the CPU has changed since; afterwards commands recorded later see
    // current bytes (but for rendered surfaces that were not stored). As all ranges here, this one may begin
    // anywhere and span both regions: what lies outside of the mirror is ignored. A page that the pending
    // batch reads is not overwritten before Stream::flush_batch.
    void require(PhysAddr address, u64 size);
    // As require, for data that the pending batch of draws will read.
    void require_for_batch(PhysAddr address, u64 size);

    // The device is about to produce these bytes: pages that are only partly covered are made current first.
    void prepare_write(PhysAddr address, u64 size);
    // Commands that write the mirror's bytes have been recorded.
    void gpu_wrote(PhysAddr address, u64 size);
    // A surface holds newer bytes than the mirror (moves the generation; the mirror itself is not newer than
    // the CPU).
    void surface_wrote(PhysAddr address, u64 size);
    // The surface's bytes have been packed into the mirror.
    void surface_stored(PhysAddr address, u64 size);

    // Whatever the device wrote to these pages is of no interest; they are uploaded again when required.
    void discard(PhysAddr address, u64 size);

    bool any_newer() const { return newer_pages_ != 0; }
    // Does the device hold bytes of these pages that guest memory lacks?
    bool gpu_newer(PhysAddr address, u64 size) const;
    // Brings them to guest memory: submits and waits if there are any. Generations do not move: they did when
    // the device wrote.
    Status download(PhysAddr address, u64 size);
    // Records the same without waiting; a download that follows takes from it what has not changed since.
    Status request_download(PhysAddr address, u64 size);
    // Would download return at once?
    bool download_is_done(PhysAddr address, u64 size) const;

    // Barrier for commands recorded next that use the region's buffer.
    void use(u32 region, const Access& access);
    // The same for shaders, which have both regions bound and choose by a constant.
    void use_all(const Access& access);

    struct Counters
    {
        u64 uploads = 0, uploaded_bytes = 0, downloads = 0, downloaded_bytes = 0, read_ahead_bytes = 0;
    };
    Counters counters;

private:
    struct Page
    {
        u64 synced = ~u64{0}; // generation of the bytes the mirror has
        u64 read_batch = 0;   // last batch of draws that reads the page
        u32 upload_epoch = 0; // uploads without a barrier between them must not overlap
        bool gpu_newer = false;
    };
    struct Region
    {
        PhysAddr base = 0;
        u32 size = 0; // of guest memory; the buffer is rounded up to pages
        Buffer buffer;
        AccessTracker access;
        std::vector<Page> pages;
        u32 epoch = 1;
        bool uploading = false; // the last use was an upload
    };
    // Of a range, what lies in one region: offsets in it.
    struct Part
    {
        u32 region = 0;
        u64 begin = 0;
        u64 end = 0; // exclusive
        u32 first_page() const { return static_cast<u32>(begin >> pica::PageTracker::kPageShift); }
        u32 last_page() const // exclusive
        {
            return static_cast<u32>((end - 1) >> pica::PageTracker::kPageShift) + 1;
        }
    };
    // A download under way.
    struct ReadAhead
    {
        struct Page
        {
            u32 page;
            u64 synced;      // of the page, at the copy
            VkDeviceSize at; // in the buffer
        };
        u32 region = 0;
        u64 serial = 0;
        Buffer buffer;
        std::vector<Page> pages; // those still worth something
    };
    GuestMirror(Device& device, Memory& memory, Stream& stream, UploadRing& ring, pica::GuestMemory& guest)
        : device_(device), memory_(memory), stream_(stream), ring_(ring), guest_(guest)
    {
    }
    // visit(const Part&) for each region that the range touches.
    template <typename Visit>
    void for_each_part(PhysAddr address, u64 size, Visit visit) const
    {
        for (u32 i = 0; i < regions_.size(); ++i)
        {
            const u64 base = regions_[i].base;
            const pica::AddressSpan part = pica::shared_span(address, size, base, base + regions_[i].size);
            if (!part.empty())
                visit(Part{i, part.begin - base, part.end - base});
        }
    }
    u64 generation(const Region& region, u32 page) const;
    void upload(u32 region, u32 first, u32 last);
    void require_pages(u32 region, u32 first, u32 last);
    void prepare_part(const Part& part);
    void claim(PhysAddr address, u64 size, bool mirror_newer);
    Status download(const Part& part);
    Status request_download(const Part& part);
    bool download_is_done(const Part& part) const;
    void set_newer(Page& page, bool newer);
    const ReadAhead* read_ahead_of(u32 region, u32 page) const;
    void retire_read_ahead(std::size_t index);
    Status collect_read_aheads(const Part& range);

    Device& device_;
    Memory& memory_;
    Stream& stream_;
    UploadRing& ring_;
    pica::GuestMemory& guest_;
    std::array<Region, 2> regions_;
    u32 newer_pages_ = 0;
    bool is_whole_ = true;
    Buffer readback_;
    std::vector<ReadAhead> read_aheads_;
    std::vector<VkBufferCopy> copies_;
};

} // namespace renderer
