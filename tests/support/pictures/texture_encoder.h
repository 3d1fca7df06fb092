// SPDX-License-Identifier: MIT
// Encodes pictures as texture memory in all 14 formats (pica/hardware/textures.md, "Texel formats" and
// "Layout in memory"); the inverse of pica/texture/texel.h.
#pragma once

#include "pica/base/types.h"
#include "pica/regs/enums.h"

#include <cstddef>
#include <vector>

namespace tests
{

using namespace pica;

// Row 0 is the top (t = 1). Pixels are RGBA8, R in bits 0-7.
struct TextureImage
{
    TextureImage(u32 width_, u32 height_, u32 fill = 0)
        : width(width_), height(height_), pixels(std::size_t{width_} * height_, fill)
    {
    }
    u32& at(u32 x, u32 y) { return pixels[std::size_t{y} * width + x]; }
    u32 at(u32 x, u32 y) const { return pixels[std::size_t{y} * width + x]; }

    u32 width, height;
    std::vector<u32> pixels;
};

// Sizes must be multiples of 8. Channels are truncated to the bits of the format; intensity is taken from
// red, HILO8 has red and green. ETC1: for each block the better of the two sub-block layouts, with average
// base colours.
std::vector<u8> encode_texture(TextureFormat format, const TextureImage& image);
// Half the size: each pixel is the average of 2x2 pixels, rounded down.
TextureImage half_size(const TextureImage& image);

} // namespace tests
