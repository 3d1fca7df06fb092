// SPDX-License-Identifier: MIT
// The set-up of the region table, and the less frequent accesses.
#include "pica/memory/guest_memory.h"

#include <algorithm>
#include <utility>

namespace pica
{

GuestMemory::GuestMemory(std::vector<MemoryRegion> regions) : regions_(std::move(regions))
{
    for (const MemoryRegion& region : regions_)
        pages_.add_region(region.base, region.bytes.size());
}

u32 GuestMemory::clamp_size(PhysAddr address, u32 size) const
{
    for (const MemoryRegion& region : regions_)
    {
        const u64 offset = u64{address} - region.base;
        const u64 bytes = region.bytes.size();
        if (offset < bytes)
            return static_cast<u32>(std::min<u64>(size, bytes - offset));
    }
    return 0;
}

u64 GuestMemory::count_bytes(PhysAddr address, u64 size) const
{
    u64 count = 0;
    for_each_part(address, size, [&](PhysAddr, std::span<u8> bytes) { count += bytes.size(); });
    return count;
}

void GuestMemory::write32(PhysAddr address, u32 value)
{
    const std::span<u8> bytes = find(address, 4);
    if (bytes.empty())
        return;
    for (u32 i = 0; i < 4; ++i)
        bytes[i] = static_cast<u8>(value >> (8 * i));
    did_write(address, 4);
}

} // namespace pica
