// SPDX-License-Identifier: MIT
#include "pica/transfer/engine_range.h"

#include "pica/memory/guest_memory.h"

#include <cstdio>

namespace pica
{

PhysAddr engine_address(u32 word)
{
    return (word << 3) & ~15u;
}

void report_outside(const GuestMemory& memory, ByteRange range, std::string_view cause, Report& report)
{
    if (range.size == 0 || !memory.span(range.begin, range.size).empty())
        return;
    char detail[64];
    std::snprintf(detail, sizeof(detail), "0x%08X, %llu bytes", range.begin,
                  static_cast<unsigned long long>(range.size));
    report.report(ReportKind::Guest, cause, detail);
}

} // namespace pica
