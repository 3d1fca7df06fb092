// SPDX-License-Identifier: MIT
// The kernel behind vertex_outputs.h. Included only by the source files that are compiled once per
// instruction set.
#pragma once

#include "pica/base/numeric8.h"
#include "pica/vertex/vertex_outputs.h"

#include <cstddef>
#include <cstring>

namespace pica
{

namespace
{

using num8::Bits;
using num8::Int;
using num8::Mask;
using num8::Real;
using num8::splat;

// Writes lane i of the eight rows as eight words at out + i * stride.
[[gnu::always_inline]] static inline void store_columns(const Real* row, f32* out, std::size_t stride,
                                                        u32 lanes)
{
    alignas(32) f32 columns[8][8];
#if defined(PICA_LANES_AVX2)
    __m256 pair[8];
    for (int i = 0; i < 8; i += 2)
    {
        pair[i] = _mm256_unpacklo_ps(row[i], row[i + 1]);
        pair[i + 1] = _mm256_unpackhi_ps(row[i], row[i + 1]);
    }
    __m256 quad[8];
    for (int i = 0; i < 8; i += 4)
    {
        quad[i] = _mm256_shuffle_ps(pair[i], pair[i + 2], 0x44);
        quad[i + 1] = _mm256_shuffle_ps(pair[i], pair[i + 2], 0xEE);
        quad[i + 2] = _mm256_shuffle_ps(pair[i + 1], pair[i + 3], 0x44);
        quad[i + 3] = _mm256_shuffle_ps(pair[i + 1], pair[i + 3], 0xEE);
    }
    __m256 column[8];
    for (int i = 0; i < 4; ++i)
    {
        column[i] = _mm256_permute2f128_ps(quad[i], quad[i + 4], 0x20);
        column[i + 4] = _mm256_permute2f128_ps(quad[i], quad[i + 4], 0x31);
    }
    if (lanes == 8)
    {
        for (int i = 0; i < 8; ++i)
            _mm256_storeu_ps(out + static_cast<std::size_t>(i) * stride, column[i]);
        return;
    }
    std::memcpy(columns, column, sizeof columns);
#else
    for (int i = 0; i < 8; ++i)
        for (int c = 0; c < 8; ++c)
            columns[i][c] = row[c][i];
#endif
    for (u32 i = 0; i < lanes; ++i)
        std::memcpy(out + i * stride, columns[i], sizeof columns[i]);
}

static void vertex_outputs(const VertexOutputRows& rows, u32 count, ShadedVertex* out)
{
    const GeometryConstants& g = rows.geometry;
    const Real scale16 = splat(static_cast<f32>(16 * rows.scale));
    const Real limit = splat(static_cast<f32>(65536 * rows.scale));
    const Real zero = splat(0.0f);
    for (u32 lane = 0; lane < count; lane += 8, out += 8)
    {
        const auto output = [&](u32 n)
        {
            Real v = splat(1.0f);
            if (rows.row[n])
                std::memcpy(&v, rows.row[n] + lane, sizeof v);
            return v;
        };
        const Real x = output(0);
        const Real y = output(1);
        const Real w = output(3);
        const Real z = num8::snap_to_depth_planes(output(2), w);
        const auto plane = [&](Real distance, u32 bit)
        { return num8::as_unsigned(~(distance >= zero)) & (1u << bit); };
        Bits outside = plane(w - x, kClipRight) | plane(w + x, kClipLeft) | plane(w - y, kClipTop) |
                       plane(w + y, kClipBottom) | plane(-z, kClipNear) | plane(z + w, kClipFar) |
                       plane(w - num8::clip_epsilon(), kClipEye);
        if (g.clip_plane_enable)
            outside |=
                plane(num8::user_plane_distance(splat(g.clip_plane[0]), splat(g.clip_plane[1]),
                                                splat(g.clip_plane[2]), splat(g.clip_plane[3]), x, y, z, w),
                      kClipUser);
        const Mask finite = num8::is_finite(x) & num8::is_finite(y) & num8::is_finite(z) & num8::is_finite(w);
        outside |= num8::as_unsigned(~finite) & kNotFinite;
        const Real iw = num8::inverse_w(w);
        const Real sx =
            num8::viewport_transform(x, iw, splat(g.half_width), splat(static_cast<f32>(g.viewport_x)));
        const Real sy =
            num8::viewport_transform(y, iw, splat(g.half_height), splat(static_cast<f32>(g.viewport_y)));
        const auto bits = [](Int v) { return num8::as_real(num8::as_unsigned(v)); };

        const u32 lanes = count - lane < 8 ? count - lane : 8;
        constexpr std::size_t kStride = sizeof(ShadedVertex) / sizeof(f32);
        const Real place[8] = {x,
                               y,
                               z,
                               w,
                               iw,
                               num8::depth_over_w(z, iw),
                               bits(num8::snap_coordinate(sx, scale16, limit)),
                               bits(num8::snap_coordinate(sy, scale16, limit))};
        store_columns(place, &out->x, kStride, lanes);
        Real attribute[24];
        for (u32 a = 0; a < kAttributeCount; ++a)
        {
            const Real v = output(4 + a);
            attribute[a] = a < kTexcoordAttribute ? num8::vertex_color(v) : num8::vertex_attribute(v);
        }
        attribute[kAttributeCount] = num8::as_real(outside);
        for (u32 a = kAttributeCount + 1; a < 24; ++a)
            attribute[a] = zero;
        for (u32 group = 0; group < 24; group += 8)
            store_columns(attribute + group, out->attribute.data() + group, kStride, lanes);
    }
}

} // namespace

} // namespace pica
