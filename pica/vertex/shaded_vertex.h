// SPDX-License-Identifier: MIT
// Vertices after the program and the output map, and the triangles made from them.
#pragma once

#include "pica/base/default_init.h"
#include "pica/base/types.h"

#include <array>
#include <vector>

namespace pica
{

// Interpolated attributes: colour, u and v of texture coordinates 0..2, w of texture coordinate 0, and at the
// end those that only lit draws read: quaternion, view vector.
inline constexpr u32 kColorAttribute = 0;
inline constexpr u32 kTexcoordAttribute = 4; // + 2 * set
inline constexpr u32 kTexcoordWAttribute = 10;
inline constexpr u32 kUnlitAttributeCount = 11;
inline constexpr u32 kQuaternionAttribute = 11;
inline constexpr u32 kViewAttribute = 15;
inline constexpr u32 kAttributeCount = 18;
// The semantic of each (pica/hardware/vertex-output.md).
inline constexpr std::array<u8, kAttributeCount> kAttributeSemantic = {0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D,
                                                                       0x0E, 0x0F, 0x16, 0x17, 0x10, 0x04,
                                                                       0x05, 0x06, 0x07, 0x12, 0x13, 0x14};

// The planes, in the order of clipping.
enum ClipPlane : u8
{
    kClipRight, // w - x
    kClipLeft,  // w + x
    kClipTop,   // w - y
    kClipBottom,
    kClipNear, // -z
    kClipFar,  // z + w
    kClipEye,  // w - eps
    kClipUser,
    kClipPlanes,
};
inline constexpr u32 kNotFinite = 1u << 31; // bit of `outside`: a position component is NaN or infinity

// Four groups of eight words, in the order in which the vertex kernels store them. Without initial values: a frame has
// thousands of them, and the kernels write all words.
struct alignas(32) ShadedVertex
{
    f32 x, y, z, w; // clip space; z is moved onto the depth planes
    f32 inverse_w;
    f32 depth; // z / w
    s32 screen_x;
    s32 screen_y; // 1/16 pixel of the scaled picture, y up
    std::array<f32, kAttributeCount> attribute;
    u32 outside; // a bit for each ClipPlane, and kNotFinite
    u32 unused[5];
};
static_assert(sizeof(ShadedVertex) == 128);
using ShadedVertices = std::vector<ShadedVertex, DefaultInit<ShadedVertex>>;

// A visible triangle, counter-clockwise. color: the vertex that gives the colour with flat shading. flip: bit
// i means that the quaternion of vertex i is used with the opposite sign.
struct Triangle
{
    std::array<u32, 3> vertex;
    u32 color;
    u32 flip;
};

} // namespace pica
