// SPDX-License-Identifier: MIT
// Triangle set-up: turns visible triangles into triangle records and positions
// (pica/state/triangle_record.h). Source: design.md, rows "Edge values" and "Interpolation". Tests:
// vertex_stage_test.cpp.
#pragma once

#include "pica/state/triangle_record.h"
#include "pica/vertex/shaded_vertex.h"

#include <span>

namespace pica
{

// Writes layout.words words and six positions for each triangle: X, Y of vertices 0, 1, 2 of its triangle
// record. vertices: those that the triangles number. flat_color: Triangle::color counts.
void set_up(const RecordLayout& layout, std::span<const Triangle> triangles,
            std::span<const ShadedVertex> vertices, bool flat_color, u32* records, s32* positions);

} // namespace pica
