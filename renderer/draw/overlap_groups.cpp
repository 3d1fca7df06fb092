// SPDX-License-Identifier: MIT
#include "renderer/draw/overlap_groups.h"

#include <algorithm>
#include <array>

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

// The end of the pixels of a row that an edge allows: floor((b*row + c) / |a|), which is the last one, or minus the first
// one. Most triangles are small, and divisions would take most of their time, so there is one for all rows. The product is
// exact after rounding down: numerators are integers below 2^50, so with the half that is added to them no quotient is
// nearer to an integer than half of 1 / |a|, and the product's error is below that.
class RowEnd
{
public:
    RowEnd() = default;
    RowEnd(const Edge& edge, s64 row) : is_first_(edge.a > 0)
    {
        if (edge.a == 0)
            return; // allows all pixels of a row or none
        numerator_ = static_cast<double>(edge.b * row + edge.c) + 0.5;
        step_ = static_cast<double>(edge.b);
        inverse_ = 1.0 / static_cast<double>(is_first_ ? edge.a : -edge.a);
    }
    bool is_first() const { return is_first_; }
    s64 value() const
    {
        const double quotient = numerator_ * inverse_;
        const s64 to_zero = static_cast<s64>(quotient);
        return to_zero - (static_cast<double>(to_zero) > quotient ? 1 : 0);
    }
    void next_row() { numerator_ += step_; }

private:
    double numerator_ = static_cast<double>(s64{1} << 40), step_ = 0.0, inverse_ = 1.0;
    bool is_first_ = false;
};

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
    s64 first_row = std::max(std::min({xy[1], xy[3], xy[5]}) >> 4, 0);
    s64 last_row = std::min(std::max({xy[1], xy[3], xy[5]}) >> 4, static_cast<s32>(height_) - 1);
    for (const Edge& edge : edges)
        if (edge.a == 0 && edge.b > 0)
            first_row = std::max(first_row, -floor_divide(edge.c, edge.b));
        else if (edge.a == 0 && edge.b < 0)
            last_row = std::min(last_row, floor_divide(edge.c, -edge.b));
    if (first_row > last_row)
        return;

    // Without branches on the side that an edge is on: it is as good as random.
    std::array<RowEnd, 3> ends;
    for (u32 i = 0; i < 3; i++)
        ends[i] = RowEnd(edges[i], first_row);
    for (s64 row = first_row; row <= last_row; row++)
    {
        s64 first = 0;
        s64 last = s64{width_} - 1;
        for (RowEnd& end : ends)
        {
            const s64 value = end.value();
            first = std::max(first, end.is_first() ? -value : 0);
            last = std::min(last, end.is_first() ? s64{width_} : value);
            end.next_row();
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
