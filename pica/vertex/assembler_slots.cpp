// SPDX-License-Identifier: MIT
#include "pica/vertex/assembler_slots.h"

#include "pica/base/numeric.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace pica
{

namespace
{

static_assert(std::tuple_size_v<decltype(CarriedVertex::attribute)> == kAttributeCount);

std::array<f32, 24> row_of(const ShadedVertex& v)
{
    std::array<f32, 24> row = {v.x, v.y, v.z, v.w};
    for (u32 n = 0; n < kAttributeCount; ++n)
        row[kAttributeSemantic[n]] = v.attribute[n];
    return row;
}

} // namespace

void AssemblerSlots::hand_out(std::span<ShadedVertex> vertices)
{
    for (u32 i = 0; i < assembler_.pending(); ++i)
    {
        vertices[i] = vertices_[i];
        assembler_.set_slot(i, i);
    }
}

void AssemblerSlots::take_back(std::span<const ShadedVertex> vertices)
{
    for (u32 i = 0; i < assembler_.pending(); ++i)
        vertices_[i] = vertices[assembler_.slot(i)];
}

std::span<const AssemblerSlots::Missing> AssemblerSlots::skip(Topology topology, u32 count)
{
    constexpr u32 kEarlier = 1u << 31;
    const std::array<ShadedVertex, 2> earlier = vertices_;
    for (u32 i = 0; i < assembler_.pending(); ++i)
        assembler_.set_slot(i, kEarlier | i);
    // Of a list only the last triangles matter.
    const bool running = topology == Topology::TriangleStrip || topology == Topology::TriangleFan;
    for (u32 i = running || count < 6 ? 0 : count - count % 3 - 3; i < count; ++i)
        assembler_.push(topology, i, [](u32, u32, u32) {});
    u32 missing = 0;
    for (u32 i = 0; i < assembler_.pending(); ++i)
    {
        const u32 element = assembler_.slot(i);
        assembler_.set_slot(i, i);
        if (element >= kEarlier)
            vertices_[i] = earlier[element - kEarlier];
        else
            missing_[missing++] = {i, element};
    }
    return std::span(missing_).first(missing);
}

AssemblerState AssemblerSlots::device_state() const
{
    AssemblerState state;
    const PrimitiveAssembler::State s = assembler_.state();
    state.word = s.next | s.filled << 2 | (s.ready ? 16u : 0u) | (s.inverted ? 32u : 0u);
    for (u32 i = 0; i < assembler_.pending(); ++i)
        state.slots[i] = row_of(vertices_[i]);
    return state;
}

void AssemblerSlots::set_device_state(const AssemblerState& state)
{
    assembler_.set_state({std::min(state.word >> 2 & 3, 2u), std::min(state.word & 3, 2u),
                          (state.word & 16) != 0, (state.word & 32) != 0});
    for (u32 i = 0; i < assembler_.pending(); ++i)
    {
        const std::array<f32, 24>& row = state.slots[i];
        ShadedVertex& v = vertices_[i];
        v = {};
        v.x = row[0];
        v.y = row[1];
        v.z = num::snap_to_depth_planes(row[2], row[3]);
        v.w = row[3];
        for (u32 n = 0; n < kAttributeCount; ++n)
            v.attribute[n] = row[kAttributeSemantic[n]];
        for (u32 n = 0; n < 4; ++n)
            if (!num::is_finite(row[n]))
                v.outside = kNotFinite; // for the other planes: VisibleTriangles::place()
    }
}

PendingVertices AssemblerSlots::pending_vertices(const Draw& draw) const
{
    PendingVertices pending;
    pending.count = draw.source.restart ? 0 : assembler_.pending();
    // In a strip, the slot that the next vertex takes holds the older vertex.
    const bool swapped =
        pending.count == 2 && draw.source.topology == Topology::TriangleStrip && assembler_.next_slot() == 1;
    pending.odd_strip = swapped;
    for (u32 i = 0; i < pending.count; ++i)
        pending.rows[i] = row_of(vertices_[swapped ? 1 - i : i]);
    return pending;
}

CarriedPrimitive AssemblerSlots::carried() const
{
    CarriedPrimitive primitive;
    const PrimitiveAssembler::State state = assembler_.state();
    primitive.filled = state.filled;
    primitive.next = state.next;
    primitive.ready = state.ready;
    primitive.inverted = state.inverted;
    for (u32 i = 0; i < state.filled; ++i)
    {
        const ShadedVertex& v = vertices_[i];
        primitive.slots[i].position = {v.x, v.y, v.z, v.w};
        primitive.slots[i].attribute = v.attribute;
    }
    return primitive;
}

void AssemblerSlots::set_carried(const CarriedPrimitive& primitive)
{
    assembler_.set_state({primitive.filled, primitive.next, primitive.ready, primitive.inverted});
    for (u32 i = 0; i < primitive.filled; ++i)
    {
        const CarriedVertex& from = primitive.slots[i];
        // The rest follows from the viewport of the next draw (VisibleTriangles::place).
        ShadedVertex& v = vertices_[i] = {};
        v.x = from.position[0], v.y = from.position[1], v.z = from.position[2], v.w = from.position[3];
        v.attribute = from.attribute;
        for (const f32 component : from.position)
            if (!std::isfinite(component))
                v.outside = kNotFinite;
    }
}

} // namespace pica
