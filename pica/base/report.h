// SPDX-License-Identifier: MIT
// Reports about the guest's anomalies and the renderer's gaps. The caller supplies the sink; the library
// itself prints nothing. Guest data never triggers an assertion: it gets a defined result, and one report per
// cause.
#pragma once

#include "pica/base/types.h"

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace pica
{

enum class ReportKind : u8
{
    // A guest feature that does not exist here and is left out of the picture. The cause is the NAME of the
    // line `missing: NAME`.
    Missing,
    // The guest did something undefined or illegal. The result is defined.
    Guest,
    // Choices for a driver, fallbacks taken.
    Info,
};

class Report
{
public:
    virtual ~Report() = default;
    // cause: a short constant that identifies the kind of anomaly ("vertex stride mismatch"); detail: this
    // instance.
    virtual void report(ReportKind kind, std::string_view cause, std::string_view detail) = 0;
};

// Passes on the first report of each kind and cause, and counts the others.
class OnceReport final : public Report
{
public:
    explicit OnceReport(Report* sink) : sink_(sink) {}
    void report(ReportKind kind, std::string_view cause, std::string_view detail) override;
    // Number of reports for each cause with its kind in front, the first report included.
    const std::map<std::string, u64, std::less<>>& counts() const { return counts_; }

private:
    Report* sink_;
    std::map<std::string, u64, std::less<>> counts_;
};

} // namespace pica
