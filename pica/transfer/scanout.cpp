// SPDX-License-Identifier: MIT
// Scan-out. The panels are mounted rotated: memory row r is column r of the picture, from the bottom upwards.
#include "pica/transfer/scanout.h"

#include "pica/memory/guest_memory.h"
#include "pica/regs/external.h"
#include "pica/texture/pixel.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace pica
{

namespace
{

constexpr u32 kBlack = 0xFF000000;

// 5..7 act as a pixel-doubled RGBA8 [GBATEK]; shown as RGBA8 here [our rule].
PixelFormat shown_format(PixelFormat format)
{
    return format > PixelFormat::RGBA4 ? PixelFormat::RGBA8 : format;
}

template <PixelFormat format>
void read_column(const u8* source, ScreenColumn& column)
{
    for (u32 i = 0; i < kScreenHeight; ++i)
        column[i] = unpack_pixel<format>(source + i * pixel_bytes(format)) | kBlack;
}

} // namespace

void read_column(PixelFormat format, const u8* source, ScreenColumn& column)
{
    switch (format)
    {
    case PixelFormat::RGBA8:
        return read_column<PixelFormat::RGBA8>(source, column);
    case PixelFormat::RGB8:
        return read_column<PixelFormat::RGB8>(source, column);
    case PixelFormat::RGB565:
        return read_column<PixelFormat::RGB565>(source, column);
    case PixelFormat::RGB5A1:
        return read_column<PixelFormat::RGB5A1>(source, column);
    case PixelFormat::RGBA4:
        return read_column<PixelFormat::RGBA4>(source, column);
    }
}

PixelFormat shown_format(PixelFormat format, Report& report)
{
    const PixelFormat shown = shown_format(format);
    if (shown != format)
        report.report(ReportKind::Guest, "LCD format that does not exist", "shown as RGBA8");
    return shown;
}

ScreenConfig decode_screen(const ExternalRegisters& registers, Screen screen)
{
    const u32 panel = screen == Screen::Bottom ? 1 : 0;
    const bool b = registers.get(ext::PDC_SELECT::select_b, panel);
    ScreenConfig config;
    if (screen == Screen::TopRight)
        config.address =
            registers[(b ? ext::PDC_RIGHT_ADDRESS_B::ids : ext::PDC_RIGHT_ADDRESS_A::ids)[panel]];
    else
        config.address = registers[(b ? ext::PDC_ADDRESS_B::ids : ext::PDC_ADDRESS_A::ids)[panel]];
    config.format = registers.get(ext::PDC_FORMAT::format, panel);
    config.stride = registers.get(ext::PDC_STRIDE::bytes, panel);
    config.width = screen_width(screen);
    config.filled = registers.get(ext::LCD_FILL_COLOR::enable, panel);
    config.fill_color = registers[ext::LCD_FILL_COLOR::ids[panel]] | kBlack;
    return config;
}

ScreenConfigs decode_screens(const ExternalRegisters& registers)
{
    return {decode_screen(registers, Screen::Top), decode_screen(registers, Screen::TopRight),
            decode_screen(registers, Screen::Bottom)};
}

bool is_stereoscopic(const ExternalRegisters& registers)
{
    const LcdInterlace mode = registers.get(ext::PDC_FORMAT::interlace, 0);
    return mode == LcdInterlace::AlternateAB || mode == LcdInterlace::AlternateBA;
}

ByteRange ScreenConfig::input_range() const
{
    if (filled || address == 0 || width == 0)
        return {};
    const s64 column = s64{kScreenHeight} * pixel_bytes(shown_format(format));
    const s64 last = s64{address} + s64{width - 1} * stride;
    const s64 begin = std::clamp<s64>(std::min<s64>(address, last), 0, 0xFFFFFFFF);
    const s64 end = std::clamp<s64>(std::max<s64>(address, last) + column, begin, s64{1} << 32);
    return {static_cast<PhysAddr>(begin), static_cast<u64>(end - begin)};
}

std::optional<PhysAddr> find_column(const GuestMemory& memory, const ScreenConfig& config, PixelFormat format,
                                    u32 x, Report& report)
{
    const s64 address = s64{config.address} + s64{x} * config.stride;
    const bool valid = address >= 0 && address <= 0xFFFFFFFF;
    if (valid && !memory.span(static_cast<PhysAddr>(address), kScreenHeight * pixel_bytes(format)).empty())
        return static_cast<PhysAddr>(address);
    char detail[48];
    std::snprintf(detail, sizeof(detail), "0x%08X, column %u", config.address, x);
    report.report(ReportKind::Guest, "screen buffer outside memory", detail);
    return std::nullopt;
}

void scan_out(const GuestMemory& memory, const ScreenConfig& config, u32* rgba_out, Report& report)
{
    const std::size_t width = config.width;
    if (config.filled || config.address == 0)
    {
        std::fill_n(rgba_out, width * kScreenHeight, config.filled ? config.fill_color | kBlack : kBlack);
        return;
    }
    const PixelFormat format = shown_format(config.format, report);

    constexpr u32 kColumns = 8; // memory rows read at a time; each gives a pixel of every picture row
    std::array<ScreenColumn, kColumns> columns;
    for (u32 x = 0; x < config.width; x += kColumns)
    {
        const u32 count = std::min(kColumns, config.width - x);
        for (u32 i = 0; i < count; ++i)
        {
            const std::optional<PhysAddr> address = find_column(memory, config, format, x + i, report);
            if (address)
                read_column(format, memory.span(*address, kScreenHeight * pixel_bytes(format)).data(),
                            columns[i]);
            else
                columns[i].fill(kBlack);
        }
        for (u32 y = 0; y < kScreenHeight; ++y)
            for (u32 i = 0; i < count; ++i)
                rgba_out[y * width + x + i] = columns[i][kScreenHeight - 1 - y];
    }
}

} // namespace pica
