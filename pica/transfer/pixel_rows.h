// SPDX-License-Identifier: MIT
// Rows of pixels as the display transfer reads and writes them: one reader and one writer per format and layout, and
// the averages of halved pictures; and all rows of a transfer. Source: pica/hardware/engines.md. Tests:
// tests/pica/transfer_test.cpp.
#pragma once

#include "pica/base/types.h"
#include "pica/regs/enums.h"

#include <cstddef>
#include <span>

namespace pica
{

struct DisplayTransfer;

// Reads or writes `count` pixels of row y, starting at x (a multiple of 8), as RGBA8 words.
using RowReader = void (*)(const u8* base, u32 pitch, u32 x, u32 y, u32 count, u32* pixels);
using RowWriter = void (*)(u8* base, u32 pitch, u32 x, u32 y, u32 count, const u32* pixels);

// Copies pixels [x, width) of a row, x a multiple of 8. to: where the row begins.
using RowCopier = void (*)(const u8* from, u32 from_pitch, u32 from_y, u8* to, u32 x, u32 width);

RowReader row_reader(bool tiled, bool block32, PixelFormat format);
RowWriter row_writer(bool tiled, bool block32, PixelFormat format);
// From tiled RGBA8 to linear RGB8, which is what screens usually get.
RowCopier row_copier_to_rgb8(bool block32);

// What a display transfer writes: from the bytes of its input range to those of its output range, which must not overlap.
void transfer_pixels(const DisplayTransfer& transfer, std::span<const u8> input, std::span<u8> output);

// A picture of RGBA8 words, red in the low byte.
struct PictureRows
{
    const u32* first;     // row 0
    std::ptrdiff_t pitch; // words from a row to the next one, which may be negative
};
// The same from the input as a picture, with at least the rows and columns that the transfer reads. output: its whole output
// range.
void transfer_picture(const DisplayTransfer& transfer, const PictureRows& input, u8* output);

// Truncating averages of each channel, for two channels at a time.
inline constexpr u32 kOddBytes = 0x00FF00FF;
inline u32 average2(u32 a, u32 b)
{
    const u32 low = ((a & kOddBytes) + (b & kOddBytes)) >> 1 & kOddBytes;
    const u32 high = ((a >> 8 & kOddBytes) + (b >> 8 & kOddBytes)) >> 1 & kOddBytes;
    return low | high << 8;
}
inline u32 average4(u32 a, u32 b, u32 c, u32 d)
{
    const u32 low = ((a & kOddBytes) + (b & kOddBytes) + (c & kOddBytes) + (d & kOddBytes)) >> 2 & kOddBytes;
    const u32 high =
        ((a >> 8 & kOddBytes) + (b >> 8 & kOddBytes) + (c >> 8 & kOddBytes) + (d >> 8 & kOddBytes)) >> 2 &
        kOddBytes;
    return low | high << 8;
}

} // namespace pica
