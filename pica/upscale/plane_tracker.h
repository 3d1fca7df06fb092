// SPDX-License-Identifier: MIT
// PlaneTracker: which lines of 64 bytes of guest memory have planes, i.e. N x N versions of their bytes. It sees
// operations of the guest only, never bytes and never time, so every backend that tells it of the same operations gets
// the same answers. Planes are counted by pages of 4 KiB, of which at most max_pages have any; the page that was not
// used for longest leaves. Source: design.md, "N times the resolution". Tests: tests/pica/plane_tracker_test.cpp.
#pragma once

#include "pica/base/types.h"

#include <vector>

namespace pica
{

class PlaneTracker
{
public:
    // Two targets of the largest size (2040 x 1024 pixels of 4 bytes), and some 270 pages beside them.
    static constexpr u32 kMaxPages = 4352;
    static constexpr u32 kLineShift = 6;
    static constexpr u32 kLineBytes = 1u << kLineShift;
    // Where a page with planes is kept: 0 to max_pages - 1.
    static constexpr u32 kNoSlot = 0xFFFFFFFF;

    // Whoever keeps the planes.
    class Listener
    {
    public:
        virtual ~Listener() = default;
        // Lines of the page in a slot have no planes any longer. lines: bit n is line n of the page.
        virtual void lost(u32 slot, u64 lines) = 0;
    };

    // listener may be null; else it must outlive the tracker.
    explicit PlaneTracker(Listener* listener, u32 max_pages = kMaxPages);

    // Every line that the range touches has planes from now on. The pages become the newest, in the order of addresses.
    void give(PhysAddr address, u64 size);
    // Lines that lie wholly inside the range have planes no longer. The first and the last line keep theirs where only
    // a part of them is inside.
    void take(PhysAddr address, u64 size);
    // The planes of the range are used: its pages become the newest.
    void touch(PhysAddr address, u64 size);
    // Has any line that the range touches planes?
    bool any(PhysAddr address, u64 size) const;

    // The slot of the page that begins at address `page` << 12, or kNoSlot if none of its lines has planes.
    u32 slot(u32 page) const
    {
        const u32 number = slot_of_page_[page];
        return number == 0 ? kNoSlot : number - 1u;
    }
    u64 lines(u32 slot) const { return entries_[slot].lines; }
    u32 pages() const { return used_; }
    u32 max_pages() const { return max_pages_; }
    // All slots used so far have lower numbers.
    u32 reach() const { return reach_; }
    // How many pages have left because there were too many.
    u64 evictions() const { return evictions_; }

    // Visits the parts of a range page by page, in the order of addresses, up to 2^32: visit(u32 page, u32 begin, u32
    // end), where begin and end are offsets in the page.
    template <typename Visit>
    static void for_each_page(PhysAddr address, u64 size, Visit visit)
    {
        constexpr u64 kEnd = u64{1} << 32;
        const u64 last = size < kEnd - address ? address + size : kEnd;
        for (u64 at = address; at < last;)
        {
            const u64 next = (at | 0xFFF) + 1;
            visit(static_cast<u32>(at >> 12), static_cast<u32>(at & 0xFFF),
                  static_cast<u32>((next < last ? next : last) - (at & ~u64{0xFFF})));
            at = next;
        }
    }
    // Visits the pages that have planes, the one that was not used for longest first: visit(u32 slot, u32 page, u64 lines).
    template <typename Visit>
    void for_each_by_use(Visit visit) const
    {
        for (u32 slot = oldest_; slot != kNoSlot; slot = entries_[slot].newer)
            visit(slot, entries_[slot].page, entries_[slot].lines);
    }
    // The lines that the bytes [begin, end) of a page touch. end is above begin.
    static u64 touched_lines(u32 begin, u32 end)
    {
        return bits(begin >> kLineShift, ((end - 1) >> kLineShift) + 1);
    }
    // The lines that lie wholly inside.
    static u64 whole_lines(u32 begin, u32 end)
    {
        return bits((begin + kLineBytes - 1) >> kLineShift, end >> kLineShift);
    }

private:
    struct Entry
    {
        u32 page = 0;
        u32 older = kNoSlot; // in the order of use
        u32 newer = kNoSlot;
        u64 lines = 0;
    };
    // Bits first to last - 1.
    static u64 bits(u32 first, u32 last)
    {
        if (first >= last)
            return 0;
        const u64 upto = last == 64 ? ~u64{0} : (u64{1} << last) - 1;
        return upto & ~((u64{1} << first) - 1);
    }
    u32 take_slot(u32 page);
    void lose(u32 slot, u64 lines);
    void unlink(u32 slot);
    void make_newest(u32 slot);

    Listener* listener_;
    u32 max_pages_;
    std::vector<u16> slot_of_page_; // + 1; 0: none
    std::vector<Entry> entries_;
    std::vector<u32> free_;
    u32 oldest_ = kNoSlot;
    u32 newest_ = kNoSlot;
    u32 used_ = 0;
    u32 reach_ = 0;
    u64 evictions_ = 0;
};

} // namespace pica
