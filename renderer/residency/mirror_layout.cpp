// SPDX-License-Identifier: MIT
#include "renderer/residency/mirror_layout.h"

namespace renderer
{

MirrorLayout::MirrorLayout(const pica::GuestMemory& guest, u32 largest)
    : guest_(guest), regions_{Region{pica::kVramBase}, Region{pica::kFcramBase}}
{
    // Shaders add offsets of vertices, which are below 2^31, to places in a region in 32 bits
    // (shaders/include/vertex_fetch.h).
    const u32 limit = std::min(largest, 0x80000000u) & ~(kPageSize - 1);
    for (Region& region : regions_)
        region.size = std::min(guest.clamp_size(region.base, ~0u), limit);
    for (const pica::MemoryRegion& region : guest.regions())
        is_whole_ &= clamp_size(region.base, ~0u) >= std::min<u64>(region.bytes.size(), ~0u);
}

u32 MirrorLayout::pages(u32 region) const
{
    return std::max(static_cast<u32>((u64{size(region)} + kPageSize - 1) >> kPageShift), 1u);
}

u32 MirrorLayout::clamp_size(PhysAddr address, u32 size) const
{
    for (const Region& region : regions_)
    {
        const u64 offset = u64{address} - region.base; // wraps to a huge value below the base
        if (offset < region.size)
            return static_cast<u32>(std::min<u64>(size, region.size - offset));
    }
    return 0;
}

bool MirrorLayout::misses(PhysAddr address, u64 size) const
{
    if (is_whole_)
        return false;
    u64 held = 0;
    for_each_part(address, size, [&](const Part& part) { held += part.end - part.begin; });
    return guest_.count_bytes(address, size) != held;
}

bool MirrorLayout::region_holds(PhysAddr place, PhysAddr address, u64 size) const
{
    u64 held = 0;
    for (const Region& region : regions_)
        if (u64{place} - region.base < region.size)
            held = pica::shared_span(address, size, region.base, u64{region.base} + region.size).size();
    return held == size || guest_.count_bytes(address, size) == held; // the first, nearly always
}

} // namespace renderer
