// SPDX-License-Identifier: MIT
#include "pica/inspect/plane_versions.h"

#include <bit>
#include <utility>

namespace pica
{

namespace
{

// Visits the runs of lines of a page: visit(address, size).
template <typename Visit>
void for_each_run_of(u32 page, u64 lines, Visit visit)
{
    while (lines != 0)
    {
        const u32 first = static_cast<u32>(std::countr_zero(lines));
        const u32 count = static_cast<u32>(std::countr_one(lines >> first));
        visit((page << kPageShift) + first * PlaneTracker::kLineBytes, count * PlaneTracker::kLineBytes);
        lines &= count == 64 ? 0 : ~(((u64{1} << count) - 1) << first);
    }
}

} // namespace

PlaneVersions::Version PlaneVersions::take()
{
    drop_unused();
    known_.resize(planes_.tracker().max_pages());
    Version version;
    std::vector<u8> bytes;
    planes_.tracker().for_each_by_use(
        [&](u32 slot, u32 page, u64 lines)
        {
            Page& taken = version.emplace_back(Page{page, lines, planes_.held(slot), nullptr});
            if (taken.held == 0)
                return;
            bytes.resize(std::size_t{planes_.planes()} * kPageSize);
            for (u32 plane = 0; plane < planes_.planes(); ++plane)
                planes_.load(plane, page << kPageShift,
                             std::span(bytes).subspan(std::size_t{plane} * kPageSize, kPageSize));
            // Where another page had the slot, the bytes differ, or do as well.
            taken.bytes = known_[slot].lock();
            if (taken.bytes && *taken.bytes == bytes)
                return;
            taken.bytes = std::make_shared<const std::vector<u8>>(bytes);
            known_[slot] = taken.bytes;
            all_.push_back(taken.bytes);
        });
    return version;
}

void PlaneVersions::restore(const Version& version)
{
    planes_.tracker().take(0, u64{1} << 32);
    for (const Page& page : version)
    {
        for_each_run_of(page.number, page.lines,
                        [&](PhysAddr address, u32 size) { planes_.tracker().give(address, size); });
        for_each_run_of(page.number, page.held,
                        [&](PhysAddr address, u32 size) { planes_.hold(address, size); });
        for (u32 plane = 0; page.bytes && plane < planes_.planes(); ++plane)
            planes_.store(plane, page.number << kPageShift,
                          std::span(*page.bytes).subspan(std::size_t{plane} * kPageSize, kPageSize));
    }
}

void PlaneVersions::drop_unused()
{
    std::erase_if(all_, [](const auto& page) { return page.expired(); });
}

u64 PlaneVersions::bytes() const
{
    u64 sum = 0;
    for (const auto& page : all_)
        if (const auto held = page.lock())
            sum += held->size();
    return sum;
}

} // namespace pica
