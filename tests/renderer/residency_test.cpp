// SPDX-License-Identifier: MIT
// Who has the newest bytes: reads and writes of the device and of the CPU around surfaces and pages, and the ranges of
// the open batch.
#include "tests/support/device/gpu_fixture.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

using namespace tests;
using namespace renderer;
using pica::kFcramBase;

namespace
{

constexpr PhysAddr kBase = kFcramBase + 0x4000;
constexpr u32 kSurfaceBytes = 32 * 32 * 4; // a page

pica::RenderTarget target_at(PhysAddr address)
{
    pica::RenderTarget target;
    target.color_address = address;
    target.width = target.height = 32;
    target.flip = 1;
    return target;
}

// A colour surface whose newest pixels are in the image: every byte is the same.
Surface& draw_surface(GpuFixture& gpu, PhysAddr address, u8 byte)
{
    Surface* surface = gpu.targets->acquire(target_at(address), SurfaceKind::Color);
    REQUIRE(surface);
    REQUIRE(gpu.targets->fill_surface({address, kSurfaceBytes, byte * 0x01010101u, 4}));
    REQUIRE(surface->dirty);
    return *surface;
}

// Commands of the device that fill a part of the mirror with equal bytes.
void fill_mirror(GpuFixture& gpu, PhysAddr address, u32 size, u8 byte)
{
    const GuestMirror::Location at = gpu.mirror->locate(address, size);
    gpu.mirror->use(at.region, kTransferWrite);
    gpu.device->vk.vkCmdFillBuffer(gpu.stream->cmd(), at.buffer, at.offset, size, byte * 0x01010101u);
}

std::vector<u8> repeated(std::initializer_list<std::pair<u32, u8>> runs)
{
    std::vector<u8> bytes;
    for (const auto& [count, byte] : runs)
        bytes.insert(bytes.end(), count, byte);
    return bytes;
}

} // namespace

TEST_CASE("residency: the open batch draws to the bytes of its surfaces, until it closes")
{
    GpuFixture gpu;
    Surface& color = draw_surface(gpu, kBase, 1);
    Surface& depth = draw_surface(gpu, kBase + 0x8000, 2);
    CHECK_FALSE(gpu.residency->batch_is_open());
    CHECK_FALSE(gpu.residency->batch_draws(kBase, 4));
    gpu.residency->batch_opens(&color, &depth);
    CHECK(gpu.residency->batch_is_open());
    CHECK(gpu.residency->batch_draws(kBase - 4, 5));
    CHECK(gpu.residency->batch_draws(kBase + kSurfaceBytes - 1, 1));
    CHECK(gpu.residency->batch_draws(kBase + 0x8000, 1));
    CHECK(gpu.residency->batch_draws(0, u64{1} << 32));
    CHECK_FALSE(gpu.residency->batch_draws(kBase - 4, 4));
    CHECK_FALSE(gpu.residency->batch_draws(kBase + kSurfaceBytes, 0x8000 - kSurfaceBytes));
    CHECK_FALSE(gpu.residency->batch_draws(kBase, 0));
    gpu.residency->batch_opens(nullptr, &depth);
    CHECK_FALSE(gpu.residency->batch_draws(kBase, 4));
    CHECK(gpu.residency->batch_draws(kBase + 0x8000, 1));
    gpu.residency->batch_closes();
    CHECK_FALSE(gpu.residency->batch_is_open());
    CHECK_FALSE(gpu.residency->batch_draws(kBase + 0x8000, 1));
}

TEST_CASE("residency: what the device reads is in the mirror, be it newest in a surface or in guest memory")
{
    GpuFixture gpu;
    gpu.write(kBase + kSurfaceBytes, repeated({{64, 3}}));
    draw_surface(gpu, kBase, 7);
    gpu.residency->begin_read(kBase, kSurfaceBytes + 64);
    CHECK_FALSE(gpu.targets->any_dirty());
    // The CPU's copies must not matter from here on. The mirror puts its bytes over them.
    std::fill_n(gpu.guest.span(kBase, kSurfaceBytes).begin(), kSurfaceBytes, u8{99});
    REQUIRE(gpu.mirror->download(kBase, kSurfaceBytes));
    const std::span<const u8> bytes = gpu.guest.span(kBase, kSurfaceBytes);
    CHECK(std::vector<u8>(bytes.begin(), bytes.end()) == repeated({{kSurfaceBytes, 7}}));
    CHECK(gpu.read(kBase + kSurfaceBytes, 64) == repeated({{64, 3}}));
}

TEST_CASE("residency: bytes that the CPU has written over newer ones of the device survive their readback")
{
    GpuFixture gpu;
    draw_surface(gpu, kBase, 7);
    gpu.guest.span(kBase + 5, 1)[0] = 99;
    std::vector<u8> expected = repeated({{kSurfaceBytes, 7}});
    expected[5] = 99;
    CHECK(gpu.read(kBase, kSurfaceBytes) == expected);
    // They are uploaded as any other write.
    CHECK_FALSE(gpu.targets->find_dirty_color(kBase, 0, 32, 32));
    gpu.residency->begin_read(kBase, kSurfaceBytes);
    CHECK(gpu.read(kBase, kSurfaceBytes) == expected);
}

TEST_CASE("residency: surfaces over pages that the CPU has changed are stale after a flush, others are not")
{
    GpuFixture gpu;
    Surface& changed = draw_surface(gpu, kBase, 7);
    Surface& same = draw_surface(gpu, kBase + 0x1000, 8);
    (void)gpu.read(kBase, 0x2000);
    gpu.guest.may_have_written(0, u64{1} << 32); // from here on contents are known
    gpu.residency->check_surfaces();
    for (Surface* surface : {&changed, &same})
        CHECK(gpu.targets->acquire(target_at(surface->key.address), SurfaceKind::Color) == surface);
    CHECK(changed.current);
    CHECK(same.current);
    gpu.guest.span(kBase, 1)[0] = 99;
    gpu.guest.may_have_written(0, u64{1} << 32);
    gpu.residency->check_surfaces();
    CHECK_FALSE(changed.current);
    CHECK(same.current);
}

TEST_CASE("residency: a surface that shares a page with an announced range is compared too")
{
    for (const bool large : {false, true})
    {
        CAPTURE(large);
        GpuFixture gpu;
        // A picture in the first quarter of a page; the CPU's bytes follow in the same page.
        pica::RenderTarget target = target_at(kBase);
        target.width = target.height = 16;
        Surface* surface = gpu.targets->acquire(target, SurfaceKind::Color);
        REQUIRE(surface);
        REQUIRE(gpu.targets->fill_surface({kBase, 16 * 16 * 4, 0x07070707, 4}));
        (void)gpu.read(kBase, 0x1000);
        gpu.guest.may_have_written(kBase, 1);
        gpu.residency->check_surfaces();
        (void)gpu.targets->acquire(target, SurfaceKind::Color);
        REQUIRE(surface->current);
        // Both are written, and only the bytes behind the picture are announced. The device then takes the page.
        gpu.guest.span(kBase, 1)[0] = 99;
        gpu.guest.span(kBase + 0x800, 1)[0] = 98;
        if (large)
            gpu.residency->did_write(kBase + 0x800, pica::GuestMemory::kLargeAnnouncement);
        else
        {
            gpu.guest.may_have_written(kBase + 0x800, 1);
            gpu.residency->check_surfaces();
        }
        gpu.residency->begin_read(kBase + 0x800, 1);
        gpu.guest.may_have_written(kBase, 1);
        gpu.residency->check_surfaces();
        CHECK_FALSE(surface->current);
        CHECK(gpu.read(kBase, 1) == repeated({{1, 99}}));
        CHECK(gpu.read(kBase + 0x800, 1) == repeated({{1, 98}}));
    }
}

TEST_CASE("residency: the CPU reads and writes beside a drawn surface without a wait, and both stay")
{
    GpuFixture gpu;
    const PhysAddr address = kBase + 0x800; // to the middle of the next page
    Surface& surface = draw_surface(gpu, address, 7);
    const auto write_beside = [&](u8 byte)
    {
        gpu.write(kBase + 0x700, repeated({{0x100, byte}}));
        gpu.write(address + kSurfaceBytes, repeated({{0x800, byte}}));
    };
    const auto expected = [](u8 byte) {
        return repeated({{0x700, 0}, {0x100, byte}, {kSurfaceBytes, 7}, {0x800, byte}});
    };
    write_beside(1);
    CHECK(gpu.read(kBase, 0x800) == repeated({{0x700, 0}, {0x100, 1}}));
    CHECK(surface.dirty);
    gpu.residency->begin_read(kBase, 0x2000); // stores it beside what the CPU wrote
    CHECK_FALSE(surface.dirty);
    CHECK(surface.current);
    write_beside(2);
    CHECK(gpu.mirror->counters.downloads == 0);
    CHECK(gpu.read(kBase, 0x2000) == expected(2));
    gpu.residency->begin_read(kBase, 0x2000);
    REQUIRE(gpu.targets->fill_surface({address, kSurfaceBytes, 0x07070707, 4}));
    write_beside(3);
    CHECK(gpu.read(kBase, 0x2000) == expected(3));
}

TEST_CASE("residency: between two newer parts of a page the CPU's bytes count, too")
{
    for (const bool stores_first : {false, true})
    {
        CAPTURE(stores_first);
        GpuFixture gpu;
        draw_surface(gpu, kBase + 0x1800, 8); // the end of page 1
        {
            const Residency::Write write =
                gpu.residency->begin_write(kBase + 0x1000, 0x400, Residency::Overwrites::All);
            fill_mirror(gpu, kBase + 0x1000, 0x400, 5);
        }
        if (stores_first)
            gpu.residency->begin_read(kBase + 0x1000, 0x1000);
        CHECK_FALSE(gpu.residency->newer_on_device(kBase, 0x1000));
        CHECK(gpu.residency->newer_on_device(kBase + 0x1600, 4));
        CHECK_FALSE(gpu.residency->is_current(kBase + 0x1600, 4));
        gpu.write(kBase + 0x1600, repeated({{4, 9}}));
        gpu.residency->begin_read(kBase, 0x3000);
        CHECK(gpu.read(kBase + 0x1000, 0x1800) ==
              repeated({{0x400, 5}, {0x200, 0}, {4, 9}, {0x1FC, 0}, {kSurfaceBytes, 8}}));
    }
}

TEST_CASE("residency: unannounced bytes beside newer ones and announced ones survive the readback")
{
    GpuFixture gpu;
    draw_surface(gpu, kBase + 0x800, 7);
    gpu.write(kBase + 0x100, repeated({{4, 1}}));
    gpu.guest.span(kBase + 0x200, 1)[0] = 2; // unannounced
    gpu.guest.span(kBase + 0x900, 1)[0] = 3; // over the picture
    std::vector<u8> expected = repeated({{0x100, 0}, {4, 1}, {0x6FC, 0}, {kSurfaceBytes, 7}, {0x800, 0}});
    expected[0x200] = 2;
    expected[0x900] = 3;
    CHECK(gpu.read(kBase + 0x800, kSurfaceBytes) ==
          std::vector<u8>(expected.begin() + 0x800, expected.begin() + 0x1800));
    gpu.residency->begin_read(kBase, 0x2000);
    CHECK(gpu.read(kBase, 0x2000) == expected);
}

// Such an announcement says nothing about single bytes of the pages between its edges.
TEST_CASE("residency: large announcements beside newer bytes of the device keep them")
{
    constexpr u32 kLarge = pica::GuestMemory::kLargeAnnouncement + 0x2000;
    for (const bool stores_first : {false, true})
    {
        CAPTURE(stores_first);
        GpuFixture gpu;
        const PhysAddr first = kBase + 0x800, begin = first + kSurfaceBytes, end = begin + kLarge;
        draw_surface(gpu, first, 7);
        draw_surface(gpu, end, 8);
        if (stores_first)
            gpu.residency->begin_read(kBase, kLarge + 0x4000);
        gpu.write(begin, std::vector<u8>(kLarge, 9));
        CHECK(gpu.mirror->counters.downloads == 0);
        gpu.residency->begin_read(begin, kLarge);
        CHECK(gpu.read(first, kLarge + 2 * kSurfaceBytes) ==
              repeated({{kSurfaceBytes, 7}, {kLarge, 9}, {kSurfaceBytes, 8}}));
    }
}

TEST_CASE("residency: a range is current when all pages are that a read of it would bring")
{
    GpuFixture gpu;
    const PhysAddr picture = kBase + 0x1800; // from the end of the range's last page on
    draw_surface(gpu, kBase, 7);
    REQUIRE(gpu.residency->request(kBase, 0x1400));
    REQUIRE(gpu.stream->wait(gpu.stream->current()));
    CHECK(gpu.residency->is_current(kBase, 0x1400));
    draw_surface(gpu, picture, 8);
    CHECK_FALSE(gpu.residency->is_current(kBase, 0x1400));
    CHECK(gpu.residency->is_current(kBase + 0x1000, 0x400));
    CHECK(gpu.residency->is_current(kBase + 0x1000, 0));
}

// The protection of a page ends with the first write to it.
TEST_CASE("residency: where the host protects pages, a page is newer on the device as a whole")
{
    GpuFixture gpu;
    gpu.guest.pages().start_watching();
    draw_surface(gpu, kBase + 0x800, 7);
    CHECK(gpu.residency->newer_on_device(kBase, 1));
    gpu.write(kBase + 0x100, repeated({{4, 1}}));
    CHECK_FALSE(gpu.residency->newer_on_device(kBase, 0x1000));
    CHECK(gpu.read(kBase, 0x1800) == repeated({{0x100, 0}, {4, 1}, {0x6FC, 0}, {kSurfaceBytes, 7}}));
}

TEST_CASE("residency: a write of the device keeps what lies beside it in surfaces and pages")
{
    for (const auto overwrites : {Residency::Overwrites::All, Residency::Overwrites::Some})
    {
        GpuFixture gpu;
        CAPTURE(static_cast<int>(overwrites));
        gpu.write(kBase + 0x1000, repeated({{0x1000, 3}}));
        Surface& surface = draw_surface(gpu, kBase, 7);
        {
            // From the middle of the surface's page to the middle of the next.
            const Residency::Write write = gpu.residency->begin_write(kBase + 0x800, 0x1000, overwrites);
            fill_mirror(gpu, kBase + 0x800, 0x1000, 5);
        }
        CHECK_FALSE(surface.current);
        CHECK_FALSE(surface.dirty);
        CHECK(gpu.residency->newer_on_device(kBase + 0x1000, 1));
        CHECK(gpu.read(kBase, 0x2000) == repeated({{0x800, 7}, {0x1000, 5}, {0x800, 3}}));
    }
}

TEST_CASE("residency: a write with gaps keeps the bytes between its pieces")
{
    GpuFixture gpu;
    gpu.write(kBase + 0x1000, repeated({{0x1000, 3}}));
    draw_surface(gpu, kBase, 7);
    {
        const Residency::Write write = gpu.residency->begin_write(kBase, 0x2000, Residency::Overwrites::Some);
        fill_mirror(gpu, kBase, 0x400, 5);
        fill_mirror(gpu, kBase + 0x1C00, 0x400, 5);
    }
    CHECK(gpu.read(kBase, 0x2000) == repeated({{0x400, 5}, {0xC00, 7}, {0xC00, 3}, {0x400, 5}}));
}

TEST_CASE("residency: what is overwritten completely is not stored before")
{
    GpuFixture gpu;
    draw_surface(gpu, kBase, 7);
    const u64 stores = gpu.targets->counters.stores;
    {
        const Residency::Write write =
            gpu.residency->begin_write(kBase, kSurfaceBytes, Residency::Overwrites::All);
        fill_mirror(gpu, kBase, kSurfaceBytes, 5);
    }
    CHECK(gpu.targets->counters.stores == stores);
    CHECK(gpu.read(kBase, kSurfaceBytes) == repeated({{kSurfaceBytes, 5}}));
}

TEST_CASE("residency: a fill of one surface keeps what another one drew beside it")
{
    GpuFixture gpu;
    draw_surface(gpu, kBase, 1);
    draw_surface(gpu, kBase + 0x800, 2); // its first half is over the second half of the other
    CHECK(gpu.targets->fill_surface({kBase, kSurfaceBytes, 0x03030303, 4}));
    CHECK(gpu.read(kBase, 0x1800) == repeated({{0x1000, 3}, {0x800, 2}}));
}

TEST_CASE("residency: the CPU's write makes surfaces stale; what is discarded is not read back")
{
    GpuFixture gpu;
    Surface& surface = draw_surface(gpu, kBase, 7);
    std::fill_n(gpu.guest.span(kBase, kSurfaceBytes).begin(), kSurfaceBytes, u8{9});
    gpu.residency->did_write(kBase, kSurfaceBytes);
    CHECK_FALSE(surface.current);
    CHECK_FALSE(gpu.residency->newer_on_device(kBase, kSurfaceBytes));
    CHECK(gpu.read(kBase, kSurfaceBytes) == repeated({{kSurfaceBytes, 9}}));

    draw_surface(gpu, kBase, 7);
    gpu.residency->begin_read(kBase, kSurfaceBytes);
    CHECK(gpu.residency->newer_on_device(kBase, kSurfaceBytes));
    gpu.residency->discard(kBase, kSurfaceBytes);
    CHECK_FALSE(gpu.residency->newer_on_device(kBase, kSurfaceBytes));
    CHECK(gpu.read(kBase, kSurfaceBytes) == repeated({{kSurfaceBytes, 9}}));
}

TEST_CASE("residency: the texture cache says what a missing texture will need")
{
    GpuFixture gpu;
    pica::TextureBinding binding;
    binding.address = kBase;
    binding.width = binding.height = 32;
    binding.format = pica::TextureFormat::ETC1;
    gpu.write(kBase, repeated({{kSurfaceBytes, 4}}));
    CHECK_FALSE(gpu.textures->find(binding));
    CHECK_FALSE(gpu.textures->costs(binding).readback);
    CHECK(gpu.textures->costs(binding).bytes >= 32 * 32 * 4);
    const u64 id = gpu.textures->get(binding).image();
    REQUIRE(gpu.textures->find(binding));
    CHECK(gpu.textures->find(binding)->image() == id);

    // Only the CPU decodes compressed formats, so what a surface drew must be read back.
    draw_surface(gpu, kBase, 7);
    CHECK_FALSE(gpu.textures->find(binding));
    CHECK(gpu.textures->costs(binding).readback);
    binding.format = pica::TextureFormat::RGBA8;
    CHECK_FALSE(gpu.textures->costs(binding).readback);

    const u64 used = gpu.textures->bytes();
    gpu.textures->budget = used + 100;
    CHECK(gpu.textures->has_room(100));
    CHECK_FALSE(gpu.textures->has_room(101));
}
