// SPDX-License-Identifier: MIT
// The page stamps of each region. A range is intersected with the regions that it touches.
#include "pica/memory/page_tracker.h"

#include "pica/memory/address_span.h"

#include <algorithm>

namespace pica
{

namespace
{

struct PageRange
{
    std::size_t first = 0;
    std::size_t last = 0; // exclusive
};

template <typename Region>
PageRange touched_pages(const Region& region, PhysAddr address, u64 size)
{
    const AddressSpan part = shared_span(address, size, region.begin, region.end);
    if (part.empty())
        return {};
    const u64 first_page = region.begin >> PageTracker::kPageShift;
    return {static_cast<std::size_t>((part.begin >> PageTracker::kPageShift) - first_page),
            static_cast<std::size_t>(((part.end - 1) >> PageTracker::kPageShift) - first_page + 1)};
}

} // namespace

void PageTracker::add_region(PhysAddr base, u64 size)
{
    if (size == 0)
        return;
    const u64 end = base + size;
    const u64 pages = ((end - 1) >> kPageShift) - (u64{base} >> kPageShift) + 1;
    regions_.push_back({base, end, std::vector<u64>(static_cast<std::size_t>(pages), 0), {}, {}});
}

void PageTracker::did_write(PhysAddr address, u64 size)
{
    if (size == 0)
        return;
    ++stamp_;
    for (Region& region : regions_)
    {
        const PageRange pages = touched_pages(region, address, size);
        for (std::size_t page = pages.first; page < pages.last; ++page)
        {
            region.stamps[page] = stamp_;
            if (watching_)
                set_access(region, page, PageAccess::None);
        }
    }
}

u64 PageTracker::generation(PhysAddr address, u64 size) const
{
    u64 newest = 0;
    for (const Region& region : regions_)
    {
        const PageRange pages = touched_pages(region, address, size);
        for (std::size_t page = pages.first; page < pages.last; ++page)
        {
            newest = std::max(newest, region.stamps[page]);
            if (watching_ && (region.watches.empty() || region.watches[page].now == PageAccess::None))
                set_access(region, page, PageAccess::Write);
        }
    }
    return newest;
}

void PageTracker::set_access(const Region& region, std::size_t page, PageAccess access)
{
    if (region.watches.empty())
        region.watches.resize(region.stamps.size());
    Watch& watch = region.watches[page];
    watch.now = access;
    if (watch.listed || watch.now == watch.told)
        return;
    watch.listed = true;
    region.changed.push_back(static_cast<u32>(page));
}

void PageTracker::device_wrote(PhysAddr address, u64 size)
{
    if (!watching_)
        return;
    for (const Region& region : regions_)
    {
        const PageRange pages = touched_pages(region, address, size);
        for (std::size_t page = pages.first; page < pages.last; ++page)
            set_access(region, page, PageAccess::ReadWrite);
    }
}

void PageTracker::made_current(PhysAddr address, u64 size)
{
    if (!watching_)
        return;
    for (const Region& region : regions_)
    {
        const PageRange pages = touched_pages(region, address, size);
        for (std::size_t page = pages.first; page < pages.last; ++page)
            if (!region.watches.empty() && region.watches[page].now == PageAccess::ReadWrite)
                set_access(region, page, PageAccess::Write);
    }
}

} // namespace pica
