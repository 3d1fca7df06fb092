// SPDX-License-Identifier: MIT
#include "pica/base/report.h"

namespace pica
{

void OnceReport::report(ReportKind kind, std::string_view cause, std::string_view detail)
{
    std::string key(1, static_cast<char>('0' + static_cast<int>(kind)));
    key += cause;
    if (++counts_[key] == 1 && sink_)
        sink_->report(kind, cause, detail);
}

} // namespace pica
