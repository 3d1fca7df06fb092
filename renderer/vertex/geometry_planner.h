// SPDX-License-Identifier: MIT
// GeometryPlanner: decides whether and how the device runs the geometry program of a draw. That is: which vertices make
// which invocation, whether invocations run side by side or one after the other, whether the program is compiled or
// interpreted, and which parts there are. Tests: tests/renderer/geometry_executor_test.cpp.
#pragma once

#include "pica/memory/guest_memory.h"
#include "pica/shader/geometry_analysis.h"
#include "pica/state/draw.h"
#include "renderer/vertex/geometry_work.h"

#include <optional>

namespace pica
{
class VertexStage;
}

namespace renderer
{

class RunawayPrograms;
class VertexPrograms;

// Not thread-safe.
class GeometryPlanner
{
public:
    struct Choices
    {
        bool interpret = false; // every program is interpreted, for tests
        bool serial = false;    // invocations may run one after the other, for tests
    };
    GeometryPlanner(VertexPrograms& programs, RunawayPrograms& runaways, pica::Report& report,
                    const Choices& choices)
        : programs_(programs), runaways_(runaways), report_(report), choices_(choices)
    {
    }

    // The plan of a draw whose vertex work the device can do otherwise. assembler_on_device: earlier draws left the
    // assembler's state there. No plan: the CPU must do the draw, because the CPU holds inputs of an incomplete
    // invocation, or invocations would have to run one after the other, or workers have yet to compile a program (they
    // are asked for it), or it is too much for the device.
    std::optional<GeometryPlan> plan(const pica::Draw& draw, const pica::VertexStage& stage,
                                     const pica::GuestMemory& guest, bool assembler_on_device);
    // To be called once per frame.
    void end_frame() { frame_++; }

private:
    struct Analysed
    {
        u64 program = 0;
        pica::LoopCounts integers{};
        u16 bools = 0;
        u16 output_mask = 0;
        pica::GeometryAnalysis analysis;
    };
    const pica::GeometryAnalysis& analyse(const pica::Draw& draw);
    bool plan_inputs(const pica::Draw& draw, const pica::GuestMemory& guest, GeometryPlan& plan,
                     bool& same_size);
    bool plan_program(const pica::Draw& draw, const pica::GeometryAnalysis& analysis, GeometryPlan& plan);
    bool divide(GeometryPlan& plan) const;

    VertexPrograms& programs_;
    RunawayPrograms& runaways_;
    pica::Report& report_;
    const Choices choices_;
    u64 frame_ = 1;
    u64 cpu_until_ = 0;              // before this frame the CPU runs all draws with geometry programs
    std::vector<Analysed> analysed_; // the most recent analyses
};

} // namespace renderer
