// SPDX-License-Identifier: MIT
#include "samples/cli/console_report.h"

#include <cstdio>

namespace samples
{

void ConsoleReport::report(pica::ReportKind kind, std::string_view cause, std::string_view detail)
{
    const std::lock_guard lock(mutex_);
    std::string line;
    switch (kind)
    {
    case pica::ReportKind::Missing:
        line = "missing: ";
        break;
    case pica::ReportKind::Guest:
        line = "guest: ";
        break;
    case pica::ReportKind::Info:
        if (!verbose_)
            return;
        line = "info: ";
        break;
    }
    line += cause;
    if (!seen_.insert(line).second)
        return;
    if (kind != pica::ReportKind::Missing && !detail.empty())
    {
        line += ": ";
        line += detail;
    }
    std::fprintf(stderr, "%s\n", line.c_str());
}

} // namespace samples
