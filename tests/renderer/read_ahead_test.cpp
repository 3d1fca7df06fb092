// SPDX-License-Identifier: MIT
// Readbacks that are requested in advance: every reader still gets the newest bytes.
#include "tests/support/device/gpu_fixture.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

using namespace tests;
using namespace renderer;
using pica::kFcramBase;

namespace
{

constexpr PhysAddr kBase = kFcramBase + 0x4000;

void fill_on_device(GpuFixture& gpu, PhysAddr address, u32 size, u32 word)
{
    pica::MemoryFill fill;
    fill.start = address;
    fill.end = address + size;
    fill.value = word;
    fill.width = pica::FillWidth::Bits32;
    gpu.transfers->memory_fill(fill);
}

// As a host that does not announce what it writes.
void write_unannounced(GpuFixture& gpu, PhysAddr address, u32 word)
{
    gpu.guest.write32(address, word);
}

u32 word_at(GpuFixture& gpu, PhysAddr address)
{
    return gpu.guest.read32(address);
}

} // namespace

TEST_CASE("read ahead: what was asked for is taken without another copy")
{
    GpuFixture gpu;
    fill_on_device(gpu, kBase, 0x3000, 7);
    CHECK_FALSE(gpu.mirror->download_is_done(kBase, 0x3000));
    REQUIRE(gpu.mirror->request_download(kBase, 0x3000));
    CHECK_FALSE(gpu.mirror->download_is_done(kBase, 0x3000)); // it has not even been submitted
    REQUIRE(gpu.stream->wait(gpu.stream->current()));
    CHECK(gpu.mirror->download_is_done(kBase, 0x3000));
    CHECK(word_at(gpu, kBase) == 0);
    REQUIRE(gpu.mirror->download(kBase, 0x1000));
    CHECK(gpu.mirror->counters.read_ahead_bytes == 0x1000);
    REQUIRE(gpu.mirror->download(kBase, 0x3000));
    CHECK(gpu.mirror->counters.read_ahead_bytes == 0x3000);
    CHECK(gpu.mirror->counters.downloads == 0);
    CHECK(word_at(gpu, kBase + 0x2FFC) == 7);
    CHECK_FALSE(gpu.mirror->gpu_newer(kBase, 0x3000));
    // Asked for twice, copied once.
    fill_on_device(gpu, kBase, 0x1000, 8);
    REQUIRE(gpu.mirror->request_download(kBase, 0x1000));
    const u64 barriers = gpu.stream->counters.barriers;
    REQUIRE(gpu.mirror->request_download(kBase, 0x1000));
    CHECK(gpu.stream->counters.barriers == barriers);
}

TEST_CASE("read ahead: bytes that the CPU wrote in the meantime stand")
{
    GpuFixture gpu;
    fill_on_device(gpu, kBase, 0x2000, 7);
    REQUIRE(gpu.mirror->request_download(kBase, 0x2000));
    write_unannounced(gpu, kBase + 0x10, 0x1234);
    REQUIRE(gpu.mirror->download(kBase, 0x2000));
    CHECK(word_at(gpu, kBase + 0x10) == 0x1234);
    CHECK(word_at(gpu, kBase + 0x14) == 0); // of the page as a whole
    CHECK(word_at(gpu, kBase + 0x1000) == 7);
    CHECK(gpu.mirror->counters.read_ahead_bytes == 0x1000);
    // The same without a copy under way.
    fill_on_device(gpu, kBase, 0x2000, 9);
    write_unannounced(gpu, kBase + 0x10, 0x5678);
    REQUIRE(gpu.mirror->download(kBase, 0x2000));
    CHECK(word_at(gpu, kBase + 0x10) == 0x5678);
    CHECK(word_at(gpu, kBase + 0x1000) == 9);
}

TEST_CASE("read ahead: what the CPU announced beside the copied bytes stands, and the copy is used")
{
    GpuFixture gpu;
    fill_on_device(gpu, kBase, 0x1800, 7);
    REQUIRE(gpu.mirror->request_download(kBase, 0x1800));
    const u8 bytes[] = {1, 2, 3, 4};
    gpu.write(kBase + 0x1800, bytes);
    REQUIRE(gpu.stream->wait(gpu.stream->current()));
    CHECK(gpu.mirror->download_is_done(kBase, 0x2000));
    REQUIRE(gpu.mirror->download(kBase, 0x2000));
    CHECK(word_at(gpu, kBase + 0x17FC) == 7);
    CHECK(word_at(gpu, kBase + 0x1800) == 0x04030201);
    CHECK(word_at(gpu, kBase + 0x1804) == 0);
    CHECK(gpu.mirror->counters.downloads == 0);
    CHECK(gpu.mirror->counters.read_ahead_bytes == 0x1800);
}

TEST_CASE("read ahead: a copy older than what the device wrote since counts for nothing")
{
    GpuFixture gpu;
    fill_on_device(gpu, kBase, 0x2000, 7);
    REQUIRE(gpu.mirror->request_download(kBase, 0x2000));
    fill_on_device(gpu, kBase, 0x1000, 8);
    REQUIRE(gpu.stream->wait(gpu.stream->current()));
    CHECK_FALSE(gpu.mirror->download_is_done(kBase, 0x2000));
    CHECK(gpu.mirror->download_is_done(kBase + 0x1000, 0x1000));
    REQUIRE(gpu.mirror->request_download(kBase, 0x2000)); // the first page alone
    REQUIRE(gpu.stream->wait(gpu.stream->current()));
    CHECK(gpu.mirror->download_is_done(kBase, 0x2000));
    REQUIRE(gpu.mirror->download(kBase, 0x2000));
    CHECK(word_at(gpu, kBase) == 8);
    CHECK(word_at(gpu, kBase + 0x1000) == 7);
    CHECK(gpu.mirror->counters.downloads == 0);
}

TEST_CASE("read ahead: more than are kept, and each page is right")
{
    GpuFixture gpu;
    for (u32 page = 0; page < 20; ++page)
    {
        fill_on_device(gpu, kBase + page * 0x1000, 0x1000, page + 1);
        REQUIRE(gpu.mirror->request_download(kBase + page * 0x1000, 0x1000));
    }
    REQUIRE(gpu.mirror->download(kBase, 20 * 0x1000));
    for (u32 page = 0; page < 20; ++page)
        CHECK(word_at(gpu, kBase + page * 0x1000) == page + 1);
    CHECK(gpu.mirror->counters.read_ahead_bytes < 20 * 0x1000);
    CHECK(gpu.mirror->counters.downloaded_bytes + gpu.mirror->counters.read_ahead_bytes == 20 * 0x1000);
}

TEST_CASE("read ahead: memory of a copy that was given up is free when the device has made the copy")
{
    GpuFixture gpu;
    const auto request = [&](u32 page, u32 pages)
    {
        fill_on_device(gpu, kBase + page * 0x1000, pages * 0x1000, page + 1);
        REQUIRE(gpu.mirror->request_download(kBase + page * 0x1000, pages * 0x1000));
    };
    for (u32 i = 0; i < 8; ++i) // as many as are kept
        request(i * 4, 4);
    for (u32 i = 0; i < 8; ++i) // each takes the place of one, and little of its memory
        request(32 + i, 1);
    // Take memory that is free.
    std::vector<Buffer> others;
    for (u32 i = 0; i < 20; ++i)
    {
        auto buffer =
            gpu.memory->create_buffer(0x1000, VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryKind::Readback, "test");
        REQUIRE(buffer);
        std::fill_n(buffer->mapped, 0x1000, std::byte{0x5A});
        others.push_back(std::move(*buffer));
    }
    REQUIRE(gpu.stream->wait(gpu.stream->current()));
    for (const Buffer& buffer : others)
        CHECK(std::all_of(buffer.mapped, buffer.mapped + 0x1000,
                          [](std::byte byte) { return byte == std::byte{0x5A}; }));
}

TEST_CASE("readback: a picture that was only drawn is newer, and is brought in its turn")
{
    GpuFixture gpu;
    pica::RenderTarget target;
    target.color_address = kBase;
    target.width = target.height = 32;
    target.flip = 1;
    Surface* surface = gpu.targets->acquire(target, SurfaceKind::Color);
    REQUIRE(surface);
    CHECK_FALSE(gpu.residency->newer_on_device(kBase, 4));
    CHECK(gpu.residency->is_current(kBase, 4));
    gpu.targets->mark_dirty(*surface);
    CHECK(gpu.residency->newer_on_device(kBase, 4));
    CHECK_FALSE(gpu.residency->is_current(kBase, 4));
    CHECK_FALSE(gpu.residency->newer_on_device(kBase - 0x1000, 4));
    REQUIRE(gpu.residency->request(kBase, 0x1000));
    CHECK(gpu.residency->newer_on_device(kBase, 4)); // in the mirror
    CHECK_FALSE(gpu.residency->is_current(kBase, 4));
    REQUIRE(gpu.stream->wait(gpu.stream->current()));
    CHECK(gpu.residency->is_current(kBase, 4));
    REQUIRE(gpu.residency->make_current(kBase, 4));
    CHECK_FALSE(gpu.residency->newer_on_device(kBase, 0x1000));
}
