// SPDX-License-Identifier: MIT
// The size of a page of guest memory, and the pages of a memory region that an address range touches.
#pragma once

#include "pica/memory/address_span.h"

#include <algorithm>

namespace pica
{

inline constexpr u32 kPageShift = 12;
inline constexpr u32 kPageSize = 1u << kPageShift; // bytes

// Pages are numbered within their region. Page 0 is the one that contains the region's first byte, wherever in
// the page that lies.
struct PageRange
{
    u32 first = 0;
    u32 last = 0; // exclusive
};

// The pages of the region [begin, end) that the range touches; none if they do not overlap.
inline PageRange touched_pages(u64 begin, u64 end, PhysAddr address, u64 size)
{
    const AddressSpan part = shared_span(address, size, begin, end);
    if (part.empty())
        return {};
    const u64 first_page = begin >> kPageShift;
    return {static_cast<u32>((part.begin >> kPageShift) - first_page),
            static_cast<u32>(((part.end - 1) >> kPageShift) - first_page + 1)};
}

// The addresses of a page of the region [begin, end). The first and the last page of a region may be cut.
inline AddressSpan page_span(u64 begin, u64 end, u32 page)
{
    const u64 first = ((begin >> kPageShift) + page) << kPageShift;
    return {std::max(first, begin), std::min(first + kPageSize, end)};
}

} // namespace pica
