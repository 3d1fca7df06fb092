// SPDX-License-Identifier: MIT
// How many pixels a draw covers, for the budget of a kick: the same number whichever backend is asked,
// because the vertex stage is the same and always at 1x. Tests: tests/renderer/pixel_budget_test.cpp
#pragma once

#include "pica/soft/vertex_stage.h"

namespace pica::soft
{

class PixelCounter
{
public:
    // Runs the draw's vertices, for nothing but the number; guest memory must be current. carryover: what
    // earlier draws left.
    u64 count(const Draw& draw, const Carryover& carryover, const GuestMemory& memory);

private:
    class Silent final : public Report
    {
    public:
        void report(ReportKind, std::string_view, std::string_view) override {}
    };
    Silent silent_; // whoever draws reports
    VertexStage stage_{1};
};

} // namespace pica::soft
