// SPDX-License-Identifier: MIT
// Facts of pica/transfer/scanout.h. Source: pica/hardware/engines.md, "Display controllers".
#include "pica/transfer/scanout.h"

#include "pica/memory/guest_memory.h"
#include "pica/regs/external.h"
#include "pica/texture/pixel.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace pica;

namespace
{

constexpr PhysAddr kBase = 0x18000000;

struct Fixture
{
    std::vector<u8> bytes = std::vector<u8>(0x80000);
    GuestMemory memory{{{kBase, bytes}}};
    OnceReport report{nullptr};
    std::vector<u32> picture = std::vector<u32>(400 * 240, 0x12345678);

    u32 at(u32 x, u32 y, u32 width = 400) const { return picture[y * width + x]; }
};

} // namespace

TEST_CASE("scan-out: registers decode, the select bit picks the buffer")
{
    ExternalRegisters regs;
    regs.write(0x10400468, 0x18000000);
    regs.write(0x1040046C, 0x18100000);
    regs.write(0x10400494, 0x18200000);
    regs.write(0x10400498, 0x18300000);
    regs.write(0x10400470, 0x80341);
    regs.write(0x10400490, 720);
    regs.write(0x10400568, 0x18400000);
    regs.write(0x10400570, 0x80302);
    regs.write(0x10400590, 480);
    const ScreenConfig top = decode_screen(regs, Screen::Top);
    CHECK(top.address == 0x18000000);
    CHECK(top.format == PixelFormat::RGB8);
    CHECK(top.stride == 720);
    CHECK(top.width == 400);
    CHECK(top.input_range() == ByteRange{0x18000000, 400 * 720});
    CHECK(decode_screen(regs, Screen::TopRight).address == 0x18200000);
    CHECK_FALSE(is_stereoscopic(regs));
    regs.write(0x10400478, 1);
    regs.write(0x10400470, 0x80321);
    CHECK(decode_screen(regs, Screen::Top).address == 0x18100000);
    CHECK(decode_screen(regs, Screen::TopRight).address == 0x18300000);
    CHECK(is_stereoscopic(regs));
    const ScreenConfig bottom = decode_screen(regs, Screen::Bottom);
    CHECK(bottom.address == 0x18400000);
    CHECK(bottom.format == PixelFormat::RGB565);
    CHECK(bottom.width == 320);
}

TEST_CASE("scan-out: interlace modes 2 and 3 are stereoscopic; both eyes share format, stride and select bit")
{
    constexpr bool kStereo[4] = {false, false, true, true};
    for (u32 mode = 0; mode < 4; ++mode)
    {
        CAPTURE(mode);
        ExternalRegisters regs;
        regs.write(0x10400468, 0x18000000);
        regs.write(0x1040046C, 0x18040000);
        regs.write(0x10400494, 0x18080000);
        regs.write(0x10400498, 0x180C0000);
        regs.write(0x10400470, 0x80002 | mode << 4);
        regs.write(0x10400490, 512);
        regs.write(0x10400570, 0x80004 | (mode ^ 2) << 4); // of the bottom screen: no matter
        CHECK(is_stereoscopic(regs) == kStereo[mode]);
        for (u32 select = 0; select < 2; ++select)
        {
            regs.write(0x10400478, select);
            CHECK(decode_screen(regs, Screen::Top).address == (select == 0 ? 0x18000000 : 0x18040000));
            const ScreenConfig right = decode_screen(regs, Screen::TopRight);
            CHECK(right.address == (select == 0 ? 0x18080000 : 0x180C0000));
            CHECK(right.format == PixelFormat::RGB565);
            CHECK(right.stride == 512);
            CHECK(right.width == 400);
        }
    }
}

TEST_CASE("scan-out: (200, 100, 50) in every LCD format, with the usual and a longer stride")
{
    // Bytes in memory from the first, then what the panel shows.
    struct Row
    {
        u32 format, bytes, word, shown;
    };
    constexpr Row kRows[] = {
        {0, 4, 0xC86432FF, 0xFF3264C8}, // A B G R
        {1, 3, 0xC86432, 0xFF3264C8},   // B G R
        {2, 2, 0xCB26, 0xFF3165CE},     // 25, 25, 6: 206, 101, 49
        {3, 2, 0xCB0C, 0xFF3163CE},     // 25, 12, 6, alpha 0: 206, 99, 49
        {4, 2, 0xC630, 0xFF3366CC},     // 12, 6, 3, alpha 0
    };
    for (const Row& row : kRows)
        for (const u32 stride : {240 * row.bytes, 1024u})
        {
            CAPTURE(row.format);
            Fixture f;
            ExternalRegisters regs;
            regs.write(0x10400568, kBase + 0x100);
            regs.write(0x10400570, 0x80000 | row.format);
            regs.write(0x10400590, stride);
            for (u32 i = 0; i < row.bytes; ++i) // column 2, third pixel from below
                f.bytes[0x100 + 2 * stride + 2 * row.bytes + i] = u8(row.word >> (8 * i));
            scan_out(f.memory, decode_screen(regs, Screen::Bottom), f.picture.data(), f.report);
            CHECK(f.at(2, 237, 320) == row.shown);
            CHECK(f.at(2, 236, 320) == 0xFF000000);
            CHECK(f.at(3, 237, 320) == 0xFF000000);
        }
}

TEST_CASE("scan-out: memory row x is column x from the bottom upwards")
{
    Fixture f;
    const auto put = [&](u32 row, u32 pixel, u32 rgba)
    { pack_pixel(PixelFormat::RGB8, f.bytes.data() + row * 720 + pixel * 3, rgba); };
    put(0, 0, make_rgba(1, 2, 3, 0));
    put(399, 239, make_rgba(4, 5, 6, 0));
    put(7, 100, make_rgba(7, 8, 9, 0));
    scan_out(f.memory, ScreenConfig{kBase, PixelFormat::RGB8, 720, 400}, f.picture.data(), f.report);
    CHECK(f.at(0, 239) == make_rgba(1, 2, 3, 255));
    CHECK(f.at(399, 0) == make_rgba(4, 5, 6, 255));
    CHECK(f.at(7, 139) == make_rgba(7, 8, 9, 255));
    CHECK(f.at(8, 139) == 0xFF000000);
    CHECK(f.report.counts().empty());
}

TEST_CASE("scan-out: every format, alpha is always 255")
{
    for (u32 format = 0; format < 5; ++format)
    {
        Fixture f;
        const PixelFormat pixel = static_cast<PixelFormat>(format);
        const u32 bytes = bytes_per_pixel(pixel);
        pack_pixel(pixel, f.bytes.data() + 3 * 240 * bytes + 5 * bytes, make_rgba(255, 0, 255, 0));
        scan_out(f.memory, ScreenConfig{kBase, pixel, static_cast<s32>(240 * bytes), 320}, f.picture.data(),
                 f.report);
        CHECK(f.at(3, 234, 320) == make_rgba(255, 0, 255, 255));
        CHECK(f.at(4, 234, 320) == 0xFF000000);
    }
}

TEST_CASE("scan-out: the stride may be 0 or negative")
{
    Fixture f;
    pack_pixel(PixelFormat::RGB8, f.bytes.data(), 0x00FFFFFF);
    scan_out(f.memory, ScreenConfig{kBase, PixelFormat::RGB8, 0, 400}, f.picture.data(), f.report);
    CHECK(f.at(0, 239) == 0xFFFFFFFF);
    CHECK(f.at(399, 239) == 0xFFFFFFFF);
    const ScreenConfig upwards{kBase + 399 * 720, PixelFormat::RGB8, -720, 400};
    scan_out(f.memory, upwards, f.picture.data(), f.report);
    CHECK(f.at(399, 239) == 0xFFFFFFFF);
    CHECK(f.at(0, 239) == 0xFF000000);
    CHECK(upwards.input_range() == ByteRange{kBase, 400 * 720});
    CHECK(f.report.counts().empty());
}

TEST_CASE("scan-out: address 0 is black, columns outside memory are black and reported")
{
    Fixture f;
    std::fill(f.bytes.begin(), f.bytes.end(), u8{0xFF});
    scan_out(f.memory, ScreenConfig{0, PixelFormat::RGB8, 720, 400}, f.picture.data(), f.report);
    CHECK(f.picture == std::vector<u32>(400 * 240, 0xFF000000));
    CHECK(f.report.counts().empty());
    scan_out(f.memory, ScreenConfig{kBase + 0x80000 - 720 * 10, PixelFormat::RGB8, 720, 400},
             f.picture.data(), f.report);
    CHECK(f.at(9, 0) == 0xFFFFFFFF);
    CHECK(f.at(10, 0) == 0xFF000000);
    CHECK(f.report.counts().size() == 1);
    scan_out(f.memory, ScreenConfig{kBase, PixelFormat::RGBA8, -0x7FFFFFFF, 400}, f.picture.data(), f.report);
    CHECK(f.at(0, 0) == 0xFFFFFFFF);
    CHECK(f.at(1, 0) == 0xFF000000);
}

TEST_CASE("scan-out: the LCD's fill colour hides memory")
{
    ExternalRegisters regs;
    regs.write(0x10202A04, 0x01332211);
    regs.write(0x10400568, kBase);
    const ScreenConfig bottom = decode_screen(regs, Screen::Bottom);
    CHECK(bottom.filled);
    CHECK(bottom.input_range().size == 0);
    Fixture f;
    scan_out(f.memory, bottom, f.picture.data(), f.report);
    CHECK(f.at(319, 239, 320) == make_rgba(0x11, 0x22, 0x33, 255));
    CHECK_FALSE(decode_screen(regs, Screen::Top).filled);
}

TEST_CASE("scan-out: formats 5 to 7 are shown as RGBA8 and reported")
{
    Fixture f;
    pack_pixel(PixelFormat::RGBA8, f.bytes.data(), make_rgba(1, 2, 3, 4));
    scan_out(f.memory, ScreenConfig{kBase, static_cast<PixelFormat>(6), 960, 400}, f.picture.data(),
             f.report);
    CHECK(f.at(0, 239) == make_rgba(1, 2, 3, 255));
    CHECK(f.report.counts().size() == 1);
}
