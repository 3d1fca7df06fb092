// SPDX-License-Identifier: MIT
#include "renderer/draw/overlap_groups.h"

#include "tests/support/seeds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <vector>

namespace
{

using pica::s32;
using pica::s64;
using pica::u32;
using Triangle = std::array<s32, 6>;

constexpr u32 kWidth = 70; // more than one word of the mask per row
constexpr u32 kHeight = 33;

s64 area(s64 ax, s64 ay, s64 bx, s64 by, s64 cx, s64 cy)
{
    return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
}

// The fill rule of pica/hardware/rasteriser.md, "Fill rule", straight from its text.
bool covers(const Triangle& t, s32 px, s32 py)
{
    const s64 x = 16 * px + 8, y = 16 * py + 8;
    for (int corner = 0; corner < 3; corner++)
    {
        const auto at = [&](int i) { return static_cast<std::size_t>(2 * ((corner + i) % 3)); };
        const s64 ax = t[at(1)], ay = t[at(1) + 1], bx = t[at(2)], by = t[at(2) + 1];
        const bool exclude = by > ay || (by == ay && bx < ax);
        if (area(ax, ay, bx, by, x, y) - (exclude ? 1 : 0) < 0)
            return false;
    }
    return true;
}

// Makes the area positive. False: it is 0.
bool turn_forwards(Triangle& t)
{
    const s64 twice = area(t[0], t[1], t[2], t[3], t[4], t[5]);
    if (twice < 0)
    {
        std::swap(t[2], t[4]);
        std::swap(t[3], t[5]);
    }
    return twice != 0;
}

Triangle random_triangle(tests::Random& random)
{
    for (;;)
    {
        Triangle t;
        for (s32& c : t)
            c = static_cast<s32>(random.below(90 * 16)) - 160;
        if (random.below(3) == 0) // on pixel centres, where the rule decides
            for (s32& c : t)
                c = (c & ~15) | 8;
        if (!turn_forwards(t))
            continue;
        return t;
    }
}

} // namespace

TEST_CASE("overlap groups: a group ends exactly where a triangle covers a pixel of the group again")
{
    tests::Random random(5);
    renderer::OverlapGroups groups;
    groups.begin(kWidth, kHeight);
    std::vector<bool> covered(kWidth * kHeight, false);
    u32 ended = 0;
    for (int i = 0; i < 2000; i++)
    {
        const Triangle t = random_triangle(random);
        std::vector<u32> pixels;
        bool overlaps = false;
        for (u32 y = 0; y < kHeight; y++)
            for (u32 x = 0; x < kWidth; x++)
                if (covers(t, static_cast<s32>(x), static_cast<s32>(y)))
                {
                    pixels.push_back(y * kWidth + x);
                    overlaps = overlaps || covered[pixels.back()];
                }
        if (overlaps)
            std::fill(covered.begin(), covered.end(), false);
        for (const u32 pixel : pixels)
            covered[pixel] = true;
        CAPTURE(i);
        REQUIRE(groups.add(t.data()) == overlaps);
        ended += overlaps ? 1 : 0;
    }
    CHECK(ended > 100);
    CHECK(ended < 1900);
}

TEST_CASE("overlap groups: triangles of any size, at 8 times the resolution")
{
    tests::Random random(6);
    constexpr s32 kFar = 65536 * 8; // snapped coordinates reach so far
    u32 covering = 0;
    for (int i = 0; i < 400; i++)
    {
        Triangle t;
        do
            for (s32& c : t)
                c = random.below(3) == 0 ? static_cast<s32>(random.below(2 * kFar + 1)) - kFar
                                         : static_cast<s32>(random.below(90 * 16)) - 160;
        while (area(t[0], t[1], t[2], t[3], t[4], t[5]) == 0);
        if (random.below(4) == 0)
            t[3] = t[1] + 1; // an edge that is nearly horizontal
        if (!turn_forwards(t))
            continue;
        // A pixel that was covered before is met again exactly where the triangle covers it.
        const auto x = static_cast<s32>(random.below(kWidth)), y = static_cast<s32>(random.below(kHeight));
        const Triangle pixel = {16 * x, 16 * y, 16 * x + 32, 16 * y, 16 * x, 16 * y + 32};
        bool meets = false;
        for (u32 py = 0; py < kHeight; py++)
            for (u32 px = 0; px < kWidth; px++)
                meets = meets || (covers(t, static_cast<s32>(px), static_cast<s32>(py)) &&
                                  covers(pixel, static_cast<s32>(px), static_cast<s32>(py)));
        renderer::OverlapGroups groups;
        groups.begin(kWidth, kHeight);
        CHECK_FALSE(groups.add(pixel.data()));
        CAPTURE(i);
        REQUIRE(groups.add(t.data()) == meets);
        covering += meets ? 1 : 0;
    }
    CHECK(covering > 50);
    CHECK(covering < 350);
}

TEST_CASE("overlap groups: two triangles of a square do not overlap on their shared edge")
{
    renderer::OverlapGroups groups;
    groups.begin(kWidth, kHeight);
    const Triangle lower = {8, 8, 328, 8, 328, 328};
    const Triangle upper = {8, 8, 328, 328, 8, 328};
    CHECK_FALSE(groups.add(lower.data()));
    CHECK_FALSE(groups.add(upper.data()));
    CHECK(groups.add(lower.data()));
    groups.restart();
    CHECK_FALSE(groups.add(upper.data()));
}
