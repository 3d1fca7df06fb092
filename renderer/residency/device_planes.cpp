// SPDX-License-Identifier: MIT
#include "renderer/residency/device_planes.h"

#include "renderer/residency/guest_mirror.h"
#include "renderer/vulkan/upload_ring.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace renderer
{

namespace
{

using pica::PlaneTracker;

constexpr u32 kPlanePageSize = GuestMirror::kPageSize;
constexpr u32 kPlanePageShift = 12;
constexpr u32 kLine = PlaneTracker::kLineBytes;
constexpr u32 kLeastSlots = 64;
// Of one readback.
constexpr std::size_t kPagesAtOnce = 128;
constexpr VkBufferUsageFlags kPlaneUsage =
    VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;

// Calls visit(begin, end) for each run of lines of a page, in bytes of the page.
template <typename Visit>
void for_each_run(u64 lines, Visit visit)
{
    while (lines != 0)
    {
        const u32 first = static_cast<u32>(std::countr_zero(lines));
        const u64 rest = ~(lines >> first);
        const u32 count =
            rest == 0 ? 64 - first : std::min(static_cast<u32>(std::countr_zero(rest)), 64 - first);
        visit(first * kLine, (first + count) * kLine);
        lines &= count == 64 ? 0 : ~(((u64{1} << count) - 1) << first);
    }
}

} // namespace

DevicePlanes::DevicePlanes(const Parts& parts) : parts_(parts), slots_(parts.host.tracker().max_pages())
{
    parts_.host.set_listener(this);
}

DevicePlanes::~DevicePlanes()
{
    parts_.host.set_listener(nullptr);
    parts_.stream.retire(std::move(buffer_));
}

void DevicePlanes::lost(u32 slot, u64 lines)
{
    slots_[slot].held &= ~lines;
    if (tracker().lines(slot) == 0)
        slots_[slot] = {};
}

// visit(slot, page, begin, end) for each page of the range that has planes; begin and end are offsets in the page.
template <typename Visit>
void DevicePlanes::for_each_slot(PhysAddr address, u64 size, Visit visit) const
{
    const PlaneTracker& tracker = parts_.host.tracker();
    if (tracker.pages() != 0)
        PlaneTracker::for_each_page(address, size,
                                    [&](u32 page, u32 begin, u32 end)
                                    {
                                        if (const u32 slot = tracker.slot(page);
                                            slot != PlaneTracker::kNoSlot)
                                            visit(slot, page, begin, end);
                                    });
}

VkDeviceSize DevicePlanes::place(u32 plane, u32 slot) const
{
    return (VkDeviceSize{kept(plane)} * capacity_ + slot) * kPlanePageSize;
}

u32 DevicePlanes::pages_without(const pica::ByteRange& range) const
{
    const PlaneTracker& tracker = parts_.host.tracker();
    u32 pages = 0;
    if (range.size <= u64{tracker.max_pages()} << kPlanePageShift)
        PlaneTracker::for_each_page(range.begin, range.size,
                                    [&](u32 page, u32, u32)
                                    { pages += tracker.slot(page) == PlaneTracker::kNoSlot ? 1 : 0; });
    return pages;
}

u32 DevicePlanes::most_pages(u64 bytes)
{
    constexpr u32 kEnds = 4; // pages that two ranges touch at their ends
    return static_cast<u32>(bytes >> kPlanePageShift) + kEnds;
}

// New pages get slots below the reach as long as there are any.
u32 DevicePlanes::slots_with(u32 more_pages) const
{
    const PlaneTracker& tracker = parts_.host.tracker();
    return std::min(std::max(tracker.reach(), tracker.pages() + more_pages), tracker.max_pages());
}

bool DevicePlanes::make_room(u32 more_pages, Growth growth)
{
    return has_room(more_pages) || grow(slots_with(more_pages), growth);
}

// Makes the buffer have all slots in use, so that it stays as long as no other pages get planes. False: the device has
// failed.
bool DevicePlanes::reserve()
{
    if (tracker().reach() <= capacity_ || grow(tracker().reach(), Growth::Least))
        return true;
    if (parts_.device.status())
        parts_.device.fail("no memory is left for planes: a lower internal resolution needs less");
    return false;
}

// Nothing: no memory is left, or the device has failed.
std::optional<Buffer> DevicePlanes::create(u32 slots)
{
    Result<std::optional<Buffer>> made = parts_.memory.try_create_buffer(
        VkDeviceSize{slots} * kPlanePageSize * kept_planes(), kPlaneUsage, MemoryKind::Device, "planes");
    return made ? std::move(*made) : std::nullopt;
}

bool DevicePlanes::grow(u32 slots, Growth growth)
{
    const u32 generous = std::min(std::max({slots, capacity_ * 2, kLeastSlots}), tracker().max_pages());
    const u32 wanted = growth == Growth::Generous ? generous : slots;
    std::optional<Buffer> made = create(wanted);
    if (!made)
        return false;
    Buffer old = std::exchange(buffer_, std::move(*made));
    const u32 before = std::exchange(capacity_, wanted);
    if (before == 0)
        return true;
    access_.use(parts_.stream, kTransferRead);
    access_ = {};
    access_.use(parts_.stream, kTransferWrite);
    std::vector<VkBufferCopy> copies;
    const VkDeviceSize bytes = VkDeviceSize{before} * kPlanePageSize;
    for (u32 plane = 0; plane < kept_planes(); ++plane)
        copies.push_back({plane * bytes, VkDeviceSize{plane} * wanted * kPlanePageSize, bytes});
    parts_.device.vk.vkCmdCopyBuffer(parts_.stream.cmd(), old.buffer, buffer_.buffer,
                                     static_cast<u32>(copies.size()), copies.data());
    parts_.stream.retire(std::move(old));
    return true;
}

void DevicePlanes::leave_device()
{
    host_wrote(0, u64{1} << 32);
    parts_.stream.retire(std::move(buffer_));
    buffer_ = {};
    access_ = {};
    capacity_ = 0;
}

// Brings a page's planes from the host.
void DevicePlanes::upload(u32 slot, u32 page)
{
    Slot& state = slots_[slot];
    state.host_newer = false;
    state.held = parts_.host.held(slot);
    const Slice slice = parts_.ring.allocate(VkDeviceSize{kept_planes()} * kPlanePageSize, 16);
    if (!slice)
        return;
    std::vector<VkBufferCopy> copies;
    for_each_plane(
        [&](u32 plane)
        {
            const std::size_t at = std::size_t{kept(plane)} * kPlanePageSize;
            parts_.host.load(plane, page << kPlanePageShift, {slice.as<u8>() + at, kPlanePageSize});
            copies.push_back({slice.offset + at, place(plane, slot), kPlanePageSize});
        });
    access_.use(parts_.stream, kTransferWrite);
    parts_.device.vk.vkCmdCopyBuffer(parts_.stream.cmd(), slice.buffer, buffer_.buffer,
                                     static_cast<u32>(copies.size()), copies.data());
    ++counters.uploads;
}

// Collects the copy of the mirror's bytes [begin, end) of a page to all planes. Pages that lie in a row are one copy.
void DevicePlanes::add_spread(u32 slot, u32 page, u32 begin, u32 end)
{
    const GuestMirror::Location from = parts_.mirror.locate((page << kPlanePageShift) + begin, end - begin);
    if (from.buffer == VK_NULL_HANDLE)
        return; // no memory of the guest, so nobody reads it
    const VkDeviceSize to = VkDeviceSize{slot} * kPlanePageSize + begin;
    std::vector<VkBufferCopy>& runs = runs_[from.region];
    if (!runs.empty() && runs.back().srcOffset + runs.back().size == from.offset &&
        runs.back().dstOffset + runs.back().size == to)
        runs.back().size += end - begin;
    else
        runs.push_back({from.offset, to, end - begin});
}

void DevicePlanes::record_spreads()
{
    for (u32 region = 0; region < 2; ++region)
    {
        if (runs_[region].empty())
            continue;
        copies_.clear();
        for_each_plane(
            [&](u32 plane)
            {
                for (const VkBufferCopy& run : runs_[region])
                    copies_.push_back({run.srcOffset, place(plane, 0) + run.dstOffset, run.size});
            });
        parts_.mirror.use(region, kTransferRead);
        access_.use(parts_.stream, kTransferWrite);
        parts_.device.vk.vkCmdCopyBuffer(parts_.stream.cmd(), parts_.mirror.buffer(region), buffer_.buffer,
                                         static_cast<u32>(copies_.size()), copies_.data());
        runs_[region].clear();
        ++counters.spreads;
    }
}

// The table that guest_words.h describes, for the pages of the range.
PlaneSet DevicePlanes::make_set(PhysAddr address, u64 size)
{
    const GuestMirror::Location at = parts_.mirror.locate(address);
    const u32 first = static_cast<u32>(at.offset >> kPlanePageShift);
    const u32 count = static_cast<u32>((at.offset + size + kPlanePageSize - 1) >> kPlanePageShift) - first;
    const VkDeviceSize bytes = VkDeviceSize{count + 1} * 16;
    const Slice slice = parts_.ring.allocate(bytes, 256);
    if (!slice || at.buffer == VK_NULL_HANDLE)
        return {};
    PlaneSet planes;
    planes.count = kept_planes();
    planes.bytes = capacity_ * kPlanePageSize;
    const u32 reach = parts_.device.properties.limits.maxStorageBufferRange / planes.bytes;
    planes.at_once = std::clamp(std::min(reach, parts_.device.features.planes_at_once), 1u, planes.count);
    std::memset(slice.host, 0, static_cast<std::size_t>(bytes));
    u32* const table = slice.as<u32>();
    table[0] = first;
    table[1] = count;
    table[2] = planes.bytes / 4;
    const u32 first_page = address >> kPlanePageShift;
    for_each_slot(address, size,
                  [&](u32 slot, u32 page, u32, u32)
                  {
                      u32* const entry = table + (std::size_t{page} - first_page + 1) * 4;
                      entry[0] = slot + 1;
                      entry[1] = static_cast<u32>(slots_[slot].held);
                      entry[2] = static_cast<u32>(slots_[slot].held >> 32);
                  });
    const Result<VkDescriptorSet> set =
        parts_.pipelines.create_plane_set({buffer_.buffer, 0, VkDeviceSize{planes.at_once} * planes.bytes},
                                          {slice.buffer, slice.offset, bytes});
    if (!set)
    {
        parts_.device.fail(set.error().message);
        return {};
    }
    planes.set = *set;
    parts_.stream.defer(parts_.pipelines.releaser(*set));
    return planes;
}

PlaneSet DevicePlanes::begin_read(PhysAddr address, u64 size)
{
    if (!reserve())
        return {};
    bool any = false, uploaded = false;
    for_each_slot(address, size,
                  [&](u32 slot, u32 page, u32 begin, u32 end)
                  {
                      if (slots_[slot].host_newer)
                      {
                          upload(slot, page);
                          uploaded = true;
                      }
                      any |= (slots_[slot].held & PlaneTracker::touched_lines(begin, end)) != 0;
                  });
    // Another range, for which this was called before, may be read by the same commands.
    if (any || uploaded)
        access_.use(parts_.stream, kComputeRead);
    return any ? make_set(address, size) : PlaneSet{};
}

PlaneSet DevicePlanes::begin_write(PhysAddr address, u64 size, bool all)
{
    if (!reserve())
        return {};
    bool any = false;
    for_each_slot(address, size,
                  [&](u32 slot, u32 page, u32 begin, u32 end)
                  {
                      Slot& state = slots_[slot];
                      if (state.host_newer)
                          upload(slot, page);
                      const u64 lines = tracker().lines(slot) & PlaneTracker::touched_lines(begin, end);
                      if (lines == 0)
                          return;
                      any = state.device_newer = true;
                      u64 missing = lines & ~state.held;
                      if (all)
                          missing &= ~PlaneTracker::whole_lines(begin, end);
                      for_each_run(missing,
                                   [&](u32 first, u32 last) { add_spread(slot, page, first, last); });
                      state.held |= lines;
                  });
    if (!any)
        return {};
    record_spreads();
    access_.use(parts_.stream, kComputeWrite);
    return make_set(address, size);
}

void DevicePlanes::use_again()
{
    access_.use(parts_.stream, kComputeWrite);
}

// Notes the range if planes have to follow, on either side.
void DevicePlanes::note_spread(PhysAddr address, u64 size, bool host_has)
{
    bool any = false;
    for_each_slot(address, size,
                  [&](u32 slot, u32, u32 begin, u32 end)
                  {
                      const u64 held = slots_[slot].held | (host_has ? 0 : parts_.host.held(slot));
                      any |= (held & PlaneTracker::touched_lines(begin, end)) != 0;
                  });
    if (any)
        spreads_.push_back({address, size, host_has});
}

void DevicePlanes::wrote(PhysAddr address, u64 size)
{
    tracker().take(address, size);
    note_spread(address, size, false);
}

void DevicePlanes::cpu_wrote(PhysAddr address, u64 size)
{
    if (size >= pica::GuestMemory::kLargeAnnouncement)
        return may_have_written(address, size);
    parts_.host.wrote(address, size);
    note_spread(address, size, true);
}

void DevicePlanes::may_have_written(PhysAddr address, u64 size)
{
    parts_.host.may_have_written(address, size,
                                 [&](PhysAddr from, u64 bytes) { note_spread(from, bytes, true); });
}

void DevicePlanes::spread(const Spread& spread)
{
    if (!reserve())
        return;
    for_each_slot(spread.address, spread.size,
                  [&](u32 slot, u32 page, u32 begin, u32 end)
                  {
                      Slot& state = slots_[slot];
                      if (state.host_newer)
                      {
                          if (spread.host_has)
                              return; // comes with the page
                          upload(slot, page);
                      }
                      bool any = false;
                      for_each_run(state.held & PlaneTracker::touched_lines(begin, end),
                                   [&](u32 first, u32 last)
                                   {
                                       any = true;
                                       add_spread(slot, page, std::max(first, begin), std::min(last, end));
                                   });
                      state.device_newer |= any && !spread.host_has;
                  });
    record_spreads();
}

void DevicePlanes::middle_is_current(PhysAddr address, u64 size)
{
    pica::PlaneMemory& host = parts_.host;
    for_each_slot(address, size,
                  [&](u32 slot, u32 page, u32, u32)
                  {
                      const PhysAddr at = page << kPlanePageShift;
                      for_each_run(slots_[slot].held | host.held(slot),
                                   [&](u32 first, u32 last)
                                   {
                                       host.hold(at + first, last - first);
                                       host.store(host.middle(), at + first,
                                                  host.memory().span(at + first, last - first));
                                   });
                  });
}

Status DevicePlanes::make_host_current(PhysAddr address, u64 size)
{
    std::vector<u32> pages;
    Status status;
    const auto read = [&]
    {
        if (status && !pages.empty())
            status = download(pages);
        pages.clear();
    };
    for_each_slot(address, size,
                  [&](u32 slot, u32 page, u32, u32)
                  {
                      if (!slots_[slot].device_newer)
                          return;
                      pages.push_back(page);
                      if (pages.size() == kPagesAtOnce)
                          read();
                  });
    read();
    return status;
}

// Reads the planes of pages back, whose slots are newer here, in two halves where there is no memory for all.
Status DevicePlanes::download(std::span<const u32> pages)
{
    const Result<std::optional<Buffer>> buffer =
        parts_.memory.try_create_buffer(pages.size() * kPlanePageSize * kept_planes(),
                                        VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryKind::Readback, "planes");
    if (!buffer)
        return buffer.error();
    if (*buffer)
        return download(pages, **buffer);
    if (pages.size() == 1)
        return Error{"no memory is left to read planes back: a lower internal resolution needs less"};
    const Status status = download(pages.first(pages.size() / 2));
    return status ? download(pages.subspan(pages.size() / 2)) : status;
}

Status DevicePlanes::download(std::span<const u32> pages, const Buffer& buffer)
{
    pica::PlaneMemory& host = parts_.host;
    const VkDeviceSize page_bytes = VkDeviceSize{kept_planes()} * kPlanePageSize;
    std::vector<VkBufferCopy> copies;
    for (std::size_t i = 0; i < pages.size(); ++i)
        for_each_plane(
            [&](u32 plane)
            {
                copies.push_back({place(plane, tracker().slot(pages[i])),
                                  i * page_bytes + VkDeviceSize{kept(plane)} * kPlanePageSize,
                                  kPlanePageSize});
            });
    access_.use(parts_.stream, kTransferRead);
    parts_.device.vk.vkCmdCopyBuffer(parts_.stream.cmd(), buffer_.buffer, buffer.buffer,
                                     static_cast<u32>(copies.size()), copies.data());
    parts_.stream.host_will_read(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
    if (Status status = parts_.stream.wait(parts_.stream.current()); !status)
        return status;
    if (Status status = parts_.memory.invalidate(buffer); !status)
        return status;
    counters.downloads += pages.size();
    const u8* const bytes = reinterpret_cast<const u8*>(buffer.mapped);
    for (std::size_t i = 0; i < pages.size(); ++i)
    {
        Slot& state = slots_[tracker().slot(pages[i])];
        state.device_newer = false;
        const PhysAddr at = pages[i] << kPlanePageShift;
        for_each_run(state.held,
                     [&](u32 first, u32 last)
                     {
                         host.hold(at + first, last - first);
                         host.store(host.middle(), at + first, host.memory().span(at + first, last - first));
                         for_each_plane(
                             [&](u32 plane)
                             {
                                 const u8* const from =
                                     bytes + i * page_bytes + std::size_t{kept(plane)} * kPlanePageSize;
                                 host.store(plane, at + first, {from + first, last - first});
                             });
                     });
    }
    return {};
}

void DevicePlanes::host_wrote(PhysAddr address, u64 size)
{
    for_each_slot(address, size,
                  [&](u32 slot, u32, u32, u32)
                  {
                      slots_[slot].host_newer = true;
                      slots_[slot].device_newer = false;
                  });
}

bool DevicePlanes::may_evict(u64 bytes) const
{
    const PlaneTracker& tracker = parts_.host.tracker();
    return tracker.pages() + most_pages(bytes) > tracker.max_pages();
}

} // namespace renderer
