// SPDX-License-Identifier: MIT
#include "renderer/residency/batch_reads.h"

#include <algorithm>

namespace renderer
{

namespace
{

constexpr u32 kPageShift = pica::PageTracker::kPageShift;
constexpr u32 kPageSize = 1u << kPageShift;

} // namespace

void BatchReads::set_region(u32 region, PhysAddr base, u32 size)
{
    regions_[region] = {base, size, std::vector<Page>((u64{size} + kPageSize - 1) >> kPageShift)};
}

u64 BatchReads::generation(u32 region, u32 page) const
{
    return guest_.generation(regions_[region].base + (page << kPageShift), kPageSize);
}

void BatchReads::add(u64 batch, u32 region, u64 begin, u64 end)
{
    for (u64 page = begin >> kPageShift, first = page << kPageShift; first < end; ++page, first += kPageSize)
    {
        Page& state = regions_[region].pages[page];
        if (state.batch != batch)
            state.read = {};
        state.batch = batch;
        state.read.add({static_cast<u16>(std::max(begin, first) - first),
                        static_cast<u16>(std::min<u64>(end - first, kPageSize))});
    }
}

bool BatchReads::may_be_older(u64 batch, u32 region, u64 begin, u64 end) const
{
    bool older = false;
    for (u64 page = begin >> kPageShift; page << kPageShift < end && !older; ++page)
        older = may_be_older(batch, region, static_cast<u32>(page));
    return older;
}

bool BatchReads::may_be_older(u64 batch, u32 region, u32 page) const
{
    const Page& state = regions_[region].pages[page];
    if (state.batch != batch || is_still_current(region, page))
        return false;
    return state.known != generation(region, page) || state.written.overlaps(state.read);
}

void BatchReads::cpu_wrote(u64 batch, PhysAddr address, u64 size, pica::GuestMemory::OnDevice on_device)
{
    if (size >= pica::GuestMemory::kLargeAnnouncement) // fewer bytes may have been written
        return guest_.cpu_wrote(address, size, on_device);
    written_.clear();
    for (u32 region = 0; region < kRegions; ++region)
    {
        const u64 base = regions_[region].base;
        const pica::AddressSpan part = pica::shared_span(address, size, base, base + regions_[region].size);
        for (u64 begin = part.begin, end = 0; begin < part.end; begin = end)
        {
            const u32 page = static_cast<u32>((begin - base) >> kPageShift);
            const u64 first = base + (u64{page} << kPageShift);
            end = std::min(part.end, first + kPageSize);
            Page& state = regions_[region].pages[page];
            if (state.batch != batch || state.known != generation(region, page))
                continue;
            state.written.add({static_cast<u16>(begin - first), static_cast<u16>(end - first)});
            written_.emplace_back(region, page);
        }
    }
    guest_.cpu_wrote(address, size, on_device);
    for (const auto& [region, page] : written_)
        regions_[region].pages[page].known = generation(region, page);
}

} // namespace renderer
