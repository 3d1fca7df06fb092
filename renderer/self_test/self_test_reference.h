// SPDX-License-Identifier: MIT
// What the self-test's passes must give, computed on the CPU. Part of self_test.cpp.
#pragma once

#include "pica/base/types.h"

#include <vector>

namespace renderer
{

// shaders/include/self_test.h
pica::u32 self_test_case(pica::u32 n);
pica::u32 self_test_scramble(pica::u32 x);

struct CoveragePoint
{
    pica::s32 x, y; // 1/16 pixel
};
inline constexpr pica::u32 kCoverageSize = 1024; // pixels, square
inline constexpr pica::u32 kUncovered = 0xFFFFFFFF;

// Triangles (three points each) in drawing order: large ones, then pairs that share an edge, one pair per
// 16x16 cell.
std::vector<CoveragePoint> coverage_triangles();
// The number of the last triangle that covers each pixel, by the integer top-left rule
// (pica/hardware/rasteriser.md, "Fill rule").
std::vector<pica::u32> coverage_reference(const std::vector<CoveragePoint>& points);

} // namespace renderer
