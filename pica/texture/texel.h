// SPDX-License-Identifier: MIT
// Texture memory -> RGBA8 (u32, R in bits 0-7), for all 14 formats: one texel, and a whole level.
// Source: fragment sheet 3.2, 3.3. Tests: tests/pica/texel_test.cpp.
#pragma once

#include "pica/base/types.h"
#include "pica/regs/enums.h"

#include <span>

namespace pica
{

// Texel (x, memory row y) of a level of this width. A texel that lies beyond the source, or has a format that
// does not exist, is 0 in all four channels.
u32 decode_texel(std::span<const u8> source, TextureFormat format, u32 width, u32 x, u32 y);

// Whole level, width * height words, t upwards: row t of `out` is memory row height - 1 - t. Same rule for
// texels beyond the source.
void decode_texture(std::span<const u8> source, TextureFormat format, u32 width, u32 height, u32* out);

} // namespace pica
