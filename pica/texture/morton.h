// SPDX-License-Identifier: MIT
// The tiled order of pixels in memory: 8x8 tiles row by row, Morton order inside a tile; also the form with
// 32x32 blocks. Source: pica/hardware/framebuffer.md and textures.md. Tests: tests/pica/morton_test.cpp.
#pragma once

#include "pica/base/types.h"

#include <array>

namespace pica
{

// Contribution of x and of y (0..7) to the index inside an 8x8 tile.
inline constexpr std::array<u32, 8> kMortonX = {0, 1, 4, 5, 16, 17, 20, 21};
inline constexpr std::array<u32, 8> kMortonY = {0, 2, 8, 10, 32, 34, 40, 42};

// Spreads the low 5 bits to the even bit positions.
constexpr u32 spread_bits(u32 value)
{
    return (value & 1) | (value & 2) << 1 | (value & 4) << 2 | (value & 8) << 3 | (value & 16) << 4;
}
constexpr u32 gather_bits(u32 value)
{
    return (value & 1) | (value >> 1 & 2) | (value >> 2 & 4) | (value >> 3 & 8) | (value >> 4 & 16);
}

constexpr u32 morton8(u32 x, u32 y)
{
    return spread_bits(x & 7) | spread_bits(y & 7) << 1;
}
constexpr u32 morton32(u32 x, u32 y)
{
    return spread_bits(x & 31) | spread_bits(y & 31) << 1;
}
// x inside a tile (index < 64) or block (index < 1024).
constexpr u32 morton_x(u32 index)
{
    return gather_bits(index);
}
constexpr u32 morton_y(u32 index)
{
    return gather_bits(index >> 1);
}

// Pixel index of (x, memory row y) in a surface of this width. For widths that are not a multiple of 8 a row
// of tiles still takes 8 * width pixels [EMU]. 64-bit, because register widths are not bounded to real sizes.
constexpr u64 tiled_index(u32 x, u32 y, u32 width)
{
    return u64{y & ~7u} * width + (u64{x & ~7u} << 3) + morton8(x, y);
}
// The same with 32x32 blocks [ASM].
constexpr u64 block32_index(u32 x, u32 y, u32 width)
{
    return u64{y & ~31u} * width + (u64{x & ~31u} << 5) + morton32(x, y);
}
// Index of the 8x8 tile in column tx and row ty of an image in 32x32 blocks. tiles_per_row: width of the
// image in tiles, a multiple of 4.
constexpr u32 block32_tile(u32 tx, u32 ty, u32 tiles_per_row)
{
    return (ty & ~3u) * tiles_per_row + (tx & ~3u) * 4 + morton8(tx & 3, ty & 3);
}
constexpr u64 tiled_offset(u32 x, u32 y, u32 width, u32 bytes_per_pixel)
{
    return tiled_index(x, y, width) * bytes_per_pixel;
}
constexpr u64 block32_offset(u32 x, u32 y, u32 width, u32 bytes_per_pixel)
{
    return block32_index(x, y, width) * bytes_per_pixel;
}

} // namespace pica
