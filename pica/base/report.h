// SPDX-License-Identifier: MIT
// Where anomalies of the guest and gaps of the renderer are told. The caller supplies the sink; nothing in
// the library prints. Guest data never asserts: it gets a defined result and one report per cause.
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
    Missing, // a guest feature that is not built yet and was left out of the picture; cause is the NAME of
             // `missing: NAME`
    Guest,   // the guest did something undefined or illegal; survived with a defined result
    Info,    // driver choices, fallbacks taken
};

class Report
{
public:
    virtual ~Report() = default;
    // cause: a short constant that identifies the kind of anomaly ("vertex stride mismatch"); detail: this
    // instance.
    virtual void report(ReportKind kind, std::string_view cause, std::string_view detail) = 0;
};

// Passes the first report of each (kind, cause) on and counts the rest.
class OnceReport final : public Report
{
public:
    explicit OnceReport(Report* sink) : sink_(sink) {}
    void report(ReportKind kind, std::string_view cause, std::string_view detail) override;
    // Number of reports seen per "kind-prefixed cause", first ones included.
    const std::map<std::string, u64, std::less<>>& counts() const { return counts_; }

private:
    Report* sink_;
    std::map<std::string, u64, std::less<>> counts_;
};

} // namespace pica
