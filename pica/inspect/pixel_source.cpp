// SPDX-License-Identifier: MIT
#include "pica/inspect/pixel_source.h"

#include "pica/memory/guest_memory.h"
#include "pica/texture/format.h"
#include "pica/texture/morton.h"
#include "pica/texture/pixel.h"
#include "pica/upscale/plane_memory.h"

#include <algorithm>
#include <array>
#include <span>

namespace pica
{

namespace
{

// Of an N x pixel; row: as it lies in memory.
u32 plane_of(u32 x, u32 row, u32 scale)
{
    return row % scale * scale + x % scale;
}

} // namespace

u32 read_place(const GuestMemory& memory, const PlaneMemory* planes, const PixelPlace& place)
{
    std::array<u8, 4> bytes{};
    const std::span<u8> known = std::span(bytes).first(std::min(place.bytes, 4u));
    if (planes != nullptr)
        planes->load(place.plane, place.address, known);
    else
        for (u32 i = 0; i < known.size(); ++i)
            bytes[i] = memory.read8(place.address + i);
    return load_le<4>(bytes.data());
}

std::optional<SurfacePixel> pixel_at(u64 offset, u32 bytes_per_pixel, u32 width, u32 height, bool block32)
{
    const u32 side = block32 ? 32 : 8;
    if (bytes_per_pixel == 0 || width == 0)
        return std::nullopt;
    const u64 index = offset / bytes_per_pixel;
    const u64 strip = index / (u64{side} * width);
    const u64 in_strip = index % (u64{side} * width);
    const u32 in_tile = static_cast<u32>(in_strip % (u64{side} * side));
    const u64 x = in_strip / (u64{side} * side) * side + morton_x(in_tile);
    const u64 row = strip * side + morton_y(in_tile);
    if (x >= width || row >= height)
        return std::nullopt;
    return SurfacePixel{static_cast<u32>(x), static_cast<u32>(row)};
}

u64 pixel_offset(SurfacePixel pixel, u32 bytes_per_pixel, u32 width, bool block32)
{
    return block32 ? block32_offset(pixel.x, pixel.row, width, bytes_per_pixel)
                   : tiled_offset(pixel.x, pixel.row, width, bytes_per_pixel);
}

PixelPlace target_place(const RenderTarget& target, u32 x, u32 y, bool depth, u32 scale)
{
    const u32 row = target.flip != 0 ? target.height * scale - 1u - y : y;
    const u32 bytes = depth ? bytes_per_pixel(target.depth_format) : bytes_per_pixel(target.color_format);
    const u64 offset = pixel_offset({x / scale, row / scale}, bytes, target.width, target.block32 != 0);
    return {static_cast<PhysAddr>((depth ? target.depth_address : target.color_address) + offset), bytes,
            plane_of(x, row, scale)};
}

std::optional<PixelPlace> screen_place(const ScreenConfig& config, u32 x, u32 y, u32 scale)
{
    if (config.filled || config.address == 0 || x >= config.width * scale || y >= kScreenHeight * scale)
        return std::nullopt;
    const PixelFormat format = config.format > PixelFormat::RGBA4 ? PixelFormat::RGBA8 : config.format;
    const u32 bytes = pixel_bytes(format);
    const u32 up = kScreenHeight * scale - 1 - y;
    const s64 address = s64{config.address} + s64{x / scale} * config.stride + s64{up / scale} * bytes;
    if (address < 0 || address > 0xFFFFFFFF)
        return std::nullopt;
    // With a negative stride, rows of memory are columns from right to left.
    const u32 row = config.stride < 0 ? scale - 1 - x % scale : x;
    return PixelPlace{static_cast<PhysAddr>(address), bytes, plane_of(up, row, scale)};
}

std::vector<PixelPlace> source_of(const DisplayTransfer& transfer, const PixelPlace& place, u32 scale)
{
    const ByteRange range = transfer.output_range();
    if (place.address < range.begin || place.address - range.begin >= range.size)
        return {};
    const u32 to_bytes = bytes_per_pixel(transfer.output_format);
    const u32 width = transfer.written_width(), height = transfer.written_height();
    const u64 offset = place.address - range.begin;
    std::optional<SurfacePixel> written;
    if (transfer.output_tiled())
        written = pixel_at(offset, to_bytes, width, height, transfer.block32);
    else
        written = SurfacePixel{static_cast<u32>(offset / to_bytes % width),
                               static_cast<u32>(offset / to_bytes / width)};
    if (!written)
        return {};
    const u32 x = written->x * scale + place.plane % scale;
    const u32 row = written->row * scale + place.plane / scale;
    const u32 y = transfer.flip_vertically ? height * scale - 1 - row : row;
    const u32 step_x = transfer.scaling != TransferScaling::None ? 2 : 1;
    const u32 step_y = transfer.scaling == TransferScaling::HalveXY ? 2 : 1;
    const u32 from_bytes = bytes_per_pixel(transfer.input_format);
    std::vector<PixelPlace> result;
    for (u32 dy = 0; dy < step_y; ++dy)
        for (u32 dx = 0; dx < step_x; ++dx)
        {
            const u32 from_x = x * step_x + dx, from_row = y * step_y + dy;
            const SurfacePixel pixel{from_x / scale, from_row / scale};
            const u64 from = transfer.input_tiled()
                                 ? pixel_offset(pixel, from_bytes, transfer.input_width, transfer.block32)
                                 : (u64{pixel.row} * transfer.input_width + pixel.x) * from_bytes;
            result.push_back({static_cast<PhysAddr>(transfer.input + from), from_bytes,
                              plane_of(from_x, from_row, scale)});
        }
    return result;
}

std::vector<PixelPlace> source_of(const TextureCopy& copy, const PixelPlace& place)
{
    const ByteRange range = copy.output_range();
    if (copy.copies_nothing() || place.address < range.begin || place.address - range.begin >= range.size)
        return {};
    const u64 offset = place.address - range.begin;
    std::vector<PixelPlace> result;
    for_each_run(copy,
                 [&](u64 from, u64 to, u32 bytes)
                 {
                     if (offset >= to && offset - to < bytes)
                         result = {{static_cast<PhysAddr>(copy.input + from + (offset - to)), place.bytes,
                                    place.plane}};
                 });
    return result;
}

} // namespace pica
