// SPDX-License-Identifier: MIT
#include "renderer/embed/page_marks.h"

namespace renderer
{

namespace
{

constexpr pica::u32 kPageShift = pica::PageTracker::kPageShift;

} // namespace

PageMarks::PageMarks(const std::vector<pica::MemoryRegion>& regions)
{
    for (const pica::MemoryRegion& region : regions)
    {
        const pica::u64 end = region.base + region.bytes.size();
        const pica::u64 pages = ((end - 1) >> kPageShift) - (region.base >> kPageShift) + 1;
        const auto words = static_cast<std::size_t>((pages + 63) / 64);
        regions_.push_back({region.base, end, words, std::make_unique<std::atomic<pica::u64>[]>(words),
                            std::make_unique<std::atomic<pica::u64>[]>(words)});
    }
}

void PageMarks::mark(pica::PhysAddr address, pica::u32 bytes) noexcept
{
    for (const Region& region : regions_)
    {
        const pica::AddressSpan part = pica::shared_span(address, bytes, region.begin, region.end);
        if (part.empty())
            continue;
        const pica::u64 base = region.begin >> kPageShift;
        for (pica::u64 page = (part.begin >> kPageShift) - base;
             page <= ((part.end - 1) >> kPageShift) - base; ++page)
        {
            const pica::AddressSpan span =
                pica::page_span(region.begin, region.end, static_cast<pica::u32>(page));
            const bool covered = part.begin <= span.begin && span.end <= part.end;
            std::atomic<pica::u64>& word = (covered ? region.overwritten : region.written)[page / 64];
            word.fetch_or(pica::u64{1} << (page % 64), std::memory_order_release);
        }
    }
    any_.store(true, std::memory_order_release);
}

} // namespace renderer
