// SPDX-License-Identifier: MIT
// Intersections of address ranges. A range from the guest or the embedder may begin outside of every memory
// region, span several regions, or be larger than all of memory. It ends at 2^32 and does not wrap
// [our rule]. All code that looks for the memory behind a range uses these functions. Tests:
// tests/pica/guest_memory_test.cpp.
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

} // namespace pica
