// SPDX-License-Identifier: MIT
#include "renderer/residency/residency.h"

#include "renderer/residency/guest_mirror.h"
#include "renderer/residency/render_targets.h"

namespace renderer
{

Pages whole_pages(PhysAddr address, u64 size)
{
    constexpr u64 kPageMask = GuestMirror::kPageSize - 1;
    const u64 begin = address & ~kPageMask;
    const u64 end = (address + size + kPageMask) & ~kPageMask;
    return {static_cast<PhysAddr>(begin), end - begin};
}

void Residency::batch_opens(const Surface* color, const Surface* depth)
{
    const auto range = [](const Surface* surface) {
        return surface ? Range{surface->key.address, surface->bytes} : Range{};
    };
    batch_surfaces_ = {range(color), range(depth)};
    batch_is_open_ = true;
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

void Residency::surfaces_are_stale(PhysAddr address, u64 size)
{
    parts_.targets.invalidate(address, size);
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
    return {*this, address, size};
}

void Residency::end_write(PhysAddr address, u64 size)
{
    parts_.mirror.gpu_wrote(address, size);
    parts_.targets.invalidate(address, size);
}

Status Residency::make_current(PhysAddr address, u64 size)
{
    if (size == 0)
        return {};
    const Pages pages = whole_pages(address, size);
    parts_.targets.store(pages.address, pages.size);
    return parts_.mirror.download(pages.address, pages.size);
}

Status Residency::request(PhysAddr address, u64 size)
{
    if (size == 0)
        return {};
    const Pages pages = whole_pages(address, size);
    parts_.targets.store(pages.address, pages.size);
    return parts_.mirror.request_download(pages.address, pages.size);
}

bool Residency::newer_on_device(PhysAddr address, u64 size) const
{
    const Pages pages = whole_pages(address, size);
    return parts_.targets.dirty_overlap(pages.address, pages.size) ||
           parts_.mirror.gpu_newer(pages.address, pages.size);
}

bool Residency::is_current(PhysAddr address, u64 size) const
{
    const Pages pages = whole_pages(address, size);
    return !parts_.targets.dirty_overlap(pages.address, pages.size) &&
           parts_.mirror.download_is_done(pages.address, pages.size);
}

void Residency::did_write(PhysAddr address, u64 size)
{
    parts_.guest.did_write(address, size);
    parts_.targets.invalidate(address, size);
}

void Residency::discard(PhysAddr address, u64 size)
{
    parts_.targets.invalidate(address, size);
    parts_.mirror.discard(address, size);
}

} // namespace renderer
