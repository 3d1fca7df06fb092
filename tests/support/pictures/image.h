// SPDX-License-Identifier: MIT
// Comparison of pictures: by default for equality, and with what a person needs to see where they differ.
#pragma once

#include "samples/cli/png_file.h"

#include <array>
#include <string>

namespace tests
{

using samples::Picture;

struct PictureDifference
{
    bool same_size = true;
    pica::u64 differing_pixels = 0;
    std::array<pica::u64, 4> differing_per_channel = {}; // R, G, B, A
    std::array<pica::u8, 4> largest_per_channel = {};
    pica::u32 first_x = 0;
    pica::u32 first_y = 0;

    bool equal() const { return same_size && differing_pixels == 0; }
    // One line: counts, largest differences, first pixel.
    std::string text() const;
};

PictureDifference compare(const Picture& expected, const Picture& actual);

} // namespace tests
