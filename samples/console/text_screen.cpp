// SPDX-License-Identifier: MIT
#include "samples/console/text_screen.h"

#include "samples/console/glyphs.h"
#include "samples/console/memory_functions.h"

namespace console
{

void TextScreen::open(GpuService& gpu, uint16_t* memory)
{
    gpu_ = &gpu;
    pixels_ = memory + kTopBytes / 2;
    memset(memory, 0, kTopBytes + kBytes);
    gpu.flush(memory, kTopBytes + kBytes);
    gpu.show(0, memory);
    gpu.show(1, pixels_);
}

// A row of memory is a column of the screen, from the bottom up.
void TextScreen::glyph(uint32_t column, uint32_t line, char character)
{
    if (character >= 'a' && character <= 'z')
        character = static_cast<char>(character - 'a' + 'A');
    const uint32_t code =
        character >= ' ' && character <= '_' ? static_cast<uint32_t>(character - ' ') : '?' - ' ';
    for (uint32_t y = 0; y < 7; ++y)
        for (uint32_t x = 0; x < 6; ++x)
        {
            const bool set = samples::kGlyphs[code / 16 * 7 + y][code % 16 * 6 + x] == '#';
            pixels_[(column * 6 + x) * 240 + 239 - (line * 8 + y)] = set ? 0xFFFF : 0;
        }
}

void TextScreen::line(uint32_t number, const char* text)
{
    for (uint32_t column = 0; column < kColumns; ++column)
        glyph(column, number, *text != 0 ? *text++ : ' ');
    gpu_->flush(pixels_, kBytes);
}

void TextScreen::line(uint32_t number, const char* text, uint32_t value, const char* after)
{
    char whole[kColumns + 1] = {};
    uint32_t at = 0;
    const auto append = [&](const char* more)
    {
        while (*more != 0 && at < kColumns)
            whole[at++] = *more++;
    };
    append(text);
    char digits[11] = {};
    uint32_t first = 10;
    do
    {
        digits[--first] = static_cast<char>('0' + value % 10);
        value /= 10;
    } while (value != 0);
    append(digits + first);
    append(after);
    line(number, whole);
}

void TextScreen::hexadecimal(uint32_t number, const char* text, uint32_t value)
{
    char whole[kColumns + 1] = {};
    uint32_t at = 0;
    for (; *text != 0 && at < kColumns - 8; ++text)
        whole[at++] = *text;
    for (uint32_t digit = 8; digit-- != 0;)
        whole[at++] = "0123456789ABCDEF"[value >> (4 * digit) & 15];
    line(number, whole);
}

} // namespace console
