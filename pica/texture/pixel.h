// SPDX-License-Identifier: MIT
// Conversion of one pixel: of a framebuffer or screen buffer to and from RGBA8 (u32, R in bits 0-7), of a
// depth buffer to and from a depth word. Encoding truncates; decoding replicates bits; missing alpha is 255.
// Source: framebuffer.md, "Colour formats" and "Depth formats". Tests: tests/pica/pixel_test.cpp.
#pragma once

#include "pica/base/types.h"
#include "pica/regs/enums.h"
#include "pica/texture/format.h"

namespace pica
{

constexpr u32 make_rgba(u32 r, u32 g, u32 b, u32 a)
{
    return r | g << 8 | b << 16 | a << 24;
}
constexpr u32 red(u32 rgba)
{
    return rgba & 255;
}
constexpr u32 green(u32 rgba)
{
    return rgba >> 8 & 255;
}
constexpr u32 blue(u32 rgba)
{
    return rgba >> 16 & 255;
}
constexpr u32 alpha(u32 rgba)
{
    return rgba >> 24;
}

constexpr u32 expand1(u32 v)
{
    return v * 255;
}
constexpr u32 expand4(u32 v)
{
    return v * 17;
}
constexpr u32 expand5(u32 v)
{
    return v << 3 | v >> 2;
}
constexpr u32 expand6(u32 v)
{
    return v << 2 | v >> 4;
}

constexpr u32 swap_bytes(u32 v)
{
    return v << 24 | (v & 0xFF00) << 8 | (v >> 8 & 0xFF00) | v >> 24;
}

// To and from the pixel's bytes as a little-endian number (bytes_per_pixel of them).
template <PixelFormat format>
constexpr u32 decode_pixel(u32 word)
{
    if constexpr (format == PixelFormat::RGBA8)
        return swap_bytes(word);
    else if constexpr (format == PixelFormat::RGB8)
        return swap_bytes(word << 8) | 0xFF000000u;
    else if constexpr (format == PixelFormat::RGB565)
        return make_rgba(expand5(word >> 11 & 31), expand6(word >> 5 & 63), expand5(word & 31), 255);
    else if constexpr (format == PixelFormat::RGB5A1)
        return make_rgba(expand5(word >> 11 & 31), expand5(word >> 6 & 31), expand5(word >> 1 & 31),
                         expand1(word & 1));
    else
        return make_rgba(expand4(word >> 12 & 15), expand4(word >> 8 & 15), expand4(word >> 4 & 15),
                         expand4(word & 15));
}
template <PixelFormat format>
constexpr u32 encode_pixel(u32 rgba)
{
    if constexpr (format == PixelFormat::RGBA8)
        return swap_bytes(rgba);
    else if constexpr (format == PixelFormat::RGB8)
        return swap_bytes(rgba) >> 8;
    else if constexpr (format == PixelFormat::RGB565)
        return (red(rgba) >> 3) << 11 | (green(rgba) >> 2) << 5 | blue(rgba) >> 3;
    else if constexpr (format == PixelFormat::RGB5A1)
        return (red(rgba) >> 3) << 11 | (green(rgba) >> 3) << 6 | (blue(rgba) >> 3) << 1 | alpha(rgba) >> 7;
    else
        return (red(rgba) >> 4) << 12 | (green(rgba) >> 4) << 8 | (blue(rgba) >> 4) << 4 | alpha(rgba) >> 4;
}

template <u32 bytes>
inline u32 load_le(const u8* source)
{
    u32 word = 0;
    for (u32 i = 0; i < bytes; ++i)
        word |= u32{source[i]} << (8 * i);
    return word;
}
template <u32 bytes>
inline void store_le(u8* target, u32 word)
{
    for (u32 i = 0; i < bytes; ++i)
        target[i] = static_cast<u8>(word >> (8 * i));
}

constexpr u32 pixel_bytes(PixelFormat format)
{
    return format == PixelFormat::RGBA8 ? 4 : format == PixelFormat::RGB8 ? 3 : 2;
}
template <PixelFormat format>
inline u32 unpack_pixel(const u8* source)
{
    return decode_pixel<format>(load_le<pixel_bytes(format)>(source));
}
template <PixelFormat format>
inline void pack_pixel(u8* target, u32 rgba)
{
    store_le<pixel_bytes(format)>(target, encode_pixel<format>(rgba));
}

// With the format as an argument. The pointers cover bytes_per_pixel(format) bytes.
u32 unpack_pixel(PixelFormat format, const u8* source);
void pack_pixel(PixelFormat format, u8* target, u32 rgba);
u32 unpack_pixel(ColorFormat format, const u8* source);
void pack_pixel(ColorFormat format, u8* target, u32 rgba);
// The colour that is read back after storing this one in the format.
u32 quantize(ColorFormat format, u32 rgba);

// Depth in bits 0-23 (D16: 0-15), stencil in bits 24-31 (D24S8 only, else 0). Format 1 stores and reads
// nothing.
u32 unpack_depth(DepthFormat format, const u8* source);
void pack_depth(DepthFormat format, u8* target, u32 word);

} // namespace pica
