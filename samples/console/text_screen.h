// SPDX-License-Identifier: MIT
// Lines of white text on the bottom screen: 53 columns, 30 lines.
#pragma once

#include "samples/console/gpu_service.h"

namespace console
{

class TextScreen
{
public:
    static constexpr uint32_t kBytes = 320 * 240 * 2, kTopBytes = 400 * 240 * 2;
    static constexpr uint32_t kColumns = 53, kLines = 30;

    // memory: kTopBytes + kBytes of linear memory. The top screen stays black.
    void open(GpuService& gpu, uint16_t* memory);
    // Replaces a line.
    void line(uint32_t number, const char* text);
    // The same with a number behind the text, and another text behind that.
    void line(uint32_t number, const char* text, uint32_t value, const char* after = "");

    // With eight hexadecimal digits.
    void hexadecimal(uint32_t number, const char* text, uint32_t value);

private:
    void glyph(uint32_t column, uint32_t line, char character);

    GpuService* gpu_ = nullptr;
    uint16_t* pixels_ = nullptr;
};

} // namespace console
