// SPDX-License-Identifier: MIT
// Pictures -> texture memory in all 14 formats (pica/hardware/textures.md, "Texel formats" and "Layout in
// memory"); the inverse of pica/texture/texel.h.
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

// Sizes are multiples of 8. Channels are truncated to what the format holds; intensity is red, HILO8 keeps
// red and green. ETC1: per block the best of both sub-block layouts with average base colours.
std::vector<u8> encode_texture(TextureFormat format, const TextureImage& image);
// Half the size: the average of each 2x2 pixels, rounded down.
TextureImage half_size(const TextureImage& image);

} // namespace tests
