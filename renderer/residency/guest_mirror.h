// SPDX-License-Identifier: MIT
// GuestMirror: the device's copy of guest memory (design D8). It has one storage buffer per region, which grows with the
// highest byte that the device has used, and a state per 4 KiB page. A page is current, or older than the CPU's bytes (its
// generation has advanced), or newer (the device wrote bytes of it). The CPU may write beside the device's newer bytes of a
// page: then both have newer bytes of it. Games place a picture and what they write in each frame side by side. Writes of
// the device advance the page generation too, so caches need to compare nothing else. Rendered surfaces
// (render_targets.h) may be newer than the mirror. Ranges may begin anywhere and span both regions; bytes outside of the
// mirror are ignored. Not thread-safe. Tests: tests/renderer/guest_mirror_test.cpp.
#pragma once

#include "pica/memory/guest_memory.h"
#include "renderer/residency/batch_reads.h"
#include "renderer/residency/host_transfers.h"
#include "renderer/residency/mirror_buffers.h"
#include "renderer/residency/page_readback.h"
#include "renderer/residency/read_aheads.h"
#include "renderer/vulkan/upload_ring.h"

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

namespace renderer
{

class GuestMirror
{
public:
    static constexpr u32 kPageSize = MirrorLayout::kPageSize;
    // Region numbers, equal to the binding numbers in shaders/include/layout.h.
    static constexpr u32 kVram = 0;
    static constexpr u32 kFcram = 1;

    // Creates the buffers and binds them to the fixed shaders. Regions are cut to the largest size that a
    // storage buffer may have. `guest` and the other arguments must outlive the mirror.
    static Result<std::unique_ptr<GuestMirror>> create(Device& device, Memory& memory, Stream& stream,
                                                       UploadRing& ring, FixedPipelines& pipelines,
                                                       pica::GuestMemory& guest);

    // A place in the mirror. The buffer is that of now: require, require_for_batch and prepare_write may replace it.
    struct Location
    {
        VkBuffer buffer = VK_NULL_HANDLE; // null: not in the mirror
        VkDeviceSize offset = 0;          // bytes
        u32 region = 0;
    };
    // The place of [address, address + size), which must lie in one region as a whole.
    Location locate(PhysAddr address, u32 size = 1) const;
    // Which bytes the mirror can have (MirrorLayout).
    u32 clamp_size(PhysAddr address, u32 size) const { return layout_.clamp_size(address, size); }
    bool is_whole() const { return layout_.is_whole(); }
    bool misses(PhysAddr address, u64 size) const { return layout_.misses(address, size); }
    // A shader that counts from `place` finds only the bytes of that region.
    bool region_holds(PhysAddr place, PhysAddr address, u64 size) const
    {
        return layout_.region_holds(place, address, size);
    }
    VkBuffer buffer(u32 region) const { return buffers_.buffer(region); }
    PhysAddr region_base(u32 region) const { return layout_.base(region); }
    u32 region_size(u32 region) const { return layout_.size(region); }
    // Bytes of both buffers, now.
    VkDeviceSize bytes() const { return buffers_.size(kVram) + buffers_.size(kFcram); }

    // Records uploads of the pages of the range that the CPU has changed. Commands recorded afterwards see
    // current bytes, except those of surfaces that are newer than the mirror. batch_reads_older must be false
    // for the range. Does not wait for the uploads.
    void require(PhysAddr address, u64 size);
    // As require, for bytes that the open draw batch will read: the pages are marked with the batch number.
    void require_for_batch(PhysAddr address, u64 size);
    // Are there pages in the range of which the open draw batch reads bytes (require_for_batch) that the CPU has, or may
    // have, changed since? Then the batch must be flushed before the range is required.
    bool batch_reads_older(PhysAddr address, u64 size) const;
    // The CPU has written exactly these bytes: passes it on to guest memory. Of other changes the mirror does not know
    // which bytes of a page they are.
    void cpu_wrote(PhysAddr address, u64 size)
    {
        batch_reads_.cpu_wrote(stream_.batch(), address, size, pica::GuestMemory::OnDevice::Older);
    }
    // The same for bytes of one page, beside newer ones that the device has written or drawn there, which count on.
    void cpu_wrote_beside(PhysAddr address, u64 size);

    // From now on a page that the device writes is newer as a whole, and is read back as a whole. Above 1x the planes need
    // it: what the CPU wrote without an announcement is found by comparing with the page that was read back.
    void count_whole_pages() { whole_pages_ = true; }
    bool counts_whole_pages() const { return whole_pages_; }

    // To be called before commands that overwrite these bytes. Makes pages current that the range covers only
    // partly.
    void prepare_write(PhysAddr address, u64 size);
    using Overwrites = pica::PageContents::Overwrites;
    // To be called after commands that write these bytes of the mirror have been recorded. Advances the
    // generations; the pages are newer than guest memory.
    void gpu_wrote(PhysAddr address, u64 size, Overwrites overwrites);
    // To be called when a surface gets newer bytes than the mirror. Advances the generations. The mirror does
    // not become newer than guest memory.
    void surface_wrote(PhysAddr address, u64 size, Overwrites overwrites);
    // To be called when a surface's bytes have been written to the mirror. The pages are newer than guest memory. The CPU
    // may have written beside all newer bytes of a page since surface_wrote.
    void surface_stored(PhysAddr address, u64 size);

    // Drops what the device wrote to these pages. They are uploaded again when they are required.
    void discard(PhysAddr address, u64 size);

    // Is any page newer on the device?
    bool any_newer() const { return newer_pages_ != 0; }
    // Does the device have newer bytes of the range? Surfaces that were not stored do not count.
    bool gpu_newer(PhysAddr address, u64 size) const;
    // The latest generation of the range's pages in which the device wrote there, in surfaces too.
    u64 device_generation(PhysAddr address, u64 size) const;
    // Does the device have newer bytes of the page of this address, which count? The address may lie beside the mirror.
    bool page_is_newer(PhysAddr address) const;
    // Reads newer bytes of the range's pages back into guest memory. Submits and waits if there are any. Generations
    // do not advance: they did when the device wrote. An error: the device failed.
    Status download(PhysAddr address, u64 size);
    // Records the copies of such a readback without waiting or submitting. A later download uses the pages
    // that have not changed since.
    Status request_download(PhysAddr address, u64 size);
    // Would a download of the bytes of the range return at once?
    bool download_is_done(PhysAddr address, u64 size) const;

    // Display transfers that write pages of the mirror, but whose bytes the CPU converts later. Their pages must have been
    // claimed by gpu_wrote.
    HostTransfers& host_transfers() { return host_transfers_; }
    std::vector<u32> page_numbers(const MirrorLayout::Part& part) const
    {
        std::vector<u32> numbers;
        for (u32 page = part.first_page(); page < part.last_page(); ++page)
            numbers.push_back(regions_[part.region].pages[page].number);
        return numbers;
    }

    // Records the barrier that the next commands need before they use the region's buffer in this way.
    void use(u32 region, const Access& access);
    // The same for both regions, for shaders that choose the region by a constant.
    void use_all(const Access& access)
    {
        use(kVram, access);
        use(kFcram, access);
    }

    // uploads, downloads: copy operations. read_ahead_bytes: bytes taken from readbacks that were requested
    // in advance.
    struct Counters
    {
        u64 uploads = 0, uploaded_bytes = 0, downloads = 0, downloaded_bytes = 0, read_ahead_bytes = 0;
    };
    Counters counters;

private:
    struct Page
    {
        u64 synced = ~u64{0};             // generation of the bytes in the mirror, apart from newer ones
        u64 written = 0;                  // generation when the device wrote
        u64 kept = 0;                     // the latest generation in which what it wrote counts
        u64 upload_group = 0;             // Stream::upload_group of the last upload
        std::byte* upload_from = nullptr; // ... and what it copies
        // Epoch of the last upload. Uploads in one epoch have no barrier between them and must not overlap.
        u32 upload_epoch = 0;
        PageBytes newer; // bytes that the device wrote and guest memory does not have
        u32 number = 0;  // how often there have been none any more
    };
    struct Region
    {
        PhysAddr base = 0;
        u32 size = 0; // bytes of guest memory; the buffer is rounded up to pages
        std::vector<Page> pages;
        u32 epoch = 1;
        bool uploading = false; // true if the last use was an upload
    };
    using Part = MirrorLayout::Part;
    GuestMirror(Device& device, Memory& memory, Stream& stream, UploadRing& ring, FixedPipelines& pipelines,
                pica::GuestMemory& guest)
        : layout_(guest, device.properties.limits.maxStorageBufferRange),
          buffers_({device, memory, stream, pipelines}, layout_), device_(device), stream_(stream),
          ring_(ring), guest_(guest), readback_(device, memory, stream), read_aheads_(memory, stream),
          host_transfers_(memory, stream,
                          [this](u32 region, u32 page, u32 number) {
                              return regions_[region].pages[page].number == number &&
                                     is_newest(regions_[region], page);
                          }),
          batch_reads_(guest)
    {
    }
    bool reach(u32 index, u64 end);
    u64 generation(const Region& region, u32 page) const
    {
        return guest_.generation(region.base + (page << MirrorLayout::kPageShift), kPageSize);
    }
    bool upload_again(const Region& region, u32 page);
    void upload(u32 region, u32 first, u32 last);
    Slice upload_bytes(u32 region, u64 begin, u64 end, const u8* bytes);
    void upload_beside(u32 region, u32 page);
    void require_pages(u32 region, u32 first, u32 last);
    // Takes bytes to the mirror that the CPU has converted for the device.
    HostTransfers::Upload uploader(u32 region)
    {
        return [this, region](u64 begin, u64 end, const u8* bytes)
        {
            (void)upload_bytes(region, begin, end, bytes);
            for (u64 page = begin >> MirrorLayout::kPageShift; page << MirrorLayout::kPageShift < end; ++page)
                read_aheads_.forget(region, static_cast<u32>(page)); // which lack these bytes
        };
    }
    void prepare_part(const Part& part);
    void claim(PhysAddr address, u64 size, Overwrites overwrites, bool mirror_newer);
    Status for_newer_parts(PhysAddr address, u64 size, Status (GuestMirror::*visit)(const Part&));
    void set_synced(u32 region, u32 page, u64 generation);
    Status download(const Part& part);
    Status read_back(u32 region);
    Status take_transfers(u32 region, u32 first, u32 last);
    u8* host_bytes(const Region& region, u64 begin, u64 end)
    {
        return guest_.span(region.base + static_cast<u32>(begin), end - begin).data();
    }
    Status request_download(const Part& part);
    bool download_is_done(const Part& part) const;
    void set_newer(Page& page, PageBytes newer);
    void add_newer(const Part& part, u32 page);
    void add_copy(u32 page, PageBytes bytes)
    {
        copies_.add((u64{page} << MirrorLayout::kPageShift) + bytes.begin, u64{bytes.end} - bytes.begin);
    }
    PageBytes all_bytes_of(u32 region, u32 page) const
    {
        const u64 rest = layout_.size(region) - (u64{page} << MirrorLayout::kPageShift);
        return {0, static_cast<pica::u16>(std::min(rest, u64{kPageSize}))};
    }
    Status collect_read_aheads(const Part& part);
    // Has the page newer bytes that count? The CPU may have overwritten them without will_write.
    bool is_newest(const Region& region, u32 page) const
    {
        return !region.pages[page].newer.empty() && region.pages[page].kept == generation(region, page);
    }

    const MirrorLayout layout_;
    MirrorBuffers buffers_;
    Device& device_;
    Stream& stream_;
    UploadRing& ring_;
    pica::GuestMemory& guest_;
    std::array<Region, 2> regions_;
    u32 newer_pages_ = 0;
    bool whole_pages_ = false;
    PageReadback readback_;
    ReadAheads read_aheads_;
    HostTransfers host_transfers_;
    BatchReads batch_reads_;
    PackedCopies copies_;
};

} // namespace renderer
