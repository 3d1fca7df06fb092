// SPDX-License-Identifier: MIT
// Fills, display transfers and texture copies: the device's bytes against pica/transfer on the same random
// memory.
#include "tests/support/device/gpu_fixture.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>

using namespace tests;
using namespace renderer;
using pica::kFcramBase;
using pica::kVramBase;

namespace
{

constexpr u32 kFcram = 0x200000;
constexpr u32 kVramUsed = 0x100000;

// The CPU's world beside the device's.
struct Both
{
    Both() : gpu({}, 1, kFcram), arena(kFcram), reference(arena.memory()) {}

    void randomise(Random& random, PhysAddr address, u32 size)
    {
        gpu.fill_random(random, address, size);
        const std::vector<u8> bytes = gpu.read(address, size);
        std::memcpy(reference.span(address, size).data(), bytes.data(), size);
    }
    void compare(PhysAddr address, u32 size)
    {
        const std::vector<u8> bytes = gpu.read(address, size);
        const std::span<const u8> expected = reference.span(address, size);
        const auto difference = std::mismatch(bytes.begin(), bytes.end(), expected.begin());
        INFO("first difference at ", address + static_cast<u32>(difference.first - bytes.begin()));
        CHECK(difference.first == bytes.end());
    }
    void compare_all()
    {
        compare(kVramBase, kVramUsed);
        compare(kFcramBase, kFcram);
    }
    template <typename Operation>
    void expect(const Operation& operation)
    {
        pica::execute(reference, operation, reference_report);
    }

    GpuFixture gpu;
    pica::GuestArena arena;
    pica::GuestMemory& reference;
    KeptReport reference_report;
};

PhysAddr random_address(Random& random)
{
    return random.chance(1, 2) ? kVramBase + random.below(kVramUsed / 2 / 16) * 16
                               : kFcramBase + random.below(kFcram / 2 / 16) * 16;
}

// At the start of VRAM, of whole tiles.
pica::RenderTarget random_target(Random& random)
{
    pica::RenderTarget target;
    target.color_address = kVramBase + random.below(0x200) * 64;
    target.width = static_cast<u16>(8 + 8 * random.below(16));
    target.height = static_cast<u16>(8 + 8 * random.below(16));
    return target;
}

} // namespace

TEST_CASE("transfer: memory fills of every width and alignment")
{
    Both both;
    Random first(1);
    both.randomise(first, kVramBase, kVramUsed);
    both.randomise(first, kFcramBase, kFcram);
    for_each_seed(120,
                  [&](u32, Random& random)
                  {
                      pica::MemoryFill fill;
                      fill.start = random.chance(1, 20) ? 0 : random_address(random);
                      fill.end = fill.start + random.below(random.chance(1, 3) ? 0x40000 : 0x300) / 16 * 16;
                      if (random.chance(1, 20))
                          fill.start = kFcramBase + kFcram - 64; // stops at the end of memory
                      fill.value = random.next();
                      fill.width = static_cast<pica::FillWidth>(random.below(4));
                      both.gpu.transfers->memory_fill(fill);
                      both.expect(fill);
                      if (random.chance(1, 4))
                          both.compare(fill.start & ~0xFFFu, 0x1000);
                  });
    both.compare_all();
    CHECK(both.gpu.transfers->counters.on_device > 90);
}

TEST_CASE("transfer: display transfers of every format, layout and scaling")
{
    Both both;
    Random first(2);
    both.randomise(first, kVramBase, kVramUsed);
    both.randomise(first, kFcramBase, kFcram);
    for_each_seed(250,
                  [&](u32, Random& random)
                  {
                      pica::DisplayTransfer t;
                      t.input = random_address(random);
                      t.output = random_address(random);
                      const u32 unit = random.chance(1, 4) ? 32 : random.chance(1, 6) ? 1 : 8;
                      t.output_width = static_cast<u16>(unit * (1 + random.below(256 / unit)));
                      t.output_height = static_cast<u16>(unit * (1 + random.below(256 / unit)));
                      t.input_width = random.chance(1, 2)
                                          ? t.output_width
                                          : static_cast<u16>(unit * (1 + random.below(256 / unit)));
                      t.input_height = t.output_height;
                      t.flip_vertically = random.chance(1, 2);
                      t.input_linear = random.chance(1, 3);
                      t.crop = random.chance(1, 4);
                      t.raw_copy = random.chance(1, 5);
                      t.input_format = static_cast<pica::PixelFormat>(random.below(5));
                      t.output_format = static_cast<pica::PixelFormat>(random.below(5));
                      t.block32 = unit == 32 && random.chance(1, 2);
                      t.scaling =
                          static_cast<pica::TransferScaling>(random.chance(1, 2) ? 0 : random.below(4));
                      both.gpu.transfers->display_transfer(t);
                      both.expect(t);
                      const pica::ByteRange range = t.output_range();
                      CAPTURE(t.output_width);
                      CAPTURE(t.output_height);
                      CAPTURE(t.input_width);
                      CAPTURE(static_cast<u32>(t.input_format));
                      CAPTURE(static_cast<u32>(t.output_format));
                      CAPTURE(static_cast<u32>(t.scaling));
                      CAPTURE(t.input_linear);
                      CAPTURE(t.raw_copy);
                      CAPTURE(t.block32);
                      CAPTURE(t.flip_vertically);
                      CAPTURE(t.crop);
                      if (range.size != 0 && !both.reference.span(range.begin, range.size).empty() &&
                          random.chance(1, 2))
                          both.compare(range.begin, static_cast<u32>(range.size));
                  });
    both.compare_all();
    CHECK(both.gpu.transfers->counters.on_device > 120);
    CHECK(both.gpu.transfers->counters.on_host > 10);
    CHECK(both.gpu.report.lines == both.reference_report.lines);
}

TEST_CASE("transfer: texture copies with and without gaps")
{
    Both both;
    Random first(3);
    both.randomise(first, kVramBase, kVramUsed);
    both.randomise(first, kFcramBase, kFcram);
    for_each_seed(150,
                  [&](u32, Random& random)
                  {
                      pica::TextureCopy c;
                      c.input = random_address(random);
                      c.output = random_address(random);
                      c.size = random.below(0x4000) * 16 / (random.chance(1, 2) ? 16 : 1) & ~15u;
                      c.input_gap = random.chance(1, 2) ? 16 * random.below(40) : 0;
                      c.output_gap = random.chance(1, 2) ? 16 * random.below(40) : 0;
                      c.input_width = c.input_gap == 0 ? c.size : 16 * random.below(100);
                      c.output_width = c.output_gap == 0 ? c.size : 16 * random.below(100);
                      both.gpu.transfers->texture_copy(c);
                      both.expect(c);
                      const pica::ByteRange range = c.output_range();
                      if (range.size != 0 && !both.reference.span(range.begin, range.size).empty() &&
                          random.chance(1, 2))
                          both.compare(range.begin, static_cast<u32>(range.size));
                  });
    both.compare_all();
    CHECK(both.gpu.transfers->counters.on_device > 60);
    CHECK(both.gpu.report.lines == both.reference_report.lines);
}

TEST_CASE("transfer: pictures that only a surface holds are transferred and copied")
{
    Both both;
    Random first(4);
    both.randomise(first, kVramBase, kVramUsed);
    both.randomise(first, kFcramBase, kFcram);
    for_each_seed(100,
                  [&](u32, Random& random)
                  {
                      pica::RenderTarget target = random_target(random);
                      target.flip = random.chance(1, 2);
                      target.color_format = static_cast<pica::ColorFormat>(random.below(5));
                      Surface* surface = both.gpu.targets->acquire(target, SurfaceKind::Color);
                      REQUIRE(surface);
                      both.gpu.targets->use_as_attachment(*surface);
                      both.gpu.targets->mark_dirty(*surface);

                      pica::DisplayTransfer t;
                      t.input = target.color_address;
                      t.output = random.chance(3, 4) ? kFcramBase + random.below(0x1000) * 16
                                                     : random_address(random);
                      t.input_width = target.width;
                      // Some read beyond the rows of the picture, in the tiles that follow.
                      const u32 columns = target.width / 8u + (random.chance(1, 4) ? 4 : 0);
                      t.output_width = static_cast<u16>(8 * (1 + random.below(columns)));
                      t.output_height = static_cast<u16>(8 * (1 + random.below(target.height / 8u + 1)));
                      t.flip_vertically = random.chance(1, 2);
                      // Framebuffer and transfer number 5551 and 565 the other way round.
                      constexpr pica::PixelFormat kSame[] = {
                          pica::PixelFormat::RGBA8, pica::PixelFormat::RGB8, pica::PixelFormat::RGB5A1,
                          pica::PixelFormat::RGB565, pica::PixelFormat::RGBA4};
                      t.input_format = random.chance(4, 5) ? kSame[static_cast<u32>(target.color_format)]
                                                           : static_cast<pica::PixelFormat>(random.below(5));
                      t.output_format = static_cast<pica::PixelFormat>(random.below(5));
                      t.raw_copy = random.chance(1, 4);
                      t.scaling = static_cast<pica::TransferScaling>(random.below(3));
                      both.gpu.transfers->display_transfer(t);
                      both.expect(t);

                      pica::TextureCopy c;
                      c.input = target.color_address;
                      c.output = random.chance(1, 4) ? target.color_address + 0x40000 : kFcramBase + 0x80000;
                      c.size = c.input_width = c.output_width = target.color_bytes() & ~15u;
                      both.gpu.transfers->texture_copy(c);
                      both.expect(c);
                      if (random.chance(1, 8))
                          both.compare(kVramBase, kVramUsed);
                  });
    both.compare_all();
    CHECK(both.gpu.transfers->counters.on_device > 150);
}

// The fill covers the picture exactly, so that only its surface is cleared: memory lacks these bytes.
TEST_CASE("transfer: copies into a picture that only a surface holds keep what is between their pieces")
{
    Both both;
    Random first(6);
    both.randomise(first, kVramBase, kVramUsed);
    both.randomise(first, kFcramBase, kFcram);
    for_each_seed(60,
                  [&](u32, Random& random)
                  {
                      pica::RenderTarget target = random_target(random);
                      target.color_format = pica::ColorFormat::RGBA8;
                      REQUIRE(both.gpu.targets->acquire(target, SurfaceKind::Color));
                      pica::MemoryFill fill;
                      fill.start = target.color_address;
                      fill.end = fill.start + target.color_bytes();
                      fill.value = random.next();
                      fill.width = pica::FillWidth::Bits32;
                      both.gpu.transfers->memory_fill(fill);
                      both.expect(fill);
                      REQUIRE(both.gpu.targets->dirty_overlap(fill.start, target.color_bytes()));

                      pica::TextureCopy copy;
                      copy.input = kFcramBase + random.below(0x1000) * 16;
                      copy.output = target.color_address + random.below(target.color_bytes() / 32) * 16;
                      copy.output_width = 16 * (1 + random.below(4));
                      copy.output_gap = random.chance(1, 4) ? 0 : 16 * (1 + random.below(4));
                      copy.input_width = copy.size = copy.output_width * (1 + random.below(8));
                      both.gpu.transfers->texture_copy(copy);
                      both.expect(copy);
                      both.compare(fill.start, target.color_bytes());
                  });
    both.compare_all();
}

TEST_CASE("transfer: a rendered surface goes to the screen without a wait")
{
    GpuFixture gpu;
    pica::RenderTarget target;
    target.color_address = kVramBase;
    target.width = 240;
    target.height = 400;
    target.flip = 1;
    pica::MemoryFill fill;
    fill.start = kVramBase;
    fill.end = kVramBase + 240 * 400 * 4;
    fill.value = 0x11223344;
    fill.width = pica::FillWidth::Bits32;
    REQUIRE(gpu.targets->acquire(target, SurfaceKind::Color));
    gpu.transfers->memory_fill(fill);
    Surface* surface = gpu.targets->acquire(target, SurfaceKind::Color);
    REQUIRE(surface);
    CHECK(gpu.targets->counters.loads == 1);
    CHECK(gpu.targets->counters.clears == 1);
    gpu.targets->use_as_attachment(*surface);
    gpu.targets->mark_dirty(*surface);
    pica::DisplayTransfer transfer;
    transfer.input = kVramBase;
    transfer.output = kFcramBase;
    transfer.output_width = transfer.input_width = 240;
    transfer.output_height = transfer.input_height = 400;
    transfer.output_format = pica::PixelFormat::RGB8;
    gpu.transfers->display_transfer(transfer);
    CHECK(gpu.stream->counters.waits == 0);
    CHECK(gpu.transfers->counters.on_host == 0);
    const std::vector<u8> screen = gpu.read(kFcramBase, 240 * 400 * 3);
    CHECK(gpu.stream->counters.waits <= 1); // none where the device was faster
    // Memory order A, B, G, R of 0x11223344: R 11, G 22, B 33; a screen pixel is B, G, R.
    for (std::size_t i = 0; i < screen.size(); i += 3)
        REQUIRE((screen[i] == 0x33 && screen[i + 1] == 0x22 && screen[i + 2] == 0x11));
}
