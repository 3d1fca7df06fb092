// SPDX-License-Identifier: MIT
// What draws leave behind for later draws, apart from memory: the vertices in the primitive assembler, and
// everything that the geometry shader unit keeps. Each backend holds its own in its own form; this is the
// form for exchange and for saved states, and it is the same from every backend at the same point of a
// stream. Source: shader-unit.md, geometry-unit.md, primitives.md. Tests: tests/api/snapshot_test.cpp.
#pragma once

#include "pica/shader/geometry_program.h"

#include <array>
#include <bitset>

namespace pica
{

// A vertex after the output map. Its screen position is not kept, but computed again. The attributes are in
// the order of ShadedVertex (pica/vertex/shaded_vertex.h).
struct CarriedVertex
{
    Vec4 position{}; // clip space
    std::array<f32, 18> attribute{};
};

struct CarriedPrimitive
{
    u32 filled = 0; // number of slots that hold a vertex, 0..2; the others are zero
    u32 next = 0;   // the slot that the next vertex takes; in lists 2 would complete a triangle
    bool ready = false;
    bool inverted = false;
    std::array<CarriedVertex, 2> slots;
};

struct CarriedGeometry
{
    GeometryRegisters registers;
    std::bitset<96> fed; // c registers that hold values fed by vertices
    std::array<Vec4, 96> fed_values{};
    bool has_run = false; // an invocation has run since the guest wrote the bools
    // An invocation whose inputs are incomplete. Everything is zero if none has begun.
    u32 collected = 0;             // number of inputs (point) or vertices (fixed); variable mode leaves none
    u32 cursor = 0;                // fixed mode: the next c register
    std::array<Vec4, 16> inputs{}; // point mode
};

struct Carryover
{
    CarriedPrimitive primitive;
    CarriedGeometry geometry;
};

} // namespace pica
