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

class GuestMemory;
class PlaneMemory;

// A pixel in memory.
struct PixelPlace
{
    PhysAddr address = 0;
    u32 bytes = 0;
    // At N times the resolution: the plane of guest memory, j * N + i (design.md). At 1x: 0.
    u32 plane = 0;
    bool operator==(const PixelPlace&) const = default;
};

// What is there, as a little-endian number; bytes outside of memory are 0. planes: null at 1x.
u32 read_place(const GuestMemory& memory, const PlaneMemory* planes, const PixelPlace& place);

// Of a surface: x, and the row in memory.
struct SurfacePixel
{
    u32 x = 0, row = 0;
    bool operator==(const SurfacePixel&) const = default;
};

// The pixel that contains the byte at `offset`. Nothing: outside, or in the padding of a tile.
std::optional<SurfacePixel> pixel_at(u64 offset, u32 bytes_per_pixel, u32 width, u32 height, bool block32);
u64 pixel_offset(SurfacePixel pixel, u32 bytes_per_pixel, u32 width, bool block32);

// Below, x and y count N x pixels, N being `scale`.
// Pixel (x, y) of the target's colour or depth buffer, y up as draws count it.
PixelPlace target_place(const RenderTarget& target, u32 x, u32 y, bool depth, u32 scale = 1);
// The memory that the screen shows at (x, y), y down. Nothing: outside, or the screen shows no memory there.
std::optional<PixelPlace> screen_place(const ScreenConfig& config, u32 x, u32 y, u32 scale = 1);

// The pixels of which the transfer makes the one that contains the place; empty if it does not write there. What is
// outside memory is for the caller to find out. Above 1x: of a transfer that works on the picture of N x pixels.
std::vector<PixelPlace> source_of(const DisplayTransfer& transfer, const PixelPlace& place, u32 scale = 1);
std::vector<PixelPlace> source_of(const TextureCopy& copy, const PixelPlace& place);

} // namespace pica
