// SPDX-License-Identifier: MIT
// What the descriptions of the engines beside the 3D core share: ranges of bytes, and the addresses in their
// registers.
#pragma once

#include "pica/base/report.h"
#include "pica/base/types.h"
#include "pica/memory/address_span.h"

#include <string_view>

namespace pica
{

class GuestMemory;

struct ByteRange
{
    PhysAddr begin = 0;
    u64 size = 0; // 0: nothing is touched
    bool operator==(const ByteRange&) const = default;
};

inline bool overlap(const ByteRange& a, const ByteRange& b)
{
    return overlap(a.begin, a.size, b.begin, b.size);
}

// Address registers hold the physical address >> 3; the engines work in units of 16 bytes [GBATEK].
PhysAddr engine_address(u32 word);

// Reports a range that is not wholly inside memory.
void report_outside(const GuestMemory& memory, ByteRange range, std::string_view cause, Report& report);

} // namespace pica
