// SPDX-License-Identifier: MIT
#include "renderer/self_test/self_test_reference.h"

#include "pica/base/numeric.h"

#include <algorithm>
#include <cmath>

namespace renderer
{

using pica::s32;
using pica::s64;
using pica::u32;

namespace cases
{

using namespace pica::num;

#define NUM_FN inline
#define SEL(mask, a, b) ((mask) ? (a) : (b))
#define REAL(x) (x)
#define BITS(x) (x)
#define FLOOR(x) std::floor(x)
#include "shaders/include/self_test.h"

#include "pica/base/numeric_undef.h"

} // namespace cases

u32 self_test_case(u32 n)
{
    return cases::self_test_case(n);
}
u32 self_test_color(u32 n)
{
    return cases::self_test_color(n);
}
u32 self_test_depth(u32 n)
{
    return cases::self_test_depth(n);
}

std::vector<CoveragePoint> coverage_triangles()
{
    u32 counter = 0x51F7;
    const auto random = [&counter](s32 bound)
    { return static_cast<s32>(cases::scramble(counter++) % static_cast<u32>(bound)); };
    constexpr s32 kFull = static_cast<s32>(kCoverageSize) * 16;
    std::vector<CoveragePoint> points;
    for (u32 i = 0; i < 6; ++i) // as large as the image; some are slivers
        for (u32 corner = 0; corner < 3; ++corner)
            points.push_back({random(kFull + 1), random(kFull + 1)});
    for (s32 y = 0; y < kFull; y += 256)
        for (s32 x = 0; x < kFull; x += 256)
        {
            // Corners 1 and 2 are the ends of the shared edge. A third of the cells has all corners on pixel
            // centres.
            CoveragePoint corner[4];
            const bool centres = random(3) == 0;
            for (CoveragePoint& p : corner)
            {
                p = {x + random(257), y + random(257)};
                if (centres)
                    p = {x + random(16) * 16 + 8, y + random(16) * 16 + 8};
            }
            if (random(4) == 0)
                corner[1].y = corner[0].y; // some edges are horizontal or vertical
            if (random(4) == 0)
                corner[2].x = corner[0].x;
            for (const u32 index : {0, 1, 2, 2, 1, 3})
                points.push_back(corner[index]);
        }
    return points;
}

std::vector<u32> coverage_reference(const std::vector<CoveragePoint>& points)
{
    std::vector<u32> image(kCoverageSize * kCoverageSize, kUncovered);
    const auto area = [](CoveragePoint a, CoveragePoint b, CoveragePoint c)
    { return s64{b.x - a.x} * (c.y - a.y) - s64{b.y - a.y} * (c.x - a.x); };
    for (std::size_t i = 0; i + 2 < points.size(); i += 3)
    {
        CoveragePoint v[3] = {points[i], points[i + 1], points[i + 2]};
        if (area(v[0], v[1], v[2]) < 0)
            std::swap(v[1], v[2]);
        if (area(v[0], v[1], v[2]) == 0)
            continue;
        const auto [left, right] = std::minmax({v[0].x, v[1].x, v[2].x});
        const auto [low, high] = std::minmax({v[0].y, v[1].y, v[2].y});
        const s32 last = static_cast<s32>(kCoverageSize) - 1;
        for (s32 y = low >> 4; y <= std::min(high >> 4, last); ++y)
            for (s32 x = left >> 4; x <= std::min(right >> 4, last); ++x)
            {
                const CoveragePoint p{x * 16 + 8, y * 16 + 8};
                bool covered = true;
                for (u32 edge = 0; edge < 3; ++edge)
                {
                    const CoveragePoint from = v[(edge + 1) % 3], to = v[(edge + 2) % 3];
                    const bool exclude = to.y > from.y || (to.y == from.y && to.x < from.x);
                    covered &= area(from, to, p) >= (exclude ? 1 : 0);
                }
                if (covered)
                    image[static_cast<u32>(y) * kCoverageSize + static_cast<u32>(x)] =
                        static_cast<u32>(i / 3);
            }
    }
    return image;
}

} // namespace renderer
