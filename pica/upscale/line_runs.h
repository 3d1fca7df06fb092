// SPDX-License-Identifier: MIT
// Runs of lines of a page that have something, or lack it.
#pragma once

#include "pica/upscale/plane_tracker.h"

#include <algorithm>
#include <bit>

namespace pica
{

// The bytes [begin, end) of a page, cut into runs of lines that are in `lines` or are not: visit(bool, begin, end).
template <typename Visit>
void for_each_run(u64 lines, u32 begin, u32 end, Visit visit)
{
    constexpr u32 kLine = PlaneTracker::kLineBytes;
    while (begin < end)
    {
        const u32 line = begin / kLine;
        const bool set = (lines >> line & 1) != 0;
        const u64 rest = (set ? ~lines : lines) >> line;
        const u32 next = rest == 0 ? kPageSize : (line + static_cast<u32>(std::countr_zero(rest))) * kLine;
        visit(set, begin, std::min(next, end));
        begin = next;
    }
}

} // namespace pica
