// SPDX-License-Identifier: MIT
#include "pica/command/guest_report.h"

#include <cstdio>

namespace pica
{

void report_guest(Report& report, std::string_view cause, const char* format, u32 a, u32 b)
{
    char detail[96];
    std::snprintf(detail, sizeof detail, format, a, b);
    report.report(ReportKind::Guest, cause, detail);
}

} // namespace pica
