// SPDX-License-Identifier: MIT
// Who is stale: a stamp per 4 KiB page of guest memory. Every write takes the next value of one growing
// counter and leaves it on the pages it touched; a cache keeps the newest stamp it saw over its range and
// compares. Our own design (design D8). An embedder that protects pages can be told which accesses of the CPU
// somebody has to hear of. Tests: tests/pica/page_tracker_test.cpp.
#pragma once

#include "pica/base/types.h"

#include <algorithm>
#include <vector>

namespace pica
{

// Accesses of the CPU to a page that have to be announced.
enum class PageAccess : u8
{
    None,
    Write,     // caches hold what the page holds
    ReadWrite, // a device holds newer bytes, too
};

class PageTracker
{
public:
    static constexpr u32 kPageShift = 12;

    // Addresses outside all tracked regions have generation 0 and ignore writes.
    void add_region(PhysAddr base, u64 size);

    void did_write(PhysAddr address, u64 size);
    // Newest stamp over the range; 0 = never written.
    u64 generation(PhysAddr address, u64 size) const;
    // The stamp of the latest write anywhere.
    u64 latest() const { return stamp_; }

    // From now on who asks for a page's generation is taken to rely on hearing of the next write to it, and
    // changes of what has to be announced are collected. A write ends it: whoever looks at the page again
    // then asks for its generation again.
    void start_watching() { watching_ = true; }
    bool watching() const { return watching_; }
    // The device holds, or will when what is recorded has run, bytes of these pages that memory lacks.
    void device_wrote(PhysAddr address, u64 size);
    // It no longer does.
    void made_current(PhysAddr address, u64 size);
    // Hands over what has changed since the last call: visit(PhysAddr begin, u32 size, PageAccess),
    // neighbours together, addresses growing within a region; whole pages but for a region's first and last.
    template <typename Visit>
    void take_changes(Visit visit)
    {
        for (Region& region : regions_)
            take_changes(region, visit);
    }

private:
    struct Watch
    {
        PageAccess now = PageAccess::None, told = PageAccess::None;
        bool listed = false;
    };
    struct Region
    {
        u64 begin;
        u64 end;
        std::vector<u64> stamps;
        // Change where nobody writes memory: a cache looks.
        mutable std::vector<Watch> watches; // empty until watched
        mutable std::vector<u32> changed;   // pages that may differ from what was told
    };
    static void set_access(const Region& region, std::size_t page, PageAccess access);
    template <typename Visit>
    static void take_changes(Region& region, Visit visit);

    std::vector<Region> regions_;
    u64 stamp_ = 0;
    bool watching_ = false;
};

template <typename Visit>
void PageTracker::take_changes(Region& region, Visit visit)
{
    std::sort(region.changed.begin(), region.changed.end());
    const u64 first_page = region.begin >> kPageShift;
    u64 begin = 0, end = 0; // of the run not yet handed over
    PageAccess access = PageAccess::None;
    const auto hand_over = [&]
    {
        if (begin != end)
            visit(static_cast<PhysAddr>(begin), static_cast<u32>(end - begin), access);
    };
    for (const u32 page : region.changed)
    {
        Watch& watch = region.watches[page];
        watch.listed = false;
        if (watch.now == watch.told)
            continue;
        watch.told = watch.now;
        const u64 page_begin = std::max((first_page + page) << kPageShift, region.begin);
        if (page_begin != end || watch.now != access)
        {
            hand_over();
            begin = page_begin;
            access = watch.now;
        }
        end = std::min((first_page + page + 1) << kPageShift, region.end);
    }
    hand_over();
    region.changed.clear();
}

} // namespace pica
