// SPDX-License-Identifier: MIT
// The engines at N times the resolution: transfers against transfers at 1x of pictures N times larger, fills and copies
// against the same on the bytes of each plane, and what the CPU's writes leave.
#include "pica/memory/guest_arena.h"
#include "pica/texture/format.h"
#include "pica/texture/pixel.h"
#include "pica/upscale/plane_rules.h"
#include "pica/upscale/scaled_engines.h"
#include "pica/upscale/scaled_scanout.h"
#include "tests/support/kept_report.h"
#include "tests/support/scenes/large_picture.h"
#include "tests/support/seeds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>

using namespace tests;

namespace
{

constexpr PhysAddr kInput = kVramBase;
constexpr PhysAddr kOutput = kVramBase + 0x300000;

void randomise(std::span<u8> bytes, Random& random)
{
    for (u8& byte : bytes)
        byte = static_cast<u8>(random.next());
}

// Gives a range planes with random bytes. The plane in the middle stays that of guest memory.
void randomise_planes(PlaneMemory& planes, PhysAddr address, u32 size, Random& random)
{
    planes.tracker().give(address, size);
    planes.hold(address, size);
    std::vector<u8> bytes(size);
    for (u32 plane = 0; plane < planes.planes(); ++plane)
    {
        if (plane == planes.middle())
            continue;
        randomise(bytes, random);
        planes.store(plane, address, bytes);
    }
}

using Layout = LargePicture::Layout;

Layout layout(bool tiled, bool block32)
{
    return !tiled ? Layout::Linear : block32 ? Layout::Blocks : Layout::Tiles;
}

// All planes of a range, one after the other.
std::vector<u8> all_planes(const PlaneMemory& planes, PhysAddr address, u32 size)
{
    std::vector<u8> bytes(std::size_t{size} * planes.planes());
    for (u32 plane = 0; plane < planes.planes(); ++plane)
        planes.load(plane, address, std::span(bytes).subspan(std::size_t{plane} * size, size));
    return bytes;
}

TextureCopy random_copy(Random& random)
{
    TextureCopy copy;
    copy.input = kVramBase + 16 * random.below(512);
    copy.output = kVramBase + 16 * random.below(512); // may overlap
    copy.size = 16 * (1 + random.below(300));
    copy.input_gap = random.chance(1, 2) ? 0 : 16 * random.below(8);
    copy.output_gap = random.chance(1, 2) ? 0 : 16 * random.below(8);
    copy.input_width = copy.input_gap == 0 ? copy.size : 16 * (1 + random.below(20));
    copy.output_width = copy.output_gap == 0 ? copy.size : 16 * (1 + random.below(20));
    return copy;
}

} // namespace

TEST_CASE("N x: a display transfer is that of pictures N times larger")
{
    for_each_seed(
        60,
        [](u32, Random& random)
        {
            const u32 n = 2 + random.below(7);
            CAPTURE(n);
            GuestArena arena(0x1000), large(0x1000);
            KeptReport report;
            randomise(arena.vram(), random);
            PlaneMemory planes(arena.memory(), n);
            DisplayTransfer t;
            t.input = kInput;
            t.output = kOutput;
            t.block32 = random.chance(1, 4);
            const u32 unit = t.block32 ? 32 : 8;
            t.input_linear = random.chance(1, 4);
            t.raw_copy = random.chance(1, 4);
            t.scaling =
                t.input_linear ? TransferScaling::None : static_cast<TransferScaling>(random.below(3));
            const bool halves = t.scaling != TransferScaling::None;
            t.input_width = static_cast<u16>(unit * 2 * (1 + random.below(64 / unit)));
            t.output_width = static_cast<u16>(random.chance(1, 2)
                                                  ? t.input_width
                                                  : unit * 2 * (1 + random.below(t.input_width / unit / 2)));
            t.output_height = static_cast<u16>(unit * 2 * (1 + random.below(2)));
            t.flip_vertically = random.chance(1, 2);
            t.input_format = static_cast<PixelFormat>(random.below(5));
            t.output_format = static_cast<PixelFormat>(random.below(5));
            const LargePicture input{kInput, t.input_width, t.output_height, bytes_per_pixel(t.input_format),
                                     layout(t.input_tiled(), t.block32)};
            const LargePicture output{kOutput, t.written_width(), t.written_height(),
                                      bytes_per_pixel(t.output_format), layout(t.output_tiled(), t.block32)};
            // Parts of the input have no planes, but its first line has.
            randomise_planes(planes, kInput, 64, random);
            randomise_planes(planes, kInput + 64 * random.below(16), 64 * (1 + random.below(400)), random);
            input.copy_planes(planes, large.memory());
            DisplayTransfer larger = t;
            larger.input_width = static_cast<u16>(t.input_width * n);
            larger.output_width = static_cast<u16>(t.output_width * n);
            larger.output_height = static_cast<u16>(t.output_height * n);
            CAPTURE(halves);
            execute_scaled(planes, t, report);
            execute(large.memory(), larger, report);
            CHECK(planes.tracker().any(kOutput, 1));
            CHECK(output.differences(planes, large.memory()) == 0);
        });
}

TEST_CASE("N x: texture copies and fills do to every plane what they do to guest memory")
{
    for_each_seed(
        60,
        [](u32, Random& random)
        {
            const u32 n = 2 + random.below(3);
            constexpr u32 kSize = 0x6000; // of the bytes that are looked at
            GuestArena arena(0x1000);
            KeptReport report;
            randomise(arena.vram().first(kSize), random);
            PlaneMemory planes(arena.memory(), n);
            for (u32 part = random.below(4); part < 4; ++part)
                randomise_planes(planes, kVramBase + random.below(0x4000), random.below(0x800), random);
            for (u32 step = 0; step < 6; ++step)
            {
                const TextureCopy copy = random_copy(random);
                const MemoryFill fill{kVramBase + 16 * random.below(512), kVramBase + 16 * random.below(1024),
                                      random.next(), static_cast<FillWidth>(random.below(4))};
                const bool copies = random.chance(2, 3);
                std::vector<u8> expected;
                for (u32 plane = 0; plane < planes.planes(); ++plane)
                {
                    GuestArena one(0x1000);
                    planes.load(plane, kVramBase, one.vram().first(kSize));
                    if (copies)
                        execute(one.memory(), copy, report);
                    else
                        execute(one.memory(), fill, report);
                    expected.insert(expected.end(), one.vram().begin(), one.vram().begin() + kSize);
                }
                if (copies)
                    execute_scaled(planes, copy, report);
                else
                    execute_scaled(planes, fill, report);
                CAPTURE(copies);
                CHECK(all_planes(planes, kVramBase, kSize) == expected);
                CHECK(std::equal(arena.vram().begin(), arena.vram().begin() + kSize,
                                 expected.begin() + std::ptrdiff_t{kSize} * planes.middle()));
            }
        });
}

TEST_CASE("N x: lines that a copy or a fill overwrites with bytes without planes have none")
{
    GuestArena arena(0x1000);
    KeptReport report;
    Random random(1);
    PlaneMemory planes(arena.memory(), 3);
    const PlaneTracker& tracker = planes.tracker();
    randomise_planes(planes, kVramBase, 256, random);
    execute_scaled(planes, MemoryFill{kVramBase + 16, kVramBase + 144, 5, FillWidth::Bits32}, report);
    CHECK(tracker.any(kVramBase, 64)); // a part is left
    CHECK(!tracker.any(kVramBase + 64, 64));
    CHECK(tracker.any(kVramBase + 128, 64));
    // Four lines, of which the second has no planes.
    execute_scaled(planes, TextureCopy{kVramBase, kVramBase + 0x1000, 256, 256, 0, 256, 0}, report);
    CHECK(tracker.any(kVramBase + 0x1000, 64));
    CHECK(!tracker.any(kVramBase + 0x1040, 64));
    CHECK(tracker.any(kVramBase + 0x1080, 128));
    execute_scaled(planes, TextureCopy{kVramBase + 64, kVramBase + 0x1080, 64, 64, 0, 64, 0}, report);
    CHECK(!tracker.any(kVramBase + 0x1080, 64));
    // A transfer whose input has none.
    randomise_planes(planes, kOutput, 64 * 64 * 4, random);
    DisplayTransfer t;
    t.input = kVramBase + 0x100000;
    t.output = kOutput;
    t.input_width = t.output_width = t.output_height = 64;
    execute_scaled(planes, t, report);
    CHECK(!tracker.any(kOutput, 64 * 64 * 4));
}

TEST_CASE("N x: what the CPU writes is the same in all planes, byte by byte, announced or not")
{
    GuestArena arena(0x1000);
    Random random(2);
    randomise(arena.vram().first(0x1000), random);
    for (const bool announced : {true, false})
    {
        CAPTURE(announced);
        PlaneMemory planes(arena.memory(), 3);
        randomise_planes(planes, kVramBase, 512, random);
        const std::vector<u8> before = all_planes(planes, kVramBase, 512);
        for (u32 at = 100; at < 200; ++at)
            arena.vram()[at] = static_cast<u8>(~arena.vram()[at]);
        if (announced)
            planes.wrote(kVramBase + 100, 100);
        else
            planes.may_have_written(kVramBase, 0x1000);
        const std::vector<u8> after = all_planes(planes, kVramBase, 512);
        u32 wrong = 0;
        for (u32 plane = 0; plane < 9; ++plane)
            for (u32 at = 0; at < 512; ++at)
                wrong += after[plane * 512 + at] !=
                         (at >= 100 && at < 200 ? arena.vram()[at] : before[plane * 512 + at]);
        CHECK(wrong == 0);
        CHECK(planes.tracker().any(kVramBase + 128, 64) == !announced);
    }
}

TEST_CASE("N x: planes that are taken over are the same, and leave in the same order")
{
    constexpr u32 kPages = 6;
    GuestArena arena(0x1000);
    Random random(3);
    randomise(arena.vram().first(kPages * kPageSize), random);
    PlaneMemory first(arena.memory(), 3, kPages), second(arena.memory(), 3, kPages);
    randomise_planes(second, kVramBase + 2 * kPageSize, 600, random); // nothing of this stays
    for (const u32 page : {3u, 0u, 4u, 1u})
        randomise_planes(first, kVramBase + page * kPageSize + 192, 700, random);
    first.tracker().give(kVramBase + kPageSize - 64, 64); // a line whose planes are the guest's
    first.tracker().touch(kVramBase + 3 * kPageSize, 64);
    second.take_over(first);
    const auto is_same = [&]
    {
        CHECK(all_planes(first, kVramBase, kPages * kPageSize) ==
              all_planes(second, kVramBase, kPages * kPageSize));
        u32 wrong = 0;
        for (u32 line = 0; line < kPages * kPageSize; line += 64)
            wrong += first.tracker().any(kVramBase + line, 64) != second.tracker().any(kVramBase + line, 64);
        CHECK(wrong == 0);
    };
    is_same();
    CHECK(second.tracker().pages() == 4);
    // More pages than there is room for: the same ones leave.
    for (u32 more = 0; more < 5; ++more)
    {
        for (PlaneMemory* planes : {&first, &second})
            planes->tracker().give(kVramBase + (kPages + more) * kPageSize, 64);
        is_same();
    }
}

TEST_CASE("N x: planes that are taken over at another N are the samples of the old N that they lie in")
{
    CHECK(PlaneMemory::matching(0, 4, 2) == 0);
    CHECK(PlaneMemory::matching(1, 4, 2) == 0);
    CHECK(PlaneMemory::matching(2, 4, 2) == 1);
    CHECK(PlaneMemory::matching(3, 4, 2) == 1);
    CHECK(PlaneMemory::matching(0, 2, 8) == 2);
    CHECK(PlaneMemory::matching(1, 2, 8) == 4); // the middle, not 6
    GuestArena arena(0x1000);
    Random random(4);
    for (u32 from = 2; from <= 8; ++from)
        for (u32 to = 2; to <= 8; ++to)
        {
            CAPTURE(from);
            CAPTURE(to);
            CHECK(PlaneMemory::matching(to / 2, to, from) == from / 2);
            for (u32 at = 0; at < to; ++at)
            {
                const u32 source = PlaneMemory::matching(at, to, from);
                CHECK(source < from);
                CHECK((from != to || source == at));
                CHECK((at == 0 || source >= PlaneMemory::matching(at - 1, to, from))); // nothing is mirrored
            }
            randomise(arena.vram().first(kPageSize), random);
            PlaneMemory before(arena.memory(), from), after(arena.memory(), to);
            randomise_planes(before, kVramBase + 192, 700, random);
            after.take_over(before);
            std::vector<u8> expected(700), now(700);
            for (u32 plane = 0; plane < after.planes(); ++plane)
            {
                const u32 i = PlaneMemory::matching(plane % to, to, from);
                const u32 j = PlaneMemory::matching(plane / to, to, from);
                before.load(j * from + i, kVramBase + 192, expected);
                after.load(plane, kVramBase + 192, now);
                CHECK(now == expected);
            }
            const std::span<const u8> guest = arena.vram().subspan(192, 700);
            after.load(after.middle(), kVramBase + 192, now);
            CHECK(std::equal(now.begin(), now.end(), guest.begin()));
        }
}

TEST_CASE("N x: planes at the ends of memory, and ranges beyond them")
{
    // A region that neither begins nor ends with a line.
    std::vector<u8> bytes(0x1000 - 100, 7);
    GuestMemory memory({{kVramBase + 30, bytes}});
    PlaneMemory planes(memory, 2);
    planes.tracker().give(kVramBase, 0x1000);
    planes.hold(kVramBase, 0x1000);
    std::vector<u8> all(0x3000, 1);
    planes.load(3, kVramBase - 0x1000, all);
    CHECK(std::count(all.begin(), all.end(), u8{7}) == 0x1000 - 100);
    CHECK(std::count(all.begin(), all.end(), u8{0}) == 0x2000 + 100);
    planes.may_have_written(0, ~u64{0});
    planes.wrote(kVramBase - 0x1000, ~u64{0});
    CHECK(planes.tracker().pages() == 0);
}

TEST_CASE("N x: the screens show the planes")
{
    constexpr u32 n = 3;
    GuestArena arena(0x1000);
    KeptReport report;
    Random random(3);
    randomise(arena.vram().first(400 * 720), random);
    PlaneMemory planes(arena.memory(), n);
    randomise_planes(planes, kVramBase + 72000, 72000, random); // columns 100 to 199
    const auto check = [&](const ScreenConfig& config)
    {
        std::vector<u32> shown(400 * n * 240 * n), plain(400 * 240);
        scan_out_scaled(planes, config, shown.data(), report);
        scan_out(arena.memory(), config, plain.data(), report);
        u32 wrong = 0;
        u32 differs = 0;
        std::array<u8, 3> pixel{};
        for (u32 y = 0; y < 240 * n; ++y)
            for (u32 x = 0; x < 400 * n; ++x)
            {
                const u32 up = 240 * n - 1 - y; // along a row of memory
                // Which row of memory, in N x pixels.
                const u32 row = config.stride < 0 ? 400 * n - 1 - x : x;
                planes.load(row % n * n + up % n, kVramBase + row / n * 720 + up / n * 3, pixel);
                wrong += shown[y * 400 * n + x] != unpack_pixel<PixelFormat::RGB8>(pixel.data());
                differs += shown[y * 400 * n + x] != plain[y / n * 400 + x / n];
            }
        CHECK(wrong == 0);
        CHECK(differs > 190000); // eight of nine samples of a quarter of the screen
    };
    check({kVramBase, PixelFormat::RGB8, 720, 400});
    check({kVramBase + 399 * 720, PixelFormat::RGB8, -720, 400}); // mirrored
    CHECK(report.lines.empty());
}
