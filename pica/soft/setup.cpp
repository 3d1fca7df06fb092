// SPDX-License-Identifier: MIT
// Triangle set-up: turns visible triangles into triangle records and positions
// (pica/state/triangle_record.h). Source: design.md, rows "Edge values" and "Interpolation". Tests:
// vertex_stage_test.cpp.
#include "pica/base/numeric.h"
#include "pica/soft/vertex_stage.h"

#include <algorithm>
#include <bit>

namespace pica::soft
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

} // namespace

void VertexStage::emit(const RecordLayout& layout, u32 first, u32 count, u32* records, s32* positions) const
{
    u32 used = kRecordHeader + (layout.wide ? 3u : 0u);
    if (layout.depth)
        used = std::max(used, layout.depth + 3u);
    if (layout.color)
        used = std::max(used, layout.color + 12u);
    for (const u8 texcoord : layout.texcoord)
        if (texcoord)
            used = std::max(used, texcoord + 6u);
    if (layout.texcoord0_w)
        used = std::max(used, layout.texcoord0_w + 3u);
    if (layout.quaternion)
        used = std::max(used, layout.quaternion + 12u);
    if (layout.view)
        used = std::max(used, layout.view + 9u);

    for (u32 n = first; n < first + count; ++n, records += layout.words, positions += 6)
    {
        const Triangle& triangle = triangles_[n];
        const ShadedVertex* v[3] = {&vertices_[triangle.vertex[0]], &vertices_[triangle.vertex[1]],
                                    &vertices_[triangle.vertex[2]]};
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
            records[word] = low(-16 * dy);
            records[word + 1] = low(16 * dx);
            records[word + 2] = low(c);
            if (layout.wide)
                records[high_word] = high(c);
        };
        edge(1, 2, kRecordEdge0, kRecordHeader);
        edge(2, 0, kRecordEdge1, kRecordHeader + 1);
        const s64 area = (x[1] - x[0]) * (y[2] - y[0]) - (y[1] - y[0]) * (x[2] - x[0]);
        const int bits = static_cast<int>(std::bit_width(static_cast<u64>(area)));
        const int shift = std::max(bits - 24, 0);
        records[kRecordArea] = low(area);
        records[kRecordShift] = static_cast<u32>(shift);
        if (layout.wide)
            records[kRecordHeader + 2] = high(area);
        for (u32 i = 0; i < 3; ++i)
            records[kRecordInverseW + i] = num::as_bits(v[i]->inverse_w);
        records[kRecordInverseArea] = num::as_bits(num::rcp(static_cast<f32>(area >> shift)));

        if (layout.depth)
            put_scalar(records + layout.depth, v[0]->depth, v[1]->depth, v[2]->depth);
        if (layout.color)
        {
            const ShadedVertex* flat = flat_ ? &vertices_[triangle.color] : nullptr;
            for (u32 i = 0; i < 4; ++i)
                put_scalar(records + layout.color + 3 * i, (flat ? flat : v[0])->attribute[i],
                           (flat ? flat : v[1])->attribute[i], (flat ? flat : v[2])->attribute[i]);
        }
        for (u32 set = 0; set < 3; ++set)
        {
            if (!layout.texcoord[set])
                continue;
            for (u32 i = 0; i < 2; ++i)
            {
                const u32 a = kTexcoordAttribute + 2 * set + i;
                put_scalar(records + layout.texcoord[set] + 3 * i, v[0]->attribute[a], v[1]->attribute[a],
                           v[2]->attribute[a]);
            }
        }
        if (layout.texcoord0_w)
            put_scalar(records + layout.texcoord0_w, v[0]->attribute[kTexcoordWAttribute],
                       v[1]->attribute[kTexcoordWAttribute], v[2]->attribute[kTexcoordWAttribute]);
        if (layout.quaternion)
            for (u32 i = 0; i < 4; ++i)
            {
                const auto component = [&](u32 corner)
                {
                    const u32 sign = (triangle.flip >> corner & 1u) << 31;
                    return num::flip_sign(v[corner]->attribute[kQuaternionAttribute + i], sign);
                };
                put_scalar(records + layout.quaternion + 3 * i, component(0), component(1), component(2));
            }
        if (layout.view)
            for (u32 i = 0; i < 3; ++i)
                put_scalar(records + layout.view + 3 * i, v[0]->attribute[kViewAttribute + i],
                           v[1]->attribute[kViewAttribute + i], v[2]->attribute[kViewAttribute + i]);
        std::fill(records + used, records + layout.words, 0u);
    }
}

} // namespace pica::soft
