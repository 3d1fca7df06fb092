// SPDX-License-Identifier: MIT
// From output rows of the batched interpreter to vertices on the screen: output rules, clip outcodes, divide,
// viewport, snap, eight vertices at a time. Source: design.md, rows "Vertex output" to "Snap".
// Tests: vertex_stage_test.cpp.
#pragma once

#include "pica/soft/shaded_vertex.h"
#include "pica/state/draw.h"

namespace pica::soft
{

struct VertexOutputRows
{
    // x, y, z, w, then the attributes of ShadedVertex; rows of 32-byte aligned floats whose length is a
    // multiple of 8. Null: 1.0 for every vertex [HW].
    std::array<const f32*, 4 + kAttributeCount> row{};
    GeometryConstants geometry;
    u32 scale = 1;
};

using VertexOutputFunction = void (*)(const VertexOutputRows& rows, u32 count, ShadedVertex* out);

void vertex_outputs_baseline(const VertexOutputRows& rows, u32 count, ShadedVertex* out);
void vertex_outputs_avx2(const VertexOutputRows& rows, u32 count, ShadedVertex* out);
// The fastest that this machine runs. All give the same bits.
VertexOutputFunction choose_vertex_outputs();

} // namespace pica::soft
