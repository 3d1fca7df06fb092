// SPDX-License-Identifier: MIT
// The expected results of the self-test's passes, computed on the CPU. Part of self_test.cpp.
#pragma once

#include "pica/base/types.h"

#include <vector>

namespace renderer
{

// The functions of shaders/include/self_test.h: the result of arithmetic case n, and the codes of colour and
// depth that are written in it.
pica::u32 self_test_case(pica::u32 n);
pica::u32 self_test_color(pica::u32 n);
pica::u32 self_test_depth(pica::u32 n);

// A vertex of a coverage triangle.
struct CoveragePoint
{
    pica::s32 x, y; // // in 1/16 pixel
};
inline constexpr pica::u32 kCoverageSize = 1024; // pixels per side
// What coverage_reference gives for pixels that no triangle covers.
inline constexpr pica::u32 kUncovered = 0xFFFFFFFF;

// Triangles (three points each) in drawing order: first large ones, then pairs that share an edge, one pair
// in each cell of 16x16 pixels.
std::vector<CoveragePoint> coverage_triangles();
// For each pixel, row by row, the number of the last triangle that covers it, by the integer top-left rule
// (pica/hardware/rasteriser.md, "Fill rule").
std::vector<pica::u32> coverage_reference(const std::vector<CoveragePoint>& points);

} // namespace renderer
