// SPDX-License-Identifier: MIT
#include "pica/vertex/assembler_slots.h"

#include <doctest/doctest.h>

#include <vector>

using namespace pica;

namespace
{

// A vertex that its x tells apart.
ShadedVertex vertex(u32 n)
{
    ShadedVertex v{};
    v.x = static_cast<f32>(n);
    v.w = 1.0f;
    return v;
}

// Assembles a draw of `count` vertices, numbered from `first` on, as the vertex stage does.
void assemble(AssemblerSlots& slots, Topology topology, u32 first, u32 count)
{
    const u32 pending = slots.pending();
    std::vector<ShadedVertex> vertices(pending + count);
    slots.hand_out(vertices);
    for (u32 i = 0; i < count; ++i)
    {
        vertices[pending + i] = vertex(first + i);
        slots.assembler().push(topology, pending + i, [](u32, u32, u32) {});
    }
    slots.take_back(vertices);
}

void skip(AssemblerSlots& slots, Topology topology, u32 first, u32 count)
{
    for (const AssemblerSlots::Missing& missing : slots.skip(topology, count))
        slots.set_vertex(missing.slot, vertex(first + missing.element));
}

void check_equal(const AssemblerSlots& a, const AssemblerSlots& b)
{
    const CarriedPrimitive p = a.carried(), q = b.carried();
    CHECK(p.filled == q.filled);
    CHECK(p.next == q.next);
    CHECK(p.ready == q.ready);
    for (u32 i = 0; i < p.slots.size(); ++i)
        CHECK(p.slots[i].position == q.slots[i].position);
}

} // namespace

TEST_CASE("assembler slots: a skipped draw leaves what an assembled draw leaves")
{
    for (const Topology topology :
         {Topology::TriangleList, Topology::TriangleStrip, Topology::TriangleFan, Topology::Geometry})
        for (u32 before = 0; before < 5; ++before)
            for (u32 count = 0; count < 12; ++count)
            {
                CAPTURE(static_cast<u32>(topology));
                CAPTURE(before);
                CAPTURE(count);
                AssemblerSlots assembled, skipped;
                assemble(assembled, topology, 0, before);
                skip(skipped, topology, 0, before);
                assemble(assembled, topology, 100, count);
                skip(skipped, topology, 100, count);
                check_equal(assembled, skipped);
            }
}

TEST_CASE("assembler slots: the forms for devices and for exchange give the same slots back")
{
    for (const Topology topology : {Topology::TriangleList, Topology::TriangleStrip, Topology::TriangleFan})
        for (u32 count = 0; count < 6; ++count)
        {
            AssemblerSlots slots, from_device, from_exchange;
            assemble(slots, topology, 1, count);
            from_device.set_device_state(slots.device_state());
            check_equal(slots, from_device);
            from_exchange.set_carried(slots.carried());
            check_equal(slots, from_exchange);
        }
}
