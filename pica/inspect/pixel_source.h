// SPDX-License-Identifier: MIT
// Where the pixels of memory and screens are, and where operations that move pixels take them from. Tests:
// tests/pica/pixel_history_test.cpp.
#pragma once

#include "pica/base/types.h"
#include "pica/state/draw.h"
#include "pica/transfer/display_transfer.h"
#include "pica/transfer/scanout.h"
#include "pica/transfer/texture_copy.h"

#include <optional>
#include <vector>

namespace pica
{

// A pixel in memory.
struct PixelPlace
{
    PhysAddr address = 0;
    u32 bytes = 0;
    bool operator==(const PixelPlace&) const = default;
};

// Of a surface: x, and the row in memory.
struct SurfacePixel
{
    u32 x = 0, row = 0;
    bool operator==(const SurfacePixel&) const = default;
};

// The pixel that contains the byte at `offset`. Nothing: outside, or in the padding of a tile.
std::optional<SurfacePixel> pixel_at(u64 offset, u32 bytes_per_pixel, u32 width, u32 height, bool block32);
u64 pixel_offset(SurfacePixel pixel, u32 bytes_per_pixel, u32 width, bool block32);

// Pixel (x, y) of the target's colour or depth buffer, y up as draws count it.
PixelPlace target_place(const RenderTarget& target, u32 x, u32 y, bool depth);
// The memory that the screen shows at (x, y), y down. Nothing: outside, or the screen shows no memory there.
std::optional<PixelPlace> screen_place(const ScreenConfig& config, u32 x, u32 y);

// The pixels of which the transfer makes the one that contains `address`; empty if it does not write there. What is
// outside memory is for the caller to find out.
std::vector<PixelPlace> source_of(const DisplayTransfer& transfer, PhysAddr address);
std::vector<PixelPlace> source_of(const TextureCopy& copy, const PixelPlace& place);

} // namespace pica
