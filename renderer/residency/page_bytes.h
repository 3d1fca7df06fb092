// SPDX-License-Identifier: MIT
// PageBytes: bytes of one page of guest memory, from the first to the last of some.
#pragma once

#include "pica/base/types.h"

#include <algorithm>

namespace renderer
{

struct PageBytes
{
    // Offsets in the page, up to its size. end is exclusive; equal: none.
    pica::u16 begin = 0, end = 0;

    bool empty() const { return begin == end; }
    bool overlaps(const PageBytes& other) const
    {
        return std::max(begin, other.begin) < std::min(end, other.end);
    }
    bool contains(const PageBytes& other) const { return begin <= other.begin && other.end <= end; }
    // Grows to the smallest range that also has these bytes.
    void add(const PageBytes& other)
    {
        if (other.empty())
            return;
        begin = empty() ? other.begin : std::min(begin, other.begin);
        end = std::max(end, other.end);
    }
};

} // namespace renderer
