// SPDX-License-Identifier: MIT
// Edge functions of a triangle, and the level of detail computed from them. Each 2x2 quad of pixels, aligned
// to even coordinates (y up), is interpolated at three of its pixels, whether they are covered or not, by
// extending the triangle's planes. Source: design.md, rows "Edge values" and "LOD"; textures.md, "Level of
// detail". Included only by the source files that are compiled once per instruction set.
#pragma once

#include "pica/soft/framebuffer.h"
#include "pica/soft/pixel_plan.h"
#include "pica/soft/simd.h"

namespace pica::soft
{

// Each compilation has its own.
namespace
{

// Edge functions of one triangle in memory space: e = a*x + b*y + c at the centre of pixel (x, y).
struct Edges
{
    s32 a[3];
    s32 b[3];
    s64 c[3];
    s32 bias[3]; // 0 if pixels exactly on the edge belong to the triangle, else -1
    s64 area;
    int shift;
};

PICA_SIMD s64 join(u32 low, u32 high)
{
    return static_cast<s64>(static_cast<u64>(high) << 32 | low);
}

PICA_SIMD Edges load_edges(const PixelPlan& plan, const u32* record)
{
    Edges e;
    const bool wide = plan.layout.wide != 0;
    const auto value = [&](u32 word, u32 high)
    { return wide ? join(record[word], record[high]) : static_cast<s64>(static_cast<s32>(record[word])); };
    e.area = value(kRecordArea, kRecordHeader + 2);
    e.shift = static_cast<int>(record[kRecordShift]);
    for (u32 i = 0; i < 2; ++i)
    {
        const u32 word = i == 0 ? kRecordEdge0 : kRecordEdge1;
        e.a[i] = static_cast<s32>(record[word]);
        e.b[i] = static_cast<s32>(record[word + 1]);
        e.c[i] = value(word + 2, kRecordHeader + i);
    }
    e.a[2] = -(e.a[0] + e.a[1]);
    e.b[2] = -(e.b[0] + e.b[1]);
    e.c[2] = e.area - e.c[0] - e.c[1];
    for (u32 i = 0; i < 3; ++i)
    {
        e.bias[i] = e.a[i] > 0 || (e.a[i] == 0 && e.b[i] > 0) ? 0 : -1;
        if (plan.flip)
        {
            e.c[i] += static_cast<s64>(e.b[i]) * (plan.height - 1);
            e.b[i] = -e.b[i];
        }
    }
    return e;
}

PICA_SIMD Real scalar(const u32* record, u32 word)
{
    return num8::as_real(splat(record[word]));
}

PICA_SIMD Real attribute(const u32* record, u32 word, Real l0, Real l1)
{
    return num8::interpolate(scalar(record, word), scalar(record, word + 1), scalar(record, word + 2), l0,
                             l1);
}

// The pixels (x0, y0), (x0+1, y0) and (x0, y0+1) of the left quad of a block in lanes 0-2, and of the right
// quad in lanes 3-5.
struct QuadPoints
{
    Real l0, l1; // perspective weights
    Mask beyond; // pixels at which 1/w is not above 0
};

// The points of the block at column x. row: memory row of y0; up: the step from it to y0+1.
PICA_SIMD QuadPoints quad_points(const u32* record, bool wide, const Edges& edges, s32 x, s32 row, s32 up)
{
    const Int px = Int{0, 1, 0, 2, 3, 2, 2, 2} + x;
    const Int py = Int{0, 0, 1, 0, 0, 1, 0, 0} * up + row;
    Int e[3];
    if (wide)
    {
        constexpr s64 kLimit = 1 << 24;
        for (int lane = 0; lane < 8; ++lane)
            for (u32 i = 0; i < 3; ++i)
            {
                const s64 value = edges.a[i] * s64{px[lane]} + edges.b[i] * s64{py[lane]} + edges.c[i];
                const s64 shifted = value >> edges.shift;
                e[i][lane] = static_cast<s32>(shifted > kLimit    ? kLimit
                                              : shifted < -kLimit ? -kLimit
                                                                  : shifted);
            }
    }
    else
    {
        Bits value[3];
        for (u32 i = 0; i < 2; ++i)
            value[i] = num8::as_unsigned(px) * static_cast<u32>(edges.a[i]) +
                       num8::as_unsigned(py) * static_cast<u32>(edges.b[i]) + static_cast<u32>(edges.c[i]);
        value[2] = splat(static_cast<u32>(edges.area)) - value[0] - value[1];
        for (u32 i = 0; i < 3; ++i)
            e[i] = num8::as_signed(value[i]) >> edges.shift;
    }
    Real b[3];
    for (u32 i = 0; i < 3; ++i)
        b[i] = num8::bounded_edge(e[i]) * scalar(record, kRecordInverseW + i);
    const Real sum = (b[0] + b[1]) + b[2];
    const Real r = num8::rcp(sum);
    return {num8::weight(b[0], r), num8::weight(b[1], r), num8::is_beyond_horizon(b[0], b[1], b[2], sum)};
}

// Point k of each quad, in the lanes of all four pixels of that quad.
template <int k, typename T>
PICA_SIMD T quad_point(T v)
{
    return __builtin_shufflevector(v, v, k, k, k, k, k + 3, k + 3, k + 3, k + 3);
}

// The value of the first point, in the lanes of all points of its quad.
PICA_SIMD Int first_point(Int points)
{
    return __builtin_shufflevector(points, points, 0, 0, 0, 3, 3, 3, 3, 3);
}

PICA_SIMD Mask quad_mask(Mask points)
{
    return quad_point<0>(points) | quad_point<1>(points) | quad_point<2>(points);
}

// The largest step of a coordinate inside each quad, in texels of level 0.
PICA_SIMD Real quad_step(Real coordinate, s32 size)
{
    const Real origin = quad_point<0>(coordinate);
    const Real along_x = num8::magnitude(quad_point<1>(coordinate) - origin);
    const Real along_y = num8::magnitude(quad_point<2>(coordinate) - origin);
    return num8::larger(along_x, along_y) * splat(static_cast<f32>(size));
}

PICA_SIMD Int quad_lod(const TexturePlan& texture, Real u, Real v, Mask beyond)
{
    const Real rho = num8::larger(quad_step(u, texture.width), quad_step(v, texture.height));
    const Int lod = choose(beyond, splat(0x100000), num8::level_of_detail(rho));
    return num8::bounded_lod(lod, splat(s32{texture.bounds.bias}), splat(s32{texture.bounds.low}),
                             splat(s32{texture.bounds.high}));
}

// The largest step of the magnitude of a coordinate inside each quad.
PICA_SIMD Real quad_proctex_step(Real coordinate)
{
    const Real c = num8::magnitude(coordinate);
    const Real origin = quad_point<0>(c);
    return num8::larger(num8::magnitude(quad_point<1>(c) - origin),
                        num8::magnitude(quad_point<2>(c) - origin));
}

PICA_SIMD Int quad_proctex_lod(const ProcTexPlan& plan, Real u, Real v, Mask beyond)
{
    const Real steps = quad_proctex_step(u) + quad_proctex_step(v);
    const Int lod = num8::level_of_detail(num8::fm(splat(plan.constants.lod_scale), steps));
    return num8::bounded_lod(choose(beyond, splat(0x100000), lod), splat(0),
                             splat(plan.constants.min_lod * 256), splat(plan.constants.max_lod * 256));
}

// Divided coordinates, and those on a cube's face.
PICA_SIMD void divide_coordinates(Real& u, Real& v, Real q)
{
    const Real r = num8::rcp(num8::divisor(q));
    u = num8::fm(u, r);
    v = num8::fm(v, r);
}

PICA_SIMD void face_coordinates(Int face, Real& u, Real& v, Real q)
{
    const Real r = num8::rcp(num8::divisor(num8::cube_major(face, u, v, q)));
    const Real s = num8::cube_s(face, u, q);
    const Real t = num8::cube_t(face, v, q);
    u = num8::cube_coordinate(s, r);
    v = num8::cube_coordinate(t, r);
}

// Levels of detail of the pixels of a block, for each texture unit.
struct BlockLods
{
    Int lod[4];
};

static BlockLods row_lods(const PixelPlan& plan, const u32* record, const Edges& edges, s32 x, s32 row,
                          s32 up)
{
    const QuadPoints points = quad_points(record, plan.layout.wide != 0, edges, x, row, up);
    const Mask beyond = quad_mask(points.beyond);
    BlockLods result = {};
    for (u32 unit = 0; unit < 3; ++unit)
    {
        const TexturePlan& texture = plan.texture[unit];
        if (!texture.enabled || !texture.lod)
            continue;
        const u32 word = plan.layout.texcoord[texture.texcoord];
        Real u = attribute(record, word, points.l0, points.l1);
        Real v = attribute(record, word + 3, points.l0, points.l1);
        if (texture.type != TextureType::Texture2D)
        {
            const Real q = attribute(record, plan.layout.texcoord0_w, points.l0, points.l1);
            // The three points of a cube are computed on the face of the first one. [our rule]
            if (texture.type == TextureType::Cube)
                face_coordinates(first_point(num8::cube_face(u, v, q)), u, v, q);
            else
                divide_coordinates(u, v, q);
        }
        result.lod[unit] = quad_lod(texture, u, v, beyond);
    }
    if (plan.proctex.lod)
    {
        const u32 word = plan.layout.texcoord[plan.proctex.key.texcoord];
        result.lod[3] = quad_proctex_lod(plan.proctex, attribute(record, word, points.l0, points.l1),
                                         attribute(record, word + 3, points.l0, points.l1), beyond);
    }
    return result;
}

// The block whose first pixel is (x, y) in memory.
static BlockLods block_lods(const PixelPlan& plan, const u32* record, const Edges& edges, s32 x, s32 y)
{
    if (!plan.flip)
        return row_lods(plan, record, edges, x, y, 1);
    if (plan.height % 2 == 0)
        return row_lods(plan, record, edges, x, y + 1, -1);
    // Quads overlap two blocks.
    BlockLods first = row_lods(plan, record, edges, x, y, -1);
    const BlockLods second = row_lods(plan, record, edges, x, y + 2, -1);
    const Mask upper = equal(lane_y(), splat(0));
    for (u32 unit = 0; unit < 3; ++unit)
        if (plan.texture[unit].enabled && plan.texture[unit].lod)
            first.lod[unit] = choose(upper, first.lod[unit], second.lod[unit]);
    first.lod[3] = choose(upper, first.lod[3], second.lod[3]);
    return first;
}

} // namespace

} // namespace pica::soft
