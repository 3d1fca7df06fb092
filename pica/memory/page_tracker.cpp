// SPDX-License-Identifier: MIT
// The page stamps of each region. A range is intersected with the regions that it touches.
#include "pica/memory/page_tracker.h"

#include "pica/memory/address_span.h"

#include <algorithm>

namespace pica
{

void PageTracker::add_region(PhysAddr base, u64 size)
{
    if (size == 0)
        return;
    const u64 end = base + size;
    const u32 pages = touched_pages(base, end, base, size).last;
    regions_.push_back({base, end, std::vector<u64>(pages, 0), {}, {}});
}

void PageTracker::did_write(PhysAddr address, u64 size)
{
    if (size == 0)
        return;
    ++stamp_;
    for (Region& region : regions_)
    {
        const PageRange pages = touched_pages(region.begin, region.end, address, size);
        for (std::size_t page = pages.first; page < pages.last; ++page)
        {
            region.stamps[page] = stamp_;
            if (watching_)
                set_access(region, page, unused_);
        }
    }
}

u64 PageTracker::generation(PhysAddr address, u64 size) const
{
    u64 newest = 0;
    for (const Region& region : regions_)
    {
        const PageRange pages = touched_pages(region.begin, region.end, address, size);
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
    if (watch.now != watch.told)
        list(region, page);
}

void PageTracker::list(const Region& region, std::size_t page)
{
    Watch& watch = region.watches[page];
    if (watch.listed)
        return;
    watch.listed = true;
    region.changed.push_back(static_cast<u32>(page));
}

void PageTracker::start_watching(Watched watched)
{
    watching_ = true;
    if (watched == Watched::InUse)
        return;
    unused_ = PageAccess::Write;
    for (const Region& region : regions_)
        for (std::size_t page = 0; page < region.stamps.size(); ++page)
            set_access(region, page, unused_);
}

void PageTracker::rearm(PhysAddr address, u64 size)
{
    if (!watching_)
        return;
    for (const Region& region : regions_)
    {
        const PageRange pages = touched_pages(region.begin, region.end, address, size);
        for (std::size_t page = pages.first; page < pages.last; ++page)
        {
            set_access(region, page, region.watches.empty() ? unused_ : region.watches[page].now);
            region.watches[page].told_is_known = false;
            list(region, page);
        }
    }
}

void PageTracker::device_wrote(PhysAddr address, u64 size)
{
    if (!watching_)
        return;
    for (const Region& region : regions_)
    {
        const PageRange pages = touched_pages(region.begin, region.end, address, size);
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
        const PageRange pages = touched_pages(region.begin, region.end, address, size);
        for (std::size_t page = pages.first; page < pages.last; ++page)
            if (!region.watches.empty() && region.watches[page].now == PageAccess::ReadWrite)
                set_access(region, page, PageAccess::Write);
    }
}

} // namespace pica
