// SPDX-License-Identifier: MIT
// What draws leave behind for later draws besides memory: vertices in the primitive assembler and all that
// the geometry unit keeps. Each backend holds its own; this is its form outside of one, the same from every
// backend at the same point of a stream. Source: geometry sheet 5.1, 7.2, 8.1. Tests:
// tests/api/snapshot_test.cpp.
#pragma once

#include "pica/shader/geometry_program.h"

#include <array>
#include <bitset>

namespace pica
{

// A vertex behind the output map; what the viewport makes of it is computed again. Attributes in the order of
// ShadedVertex (pica/soft/shaded_vertex.h).
struct CarriedVertex
{
    Vec4 position{}; // clip space
    std::array<f32, 18> attribute{};
};

struct CarriedPrimitive
{
    u32 filled = 0; // slots that hold a vertex, 0..2; the others are zero
    u32 next = 0;   // slot that the next vertex takes; lists: 2 would complete a triangle
    bool ready = false;
    bool inverted = false;
    std::array<CarriedVertex, 2> slots;
};

struct CarriedGeometry
{
    GeometryRegisters registers;
    std::bitset<96> fed; // c registers that hold fed values
    std::array<Vec4, 96> fed_values{};
    bool has_run = false; // since the guest wrote the bools
    // An unfinished invocation; everything is zero where nothing is collected.
    u32 collected = 0;             // inputs (point) or vertices (fixed); draws in variable mode leave none
    u32 cursor = 0;                // fixed: next c register
    std::array<Vec4, 16> inputs{}; // point
};

struct Carryover
{
    CarriedPrimitive primitive;
    CarriedGeometry geometry;
};

} // namespace pica
