// SPDX-License-Identifier: MIT
#include "pica/inspect/pixel_source.h"

#include "pica/texture/format.h"
#include "pica/texture/morton.h"
#include "pica/texture/pixel.h"

namespace pica
{

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

PixelPlace target_place(const RenderTarget& target, u32 x, u32 y, bool depth)
{
    const u32 row = target.flip != 0 ? target.height - 1u - y : y;
    const u32 bytes = depth ? bytes_per_pixel(target.depth_format) : bytes_per_pixel(target.color_format);
    const u64 offset = pixel_offset({x, row}, bytes, target.width, target.block32 != 0);
    return {static_cast<PhysAddr>((depth ? target.depth_address : target.color_address) + offset), bytes};
}

std::optional<PixelPlace> screen_place(const ScreenConfig& config, u32 x, u32 y)
{
    if (config.filled || config.address == 0 || x >= config.width || y >= kScreenHeight)
        return std::nullopt;
    const PixelFormat format = config.format > PixelFormat::RGBA4 ? PixelFormat::RGBA8 : config.format;
    const u32 bytes = pixel_bytes(format);
    const s64 address = s64{config.address} + s64{x} * config.stride + s64{kScreenHeight - 1 - y} * bytes;
    if (address < 0 || address > 0xFFFFFFFF)
        return std::nullopt;
    return PixelPlace{static_cast<PhysAddr>(address), bytes};
}

std::vector<PixelPlace> source_of(const DisplayTransfer& transfer, PhysAddr address)
{
    const ByteRange range = transfer.output_range();
    if (address < range.begin || address - range.begin >= range.size)
        return {};
    const u32 to_bytes = bytes_per_pixel(transfer.output_format);
    const u32 width = transfer.written_width(), height = transfer.written_height();
    const u64 offset = address - range.begin;
    std::optional<SurfacePixel> written;
    if (transfer.output_tiled())
        written = pixel_at(offset, to_bytes, width, height, transfer.block32);
    else
        written = SurfacePixel{static_cast<u32>(offset / to_bytes % width),
                               static_cast<u32>(offset / to_bytes / width)};
    if (!written)
        return {};
    const u32 y = transfer.flip_vertically ? height - 1 - written->row : written->row;
    const u32 step_x = transfer.scaling != TransferScaling::None ? 2 : 1;
    const u32 step_y = transfer.scaling == TransferScaling::HalveXY ? 2 : 1;
    const u32 from_bytes = bytes_per_pixel(transfer.input_format);
    std::vector<PixelPlace> result;
    for (u32 dy = 0; dy < step_y; ++dy)
        for (u32 dx = 0; dx < step_x; ++dx)
        {
            const SurfacePixel pixel{written->x * step_x + dx, y * step_y + dy};
            const u64 from = transfer.input_tiled()
                                 ? pixel_offset(pixel, from_bytes, transfer.input_width, transfer.block32)
                                 : (u64{pixel.row} * transfer.input_width + pixel.x) * from_bytes;
            result.push_back({static_cast<PhysAddr>(transfer.input + from), from_bytes});
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
                         result = {{static_cast<PhysAddr>(copy.input + from + (offset - to)), place.bytes}};
                 });
    return result;
}

} // namespace pica
