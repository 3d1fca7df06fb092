// SPDX-License-Identifier: MIT
// Report sink of the program: one line on stderr for the first report of each kind and cause.
#pragma once

#include "pica/base/report.h"

#include <functional>
#include <mutex>
#include <set>
#include <string>

namespace samples
{

class ConsoleReport final : public pica::Report
{
public:
    // `missing: NAME` for what is not built yet, `guest: CAUSE: DETAIL` for anomalies; Info only when
    // verbose.
    explicit ConsoleReport(bool verbose = false) : verbose_(verbose) {}
    void report(pica::ReportKind kind, std::string_view cause, std::string_view detail) override;
    // Starts the counting of kinds anew (next stream).
    void forget() { seen_.clear(); }

private:
    bool verbose_;
    std::mutex mutex_; // validation layers may call from a driver thread
    std::set<std::string, std::less<>> seen_;
};

} // namespace samples
