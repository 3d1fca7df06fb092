// SPDX-License-Identifier: MIT
// Letters for the labels of generated streams: ASCII 0x20..0x5F, 5x7 pixels each.
#pragma once

#include "tests/support/texture_encoder.h"

namespace tests
{

inline constexpr u32 kGlyphWidth = 6; // advance
inline constexpr u32 kGlyphHeight = 7;

// 128x32: a cell of 8x8 per character, 16 in a row; white, alpha 255 where a letter is.
TextureImage font_image();
// Column and row of a character's cell; lower case is shown as upper case, what has no glyph as '?'.
struct GlyphCell
{
    u32 column, row;
};
GlyphCell glyph_cell(char character);

} // namespace tests
