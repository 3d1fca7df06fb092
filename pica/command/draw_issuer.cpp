// SPDX-License-Identifier: MIT
#include "pica/command/draw_issuer.h"

#include "pica/command/guest_report.h"
#include "pica/shader/cost.h"
#include "pica/state/draw_limits.h"

#include <algorithm>

namespace pica
{

namespace
{

// The most vertices of all draws of one kick [our rule]. A frame of a game has thousands.
constexpr u64 kMaxListVertices = u64{1} << 26;
// The most vertex work of all draws of one kick: vertices times the instructions that their programs may run
// [our rule]. A frame of a game stays below a hundredth of it.
constexpr u64 kMaxListInstructions = u64{1} << 31;
// Counts an instruction of a geometry program this many times, because these programs are interpreted one
// invocation at a time [our rule].
constexpr u64 kGeometryChargeFactor = 8;

// An upper bound of the geometry program's invocations.
u64 invocation_bound(const Draw& draw)
{
    const GeometryFeed& feed = draw.geometry_unit.feed;
    const u64 count = draw.source.count;
    switch (feed.mode)
    {
    case GeometryMode::Point:
        return count * feed.attributes / feed.inputs + 1;
    case GeometryMode::Variable:
        return count / 2 + 1;
    case GeometryMode::Fixed:
        break;
    }
    return count / feed.vertices + 1;
}

// An upper bound of the triangles of a draw without a geometry program; vertices of earlier draws count.
u64 triangle_bound(const Draw& draw)
{
    const bool running =
        draw.source.topology == Topology::TriangleStrip || draw.source.topology == Topology::TriangleFan;
    return running ? u64{draw.source.count} : (u64{draw.source.count} + 2) / 3;
}

} // namespace

DrawIssuer::DrawIssuer(Backend& backend, Report& report, RegisterFile& regs, Ports& ports)
    : backend_(backend), report_(report), regs_(regs), ports_(ports)
{
}

void DrawIssuer::set_sequence(const DrawSequence& sequence)
{
    sequence_ = sequence;
    builder_.invalidate();
}

void DrawIssuer::begin_immediate()
{
    sequence_.immediate.clear(); // attributes of an incomplete vertex
    sequence_.geometry_configures = true;
}

void DrawIssuer::add_immediate(const Vec4& value)
{
    sequence_.immediate.push_back(value);
    // Draws at the latest now. Strips continue.
    if (sequence_.immediate.size() >= kMaxImmediateValues)
        draw_immediate();
}

void DrawIssuer::draw_immediate()
{
    std::vector<Vec4>& values = sequence_.immediate;
    const u32 attributes = regs_.get(reg::VSH_NUM_ATTR::count_minus_1) + 1;
    const u32 vertices = static_cast<u32>(values.size()) / attributes;
    if (vertices == 0)
        return;
    draw(DrawKind::Immediate, vertices);
    values.erase(values.begin(), values.begin() + std::ptrdiff_t{vertices} * attributes);
}

void DrawIssuer::draw(DrawKind kind, u32 immediate_vertices)
{
    if (work_.covered > pixel_budgets_.covered)
        return; // reported before
    DecodedDraw& state = builder_.update(regs_, ports_.fixed, ports_.fixed_revision, kind, report_);
    Draw& d = state.draw;
    d.source.inline_values = {};
    if (kind == DrawKind::Immediate)
    {
        d.source.count = immediate_vertices;
        d.source.inline_values = std::span(sequence_.immediate)
                                     .first(std::size_t{immediate_vertices} * d.source.inline_attributes);
    }
    if (d.source.count > kMaxDrawVertices)
    {
        report_guest(report_, "vertices in one draw", "%u, cut to %u", d.source.count, kMaxDrawVertices);
        d.source.count = kMaxDrawVertices;
    }
    // If the draw is left out or empty, the state of the primitive assembler goes on to the next draw.
    if (!state.is_drawable || d.source.count == 0)
        return;
    work_.vertices += d.source.count;
    if (work_.vertices > kMaxListVertices)
    {
        report_guest(report_, "vertices in one command list", "more than %u, the draw is left out",
                     static_cast<u32>(kMaxListVertices));
        return;
    }

    const Program& program =
        programs_.find(ports_.vertex.code, regs_.get(reg::VSH_ENTRYPOINT::entry), ShaderStage::Vertex);
    const bool emits = d.geometry_unit.emits();
    const Program* geometry_program =
        emits ? &programs_.find(ports_.geometry.code, regs_.get(reg::GSH_ENTRYPOINT::entry),
                                ShaderStage::Geometry)
              : nullptr;
    work_.instructions += u64{d.source.count} * vertex_charge_.of(program, ports_.vertex, report_);
    u64 triangles = triangle_bound(d);
    if (emits)
    {
        work_.instructions += kGeometryChargeFactor * invocation_bound(d) *
                              geometry_charge_.of(*geometry_program, ports_.geometry, report_);
        triangles = std::min(invocation_bound(d) * emit_charge(*geometry_program, ports_.geometry.uniforms),
                             u64{kMaxDrawPrimitives});
    }
    if (work_.instructions > kMaxListInstructions)
    {
        report_.report(ReportKind::Guest, "vertex work of one command list",
                       "too much, the draw is left out");
        return;
    }
    d.program = &program;
    d.vertex.program = program.id();
    d.uniforms = &ports_.vertex.uniforms;
    d.uniforms_revision = ports_.vertex.uniforms_revision;
    d.luts = &ports_.luts;
    d.source.restart = sequence_.restart ? 1 : 0;
    d.serial = draws_;
    bind_geometry_unit(d.geometry_unit, geometry_program, kind);
    if (!affords_pixels(d, triangles))
        return;
    ++draws_;
    sequence_.restart = false;
    if (emits)
        geometry_unit_was_bound();
    backend_.draw(d);
}

bool DrawIssuer::affords_pixels(const Draw& draw, u64 triangles)
{
    const PixelBudgets& limit = pixel_budgets_;
    const auto width = static_cast<u64>(std::max(draw.scissor.x2 - draw.scissor.x1, 0));
    const auto height = static_cast<u64>(std::max(draw.scissor.y2 - draw.scissor.y1, 0));
    const auto add = [](u64& sum, u64 more, u64 most) { sum = std::min(sum + more, most + 1); };
    add(work_.layers, width * height, limit.layers);
    add(work_.triangles, width * height * triangles, limit.triangles);
    if (work_.layers <= limit.layers && work_.triangles <= limit.triangles)
        return true;
    add(work_.covered, backend_.covered_pixels(draw), limit.covered);
    if (work_.covered <= limit.covered)
        return true;
    report_.report(ReportKind::Guest, "pixels of one command list", "too many, its other draws are left out");
    return false;
}

void DrawIssuer::bind_geometry_unit(GeometryUnit& unit, const Program* program, DrawKind kind) const
{
    unit.program = program;
    if (program == nullptr)
        return;
    const ShaderUnit& port = ports_.geometry;
    unit.uniforms = &port.uniforms;
    unit.written_floats = port.written_floats;
    unit.written_bools = port.written_bools ? 1 : 0;
    unit.reset = sequence_.geometry_reset ? 1 : 0;
    // The geometry shader unit is configured at each draw trigger, and before the first vertex after 0x232 =
    // 15.
    unit.continues = kind == DrawKind::Immediate && !sequence_.geometry_configures ? 1 : 0;
}

void DrawIssuer::geometry_unit_was_bound()
{
    ports_.geometry.written_floats.reset();
    ports_.geometry.written_bools = false;
    sequence_.geometry_reset = false;
    sequence_.geometry_configures = false;
}

u32 DrawIssuer::Charge::of(const Program& program, const ShaderUnit& unit, Report& report)
{
    if (program_ != program.id() || !are_same(integers_, unit.uniforms.i) || charge_ == 0)
    {
        if (program_ != program.id())
            report_anomalies(program, report);
        charge_ = instruction_charge(program, unit.uniforms);
        program_ = program.id();
        integers_ = unit.uniforms.i;
    }
    return charge_;
}

} // namespace pica
