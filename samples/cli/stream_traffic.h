// SPDX-License-Identifier: MIT
// How much a stream draws and moves, whoever does it: figures that times are divided by. Tests:
// tests/cli/bench_all_test.cpp.
#pragma once

#include "pica/base/report.h"
#include "pica/state/triangle_record.h"
#include "pica/trace/trace.h"

namespace samples
{

struct StreamTraffic
{
    // Pixels that triangles cover inside of the scissor rectangle, whether or not a test rejects them later.
    double fragments_per_frame = 0.0;
    // Bytes of guest memory. A fragment counts as one pixel of each buffer of the target; transfers and copies
    // count what they read and what they write. Textures and vertices do not count, because caches hold them.
    double bytes_per_frame = 0.0;
};

StreamTraffic measure_traffic(const pica::Trace& trace, pica::Report& report);

// The pixels of the rectangle that a triangle covers, with y up. An edge is at least 0 there, or above 0 if the fill rule
// gives its pixels to the neighbour (design.md, row "Coverage").
pica::u64 covered_pixels(const pica::RecordLayout& layout, const pica::u32* record,
                         const pica::PixelRect& rect);

} // namespace samples
