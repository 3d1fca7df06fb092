// SPDX-License-Identifier: MIT
#include "renderer/draw/overlap_groups.h"

#include <algorithm>

namespace renderer
{

using pica::s32;
using pica::s64;
using pica::u32;
using pica::u64;

namespace
{

s64 floor_divide(s64 a, s64 b) // b > 0
{
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

// An edge function a*px + b*py + c of pixel numbers. It is >= 0 where the edge allows coverage. The pixel
// centre and the bias of the fill rule are in c.
struct Edge
{
    s64 a, b, c;
};

Edge make_edge(s32 x1, s32 y1, s32 x2, s32 y2)
{
    const s64 dx = s64{x2} - x1;
    const s64 dy = s64{y2} - y1;
    // A sample that lies exactly on a right-side edge, or on an edge with the triangle below it, is not
    // covered (rasteriser.md).
    const bool exclude = dy > 0 || (dy == 0 && dx < 0);
    return {-dy * 16, dx * 16, dx * (8 - y1) - dy * (8 - x1) - (exclude ? 1 : 0)};
}

u64 bits_between(u32 first, u32 last) // inclusive, within one word
{
    return (~u64{0} >> (63 - (last - first))) << first;
}

} // namespace

void OverlapGroups::begin(u32 width, u32 height)
{
    width_ = width;
    height_ = height;
    words_per_row_ = (width + 63) / 64;
    covered_.assign(std::size_t{words_per_row_} * height, 0);
}

void OverlapGroups::restart()
{
    std::fill(covered_.begin(), covered_.end(), 0);
}

void OverlapGroups::collect_spans(const s32* xy)
{
    spans_.clear();
    if (width_ == 0 || height_ == 0)
        return;
    const Edge edges[3] = {
        make_edge(xy[2], xy[3], xy[4], xy[5]),
        make_edge(xy[4], xy[5], xy[0], xy[1]),
        make_edge(xy[0], xy[1], xy[2], xy[3]),
    };
    const s32 min_y = std::min({xy[1], xy[3], xy[5]});
    const s32 max_y = std::max({xy[1], xy[3], xy[5]});
    const s32 first_row = std::max(min_y >> 4, 0);
    const s32 last_row = std::min(max_y >> 4, static_cast<s32>(height_) - 1);
    for (s32 row = first_row; row <= last_row; row++)
    {
        s64 first = 0;
        s64 last = s64{width_} - 1;
        for (const Edge& edge : edges)
        {
            const s64 rest = edge.b * row + edge.c;
            if (edge.a > 0)
                first = std::max(first, -floor_divide(rest, edge.a));
            else if (edge.a < 0)
                last = std::min(last, floor_divide(rest, -edge.a));
            else if (rest < 0)
                last = -1;
        }
        if (first <= last)
            spans_.push_back({static_cast<u32>(row), static_cast<u32>(first), static_cast<u32>(last)});
    }
}

bool OverlapGroups::add(const s32* xy)
{
    collect_spans(xy);
    bool overlaps = false;
    for (const Span& span : spans_)
    {
        const u64* row = &covered_[std::size_t{span.row} * words_per_row_];
        for (u32 word = span.first / 64; word <= span.last / 64 && !overlaps; word++)
            overlaps = (row[word] & bits_between(word == span.first / 64 ? span.first % 64 : 0,
                                                 word == span.last / 64 ? span.last % 64 : 63)) != 0;
        if (overlaps)
            break;
    }
    if (overlaps)
        restart();
    for (const Span& span : spans_)
    {
        u64* row = &covered_[std::size_t{span.row} * words_per_row_];
        for (u32 word = span.first / 64; word <= span.last / 64; word++)
            row[word] |= bits_between(word == span.first / 64 ? span.first % 64 : 0,
                                      word == span.last / 64 ? span.last % 64 : 63);
    }
    return overlaps;
}

} // namespace renderer
