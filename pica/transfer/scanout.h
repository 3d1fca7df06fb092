// SPDX-License-Identifier: MIT
// What the screens show: the settings of the LCD controllers, and the picture that they make of guest memory.
// Source: pica/hardware/engines.md, "Display controllers". Tests: tests/pica/scanout_test.cpp.
#pragma once

#include "pica/base/report.h"
#include "pica/base/types.h"
#include "pica/regs/enums.h"
#include "pica/transfer/engine_range.h"

#include <array>
#include <optional>

namespace pica
{

class ExternalRegisters;
class GuestMemory;

enum class Screen : u8
{
    Top,      // left eye, or the only picture
    TopRight, // right eye, shown in the stereoscopic modes only
    Bottom,
};

inline constexpr u32 kScreenHeight = 240;
constexpr u32 screen_width(Screen screen)
{
    return screen == Screen::Bottom ? 320 : 400;
}

struct ScreenConfig
{
    PhysAddr address = 0; // 0: black
    PixelFormat format{};
    // Bytes between rows in memory, which are columns of the picture. May be negative or 0.
    s32 stride = 0;
    u32 width = 0;       // of the upright picture; its height is kScreenHeight
    bool filled = false; // the LCD shows fill_color instead of memory
    u32 fill_color = 0;  // RGBA8, alpha 255

    // The bytes that scan_out reads; empty if there are none.
    ByteRange input_range() const;
    bool operator==(const ScreenConfig&) const = default;
};

ScreenConfig decode_screen(const ExternalRegisters& registers, Screen screen);
using ScreenConfigs = std::array<ScreenConfig, 3>; // by Screen
ScreenConfigs decode_screens(const ExternalRegisters& registers);
// Does the top screen alternate between left and right eye?
bool is_stereoscopic(const ExternalRegisters& registers);

// The format with which pixels are shown: a format that does not exist is replaced, and reported.
PixelFormat shown_format(PixelFormat format, Report& report);

// One row of memory, which is a column of the picture from the bottom up, as RGBA8 with alpha 255.
using ScreenColumn = std::array<u32, kScreenHeight>;
void read_column(PixelFormat format, const u8* source, ScreenColumn& column);
// The address of column x of the picture, or nothing, with a report, if it is not wholly inside memory. format: shown_format.
std::optional<PhysAddr> find_column(const GuestMemory& memory, const ScreenConfig& config, PixelFormat format,
                                    u32 x, Report& report);

// The upright picture: width * 240 words row by row, RGBA8 with alpha 255. Columns outside memory are black
// and reported.
void scan_out(const GuestMemory& memory, const ScreenConfig& config, u32* rgba_out, Report& report);

} // namespace pica
