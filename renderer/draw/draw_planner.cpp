// SPDX-License-Identifier: MIT
#include "renderer/draw/draw_planner.h"

#include "pica/state/target_memory.h"
#include "renderer/draw/draw_ranges.h"

namespace renderer
{

namespace
{

bool emits(const pica::Draw& draw)
{
    return draw.geometry_unit.feed.enabled != 0;
}

bool has_pixels(const pica::Draw& draw)
{
    return draw.scissor.x2 > draw.scissor.x1 && draw.scissor.y2 > draw.scissor.y1;
}

} // namespace

// The CPU reads indices and attributes from guest memory. The device may hold newer bytes of them.
pica::IndexRange DrawPlanner::make_vertices_current(const pica::Draw& draw)
{
    const pica::VertexSource& source = draw.source;
    if (source.count == 0)
        return {};
    if (source.indexed)
        parts_.residency.make_current(source.index_address, index_bytes(source));
    if (source.indexed && !parts_.executor && !parts_.targets.any_dirty() && !parts_.mirror.any_newer())
    {
        // Nothing but the open batch is newer on the device here. The indices need to be scanned only where
        // attributes may overlap the targets of that batch.
        bool may_overlap = false;
        for_each_attribute_range(source, {0, source.index16 ? 0xFFFFu : 0xFFu},
                                 [&](const pica::FetchInput&, PhysAddr address, u64 size)
                                 { may_overlap = may_overlap || parts_.collected.overlap(address, size); });
        if (!may_overlap)
            return {};
    }
    const pica::IndexRange range = pica::index_range(source, parts_.guest);
    for_each_attribute_range(source, range,
                             [&](const pica::FetchInput&, PhysAddr address, u64 size)
                             { parts_.residency.make_current(address, size); });
    return range;
}

bool DrawPlanner::prepare(const pica::Draw& draw, PreparedDraw& prepared)
{
    prepared.vertices = make_vertices_current(draw);
    prepared.viewport = choose_viewport(draw.geometry, facts_.scale, parts_.device.properties.limits);
    const bool coverage_in_shader = facts_.coverage_in_shader || prepared.viewport.size == 0;
    if (coverage_in_shader)
        prepared.viewport = target_viewport(draw.target, facts_.scale);
    parts_.chooser.choose(draw, coverage_in_shader, prepared);
    if (parts_.executor && !emits(draw))
        parts_.executor->return_assembler(draw.source.restart != 0, parts_.vertex_stage);
    prepared.on_device = device_takes(draw, prepared);
    if (prepared.on_device)
        leave_to_device(draw, prepared);
    else
        run_on_cpu(draw, prepared);
    return prepared.triangles != 0 && has_pixels(draw) &&
           pica::target_in_memory(draw, parts_.guest, parts_.report);
}

bool DrawPlanner::device_takes(const pica::Draw& draw, PreparedDraw& prepared)
{
    // Barrier groups and depth splits are made from the snapped triangles, so those must be on the CPU.
    return parts_.executor && !target_is_beyond(parts_.mirror, draw) &&
           !vertices_are_beyond(parts_.mirror, draw, prepared.vertices) &&
           !prepared.specialised.coverage_in_shader && !parts_.chooser.needs_groups(prepared.specialised) &&
           !prepared.failing && parts_.executor->accepts(draw) && (!emits(draw) || takes_geometry(draw)) &&
           plan_parts(draw, prepared);
}

// May the device run the draw's geometry program? Every reason to drop the draw is checked here: a draw that
// was dropped later would not advance the geometry shader unit. The CPU runs such draws.
bool DrawPlanner::takes_geometry(const pica::Draw& draw)
{
    const bool has_target = draw.fragment.output != pica::OutputClass::None || draw.target.has_depth;
    return has_target && has_pixels(draw) && pica::target_in_memory(draw, parts_.guest, parts_.report) &&
           parts_.executor->accepts_geometry(draw, parts_.vertex_stage, parts_.guest) &&
           (parts_.executor->geometry_parts() == 1 || !samples_target(draw));
}

// Divides draws of many triangles into parts. False: the draw cannot be divided, and the CPU does it.
bool DrawPlanner::plan_parts(const pica::Draw& draw, PreparedDraw& prepared)
{
    const u32 most = parts_.states.flat_records(prepared.specialised) ? VertexExecutor::kPartTriangles
                                                                      : parts_.executor->texel_triangles();
    const u32 pending = parts_.vertex_stage.pending_vertices(draw).count;
    const u32 triangles = parts_.executor->triangle_bound(draw, pending);
    if (emits(draw))
    {
        if (triangles > most)
            return false;
        prepared.parts = parts_.executor->geometry_parts();
        return true;
    }
    if (triangles <= most)
        return true;
    // A later part would sample what an earlier part drew. The triangles of a fan share a vertex.
    if (draw.source.topology == pica::Topology::TriangleFan || samples_target(draw))
        return false;
    prepared.part_triangles = most;
    prepared.parts = (triangles + most - 1) / most;
    return true;
}

void DrawPlanner::leave_to_device(const pica::Draw& draw, PreparedDraw& prepared)
{
    prepared.pending = parts_.vertex_stage.pending_vertices(draw);
    parts_.vertex_stage.run_tail(draw, parts_.guest, parts_.report);
    prepared.triangles = parts_.executor->triangle_bound(draw, prepared.pending.count);
    if (emits(draw))
    {
        prepared.pending = {}; // the geometry program emits whole triangles, so no vertices are pending
        parts_.executor->take_geometry(draw, parts_.vertex_stage);
    }
}

void DrawPlanner::run_on_cpu(const pica::Draw& draw, PreparedDraw& prepared)
{
    if (parts_.executor && emits(draw))
    {
        parts_.executor->return_geometry(parts_.vertex_stage.geometry());
        parts_.executor->return_assembler(draw.source.restart != 0, parts_.vertex_stage);
    }
    parts_.vertex_stage.run(draw, parts_.guest, parts_.report);
    prepared.triangles = parts_.vertex_stage.triangle_count();
    counters.triangles += prepared.triangles;
}

} // namespace renderer
