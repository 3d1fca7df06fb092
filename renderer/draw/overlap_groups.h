// SPDX-License-Identifier: MIT
// OverlapGroups: divides a sequence of triangles into barrier groups, in which no pixel is covered twice
// (design 2.6). Inside a group the order of fragments does not matter. Between groups a barrier makes the
// results visible. Coverage is computed from the snapped triangles by the rule of the rasteriser, so it is
// exact.
#pragma once

#include "pica/base/types.h"

#include <vector>

namespace renderer
{

class OverlapGroups
{
public:
    // Begins with nothing covered. width, height: of the target, in pixels of the scaled image.
    void begin(pica::u32 width, pica::u32 height);
    // Adds a triangle to the current group. xy: three vertices (x, y), snapped to 1/16 pixel, y in image
    // rows, area > 0. True: the triangle covers a pixel that the group already covers. Then the group has
    // ended before it, and a new one begins with it.
    bool add(const pica::s32* xy);
    // Ends the current group. For callers that put a barrier behind it anyway.
    void restart();

private:
    struct Span
    {
        pica::u32 row, first, last; // pixels; `last` is part of the span
    };
    void collect_spans(const pica::s32* xy);

    pica::u32 width_ = 0;
    pica::u32 height_ = 0;
    pica::u32 words_per_row_ = 0;
    // One bit per pixel that the current group covers, in rows of words_per_row_.
    std::vector<pica::u64> covered_;
    std::vector<Span> spans_; // of the triangle being added
};

} // namespace renderer
