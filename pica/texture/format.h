// SPDX-License-Identifier: MIT
// Sizes of texture and framebuffer formats. Source: pica/hardware/textures.md, "Texel formats" and "Level of
// detail"; framebuffer.md. Tests: tests/pica/hardware_formats_test.cpp.
#pragma once

#include "pica/base/types.h"
#include "pica/regs/enums.h"

#include <string_view>

namespace pica
{

// 0 for values 14 and 15, which do not exist.
u32 bits_per_texel(TextureFormat format);
std::string_view format_name(TextureFormat format);

// Formats of framebuffers and engines. PixelFormat 5..7 are as RGBA4 [GBATEK].
u32 bytes_per_pixel(ColorFormat format);
u32 bytes_per_pixel(PixelFormat format);
u32 bytes_per_pixel(DepthFormat format);
PixelFormat to_pixel_format(ColorFormat format);
bool has_alpha(ColorFormat format);

// Width or height of a mip level. The levels lie one after the other in memory; each halves both sizes.
constexpr u32 level_dimension(u32 base, u32 level)
{
    return level < 32 ? base >> level : 0;
}
// How many texels one level takes in memory: width * height if both are multiples of 8 (all legal sizes are),
// otherwise up to the end of the last tile.
u64 level_texels(u32 width, u32 height);
// From 1024 to 8 texels.
inline constexpr u32 kMaxTextureLevels = 8;
// How many bytes one level takes in memory.
u64 level_size(TextureFormat format, u32 width, u32 height);
// Byte offset of a level from the base address: the sum of width * height * bits / 8 of the levels before it.
u64 level_offset(TextureFormat format, u32 width, u32 height, u32 level);

} // namespace pica
