// SPDX-License-Identifier: MIT
#include "renderer/draw/joinable_draws.h"

#include "tests/support/seeds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>

using namespace tests;
using pica::PixelRect;
using pica::u32;
using renderer::JoinableDraws;

namespace
{

constexpr pica::s32 kSize = 24; // pixels, of a square

JoinableDraws::Part part(const PixelRect& bounds, u32 number)
{
    JoinableDraws::Part result;
    result.bounds = bounds;
    result.geometry.triangles = 1;
    result.geometry.record_bytes = 64;
    result.geometry.record_offset = 64 * number;
    result.geometry.position_offset = renderer::kPositionBytes * number;
    return result;
}

u32 number_of(const JoinableDraws::Part& draw)
{
    return static_cast<u32>(draw.geometry.record_offset / 64);
}

// The draws that each pixel shows, from the first to the last.
using Picture = std::array<std::vector<u32>, kSize * kSize>;

void paint(Picture& picture, const PixelRect& bounds, u32 number)
{
    for (pica::s32 y = bounds.y1; y < bounds.y2; ++y)
        for (pica::s32 x = bounds.x1; x < bounds.x2; ++x)
            picture[static_cast<std::size_t>(y * kSize + x)].push_back(number);
}

PixelRect random_rect(Random& random)
{
    const pica::s32 size = random.between(1, random.chance(1, 8) ? 16 : 4);
    const pica::s32 x = random.between(0, kSize - size), y = random.between(0, kSize - size);
    return {x, y, x + size, y + size};
}

} // namespace

TEST_CASE("joinable draws: every pixel keeps the order of its draws")
{
    u32 joined = 0;
    for_each_seed(200,
                  [&](u32, Random& random)
                  {
                      JoinableDraws draws;
                      std::vector<u32> bindings; // of the commands
                      Picture expected, got;
                      std::vector<PixelRect> rects;
                      const u32 kinds = 1 + random.below(4);
                      for (u32 n = 0; n < 60; ++n)
                      {
                          const PixelRect rect = random_rect(random);
                          rects.push_back(rect);
                          const u32 binding = random.below(kinds);
                          paint(expected, rect, n);
                          const auto command =
                              draws.command_for(part(rect, n), [&](u32 c) { return bindings[c] == binding; });
                          if (command)
                          {
                              CHECK(bindings[*command] == binding);
                              draws.join(*command, part(rect, n));
                              ++joined;
                              continue;
                          }
                          draws.append(part(rect, n));
                          bindings.push_back(binding);
                      }
                      for (u32 c = 0; c < bindings.size(); ++c)
                          draws.for_each(c, [&](const JoinableDraws::Part& draw)
                                         { paint(got, rects[number_of(draw)], number_of(draw)); });
                      const bool equal = expected == got;
                      CHECK(equal);
                  });
    CHECK(joined > 1000);
}

TEST_CASE("joinable draws: commands that are not joinable are passed by none")
{
    JoinableDraws draws;
    const PixelRect left{0, 0, 4, 4};
    draws.append(part(left, 0));
    CHECK(draws.command_for(part(left, 5), [](u32) { return true; }) == 0u);
    draws.append_fixed();
    CHECK(draws.is_fixed(1));
    CHECK(draws.command_for(part(left, 5), [](u32) { return true; }) == std::nullopt);
    draws.clear();
    CHECK(draws.command_for(part(left, 5), [](u32) { return true; }) == std::nullopt);
}

TEST_CASE("joinable draws: a look has an end")
{
    JoinableDraws draws;
    draws.append(part({0, 0, 1, 1}, 0));
    draws.append(part({1, 1, 2, 2}, 1));
    for (u32 n = 2; n < JoinableDraws::kMostLooks + 1; ++n)
        draws.join(1, part({1, 1, 2, 2}, n));
    const PixelRect elsewhere{2, 2, 3, 3};
    const auto first = [](u32 command) { return command == 0; };
    CHECK(draws.command_for(part(elsewhere, 5000), first) == 0u);
    draws.join(1, part({1, 1, 2, 2}, 1000));
    CHECK(draws.command_for(part(elsewhere, 5000), first) == std::nullopt);
}

TEST_CASE("joinable draws: scattered are those whose triangles do not follow each other in memory")
{
    JoinableDraws draws;
    draws.append(part({0, 0, 1, 1}, 0));
    CHECK(!draws.is_scattered(0));
    draws.join(0, part({0, 0, 1, 1}, 1));
    CHECK(!draws.is_scattered(0));
    draws.join(0, part({0, 0, 1, 1}, 3));
    CHECK(draws.is_scattered(0));
}

TEST_CASE(
    "joinable draws: those of many triangles join only what they follow in memory, and are passed by none")
{
    JoinableDraws draws;
    const auto any = [](u32) { return true; };
    const auto large = [](u32 number)
    {
        JoinableDraws::Part result = part({}, number);
        result.geometry.triangles = JoinableDraws::kMostTriangles + 1;
        return result;
    };
    draws.append(part({0, 0, 1, 1}, 0));
    CHECK(draws.command_for(large(2), any) == std::nullopt);
    CHECK(draws.command_for(large(1), any) == 0u);
    draws.join(0, large(1));
    const u32 behind = 1 + JoinableDraws::kMostTriangles + 1;
    CHECK(draws.command_for(part({5, 5, 6, 6}, behind), any) == 0u);
    CHECK(draws.command_for(part({5, 5, 6, 6}, behind), [](u32) { return false; }) == std::nullopt);
    CHECK(draws.command_for(part({5, 5, 6, 6}, behind + 1), any) == std::nullopt);
    draws.append(part({7, 7, 8, 8}, 1000));
    CHECK(draws.command_for(part({5, 5, 6, 6}, 2000), [](u32 command) { return command == 0; }) ==
          std::nullopt);
}
