// SPDX-License-Identifier: MIT
#include "renderer/vertex/geometry_planner.h"

#include "pica/state/draw_limits.h"
#include "pica/state/index_reader.h"
#include "pica/vertex/vertex_stage.h"
#include "renderer/vertex/runaway_programs.h"
#include "renderer/vertex/vertex_programs.h"
#include "shadergen/geometry_interpreter.h"
#include "shaders/include/layout.h"

#include <algorithm>

namespace renderer
{

using pica::GeometryFeed;
using pica::GeometryMode;
using pica::Topology;

namespace
{

constexpr u32 kPartDispatches = 64;
constexpr u32 kMaxParts = 64; // draws with more parts go to the CPU
// The most dispatches of a part that is interpreted one after the other, which only happens where it is forced
// (SerialGeometryChoice). A dispatch that uses all its rounds may take tens of milliseconds, and a part is a submission.
constexpr u32 kInterpretedPartDispatches = 24;
// The most such dispatches in all draws that are not known to be done, so that guest programs cannot occupy
// the device for minutes. The second number is for one draw where interpretation is forced.
constexpr u32 kInterpretedDispatches = 64;
constexpr u32 kForcedDispatches = 256;
constexpr std::size_t kAnalysedKept = 64;
// After a draw that only the CPU may run, the CPU runs all of them for so many frames. Else the registers of the unit would
// go to the device and back, and the CPU would wait for them.
constexpr u64 kCpuFrames = 60;

} // namespace

const pica::GeometryAnalysis& GeometryPlanner::analyse(const pica::Draw& draw)
{
    const pica::GeometryUnit& unit = draw.geometry_unit;
    for (const Analysed& a : analysed_)
        if (a.program == unit.program->id() && pica::are_same(a.integers, unit.uniforms->i) &&
            a.bools == unit.uniforms->b && a.output_mask == unit.feed.output_mask)
            return a.analysis;
    if (analysed_.size() >= kAnalysedKept)
        analysed_.clear();
    analysed_.push_back({unit.program->id(), unit.uniforms->i, unit.uniforms->b, unit.feed.output_mask,
                         pica::analyse_geometry(*unit.program, *unit.uniforms, unit.feed.output_mask)});
    return analysed_.back().analysis;
}

// Determines which vertices make which invocation. same_size becomes false if invocations differ in size.
// False: the draw goes to the CPU.
bool GeometryPlanner::plan_inputs(const pica::Draw& draw, const pica::GuestMemory& guest, GeometryPlan& plan,
                                  bool& same_size)
{
    const GeometryFeed& feed = draw.geometry_unit.feed;
    const u32 count = draw.source.count;
    if (feed.mode == GeometryMode::Variable)
    {
        const pica::IndexReader index(draw.source, count, guest, report_);
        u32 largest = 0;
        for (u32 i = 0; i < count;)
        {
            const u32 vertices = index[i++];
            if (vertices == 0)
            {
                report_.report(pica::ReportKind::Guest, "geometry shader primitive without vertices",
                               "skipped");
                continue;
            }
            if (vertices > count - i)
            {
                report_.report(pica::ReportKind::Guest, "geometry shader primitive past the indices",
                               "dropped");
                break;
            }
            same_size = same_size && (plan.vertices.empty() || vertices == plan.vertices[1]);
            plan.vertices.push_back(i);
            plan.vertices.push_back(vertices);
            largest = std::max(largest, vertices);
            i += vertices;
        }
        plan.invocations = static_cast<u32>(plan.vertices.size() / 2);
        const u32 full = std::min<u32>(largest, feed.full_vertices);
        plan.fed = 1 + full * feed.attributes + (largest - full);
        return plan.invocations != 0;
    }
    if (feed.mode == GeometryMode::Fixed)
    {
        plan.invocations = count / feed.vertices;
        plan.first_uniform = feed.first_uniform;
        plan.fed = u32{feed.vertices} * feed.attributes;
        plan.left = count % feed.vertices;
        // An unfinished invocation of immediate mode may be completed by later vertices, which the CPU does.
        return plan.invocations != 0 && (plan.left == 0 || draw.source.inline_attributes == 0);
    }
    const u32 vertices = feed.inputs / feed.attributes;
    plan.invocations = count / vertices;
    // An unfinished invocation may be completed by later vertices of immediate mode, which the CPU does.
    return plan.invocations != 0 && count % vertices == 0;
}

// Chooses between the compiled program and the interpreter. False: neither may run now.
bool GeometryPlanner::plan_program(const pica::Draw& draw, const pica::GeometryAnalysis& analysis,
                                   GeometryPlan& plan)
{
    const pica::Program& program = *draw.geometry_unit.program;
    const u64 generated_rounds = shadergen::generated_rounds(program, analysis, plan.assembles);
    plan.interpreted = choices_.interpret || generated_rounds > shadergen::kGeneratedRounds ||
                       !programs_.geometry_ready(draw, plan.assembles);
    plan.rounds = shadergen::kInterpretedOwnRounds + analysis.instructions +
                  u64{shadergen::kInterpretedPrimitiveRounds} * analysis.primitives;
    plan.per_dispatch = static_cast<u32>(std::max<u64>(shadergen::kGeneratedRounds / generated_rounds, 1));
    return !plan.interpreted || choices_.interpret ||
           (!runaways_.is_runaway(program.id()) && programs_.interpreters_ready(program));
}

std::optional<GeometryPlan> GeometryPlanner::plan(const pica::Draw& draw, const pica::VertexStage& stage,
                                                  const pica::GuestMemory& guest, bool assembler_on_device)
{
    const pica::GeometryUnit& unit = draw.geometry_unit;
    // The CPU holds inputs that an earlier draw left, and goes on with them.
    if (!unit.program || !unit.uniforms ||
        (unit.continues != 0 && unit.reset == 0 && stage.geometry().collected() != 0))
        return std::nullopt;
    std::optional<GeometryPlan> result(std::in_place);
    GeometryPlan& plan = *result;
    bool same_size = true;
    if (!plan_inputs(draw, guest, plan, same_size))
        return std::nullopt;

    const pica::GeometryAnalysis& analysis = analyse(draw);
    const bool running = draw.source.topology != Topology::TriangleList;
    const bool goes_on = draw.source.restart == 0 && (assembler_on_device || stage.pending() != 0);
    plan.assembles = running || goes_on;
    plan.largest = running ? 3 : 1;
    plan.assembly = (draw.source.topology == Topology::TriangleStrip ? 1u
                     : draw.source.topology == Topology::TriangleFan ? 2u
                                                                     : 0u)
                    << GEOMETRY_TOPOLOGY_SHIFT;
    plan.assembly |= draw.source.restart != 0 ? GEOMETRY_RESTARTS : 0;
    const u64 all_primitives = u64{plan.invocations} * analysis.primitives;
    const bool independent =
        analysis.parallel && same_size && !plan.assembles && all_primitives <= pica::kMaxDrawPrimitives;
    if (!independent && !choices_.serial)
        cpu_until_ = frame_ + kCpuFrames;
    if (frame_ < cpu_until_ || !plan_program(draw, analysis, plan))
        return std::nullopt;
    const bool in_one_dispatch = !plan.interpreted || plan.rounds <= shadergen::kInterpretedRounds;
    plan.parallel = independent && in_one_dispatch;
    if (!plan.parallel && !choices_.serial)
        return std::nullopt;
    plan.emit_parity = plan.parallel ? analysis.emit_parity : 0;
    plan.primitives = analysis.primitives;
    const bool sees_run_bit = analysis.tests_run_bit && (unit.uniforms->b & kGeometryRunBit) == 0 &&
                              (unit.written_bools != 0 || unit.reset != 0 || !stage.geometry().has_run());
    plan.first_alone = plan.parallel && sees_run_bit ? 1 : 0;
    if (!divide(plan))
        return std::nullopt;
    return result;
}

// Divides the draw into parts. False: there would be too many, or too many dispatches in flight.
bool GeometryPlanner::divide(GeometryPlan& plan) const
{
    plan.per_part = std::max(kMostPartTriangles / std::max(plan.largest * plan.primitives, 1u), 1u);
    if (!plan.parallel)
    {
        const u64 most = plan.interpreted
                             ? u64{kInterpretedPartDispatches} * shadergen::kInterpretedRounds / plan.rounds
                             : u64{plan.per_dispatch} * kPartDispatches;
        plan.per_part = static_cast<u32>(std::clamp<u64>(most, 1, plan.per_part));
    }
    plan.parts = (plan.invocations + plan.per_part - 1) / plan.per_part;
    if (plan.parts > kMaxParts)
        return false;
    if (!plan.interpreted || plan.parallel)
        return true;
    plan.dispatches = plan.parts * plan.dispatches_of(plan.per_part);
    return plan.dispatches <= (choices_.interpret
                                   ? kForcedDispatches
                                   : kInterpretedDispatches - runaways_.dispatches_in_flight());
}

u32 GeometryPlan::dispatches_of(u32 invocation_count) const
{
    // A dispatch of the interpreter uses all its rounds, or finishes the work.
    return interpreted ? static_cast<u32>(invocation_count * rounds / shadergen::kInterpretedRounds) + 1
                       : (invocation_count + per_dispatch - 1) / per_dispatch;
}

} // namespace renderer
