// SPDX-License-Identifier: MIT
#include "pica/inspect/plane_versions.h"

#include "pica/upscale/line_runs.h"

namespace pica
{

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
        const PhysAddr address = page.number << kPageShift;
        for_each_run(page.lines, 0, kPageSize,
                     [&](bool set, u32 first, u32 last)
                     {
                         if (set)
                             planes_.tracker().give(address + first, last - first);
                     });
        for_each_run(page.held, 0, kPageSize,
                     [&](bool held, u32 first, u32 last)
                     {
                         if (held)
                             planes_.hold(address + first, last - first);
                     });
        for (u32 plane = 0; page.bytes && plane < planes_.planes(); ++plane)
            planes_.store(plane, address,
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
