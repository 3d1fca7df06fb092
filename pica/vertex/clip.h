// SPDX-License-Identifier: MIT
// Clipping against the frustum and the user plane, and the projection of single vertices onto the screen.
// Arithmetic is shaders/include/geometry.h; the order of planes, the order of polygon vertices and the fan
// are those of pica/hardware/primitives.md, "Clipping algorithm". Tests: clip_test.cpp.
#pragma once

#include "pica/state/draw.h"
#include "pica/state/triangle_record.h"
#include "pica/vertex/shaded_vertex.h"

#include <array>
#include <span>

namespace pica
{

// Three vertices, and one more for each plane.
inline constexpr u32 kMaxClippedVertices = 3 + kClipPlanes;
using Polygon = std::array<ShadedVertex, kMaxClippedVertices + 1>;

// Signed distance of a clip-space position; inside is >= 0.
f32 plane_distance(u32 plane, const GeometryConstants& geometry, const ShadedVertex& v);

// Clips the first three vertices of `polygon` in place; returns the number left: 0 or 3..kMaxClippedVertices.
// Only position and the first `attributes` attributes of the result are valid.
u32 clip_triangle(const GeometryConstants& geometry, u32 attributes, Polygon& polygon);

// Division, viewport, snapping. A vertex outside the bounds, which only clipping can make, is moved onto
// them.
void project(const GeometryConstants& geometry, const SnapBounds& bounds, u32 scale, ShadedVertex& v);

} // namespace pica
