// SPDX-License-Identifier: MIT
// What the vertex stage keeps for later draws, in the form for exchange with other backends.
#include "pica/soft/vertex_stage.h"

#include <cmath>

namespace pica::soft
{

static_assert(std::tuple_size_v<decltype(CarriedVertex::attribute)> == kAttributeCount);

Carryover VertexStage::save() const
{
    Carryover carryover;
    const PrimitiveAssembler::State state = assembler_.state();
    CarriedPrimitive& primitive = carryover.primitive;
    primitive.filled = state.filled;
    primitive.next = state.next;
    primitive.ready = state.ready;
    primitive.inverted = state.inverted;
    for (u32 i = 0; i < state.filled; ++i)
    {
        const ShadedVertex& v = pending_[i];
        primitive.slots[i].position = {v.x, v.y, v.z, v.w};
        primitive.slots[i].attribute = v.attribute;
    }
    carryover.geometry = geometry_.carried();
    return carryover;
}

void VertexStage::load(const Carryover& carryover)
{
    const CarriedPrimitive& primitive = carryover.primitive;
    assembler_.set_state({primitive.filled, primitive.next, primitive.ready, primitive.inverted});
    for (u32 i = 0; i < primitive.filled; ++i)
    {
        const CarriedVertex& from = primitive.slots[i];
        // The rest follows from the viewport of the next draw (load_pending).
        ShadedVertex& v = pending_[i] = {};
        v.x = from.position[0], v.y = from.position[1], v.z = from.position[2], v.w = from.position[3];
        v.attribute = from.attribute;
        for (const f32 component : from.position)
            if (!std::isfinite(component))
                v.outside = kNotFinite;
    }
    geometry_.set_carried(carryover.geometry);
}

} // namespace pica::soft
