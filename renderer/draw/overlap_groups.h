// SPDX-License-Identifier: MIT
// Splits a run of triangles into groups in which no pixel is covered twice, for the barrier-batch blend path
// (design 2.6): inside a group the order of fragments does not matter, between groups a barrier makes results
// visible. Works on the snapped triangles, so its coverage is the rasteriser's own.
#pragma once

#include "pica/base/types.h"

#include <vector>

namespace renderer
{

class OverlapGroups
{
public:
    // Pixels of the target; starts with nothing covered.
    void begin(pica::u32 width, pica::u32 height);
    // xy: three snapped vertices (x, y) in 1/16 pixel, area > 0, y in image rows. True when the triangle
    // covers a pixel that the current group has covered already: the group ends before it and a new one
    // starts with it.
    bool add(const pica::s32* xy);
    // Ends the current group: what follows is behind a barrier anyway.
    void restart();

private:
    struct Span
    {
        pica::u32 row, first, last; // inclusive pixels
    };
    void collect_spans(const pica::s32* xy);

    pica::u32 width_ = 0;
    pica::u32 height_ = 0;
    pica::u32 words_per_row_ = 0;
    std::vector<pica::u64> covered_;
    std::vector<Span> spans_; // of the triangle being added
};

} // namespace renderer
