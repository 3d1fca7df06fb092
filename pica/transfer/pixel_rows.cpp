// SPDX-License-Identifier: MIT
#include "pica/transfer/pixel_rows.h"

#include "pica/texture/morton.h"
#include "pica/texture/pixel.h"

#include <algorithm>
#include <array>

namespace pica
{

namespace
{

enum class Layout : u8
{
    Linear,
    Tiles8,
    Blocks32,
};

// The index of pixel (x, y), x a multiple of 8. The seven pixels after it are at step<layout>(i).
template <Layout layout>
u64 run_start(u32 x, u32 y, u32 pitch)
{
    if constexpr (layout == Layout::Linear)
        return u64{y} * pitch + x;
    else if constexpr (layout == Layout::Tiles8)
        return tiled_index(x, y, pitch);
    else
        return block32_index(x, y, pitch);
}
template <Layout layout>
constexpr u32 step(u32 i)
{
    return layout == Layout::Linear ? i : kMortonX[i];
}

// unpack_pixel<RGBA8> of two pixels: the bytes of each in reverse.
inline void unpack_rgba8_pair(const u8* from, u32* pixels)
{
    u64 pair = 0;
    for (u32 i = 0; i < 8; ++i)
        pair |= u64{from[i]} << (8 * i);
    const u64 swapped = (pair & 0x00FF00FF00FF00FF) << 8 | (pair >> 8 & 0x00FF00FF00FF00FF);
    const u64 reversed = (swapped & 0x0000FFFF0000FFFF) << 16 | (swapped >> 16 & 0x0000FFFF0000FFFF);
    pixels[0] = static_cast<u32>(reversed);
    pixels[1] = static_cast<u32>(reversed >> 32);
}

template <Layout layout, PixelFormat format>
void read_row(const u8* base, u32 pitch, u32 x, u32 y, u32 count, u32* pixels)
{
    constexpr u32 kBytes = pixel_bytes(format);
    u32 done = 0;
    for (; done + 8 <= count; done += 8)
    {
        const u8* run = base + run_start<layout>(x + done, y, pitch) * kBytes;
        if constexpr (layout != Layout::Linear && format == PixelFormat::RGBA8)
        {
            // In tiles, two pixels lie side by side.
            for (u32 i = 0; i < 8; i += 2)
                unpack_rgba8_pair(run + step<layout>(i) * kBytes, pixels + done + i);
        }
        else
        {
            for (u32 i = 0; i < 8; ++i)
                pixels[done + i] = unpack_pixel<format>(run + step<layout>(i) * kBytes);
        }
    }
    if (done == count)
        return;
    const u8* run = base + run_start<layout>(x + done, y, pitch) * kBytes;
    for (u32 i = 0; done < count; ++i, ++done)
        pixels[done] = unpack_pixel<format>(run + step<layout>(i) * kBytes);
}

template <Layout layout, PixelFormat format>
void write_row(u8* base, u32 pitch, u32 x, u32 y, u32 count, const u32* pixels)
{
    constexpr u32 kBytes = pixel_bytes(format);
    u32 done = 0;
    for (; done + 8 <= count; done += 8)
    {
        u8* run = base + run_start<layout>(x + done, y, pitch) * kBytes;
        if constexpr (layout == Layout::Linear && format == PixelFormat::RGB8)
        {
            // The usual format of the screens: four pixels are three words.
            for (u32 i = 0; i < 8; i += 4)
            {
                const u32 a = encode_pixel<format>(pixels[done + i]),
                          b = encode_pixel<format>(pixels[done + i + 1]);
                const u32 c = encode_pixel<format>(pixels[done + i + 2]),
                          d = encode_pixel<format>(pixels[done + i + 3]);
                store_le<4>(run + 3 * i, a | b << 24);
                store_le<4>(run + 3 * i + 4, b >> 8 | c << 16);
                store_le<4>(run + 3 * i + 8, c >> 16 | d << 8);
            }
        }
        else
        {
            for (u32 i = 0; i < 8; ++i)
                pack_pixel<format>(run + step<layout>(i) * kBytes, pixels[done + i]);
        }
    }
    if (done == count)
        return;
    u8* run = base + run_start<layout>(x + done, y, pitch) * kBytes;
    for (u32 i = 0; done < count; ++i, ++done)
        pack_pixel<format>(run + step<layout>(i) * kBytes, pixels[done]);
}

// Two RGBA8 pixels as the low 48 bits of RGB8: in memory, that is RGBA8 without the first byte.
inline u64 rgb8_pair(const u8* pixels)
{
    return u64{load_le<4>(pixels) >> 8} | u64{load_le<4>(pixels + 4) >> 8} << 24;
}

template <Layout layout>
void copy_row_to_rgb8(const u8* from, u32 from_pitch, u32 from_y, u8* to, u32 x, u32 width)
{
    u8* out = to + u64{x} * 3;
    for (; x + 8 <= width; x += 8)
    {
        const u8* run = from + run_start<layout>(x, from_y, from_pitch) * 4;
        for (u32 i = 0; i < 8; i += 4, out += 12)
        {
            const u64 a = rgb8_pair(run + step<layout>(i) * 4);
            const u64 b = rgb8_pair(run + step<layout>(i + 2) * 4);
            store_le<4>(out, static_cast<u32>(a));
            store_le<4>(out + 4, static_cast<u32>(a >> 32 | b << 16));
            store_le<4>(out + 8, static_cast<u32>(b >> 16));
        }
    }
    const u8* run = from + run_start<layout>(x, from_y, from_pitch) * 4;
    for (u32 i = 0; x + i < width; ++i, out += 3)
        store_le<3>(out, load_le<4>(run + step<layout>(i) * 4) >> 8);
}

template <Layout layout>
constexpr std::array<RowReader, 5> kReaders = {
    read_row<layout, PixelFormat::RGBA8>, read_row<layout, PixelFormat::RGB8>,
    read_row<layout, PixelFormat::RGB565>, read_row<layout, PixelFormat::RGB5A1>,
    read_row<layout, PixelFormat::RGBA4>};
template <Layout layout>
constexpr std::array<RowWriter, 5> kWriters = {
    write_row<layout, PixelFormat::RGBA8>, write_row<layout, PixelFormat::RGB8>,
    write_row<layout, PixelFormat::RGB565>, write_row<layout, PixelFormat::RGB5A1>,
    write_row<layout, PixelFormat::RGBA4>};

std::size_t row_function_index(PixelFormat format)
{
    return std::min(static_cast<std::size_t>(format), std::size_t{4});
}

} // namespace

RowReader row_reader(bool tiled, bool block32, PixelFormat format)
{
    const std::size_t i = row_function_index(format);
    return !tiled     ? kReaders<Layout::Linear>[i]
           : !block32 ? kReaders<Layout::Tiles8>[i]
                      : kReaders<Layout::Blocks32>[i];
}
RowWriter row_writer(bool tiled, bool block32, PixelFormat format)
{
    const std::size_t i = row_function_index(format);
    return !tiled     ? kWriters<Layout::Linear>[i]
           : !block32 ? kWriters<Layout::Tiles8>[i]
                      : kWriters<Layout::Blocks32>[i];
}

RowCopier row_copier_to_rgb8(bool block32)
{
    return block32 ? copy_row_to_rgb8<Layout::Blocks32> : copy_row_to_rgb8<Layout::Tiles8>;
}

} // namespace pica
