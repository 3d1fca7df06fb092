// SPDX-License-Identifier: MIT
// Cache invalidation: one stamp per 4 KiB page of guest memory. Every write takes the next value of one
// growing counter and stores it in the pages that it touches. A cache keeps the newest stamp of its range and
// is stale when the range has a newer one. Our own design (design D8). For an embedder that protects pages,
// the tracker also says which CPU accesses must be announced. Tests: tests/pica/page_tracker_test.cpp.
#pragma once

#include "pica/memory/address_span.h"

#include <algorithm>
#include <vector>

namespace pica
{

// Which CPU accesses to a page the embedder must announce.
enum class PageAccess : u8
{
    None,
    Write,     // caches hold the bytes of the page
    ReadWrite, // a device also has newer bytes
};

class PageTracker
{
public:
    static constexpr u32 kPageShift = pica::kPageShift;

    // Addresses outside all tracked regions have generation 0 and ignore writes.
    void add_region(PhysAddr base, u64 size);

    void did_write(PhysAddr address, u64 size);
    // The newest stamp in the range; 0: never written.
    u64 generation(PhysAddr address, u64 size) const;
    // The stamp of the latest write to any page.
    u64 latest() const { return stamp_; }

    enum class Watched : u8
    {
        InUse, // pages whose bytes a cache or the device has
        All,
    };
    // From now on changes of what must be announced are collected. InUse: a call of generation() means that the
    // caller holds data of these pages and must hear of the next write to them. A write ends this for its pages: a
    // cache that uses a page again calls generation() again. All: every write to any page must be announced.
    void start_watching(Watched watched = Watched::InUse);
    bool watching() const { return watching_; }
    // The embedder has announced a write to these pages. It may have lifted their protection to let the write
    // through, so take_changes passes on what they need even if that is what it passed on before.
    void rearm(PhysAddr address, u64 size);
    // The stamp of latest() grows, as if some page had been written. For writes that are looked for later.
    void advance() { ++stamp_; }
    // The device has bytes of these pages that guest memory lacks, or will have them once the recorded work
    // has run.
    void device_wrote(PhysAddr address, u64 size);
    // Guest memory has the newest bytes of these pages again.
    void made_current(PhysAddr address, u64 size);
    // Passes on what has changed since the last call: visit(PhysAddr begin, u32 size, PageAccess). Adjacent
    // pages with the same access are joined, and addresses grow within a region. Ranges are whole pages,
    // except at the ends of a region.
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
        bool told_is_known = true; // false: the embedder may have changed the protection itself
        bool listed = false;
    };
    struct Region
    {
        u64 begin;
        u64 end;
        std::vector<u64> stamps;
        // Changed by const functions: a cache that asks for a generation changes what must be announced.
        mutable std::vector<Watch> watches; // empty until watched
        mutable std::vector<u32> changed;   // pages whose access may differ from the one last passed on
    };
    static void set_access(const Region& region, std::size_t page, PageAccess access);
    static void list(const Region& region, std::size_t page);
    template <typename Visit>
    static void take_changes(Region& region, Visit visit);

    std::vector<Region> regions_;
    u64 stamp_ = 0;
    bool watching_ = false;
    PageAccess unused_ = PageAccess::None; // what pages need that nobody has data of
};

template <typename Visit>
void PageTracker::take_changes(Region& region, Visit visit)
{
    std::sort(region.changed.begin(), region.changed.end());
    const u64 first_page = region.begin >> kPageShift;
    u64 begin = 0, end = 0; // the joined range that was not passed on yet
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
        if (watch.now == watch.told && (watch.told_is_known || watch.now == PageAccess::None))
            continue;
        watch.told = watch.now;
        watch.told_is_known = true;
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
