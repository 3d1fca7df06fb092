// SPDX-License-Identifier: MIT
// Decoding of ETC1 and ETC1A4 blocks of 4x4 texels. Source: pica/hardware/textures.md, "ETC1" (with the
// Khronos ETC1 definition behind it). Tests: tests/pica/etc1_test.cpp.
#pragma once

#include "pica/base/types.h"

#include <array>

namespace pica
{

// 16 texels as RGBA8, row by row in memory order (y downwards).
using Etc1Block = std::array<u32, 16>;

// color: the eight bytes of the block as a little-endian number.
Etc1Block decode_etc1(u64 color);
// alpha: the eight bytes before it (ETC1A4), four bits a texel, column by column.
Etc1Block decode_etc1a4(u64 color, u64 alpha);

} // namespace pica
