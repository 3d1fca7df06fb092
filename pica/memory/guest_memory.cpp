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
    {
        pages_.add_region(region.base, region.bytes.size());
        contents_.add_region(region.base, region.bytes);
    }
}

void GuestMemory::did_write(PhysAddr address, u64 size)
{
    pages_.did_write(address, size);
    contents_.announced(address, size);
}

void GuestMemory::cpu_wrote(PhysAddr address, u64 size, OnDevice on_device)
{
    if (on_device == OnDevice::Beside)
    {
        pages_.did_write(address, size);
        contents_.announced_beside(address, size);
        return;
    }
    if (size < kLargeAnnouncement)
        return did_write(address, size);
    contents_.drop_from_device(address, size,
                               [&](AddressSpan page)
                               { pages_.did_write(static_cast<PhysAddr>(page.begin), page.size()); });
    may_have_written(address, size);
}

void GuestMemory::may_have_written(PhysAddr address, u64 size)
{
    contents_.may_have_changed(address, size);
    pages_.advance();
}

std::vector<AddressSpan> GuestMemory::settle(PhysAddr address, u64 size) const
{
    std::vector<AddressSpan> changed;
    contents_.settle(address, size,
                     [&](AddressSpan page)
                     {
                         changed.push_back(page);
                         pages_.did_write(static_cast<PhysAddr>(page.begin), page.size());
                     });
    return changed;
}

void GuestMemory::device_will_write(PhysAddr address, u64 size, PageContents::Overwrites overwrites)
{
    contents_.device_writes(address, size, overwrites);
    pages_.device_wrote(address, size);
}

void GuestMemory::device_wrote(PhysAddr address, u64 size, PageContents::Overwrites overwrites)
{
    pages_.did_write(address, size);
    device_will_write(address, size, overwrites);
}

void GuestMemory::made_current(PhysAddr address, u64 size)
{
    pages_.made_current(address, size);
    contents_.read_back(address, size);
}

u64 GuestMemory::generation(PhysAddr address, u64 size) const
{
    (void)settle(address, size);
    contents_.taken(address, size);
    return pages_.generation(address, size);
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
