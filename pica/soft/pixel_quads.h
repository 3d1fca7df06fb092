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
    return lanes::as_real(splat(record[word]));
}

PICA_SIMD Real attribute(const u32* record, u32 word, Real l0, Real l1)
{
    return lanes::interpolate(scalar(record, word), scalar(record, word + 1), scalar(record, word + 2), l0,
                              l1);
}

// Four lanes for each quad of a block: the pixels (x0, y0), (x0+1, y0) and (x0, y0+1), and one that is not used.
struct QuadPoints
{
    Real l0, l1; // perspective weights
    Mask beyond; // pixels at which 1/w is not above 0
};

// From the shifted edges of the points as floats, with bounded magnitudes.
PICA_SIMD QuadPoints quad_points(const u32* record, const Real* f)
{
    Real b[3];
    for (u32 i = 0; i < 3; ++i)
        b[i] = f[i] * scalar(record, kRecordInverseW + i);
    const Real sum = (b[0] + b[1]) + b[2];
    const Real r = lanes::rcp(sum);
    return {lanes::weight(b[0], r), lanes::weight(b[1], r), lanes::is_beyond_horizon(b[0], b[1], b[2], sum)};
}

// The points of quads at column x. row: memory row of y0; up: the step from it to y0+1.
static QuadPoints quad_points_at(const u32* record, bool wide, const Edges& edges, s32 x, s32 row, s32 up)
{
    const Int px = lane_x() + x;
    const Int py = (lane_y() & 2) + (lane_y() & 1) * up + row;
    Int e[3];
    if (wide)
    {
        constexpr s64 kLimit = 1 << 24;
        for (u32 lane = 0; lane < kLanes; ++lane)
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
            value[i] = lanes::as_unsigned(px) * static_cast<u32>(edges.a[i]) +
                       lanes::as_unsigned(py) * static_cast<u32>(edges.b[i]) + static_cast<u32>(edges.c[i]);
        value[2] = splat(static_cast<u32>(edges.area)) - value[0] - value[1];
        for (u32 i = 0; i < 3; ++i)
            e[i] = lanes::as_signed(value[i]) >> edges.shift;
    }
    const Real f[3] = {lanes::bounded_edge(e[0]), lanes::bounded_edge(e[1]), lanes::bounded_edge(e[2])};
    return quad_points(record, f);
}

// Point k of each quad, in the lanes of all four pixels of that quad.
template <int k, typename T>
PICA_SIMD T quad_point(T v)
{
#if defined(PICA_LANES_AVX512)
    return shuffle_lanes<k, k, k, k, k + 4, k + 4, k + 4, k + 4, k + 8, k + 8, k + 8, k + 8, k + 12, k + 12,
                         k + 12, k + 12>(v);
#else
    return shuffle_lanes<k, k, k, k, k + 4, k + 4, k + 4, k + 4>(v);
#endif
}

// Exchanges the rows of each quad.
template <typename T>
PICA_SIMD T quad_rows_exchanged(T v)
{
#if defined(PICA_LANES_AVX512)
    return shuffle_lanes<2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13>(v);
#else
    return shuffle_lanes<2, 3, 0, 1, 6, 7, 4, 5>(v);
#endif
}

PICA_SIMD Mask quad_mask(Mask points)
{
    return quad_point<0>(points) | quad_point<1>(points) | quad_point<2>(points);
}

// The largest step of a coordinate inside each quad, in texels of level 0.
PICA_SIMD Real quad_step(Real coordinate, s32 size)
{
    const Real origin = quad_point<0>(coordinate);
    const Real along_x = lanes::magnitude(quad_point<1>(coordinate) - origin);
    const Real along_y = lanes::magnitude(quad_point<2>(coordinate) - origin);
    return lanes::larger(along_x, along_y) * splat(static_cast<f32>(size));
}

PICA_SIMD Int quad_lod(const TexturePlan& texture, Real u, Real v, Mask beyond)
{
    const Real rho = lanes::larger(quad_step(u, texture.width), quad_step(v, texture.height));
    const Int lod = choose(beyond, splat(0x100000), lanes::level_of_detail(rho));
    return lanes::bounded_lod(lod, splat(s32{texture.bounds.bias}), splat(s32{texture.bounds.low}),
                              splat(s32{texture.bounds.high}));
}

// The largest step of the magnitude of a coordinate inside each quad.
PICA_SIMD Real quad_proctex_step(Real coordinate)
{
    const Real c = lanes::magnitude(coordinate);
    const Real origin = quad_point<0>(c);
    return lanes::larger(lanes::magnitude(quad_point<1>(c) - origin),
                         lanes::magnitude(quad_point<2>(c) - origin));
}

PICA_SIMD Int quad_proctex_lod(const ProcTexPlan& plan, Real u, Real v, Mask beyond)
{
    const Real steps = quad_proctex_step(u) + quad_proctex_step(v);
    const Int lod = lanes::level_of_detail(lanes::fm(splat(plan.constants.lod_scale), steps));
    return lanes::bounded_lod(choose(beyond, splat(0x100000), lod), splat(0),
                              splat(plan.constants.min_lod * 256), splat(plan.constants.max_lod * 256));
}

// Divided coordinates, and those on a cube's face.
PICA_SIMD void divide_coordinates(Real& u, Real& v, Real q)
{
    const Real r = lanes::rcp(lanes::divisor(q));
    u = lanes::fm(u, r);
    v = lanes::fm(v, r);
}

PICA_SIMD void face_coordinates(Int face, Real& u, Real& v, Real q)
{
    const Real r = lanes::rcp(lanes::divisor(lanes::cube_major(face, u, v, q)));
    const Real s = lanes::cube_s(face, u, q);
    const Real t = lanes::cube_t(face, v, q);
    u = lanes::cube_coordinate(s, r);
    v = lanes::cube_coordinate(t, r);
}

// Levels of detail of the pixels of a block, for each texture unit.
struct BlockLods
{
    Int lod[4];
};

static BlockLods quad_lods(const PixelPlan& plan, const u32* record, const QuadPoints& points)
{
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
                face_coordinates(quad_point<0>(lanes::cube_face(u, v, q)), u, v, q);
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

// Are the quads of a block made of the block's own pixels, at edge values that its lanes hold?
PICA_SIMD bool has_own_quads(const PixelPlan& plan)
{
    return plan.layout.wide == 0 && (!plan.flip || plan.height % 2 == 0);
}

// If has_own_quads: points holds the block's pixels.
PICA_SIMD BlockLods own_block_lods(const PixelPlan& plan, const u32* record, const QuadPoints& points)
{
    if (!plan.flip)
        return quad_lods(plan, record, points);
    return quad_lods(
        plan, record,
        {quad_rows_exchanged(points.l0), quad_rows_exchanged(points.l1), quad_rows_exchanged(points.beyond)});
}

// Else: the block whose first pixel is (x, y) in memory.
static BlockLods block_lods(const PixelPlan& plan, const u32* record, const Edges& edges, s32 x, s32 y)
{
    const bool wide = plan.layout.wide != 0;
    if (!plan.flip)
        return quad_lods(plan, record, quad_points_at(record, wide, edges, x, y, 1));
    if (plan.height % 2 == 0)
        return quad_lods(plan, record, quad_points_at(record, wide, edges, x, y + 1, -1));
    // Quads overlap two blocks.
    BlockLods first = quad_lods(plan, record, quad_points_at(record, wide, edges, x, y, -1));
    const BlockLods second = quad_lods(plan, record, quad_points_at(record, wide, edges, x, y + 2, -1));
    const Mask upper = equal(lane_y() & 1, splat(0));
    for (u32 unit = 0; unit < 3; ++unit)
        if (plan.texture[unit].enabled && plan.texture[unit].lod)
            first.lod[unit] = choose(upper, first.lod[unit], second.lod[unit]);
    first.lod[3] = choose(upper, first.lod[3], second.lod[3]);
    return first;
}

} // namespace

} // namespace pica::soft
