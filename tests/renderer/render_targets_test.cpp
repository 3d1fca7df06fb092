// SPDX-License-Identifier: MIT
// Surfaces: loading from memory, storing to memory, overlaps. filled_surfaces_test.cpp has what fills make of them.
#include "pica/texture/morton.h"
#include "pica/texture/pixel.h"
#include "tests/support/device/gpu_fixture.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace tests;
using namespace renderer;
using pica::ColorFormat;
using pica::DepthFormat;
using pica::kFcramBase;
using pica::kVramBase;

namespace
{

pica::RenderTarget make_target(SurfaceKind kind, PhysAddr address, u32 format, u32 width, u32 height,
                               bool flip)
{
    pica::RenderTarget target;
    target.width = static_cast<u16>(width);
    target.height = static_cast<u16>(height);
    target.flip = flip;
    if (kind == SurfaceKind::Color)
    {
        target.color_address = address;
        target.color_format = static_cast<ColorFormat>(format);
        return target;
    }
    target.depth_address = address;
    target.depth_format = static_cast<DepthFormat>(format);
    target.has_depth = 1;
    return target;
}

u32 bytes_of(SurfaceKind kind, u32 format)
{
    return kind == SurfaceKind::Color ? pica::bytes_per_pixel(static_cast<ColorFormat>(format))
                                      : pica::bytes_per_pixel(static_cast<DepthFormat>(format));
}

// Overwrites the mirror behind everybody's back: what is right afterwards came from an image.
void poison(GpuFixture& gpu, PhysAddr address, u32 size)
{
    const GuestMirror::Location at = gpu.mirror->locate(address, size);
    REQUIRE(at.buffer);
    gpu.mirror->use(at.region, kTransferWrite);
    gpu.device->vk.vkCmdFillBuffer(gpu.stream->cmd(), at.buffer, at.offset, (size + 3) & ~3u, 0xA5C3A5C3);
}

// Stands for a draw: every pixel gets the value of these bytes, without the stencil if the image has none.
void paint(GpuFixture& gpu, Surface& surface, u32 raw)
{
    gpu.targets->use_as_attachment(surface);
    surface.access.use(*gpu.stream, kTransferWrite);
    u8 bytes[4];
    pica::store_le<4>(bytes, raw);
    if (surface.key.kind == SurfaceKind::Color)
    {
        const u32 rgba = pica::unpack_pixel(static_cast<ColorFormat>(surface.key.format), bytes);
        VkClearColorValue color{};
        for (u32 i = 0; i < 4; ++i)
            color.uint32[i] = rgba >> (8 * i) & 255;
        const VkImageSubresourceRange range{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
        gpu.device->vk.vkCmdClearColorImage(gpu.stream->cmd(), surface.image.image, VK_IMAGE_LAYOUT_GENERAL,
                                            &color, 1, &range);
    }
    else
    {
        const auto format = static_cast<DepthFormat>(surface.key.format);
        const u32 word = pica::unpack_depth(format, bytes);
        const VkClearDepthStencilValue value{
            std::ldexp(static_cast<f32>(word & 0xFFFFFF), format == DepthFormat::D16 ? -16 : -24),
            word >> 24};
        const VkImageSubresourceRange range{gpu.device->features.depth_aspects(), 0, 1, 0, 1};
        gpu.device->vk.vkCmdClearDepthStencilImage(gpu.stream->cmd(), surface.image.image,
                                                   VK_IMAGE_LAYOUT_GENERAL, &value, 1, &range);
    }
    gpu.targets->mark_dirty(surface);
}

struct Kind
{
    SurfaceKind kind;
    u32 format;
};
// Devices with a stencil in depth buffers, and without.
const std::vector<std::string> kMasks[] = {{}, {"depth_stencil"}};

constexpr Kind kKinds[] = {{SurfaceKind::Color, 0}, {SurfaceKind::Color, 1}, {SurfaceKind::Color, 2},
                           {SurfaceKind::Color, 3}, {SurfaceKind::Color, 4}, {SurfaceKind::Depth, 0},
                           {SurfaceKind::Depth, 2}, {SurfaceKind::Depth, 3}};

void round_trip(GpuFixture& gpu, Random& random, const Kind& kind, u32 width, u32 height, bool flip)
{
    CAPTURE(static_cast<u32>(kind.kind));
    CAPTURE(kind.format);
    CAPTURE(width);
    CAPTURE(height);
    const PhysAddr address = kVramBase + 0x40 * random.below(0x1000);
    const pica::RenderTarget target = make_target(kind.kind, address, kind.format, width, height, flip);
    const u32 size = kind.kind == SurfaceKind::Color ? target.color_bytes() : target.depth_bytes();
    gpu.fill_random(random, address - 64, size + 128);
    const std::vector<u8> before = gpu.read(address - 64, size + 128);
    Surface* surface = gpu.targets->acquire(target, kind.kind);
    REQUIRE(surface);
    gpu.mirror->require(address - 64, size + 128);
    if (surface->is_whole())
        poison(gpu, address, size);
    gpu.targets->mark_dirty(*surface);
    CHECK(gpu.targets->dirty_overlap(address, 1));
    CHECK(gpu.read(address - 64, size + 128) == before);
    CHECK_FALSE(gpu.targets->any_dirty());
}

} // namespace

TEST_CASE("render targets: every format survives memory, image, memory")
{
    for (const std::vector<std::string>& mask : kMasks)
    {
        GpuFixture gpu(mask);
        Random random(11);
        for (const Kind& kind : kKinds)
            for (const bool flip : {false, true})
            {
                round_trip(gpu, random, kind, 240, 400, flip);
                round_trip(gpu, random, kind, 8, 8, flip);
                round_trip(gpu, random, kind, 8 + 8 * random.below(32), 8 + 8 * random.below(32), flip);
                round_trip(gpu, random, kind, 8 + 8 * random.below(8), 1 + random.below(64),
                           flip); // part of a tile
            }
        CHECK(gpu.targets->counters.loads == gpu.targets->counters.stores);
    }
}

TEST_CASE("render targets: internal scales keep memory as it was")
{
    for (const std::vector<std::string>& mask : kMasks)
        for (const u32 scale : {2u, 3u})
        {
            GpuFixture gpu(mask, scale);
            Random random(12);
            for (const Kind& kind : kKinds)
                round_trip(gpu, random, kind, 8 + 8 * random.below(16), 8 + 8 * random.below(16),
                           random.chance(1, 2));
        }
}

TEST_CASE("render targets: without stencil in the image the stencil bytes stay in memory")
{
    GpuFixture gpu({"depth_stencil"});
    Random random(14);
    constexpr u32 kD24S8 = static_cast<u32>(DepthFormat::D24S8), kBytes = 16 * 16 * 4;
    const pica::RenderTarget target = make_target(SurfaceKind::Depth, kVramBase, kD24S8, 16, 16, true);
    gpu.fill_random(random, kVramBase, kBytes);
    std::vector<u8> expected = gpu.read(kVramBase, kBytes);
    const auto expect_depth = [&](u32 raw)
    {
        for (u32 i = 0; i < kBytes; ++i)
            if (i % 4 != 3)
                expected[i] = static_cast<u8>(raw >> (8 * (i % 4)));
    };
    Surface* surface = gpu.targets->acquire(target, SurfaceKind::Depth);
    REQUIRE(surface);
    CHECK(surface->stencil_in_memory);
    CHECK(surface->image.format == VK_FORMAT_D32_SFLOAT);
    paint(gpu, *surface, 0xFF123456);
    expect_depth(0x123456);
    CHECK(gpu.read(kVramBase, kBytes) == expected);
    // A byte that the CPU writes is the stencil's from then on.
    expected[7] = static_cast<u8>(expected[7] + 1);
    gpu.write(kVramBase + 7, {&expected[7], 1});
    surface = gpu.targets->acquire(target, SurfaceKind::Depth);
    paint(gpu, *surface, 0x654321);
    expect_depth(0x654321);
    CHECK(gpu.read(kVramBase, kBytes) == expected);
    // A fill of the whole buffer fills the stencil as well, and the image is cleared without a load.
    pica::MemoryFill fill;
    fill.start = kVramBase;
    fill.end = kVramBase + kBytes;
    fill.value = 0x5A00FFFF;
    fill.width = pica::FillWidth::Bits32;
    gpu.transfers->memory_fill(fill);
    const u64 loads = gpu.targets->counters.loads;
    surface = gpu.targets->acquire(target, SurfaceKind::Depth);
    CHECK(gpu.targets->counters.loads == loads);
    gpu.targets->mark_dirty(*surface); // a draw that hits nothing
    for (u32 i = 0; i < kBytes; ++i)
        expected[i] = static_cast<u8>(fill.value >> (8 * (i % 4)));
    CHECK(gpu.read(kVramBase, kBytes) == expected);
    // Other formats have no stencil to keep.
    CHECK_FALSE(gpu.targets
                    ->acquire(make_target(SurfaceKind::Depth, kVramBase + 0x1000, 0, 16, 16, true),
                              SurfaceKind::Depth)
                    ->stencil_in_memory);
}

TEST_CASE("render targets: a surface is row 0 = py 0, flipped as the register says")
{
    GpuFixture gpu;
    for (const bool flip : {false, true})
    {
        const PhysAddr address = kVramBase + 0x10000;
        const pica::RenderTarget target = make_target(SurfaceKind::Color, address, 0, 16, 24, flip);
        Surface* surface = gpu.targets->acquire(target, SurfaceKind::Color);
        REQUIRE(surface);
        surface->access.use(*gpu.stream, kTransferWrite);
        // One pixel, (3, 5), through a copy.
        const Slice slice = gpu.ring->allocate(4, 4);
        *slice.as<u32>() = 0x44332211; // R 11, G 22, B 33, A 44
        const VkBufferImageCopy copy{slice.offset, 0,        0, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                     {3, 5, 0},    {1, 1, 1}};
        gpu.device->vk.vkCmdCopyBufferToImage(gpu.stream->cmd(), slice.buffer, surface->image.image,
                                              VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
        gpu.targets->mark_dirty(*surface);
        const u32 row = flip ? 24 - 1 - 5 : 5;
        const std::vector<u8> bytes = gpu.read(address, 16 * 24 * 4);
        const std::size_t at = static_cast<std::size_t>(pica::tiled_offset(3, row, 16, 4));
        CHECK(pica::load_le<4>(&bytes[at]) == 0x11223344);
        const std::vector<u8> zero(4, 0);
        gpu.write(address + static_cast<u32>(at), zero);
    }
}

TEST_CASE("render targets: a current surface is not loaded again, a stale one is")
{
    GpuFixture gpu;
    Random random(13);
    const pica::RenderTarget target = make_target(SurfaceKind::Color, kVramBase, 0, 64, 64, true);
    gpu.fill_random(random, kVramBase, 0x4000);
    Surface* surface = gpu.targets->acquire(target, SurfaceKind::Color);
    REQUIRE(surface);
    const u64 id = surface->id;
    CHECK(gpu.targets->acquire(target, SurfaceKind::Color)->id == id);
    CHECK(gpu.targets->counters.loads == 1);
    paint(gpu, *surface, 0x01020304);
    CHECK(gpu.targets->acquire(target, SurfaceKind::Color)->id == id);
    CHECK(gpu.targets->counters.loads == 1);
    CHECK(gpu.targets->counters.stores == 0);
    const u8 bytes[] = {1, 2, 3};
    gpu.write(kVramBase + 0x3FF0, bytes);
    CHECK(gpu.targets->acquire(target, SurfaceKind::Color)->id == id);
    CHECK(gpu.targets->counters.loads == 2);
    // Bytes after the surface, in a page of its own: no reason to load.
    gpu.write(kVramBase + 0x4000, bytes);
    CHECK(gpu.targets->acquire(target, SurfaceKind::Color)->current);
    CHECK(gpu.targets->counters.loads == 2);
    CHECK(gpu.targets->counters.created == 1);
}

TEST_CASE("render targets: what is drawn makes every other surface over its bytes stale at once")
{
    GpuFixture gpu;
    const auto acquire = [&](u32 offset, u32 width, SurfaceKind kind)
    {
        Surface* surface = gpu.targets->acquire(
            make_target(kind, kVramBase + offset, kind == SurfaceKind::Depth ? 3 : 0, width, 16, true), kind);
        REQUIRE(surface);
        return surface;
    };
    Surface* const surfaces[] = {acquire(0, 64, SurfaceKind::Color), acquire(0, 32, SurfaceKind::Color),
                                 acquire(0x400, 8, SurfaceKind::Color),
                                 acquire(0x800, 64, SurfaceKind::Depth)};
    Surface* const beside = acquire(0x4000, 64, SurfaceKind::Color);
    paint(gpu, *surfaces[0], 1); // over all the others
    for (u32 drawn = 1; drawn < 4; ++drawn)
    {
        CAPTURE(drawn);
        for (Surface* other : surfaces)
            CHECK(other->current == other->dirty); // at most one is newest, and then only that one counts
        CHECK(surfaces[drawn]->dirty == false);
        Surface* surface = gpu.targets->acquire(
            make_target(surfaces[drawn]->key.kind, surfaces[drawn]->key.address, surfaces[drawn]->key.format,
                        surfaces[drawn]->key.width, 16, true),
            surfaces[drawn]->key.kind);
        REQUIRE(surface == surfaces[drawn]);
        CHECK(surface->current);
        paint(gpu, *surface, drawn + 1);
        CHECK_FALSE(surfaces[0]->current);
        CHECK(beside->current);
        REQUIRE(acquire(0, 64, SurfaceKind::Color) == surfaces[0]);
        paint(gpu, *surfaces[0], 1);
    }
}

TEST_CASE("render targets: outside memory there is no surface, and it is reported")
{
    GpuFixture gpu;
    CHECK(gpu.targets->acquire(make_target(SurfaceKind::Color, 0x10000000, 0, 64, 64, true),
                               SurfaceKind::Color) == nullptr);
    CHECK_FALSE(gpu.report.lines.empty());
    CHECK(gpu.device->status());
    // Reaching over the end: the part inside behaves.
    const PhysAddr address = kVramBase + pica::kVramSize - 0x1000;
    Surface* surface =
        gpu.targets->acquire(make_target(SurfaceKind::Color, address, 0, 64, 64, true), SurfaceKind::Color);
    REQUIRE(surface);
    paint(gpu, *surface, 0xAABBCCDD);
    const std::vector<u8> bytes = gpu.read(address, 0x1000);
    CHECK(pica::load_le<4>(bytes.data()) == 0xAABBCCDD);
    CHECK(pica::load_le<4>(bytes.data() + 0xFFC) == 0xAABBCCDD);
}

namespace
{

void overlap_surfaces(const std::vector<std::string>& mask)
{
    GpuFixture gpu(mask);
    constexpr u32 kSize = 0xC000;
    constexpr PhysAddr kBase = kVramBase + 0x20000;
    for_each_seed(
        60,
        [&](u32, Random& random)
        {
            gpu.fill_random(random, kBase, kSize);
            std::vector<u8> expected = gpu.read(kBase, kSize);
            // A few targets that come back.
            struct Chosen
            {
                Kind kind;
                pica::RenderTarget target;
                u32 offset, size;
            };
            std::vector<Chosen> chosen;
            while (chosen.size() < 6)
            {
                Chosen c;
                c.kind = kKinds[random.below(8)];
                c.offset = random.below(kSize / 64) * 64;
                c.target = make_target(c.kind.kind, kBase + c.offset, c.kind.format, 8 + 8 * random.below(8),
                                       8 + 8 * random.below(12), random.chance(1, 2));
                c.size = c.kind.kind == SurfaceKind::Color ? c.target.color_bytes() : c.target.depth_bytes();
                if (c.offset + c.size <= kSize)
                    chosen.push_back(c);
            }
            for (u32 step = 0; step < 25; ++step)
            {
                const Chosen& c = chosen[random.below(6)];
                const u32 bytes = bytes_of(c.kind.kind, c.kind.format);
                switch (random.below(5))
                {
                case 0:
                case 1:
                {
                    Surface* surface = gpu.targets->acquire(c.target, c.kind.kind);
                    REQUIRE(surface);
                    if (random.chance(1, 2))
                    {
                        gpu.targets->mark_dirty(*surface); // a draw that hits nothing
                        break;
                    }
                    const u32 raw = random.next() & (bytes == 4 ? ~0u : (1u << (8 * bytes)) - 1);
                    paint(gpu, *surface, raw);
                    for (u32 i = 0; i < c.size; ++i)
                        if (!surface->stencil_in_memory || i % 4 != 3)
                            expected[c.offset + i] = static_cast<u8>(raw >> (8 * (i % bytes)));
                    break;
                }
                case 2:
                {
                    const u32 at = random.below(kSize - 64), size = 1 + random.below(63);
                    std::vector<u8> data(size);
                    for (u8& b : data)
                        b = static_cast<u8>(random.next());
                    gpu.write(kBase + at, data);
                    std::memcpy(&expected[at], data.data(), size);
                    break;
                }
                case 3:
                {
                    // Around the target, cutting it, or elsewhere.
                    pica::MemoryFill fill;
                    fill.start =
                        kBase + (random.chance(1, 2) ? c.offset & ~15u : random.below(kSize / 16 - 1) * 16);
                    const u32 left = kBase + kSize - fill.start;
                    fill.end =
                        fill.start +
                        std::min(left, random.chance(1, 2) ? c.size : 16 + random.below(0x3000) / 16 * 16);
                    fill.width = static_cast<pica::FillWidth>(random.below(4));
                    fill.value = random.chance(1, 2) ? random.next() : 0x01010101 * random.below(256);
                    gpu.transfers->memory_fill(fill);
                    const u32 pattern = fill.width == pica::FillWidth::Bits16   ? 2
                                        : fill.width == pica::FillWidth::Bits32 ? 4
                                                                                : 3;
                    for (u32 i = 0; i < fill.end - fill.start; ++i)
                        expected[fill.start - kBase + i] = static_cast<u8>(fill.value >> (8 * (i % pattern)));
                    break;
                }
                default:
                {
                    const u32 at = random.below(kSize), size = 1 + random.below(kSize - at);
                    REQUIRE(gpu.read(kBase + at, size) ==
                            std::vector<u8>(expected.begin() + at, expected.begin() + at + size));
                }
                }
            }
            CHECK(gpu.read(kBase, kSize) == expected);
        });
    CHECK(gpu.targets->counters.clears > 0);
}

} // namespace

TEST_CASE("render targets: surfaces of any format that overlap leave one truth in memory")
{
    for (const std::vector<std::string>& mask : kMasks)
        overlap_surfaces(mask);
}

TEST_CASE("render targets: many surfaces do not pile up")
{
    GpuFixture gpu;
    for (u32 i = 0; i < 100; ++i)
    {
        Surface* surface = gpu.targets->acquire(
            make_target(SurfaceKind::Color, kVramBase + i * 0x1000, 0, 32, 32, true), SurfaceKind::Color);
        REQUIRE(surface);
        paint(gpu, *surface, i);
    }
    for (u32 i = 0; i < 200; ++i)
        gpu.targets->end_frame();
    CHECK_FALSE(gpu.targets->any_dirty());
    for (u32 i = 0; i < 100; ++i)
    {
        const std::vector<u8> bytes = gpu.read(kVramBase + i * 0x1000, 4);
        CHECK(pica::load_le<4>(bytes.data()) == i);
    }
}
