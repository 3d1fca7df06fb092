// SPDX-License-Identifier: MIT
#include "tests/support/pictures/image.h"

#include <algorithm>
#include <cstdlib>

namespace tests
{

using namespace pica;

std::string PictureDifference::text() const
{
    if (!same_size)
        return "sizes differ";
    if (differing_pixels == 0)
        return "equal";
    std::string line = std::to_string(differing_pixels) + " differing pixels";
    constexpr std::array kNames = {" R:", " G:", " B:", " A:"};
    for (u32 channel = 0; channel < 4; ++channel)
    {
        line += kNames[channel] + std::to_string(differing_per_channel[channel]) + " (max " +
                std::to_string(largest_per_channel[channel]) + ")";
    }
    return line + ", first at (" + std::to_string(first_x) + ", " + std::to_string(first_y) + ")";
}

PictureDifference compare(const Picture& expected, const Picture& actual)
{
    PictureDifference result;
    result.same_size = expected.width == actual.width && expected.height == actual.height &&
                       expected.rgba.size() == actual.rgba.size();
    if (!result.same_size)
        return result;
    for (u32 pixel = 0; pixel < expected.width * expected.height; ++pixel)
    {
        bool differs = false;
        for (u32 channel = 0; channel < 4; ++channel)
        {
            const int difference =
                std::abs(int(expected.rgba[pixel * 4 + channel]) - int(actual.rgba[pixel * 4 + channel]));
            if (difference == 0)
                continue;
            differs = true;
            ++result.differing_per_channel[channel];
            result.largest_per_channel[channel] =
                std::max(result.largest_per_channel[channel], u8(difference));
        }
        if (differs && result.differing_pixels++ == 0)
        {
            result.first_x = pixel % expected.width;
            result.first_y = pixel / expected.width;
        }
    }
    return result;
}

} // namespace tests
