// SPDX-License-Identifier: MIT
// What becomes of a screen's picture on its way to a window or a file: pure functions of its pixels, so the same for all
// backends. Pictures are RGBA words row by row. Channels are averaged as the display values that they are, and results
// are rounded to the nearest, halves upwards. Tests: tests/pica/presentation_test.cpp.
#pragma once

#include "pica/base/types.h"

#include <span>

namespace pica
{

struct PictureSize
{
    u32 width = 0;
    u32 height = 0;
    std::size_t pixels() const { return std::size_t{width} * height; }
    bool operator==(const PictureSize&) const = default;
};

// Each pixel of the new picture is the average of what it covers of the old one, which is stretched over it. So where
// sizes are whole multiples, pixels are repeated, or averaged (a box filter: supersampling); otherwise the borders between
// pixels are mixed in the one pixel that they cross, and nowhere else (sharp-bilinear). Sizes are not 0, and that of the
// old picture is below 2^24 pixels (both screens at 8x are).
void resize_picture(PictureSize size, std::span<const u32> picture, PictureSize new_size, std::span<u32> out);

// The largest size with the same proportions that fits into a window. whole: only whole multiples of the size, as long as
// the window holds the picture once.
PictureSize fitting_size(PictureSize size, PictureSize window, bool whole);

} // namespace pica
