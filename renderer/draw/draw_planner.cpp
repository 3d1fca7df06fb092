// SPDX-License-Identifier: MIT
#include "renderer/draw/draw_planner.h"

#include "pica/state/target_memory.h"
#include "pica/vertex/vertex_stage.h"
#include "renderer/draw/collected_draws.h"
#include "renderer/draw/draw_ranges.h"
#include "renderer/draw/host_access.h"
#include "renderer/draw/prepared_draw.h"
#include "renderer/draw/state_chooser.h"
#include "renderer/residency/guest_mirror.h"
#include "renderer/residency/render_targets.h"
#include "renderer/residency/residency.h"
#include "renderer/vertex/geometry_planner.h"
#include "renderer/vertex/geometry_registers.h"
#include "renderer/vertex/vertex_executor.h"

#include <utility>

namespace renderer
{

namespace
{

bool has_pixels(const pica::Draw& draw)
{
    return draw.scissor.x2 > draw.scissor.x1 && draw.scissor.y2 > draw.scissor.y1;
}

} // namespace

// Makes a range current in guest memory. Where the device has newer bytes, it has the page: surfaces and the mirror claim pages
// before they get newer bytes, and give them back when these have been read. What the open batch draws is looked at besides,
// because the CPU may have announced other bytes of a page since the batch began.
void DrawPlanner::make_current(PhysAddr address, u64 size)
{
    const Pages pages = whole_pages(address, size);
    if (parts_.guest.contents().is_on_device(address, size) ||
        parts_.residency.batch_draws(pages.address, pages.size))
        parts_.host_access.make_current(address, size);
}

// The CPU reads indices and attributes from guest memory. The device may hold newer bytes of them.
pica::IndexRange DrawPlanner::make_vertices_current(const pica::Draw& draw)
{
    DrawAccesses read;
    return make_vertices_current(draw, read);
}

// Adds what it made current to `read`.
pica::IndexRange DrawPlanner::make_vertices_current(const pica::Draw& draw, DrawAccesses& read)
{
    const pica::VertexSource& source = draw.source;
    attributes_.take(draw);
    if (source.count == 0)
        return {};
    if (source.indexed)
        make_current(source.index_address, index_bytes(source));
    if (source.indexed && !parts_.executor && !parts_.targets.any_dirty() && !parts_.mirror.any_newer())
    {
        // Nothing but the open batch is newer on the device here. The indices need to be scanned only where
        // attributes may overlap the targets of that batch.
        bool may_overlap = false;
        for_each_attribute_range(source, {0, source.index16 ? 0xFFFFu : 0xFFu},
                                 [&](const pica::FetchInput&, PhysAddr address, u64 size) {
                                     may_overlap = may_overlap || parts_.residency.batch_draws(address, size);
                                 });
        if (!may_overlap)
            return {};
    }
    const pica::IndexRange range = pica::index_range(source, parts_.guest);
    read.add_vertices(source, attributes_, range);
    for (const DrawAccess& access : read)
        make_current(access.address, access.size);
    return range;
}

bool DrawPlanner::has_effect(const pica::Draw& draw)
{
    return has_pixels(draw) && (draw.fragment.output != pica::OutputClass::None || draw.target.has_depth);
}

const FullAlphaNeeds& DrawPlanner::full_alpha_needs_of(const pica::Draw& draw)
{
    for (const Needs& remembered : needs_)
        if (draw.keys_revision != 0 && remembered.revision == draw.keys_revision)
            return remembered.needs;
    Needs& needs = needs_[next_needs_];
    next_needs_ = (next_needs_ + 1) % static_cast<u32>(needs_.size());
    needs = {draw.keys_revision, full_alpha_needs(draw.fragment)};
    return needs.needs;
}

bool DrawPlanner::choose_before_vertices(const pica::Draw& draw, PreparedDraw& prepared)
{
    if (!parts_.executor)
        return false;
    const FullAlphaNeeds& needs = full_alpha_needs_of(draw);
    prepared.opaque =
        !needs.vertices && holds_without_vertices(needs, draw, parts_.opaque_textures, prepared.scaled_units);
    choose_state(draw, prepared);
    return !(prepared.state->needs_groups && needs.vertices);
}

bool DrawPlanner::choose_with_vertices(const pica::Draw& draw, PreparedDraw& prepared)
{
    const FullAlphaNeeds& needs = full_alpha_needs_of(draw);
    // The CPU makes barrier groups, so it has the vertices where an executor would do the vertex work otherwise.
    if (parts_.executor && !(prepared.state->needs_groups && needs.vertices))
        return false;
    prepared.opaque = (!needs.vertices || parts_.vertex_stage.alphas_are_full()) &&
                      holds_without_vertices(needs, draw, parts_.opaque_textures, prepared.scaled_units);
    prepared.vertices_decide = true;
    choose_state(draw, prepared);
    return true;
}

void DrawPlanner::choose_state(const pica::Draw& draw, PreparedDraw& prepared)
{
    for (Remembered& remembered : remembered_)
        if (draw.keys_revision != 0 && remembered.revision == draw.keys_revision &&
            remembered.scaled_units == prepared.scaled_units && remembered.opaque == prepared.opaque)
        {
            parts_.chooser.renew(remembered.state);
            prepared.state = &remembered.state;
            return;
        }
    Remembered& chosen = remembered_[next_remembered_];
    next_remembered_ = (next_remembered_ + 1) % static_cast<u32>(remembered_.size());
    chosen.revision = draw.keys_revision;
    chosen.scaled_units = prepared.scaled_units;
    chosen.opaque = prepared.opaque;
    ChosenState& state = chosen.state;
    state.viewport = choose_viewport(draw.geometry, facts_.scale, parts_.device.properties.limits);
    const bool coverage_in_shader = facts_.coverage_in_shader || state.viewport.size == 0;
    if (coverage_in_shader)
        state.viewport = target_viewport(draw.target, facts_.scale);
    parts_.chooser.choose(draw, coverage_in_shader, prepared, state);
    prepared.state = &state;
}

// Reports where it is not.
bool DrawPlanner::target_in_memory(const pica::Draw& draw)
{
    if (draw.keys_revision != 0 && draw.keys_revision == in_memory_revision_)
        return true;
    const bool in_memory = pica::target_in_memory(draw, parts_.guest, parts_.report);
    in_memory_revision_ =
        in_memory && !draw.fragment.gas.accumulate ? draw.keys_revision : 0; // gas_depth is no key
    return in_memory;
}

bool DrawPlanner::prepare(const pica::Draw& draw, bool on_cpu, PreparedDraw& prepared)
{
    prepared.vertices = make_vertices_current(draw, prepared.accesses);
    prepared.accesses.add_targets_and_textures(draw);
    if (parts_.executor && !draw.geometry_unit.emits())
        return_assembler(draw.source.restart != 0);
    if (on_cpu && parts_.executor && !draw.geometry_unit.emits())
        prepared.pending = parts_.vertex_stage.pending_vertices(draw); // move_to_device() needs them
    if (on_cpu || !leave_to_device(draw, prepared))
        run_on_cpu(draw, prepared);
    return prepared.triangles != 0 && has_pixels(draw) && target_in_memory(draw) && has_effect(draw);
}

bool DrawPlanner::is_for_host(const pica::Draw& draw) const
{
    return target_is_beyond(parts_.mirror, draw) || (!facts_.stencil && draw.output.stencil_test) ||
           (facts_.inexact != DrawKinds{} && kinds_of(draw).meets(facts_.inexact));
}

bool DrawPlanner::device_may_run(const pica::Draw& draw, const PreparedDraw& prepared) const
{
    // Barrier groups and depth splits are made from the snapped triangles, so those must be on the CPU.
    return parts_.executor && !prepared.for_host && !is_for_host(draw) &&
           (facts_.geometry_exact || !draw.geometry_unit.emits()) &&
           !prepared.state->specialised.coverage_in_shader && !prepared.state->needs_groups &&
           !prepared.state->failing && !prepared.vertices_decide && parts_.executor->accepts(draw);
}

// May the device do the draw's vertex work, apart from its geometry program and its size?
bool DrawPlanner::device_takes(const pica::Draw& draw, const PreparedDraw& prepared) const
{
    return parts_.executor &&
           !vertices_are_beyond(parts_.mirror, draw.source, attributes_, prepared.vertices) &&
           device_may_run(draw, prepared);
}

bool DrawPlanner::move_to_device(const pica::Draw& draw, PreparedDraw& prepared) const
{
    if (draw.geometry_unit.emits() || !device_takes(draw, prepared))
        return false;
    const u32 triangles = VertexExecutor::input_triangles(draw, prepared.pending.count);
    if (triangles == 0 || triangles > most_triangles(prepared))
        return false;
    prepared.triangles = triangles;
    prepared.on_device = true;
    return true;
}

// The most triangles of a part, whose records must fit into a texel buffer if shaders read them from one.
u32 DrawPlanner::most_triangles(const PreparedDraw& prepared) const
{
    return prepared.state->flat_records ? kMostPartTriangles : parts_.executor->texel_triangles();
}

// The plan of a draw with a geometry program. Every reason to drop the draw is checked here: a draw that was
// dropped later would not advance the geometry shader unit. The CPU runs such draws.
std::optional<GeometryPlan> DrawPlanner::plan_geometry(const pica::Draw& draw, const PreparedDraw& prepared)
{
    const bool has_target = draw.fragment.output != pica::OutputClass::None || draw.target.has_depth;
    if (!has_target || !has_pixels(draw) || !target_in_memory(draw))
        return std::nullopt;
    const bool assembler_on_device = parts_.executor->geometry_registers().holds_assembler();
    std::optional<GeometryPlan> plan = parts_.executor->geometry_planner().plan(
        draw, parts_.vertex_stage, parts_.guest, assembler_on_device);
    // A later part would sample what an earlier part drew.
    if (!plan || (plan->parts != 1 && samples_target(draw)) ||
        plan->part(0).triangles > most_triangles(prepared))
        return std::nullopt;
    return plan;
}

// Leaves the vertex work to the device. False: the CPU must do it, and nothing was changed.
bool DrawPlanner::leave_to_device(const pica::Draw& draw, PreparedDraw& prepared)
{
    if (!device_takes(draw, prepared))
        return false;
    if (draw.geometry_unit.emits())
    {
        std::optional<GeometryPlan> plan = plan_geometry(draw, prepared);
        if (!plan)
            return false;
        parts_.vertex_stage.run_tail(draw, parts_.guest, parts_.report);
        prepared.geometry = parts_.executor->begin_geometry(draw, std::move(*plan), parts_.vertex_stage);
        prepared.triangles = prepared.geometry->part.triangles;
        prepared.on_device = true;
        return true;
    }
    const pica::PendingVertices pending = parts_.vertex_stage.pending_vertices(draw);
    const u32 triangles = VertexExecutor::input_triangles(draw, pending.count);
    const u32 most = most_triangles(prepared);
    // A later part would sample what an earlier part drew. The triangles of a fan share a vertex.
    if (triangles > most && (draw.source.topology == pica::Topology::TriangleFan || samples_target(draw)))
        return false;
    parts_.vertex_stage.run_tail(draw, parts_.guest, parts_.report);
    prepared.pending = pending;
    prepared.triangles = triangles;
    prepared.part_triangles = triangles > most ? most : 0;
    prepared.on_device = true;
    return true;
}

void DrawPlanner::return_geometry()
{
    GeometryRegisters& registers = parts_.executor->geometry_registers();
    if (!registers.holds_unit())
        return;
    parts_.collected.flush();
    registers.return_unit(parts_.vertex_stage.geometry());
}

// restarts: the next draw restarts the assembler, so that its state is not needed.
void DrawPlanner::return_assembler(bool restarts)
{
    GeometryRegisters& registers = parts_.executor->geometry_registers();
    if (!registers.holds_assembler())
        return;
    if (restarts)
        return registers.drop_assembler();
    parts_.collected.flush();
    registers.return_assembler(parts_.vertex_stage);
}

void DrawPlanner::return_unit_state()
{
    if (!parts_.executor)
        return;
    return_geometry();
    return_assembler(false);
}

void DrawPlanner::run_on_cpu(const pica::Draw& draw, PreparedDraw& prepared)
{
    if (parts_.executor && draw.geometry_unit.emits())
    {
        return_geometry();
        return_assembler(draw.source.restart != 0);
    }
    parts_.vertex_stage.run(draw, parts_.guest, parts_.report, parts_.vertex_threads);
    prepared.triangles = parts_.vertex_stage.triangle_count();
    counters.triangles += prepared.triangles;
}

} // namespace renderer
