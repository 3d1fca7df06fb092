// SPDX-License-Identifier: MIT
#include "renderer/vertex/vertex_budget.h"

#include "pica/shader/cost.h"
#include "pica/shader/flow.h"
#include "renderer/vertex/geometry_work.h"

#include <algorithm>

namespace renderer
{

namespace
{

using pica::GeometryFeed;
using pica::GeometryMode;

// The fewest vertices that make an invocation of a geometry program.
u32 vertices_of_invocation(const GeometryFeed& feed)
{
    switch (feed.mode)
    {
    case GeometryMode::Point:
        return std::max(u32{feed.inputs} / std::max(u32{feed.attributes}, 1u), 1u);
    case GeometryMode::Variable:
        return 2; // an index is the number of vertices
    case GeometryMode::Fixed:
        break;
    }
    return std::max(u32{feed.vertices}, 1u);
}

} // namespace

u32 VertexBudget::Charge::of(const pica::Program& asked, const pica::ShaderUniforms& uniforms)
{
    if (program != asked.id() || !pica::are_same(integers, uniforms.i) || instructions == 0)
    {
        program = asked.id();
        integers = uniforms.i;
        instructions = pica::instruction_charge(asked, uniforms);
        if (instructions == pica::kUnboundedCharge) // the program may run more than this
            instructions = pica::kVertexBudget;
    }
    return instructions;
}

u64 VertexBudget::work_of(const pica::Draw& draw)
{
    if (!draw.program || !draw.uniforms)
        return 0;
    const u64 charge = vertex_.of(*draw.program, *draw.uniforms);
    const pica::GeometryUnit& unit = draw.geometry_unit;
    if (unit.feed.enabled == 0 || !unit.program || !unit.uniforms)
        return std::min(draw.source.count, 3 * kMostPartTriangles) * charge;
    // Each part of such a draw shades all of its vertices.
    const u64 invocations = draw.source.count / vertices_of_invocation(unit.feed) + 1;
    return draw.source.count * charge + invocations * geometry_.of(*unit.program, *unit.uniforms);
}

bool VertexBudget::must_submit(u64 work) const
{
    return serial_ == stream_.current() && work_ != 0 && is_too_much(work_ + work);
}

void VertexBudget::add(u64 work)
{
    if (serial_ != stream_.current())
        work_ = 0;
    serial_ = stream_.current();
    work_ += work;
    batch_work_ += work;
}

void VertexBudget::begin(VkCommandBuffer cmd)
{
    const WorkTimer::Totals& totals = timer_.totals();
    speed_.measured(totals.items - seen_.items, totals.ns - seen_.ns);
    seen_ = totals;
    if (batch_work_ >= VertexSpeed::kLeastMeasured)
        timer_.begin(cmd, batch_work_);
}

void VertexBudget::end(VkCommandBuffer cmd)
{
    timer_.end(cmd);
    batch_work_ = 0;
}

} // namespace renderer
