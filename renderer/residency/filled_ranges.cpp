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

const FillPattern* FilledRanges::covering(PhysAddr address, u64 size) const
{
    const auto found = std::find_if(fills_.begin(), fills_.end(),
                                    [&](const FillPattern& fill) {
                                        return fill.address <= address &&
                                               u64{address} + size <= u64{fill.address} + fill.size;
                                    });
    return found == fills_.end() ? nullptr : &*found;
}

void FilledRanges::append_to(std::vector<pica::AddressSpan>& ranges) const
{
    for (const FillPattern& fill : fills_)
        ranges.push_back({fill.address, u64{fill.address} + fill.size});
}

} // namespace renderer
