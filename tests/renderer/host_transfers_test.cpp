// SPDX-License-Identifier: MIT
// Who converts a display transfer: the CPU where it is the first to read the output and the device is a CPU, else a shader.
// conformance.host_transfers compares the bytes.
#include "renderer/residency/host_transfers.h"
#include "tests/support/device/gpu_fixture.h"

#include <doctest/doctest.h>

using namespace tests;
using namespace renderer;
using pica::kFcramBase;
using pica::kVramBase;

namespace
{

constexpr u32 kWidth = 64, kHeight = 32;
constexpr PhysAddr kOutput = kFcramBase + 0x10000;
constexpr u32 kOutputBytes = kWidth * kHeight * 3;

struct Transferred
{
    explicit Transferred(std::vector<std::string> mask = {}) : gpu(std::move(mask))
    {
        target.color_address = kVramBase;
        target.width = kWidth;
        target.height = kHeight;
    }
    // Fills a dirty surface with this word and transfers it.
    void transfer(u32 word, PhysAddr output = kOutput)
    {
        Surface* const surface = gpu.targets->acquire(target, SurfaceKind::Color);
        REQUIRE(surface != nullptr);
        pica::MemoryFill fill;
        fill.start = target.color_address;
        fill.end = fill.start + target.color_bytes();
        fill.value = word;
        fill.width = pica::FillWidth::Bits32;
        gpu.transfers->memory_fill(fill);
        REQUIRE(surface->dirty);
        pica::DisplayTransfer t;
        t.input = target.color_address;
        t.output = output;
        t.input_width = t.output_width = kWidth;
        t.input_height = t.output_height = kHeight;
        t.output_format = pica::PixelFormat::RGB8;
        gpu.transfers->display_transfer(t);
    }
    // A transfer whose first byte is 0x13 waits for the CPU, which has read the one before.
    void leave_waiting()
    {
        transfer(0x01020304);
        (void)first_byte();
        transfer(0x11121314);
    }
    bool is_cpu() const { return gpu.device->features.is_cpu; }
    u64 conversions() { return gpu.mirror->host_transfers().conversions(); }
    u8 first_byte(PhysAddr output = kOutput)
    {
        REQUIRE(gpu.residency->make_current(output, kOutputBytes));
        return gpu.guest.span(output, 1)[0];
    }

    GpuFixture gpu;
    pica::RenderTarget target;
};

} // namespace

TEST_CASE("host transfers: the CPU converts what it has been the first to read")
{
    Transferred t;
    if (!t.is_cpu())
        return;
    t.transfer(0x01020304);
    CHECK(t.first_byte() == 3); // RGBA8 in memory without its first byte
    CHECK(t.conversions() == 0);
    t.transfer(0x11121314);
    CHECK(t.conversions() == 0); // not before it is read
    CHECK(t.gpu.residency->newer_on_device(kOutput, 1));
    CHECK(t.first_byte() == 0x13);
    CHECK(t.conversions() == 1);
    CHECK_FALSE(t.gpu.residency->newer_on_device(kOutput, kOutputBytes));
    CHECK(t.gpu.mirror->counters.downloads == 1); // the first
    // Another place is not known yet.
    t.transfer(0x21222324, kOutput + 0x4000);
    CHECK(t.first_byte(kOutput + 0x4000) == 0x23);
    CHECK(t.conversions() == 1);
}

TEST_CASE("host transfers: a GPU converts with a shader")
{
    Transferred t({"cpu"});
    for (u32 i = 0; i < 3; ++i)
    {
        t.transfer(0x01020304 + 0x10101010 * i);
        CHECK(t.first_byte() == 3 + 0x10 * i);
    }
    CHECK(t.conversions() == 0);
}

TEST_CASE("host transfers: a readback that was asked for is done with the submission")
{
    Transferred t;
    if (!t.is_cpu())
        return;
    t.leave_waiting();
    REQUIRE(t.gpu.residency->request(kOutput, kOutputBytes));
    CHECK_FALSE(t.gpu.residency->is_current(kOutput, kOutputBytes));
    REQUIRE(t.gpu.stream->wait(t.gpu.stream->submit()));
    CHECK(t.gpu.residency->is_current(kOutput, kOutputBytes));
    CHECK(t.first_byte() == 0x13);
    CHECK(t.conversions() == 1);
    CHECK(t.gpu.mirror->counters.read_ahead_bytes == 0); // no copy was recorded
}

TEST_CASE("host transfers: where the device is the first to read, a shader converts for a while")
{
    Transferred t;
    if (!t.is_cpu())
        return;
    t.leave_waiting();
    t.gpu.residency->begin_read(kOutput, 16); // waits for the conversion
    CHECK(t.conversions() == 1);
    CHECK(t.first_byte() == 0x13);
    CHECK(t.gpu.mirror->counters.downloads == 2);
    for (u32 i = 0; i < 60; ++i)
    {
        t.transfer(0x21222324);
        CHECK(t.first_byte() == 0x23);
        CHECK(t.conversions() == 1);
    }
    t.transfer(0x31323334);
    CHECK(t.first_byte() == 0x33);
    CHECK(t.conversions() == 2);
}

TEST_CASE("host transfers: a host that stops reading has a bounded number waiting")
{
    Transferred t;
    if (!t.is_cpu())
        return;
    constexpr u32 kPlaces = 12;
    const auto place = [](u32 i) { return kOutput + i * 0x2000; };
    for (u32 i = 0; i < kPlaces; ++i)
    {
        t.transfer(0x01020304, place(i));
        (void)t.first_byte(place(i));
    }
    for (u32 i = 0; i < kPlaces; ++i)
        t.transfer(0x11121314 + 0x100 * i, place(i));
    for (u32 i = 0; i < kPlaces; ++i)
        CHECK(t.first_byte(place(i)) == 0x13 + i);
    CHECK(t.conversions() == 8); // the others went the usual way
    // What is overwritten is not converted, and a host that leaves it unread gets a shader again.
    const u64 downloads = t.gpu.mirror->counters.downloads;
    for (u32 i = 0; i < 20; ++i)
        t.transfer(0x41424344 + 0x100 * i);
    CHECK(t.conversions() == 8);
    CHECK(t.first_byte() == 0x43 + 19);
    CHECK(t.conversions() == 8);
    CHECK(t.gpu.mirror->counters.downloads == downloads + 1);
    t.transfer(0x51525354);
    CHECK(t.first_byte() == 0x53);
    CHECK(t.conversions() == 9);
}

// The outputs of both screens can share a page, and so can what the device draws beside them.
TEST_CASE("host transfers: outputs that share a page do not wait for each other")
{
    Transferred t;
    if (!t.is_cpu())
        return;
    const PhysAddr second = kOutput + kOutputBytes;
    for (u32 i = 0; i < 4; ++i)
    {
        t.transfer(0x01020304 + 0x10101010 * i);
        t.transfer(0x05060708 + 0x10101010 * i, second);
        REQUIRE(t.gpu.residency->request(kOutput, 2 * kOutputBytes));
        REQUIRE(t.gpu.stream->wait(t.gpu.stream->submit()));
        CHECK(t.gpu.residency->is_current(kOutput, 2 * kOutputBytes));
        CHECK(t.first_byte() == 3 + 0x10 * i);
        CHECK(t.first_byte(second) == 7 + 0x10 * i);
        CHECK(t.gpu.guest.span(second - 1, 1)[0] == 1 + 0x10 * i); // the last byte of the first output
        CHECK(t.conversions() == 2 * i);
    }
}

TEST_CASE("host transfers: a transfer and a surface share a page, and the CPU writes without asking")
{
    Transferred t;
    if (!t.is_cpu())
        return;
    const auto run = [&](u32 word, bool writes)
    {
        t.transfer(word);
        // Drawn and not stored, in the last half page behind the output.
        pica::RenderTarget beside;
        beside.color_address = kOutput + kOutputBytes;
        beside.width = beside.height = 16;
        Surface* const surface = t.gpu.targets->acquire(beside, SurfaceKind::Color);
        REQUIRE(surface != nullptr);
        t.gpu.targets->use_as_attachment(*surface);
        t.gpu.targets->mark_dirty(*surface);
        const u8 byte[] = {0x5A};
        if (writes)
        {
            t.gpu.guest.span(kOutput + 0x1100, 1)[0] = byte[0];
            t.gpu.residency->did_write(kOutput + 0x1100, 1);
        }
        return t.first_byte();
    };
    CHECK(run(0x01020304, false) == 3);
    CHECK(run(0x11121314, false) == 0x13);
    CHECK(t.conversions() == 1);
    CHECK(run(0x21222324, true) == 0x23);
    CHECK(t.gpu.guest.span(kOutput + 0x1100, 1)[0] == 0x5A);
}

TEST_CASE("host transfers: what the device wrote beside a transfer is read ahead with it")
{
    Transferred t;
    if (!t.is_cpu())
        return;
    t.leave_waiting();
    const PhysAddr beside = kOutput + kOutputBytes;
    pica::MemoryFill fill;
    fill.start = beside;
    fill.end = beside + 0x200;
    fill.value = 0x5A5A5A5A;
    fill.width = pica::FillWidth::Bits32;
    t.gpu.transfers->memory_fill(fill);
    REQUIRE(t.gpu.residency->request(kOutput, kOutputBytes + 0x200));
    REQUIRE(t.gpu.stream->wait(t.gpu.stream->submit()));
    CHECK(t.gpu.residency->is_current(kOutput, kOutputBytes + 0x200));
    const u64 downloads = t.gpu.mirror->counters.downloads;
    REQUIRE(t.gpu.residency->make_current(kOutput, kOutputBytes + 0x200));
    CHECK(t.gpu.mirror->counters.downloads == downloads);
    CHECK(t.conversions() == 1);
    CHECK(t.first_byte() == 0x13);
    CHECK(t.gpu.guest.span(beside - 1, 1)[0] == 0x11); // the last byte of the output
    CHECK(t.gpu.guest.read32(beside) == 0x5A5A5A5A);
}
