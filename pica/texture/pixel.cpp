// SPDX-License-Identifier: MIT
// Run-time dispatch over the pixel formats.
#include "pica/texture/pixel.h"

namespace pica
{

u32 unpack_pixel(PixelFormat format, const u8* source)
{
    switch (format)
    {
    case PixelFormat::RGBA8:
        return unpack_pixel<PixelFormat::RGBA8>(source);
    case PixelFormat::RGB8:
        return unpack_pixel<PixelFormat::RGB8>(source);
    case PixelFormat::RGB565:
        return unpack_pixel<PixelFormat::RGB565>(source);
    case PixelFormat::RGB5A1:
        return unpack_pixel<PixelFormat::RGB5A1>(source);
    case PixelFormat::RGBA4:
        break;
    }
    return unpack_pixel<PixelFormat::RGBA4>(source);
}

void pack_pixel(PixelFormat format, u8* target, u32 rgba)
{
    switch (format)
    {
    case PixelFormat::RGBA8:
        return pack_pixel<PixelFormat::RGBA8>(target, rgba);
    case PixelFormat::RGB8:
        return pack_pixel<PixelFormat::RGB8>(target, rgba);
    case PixelFormat::RGB565:
        return pack_pixel<PixelFormat::RGB565>(target, rgba);
    case PixelFormat::RGB5A1:
        return pack_pixel<PixelFormat::RGB5A1>(target, rgba);
    case PixelFormat::RGBA4:
        break;
    }
    pack_pixel<PixelFormat::RGBA4>(target, rgba);
}

u32 unpack_pixel(ColorFormat format, const u8* source)
{
    return unpack_pixel(to_pixel_format(format), source);
}

void pack_pixel(ColorFormat format, u8* target, u32 rgba)
{
    pack_pixel(to_pixel_format(format), target, rgba);
}

u32 quantize(ColorFormat format, u32 rgba)
{
    u8 bytes[4] = {};
    pack_pixel(format, bytes, rgba);
    return unpack_pixel(format, bytes);
}

u32 unpack_depth(DepthFormat format, const u8* source)
{
    switch (format)
    {
    case DepthFormat::D16:
        return load_le<2>(source);
    case DepthFormat::D24:
        return load_le<3>(source);
    case DepthFormat::D24S8:
        return load_le<4>(source);
    }
    return 0;
}

void pack_depth(DepthFormat format, u8* target, u32 word)
{
    switch (format)
    {
    case DepthFormat::D16:
        return store_le<2>(target, word);
    case DepthFormat::D24:
        return store_le<3>(target, word);
    case DepthFormat::D24S8:
        return store_le<4>(target, word);
    }
}

} // namespace pica
