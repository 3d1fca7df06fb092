// SPDX-License-Identifier: MIT
#include "pica/vertex/setup.h"

#include "pica/base/numeric.h"

#include <algorithm>
#include <bit>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace pica
{

namespace
{

// Stores the value at vertex 2, and the differences of vertices 0 and 1 from it.
void put_scalar(u32* words, f32 a0, f32 a1, f32 a2)
{
    words[0] = num::as_bits(a2);
    words[1] = num::as_bits(a0 - a2);
    words[2] = num::as_bits(a1 - a2);
}

u32 low(s64 value)
{
    return static_cast<u32>(static_cast<u64>(value));
}
u32 high(s64 value)
{
    return static_cast<u32>(static_cast<u64>(value) >> 32);
}

using Corners = std::array<const ShadedVertex*, 3>;

// Positions, edge values, area and inverse w.
inline void put_header(const RecordLayout& layout, const Corners& v, u32* record, s32* positions)
{
    s64 x[3];
    s64 y[3];
    for (u32 i = 0; i < 3; ++i)
    {
        x[i] = positions[2 * i] = v[i]->screen_x;
        y[i] = positions[2 * i + 1] = v[i]->screen_y;
    }
    // e(p) = (xb - xa) * (py - ya) - (yb - ya) * (px - xa) at p = 16 * pixel + 8.
    const auto edge = [&](u32 a, u32 b, u32 word, u32 high_word)
    {
        const s64 dx = x[b] - x[a];
        const s64 dy = y[b] - y[a];
        const s64 c = dx * (8 - y[a]) - dy * (8 - x[a]);
        record[word] = low(-16 * dy);
        record[word + 1] = low(16 * dx);
        record[word + 2] = low(c);
        if (layout.wide)
            record[high_word] = high(c);
    };
    edge(1, 2, kRecordEdge0, kRecordHeader);
    edge(2, 0, kRecordEdge1, kRecordHeader + 1);
    const s64 area = (x[1] - x[0]) * (y[2] - y[0]) - (y[1] - y[0]) * (x[2] - x[0]);
    const int bits = static_cast<int>(std::bit_width(static_cast<u64>(area)));
    const int shift = std::max(bits - 24, 0);
    record[kRecordArea] = low(area);
    record[kRecordShift] = static_cast<u32>(shift);
    if (layout.wide)
        record[kRecordHeader + 2] = high(area);
    for (u32 i = 0; i < 3; ++i)
        record[kRecordInverseW + i] = num::as_bits(v[i]->inverse_w);
    record[kRecordInverseArea] = num::as_bits(num::rcp(static_cast<f32>(area >> shift)));
}

// The same for attributes [first, first + 4) of the three vertices.
inline void put_four(u32* words, const Corners& v, u32 first)
{
#if defined(__SSE2__)
    const __m128 a = _mm_loadu_ps(v[2]->attribute.data() + first);
    const __m128 d = _mm_sub_ps(_mm_loadu_ps(v[0]->attribute.data() + first), a);
    const __m128 e = _mm_sub_ps(_mm_loadu_ps(v[1]->attribute.data() + first), a);
    const __m128 low = _mm_unpacklo_ps(a, d);                           // a0 d0 a1 d1
    const __m128 high = _mm_unpackhi_ps(a, d);                          // a2 d2 a3 d3
    const __m128 e0_a1 = _mm_shuffle_ps(e, a, _MM_SHUFFLE(1, 1, 0, 0)); // each twice
    const __m128 d1_e1 = _mm_shuffle_ps(d, e, _MM_SHUFFLE(1, 1, 1, 1));
    const __m128 e2_a3 = _mm_shuffle_ps(e, a, _MM_SHUFFLE(3, 3, 2, 2));
    const __m128 d3_e3 = _mm_shuffle_ps(d, e, _MM_SHUFFLE(3, 3, 3, 3));
    f32* const out = reinterpret_cast<f32*>(words);
    _mm_storeu_ps(out, _mm_shuffle_ps(low, e0_a1, _MM_SHUFFLE(2, 0, 1, 0)));
    _mm_storeu_ps(out + 4, _mm_shuffle_ps(d1_e1, high, _MM_SHUFFLE(1, 0, 2, 0)));
    _mm_storeu_ps(out + 8, _mm_shuffle_ps(e2_a3, d3_e3, _MM_SHUFFLE(2, 0, 2, 0)));
#else
    for (u32 i = 0; i < 4; ++i)
        put_scalar(words + 3 * i, v[0]->attribute[first + i], v[1]->attribute[first + i],
                   v[2]->attribute[first + i]);
#endif
}

// Stores attribute n of the three vertices.
inline void put_attribute(u32* words, const Corners& v, u32 n)
{
    put_scalar(words, v[0]->attribute[n], v[1]->attribute[n], v[2]->attribute[n]);
}

// What is interpolated. color: the vertices that give the colour. flip: as in Triangle.
inline void put_attributes(const RecordLayout& layout, const Corners& v, const Corners& color, u32 flip,
                           u32* record)
{
    if (layout.depth)
        put_scalar(record + layout.depth, v[0]->depth, v[1]->depth, v[2]->depth);
    if (layout.color)
        put_four(record + layout.color, color, kColorAttribute);
    u32 set = 0;
    if (layout.texcoord[0] && layout.texcoord[1] == layout.texcoord[0] + 6)
    {
        put_four(record + layout.texcoord[0], v, kTexcoordAttribute);
        set = 2;
    }
    for (; set < 3; ++set)
        if (layout.texcoord[set])
            for (u32 i = 0; i < 2; ++i)
                put_attribute(record + layout.texcoord[set] + 3 * i, v, kTexcoordAttribute + 2 * set + i);
    if (layout.texcoord0_w)
        put_attribute(record + layout.texcoord0_w, v, kTexcoordWAttribute);
    if (layout.quaternion && flip == 0)
        put_four(record + layout.quaternion, v, kQuaternionAttribute);
    else if (layout.quaternion)
        for (u32 i = 0; i < 4; ++i)
        {
            const auto component = [&](u32 corner)
            {
                const u32 sign = (flip >> corner & 1u) << 31;
                return num::flip_sign(v[corner]->attribute[kQuaternionAttribute + i], sign);
            };
            put_scalar(record + layout.quaternion + 3 * i, component(0), component(1), component(2));
        }
    if (layout.view)
        for (u32 i = 0; i < 3; ++i)
            put_attribute(record + layout.view + 3 * i, v, kViewAttribute + i);
}

} // namespace

void set_up(const RecordLayout& layout, std::span<const Triangle> triangles,
            std::span<const ShadedVertex> vertices, bool flat_color, u32* records, s32* positions)
{
    const u32 used = used_words(layout);
    for (const Triangle& triangle : triangles)
    {
        const Corners corners = {&vertices[triangle.vertex[0]], &vertices[triangle.vertex[1]],
                                 &vertices[triangle.vertex[2]]};
        const ShadedVertex* const flat = &vertices[triangle.color];
        put_header(layout, corners, records, positions);
        put_attributes(layout, corners, flat_color ? Corners{flat, flat, flat} : corners, triangle.flip,
                       records);
        std::fill(records + used, records + layout.words, 0u);
        records += layout.words;
        positions += 6;
    }
}

} // namespace pica
