// SPDX-License-Identifier: MIT
#include "tests/streams/font.h"

#include "samples/console/glyphs.h"

namespace tests
{

TextureImage font_image()
{
    TextureImage image(128, 32);
    for (u32 band = 0; band < 4; ++band)
        for (u32 y = 0; y < kGlyphHeight; ++y)
            for (u32 character = 0; character < 16; ++character)
                for (u32 x = 0; x < 5; ++x)
                    if (samples::kGlyphs[band * kGlyphHeight + y][character * kGlyphWidth + x] == '#')
                        image.at(character * 8 + x, band * 8 + y) = 0xFFFFFFFF;
    return image;
}

GlyphCell glyph_cell(char character)
{
    if (character >= 'a' && character <= 'z')
        character = char(character - 'a' + 'A');
    const u32 code = character >= ' ' && character <= '_' ? u32(character) - ' ' : u32('?' - ' ');
    return {code % 16, code / 16};
}

} // namespace tests
