// SPDX-License-Identifier: MIT
#include "renderer/residency/residency.h"

#include "renderer/residency/device_planes.h"
#include "renderer/residency/guest_mirror.h"
#include "renderer/residency/render_targets.h"

#include <algorithm>
#include <span>
#include <vector>

namespace renderer
{

Pages whole_pages(PhysAddr address, u64 size)
{
    constexpr u64 kPageMask = GuestMirror::kPageSize - 1;
    const u64 begin = address & ~kPageMask;
    const u64 end = (address + size + kPageMask) & ~kPageMask;
    return {static_cast<PhysAddr>(begin), end - begin};
}

Residency::Residency(const Parts& parts) : parts_(parts)
{
    if (parts_.planes != nullptr)
        parts_.mirror.count_whole_pages();
}

void Residency::batch_opens(const Surface* color, const Surface* depth)
{
    const auto range = [](const Surface* surface) {
        return surface ? Range{surface->key.address, surface->bytes} : Range{};
    };
    batch_surfaces_ = {range(color), range(depth)};
    batch_is_open_ = true;
    // The batch is recorded later. The CPU must hear now that the device has newer bytes.
    for (const Range& surface : batch_surfaces_)
        parts_.guest.device_will_write(surface.address, surface.size, Overwrites::Some);
}

void Residency::batch_closes()
{
    batch_surfaces_ = {};
    batch_is_open_ = false;
}

bool Residency::batch_draws(PhysAddr address, u64 size) const
{
    bool draws = false;
    for (const Range& range : batch_surfaces_)
        draws = draws || pica::overlap(range.address, range.size, address, size);
    return draws;
}

bool Residency::batch_reads_older(PhysAddr address, u64 size) const
{
    return parts_.mirror.batch_reads_older(address, size);
}

void Residency::begin_batch_read(PhysAddr address, u64 size)
{
    parts_.mirror.require_for_batch(address, size);
}

// A host that protects pages hears no more of writes to a page after the first one, until a cache looks at the page again
// (PageTracker). So surfaces beside the written bytes must be looked at again, too.
void Residency::surfaces_are_stale(PhysAddr address, u64 size)
{
    parts_.targets.invalidate(address, size);
    if (size == 0 || !parts_.guest.pages().watching())
        return;
    const Pages pages = whole_pages(address, size);
    parts_.targets.forget_clean(pages.address, pages.size);
}

void Residency::begin_read(PhysAddr address, u64 size)
{
    parts_.targets.store(address, size);
    parts_.mirror.require(address, size);
}

Residency::Write Residency::begin_write(PhysAddr address, u64 size, Overwrites overwrites)
{
    if (overwrites == Overwrites::Some)
    {
        begin_read(address, size);
    }
    else
    {
        parts_.targets.store_cut(address, size);
        parts_.mirror.prepare_write(address, size);
    }
    return {*this, address, size, overwrites};
}

void Residency::end_write(PhysAddr address, u64 size, Overwrites overwrites)
{
    parts_.mirror.gpu_wrote(address, size, overwrites);
    parts_.targets.invalidate(address, size);
}

void Residency::check_surfaces()
{
    std::vector<pica::AddressSpan> changed;
    for (const pica::AddressSpan& surface : parts_.targets.current_ranges())
        for (const pica::AddressSpan& page :
             parts_.guest.settle(static_cast<PhysAddr>(surface.begin), surface.size()))
            changed.push_back(page);
    for (const pica::AddressSpan& page : changed)
        parts_.targets.invalidate(static_cast<PhysAddr>(page.begin), page.size());
}

// Where nobody tells bytes of a page apart, all of a page is newer on the device. That is so above 1x, because planes are
// newer by pages, and for a host that protects pages, because the protection of a page ends with the first write to it.
bool Residency::tells_bytes_apart() const
{
    return !parts_.mirror.counts_whole_pages() && !parts_.guest.pages().watching();
}

Pages Residency::compared(PhysAddr address, u64 size) const
{
    return tells_bytes_apart() ? Pages{address, size} : whole_pages(address, size);
}

Status Residency::make_current(PhysAddr address, u64 size)
{
    if (size == 0)
        return {};
    const Pages pages = whole_pages(address, size);
    if (!newer_on_device(address, size) && newer_on_device(pages.address, pages.size))
        return {}; // what is newer lies beside the range
    const std::vector<pica::PageContents::Overwritten> overwritten =
        parts_.guest.contents().overwritten(pages.address, pages.size);
    parts_.targets.store(pages.address, pages.size);
    const Status status = download(pages.address, pages.size);
    parts_.guest.made_current(pages.address, pages.size);
    for (const pica::PageContents::Overwritten& page : overwritten)
        keep_cpu_bytes(page);
    return status;
}

Status Residency::download(PhysAddr address, u64 size)
{
    std::vector<PhysAddr> read_back;
    if (parts_.planes != nullptr)
        for (u64 page = address; page < u64{address} + size; page += GuestMirror::kPageSize)
            if (parts_.mirror.gpu_newer(static_cast<PhysAddr>(page), GuestMirror::kPageSize))
                read_back.push_back(static_cast<PhysAddr>(page));
    const Status status = parts_.mirror.download(address, size);
    for (const PhysAddr page : read_back)
        parts_.planes->middle_is_current(page, GuestMirror::kPageSize);
    return status;
}

u64 Residency::device_generation(PhysAddr address, u64 size) const
{
    return parts_.mirror.device_generation(address, size);
}

// Puts back what the CPU had written where a readback has overwritten it.
void Residency::keep_cpu_bytes(const pica::PageContents::Overwritten& page)
{
    const std::span<pica::u8> bytes = parts_.guest.span(page.address, page.now.size());
    for (std::size_t i = 0; i < bytes.size(); ++i)
        if (page.now[i] != page.before[i])
            bytes[i] = page.now[i];
    did_write(page.address, bytes.size());
}

Status Residency::request(PhysAddr address, u64 size)
{
    if (size == 0 || !newer_on_device(address, size))
        return {};
    const Pages pages = whole_pages(address, size);
    parts_.targets.store(pages.address, pages.size);
    return parts_.mirror.request_download(pages.address, pages.size);
}

bool Residency::newer_on_device(PhysAddr address, u64 size) const
{
    const Pages bytes = compared(address, size);
    return is_drawn(address, size) || parts_.mirror.gpu_newer(bytes.address, bytes.size) ||
           lies_between(bytes);
}

// Has the device newer bytes of one page before the range and behind it? Then the range counts as newer: of each page
// the mirror knows only the first and the last newer byte.
bool Residency::lies_between(const Pages& bytes) const
{
    const Pages page = whole_pages(bytes.address, 1);
    const auto has_newer = [&](u64 begin, u64 end)
    {
        const PhysAddr address = static_cast<PhysAddr>(begin);
        return begin < end && (parts_.targets.dirty_overlap(address, end - begin) ||
                               parts_.mirror.gpu_newer(address, end - begin));
    };
    return bytes.size != 0 && has_newer(page.address, bytes.address) &&
           has_newer(u64{bytes.address} + bytes.size, page.address + page.size);
}

bool Residency::is_drawn(PhysAddr address, u64 size) const
{
    const Pages bytes = compared(address, size);
    return parts_.targets.dirty_overlap(bytes.address, bytes.size);
}

bool Residency::is_current(PhysAddr address, u64 size) const
{
    const Pages pages = whole_pages(address, size);
    return !newer_on_device(address, size) || (!parts_.targets.dirty_overlap(pages.address, pages.size) &&
                                               parts_.mirror.download_is_done(pages.address, pages.size));
}

// Has the device newer bytes of the page of this range, but none of the range?
bool Residency::is_newer_beside(PhysAddr address, u64 size) const
{
    const Pages page = whole_pages(address, 1);
    return (parts_.mirror.page_is_newer(address) || parts_.targets.dirty_overlap(page.address, page.size)) &&
           !newer_on_device(address, size);
}

void Residency::cpu_wrote(PhysAddr address, u64 size)
{
    u64 begin = address, end = begin + size;
    if (tells_bytes_apart() && (parts_.mirror.any_newer() || parts_.targets.any_dirty()))
    {
        // Pages that the range covers only partly.
        constexpr u64 kPageMask = GuestMirror::kPageSize - 1;
        if (const u64 head = std::min(end, (begin + kPageMask) & ~kPageMask); cpu_wrote_beside(begin, head))
            begin = head;
        if (const u64 tail = std::max(begin, end & ~kPageMask); cpu_wrote_beside(tail, end))
            end = tail;
    }
    if (begin != end)
        parts_.mirror.cpu_wrote(static_cast<PhysAddr>(begin), end - begin);
}

// [begin, end) lies in one page. False: the device has no newer bytes beside it.
bool Residency::cpu_wrote_beside(u64 begin, u64 end)
{
    const PhysAddr address = static_cast<PhysAddr>(begin);
    if (begin == end || !is_newer_beside(address, end - begin))
        return false;
    parts_.mirror.cpu_wrote_beside(address, end - begin);
    return true;
}

void Residency::did_write(PhysAddr address, u64 size)
{
    cpu_wrote(address, size);
    surfaces_are_stale(address, size);
    if (size >= pica::GuestMemory::kLargeAnnouncement)
        check_surfaces();
}

void Residency::spread_planes()
{
    while (parts_.planes->has_spreads())
        for (const DevicePlanes::Spread& spread : parts_.planes->take_spreads())
        {
            begin_read(spread.address, spread.size);
            parts_.planes->spread(spread);
        }
}

Status Residency::make_planes_current(PhysAddr address, u64 size)
{
    if (size == 0)
        return {};
    const Pages pages = whole_pages(address, size);
    if (Status status = make_current(pages.address, pages.size); !status)
        return status;
    return parts_.planes->make_host_current(pages.address, pages.size);
}

void Residency::prepare_for_eviction()
{
    constexpr u64 kAll = u64{1} << 32;
    parts_.targets.store(0, kAll);
    parts_.targets.invalidate(0, kAll);
}

bool Residency::give_surfaces_back()
{
    return parts_.targets.give_back();
}

void Residency::discard(PhysAddr address, u64 size)
{
    parts_.targets.invalidate(address, size);
    parts_.mirror.discard(address, size);
}

} // namespace renderer
