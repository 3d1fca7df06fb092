// SPDX-License-Identifier: MIT
// The panels are mounted rotated: memory row r is column r of the picture, from the bottom upwards.
#include "pica/upscale/scaled_scanout.h"

#include "pica/texture/pixel.h"
#include "pica/upscale/plane_memory.h"

#include <algorithm>

namespace pica
{

void scan_out_scaled(const PlaneMemory& planes, const ScreenConfig& config, u32* rgba_out, Report& report)
{
    const u32 n = planes.scale();
    const std::size_t width = std::size_t{config.width} * n;
    constexpr u32 kBlack = 0xFF000000;
    std::fill_n(rgba_out, width * kScreenHeight * n, config.filled ? config.fill_color | kBlack : kBlack);
    if (config.filled || config.address == 0)
        return;
    const PixelFormat format = shown_format(config.format, report);
    std::array<u8, std::size_t{kScreenHeight} * 4> bytes;
    const std::span<u8> row = std::span(bytes).first(std::size_t{kScreenHeight} * pixel_bytes(format));
    ScreenColumn column;
    for (u32 x = 0; x < config.width; ++x)
    {
        const std::optional<PhysAddr> address = find_column(planes.memory(), config, format, x, report);
        if (!address)
            continue;
        for (u32 plane = 0; plane < planes.planes(); ++plane)
        {
            planes.load(plane, *address, row);
            read_column(format, row.data(), column);
            // With a negative stride, rows of memory are columns from right to left.
            const u32 row_of_column = config.stride < 0 ? n - 1 - plane / n : plane / n;
            u32* out = rgba_out + std::size_t{x} * n + row_of_column;
            for (u32 k = 0; k < kScreenHeight; ++k)
                out[(kScreenHeight * n - 1 - (k * n + plane % n)) * width] = column[k];
        }
    }
}

} // namespace pica
