// SPDX-License-Identifier: MIT
// Decoding of texture memory to RGBA8 (u32, R in bits 0-7) for all 14 formats: one texel, or a whole mip
// level. Source: textures.md, "Texel formats" and "Layout in memory". Tests: tests/pica/texel_test.cpp.
#pragma once

#include "pica/base/types.h"
#include "pica/regs/enums.h"

#include <span>

namespace pica
{

// Texel (x, memory row y) of a level of this width. All four channels are 0 if the texel lies beyond the
// source or the format does not exist.
u32 decode_texel(std::span<const u8> source, TextureFormat format, u32 width, u32 x, u32 y);

// A whole level: width * height words with t upwards, so row t of `out` is memory row height - 1 - t. Texels
// beyond the source are 0.
void decode_texture(std::span<const u8> source, TextureFormat format, u32 width, u32 height, u32* out);

// Memory rows [begin, end) of a level. begin is a multiple of 8, and end is one or the level's height.
struct LevelRows
{
    u32 begin, end;
};
// The same of these rows only. source and out are those of the whole level.
void decode_texture_rows(std::span<const u8> source, TextureFormat format, u32 width, u32 height,
                         LevelRows rows, u32* out);

} // namespace pica
