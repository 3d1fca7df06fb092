// SPDX-License-Identifier: MIT
#include "renderer/residency/guest_mirror.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace renderer
{

namespace
{

constexpr u32 kMirrorPageShift = pica::PageTracker::kPageShift;
static_assert(GuestMirror::kPageSize == 1u << kMirrorPageShift);

} // namespace

Result<std::unique_ptr<GuestMirror>> GuestMirror::create(Device& device, Memory& memory, Stream& stream,
                                                         UploadRing& ring, FixedPipelines& pipelines,
                                                         pica::GuestMemory& guest)
{
    std::unique_ptr<GuestMirror> mirror(new GuestMirror(device, memory, stream, ring, pipelines, guest));
    for (u32 i = 0; i < MirrorLayout::kRegions; ++i)
    {
        Region& region = mirror->regions_[i];
        region.base = mirror->layout_.base(i);
        region.size = mirror->layout_.size(i);
        region.pages.resize(mirror->layout_.pages(i));
        mirror->batch_reads_.set_region(i, region.base, region.size);
    }
    if (Status status = mirror->buffers_.create(); !status)
        return status.error();
    return mirror;
}

// Makes the buffer hold all bytes before `end`.
bool GuestMirror::reach(u32 index, u64 end)
{
    if (end <= buffers_.size(index))
        return true;
    regions_[index].uploading = false; // a buffer that grows is copied
    return buffers_.grow(index, end);
}

GuestMirror::Location GuestMirror::locate(PhysAddr address, u32 size) const
{
    for (u32 i = 0; i < regions_.size(); ++i)
    {
        const u64 offset = u64{address} - regions_[i].base; // wraps to a huge value below the base
        if (offset < regions_[i].size && size <= regions_[i].size - offset)
            return {buffers_.buffer(i), offset, i};
    }
    return {};
}

void GuestMirror::set_synced(u32 region, u32 page, u64 generation)
{
    regions_[region].pages[page].synced = generation;
    batch_reads_.synced(region, page, generation);
}

void GuestMirror::set_newer(Page& page, PageBytes newer)
{
    newer_pages_ += static_cast<u32>(!newer.empty()) - static_cast<u32>(!page.newer.empty());
    page.number += !page.newer.empty() && newer.empty() ? 1 : 0;
    page.newer = newer;
}

// Bytes between those of before and these count as newer, too: the CPU has not written there since the mirror had them.
void GuestMirror::add_newer(const Part& part, u32 page)
{
    Page& state = regions_[part.region].pages[page];
    PageBytes newer = state.newer;
    newer.add(whole_pages_ ? all_bytes_of(part.region, page) : part.bytes_of(page));
    set_newer(state, newer);
}

void GuestMirror::cpu_wrote_beside(PhysAddr address, u64 size)
{
    const bool counts = page_is_newer(address);
    batch_reads_.cpu_wrote(stream_.batch(), address, size, pica::GuestMemory::OnDevice::Beside);
    if (counts)
        layout_.for_each_page(address & ~(kPageSize - 1), 1,
                              [&](u32 region, u32 page)
                              { regions_[region].pages[page].kept = generation(regions_[region], page); });
}

void GuestMirror::use(u32 region, const Access& access)
{
    buffers_.access(region).use(stream_, access);
    regions_[region].uploading = false;
}

// Changes what a recent upload will copy to the page. False: it has copied it.
bool GuestMirror::upload_again(const Region& region, u32 page)
{
    const Page& state = region.pages[page];
    if (state.upload_group != stream_.upload_group())
        return false;
    const u32 offset = page << kMirrorPageShift, bytes = std::min(kPageSize, region.size - offset);
    std::memcpy(state.upload_from, guest_.span(region.base + offset, bytes).data(), bytes);
    counters.uploaded_bytes += bytes;
    return true;
}

void GuestMirror::upload(u32 index, u32 first, u32 last)
{
    Region& region = regions_[index];
    const u64 begin = u64{first} << kMirrorPageShift;
    const u64 end = std::min(u64{last} << kMirrorPageShift, u64{region.size});
    const Slice slice = upload_bytes(index, begin, end, host_bytes(region, begin, end));
    if (!slice)
        return;
    for (u32 page = first; page < last; ++page)
    {
        region.pages[page].upload_group = stream_.upload_group();
        region.pages[page].upload_from = slice.host + ((page - first) << kMirrorPageShift);
    }
}

// Uploads what the CPU wrote beside the device's newer bytes of the page.
void GuestMirror::upload_beside(u32 index, u32 page)
{
    Region& region = regions_[index];
    const u64 begin = u64{page} << kMirrorPageShift, end = std::min(begin + kPageSize, u64{region.size});
    const PageBytes newer = region.pages[page].newer;
    if (newer.begin != 0)
        (void)upload_bytes(index, begin, begin + newer.begin, host_bytes(region, begin, end));
    if (begin + newer.end < end)
        (void)upload_bytes(index, begin + newer.end, end, host_bytes(region, begin + newer.end, end));
}

Slice GuestMirror::upload_bytes(u32 index, u64 begin, u64 end, const u8* from)
{
    Region& region = regions_[index];
    const u32 bytes = static_cast<u32>(end - begin);
    const Slice slice = ring_.allocate(bytes, 16);
    if (!slice)
        return slice;
    std::memcpy(slice.host, from, bytes);
    const u32 first = static_cast<u32>(begin >> kMirrorPageShift);
    const u32 last = static_cast<u32>((end - 1) >> kMirrorPageShift) + 1;

    // Uploads of different pages may overlap in time. A second upload of a page needs a barrier.
    bool again = false;
    for (u32 page = first; page < last; ++page)
        again |= region.pages[page].upload_epoch == region.epoch;
    if (again)
        (void)stream_.cmd(); // records the first one
    stream_.begin_upload();
    if (again || !region.uploading)
    {
        buffers_.access(index).use(stream_, kTransferWrite);
        ++region.epoch;
    }
    else
        buffers_.access(index).use_disjoint(stream_, kTransferWrite);
    region.uploading = true;
    for (u32 page = first; page < last; ++page)
    {
        region.pages[page].upload_epoch = region.epoch;
        region.pages[page].upload_group = 0; // nothing that upload_again could change
    }
    stream_.upload(slice.buffer, buffers_.buffer(index), VkBufferCopy{slice.offset, begin, bytes});
    stream_.end_upload();
    ++counters.uploads;
    counters.uploaded_bytes += bytes;
    return slice;
}

void GuestMirror::require_pages(u32 index, u32 first, u32 last)
{
    if (!reach(index, u64{last} << kMirrorPageShift))
        return;
    Region& region = regions_[index];
    const u64 latest = guest_.latest_generation();
    u32 run = first; // pages [run, page) are stale
    for (u32 page = first; page < last; ++page)
    {
        Page& state = region.pages[page];
        const u64 now = batch_reads_.is_still_current(index, page) ? state.synced : generation(region, page);
        const bool stale = state.synced != now;
        const bool beside = stale && is_newest(region, page);
        if (stale)
            set_synced(index, page, now);
        if (stale && !beside)
            set_newer(state, {}); // the device's bytes were read back before the CPU wrote (will_write)
        if (beside)
            upload_beside(index, page);
        if (!stale || beside || upload_again(region, page))
        {
            if (run < page)
                upload(index, run, page);
            run = page + 1;
        }
    }
    if (run < last)
        upload(index, run, last);
    batch_reads_.found_current(index, first, last, latest);
}

void GuestMirror::require(PhysAddr address, u64 size)
{
    layout_.for_each_part(address, size,
                          [&](const Part& part)
                          {
                              if (Status status = host_transfers_.move(part, uploader(part.region)); !status)
                                  device_.fail(status.error().message);
                              require_pages(part.region, part.first_page(), part.last_page());
                          });
}

void GuestMirror::require_for_batch(PhysAddr address, u64 size)
{
    require(address, size);
    layout_.for_each_part(address, size,
                          [&](const Part& part)
                          { batch_reads_.add(stream_.batch(), part.region, part.begin, part.end); });
}

bool GuestMirror::batch_reads_older(PhysAddr address, u64 size) const
{
    bool older = false;
    layout_.for_each_part(
        address, size,
        [&](const Part& part)
        { older |= batch_reads_.may_be_older(stream_.batch(), part.region, part.begin, part.end); });
    return older;
}

void GuestMirror::prepare_write(PhysAddr address, u64 size)
{
    layout_.for_each_part(address, size, [&](const Part& part) { prepare_part(part); });
}

void GuestMirror::prepare_part(const Part& part)
{
    const u32 first = part.first_page(), last = part.last_page();
    if (!reach(part.region, u64{last} << kMirrorPageShift))
        return;
    if (Status status = host_transfers_.cut(part, uploader(part.region)); !status)
        device_.fail(status.error().message);
    const bool head = (part.begin & (kPageSize - 1)) != 0;
    const bool tail = (part.end & (kPageSize - 1)) != 0 && part.end != regions_[part.region].size;
    if (head || (tail && last - first == 1))
        require_pages(part.region, first, first + 1);
    if (tail && last - first > 1)
        require_pages(part.region, last - 1, last);
}

void GuestMirror::claim(PhysAddr address, u64 size, Overwrites overwrites, bool mirror_newer)
{
    layout_.for_each_part(address, size,
                          [&](const Part& part)
                          {
                              Region& region = regions_[part.region];
                              const PhysAddr begin = region.base + static_cast<u32>(part.begin);
                              host_transfers_.overwritten(part);
                              guest_.device_wrote(begin, part.end - part.begin, overwrites);
                              const u64 now = guest_.latest_generation();
                              for (u32 page = part.first_page(); page < part.last_page(); ++page)
                              {
                                  set_synced(part.region, page, now);
                                  region.pages[page].written = region.pages[page].kept = now;
                                  if (mirror_newer)
                                      add_newer(part, page);
                              }
                          });
}

void GuestMirror::gpu_wrote(PhysAddr address, u64 size, Overwrites overwrites)
{
    claim(address, size, overwrites, true);
}

void GuestMirror::surface_wrote(PhysAddr address, u64 size, Overwrites overwrites)
{
    prepare_write(address, size);
    claim(address, size, overwrites, false);
}

void GuestMirror::surface_stored(PhysAddr address, u64 size)
{
    layout_.for_each_part(address, size,
                          [&](const Part& part)
                          {
                              Region& region = regions_[part.region];
                              for (u32 page = part.first_page(); page < part.last_page(); ++page)
                              {
                                  Page& state = region.pages[page];
                                  if (!whole_pages_ && !is_newest(region, page))
                                      set_newer(state, {});
                                  add_newer(part, page);
                                  state.kept = whole_pages_ ? state.synced : generation(region, page);
                              }
                          });
}

void GuestMirror::discard(PhysAddr address, u64 size)
{
    layout_.for_each_page(address, size,
                          [&](u32 region, u32 page)
                          {
                              set_newer(regions_[region].pages[page], {});
                              set_synced(region, page, ~u64{0});
                          });
}

bool GuestMirror::gpu_newer(PhysAddr address, u64 size) const
{
    if (newer_pages_ == 0)
        return false;
    bool newer = false;
    layout_.for_each_part(address, size,
                          [&](const Part& part)
                          {
                              for (u32 page = part.first_page(); page < part.last_page() && !newer; ++page)
                                  newer =
                                      regions_[part.region].pages[page].newer.overlaps(part.bytes_of(page));
                          });
    return newer;
}

u64 GuestMirror::device_generation(PhysAddr address, u64 size) const
{
    u64 latest = 0;
    layout_.for_each_page(address, size,
                          [&](u32 region, u32 page)
                          { latest = std::max(latest, regions_[region].pages[page].written); });
    return latest;
}

bool GuestMirror::page_is_newer(PhysAddr address) const
{
    bool newer = false;
    layout_.for_each_page(address & ~(kPageSize - 1), 1,
                          [&](u32 region, u32 page) { newer = is_newest(regions_[region], page); });
    return newer;
}

Status GuestMirror::for_newer_parts(PhysAddr address, u64 size, Status (GuestMirror::*visit)(const Part&))
{
    Status status;
    if (gpu_newer(address, size))
        layout_.for_each_part(address, size,
                              [&](const Part& part)
                              {
                                  if (status)
                                      status = (this->*visit)(part);
                              });
    return status;
}

Status GuestMirror::download(PhysAddr address, u64 size)
{
    return for_newer_parts(address, size, &GuestMirror::download);
}

Status GuestMirror::download(const Part& part)
{
    host_transfers_.host_reads(part.region, part.first_page(), part.last_page());
    if (!read_aheads_.empty())
        if (Status status = collect_read_aheads(part); !status)
            return status;
    Region& region = regions_[part.region];
    copies_.clear();
    for (u32 page = part.first_page(); page < part.last_page(); ++page)
    {
        Page& state = region.pages[page];
        if (!state.newer.empty() && state.kept != generation(region, page))
            set_newer(state, {}); // the CPU has overwritten the page without will_write: its bytes count
        if (!state.newer.empty() && !host_transfers_.writes_all(part.region, page, state.newer))
            add_copy(page, state.newer);
    }
    if (Status status = read_back(part.region); !status)
        return status;
    // Behind the copies, which may have brought older bytes of pages that the device has written in parts.
    Status status = take_transfers(part.region, part.first_page(), part.last_page());
    if (!status)
        return status;
    for (u32 page = part.first_page(); page < part.last_page(); ++page)
        set_newer(region.pages[page], {});
    return {};
}

// Converts what waits in these pages into guest memory. The mirror does not get it.
Status GuestMirror::take_transfers(u32 index, u32 first, u32 last)
{
    const auto place = [&](u64 begin, u64 end)
    {
        for (u64 page = begin >> kMirrorPageShift; page << kMirrorPageShift < end; ++page)
            set_synced(index, static_cast<u32>(page), ~u64{0});
        return host_bytes(regions_[index], begin, end);
    };
    return host_transfers_.take(index, first, last, place);
}

// Puts what the copies name into guest memory.
Status GuestMirror::read_back(u32 index)
{
    if (copies_.copies.empty())
        return {};
    Region& region = regions_[index];
    use(index, kTransferRead);
    const Result<const std::byte*> bytes = readback_.read(buffers_.buffer(index), copies_);
    if (!bytes)
        return bytes.error();
    for (const VkBufferCopy& copy : copies_.copies)
        std::memcpy(host_bytes(region, copy.srcOffset, copy.srcOffset + copy.size), *bytes + copy.dstOffset,
                    static_cast<std::size_t>(copy.size));
    readback_.shrink();
    ++counters.downloads;
    counters.downloaded_bytes += copies_.bytes;
    return {};
}

Status GuestMirror::request_download(PhysAddr address, u64 size)
{
    return for_newer_parts(address, size, &GuestMirror::request_download);
}

Status GuestMirror::request_download(const Part& part)
{
    Region& region = regions_[part.region];
    std::vector<ReadAheads::Page> pages;
    copies_.clear();
    for (u32 page = part.first_page(); page < part.last_page(); ++page)
    {
        const Page& state = region.pages[page];
        if (!is_newest(region, page) || read_aheads_.serial_of(part.region, page, state.written) != 0 ||
            host_transfers_.writes_all(part.region, page, state.newer))
            continue;
        pages.push_back({page, state.written, copies_.bytes, state.newer});
        add_copy(page, state.newer);
    }
    if (copies_.copies.empty())
        return {};
    const Result<VkBuffer> buffer = read_aheads_.add(part.region, std::move(pages), copies_.bytes);
    if (!buffer)
        return buffer.error();
    use(part.region, kTransferRead);
    device_.vk.vkCmdCopyBuffer(stream_.cmd(), buffers_.buffer(part.region), *buffer,
                               static_cast<u32>(copies_.copies.size()), copies_.copies.data());
    stream_.host_will_read(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
    return {};
}

bool GuestMirror::download_is_done(PhysAddr address, u64 size) const
{
    bool done = true;
    if (gpu_newer(address, size))
        layout_.for_each_part(address, size,
                              [&](const Part& part) { done = done && download_is_done(part); });
    return done;
}

bool GuestMirror::download_is_done(const Part& part) const
{
    const Region& region = regions_[part.region];
    for (u32 page = part.first_page(); page < part.last_page(); ++page)
    {
        const Page& state = region.pages[page];
        if (!state.newer.overlaps(part.bytes_of(page)) || !is_newest(region, page))
            continue;
        const u64 ahead = read_aheads_.serial_of(part.region, page, state.written);
        if ((ahead == 0 && !host_transfers_.writes_all(part.region, page, state.newer)) ||
            !stream_.done(std::max(ahead, host_transfers_.serial_of(part.region, page))))
            return false;
    }
    return true;
}

Status GuestMirror::collect_read_aheads(const Part& part)
{
    Status status;
    Region& region = regions_[part.region];
    const auto is_fresh = [&](u32 index, const ReadAheads::Page& page)
    {
        return is_newest(regions_[index], page.number) &&
               regions_[index].pages[page.number].written == page.generation;
    };
    const auto take = [&](const ReadAheads::Page& page, const u8* bytes)
    {
        const u32 offset = (page.number << kMirrorPageShift) + page.bytes.begin;
        const u32 size = page.bytes.end - page.bytes.begin;
        std::memcpy(guest_.span(region.base + offset, size).data(), bytes, size);
        if (Status taken = take_transfers(part.region, page.number, page.number + 1); !taken)
            status = taken;
        set_newer(region.pages[page.number], {});
        counters.read_ahead_bytes += size;
    };
    const Status collected =
        read_aheads_.collect(part.region, part.first_page(), part.last_page(), is_fresh, take);
    return collected ? status : collected;
}

} // namespace renderer
