// SPDX-License-Identifier: MIT
// MirrorLayout: which bytes of guest memory the device's mirror (guest_mirror.h) can have. These are the beginnings of VRAM
// and FCRAM, each as far as one storage buffer may reach. Ranges may begin anywhere and span both regions. Tests:
// tests/renderer/guest_mirror_test.cpp.
#pragma once

#include "pica/memory/guest_memory.h"
#include "renderer/residency/page_bytes.h"

#include <algorithm>
#include <array>

namespace renderer
{

using pica::PhysAddr;
using pica::u32;
using pica::u64;

class MirrorLayout
{
public:
    static constexpr u32 kPageShift = pica::kPageShift;
    static constexpr u32 kPageSize = pica::kPageSize;
    static constexpr u32 kRegions = 2; // VRAM, FCRAM

    // largest: bytes of a storage buffer. `guest` must outlive the layout.
    MirrorLayout(const pica::GuestMemory& guest, u32 largest);

    PhysAddr base(u32 region) const { return regions_[region].base; }
    u32 size(u32 region) const { return regions_[region].size; } // bytes
    // At least one.
    u32 pages(u32 region) const;

    // The part of a range that lies in one region, as offsets in that region.
    struct Part
    {
        u32 region = 0;
        u64 begin = 0;
        u64 end = 0; // exclusive
        u32 first_page() const { return static_cast<u32>(begin >> kPageShift); }
        u32 last_page() const { return static_cast<u32>((end - 1) >> kPageShift) + 1; } // exclusive
        PageBytes bytes_of(u32 page) const // which must be one of its pages
        {
            const u64 offset = u64{page} << kPageShift;
            return {static_cast<pica::u16>(std::max(begin, offset) - offset),
                    static_cast<pica::u16>(std::min(end - offset, u64{kPageSize}))};
        }
    };
    // Calls visit(const Part&) for each region that the range touches.
    template <typename Visit>
    void for_each_part(PhysAddr address, u64 size, Visit visit) const
    {
        for (u32 i = 0; i < kRegions; ++i)
        {
            const u64 base = regions_[i].base;
            const pica::AddressSpan part = pica::shared_span(address, size, base, base + regions_[i].size);
            if (!part.empty())
                visit(Part{i, part.begin - base, part.end - base});
        }
    }
    // Calls visit(u32 region, u32 page) for each page that the range touches.
    template <typename Visit>
    void for_each_page(PhysAddr address, u64 size, Visit visit) const
    {
        for_each_part(address, size,
                      [&](const Part& part)
                      {
                          for (u32 page = part.first_page(); page < part.last_page(); ++page)
                              visit(part.region, page);
                      });
    }

    // How many bytes of the range, counted from its start, lie in one region.
    u32 clamp_size(PhysAddr address, u32 size) const;
    // Do the regions have all of guest memory? Not if it has more than a storage buffer may have, or lies elsewhere.
    bool is_whole() const { return is_whole_; }
    // Does guest memory have bytes of this range that lie in no region?
    bool misses(PhysAddr address, u64 size) const;
    // Are all bytes that guest memory has of this range in the region that contains `place`?
    bool region_holds(PhysAddr place, PhysAddr address, u64 size) const;

private:
    struct Region
    {
        PhysAddr base = 0;
        u32 size = 0;
    };
    const pica::GuestMemory& guest_;
    std::array<Region, kRegions> regions_;
    bool is_whole_ = true;
};

} // namespace renderer
