// SPDX-License-Identifier: MIT
// Facts of pica/transfer: fills, display transfers, texture copies. Source: pica/hardware/engines.md.
#include "pica/transfer/display_transfer.h"
#include "pica/transfer/engine_range.h"
#include "pica/transfer/fill.h"
#include "pica/transfer/texture_copy.h"

#include "pica/memory/guest_memory.h"
#include "pica/regs/external.h"
#include "pica/texture/morton.h"
#include "pica/texture/pixel.h"
#include "tests/support/seeds.h"
#include "tests/support/third_parts.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace pica;

namespace
{

constexpr PhysAddr kBase = 0x18000000;

struct Fixture
{
    std::vector<u8> bytes;
    GuestMemory memory;
    OnceReport report{nullptr};

    explicit Fixture(std::size_t size = 0x40000) : bytes(size), memory({{kBase, bytes}}) {}
    u64 reports() const
    {
        u64 count = 0;
        for (const auto& [cause, seen] : report.counts())
            count += seen;
        return count;
    }
    void randomize(u64 seed)
    {
        tests::Random random(seed);
        for (u8& byte : bytes)
            byte = static_cast<u8>(random.next());
    }
};

// pica/hardware/engines.md, "Display transfer", pixel by pixel. `before` is memory as it was.
void reference_transfer(const std::vector<u8>& before, std::vector<u8>& after, const DisplayTransfer& t)
{
    const u32 hs = t.scaling != TransferScaling::None, vs = t.scaling == TransferScaling::HalveXY;
    const u32 ow = u32{t.output_width} >> hs, oh = u32{t.output_height} >> vs, iw = t.input_width;
    const u32 ib = bytes_per_pixel(t.input_format), ob = bytes_per_pixel(t.output_format);
    s64 out = t.output - kBase;
    if (t.flip_vertically && t.crop)
        out += (s64{iw} - t.output_width) * (t.output_height - 1) * ob;
    const bool output_tiled = t.raw_copy ? !t.input_linear : t.input_linear;
    const auto offset = [&](bool tiled, u32 x, u32 y, u32 pitch, u32 bpp) -> u64
    {
        if (!tiled)
            return (u64{y} * pitch + x) * bpp;
        return t.block32 ? block32_offset(x, y, pitch, bpp) : tiled_offset(x, y, pitch, bpp);
    };
    for (u32 y = 0; y < oh; ++y)
        for (u32 x = 0; x < ow; ++x)
        {
            const u32 ix = x << hs, iy = y << vs, oy = t.flip_vertically ? oh - 1 - y : y;
            const u8* source = before.data() + (t.input - kBase) + offset(!t.input_linear, ix, iy, iw, ib);
            const u32 taps = t.scaling == TransferScaling::None     ? 1
                             : t.scaling == TransferScaling::HalveX ? 2
                                                                    : 4;
            u32 sum[4] = {};
            for (u32 tap = 0; tap < taps; ++tap)
            {
                const u32 c = unpack_pixel(t.input_format, source + tap * ib);
                sum[0] += red(c);
                sum[1] += green(c);
                sum[2] += blue(c);
                sum[3] += alpha(c);
            }
            pack_pixel(t.output_format,
                       after.data() + out + static_cast<s64>(offset(output_tiled, x, oy, ow, ob)),
                       make_rgba(sum[0] / taps, sum[1] / taps, sum[2] / taps, sum[3] / taps));
        }
}

DisplayTransfer screen_transfer()
{
    DisplayTransfer transfer;
    transfer.input = kBase;
    transfer.output = kBase + 0x20000;
    transfer.input_width = transfer.output_width = 64;
    transfer.input_height = transfer.output_height = 64;
    transfer.output_format = PixelFormat::RGB8;
    return transfer;
}

} // namespace

TEST_CASE("fill: registers decode in units of 16 bytes")
{
    ExternalRegisters regs;
    regs.write(0x10400020, (kBase + 0x18) >> 3);
    regs.write(0x10400024, (kBase + 0x108) >> 3);
    regs.write(0x10400028, 0x11223344);
    regs.write(0x1040002C, 0x00000301);
    const MemoryFill fill = decode_memory_fill(regs, 1);
    CHECK(fill == MemoryFill{kBase + 0x10, kBase + 0x100, 0x11223344, FillWidth::Bits24Too});
    CHECK(fill.output_range() == ByteRange{kBase + 0x10, 0xF0});
}

TEST_CASE("fill: each width repeats its bytes from the start address")
{
    const u8 value[4] = {0x44, 0x33, 0x22, 0x11};
    struct Case
    {
        FillWidth width;
        u32 period;
    };
    for (const Case c : {Case{FillWidth::Bits16, 2}, Case{FillWidth::Bits24, 3}, Case{FillWidth::Bits32, 4},
                         Case{FillWidth::Bits24Too, 3}})
    {
        Fixture f(0x1000);
        execute(f.memory, MemoryFill{kBase + 0x20, kBase + 0x430, 0x11223344, c.width}, f.report);
        for (u32 i = 0; i < 0x1000; ++i)
            REQUIRE(f.bytes[i] == (i >= 0x20 && i < 0x430 ? value[(i - 0x20) % c.period] : 0));
        CHECK(f.memory.generation(kBase, 0x1000) != 0);
        CHECK(f.reports() == 0);
    }
}

TEST_CASE("fill: what several threads fill is what one fills")
{
    for (const u32 value : {0x11223344u, 0xABABABABu})
        for (const FillWidth width : {FillWidth::Bits16, FillWidth::Bits24, FillWidth::Bits32})
        {
            const MemoryFill fill{kBase + 0x20, kBase + 0x87650, value, width};
            Fixture one(0x90000), several(0x90000);
            tests::ThirdParts sharer;
            execute(one.memory, fill, one.report);
            execute(several.memory, fill, several.report, &sharer);
            CHECK(sharer.shared_parts > 3);
            CHECK(one.bytes[0x8764F] != 0);
            CHECK(several.bytes == one.bytes);
        }
}

TEST_CASE("fill: a value of four equal bytes")
{
    Fixture f(0x100);
    execute(f.memory, MemoryFill{kBase, kBase + 0x50, 0xABABABAB, FillWidth::Bits32}, f.report);
    CHECK(f.bytes[0x4F] == 0xAB);
    CHECK(f.bytes[0x50] == 0);
}

TEST_CASE("fill: start 0 or an empty range fills nothing")
{
    Fixture f(0x100);
    execute(f.memory, MemoryFill{0, kBase + 0x100, ~0u, FillWidth::Bits32}, f.report);
    CHECK(f.reports() == 0);
    execute(f.memory, MemoryFill{kBase + 0x80, kBase + 0x80, ~0u, FillWidth::Bits32}, f.report);
    execute(f.memory, MemoryFill{kBase + 0x80, kBase, ~0u, FillWidth::Bits32}, f.report);
    CHECK(f.reports() == 2);
    CHECK(f.bytes == std::vector<u8>(0x100, 0));
    CHECK(f.memory.latest_generation() == 0);
}

TEST_CASE("fill: a fill beyond memory stops at its end and is reported")
{
    Fixture f(0x100);
    execute(f.memory, MemoryFill{kBase + 0xF0, kBase + 0x1000, ~0u, FillWidth::Bits32}, f.report);
    CHECK(f.bytes[0xEF] == 0);
    CHECK(f.bytes[0xFF] == 0xFF);
    CHECK(f.reports() == 1);
    execute(f.memory, MemoryFill{0x100, 0xFFFFFFF0, ~0u, FillWidth::Bits32}, f.report);
    CHECK(f.reports() == 2);
}

TEST_CASE("display transfer: registers decode")
{
    ExternalRegisters regs;
    regs.write(0x10400C00, kBase >> 3);
    regs.write(0x10400C04, 0x20000010 >> 3);
    regs.write(0x10400C08, 400u << 16 | 240);
    regs.write(0x10400C0C, 512u << 16 | 256);
    regs.write(0x10400C10, 0x01013725);
    const DisplayTransfer t = decode_display_transfer(regs);
    CHECK(t.input == kBase);
    CHECK(t.output == 0x20000010);
    CHECK(t.output_width == 240);
    CHECK(t.output_height == 400);
    CHECK(t.input_width == 256);
    CHECK(t.input_height == 512);
    CHECK(t.flip_vertically);
    CHECK_FALSE(t.input_linear);
    CHECK(t.crop);
    CHECK(t.raw_copy);
    CHECK(t.input_format == PixelFormat::RGBA4); // 7
    CHECK(t.output_format == PixelFormat::RGB5A1);
    CHECK(t.block32);
    CHECK(t.scaling == TransferScaling::HalveX);
    CHECK(t.written_width() == 120);
    CHECK(t.written_height() == 400);
    CHECK_FALSE(is_texture_copy(regs));
    regs.write(0x10400C10, 0x8);
    CHECK(is_texture_copy(regs));
}

TEST_CASE("display transfer: RGBA8 tiled to RGB8 linear, the screens' case")
{
    Fixture f;
    f.randomize(1);
    const std::vector<u8> before = f.bytes;
    const DisplayTransfer t = screen_transfer();
    execute(f.memory, t, f.report);
    // Pixel (9, 5): input bytes A B G R, output bytes B G R.
    const u8* in = before.data() + tiled_offset(9, 5, 64, 4);
    const u8* out = f.bytes.data() + 0x20000 + (5 * 64 + 9) * 3;
    CHECK(out[0] == in[1]);
    CHECK(out[1] == in[2]);
    CHECK(out[2] == in[3]);
    std::vector<u8> expected = before;
    reference_transfer(before, expected, t);
    CHECK(f.bytes == expected);
    CHECK(f.reports() == 0);
    CHECK(f.memory.generation(kBase, 0x20000) == 0);
    CHECK(f.memory.generation(kBase + 0x20000, 1) != 0);
}

TEST_CASE("display transfer: random settings agree with the pixel-by-pixel rule")
{
    Fixture f;
    for (u64 seed = 0; seed < 400; ++seed)
    {
        CAPTURE(seed);
        tests::Random random(seed);
        DisplayTransfer t;
        t.input = kBase + 16 * random.below(64);
        t.output = kBase + 0x20000 + 16 * random.below(64);
        t.output_width = static_cast<u16>(8 * (1 + random.below(12)));
        t.output_height = static_cast<u16>(8 * (1 + random.below(8)));
        t.crop = random.chance(1, 3);
        t.input_width = static_cast<u16>(t.crop ? t.output_width + 8 * random.below(5) : t.output_width);
        t.input_height = t.output_height;
        t.flip_vertically = random.chance(1, 2);
        t.input_format = static_cast<PixelFormat>(random.below(5));
        t.output_format = static_cast<PixelFormat>(random.below(5));
        t.raw_copy = random.chance(1, 4);
        t.block32 = random.chance(1, 4);
        t.scaling = static_cast<TransferScaling>(random.below(3));
        t.input_linear = t.scaling == TransferScaling::None && random.chance(1, 2);
        f.randomize(seed);
        const std::vector<u8> before = f.bytes;
        std::vector<u8> expected = before;
        reference_transfer(before, expected, t);
        execute(f.memory, t, f.report);
        REQUIRE(f.bytes == expected);

        // The declared ranges hold everything that changed.
        const ByteRange range = t.output_range();
        for (u32 i = 0; i < f.bytes.size(); ++i)
            if (f.bytes[i] != before[i])
                REQUIRE((kBase + i >= range.begin && kBase + i < range.begin + range.size));
    }
}

TEST_CASE("display transfer: pictures wider than one chunk and odd sizes")
{
    for (const u16 width : {u16{520}, u16{13}})
    {
        CAPTURE(width);
        Fixture f;
        f.randomize(width);
        DisplayTransfer t = screen_transfer();
        t.output_width = t.input_width = width;
        t.output_height = t.input_height = 21;
        t.output_format = PixelFormat::RGBA4;
        std::vector<u8> expected = f.bytes;
        reference_transfer(f.bytes, expected, t);
        execute(f.memory, t, f.report);
        CHECK(f.bytes == expected);
    }
}

TEST_CASE("display transfer: flip with crop starts later by the cropped columns of all rows but one")
{
    DisplayTransfer t = screen_transfer();
    t.flip_vertically = t.crop = true;
    t.input_width = 72;
    CHECK(t.output_start() == t.output + 8 * 63 * 3);
    t.input_width = 56;
    CHECK(t.output_start() == t.output - 8 * 63 * 3);
    t.crop = false;
    CHECK(t.output_start() == t.output);
}

TEST_CASE("display transfer: empty sizes complete silently, scaling 3 and scaled linear input are reported")
{
    Fixture f;
    f.randomize(3);
    const std::vector<u8> before = f.bytes;
    DisplayTransfer t = screen_transfer();
    t.output_width = 0;
    execute(f.memory, t, f.report);
    t = screen_transfer();
    t.output_height = 0;
    execute(f.memory, t, f.report);
    CHECK(f.reports() == 0);
    t = screen_transfer();
    t.scaling = TransferScaling::Invalid3;
    execute(f.memory, t, f.report);
    t.scaling = TransferScaling::HalveX;
    t.input_linear = true;
    execute(f.memory, t, f.report);
    CHECK(f.reports() == 2);
    CHECK(f.bytes == before);
    CHECK(t.input_range().size == 0);
}

TEST_CASE("display transfer: format pairs that hang hardware convert and are reported")
{
    Fixture f;
    DisplayTransfer t = screen_transfer();
    t.input_format = PixelFormat::RGB565;
    t.output_format = PixelFormat::RGB5A1;
    execute(f.memory, t, f.report);
    CHECK(f.reports() == 0);
    t.output_format = PixelFormat::RGBA8;
    execute(f.memory, t, f.report);
    CHECK(f.reports() == 1);
    CHECK(f.bytes[0x20000] == 0xFF); // alpha of a format without alpha
}

TEST_CASE("display transfer: what hardware does not do is reported, each once")
{
    struct Odd
    {
        const char* cause;
        u32 flags, size; // PPF registers: the flags, width and height of the input
        u32 output_size;
    };
    constexpr u32 k64 = 64u << 16 | 64, k40 = 40u << 16 | 64;
    constexpr Odd kOdd[] = {
        {"display transfer below 64x64", 0, k40, k40},
        {"display transfer of parts of blocks", 0, 100u << 16 | 100, 100u << 16 | 100},
        {"display transfer of parts of blocks", 1u << 16, 72u << 16 | 72, 72u << 16 | 72},
        {"display transfer without conversion of linear input", 1u << 5 | 2, k64, k64},
        {"display transfer to another width without the crop flag", 0, 64u << 16 | 128, k64},
        {"display transfer in an undefined format", 5u << 8, k64, k64},
    };
    for (const Odd& odd : kOdd)
    {
        CAPTURE(odd.cause);
        Fixture f;
        ExternalRegisters registers;
        registers.write(ext::PPF_INPUT::id, kBase >> 3, 0xF);
        registers.write(ext::PPF_OUTPUT::id, (kBase + 0x20000) >> 3, 0xF);
        registers.write(ext::PPF_INPUT_SIZE::id, odd.size, 0xF);
        registers.write(ext::PPF_OUTPUT_SIZE::id, odd.output_size, 0xF);
        registers.write(ext::PPF_FLAGS::id, odd.flags, 0xF);
        OnceReport report(nullptr);
        report_illegal(decode_display_transfer(registers), f.memory, report);
        u64 seen = 0;
        for (const auto& [cause, count] : report.counts())
            seen += cause.find(odd.cause) != std::string::npos ? count : 0;
        CHECK(seen == 1);
    }
}

TEST_CASE("display transfer: a range outside memory copies nothing")
{
    Fixture f;
    f.randomize(4);
    const std::vector<u8> before = f.bytes;
    DisplayTransfer t = screen_transfer();
    t.input = kBase + 0x3F000;
    execute(f.memory, t, f.report);
    t = screen_transfer();
    t.output = kBase + 0x3F000;
    execute(f.memory, t, f.report);
    t = screen_transfer();
    t.input = 0;
    execute(f.memory, t, f.report);
    t = screen_transfer();
    t.output_width = t.input_width = 0xFFFF;
    t.output_height = 0xFFFF;
    execute(f.memory, t, f.report);
    CHECK(f.bytes == before);
    CHECK(f.reports() == 6); // the last one is outside on both sides and no whole tiles
    CHECK(f.memory.latest_generation() == 0);
}

TEST_CASE("display transfer: input is read before output is written where they overlap")
{
    Fixture f;
    f.randomize(5);
    DisplayTransfer t = screen_transfer();
    t.output = t.input + 0x100;
    t.output_format = PixelFormat::RGBA8;
    std::vector<u8> expected = f.bytes;
    reference_transfer(f.bytes, expected, t);
    execute(f.memory, t, f.report);
    CHECK(f.bytes == expected);
}

TEST_CASE("texture copy: registers decode; gap 0 means contiguous whatever the width")
{
    ExternalRegisters regs;
    regs.write(0x10400C00, kBase >> 3);
    regs.write(0x10400C04, (kBase + 0x1000) >> 3);
    regs.write(0x10400C20, 0x10F);
    regs.write(0x10400C24, 0x00000002);
    regs.write(0x10400C28, 0x00030004);
    const TextureCopy copy = decode_texture_copy(regs);
    CHECK(copy == TextureCopy{kBase, kBase + 0x1000, 0x100, 0x100, 0, 0x40, 0x30});
    CHECK(copy.input_range() == ByteRange{kBase, 0x100});
    CHECK(copy.output_range() == ByteRange{kBase + 0x1000, 0x100 + 3 * 0x30});
}

TEST_CASE("texture copy: gaps are skipped on both sides independently")
{
    Fixture f(0x4000);
    f.randomize(6);
    const std::vector<u8> before = f.bytes;
    const TextureCopy copy{kBase, kBase + 0x2000, 0x130, 0x30, 0x10, 0x50, 0x20};
    execute(f.memory, copy, f.report);
    std::vector<u8> expected = before;
    for (u32 i = 0; i < copy.size; ++i)
        expected[0x2000 + i + i / 0x50 * 0x20] = before[i + i / 0x30 * 0x10];
    CHECK(f.bytes == expected);
    CHECK(copy.input_range().size == 0x130 + 6 * 0x10);
    CHECK(copy.output_range().size == 0x130 + 3 * 0x20);
    CHECK(f.memory.generation(kBase + 0x2000, 1) != 0);
}

TEST_CASE("texture copy: overlapping ranges read before they write")
{
    Fixture f(0x1000);
    f.randomize(7);
    std::vector<u8> expected = f.bytes;
    std::copy_n(f.bytes.begin(), 0x200, expected.begin() + 0x10);
    execute(f.memory, TextureCopy{kBase, kBase + 0x10, 0x200, 0x200, 0, 0x200, 0}, f.report);
    CHECK(f.bytes == expected);
}

TEST_CASE("texture copy: nothing, a width of 0 with a gap, and ranges outside memory copy nothing")
{
    Fixture f(0x1000);
    f.randomize(8);
    const std::vector<u8> before = f.bytes;
    execute(f.memory, TextureCopy{kBase, kBase + 0x800, 0, 0, 0, 0, 0}, f.report);
    execute(f.memory, TextureCopy{kBase, kBase + 0x800, 0x100, 0, 0x10, 0x100, 0}, f.report);
    CHECK(f.reports() == 2);
    execute(f.memory, TextureCopy{kBase, kBase + 0xF80, 0x100, 0x100, 0, 0x100, 0}, f.report);
    execute(f.memory, TextureCopy{kBase + 0xF80, kBase, 0xFFFFFFF0, 0x10, 0xFFFF0, 0x10, 0x10}, f.report);
    CHECK(f.bytes == before);
    CHECK(f.reports() == 5);
}
