// SPDX-License-Identifier: MIT
// Intersections of address ranges, and the pages that ranges touch. A range from the guest or the embedder
// may begin outside of every memory region, span several regions, or be larger than all of memory. It ends
// at 2^32 and does not wrap [our rule]. All code that looks for the memory behind a range uses these
// functions. Tests: tests/pica/guest_memory_test.cpp.
#pragma once

#include "pica/base/types.h"

#include <algorithm>

namespace pica
{

struct AddressSpan
{
    u64 begin = 0;
    u64 end = 0; // exclusive, at most 2^32
    constexpr bool empty() const { return begin >= end; }
    constexpr u64 size() const { return end - begin; }
};

// The intersection of [address, address + size) and [begin, end); {0, 0} if it is empty.
constexpr AddressSpan shared_span(PhysAddr address, u64 size, u64 begin, u64 end)
{
    constexpr u64 kEnd = u64{1} << 32;
    const u64 last = std::min(address + std::min(size, kEnd), kEnd);
    const AddressSpan shared{std::max(u64{address}, begin), std::min(last, end)};
    return shared.empty() ? AddressSpan{} : shared;
}

// Do two ranges share a byte?
constexpr bool overlap(PhysAddr a, u64 a_size, PhysAddr b, u64 b_size)
{
    return !shared_span(a, a_size, b, b + b_size).empty();
}

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
