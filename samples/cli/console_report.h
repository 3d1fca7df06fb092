// SPDX-License-Identifier: MIT
// The report sink of the program: prints one line on stderr for the first report of each kind and cause.
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
    // Prints `missing: NAME` for features that do not exist here and `guest: CAUSE: DETAIL` for anomalies of
    // the guest. Prints Info only if verbose.
    explicit ConsoleReport(bool verbose = false) : verbose_(verbose) {}
    void report(pica::ReportKind kind, std::string_view cause, std::string_view detail) override;
    // Forgets which reports were printed (for the next stream).
    void forget() { seen_.clear(); }

private:
    bool verbose_;
    std::mutex mutex_; // validation layers may call from a driver thread
    std::set<std::string, std::less<>> seen_;
};

} // namespace samples
