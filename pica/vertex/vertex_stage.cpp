// SPDX-License-Identifier: MIT
#include "pica/vertex/vertex_stage.h"

#include "pica/base/silent_report.h"
#include "pica/base/work_sharer.h"
#include "pica/state/draw_limits.h"
#include "pica/state/index_reader.h"
#include "pica/vertex/kept_tail.h"

#include <algorithm>
#include <atomic>

namespace pica
{

namespace
{

constexpr u32 kLanes = VertexRunner::kLanes;
// That one thread shades at a time: some 10 microseconds.
constexpr u32 kVerticesPerPart = 8 * kLanes;
// With fewer vertices, waking sleeping threads costs more than it saves: about 100 microseconds.
constexpr u32 kVerticesWorthThreads = 1024;
// The same for the records of triangles.
constexpr u32 kTrianglesWorthThreads = 1024;
// Of a list of two parts of triangles. Below that, triangles are placed when they are complete.
constexpr u32 kVerticesWorthParts = 3 * 2 * VisibleTriangles::kTrianglesPerPart;

auto program_rows(const BatchInterpreter& interpreter)
{
    return [&interpreter](u8 source) { return interpreter.output(source / 4u, source % 4u); };
}

} // namespace

VertexStage::VertexStage(u32 scale)
    : scale_(std::max(scale, 1u)), outputs_(choose_vertex_outputs()), tail_(std::make_unique<KeptTail>()),
      triangles_(scale)
{
}

VertexStage::~VertexStage() = default;

void VertexStage::run(const Draw& draw, const GuestMemory& memory, Report& report, WorkSharer* sharer)
{
    sharer_ = sharer;
    triangles_.clear();
    shaded_vertices_ = 0;
    begin_primitives(draw);
    if (!draw.program || !draw.uniforms)
        return;
    u32 count = draw.source.count;
    if (count > kMaxDrawVertices)
    {
        report.report(ReportKind::Guest, "too many vertices in a draw", "the rest is dropped");
        count = kMaxDrawVertices;
    }
    if (count == 0)
        return;
    triangles_.begin(draw);
    emits_ = draw.geometry_unit.emits() && draw.geometry_unit.program != nullptr;
    if (emits_)
        run_geometry(draw, count, memory, report);
    else
        run_vertices(draw, count, memory, report);
    slots_.take_back(triangles_.vertices());
}

void VertexStage::run_vertices(const Draw& draw, u32 count, const GuestMemory& memory, Report& report)
{
    const u32 pending = slots_.pending();
    u32 unique = count;
    if (draw.source.indexed)
    {
        scan_indices(draw, count, memory, report);
        unique = unique_.count();
    }
    begin_vertices(unique);
    shade(draw, pending, unique, memory, report);
    assemble(draw, pending, count);
}

// Makes room for the vertices of the draw. Those that earlier draws left come first.
void VertexStage::begin_vertices(u32 count)
{
    ShadedVertices& vertices = triangles_.vertices();
    vertices.resize(slots_.pending() + count);
    slots_.hand_out(vertices);
    // The viewport may have changed since then.
    for (u32 i = 0; i < slots_.pending(); ++i)
        triangles_.place(vertices[i]);
}

void VertexStage::emit(const RecordLayout& layout, u32* records, s32* positions, WorkSharer* sharer) const
{
    constexpr u32 kPart = VisibleTriangles::kTrianglesPerPart;
    const u32 count = triangle_count();
    share_parts(sharer, (count + kPart - 1) / kPart, count >= kTrianglesWorthThreads,
                [&](u32 part, u32)
                {
                    const u32 first = part * kPart;
                    emit(layout, first, std::min(kPart, count - first),
                         records + std::size_t{first} * layout.words, positions + std::size_t{first} * 6);
                });
}

void VertexStage::scan_indices(const Draw& draw, u32 count, const GuestMemory& memory, Report& report)
{
    unique_.begin();
    unique_.add_all(IndexReader(draw.source, count, memory, report), count);
}

// The vertices that wait are forgotten or continued.
void VertexStage::begin_primitives(const Draw& draw)
{
    if (draw.source.restart)
    {
        tail_->drop();
        slots_.assembler().restart();
    }
    else
        finish_tail();
}

void VertexStage::run_tail(const Draw& draw, const GuestMemory& memory, Report& report)
{
    triangles_.clear();
    shaded_vertices_ = 0;
    emits_ = false;
    begin_primitives(draw);
    const u32 count = std::min(draw.source.count, kMaxDrawVertices);
    const bool emits = draw.geometry_unit.emits(); // whole triangles
    if (!draw.program || !draw.uniforms || count == 0 || emits)
        return;
    const IndexReader index(draw.source, draw.source.indexed ? count : 0, memory, report);
    const std::span<const AssemblerSlots::Missing> missing = slots_.skip(draw.source.topology, count);
    if (missing.empty())
        return;
    std::array<u64, 2> numbers{};
    const u32 tail = static_cast<u32>(missing.size());
    for (u32 i = 0; i < tail; ++i)
        numbers[i] = draw.source.indexed ? index[missing[i].element]
                                         : draw.source.first_vertex + u64{missing[i].element};
    tail_->keep(draw, missing, {numbers.data(), tail}, memory, report);
}

// Runs the program for the vertices that wait for it.
void VertexStage::finish_tail()
{
    if (!tail_->waits())
        return;
    emits_ = false;
    BatchInterpreter& interpreter = runner_.interpreter();
    runner_.bind(tail_->program(), tail_->uniforms(), 0);
    tail_->load(interpreter);
    interpreter.run(tail_->count());
    std::array<ShadedVertex, 2> vertices;
    outputs_(output_rows(tail_->vertex(), tail_->geometry(), program_rows(interpreter)), tail_->count(),
             vertices.data());
    for (u32 i = 0; i < tail_->count(); ++i)
        slots_.set_vertex(tail_->slot(i), vertices[i]);
    tail_->drop();
}

AssemblerState VertexStage::assembler_state()
{
    finish_tail();
    return slots_.device_state();
}

void VertexStage::set_assembler_state(const AssemblerState& state)
{
    tail_->drop();
    slots_.set_device_state(state);
}

PendingVertices VertexStage::pending_vertices(const Draw& draw)
{
    if (draw.source.restart == 0)
        finish_tail();
    return slots_.pending_vertices(draw);
}

Carryover VertexStage::save()
{
    finish_tail();
    return {slots_.carried(), geometry_.unit().carried()};
}

void VertexStage::load(const Carryover& carryover)
{
    tail_->drop();
    slots_.set_carried(carryover.primitive);
    geometry_.unit().set_carried(carryover.geometry);
}

IndexRange VertexStage::fetched_numbers(const Draw& draw, u32 count) const
{
    if (!draw.source.indexed)
        return {draw.source.first_vertex, draw.source.first_vertex + u64{count} - 1};
    const std::span<const u32> numbers = unique_.numbers();
    const auto [lowest, highest] = std::minmax_element(numbers.begin(), numbers.end());
    return {*lowest, *highest};
}

void VertexStage::shade(const Draw& draw, u32 first_slot, u32 count, const GuestMemory& memory,
                        Report& report)
{
    const IndexRange numbers = fetched_numbers(draw, count);
    runner_.begin(draw, numbers, memory, report);
    WorkSharer* const sharer = emits_ ? nullptr : sharer_;
    begun_.assign(sharer != nullptr ? sharer->threads() : 1, 0);
    begun_[0] = 1;
    helpers_.resize(std::max(helpers_.size(), begun_.size() - 1));
    std::atomic<u32> events = 0;
    share_parts(
        sharer, (count + kVerticesPerPart - 1) / kVerticesPerPart, count >= kVerticesWorthThreads,
        [&](u32 part, u32 thread)
        {
            std::unique_ptr<VertexRunner>* const helper = thread == 0 ? nullptr : &helpers_[thread - 1];
            if (helper && !*helper)
                *helper = std::make_unique<VertexRunner>();
            VertexRunner& runner = helper ? **helper : runner_;
            SilentReport silent; // what is wrong has been reported by thread 0
            if (!begun_[thread])
                runner.begin(draw, numbers, memory, silent);
            begun_[thread] = 1;
            const u32 begin = part * kVerticesPerPart;
            events |= shade_part(draw, first_slot, begin, std::min(begin + kVerticesPerPart, count), runner);
        });
    shaded_vertices_ += count;
    if (events)
        report_run_events(events, *draw.program, report);
}

// Vertices [begin, end) of those that the draw shades.
u32 VertexStage::shade_part(const Draw& draw, u32 first_slot, u32 begin, u32 end, VertexRunner& runner)
{
    const VertexOutputRows rows =
        emits_ ? VertexOutputRows{}
               : output_rows(draw.vertex, draw.geometry, program_rows(runner.interpreter()));
    u32 events = 0;
    for (u32 done = begin; done < end; done += kLanes)
    {
        std::array<u64, kLanes> lane;
        const u32 lanes = std::min(end - done, kLanes);
        for (u32 i = 0; i < lanes; ++i)
            lane[i] =
                draw.source.indexed ? unique_.numbers()[done + i] : draw.source.first_vertex + u64{done} + i;
        events |= runner.run({lane.data(), lanes});
        if (emits_)
            geometry_.keep_attributes(draw.geometry_unit.feed, first_slot + done, lanes,
                                      runner.interpreter());
        else
            outputs_(rows, lanes, &triangles_.vertices()[first_slot + done]);
    }
    return events;
}

template <typename Row>
VertexOutputRows VertexStage::output_rows(const VertexKey& vertex, const GeometryConstants& geometry,
                                          Row row) const
{
    VertexOutputRows rows;
    for (u32 n = 0; n < rows.row.size(); ++n)
    {
        const u8 source = vertex.source[n < 4 ? n : kAttributeSemantic[n - 4]];
        rows.row[n] = source == VertexKey::kUnmapped ? nullptr : row(source);
    }
    rows.geometry = geometry;
    rows.scale = scale_;
    return rows;
}

void VertexStage::assemble(const Draw& draw, u32 first_slot, u32 count)
{
    const auto assemble_all = [&](auto vertex)
    {
        if (sharer_ != nullptr && sharer_->threads() > 1 && count >= kVerticesWorthParts)
        {
            corners_.clear();
            push_vertices(draw.source.topology, count, vertex,
                          [&](u32 a, u32 b, u32 c) {
                              corners_.push_back({a, b, c});
                          });
            triangles_.add_all(corners_, sharer_);
        }
        else
            push_vertices(draw.source.topology, count, vertex,
                          [&](u32 a, u32 b, u32 c) { triangles_.add(a, b, c); });
    };
    if (draw.source.indexed)
        assemble_all([first_slot, elements = unique_.elements()](u32 i) { return first_slot + elements[i]; });
    else
        assemble_all([first_slot](u32 i) { return first_slot + i; });
}

// vertex(i): the number of the draw's vertex i. emit(a, b, c) takes triangles.
template <typename Vertex, typename Emit>
void VertexStage::push_vertices(Topology topology, u32 count, Vertex vertex, Emit emit)
{
    PrimitiveAssembler& assembler = slots_.assembler();
    u32 i = 0;
    // Whole triangles of a list need no slots.
    if (topology == Topology::TriangleList && assembler.is_empty())
        for (; i + 3 <= count; i += 3)
            emit(vertex(i), vertex(i + 1), vertex(i + 2));
    for (; i < count; ++i)
        assembler.push(topology, vertex(i), emit);
}

void VertexStage::run_geometry(const Draw& draw, u32 count, const GuestMemory& memory, Report& report)
{
    const GeometryFeed& feed = draw.geometry_unit.feed;
    const bool variable = feed.mode == GeometryMode::Variable;
    u32 unique = count;
    if (variable)
        geometry_.scan_primitives(draw, count, memory, unique_, report);
    else if (draw.source.indexed)
        scan_indices(draw, count, memory, report);
    if (variable || draw.source.indexed)
        unique = unique_.count();
    begin_vertices(0);
    geometry_.begin(feed, unique);
    if (unique != 0)
        shade(draw, 0, unique, memory, report);

    geometry_.unit().begin(draw, report);
    feed_geometry(draw, count);
    assemble_emitted(draw);
    geometry_.unit().end(report);
}

void VertexStage::feed_geometry(const Draw& draw, u32 count)
{
    const GeometryFeed& feed = draw.geometry_unit.feed;
    const std::span<const u32> elements = unique_.elements();
    const auto push = [&](u32 vertex)
    {
        geometry_.push(feed, vertex);
        if (geometry_.unit().primitives() >= GeometryPath::kPrimitivesPerBatch)
            assemble_emitted(draw);
    };
    if (feed.mode == GeometryMode::Variable)
    {
        u32 element = 0;
        for (const u32 vertices : geometry_.primitive_vertices())
        {
            geometry_.unit().begin_primitive(vertices);
            for (u32 i = 0; i < vertices; ++i)
                push(elements[element++]);
        }
        return;
    }
    for (u32 i = 0; i < count; ++i)
        push(draw.source.indexed ? elements[i] : i);
}

void VertexStage::assemble_emitted(const Draw& draw)
{
    PrimitiveAssembler& assembler = slots_.assembler();
    GeometryShaderUnit& unit = geometry_.unit();
    ShadedVertices& vertices = triangles_.vertices();
    const auto emit = [&](u32 a, u32 b, u32 c) { triangles_.add(a, b, c); };
    const u32 primitives = unit.primitives();
    const VertexOutputRows rows =
        output_rows(draw.vertex, draw.geometry, [&](u8 source) { return geometry_.row(source); });
    for (u32 done = 0; done < primitives; done += GeometryPath::kPrimitivesPerBatch)
    {
        const u32 batch = std::min(primitives - done, GeometryPath::kPrimitivesPerBatch);
        geometry_.load_rows(done, batch);
        const u32 first = static_cast<u32>(vertices.size());
        vertices.resize(first + batch * 3);
        outputs_(rows, batch * 3, &vertices[first]);
        for (u32 p = 0; p < batch; ++p)
        {
            if (draw.geometry_unit.feed.obeys_winding != 0 && unit.inverted(done + p))
                assembler.invert();
            for (u32 i = 0; i < 3; ++i)
                assembler.push(draw.source.topology, first + p * 3 + i, emit);
        }
    }
    unit.clear();
}

} // namespace pica
