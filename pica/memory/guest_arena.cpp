// SPDX-License-Identifier: MIT
// calloc maps blocks of this size from fresh zero pages, so nothing is committed before it is touched.
#include "pica/memory/guest_arena.h"

#include <algorithm>
#include <array>

namespace pica
{

namespace
{
constexpr std::size_t kAlignment = 4096;
}

GuestArena::Block::Block(std::size_t size) : owner(std::calloc(size + kAlignment, 1))
{
    if (!owner)
        return; // the host has no memory: the guest sees an empty region
    void* start = owner.get();
    std::size_t space = size + kAlignment;
    bytes = {static_cast<u8*>(std::align(kAlignment, size, start, space)), size};
}

GuestArena::GuestArena(u32 fcram_size)
    : GuestArena(std::array{MemoryRange{kVramBase, kVramSize}, MemoryRange{kFcramBase, fcram_size}})
{
}

GuestArena::GuestArena(std::span<const MemoryRange> ranges)
    : ranges_(ranges.begin(), ranges.end()), memory_(std::vector<MemoryRegion>())
{
    for (const MemoryRange& range : ranges_)
        blocks_.emplace_back(range.size);
    memory_ = GuestMemory(regions());
}

void GuestArena::commit(const MemoryRange& range)
{
    for (const MemoryRegion& region : memory_.regions())
    {
        const u64 begin = std::max<u64>(range.base, region.base);
        const u64 end = std::min(u64{range.base} + range.size, u64{region.base} + region.bytes.size());
        for (u64 at = begin; at < end; at = (at / kAlignment + 1) * kAlignment)
        {
            // A write, because a page that was only read is not committed.
            volatile u8* const byte = &region.bytes[std::size_t(at - region.base)];
            *byte = *byte;
        }
    }
}

std::vector<MemoryRegion> GuestArena::regions() const
{
    std::vector<MemoryRegion> regions;
    for (std::size_t i = 0; i < ranges_.size(); ++i)
        regions.push_back({ranges_[i].base, blocks_[i].bytes});
    return regions;
}

std::span<u8> GuestArena::region(PhysAddr base) const
{
    for (const MemoryRegion& region : memory_.regions())
        if (region.base == base)
            return region.bytes;
    return {};
}

} // namespace pica
