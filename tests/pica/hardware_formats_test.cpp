// SPDX-License-Identifier: MIT
// The tables of pica/hardware/framebuffer.md and engines.md with values worked out by
// hand.
#include "pica/memory/guest_memory.h"
#include "pica/regs/external.h"
#include "pica/texture/pixel.h"
#include "pica/transfer/display_transfer.h"
#include "pica/transfer/fill.h"
#include "pica/transfer/texture_copy.h"
#include "tests/support/scenes/register_pixel.h"

#include <doctest/doctest.h>

using namespace tests;

TEST_CASE("colour formats: (200, 100, 50, 130) in every colour format: bytes, and what reads back")
{
    struct Row
    {
        u32 format, size, bytes;
        Rgba again;
    };
    constexpr Row kRows[] = {
        {0, 2, 0xC8643282, {200, 100, 50, 130}}, // A B G R from byte 0
        {1, 1, 0x00C86432, {200, 100, 50, 255}},
        {2, 0, 0xCB0D, {206, 99, 49, 255}},  // 25, 12, 6, 1: 206 = 200|6, 99 = 96|3, 49 = 48|1
        {3, 0, 0xCB26, {206, 101, 49, 255}}, // 25, 25, 6: 101 = 100|1
        {4, 0, 0xC638, {204, 102, 51, 136}}, // 12, 6, 3, 8 times 17
    };
    for (const Row& row : kRows)
        for (const u32 size : {row.size, 0u, 3u}) // bits 16-18 decide
        {
            CAPTURE(row.format);
            RegisterPixel p;
            p.list.write(0x117, row.format << 16 | size);
            CHECK(p.draw({200, 100, 50, 130}) == row.again);
            CHECK(p.color_bytes() == row.bytes);
        }
}

TEST_CASE("colour formats: encoding truncates at every step of 5, 6, 4 and 1 bits")
{
    struct Row
    {
        ColorFormat format;
        Rgba color;
        u32 bytes;
    };
    constexpr Row kRows[] = {
        {ColorFormat::RGB565, {7, 3, 7, 0}, 0x0000},       {ColorFormat::RGB565, {8, 4, 8, 0}, 0x0821},
        {ColorFormat::RGB565, {255, 255, 255, 0}, 0xFFFF}, {ColorFormat::RGB5A1, {7, 7, 7, 127}, 0x0000},
        {ColorFormat::RGB5A1, {8, 8, 8, 128}, 0x0843},     {ColorFormat::RGBA4, {15, 15, 15, 15}, 0x0000},
        {ColorFormat::RGBA4, {16, 31, 32, 255}, 0x112F},
    };
    for (const Row& row : kRows)
    {
        RegisterPixel p;
        p.color_format(row.format);
        p.draw(row.color);
        CHECK(p.color_bytes() == row.bytes);
    }
}

TEST_CASE("depth formats: depth 0.25 in every depth format")
{
    struct Row
    {
        u32 format, before, after;
    };
    constexpr Row kRows[] = {
        {0, 0x5555, 0x3FFF},         // 16383.75
        {2, 0x555555, 0x3FFFFF},     // 4194303.75
        {3, 0xAB555555, 0xAB3FFFFF}, // stencil stays
    };
    for (const Row& row : kRows)
    {
        CAPTURE(row.format);
        RegisterPixel p;
        p.list.write(0x116, row.format);
        p.list.write(0x107, 0x1F00);
        p.fill_depth(row.before);
        p.draw({255, 255, 255, 255}, 0.25f);
        CHECK(p.depth_word() == row.after);
    }
}

namespace
{

constexpr PhysAddr kIn = 0x18000000, kOut = 0x18001000;

// An 8x8 RGBA8 tile whose memory pixel i (Morton order) is (4 i, 255 - 4 i, i, 128 + i).
struct Engine
{
    std::vector<u8> bytes = std::vector<u8>(0x4000);
    GuestMemory memory{{{kIn, bytes}}};
    OnceReport report{nullptr};

    Engine()
    {
        for (u32 i = 0; i < 64; ++i)
        {
            bytes[4 * i] = u8(128 + i);
            bytes[4 * i + 1] = u8(i);
            bytes[4 * i + 2] = u8(255 - 4 * i);
            bytes[4 * i + 3] = u8(4 * i);
        }
    }
    void transfer(u32 output_size, u32 input_size, u32 flags)
    {
        ExternalRegisters regs;
        regs.write(0x10400C00, kIn >> 3);
        regs.write(0x10400C04, kOut >> 3);
        regs.write(0x10400C08, output_size);
        regs.write(0x10400C0C, input_size);
        regs.write(0x10400C10, flags);
        execute(memory, decode_display_transfer(regs), report);
    }
    u32 out(u32 pixel, u32 size) const
    {
        u32 word = 0;
        for (u32 i = 0; i < size; ++i)
            word |= u32{bytes[0x1000 + pixel * size + i]} << (8 * i);
        return word;
    }
};

constexpr u32 k8x8 = 8u << 16 | 8;

} // namespace

TEST_CASE("display transfer: a tile to lines, in every output format")
{
    // Pixel (x, y) = (2, 1) is memory pixel 6: (24, 231, 6, 134); (7, 7) is 63: (252, 3, 63, 191).
    struct Row
    {
        u32 format, bytes, first, last;
    };
    constexpr Row kRows[] = {
        {0, 4, 0x18E70686, 0xFC033FBF}, // RGBA8
        {1, 3, 0x18E706, 0xFC033F},     // RGB8
        {2, 2, 0x1F20, 0xF807},         // RGB565: 3, 57, 0; 31, 0, 7
        {3, 2, 0x1F01, 0xF80F},         // RGB5A1: 3, 28, 0, 1; 31, 0, 7, 1
        {4, 2, 0x1E08, 0xF03B},         // RGBA4: 1, 14, 0, 8; 15, 0, 3, 11
    };
    for (const Row& row : kRows)
    {
        CAPTURE(row.format);
        Engine e;
        e.transfer(k8x8, k8x8, row.format << 12);
        CHECK(e.out(1 * 8 + 2, row.bytes) == row.first);
        CHECK(e.out(63, row.bytes) == row.last);
        CHECK(e.report.counts().size() == 1); // hardware wants 64x64 at least
    }
}

TEST_CASE("display transfer: every input format, to RGBA8")
{
    // The first bytes 34 12 F8 07 ... read as pixel 0.
    constexpr u32 kExpected[5] = {
        0x07F81234, // RGBA8 as it is
        0xF81234FF, // RGB8: B 34, G 12, R F8
        0x1045A5FF, // RGB565 0x1234: 2, 17, 20 -> 16, 69, 165
        0x1042D600, // RGB5A1 0x1234: 2, 8, 26, 0 -> 16, 66, 214, 0
        0x11223344, // RGBA4 0x1234
    };
    for (u32 format = 0; format < 5; ++format)
    {
        CAPTURE(format);
        Engine e;
        e.bytes[0] = 0x34;
        e.bytes[1] = 0x12;
        e.bytes[2] = 0xF8;
        e.bytes[3] = 0x07;
        e.transfer(k8x8, k8x8, format << 8);
        CHECK(e.out(0, 4) == kExpected[format]);
    }
}

TEST_CASE("display transfer: flags: vertical flip, linear to tiled, no conversion, crop")
{
    Engine flip;
    flip.transfer(k8x8, k8x8, 0x1 | 1 << 12); // (2, 1) goes to line 6
    CHECK(flip.out(6 * 8 + 2, 3) == 0x18E706);
    CHECK(flip.out(0, 3) == 0xA8572A); // (0, 7) is memory pixel 42: 168, 87, 42

    Engine tile;
    tile.transfer(k8x8, k8x8, 0x2 | 1 << 12); // pixel 10 of the lines is (2, 1): memory pixel 6
    CHECK(tile.out(6, 3) == 0x28D70A);        // 40, 215, 10

    Engine raw;
    raw.transfer(k8x8, k8x8, 0x20 | 4 << 12); // tiles stay tiles
    CHECK(raw.out(6, 2) == 0x1E08);

    // 16 pixels wide in memory, the left 8 of them are kept: the second line still starts at memory pixel 2.
    Engine crop;
    crop.transfer(k8x8, 8u << 16 | 16, 0x4 | 1 << 12);
    CHECK(crop.out(8, 3) == 0x08F702); // 8, 247, 2
    CHECK(crop.out(63, 3) == 0xFC033F);
}

TEST_CASE("display transfer: scaling averages memory neighbours and truncates")
{
    Engine
        x; // pixel (1, 0) of the output: memory pixels 4 and 5: (16+20)/2, (239+235)/2, (4+5)/2, (132+133)/2
    x.transfer(k8x8, k8x8, 1u << 24);
    CHECK(x.out(1, 4) == 0x12ED0484); // 18, 237, 4, 132
    Engine xy; // pixel (1, 1): memory pixels 12 to 15: 54, 201, 13, 141 (rest 2 of 4 dropped)
    xy.transfer(k8x8, k8x8, 2u << 24);
    CHECK(xy.out(4 + 1, 4) == 0x36C90D8D);
}

TEST_CASE("texture copy: 64 bytes from lines of 16 with gaps of 16 to lines of 32 with gaps of 16")
{
    Engine e;
    for (u32 i = 0; i < 0x100; ++i)
        e.bytes[i] = u8(i);
    ExternalRegisters regs;
    regs.write(0x10400C00, kIn >> 3);
    regs.write(0x10400C04, kOut >> 3);
    regs.write(0x10400C20, 0x4F); // the low four bits are ignored
    regs.write(0x10400C24, 1u << 16 | 1);
    regs.write(0x10400C28, 1u << 16 | 2);
    execute(e.memory, decode_texture_copy(regs), e.report);
    constexpr u32 kFrom[8] = {0x00, 0x20, 0xFF, 0x40, 0x60, 0xFF, 0xFF, 0xFF}; // per 16 bytes; FF: untouched
    for (u32 block = 0; block < 8; ++block)
        CHECK(e.bytes[0x1000 + block * 16 + 5] == (kFrom[block] == 0xFF ? 0 : kFrom[block] + 5));
}

TEST_CASE("memory fill: three bytes repeat from the start, the last group may be cut")
{
    Engine e;
    ExternalRegisters regs;
    regs.write(0x10400010, kOut >> 3);
    regs.write(0x10400014, (kOut + 0x20) >> 3);
    regs.write(0x10400018, 0x00CCBBAA);
    regs.write(0x1040001C, 0x101);
    execute(e.memory, decode_memory_fill(regs, 0), e.report);
    CHECK(e.out(0, 4) == 0xAACCBBAA);
    CHECK(e.bytes[0x101D] == 0xCC); // offset 29 = 3 * 9 + 2
    CHECK(e.bytes[0x101F] == 0xBB); // 31 = 3 * 10 + 1: cut
    CHECK(e.bytes[0x1020] == 0);
}
