// SPDX-License-Identifier: MIT
// A report that keeps its lines.
#pragma once

#include "pica/base/report.h"

#include <string>
#include <string_view>
#include <vector>

namespace tests
{

class KeptReport final : public pica::Report
{
public:
    void report(pica::ReportKind, std::string_view cause, std::string_view detail) override
    {
        lines.push_back(std::string(cause) + ": " + std::string(detail));
    }
    std::vector<std::string> lines;
};

} // namespace tests
