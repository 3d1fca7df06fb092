// SPDX-License-Identifier: MIT
// Loads and stores blocks of a colour or depth buffer: kLanes pixels that follow each other in memory, which
// are 4x2 or 4x4 pixels of the picture (Morton order), as RGBA8 words (R in bits 0-7) or depth words. Source:
// pica/hardware/framebuffer.md. Included only by the source files that are compiled once per instruction set.
#pragma once

#include "pica/regs/enums.h"
#include "pica/soft/simd.h"

#include <cstring>

namespace pica::soft
{

namespace
{

// A block is the first or second half of a quarter of a tile, or with 16 lanes a whole quarter.
constexpr s32 kBlockHeight = kLanes / 4;
constexpr u32 kTileBlocks = 64 / kLanes;
constexpr u32 kAllTileBlocks = (1u << kTileBlocks) - 1;

// The position of each lane inside its block, of each block (one a lane) inside its tile, and of block k.
#if defined(PICA_LANES_AVX512)
PICA_SIMD Int lane_x()
{
    return Int{0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3};
}
PICA_SIMD Int lane_y()
{
    return Int{0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3};
}
PICA_SIMD Int blocks_x()
{
    return Int{0, 4, 0, 4};
}
PICA_SIMD Int blocks_y()
{
    return Int{0, 0, 4, 4};
}
PICA_SIMD s32 block_x(u32 k)
{
    return static_cast<s32>((k & 1) * 4);
}
PICA_SIMD s32 block_y(u32 k)
{
    return static_cast<s32>((k & 2) * 2);
}
#else
PICA_SIMD Int lane_x()
{
    return Int{0, 1, 0, 1, 2, 3, 2, 3};
}
PICA_SIMD Int lane_y()
{
    return Int{0, 0, 1, 1, 0, 0, 1, 1};
}
PICA_SIMD Int blocks_x()
{
    return Int{0, 0, 4, 4, 0, 0, 4, 4};
}
PICA_SIMD Int blocks_y()
{
    return Int{0, 2, 0, 2, 4, 6, 4, 6};
}
PICA_SIMD s32 block_x(u32 k)
{
    return static_cast<s32>((k & 2) * 2);
}
PICA_SIMD s32 block_y(u32 k)
{
    return static_cast<s32>((k & 1) * 2 + (k & 4));
}
#endif

using Words16 = Lanes<u16, kLanes>;

PICA_SIMD Bits load_words16(const u8* p)
{
    Words16 v;
    std::memcpy(&v, p, sizeof v);
    return convert_lanes<Bits>(v);
}
PICA_SIMD void store_words16(u8* p, Bits words)
{
    const Words16 v = convert_lanes<Words16>(words);
    std::memcpy(p, &v, sizeof v);
}
PICA_SIMD Bits load_words24(const u8* p)
{
    Bits v;
    for (u32 i = 0; i < kLanes; ++i)
        v[i] = p[3 * i] | static_cast<u32>(p[3 * i + 1]) << 8 | static_cast<u32>(p[3 * i + 2]) << 16;
    return v;
}
PICA_SIMD void store_words24(u8* p, Bits words)
{
    for (u32 i = 0; i < kLanes; ++i)
    {
        p[3 * i] = static_cast<u8>(words[i]);
        p[3 * i + 1] = static_cast<u8>(words[i] >> 8);
        p[3 * i + 2] = static_cast<u8>(words[i] >> 16);
    }
}

// Raw pixel words as they are in memory, zero-extended.
PICA_SIMD Bits load_color_raw(ColorFormat format, const u8* p)
{
    switch (format)
    {
    case ColorFormat::RGB8:
        return load_words24(p);
    case ColorFormat::RGB5A1:
    case ColorFormat::RGB565:
    case ColorFormat::RGBA4:
        return load_words16(p);
    case ColorFormat::RGBA8:
        break;
    }
    return load_bits(p);
}
PICA_SIMD void store_color_raw(ColorFormat format, u8* p, Bits words)
{
    switch (format)
    {
    case ColorFormat::RGB8:
        return store_words24(p, words);
    case ColorFormat::RGB5A1:
    case ColorFormat::RGB565:
    case ColorFormat::RGBA4:
        return store_words16(p, words);
    case ColorFormat::RGBA8:
        return store_bits(p, words);
    }
}

PICA_SIMD Bits expand5(Bits v)
{
    return (v << 3) | (v >> 2);
}

PICA_SIMD Bits decode_color(ColorFormat format, Bits raw)
{
    switch (format)
    {
    case ColorFormat::RGB8:
        return swap_bytes(raw << 8) | 0xFF000000u;
    case ColorFormat::RGB5A1:
        return expand5((raw >> 11) & 31u) | expand5((raw >> 6) & 31u) << 8 | expand5((raw >> 1) & 31u) << 16 |
               ((raw & 1u) * 255u) << 24;
    case ColorFormat::RGB565:
    {
        const Bits g = (raw >> 5) & 63u;
        return expand5((raw >> 11) & 31u) | ((g << 2) | (g >> 4)) << 8 | expand5(raw & 31u) << 16 |
               0xFF000000u;
    }
    case ColorFormat::RGBA4:
    {
        const Bits nibbles =
            ((raw >> 12) & 15u) | ((raw >> 8) & 15u) << 8 | ((raw >> 4) & 15u) << 16 | (raw & 15u) << 24;
        return nibbles | nibbles << 4;
    }
    case ColorFormat::RGBA8:
        break;
    }
    return swap_bytes(raw);
}
// Truncates. [EMU]
PICA_SIMD Bits encode_color(ColorFormat format, Bits rgba)
{
    const Bits r = rgba & 255u;
    const Bits g = (rgba >> 8) & 255u;
    const Bits b = (rgba >> 16) & 255u;
    const Bits a = rgba >> 24;
    switch (format)
    {
    case ColorFormat::RGB8:
        return swap_bytes(rgba) >> 8;
    case ColorFormat::RGB5A1:
        return (r >> 3) << 11 | (g >> 3) << 6 | (b >> 3) << 1 | a >> 7;
    case ColorFormat::RGB565:
        return (r >> 3) << 11 | (g >> 2) << 5 | b >> 3;
    case ColorFormat::RGBA4:
        return (r >> 4) << 12 | (g >> 4) << 8 | (b >> 4) << 4 | a >> 4;
    case ColorFormat::RGBA8:
        break;
    }
    return swap_bytes(rgba);
}

// Depth in bits 0-23 (D16: 0-15), stencil in bits 24-31.
PICA_SIMD Bits load_depth(DepthFormat format, const u8* p)
{
    switch (format)
    {
    case DepthFormat::D16:
        return load_words16(p);
    case DepthFormat::D24:
        return load_words24(p);
    case DepthFormat::D24S8:
        break;
    }
    return load_bits(p);
}
PICA_SIMD void store_depth(DepthFormat format, u8* p, Bits words)
{
    switch (format)
    {
    case DepthFormat::D16:
        return store_words16(p, words);
    case DepthFormat::D24:
        return store_words24(p, words);
    case DepthFormat::D24S8:
        return store_bits(p, words);
    }
}

static constexpr u32 color_pixel_bytes(ColorFormat format)
{
    return format == ColorFormat::RGBA8 ? 4 : format == ColorFormat::RGB8 ? 3 : 2;
}
static constexpr u32 depth_pixel_bytes(DepthFormat format)
{
    return format == DepthFormat::D16 ? 2 : format == DepthFormat::D24 ? 3 : 4;
}

} // namespace

} // namespace pica::soft
