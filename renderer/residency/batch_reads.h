// SPDX-License-Identifier: MIT
// BatchReads: which bytes of guest memory the open draw batch reads from the device's mirror, and whether the CPU has
// changed them since the mirror got them. Games write the vertices of later draws into pages that earlier draws read, so
// it tells bytes of a page apart where it knows what the CPU wrote. Not thread-safe. Tests:
// tests/renderer/guest_mirror_test.cpp. It also remembers which pages of the mirror were found current, for all its users.
#pragma once

#include "pica/memory/guest_memory.h"
#include "renderer/residency/page_bytes.h"

#include <array>
#include <utility>
#include <vector>

namespace renderer
{

using pica::PhysAddr;
using pica::u16;
using pica::u32;
using pica::u64;

class BatchReads
{
public:
    static constexpr std::size_t kRegions = 2;

    explicit BatchReads(pica::GuestMemory& guest) : guest_(guest) {}
    BatchReads(const BatchReads&) = delete;
    BatchReads& operator=(const BatchReads&) = delete;
    // To be called once for each region before anything else.
    void set_region(u32 region, PhysAddr base, u32 size);

    // The mirror has the bytes that the page had in this generation.
    void synced(u32 region, u32 page, u64 generation)
    {
        Page& state = regions_[region].pages[page];
        state.known = generation;
        state.written = {};
        state.current_at = kNever;
    }
    // The mirror was found to have the bytes of these pages as they were when this was GuestMemory::latest_generation(). What
    // a surface has drawn there since does not count.
    void found_current(u32 region, u32 first, u32 last, u64 latest)
    {
        for (u32 page = first; page < last && latest == guest_.latest_generation(); ++page)
            if (Page& state = regions_[region].pages[page]; state.written.empty())
                state.current_at = latest;
    }
    // Is that still so, because nothing was written anywhere since?
    bool is_still_current(u32 region, u32 page) const
    {
        return regions_[region].pages[page].current_at == guest_.latest_generation();
    }
    // Batch number `batch` reads these bytes of the region, which the mirror has.
    void add(u64 batch, u32 region, u64 begin, u64 end);
    // Has the CPU changed bytes of these pages that the batch reads, or may it have?
    bool may_be_older(u64 batch, u32 region, u64 begin, u64 end) const;
    // The CPU has written exactly these bytes: passes it on to guest memory. Of other changes only the pages are known.
    void cpu_wrote(u64 batch, PhysAddr address, u64 size, pica::GuestMemory::OnDevice on_device);

private:
    static constexpr u64 kNever = ~u64{0};
    struct Page
    {
        u64 current_at = kNever; // GuestMemory::latest_generation() when the page was last found current
        u64 batch = 0;           // the last one that reads the page
        u64 known = 0;           // the generation up to which `written` is complete
        PageBytes read, written; // by `batch`; by the CPU since the mirror got the page
    };
    struct Region
    {
        PhysAddr base = 0;
        u32 size = 0;
        std::vector<Page> pages;
    };
    u64 generation(u32 region, u32 page) const;
    bool may_be_older(u64 batch, u32 region, u32 page) const;

    pica::GuestMemory& guest_;
    std::array<Region, kRegions> regions_;
    std::vector<std::pair<u32, u32>> written_; // region and page; only used in cpu_wrote
};

} // namespace renderer
