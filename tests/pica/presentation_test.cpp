// SPDX-License-Identifier: MIT
// Pictures on their way to windows and files, against averages that are computed from fractions.
#include "pica/upscale/presentation.h"
#include "tests/support/seeds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace tests;

namespace
{

std::vector<u32> random_picture(PictureSize size, Random& random)
{
    std::vector<u32> picture(size.pixels());
    for (u32& word : picture)
        word = random.next();
    return picture;
}

std::vector<u32> resized(PictureSize size, const std::vector<u32>& picture, PictureSize to)
{
    std::vector<u32> out(to.pixels());
    resize_picture(size, picture, to, out);
    return out;
}

// Twice the length that both intervals share, in units of 1 / (a * b).
u64 shared(u64 i, u64 a, u64 x, u64 b)
{
    const u64 begin = std::max(i * b, x * a), end = std::min((i + 1) * b, (x + 1) * a);
    return end > begin ? end - begin : 0;
}

// The definition: the average over all old pixels.
u32 average(PictureSize size, const std::vector<u32>& picture, PictureSize to, u32 x, u32 y)
{
    u32 word = 0;
    for (u32 c = 0; c < 4; ++c)
    {
        u64 sum = 0;
        for (u32 j = 0; j < size.height; ++j)
            for (u32 i = 0; i < size.width; ++i)
                sum += shared(i, size.width, x, to.width) * shared(j, size.height, y, to.height) *
                       (picture[j * size.width + i] >> (8 * c) & 255);
        const u64 area = size.pixels();
        word |= static_cast<u32>((2 * sum + area) / (2 * area)) << (8 * c);
    }
    return word;
}

} // namespace

TEST_CASE("presentation: each pixel is the average of what it covers")
{
    for_each_seed(60,
                  [](u32, Random& random)
                  {
                      const PictureSize size{1 + random.below(12), 1 + random.below(12)};
                      const PictureSize to{1 + random.below(30), 1 + random.below(30)};
                      const std::vector<u32> picture = random_picture(size, random);
                      const std::vector<u32> out = resized(size, picture, to);
                      u32 wrong = 0;
                      for (u32 y = 0; y < to.height; ++y)
                          for (u32 x = 0; x < to.width; ++x)
                              wrong += out[y * to.width + x] != average(size, picture, to, x, y);
                      CHECK(wrong == 0);
                  });
}

TEST_CASE("presentation: whole multiples repeat pixels, whole parts average them")
{
    Random random(5);
    const PictureSize size{24, 12};
    const std::vector<u32> picture = random_picture(size, random);
    for (const u32 n : {1u, 2u, 3u, 4u, 6u})
    {
        CAPTURE(n);
        const PictureSize large{size.width * n, size.height * n}, small{size.width / n, size.height / n};
        const std::vector<u32> enlarged = resized(size, picture, large);
        const std::vector<u32> reduced = resized(size, picture, small);
        CHECK(resized(large, enlarged, size) == picture); // and back
        u32 wrong = 0;
        for (u32 y = 0; y < large.height; ++y)
            for (u32 x = 0; x < large.width; ++x)
                wrong += enlarged[y * large.width + x] != picture[y / n * size.width + x / n];
        for (u32 y = 0; y < small.height; ++y)
            for (u32 x = 0; x < small.width; ++x)
                for (u32 c = 0; c < 4; ++c)
                {
                    u32 sum = n * n / 2;
                    for (u32 k = 0; k < n * n; ++k)
                        sum += picture[(y * n + k / n) * size.width + x * n + k % n] >> (8 * c) & 255;
                    wrong += (reduced[y * small.width + x] >> (8 * c) & 255) != sum / (n * n);
                }
        CHECK(wrong == 0);
    }
}

TEST_CASE("presentation: borders are mixed in the one pixel that they cross")
{
    const std::vector<u32> picture = {0x00000000, 0xFFFFFFFF};
    // 2 pixels over 5: the middle one is half of each.
    CHECK(resized({2, 1}, picture, {5, 1}) == std::vector<u32>{0, 0, 0x80808080, 0xFFFFFFFF, 0xFFFFFFFF});
}

TEST_CASE("presentation: the largest pictures come out right at their ends")
{
    const PictureSize size{3200, 3840}; // both screens at 8x
    const std::vector<u32> white(size.pixels(), 0xFFFFFFFF);
    CHECK(resized(size, white, {7, 5}) == std::vector<u32>(35, 0xFFFFFFFF));
    std::vector<u32> checked(size.pixels(), 0x01010101);
    checked.back() = 0xFFFFFFFF;
    const std::vector<u32> out = resized(size, checked, {3201, 3841});
    CHECK(out.back() == 0xFFFFFFFF);
    CHECK(out.front() == 0x01010101);
}

TEST_CASE("presentation: pictures fit into windows")
{
    const PictureSize size{400, 480};
    CHECK(fitting_size(size, {800, 960}, true) == PictureSize{800, 960});
    CHECK(fitting_size(size, {1199, 2000}, true) == PictureSize{800, 960});
    CHECK(fitting_size(size, {1199, 2000}, false) == PictureSize{1199, 1438});
    CHECK(fitting_size(size, {3000, 480}, false) == PictureSize{400, 480});
    CHECK(fitting_size(size, {399, 480}, true) == PictureSize{399, 478}); // it does not fit once
    CHECK(fitting_size(size, {1, 1}, true) == PictureSize{1, 1});
    CHECK(fitting_size(size, {1, 4000}, false) == PictureSize{1, 1});
    CHECK(fitting_size(size, {0, 0}, false) == PictureSize{1, 1});
}
