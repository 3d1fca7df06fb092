// SPDX-License-Identifier: MIT
#include "pica/shader/geometry_program.h"

#include <utility>

namespace pica
{

bool emit_vertex(GeometryRegisters& registers, u16 mask, u32& events)
{
    const bool has_slot = registers.vertex_id < registers.slots.size();
    if (has_slot)
    {
        VertexSlot& slot = registers.slots[registers.vertex_id];
        u32 n = 0;
        for (u32 k = 0; k < kGeometrySlotOutputs; ++k)
            if (mask >> k & 1)
                slot[n++] = registers.unit.o[k];
    }
    else
        events |= kBadVertexSlot;
    // The other bank is written next: an output that a program does not write has the value from two EMITs
    // ago. [HW]
    std::swap(registers.unit.o, registers.other_bank);
    return has_slot && registers.emit_primitive;
}

} // namespace pica
