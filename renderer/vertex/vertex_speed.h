// SPDX-License-Identifier: MIT
// VertexSpeed: an estimate of how long a device takes for vertex work, from measurements. It errs towards slow: it follows
// a slow measurement at once and fast ones little by little, because programs rarely run all instructions that they may
// run. Tests: tests/renderer/vertex_budget_test.cpp
#pragma once

#include "pica/base/types.h"

#include <algorithm>

namespace renderer
{

class VertexSpeed
{
public:
    // Work below this says nothing: barriers and the start of dispatches take as long.
    static constexpr pica::u64 kLeastMeasured = 1'000'000;
    // The time of a thousand instructions of a guest program, in nanoseconds: before anything was measured, and the least
    // and the most that measurements make of it. [our choice: a phone's GPU of 10^11 operations a second, 50 for each
    // instruction, with a margin of 4; a desktop's; and no more, since a measurement may have been disturbed, and nobody
    // would measure again if the device got no work any more]
    static constexpr double kUnknownNs = 2000.0;
    static constexpr double kLeastNs = kUnknownNs / 32.0;
    static constexpr double kMostNs = kUnknownNs * 4.0;

    // The device took so long for so much work.
    void measured(pica::u64 work, pica::u64 ns)
    {
        if (work < kLeastMeasured)
            return;
        const double now = double(ns) * 1000.0 / double(work);
        const double before = ns_per_thousand_ * 0.875;
        ns_per_thousand_ = std::clamp(std::max(now, before), kLeastNs, kMostNs);
    }
    pica::u64 ns_of(pica::u64 work) const
    {
        return static_cast<pica::u64>(double(work) * ns_per_thousand_ / 1000.0);
    }

private:
    double ns_per_thousand_ = kUnknownNs;
};

} // namespace renderer
