// SPDX-License-Identifier: MIT
// Format sizes as tables.
#include "pica/texture/format.h"

#include "pica/texture/morton.h"

#include <array>

namespace pica
{

namespace
{

struct FormatRow
{
    u8 bits;
    std::string_view name;
};

constexpr std::array<FormatRow, kTextureFormatCount> kFormats = {{
    {32, "RGBA8"},
    {24, "RGB8"},
    {16, "RGB5A1"},
    {16, "RGB565"},
    {16, "RGBA4"},
    {16, "IA8"},
    {16, "HILO8"},
    {8, "I8"},
    {8, "A8"},
    {8, "IA4"},
    {4, "I4"},
    {4, "A4"},
    {4, "ETC1"},
    {8, "ETC1A4"},
}};

} // namespace

u32 bits_per_texel(TextureFormat format)
{
    const u32 index = static_cast<u32>(format);
    return index < kTextureFormatCount ? kFormats[index].bits : 0;
}

std::string_view format_name(TextureFormat format)
{
    const u32 index = static_cast<u32>(format);
    return index < kTextureFormatCount ? kFormats[index].name : std::string_view("undefined");
}

u32 bytes_per_pixel(ColorFormat format)
{
    switch (format)
    {
    case ColorFormat::RGBA8:
        return 4;
    case ColorFormat::RGB8:
        return 3;
    case ColorFormat::RGB5A1:
    case ColorFormat::RGB565:
    case ColorFormat::RGBA4:
        return 2;
    }
    return 4;
}

u32 bytes_per_pixel(PixelFormat format)
{
    switch (format)
    {
    case PixelFormat::RGBA8:
        return 4;
    case PixelFormat::RGB8:
        return 3;
    case PixelFormat::RGB565:
    case PixelFormat::RGB5A1:
    case PixelFormat::RGBA4:
        return 2;
    }
    return 2;
}

u32 bytes_per_pixel(DepthFormat format)
{
    switch (format)
    {
    case DepthFormat::D16:
        return 2;
    case DepthFormat::D24:
        return 3;
    case DepthFormat::D24S8:
        return 4;
    }
    return 0;
}

bool has_alpha(ColorFormat format)
{
    return format != ColorFormat::RGB8 && format != ColorFormat::RGB565;
}

PixelFormat to_pixel_format(ColorFormat format)
{
    switch (format)
    {
    case ColorFormat::RGBA8:
        return PixelFormat::RGBA8;
    case ColorFormat::RGB8:
        return PixelFormat::RGB8;
    case ColorFormat::RGB5A1:
        return PixelFormat::RGB5A1;
    case ColorFormat::RGB565:
        return PixelFormat::RGB565;
    case ColorFormat::RGBA4:
        return PixelFormat::RGBA4;
    }
    return PixelFormat::RGBA8;
}

u64 level_texels(u32 width, u32 height)
{
    if (width == 0 || height == 0)
        return 0;
    return tiled_index((width - 1) & ~7u, (height - 1) & ~7u, width) + 64;
}

u64 level_size(TextureFormat format, u32 width, u32 height)
{
    return level_texels(width, height) * bits_per_texel(format) / 8;
}

u64 level_offset(TextureFormat format, u32 width, u32 height, u32 level)
{
    u64 offset = 0;
    for (u32 i = 0; i < level; ++i)
        offset += u64{level_dimension(width, i)} * level_dimension(height, i) * bits_per_texel(format) / 8;
    return offset;
}

} // namespace pica
