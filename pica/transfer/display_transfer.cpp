// SPDX-License-Identifier: MIT
// Display transfer: rows are read as RGBA8, averaged where the picture is halved, and written; one reader and
// one writer per format and layout. Source: pica/hardware/engines.md. Tests: tests/pica/transfer_test.cpp.
#include "pica/transfer/transfer.h"

#include "pica/memory/guest_memory.h"
#include "pica/texture/morton.h"
#include "pica/texture/pixel.h"

#include <algorithm>
#include <array>
#include <vector>

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

// Reads or writes `count` pixels of row y, starting at x (a multiple of 8).
using Reader = void (*)(const u8* base, u32 pitch, u32 x, u32 y, u32 count, u32* pixels);
using Writer = void (*)(u8* base, u32 pitch, u32 x, u32 y, u32 count, const u32* pixels);

template <Layout layout, PixelFormat format>
void read_row(const u8* base, u32 pitch, u32 x, u32 y, u32 count, u32* pixels)
{
    constexpr u32 kBytes = pixel_bytes(format);
    u32 done = 0;
    for (; done + 8 <= count; done += 8)
    {
        const u8* run = base + run_start<layout>(x + done, y, pitch) * kBytes;
        for (u32 i = 0; i < 8; ++i)
            pixels[done + i] = unpack_pixel<format>(run + step<layout>(i) * kBytes);
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

template <Layout layout>
constexpr std::array<Reader, 5> kReaders = {
    read_row<layout, PixelFormat::RGBA8>, read_row<layout, PixelFormat::RGB8>,
    read_row<layout, PixelFormat::RGB565>, read_row<layout, PixelFormat::RGB5A1>,
    read_row<layout, PixelFormat::RGBA4>};
template <Layout layout>
constexpr std::array<Writer, 5> kWriters = {
    write_row<layout, PixelFormat::RGBA8>, write_row<layout, PixelFormat::RGB8>,
    write_row<layout, PixelFormat::RGB565>, write_row<layout, PixelFormat::RGB5A1>,
    write_row<layout, PixelFormat::RGBA4>};

std::size_t row_function_index(PixelFormat format)
{
    return std::min(static_cast<std::size_t>(format), std::size_t{4});
}

Reader select_reader(bool tiled, bool block32, PixelFormat format)
{
    const std::size_t i = row_function_index(format);
    return !tiled     ? kReaders<Layout::Linear>[i]
           : !block32 ? kReaders<Layout::Tiles8>[i]
                      : kReaders<Layout::Blocks32>[i];
}
Writer select_writer(bool tiled, bool block32, PixelFormat format)
{
    const std::size_t i = row_function_index(format);
    return !tiled     ? kWriters<Layout::Linear>[i]
           : !block32 ? kWriters<Layout::Tiles8>[i]
                      : kWriters<Layout::Blocks32>[i];
}

// Truncating averages of each channel, for two channels at a time.
constexpr u32 kOddBytes = 0x00FF00FF;
u32 average2(u32 a, u32 b)
{
    const u32 low = ((a & kOddBytes) + (b & kOddBytes)) >> 1 & kOddBytes;
    const u32 high = ((a >> 8 & kOddBytes) + (b >> 8 & kOddBytes)) >> 1 & kOddBytes;
    return low | high << 8;
}
u32 average4(u32 a, u32 b, u32 c, u32 d)
{
    const u32 low = ((a & kOddBytes) + (b & kOddBytes) + (c & kOddBytes) + (d & kOddBytes)) >> 2 & kOddBytes;
    const u32 high =
        ((a >> 8 & kOddBytes) + (b >> 8 & kOddBytes) + (c >> 8 & kOddBytes) + (d >> 8 & kOddBytes)) >> 2 &
        kOddBytes;
    return low | high << 8;
}

constexpr u32 kChunk = 256; // output pixels at a time; a multiple of 8

struct Rows
{
    std::array<u32, 2 * kChunk> first;
    std::array<u32, 2 * kChunk> second;
};

// Puts output pixels x..x+count of row y, averaged, at the start of rows.first.
void read_pixels(const DisplayTransfer& transfer, Reader read, const u8* base, u32 x, u32 y, u32 count,
                 Rows& rows)
{
    const u32 pitch = transfer.input_width;
    switch (transfer.scaling)
    {
    case TransferScaling::None:
    case TransferScaling::Invalid3: // copies nothing, so it never gets here
        read(base, pitch, x, y, count, rows.first.data());
        break;
    case TransferScaling::HalveX:
        read(base, pitch, 2 * x, y, 2 * count, rows.first.data());
        for (u32 i = 0; i < count; ++i)
            rows.first[i] = average2(rows.first[2 * i], rows.first[2 * i + 1]);
        break;
    case TransferScaling::HalveXY:
        read(base, pitch, 2 * x, 2 * y, 2 * count, rows.first.data());
        read(base, pitch, 2 * x, 2 * y + 1, 2 * count, rows.second.data());
        for (u32 i = 0; i < count; ++i)
            rows.first[i] = average4(rows.first[2 * i], rows.first[2 * i + 1], rows.second[2 * i],
                                     rows.second[2 * i + 1]);
        break;
    }
}

} // namespace

void execute(GuestMemory& memory, const DisplayTransfer& transfer, Report& report)
{
    report_illegal(transfer, memory, report);
    const ByteRange input = transfer.input_range(), output = transfer.output_range();
    std::span<const u8> source = memory.span(input.begin, input.size);
    const std::span<u8> target = memory.span(output.begin, output.size);
    if (source.empty() || target.empty())
        return;

    std::vector<u8> snapshot; // only used if the input would be overwritten before it is read
    if (overlap(input, output))
    {
        snapshot.assign(source.begin(), source.end());
        source = snapshot;
    }
    const Reader read = select_reader(transfer.input_tiled(), transfer.block32, transfer.input_format);
    const Writer write = select_writer(transfer.output_tiled(), transfer.block32, transfer.output_format);
    const u32 width = transfer.written_width(), height = transfer.written_height();
    Rows rows;
    for (u32 y = 0; y < height; ++y)
    {
        const u32 output_y = transfer.flip_vertically ? height - 1 - y : y;
        for (u32 x = 0; x < width; x += kChunk)
        {
            const u32 count = std::min(kChunk, width - x);
            read_pixels(transfer, read, source.data(), x, y, count, rows);
            write(target.data(), width, x, output_y, count, rows.first.data());
        }
    }
    memory.did_write(output.begin, output.size);
}

} // namespace pica
