// SPDX-License-Identifier: MIT
#include "pica/soft/vertex_stage.h"

#include "pica/base/numeric.h"
#include "pica/state/draw_limits.h"
#include "pica/state/index_reader.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace pica::soft
{

namespace
{

constexpr u32 kIndexCount = 65536;

// Semantics of the attributes of ShadedVertex.
constexpr std::array<u8, kAttributeCount> kAttributeSemantic = {0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D,
                                                                0x0E, 0x0F, 0x16, 0x17, 0x10, 0x04,
                                                                0x05, 0x06, 0x07, 0x12, 0x13, 0x14};

constexpr u32 kLanes = BatchInterpreter::kLanes;

// Sign bit for the quaternion of a triangle's vertex v, whose vertex 0 is `first`.
u32 quaternion_sign(const ShadedVertex& first, const ShadedVertex& v)
{
    const f32* a = first.attribute.data() + kQuaternionAttribute;
    const f32* b = v.attribute.data() + kQuaternionAttribute;
    return num::quaternion_flip(a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]);
}

void flip_quaternion(ShadedVertex& v, u32 sign)
{
    for (u32 i = 0; i < 4; ++i)
        v.attribute[kQuaternionAttribute + i] = num::flip_sign(v.attribute[kQuaternionAttribute + i], sign);
}

} // namespace

VertexStage::VertexStage(u32 scale)
    : scale_(std::max(scale, 1u)), outputs_(choose_vertex_outputs()), index_slots_(kIndexCount)
{
}

void VertexStage::run(const Draw& draw, const GuestMemory& memory, Report& report)
{
    triangles_.clear();
    vertices_.clear();
    shaded_vertices_ = 0;
    if (draw.source.restart)
        assembler_.restart();
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
    flat_ = draw.geometry.flat_color != 0;
    lit_ = draw.fragment.lighting.lights != 0;
    bounds_ = snap_bounds(draw.geometry, scale_);

    emits_ = draw.geometry_unit.feed.enabled != 0 && draw.geometry_unit.program != nullptr;
    if (emits_)
        return run_geometry(draw, count, memory, report);

    const u32 pending = assembler_.pending();
    u32 unique = count;
    if (draw.source.indexed)
    {
        scan_indices(draw, count, memory, report);
        unique = static_cast<u32>(unique_.size());
    }
    vertices_.resize(pending + unique);
    load_pending(draw);
    shade(draw, pending, unique, memory, report);
    assemble(draw, pending, count);
    for (u32 i = 0; i < assembler_.pending(); ++i)
        pending_[i] = vertices_[assembler_.slot(i)];
}

// Vertices that earlier draws left come first.
void VertexStage::load_pending(const Draw& draw)
{
    for (u32 i = 0; i < assembler_.pending(); ++i)
    {
        // The viewport may have changed since then.
        ShadedVertex& v = vertices_[i];
        v = pending_[i];
        v.outside &= kNotFinite;
        for (u32 plane = 0; plane < kClipPlanes; ++plane)
            if ((plane != kClipUser || draw.geometry.clip_plane_enable) &&
                !(plane_distance(plane, draw.geometry, v) >= 0.0f))
                v.outside |= 1u << plane;
        project(draw.geometry, bounds_, scale_, v);
        assembler_.set_slot(i, i);
    }
}

void VertexStage::begin_indices()
{
    if (++epoch_ == 0)
    {
        std::fill(index_slots_.begin(), index_slots_.end(), IndexSlot{});
        epoch_ = 1;
    }
    unique_.clear();
    elements_.clear();
}

void VertexStage::scan_indices(const Draw& draw, u32 count, const GuestMemory& memory, Report& report)
{
    begin_indices();
    const IndexReader index(draw.source, count, memory, report);
    elements_.resize(count);
    for (u32 i = 0; i < count; ++i)
        elements_[i] = unique_vertex(index[i]);
}

u32 VertexStage::unique_vertex(u32 index)
{
    IndexSlot& slot = index_slots_[index];
    if (slot.epoch != epoch_)
    {
        slot = {epoch_, static_cast<u32>(unique_.size())};
        unique_.push_back(index);
    }
    return slot.unique;
}

void VertexStage::bind(const Draw& draw)
{
    if (program_ != draw.program || program_id_ != draw.program->id() ||
        uniforms_revision_ != draw.uniforms_revision || uniforms_revision_ == 0)
    {
        interpreter_.bind(*draw.program, *draw.uniforms);
        program_ = draw.program;
        program_id_ = draw.program->id();
        uniforms_revision_ = draw.uniforms_revision;
    }
}

void VertexStage::run_tail(const Draw& draw, const GuestMemory& memory, Report& report)
{
    triangles_.clear();
    vertices_.clear();
    shaded_vertices_ = 0;
    emits_ = false;
    if (draw.source.restart)
        assembler_.restart();
    const u32 count = std::min(draw.source.count, kMaxDrawVertices);
    const bool emits = draw.geometry_unit.feed.enabled != 0; // whole triangles
    if (!draw.program || !draw.uniforms || count == 0 || emits)
        return;
    // Assembles the numbers of elements after the vertices of earlier draws. Of a list only the last
    // triangles matter.
    constexpr u32 kEarlier = 1u << 31;
    const std::array<ShadedVertex, 2> earlier = pending_;
    for (u32 i = 0; i < assembler_.pending(); ++i)
        assembler_.set_slot(i, kEarlier | i);
    const bool running =
        draw.source.topology == Topology::TriangleStrip || draw.source.topology == Topology::TriangleFan;
    for (u32 i = running || count < 6 ? 0 : count - count % 3 - 3; i < count; ++i)
        assembler_.push(draw.source.topology, i, [](u32, u32, u32) {});
    std::array<u64, 2> numbers{};
    std::array<u32, 2> slots{};
    u32 tail = 0;
    const IndexReader index(draw.source, draw.source.indexed ? count : 0, memory, report);
    for (u32 i = 0; i < assembler_.pending(); ++i)
    {
        const u32 element = assembler_.slot(i);
        assembler_.set_slot(i, i);
        if (element >= kEarlier)
        {
            pending_[i] = earlier[element - kEarlier];
            continue;
        }
        numbers[tail] = draw.source.indexed ? index[element] : draw.source.first_vertex + u64{element};
        slots[tail++] = i;
    }
    if (tail == 0)
        return;
    bind(draw);
    vertices_.resize(tail);
    const auto [lowest, highest] = std::minmax_element(numbers.begin(), numbers.begin() + tail);
    fetch_.begin(draw, *lowest, *highest, memory, interpreter_, report);
    fetch_.fetch({numbers.data(), tail}, interpreter_);
    interpreter_.run(tail);
    set_output_rows(draw);
    outputs_(output_rows_, tail, vertices_.data());
    for (u32 i = 0; i < tail; ++i)
        pending_[slots[i]] = vertices_[i];
}

PendingVertices VertexStage::pending_vertices(const Draw& draw) const
{
    PendingVertices pending;
    pending.count = draw.source.restart ? 0 : assembler_.pending();
    // In a strip, the slot that the next vertex takes holds the older vertex.
    const bool swapped =
        pending.count == 2 && draw.source.topology == Topology::TriangleStrip && assembler_.next_slot() == 1;
    pending.odd_strip = swapped;
    for (u32 i = 0; i < pending.count; ++i)
    {
        pending.rows[i] = row_of(pending_[swapped ? 1 - i : i]);
    }
    return pending;
}

std::array<f32, 24> VertexStage::row_of(const ShadedVertex& v)
{
    std::array<f32, 24> row = {v.x, v.y, v.z, v.w};
    for (u32 n = 0; n < kAttributeCount; ++n)
        row[kAttributeSemantic[n]] = v.attribute[n];
    return row;
}

AssemblerState VertexStage::assembler_state() const
{
    AssemblerState state;
    const PrimitiveAssembler::State s = assembler_.state();
    state.word = s.next | s.filled << 2 | (s.ready ? 16u : 0u) | (s.inverted ? 32u : 0u);
    for (u32 i = 0; i < assembler_.pending(); ++i)
        state.slots[i] = row_of(pending_[i]);
    return state;
}

void VertexStage::set_assembler_state(const AssemblerState& state)
{
    assembler_.set_state({std::min(state.word >> 2 & 3, 2u), std::min(state.word & 3, 2u),
                          (state.word & 16) != 0, (state.word & 32) != 0});
    for (u32 i = 0; i < assembler_.pending(); ++i)
    {
        const std::array<f32, 24>& row = state.slots[i];
        ShadedVertex& v = pending_[i];
        v = {};
        v.x = row[0];
        v.y = row[1];
        v.z = num::snap_to_depth_planes(row[2], row[3]);
        v.w = row[3];
        for (u32 n = 0; n < kAttributeCount; ++n)
            v.attribute[n] = row[kAttributeSemantic[n]];
        for (u32 n = 0; n < 4; ++n)
            if (!num::is_finite(row[n]))
                v.outside = kNotFinite; // for the other planes: load_pending()
    }
}

void VertexStage::shade(const Draw& draw, u32 first_slot, u32 count, const GuestMemory& memory,
                        Report& report)
{
    bind(draw);
    u64 first = draw.source.first_vertex;
    u64 last = first + count - 1;
    if (draw.source.indexed)
    {
        const auto [lowest, highest] = std::minmax_element(unique_.begin(), unique_.end());
        first = *lowest;
        last = *highest;
    }
    fetch_.begin(draw, first, last, memory, interpreter_, report);
    set_output_rows(draw);
    u32 events = 0;
    for (u32 done = 0; done < count; done += kLanes)
    {
        std::array<u64, kLanes> numbers;
        const u32 lanes = std::min(count - done, kLanes);
        for (u32 i = 0; i < lanes; ++i)
            numbers[i] = draw.source.indexed ? unique_[done + i] : first + done + i;
        fetch_.fetch({numbers.data(), lanes}, interpreter_);
        events |= interpreter_.run(lanes);
        if (emits_)
            keep_attributes(draw, first_slot + done, lanes);
        else
            outputs_(output_rows_, lanes, &vertices_[first_slot + done]);
    }
    shaded_vertices_ += count;
    if (events)
        report_run_events(events, *draw.program, report);
}

void VertexStage::set_output_rows(const Draw& draw)
{
    for (u32 n = 0; n < output_rows_.row.size(); ++n)
    {
        const u8 source = draw.vertex.source[n < 4 ? n : kAttributeSemantic[n - 4]];
        output_rows_.row[n] = source == VertexKey::kUnmapped ? nullptr : output_row(source);
    }
    output_rows_.geometry = draw.geometry;
    output_rows_.scale = scale_;
}

const f32* VertexStage::output_row(u8 source) const
{
    return emits_ ? emitted_rows_[source].lane : interpreter_.output(source / 4u, source % 4u);
}

void VertexStage::assemble(const Draw& draw, u32 first_slot, u32 count)
{
    const auto emit = [&](u32 a, u32 b, u32 c) { add_triangle(draw, a, b, c); };
    const Topology topology = draw.source.topology;
    if (draw.source.indexed)
    {
        for (u32 i = 0; i < count; ++i)
            assembler_.push(topology, first_slot + elements_[i], emit);
    }
    else
    {
        for (u32 i = 0; i < count; ++i)
            assembler_.push(topology, first_slot + i, emit);
    }
}

void VertexStage::add_triangle(const Draw& draw, u32 a, u32 b, u32 c)
{
    const u32 any_outside = vertices_[a].outside | vertices_[b].outside | vertices_[c].outside;
    if (any_outside == 0)
    {
        u32 flip = 0;
        if (lit_)
            flip = quaternion_sign(vertices_[a], vertices_[b]) >> 30 |
                   quaternion_sign(vertices_[a], vertices_[c]) >> 29;
        add_visible(draw.geometry.cull, {{a, b, c}, c, flip});
        return;
    }
    if (any_outside & kNotFinite)
        return;
    // All vertices are outside of the first plane that any is outside of; the planes before it change
    // nothing.
    const u32 all_outside = vertices_[a].outside & vertices_[b].outside & vertices_[c].outside;
    if (all_outside & any_outside & (0u - any_outside))
        return;
    Polygon polygon;
    polygon[0] = vertices_[a];
    polygon[1] = vertices_[b];
    polygon[2] = vertices_[c];
    if (lit_)
    {
        flip_quaternion(polygon[1], quaternion_sign(polygon[0], polygon[1]));
        flip_quaternion(polygon[2], quaternion_sign(polygon[0], polygon[2]));
    }
    const u32 corners = clip_triangle(draw.geometry, lit_ ? kAttributeCount : kUnlitAttributeCount, polygon);
    if (corners < 3)
        return;
    const u32 first = static_cast<u32>(vertices_.size());
    for (u32 i = 0; i < corners; ++i)
    {
        project(draw.geometry, bounds_, scale_, polygon[i]);
        vertices_.push_back(polygon[i]);
    }
    for (u32 i = 0; i + 2 < corners; ++i)
        add_visible(draw.geometry.cull, {{first, first + i + 1, first + i + 2}, c, 0});
}

void VertexStage::add_visible(CullMode cull, Triangle triangle)
{
    const ShadedVertex& p = vertices_[triangle.vertex[0]];
    const ShadedVertex& q = vertices_[triangle.vertex[1]];
    const ShadedVertex& r = vertices_[triangle.vertex[2]];
    const s64 area = static_cast<s64>(q.screen_x - p.screen_x) * (r.screen_y - p.screen_y) -
                     static_cast<s64>(q.screen_y - p.screen_y) * (r.screen_x - p.screen_x);
    if (area == 0 || (area > 0 && cull == CullMode::Front) || (area < 0 && cull == CullMode::Back))
        return;
    if (area < 0)
    {
        std::swap(triangle.vertex[1], triangle.vertex[2]);
        triangle.flip = (triangle.flip & 2u) << 1 | (triangle.flip & 4u) >> 1;
    }
    triangles_.push_back(triangle);
}

PixelRect VertexStage::bounds() const
{
    PixelRect r{};
    bool first = true;
    for (const Triangle& t : triangles_)
    {
        for (const u32 i : t.vertex)
        {
            const ShadedVertex& v = vertices_[i];
            const s32 x = v.screen_x >> 4;
            const s32 y = v.screen_y >> 4;
            if (first)
                r = {x, y, x + 1, y + 1};
            first = false;
            r = {std::min(r.x1, x), std::min(r.y1, y), std::max(r.x2, x + 1), std::max(r.y2, y + 1)};
        }
    }
    return r;
}

u64 VertexStage::covered_pixels(const PixelRect& scissor) const
{
    u64 pixels = 0;
    for (const Triangle& t : triangles_)
    {
        const ShadedVertex& p = vertices_[t.vertex[0]];
        const ShadedVertex& q = vertices_[t.vertex[1]];
        const ShadedVertex& r = vertices_[t.vertex[2]];
        const s64 width = std::min((std::max({p.screen_x, q.screen_x, r.screen_x}) >> 4) + 1, scissor.x2) -
                          std::max(std::min({p.screen_x, q.screen_x, r.screen_x}) >> 4, scissor.x1);
        const s64 height = std::min((std::max({p.screen_y, q.screen_y, r.screen_y}) >> 4) + 1, scissor.y2) -
                           std::max(std::min({p.screen_y, q.screen_y, r.screen_y}) >> 4, scissor.y1);
        if (width <= 0 || height <= 0)
            continue;
        const s64 area = static_cast<s64>(q.screen_x - p.screen_x) * (r.screen_y - p.screen_y) -
                         static_cast<s64>(q.screen_y - p.screen_y) * (r.screen_x - p.screen_x);
        // |area| is twice the area in squares of 1/16 pixel.
        pixels += static_cast<u64>(std::min(width * height, std::abs(area) / 512 + 1));
    }
    return pixels;
}

} // namespace pica::soft
