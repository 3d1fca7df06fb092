// SPDX-License-Identifier: MIT
// PageContents: finds out which bytes the CPU has written where nobody announced them one by one. It keeps a copy of a
// page's bytes in guest memory from the moment that a cache or the device took them. A byte that differs from the copy
// later was written by the CPU.
//
// A page is in one of three states. *Unknown*: there is no copy. *Known*: the copy has the bytes that caches hold.
// *On the device*: the device has newer bytes than guest memory. The copy has the bytes that guest memory had when the
// device took the page, and what was announced beside the newer bytes since. Copies of known pages are kept only after
// the first call of may_have_changed, so that hosts that announce every write pay nothing for them.
//
// Addresses outside of all regions are ignored. Our own design. Tests: tests/pica/page_contents_test.cpp.
#pragma once

#include "pica/memory/address_span.h"

#include <array>
#include <memory>
#include <span>
#include <vector>

namespace pica
{

class PageContents
{
public:
    void add_region(PhysAddr base, std::span<const u8> bytes);

    // A cache is about to take bytes of the range. Unknown pages become known, if copies are kept.
    void taken(PhysAddr address, u64 size);
    // The range was written, and every cache has heard of it. Its pages become unknown.
    void announced(PhysAddr address, u64 size);
    // The same, but pages that are on the device stay there: their newer bytes lie beside the range.
    void announced_beside(PhysAddr address, u64 size);

    enum class Overwrites : u8
    {
        All,  // every byte of the range
        Some, // bytes of the range may keep what they had when the device took them
    };
    // The device will have newer bytes of the range than guest memory.
    void device_writes(PhysAddr address, u64 size, Overwrites overwrites);
    // Guest memory has received the device's bytes of all pages of the range.
    void read_back(PhysAddr address, u64 size);

    // The CPU may have written any byte of the range. Settling decides it for pages that are not on the device; it is
    // left for later, because many pages are announced more often than they are used. The first call announces all
    // pages of all regions, because no page is known before.
    void may_have_changed(PhysAddr address, u64 size);
    // Decides it for the pages of the range: visit(AddressSpan page) for each one whose bytes have changed, or may have
    // changed because it is unknown. These pages are unknown afterwards.
    template <typename Visit>
    void settle(PhysAddr address, u64 size, Visit visit)
    {
        if (undecided_ == 0)
            return;
        for_each_page(address, size,
                      [&](Region& region, u32 page)
                      {
                          if (region.pages[page].undecided && has_changed(region, page))
                              visit(page_span(region.begin, region.end, page));
                      });
    }

    // Bytes of pages that are on the device count no longer: visit(AddressSpan page) for each such page of the range.
    template <typename Visit>
    void drop_from_device(PhysAddr address, u64 size, Visit visit)
    {
        if (on_device_ == 0)
            return;
        for_each_page(address, size,
                      [&](Region& region, u32 page)
                      {
                          if (!region.pages[page].on_device)
                              return;
                          set_on_device(region.pages[page], false);
                          region.pages[page].known = false;
                          visit(page_span(region.begin, region.end, page));
                      });
    }

    // Bytes of a page that is on the device, as they are in guest memory and as the copy has them.
    struct Overwritten
    {
        PhysAddr address = 0;
        std::vector<u8> now, before;
    };
    // Are copies of known pages kept?
    bool keeps_copies() const { return keeps_copies_; }
    // Is a page of the range on the device?
    bool is_on_device(PhysAddr address, u64 size) const;
    // The pages of the range that are on the device and in which the CPU has written since the device took them.
    std::vector<Overwritten> overwritten(PhysAddr address, u64 size) const;

private:
    struct Page
    {
        std::unique_ptr<std::array<u8, kPageSize>> copy;
        bool known = false; // the copy has a meaning
        bool on_device = false;
        bool undecided = false; // may_have_changed was called, and not settled
    };
    struct Region
    {
        u64 begin = 0, end = 0;
        std::span<const u8> bytes;
        std::vector<Page> pages;
    };
    // Calls visit(Region&, u32 page) for the pages that the range touches.
    template <typename Visit>
    void for_each_page(PhysAddr address, u64 size, Visit visit)
    {
        for (Region& region : regions_)
        {
            const PageRange pages = touched_pages(region.begin, region.end, address, size);
            for (u32 page = pages.first; page < pages.last; ++page)
                visit(region, page);
        }
    }
    std::span<const u8> bytes_of(const Region& region, u32 page) const;
    void copy_page(Region& region, u32 page);
    void copy_bytes(Region& region, u32 page, AddressSpan part);
    bool is_equal(const Region& region, u32 page) const;
    bool has_changed(Region& region, u32 page);
    void set_undecided(Page& page, bool undecided);
    void set_on_device(Page& page, bool on_device);
    void device_writes(Region& region, u32 page, AddressSpan range, Overwrites overwrites);

    std::vector<Region> regions_;
    u64 undecided_ = 0; // pages
    u64 on_device_ = 0; // pages
    bool keeps_copies_ = false;
};

} // namespace pica
