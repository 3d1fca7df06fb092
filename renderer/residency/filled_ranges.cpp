// SPDX-License-Identifier: MIT
#include "renderer/residency/filled_ranges.h"

#include <algorithm>

namespace renderer
{

namespace
{

// A frame draws to a few targets of two buffers each.
constexpr std::size_t kMostFills = 16;

} // namespace

void FilledRanges::add(const FillPattern& fill)
{
    if (fill.size == 0)
        return;
    written(fill.address, fill.size);
    if (fills_.size() == kMostFills)
        fills_.erase(fills_.begin());
    fills_.push_back(fill);
}

void FilledRanges::written(PhysAddr address, u64 size)
{
    std::erase_if(fills_, [&](const FillPattern& fill)
                  { return pica::overlap(fill.address, fill.size, address, size); });
}

std::optional<u32> FilledRanges::pixel_of(const SurfaceKey& key, u32 bytes) const
{
    for (const FillPattern& fill : fills_)
        if (fill.address <= key.address && u64{key.address} + bytes <= u64{fill.address} + fill.size)
            return SurfaceConverter::uniform_pixel(key, fill);
    return std::nullopt;
}

void FilledRanges::append_to(std::vector<pica::AddressSpan>& ranges) const
{
    for (const FillPattern& fill : fills_)
        ranges.push_back({fill.address, u64{fill.address} + fill.size});
}

} // namespace renderer
