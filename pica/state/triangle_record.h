// SPDX-License-Identifier: MIT
// The triangle record: what triangle set-up passes on to rasterisation, in 32-bit words. The software core
// reads it, the Vulkan renderer uploads it as flat vertex attributes or as a texel buffer, and compute
// shaders write it. design.md, "Fragment inputs".
//
//   word  content
//   0     edge 0: A, B, C: e0 = A*px + B*py + C at the centre of pixel (px, py), integer, unbiased; opposite
//         vertex 0
//   3     edge 1: A, B, C; e2 = area - e0 - e1
//   6     area: twice the area in 1/256 pixel units, > 0
//   7     shift: smallest s with (area >> s) < 2^24
//   8     1/w of vertices 0, 1, 2 (float)
//   11    RCP(float(area >> shift)) (float)
//   12    high words of edge 0 C, edge 1 C, area: only if layout.wide (these values then have 64 bits)
//   then   for each interpolated scalar, (value at vertex 2, v0 - v2, v1 - v2) as floats: z, colour, texture
//         coordinates, quaternion, view vector
//
// Vertices are in the order after the swap that makes the area positive.
#pragma once

#include "pica/base/types.h"
#include "pica/state/draw.h"

namespace pica
{

enum RecordWord : u8
{
    kRecordEdge0 = 0,
    kRecordEdge1 = 3,
    kRecordArea = 6,
    kRecordShift = 7,
    kRecordInverseW = 8,
    kRecordInverseArea = 11,
    kRecordHeader = 12,
};

// The largest layout: high words, depth, colour, three texture coordinates, w of the first, quaternion, view.
inline constexpr u32 kMaxRecordWords = kRecordHeader + 3 + 3 * (1 + 4 + 6 + 1 + 4 + 3);
static_assert(kMaxRecordWords % 12 == 0);

// RecordLayout::wide: below which limit edge values are at all pixels up to two outside of a triangle. A and B are multiples
// of 16, so an edge value has the low four bits of its C at all pixels.
enum EdgeWidth : u8
{
    kEdges32 = 0, // 2^27, also at all pixels between the origin and the triangle
    kEdges36 = 1, // 2^34: their sixteenths have 32 bits
    kEdges64 = 2,
};

// Word offsets of the triple of a first scalar; 0: not present.
struct RecordLayout
{
    u8 words = 0; // of the whole record; a multiple of 12 (three vertices of whole 4-word attributes)
    u8 wide = 0;  // EdgeWidth; not kEdges32: high words at 12, 13, 14
    u8 depth = 0; // 1 scalar: z / w
    u8 color = 0; // 4 scalars: r, g, b, a
    std::array<u8, 3> texcoord{}; // 2 scalars each: u, v
    u8 texcoord0_w = 0;           // 1 scalar
    u8 quaternion = 0; // 4 scalars: x, y, z, w; the signs agree with vertex 0 of the assembled triangle
    u8 view = 0;       // 3 scalars

    bool operator==(const RecordLayout&) const = default;
};
static_assert(std::has_unique_object_representations_v<RecordLayout>);

// The bounds of the vertices of visible triangles: the viewport in 1/16 pixel of the scaled picture, rounded
// outwards and limited to the range of snapped coordinates. Clipping leaves vertices inside, except for its
// rounding, which near the eye can be many pixels. Vertices that clipping made are therefore moved onto the
// bounds. [our rule: the widths of edge values and the Vulkan viewport follow from the bounds and must hold
// for every triangle; no vertex that was inside from the start moves]
struct SnapBounds
{
    s32 low_x = 0, low_y = 0, high_x = 0, high_y = 0; // inclusive
    bool operator==(const SnapBounds&) const = default;
};
SnapBounds snap_bounds(const GeometryConstants& geometry, u32 scale);

// The layout for a draw: only what its key reads. `wide` follows from the bounds of the snapped coordinates.
RecordLayout record_layout(const FragmentKey& key, const GeometryConstants& geometry, u32 scale);

// The words of a record that hold something; those after them are 0.
u32 used_words(const RecordLayout& layout);

} // namespace pica
