// SPDX-License-Identifier: MIT
// How many pixels a draw may cover, for the budget of a kick (VertexStage::covered_pixels). Every backend
// returns the same number, because the vertex stage is the same and its own here, at 1x. Tests:
// tests/renderer/pixel_budget_test.cpp
#pragma once

#include "pica/vertex/vertex_stage.h"

namespace pica::soft
{

class PixelCounter
{
public:
    // Runs the draw's vertices only to get the number. Guest memory must be up to date. carryover: what
    // earlier draws left behind.
    u64 count(const Draw& draw, const Carryover& carryover, const GuestMemory& memory);

private:
    class Silent final : public Report
    {
    public:
        void report(ReportKind, std::string_view, std::string_view) override {}
    };
    Silent silent_; // the backend that draws makes the reports
    VertexStage stage_{1};
};

} // namespace pica::soft
