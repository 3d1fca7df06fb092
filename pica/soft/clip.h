// SPDX-License-Identifier: MIT
// Frustum and user plane, and the way to the screen of single vertices. Arithmetic is
// shaders/include/geometry.h; plane order, polygon order and fan are those of the geometry sheet 8.2. Tests:
// clip_test.cpp.
#pragma once

#include "pica/soft/shaded_vertex.h"
#include "pica/state/draw.h"
#include "pica/state/triangle_record.h"

#include <array>
#include <span>

namespace pica::soft
{

// Three vertices and one more per plane.
inline constexpr u32 kMaxClippedVertices = 3 + kClipPlanes;
using Polygon = std::array<ShadedVertex, kMaxClippedVertices + 1>;

// Signed distance of a clip-space position; inside is >= 0.
f32 plane_distance(u32 plane, const GeometryConstants& geometry, const ShadedVertex& v);

// Clips the first three vertices of `polygon` in place; returns the number left: 0 or 3..kMaxClippedVertices.
// Only position and the first `attributes` attributes of the result are valid.
u32 clip_triangle(const GeometryConstants& geometry, u32 attributes, Polygon& polygon);

// Divide, viewport, snap. A vertex outside the bounds is put onto them: one that clipping made.
void project(const GeometryConstants& geometry, const SnapBounds& bounds, u32 scale, ShadedVertex& v);

} // namespace pica::soft
