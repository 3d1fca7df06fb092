// SPDX-License-Identifier: MIT
// Traces of vertex and geometry programs: their last values are the software core's, for all bundled streams, and each
// step's operands lead to its result.
#include "pica/inspect/program_trace.h"

#include "pica/base/numeric.h"
#include "pica/inspect/replay.h"
#include "pica/memory/guest_memory.h"
#include "pica/soft/software_core.h"
#include "pica/trace/trace.h"
#include "tests/support/kept_report.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

using namespace pica;
using namespace tests;

namespace
{

struct Seen
{
    u64 vertices = 0, invocations = 0, steps = 0, operations = 0, flows = 0, primitives = 0;
};

// What the operands of simple instructions make.
void check_step(const Program& program, const ProgramStep& step, Seen& seen)
{
    ++seen.steps;
    seen.flows += step.is_flow;
    const Instruction& in = program.instruction(step.pc);
    const OperandDescriptor& descriptor = program.descriptor(in.descriptor);
    CHECK(step.writes == writes_destination(in.op));
    for (u32 c = 0; c < 4 && step.writes; ++c)
    {
        if (!descriptor.writes(c))
            continue;
        const f32 a = step.source[0][c], b = step.source[1][c], d = step.source[2][c];
        f32 expected = 0;
        switch (in.op)
        {
        case Opcode::Mov:
            expected = a;
            break;
        case Opcode::Add:
            expected = num::f24_add(a, b);
            break;
        case Opcode::Mul:
            expected = num::f24_mul(a, b);
            break;
        case Opcode::Mad:
            expected = num::f24_mad(a, b, d);
            break;
        case Opcode::Max:
            expected = num::f24_max(a, b);
            break;
        default:
            continue;
        }
        ++seen.operations;
        CHECK(num::as_bits(step.result[c]) == num::as_bits(expected));
    }
}

// The last write to each output register is what the trace ends with.
void check_outputs(const Program& program, const VertexTrace& trace)
{
    std::array<Vec4, 16> last{};
    for (const ProgramStep& step : trace.program.steps)
    {
        const Instruction& in = program.instruction(step.pc);
        if (step.writes && in.dst < kFirstTemporary)
            last[in.dst] = step.result;
    }
    for (u32 reg = 0; reg < 16; ++reg)
        for (u32 c = 0; c < 4; ++c)
            CHECK(num::as_bits(last[reg][c]) == num::as_bits(trace.outputs[reg][c]));
}

class Checker final : public ReplayObserver
{
public:
    Checker(Replay& replay, Seen& seen) : replay_(replay), seen_(seen) {}

    void before(std::size_t, const Draw* draw) override
    {
        if (!draw || ++draws_ > 60)
            return;
        const u32 count = draw->source.count;
        for (const u32 index : {0u, count / 3, count - 1})
        {
            const std::optional<VertexTrace> trace = trace_vertex(*draw, index, replay_.memory());
            REQUIRE(trace.has_value() == (index < count && draw->program != nullptr));
            if (!trace)
                continue;
            ++seen_.vertices;
            CHECK(trace->agrees);
            CHECK(trace->program.executed == trace->program.steps.size());
            for (const ProgramStep& step : trace->program.steps)
                check_step(*draw->program, step, seen_);
            check_outputs(*draw->program, *trace);
        }
        CHECK_FALSE(trace_vertex(*draw, count, replay_.memory()));
        const Carryover carryover = replay_.core().save_carryover();
        for (const u32 number : {0u, 1u, 7u})
        {
            const auto trace = trace_invocation(*draw, number, carryover, replay_.memory());
            if (!trace)
                continue;
            ++seen_.invocations;
            CHECK(trace->agrees);
            seen_.primitives += trace->primitives.size();
            for (const ProgramStep& step : trace->program.steps)
                check_step(*draw->geometry_unit.program, step, seen_);
        }
        CHECK_FALSE(trace_invocation(*draw, 1u << 20, carryover, replay_.memory()));
    }
    void after(std::size_t, const Draw*) override {}

private:
    Replay& replay_;
    Seen& seen_;
    u32 draws_ = 0; // of the stream
};

} // namespace

TEST_CASE(
    "program trace: vertices and geometry invocations of all bundled streams end with the core's values")
{
    Seen seen;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(PICAVK_SOURCE_DIR "/samples/streams"))
        files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const auto& file : files)
    {
        CAPTURE(file.string());
        const Result<Trace> trace = Trace::load(file.string());
        REQUIRE(trace);
        KeptReport report;
        const auto replay = Replay::create(*trace, report);
        REQUIRE(replay);
        Checker checker(**replay, seen);
        (*replay)->set_observer(&checker);
        (void)(*replay)->frame_end(0);
    }
    CHECK(seen.vertices > 500);
    CHECK(seen.invocations > 10);
    CHECK(seen.primitives > 10);
    CHECK(seen.steps > 10000);
    CHECK(seen.operations > 10000);
    CHECK(seen.flows > 500);
}
