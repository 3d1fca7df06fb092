// SPDX-License-Identifier: MIT
#include "pica/trace/shadow_memory.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace pica
{

namespace
{

// Equal bytes between two changes are written too if they are fewer than this, which a new element would
// take.
constexpr u64 kMergeGap = 16;
// The most ranges of CPU writes that are not joined yet.
constexpr std::size_t kMaxRanges = 4096;

bool is_zero(std::span<const u8> bytes)
{
    return bytes.empty() ||
           (bytes[0] == 0 && std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

} // namespace

ShadowMemory::ShadowMemory(GuestMemory& memory) : memory_(memory)
{
    for (const MemoryRegion& region : memory.regions())
    {
        const std::size_t pages = (region.bytes.size() + kPageBytes - 1) / kPageBytes;
        regions_.push_back({region.base, region.bytes, std::vector<Known>(pages, Known::Nothing), {}});
        regions_.back().pages.resize(pages);
    }
}

void ShadowMemory::take_page(Region& region, std::size_t page)
{
    const std::size_t begin = page * kPageBytes;
    const auto bytes =
        region.bytes.subspan(begin, std::min<std::size_t>(kPageBytes, region.bytes.size() - begin));
    if (is_zero(bytes))
    {
        region.known[page] = Known::Zero;
        region.pages[page].reset();
        return;
    }
    if (!region.pages[page])
        region.pages[page] = std::make_unique<Page>();
    std::copy(bytes.begin(), bytes.end(), region.pages[page]->begin());
    region.known[page] = Known::Bytes;
}

void ShadowMemory::take_all()
{
    written_.clear();
    for (Region& region : regions_)
    {
        for (std::size_t page = 0; page < region.pages.size(); ++page)
            take_page(region, page);
        watch_later({region.base, u64{region.base} + region.bytes.size()});
    }
}

void ShadowMemory::watch_later(const Range& range)
{
    const auto is_same = [&](const Range& other)
    { return other.begin == range.begin && other.end == range.end; };
    if (memory_.pages().watching() && (unwatched_.empty() || !is_same(unwatched_.back())))
        unwatched_.push_back(range);
}

// Asking for the generation of a page means to hear of the next write to it.
void ShadowMemory::watch()
{
    for (const Range& range : unwatched_)
        (void)memory_.pages().generation(static_cast<PhysAddr>(range.begin), range.end - range.begin);
    unwatched_.clear();
}

void ShadowMemory::cpu_wrote(PhysAddr address, u64 size)
{
    const Range range{address, u64{address} + size};
    watch_later(range);
    if (!written_.empty() && range.begin <= written_.back().end && range.end >= written_.back().begin)
    {
        written_.back() = {std::min(written_.back().begin, range.begin),
                           std::max(written_.back().end, range.end)};
        return;
    }
    written_.push_back(range);
    if (written_.size() < kMaxRanges)
        return;
    // Joins ranges, including what lies between them in a page, which is compared anyway.
    std::sort(written_.begin(), written_.end(),
              [](const Range& a, const Range& b) { return a.begin < b.begin; });
    std::vector<Range> joined;
    for (const Range& next : written_)
    {
        if (!joined.empty() && next.begin <= joined.back().end)
            joined.back().end = std::max(joined.back().end, next.end);
        else
            joined.push_back(next);
    }
    written_ = std::move(joined);
}

void ShadowMemory::gpu_writes(PhysAddr address, u64 size)
{
    watch_later({address, u64{address} + size});
    for (Region& region : regions_)
    {
        const AddressSpan part = shared_span(address, size, region.base, region.base + region.bytes.size());
        if (part.empty())
            continue;
        for (std::size_t page = (part.begin - region.base) / kPageBytes;
             page <= (part.end - 1 - region.base) / kPageBytes; ++page)
        {
            region.known[page] = Known::Nothing;
            region.pages[page].reset();
        }
    }
}

// A run stays in one region, even if another region begins where it ends.
void ShadowMemory::add_run(const Region& region, u64 begin, u64 end)
{
    begin += region.base;
    end += region.base;
    if (begin != region.base && !runs_.empty() && runs_.back().end == begin)
        runs_.back().end = end;
    else
        runs_.push_back({begin, end});
}

void ShadowMemory::collect(Region& region, u64 begin, u64 end)
{
    const std::size_t page = begin / kPageBytes;
    const u64 first = page * kPageBytes;
    if (region.known[page] == Known::Nothing)
    {
        add_run(region, begin, end);
        // A page is either known completely or not at all.
        if (begin == first && (end == first + kPageBytes || end == region.bytes.size()))
            take_page(region, page);
        return;
    }
    static constexpr Page kZero{};
    const Page& old = region.known[page] == Known::Zero ? kZero : *region.pages[page];
    u64 run = 0, run_end = 0; // offsets; empty while bytes are equal
    for (u64 i = begin; i < end; ++i)
    {
        if (region.bytes[i] == old[i - first])
            continue;
        if (run != run_end && i - run_end >= kMergeGap)
        {
            add_run(region, run, run_end);
            run = i;
        }
        else if (run == run_end)
        {
            run = i;
        }
        run_end = i + 1;
    }
    if (run == run_end)
        return;
    add_run(region, run, run_end);
    // Only what was told is known: other bytes of the page may have been written without an announcement.
    if (!region.pages[page])
        region.pages[page] = std::make_unique<Page>();
    region.known[page] = Known::Bytes;
    std::copy(region.bytes.begin() + std::ptrdiff_t(begin), region.bytes.begin() + std::ptrdiff_t(end),
              region.pages[page]->begin() + std::ptrdiff_t(begin - first));
}

void ShadowMemory::collect_changes()
{
    runs_.clear();
    for (const Range& range : written_)
        for (Region& region : regions_)
        {
            const AddressSpan part = shared_span(static_cast<PhysAddr>(range.begin), range.end - range.begin,
                                                 region.base, region.base + region.bytes.size());
            for (u64 at = part.begin; at < part.end;)
            {
                const u64 offset = at - region.base;
                const u64 stop = std::min(part.end - region.base, (offset / kPageBytes + 1) * kPageBytes);
                collect(region, offset, stop);
                at = region.base + stop;
            }
        }
    written_.clear();
}

} // namespace pica
