// SPDX-License-Identifier: MIT
// What earlier draws left in the primitive assembler, in the form in which both backends hand it over to a device.
// Rows are vertices after the output map, as the vertex shaders write them, indexed by semantic.
// pica/hardware/primitives.md, "Assembly".
#pragma once

#include "pica/base/types.h"

#include <array>

namespace pica
{

// The vertices with which the next draw continues, in the order in which they came.
struct PendingVertices
{
    u32 count = 0;          // 0..2
    bool odd_strip = false; // the next triangle of the strip is an odd one
    std::array<std::array<f32, 24>, 2> rows{};
};

// The assembler on its way to a device and back: its state, and the vertices in its slots.
struct AssemblerState
{
    u32 word = 0; // STATE_ASSEMBLER of shaders/include/layout.h
    std::array<std::array<f32, 24>, 2> slots{};
};

} // namespace pica
