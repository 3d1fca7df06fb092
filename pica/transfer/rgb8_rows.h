// SPDX-License-Identifier: MIT
// Faster ways to linear RGB8, which is what screens usually get. From tiled RGBA8 two rows at a time, because tiles hold
// pixels of two rows side by side; and from rows of words. Source: pica/hardware/engines.md. Tests:
// tests/pica/transfer_test.cpp, tests/pica/picture_transfer_test.cpp.
#pragma once

#include "pica/base/types.h"

namespace pica
{

struct Rgb8RowPair
{
    const u8* from; // the tiled picture
    u32 from_pitch; // in pixels
    u32 y;          // even: the first row of the picture
    u8* to[2];      // where rows y and y + 1 go
    u32 width;
    bool block32;
};

// Copies pixels from the left, whole tiles only, and returns how many of each row.
using Rgb8RowPairCopier = u32 (*)(const Rgb8RowPair& rows);
u32 copy_rgb8_row_pair_avx2(const Rgb8RowPair& rows);

// Null if this processor has no faster way than a row at a time (pixel_rows.h).
Rgb8RowPairCopier choose_rgb8_row_pair_copier();

// Packs pixels of a row, RGBA8 words with red in the low byte, from the left, eight at a time, and returns how many.
using Rgb8RowPacker = u32 (*)(const u32* pixels, u8* to, u32 count);
u32 pack_rgb8_row_avx2(const u32* pixels, u8* to, u32 count);

// Null as above.
Rgb8RowPacker choose_rgb8_row_packer();

} // namespace pica
