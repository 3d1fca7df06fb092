// SPDX-License-Identifier: MIT
// From output rows of the batched interpreter to vertices on the screen, eight at a time: output rules, clip
// outcodes, division, viewport, snapping. Source: design.md, rows "Vertex output" to "Snap". Tests:
// vertex_stage_test.cpp.
#pragma once

#include "pica/state/draw.h"
#include "pica/vertex/shaded_vertex.h"

namespace pica
{

struct VertexOutputRows
{
    // x, y, z, w, then the attributes of ShadedVertex: rows of floats, aligned to 32 bytes, with a length
    // that is a multiple of 8. Null: 1.0 for every vertex [HW].
    std::array<const f32*, 4 + kAttributeCount> row{};
    GeometryConstants geometry;
    u32 scale = 1;
};

using VertexOutputFunction = void (*)(const VertexOutputRows& rows, u32 count, ShadedVertex* out);

void vertex_outputs_baseline(const VertexOutputRows& rows, u32 count, ShadedVertex* out);
void vertex_outputs_avx2(const VertexOutputRows& rows, u32 count, ShadedVertex* out);
// The fastest that the processor can run. All give the same bits.
VertexOutputFunction choose_vertex_outputs();

} // namespace pica
