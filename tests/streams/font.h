// SPDX-License-Identifier: MIT
// Letters for the labels of generated streams: ASCII 0x20..0x5F, 5x7 pixels each.
#pragma once

#include "tests/support/pictures/texture_encoder.h"

namespace tests
{

inline constexpr u32 kGlyphWidth = 6; // distance from one letter to the next
inline constexpr u32 kGlyphHeight = 7;

// 128x32 pixels: a cell of 8x8 for each character, 16 in a row; white, with alpha 255 inside the letters.
TextureImage font_image();
// Column and row of a character's cell. Lower case is shown as upper case, a character without a glyph as
// '?'.
struct GlyphCell
{
    u32 column, row;
};
GlyphCell glyph_cell(char character);

} // namespace tests
