// SPDX-License-Identifier: MIT
// States of pages: what is uploaded, what is read back, and what survives.
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

// Bytes of the mirror itself, whatever the page states say.
std::vector<u8> mirror_bytes(GpuFixture& gpu, PhysAddr address, u32 size)
{
    auto buffer =
        gpu.memory->create_buffer(size, VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryKind::Readback, "test");
    REQUIRE(buffer);
    const GuestMirror::Location at = gpu.mirror->locate(address, size);
    REQUIRE(at.buffer);
    gpu.mirror->use(at.region, kTransferRead);
    const VkBufferCopy copy{at.offset, 0, size};
    gpu.device->vk.vkCmdCopyBuffer(gpu.stream->cmd(), at.buffer, buffer->buffer, 1, &copy);
    gpu.stream->barrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                        VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
    REQUIRE(gpu.stream->wait(gpu.stream->current()));
    std::vector<u8> bytes(size);
    std::memcpy(bytes.data(), buffer->mapped, size);
    return bytes;
}

void fill_on_gpu(GpuFixture& gpu, PhysAddr address, u32 size, u32 word)
{
    gpu.mirror->prepare_write(address, size);
    const GuestMirror::Location at = gpu.mirror->locate(address, size);
    gpu.mirror->use(at.region, kTransferWrite);
    gpu.device->vk.vkCmdFillBuffer(gpu.stream->cmd(), at.buffer, at.offset, size, word);
    gpu.mirror->gpu_wrote(address, size, GuestMirror::Overwrites::All);
}

} // namespace

TEST_CASE("guest mirror: only pages that changed are uploaded again")
{
    GpuFixture gpu;
    Random random(7);
    gpu.fill_random(random, kFcramBase, 0x8000);
    gpu.mirror->require(kFcramBase, 0x8000);
    CHECK(gpu.mirror->counters.uploads == 1);
    CHECK(gpu.mirror->counters.uploaded_bytes == 0x8000);
    gpu.mirror->require(kFcramBase, 0x8000);
    CHECK(gpu.mirror->counters.uploads == 1);
    (void)gpu.stream->cmd(); // the upload is recorded
    const u8 byte[] = {0x5A};
    gpu.write(kFcramBase + 0x1234, byte);
    gpu.write(kFcramBase + 0x5FFF, byte);
    gpu.mirror->require(kFcramBase, 0x8000);
    CHECK(gpu.mirror->counters.uploads == 3);
    CHECK(gpu.mirror->counters.uploaded_bytes == 0xA000);
    CHECK(mirror_bytes(gpu, kFcramBase, 0x8000) == gpu.read(kFcramBase, 0x8000));
    CHECK(gpu.mirror->counters.downloads == 0);
}

TEST_CASE("guest mirror: device writes reach memory and leave their neighbours alone")
{
    GpuFixture gpu;
    Random random(8);
    gpu.fill_random(random, kVramBase, 0x6000);
    std::vector<u8> expected = gpu.read(kVramBase, 0x6000);
    const u64 generation = gpu.guest.generation(kVramBase + 0x1800, 4);
    fill_on_gpu(gpu, kVramBase + 0x1800, 0x2400, 0xDDCCBBAA);
    for (u32 i = 0x1800; i < 0x3C00; ++i)
        expected[i] = static_cast<u8>(0xAA + 0x11 * (i & 3));
    CHECK(gpu.guest.generation(kVramBase + 0x1800, 4) > generation);
    CHECK(gpu.mirror->gpu_newer(kVramBase + 0x1800, 1));
    CHECK(gpu.mirror->gpu_newer(kVramBase + 0x3BFF, 1));
    CHECK_FALSE(gpu.mirror->gpu_newer(kVramBase + 0x3C00, 0x2400));
    CHECK_FALSE(gpu.mirror->gpu_newer(kVramBase, 0x1800));
    const u64 written = gpu.guest.latest_generation();
    CHECK(gpu.read(kVramBase, 0x6000) == expected);
    CHECK(gpu.guest.latest_generation() == written);
    CHECK_FALSE(gpu.mirror->gpu_newer(kVramBase, 0x6000));
    CHECK(gpu.mirror->counters.downloaded_bytes == 0x2400);

    // Current on both sides now: nothing moves.
    const u64 uploads = gpu.mirror->counters.uploads;
    gpu.mirror->require(kVramBase + 0x1000, 0x3000);
    CHECK(gpu.mirror->counters.uploads == uploads);

    // A CPU write into a page that the device has written since keeps the rest of the page.
    fill_on_gpu(gpu, kVramBase + 0x2000, 0x1000, 0x01020304);
    const u8 bytes[] = {9, 8, 7};
    gpu.write(kVramBase + 0x2101, bytes);
    for (u32 i = 0x2000; i < 0x3000; ++i)
        expected[i] = static_cast<u8>(4 - (i & 3));
    std::memcpy(&expected[0x2101], bytes, 3);
    gpu.mirror->require(kVramBase, 0x6000);
    CHECK(mirror_bytes(gpu, kVramBase, 0x6000) == expected);
    CHECK(gpu.read(kVramBase, 0x6000) == expected);
}

// Games place a picture and what they write in each frame side by side.
TEST_CASE("guest mirror: the CPU writes beside newer bytes of the device without a wait, and both stay")
{
    GpuFixture gpu;
    Random random(9);
    gpu.fill_random(random, kVramBase, 0x6000);
    std::vector<u8> expected = gpu.read(kVramBase, 0x6000);
    fill_on_gpu(gpu, kVramBase + 0x1800, 0x2400, 0xDDCCBBAA);
    for (u32 i = 0x1800; i < 0x3C00; ++i)
        expected[i] = static_cast<u8>(0xAA + 0x11 * (i & 3));
    const auto write_beside = [&]
    {
        for (const auto& [begin, end] : {std::pair{0x1000u, 0x1800u}, {0x3C00u, 0x3C01u}, {0x3D00u, 0x5000u}})
        {
            std::vector<u8> bytes(end - begin);
            std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<u8>(random.next()); });
            std::copy(bytes.begin(), bytes.end(), expected.begin() + begin);
            gpu.write(kVramBase + begin, bytes);
        }
    };
    write_beside();
    CHECK(gpu.mirror->counters.downloads == 0);
    CHECK(gpu.mirror->gpu_newer(kVramBase + 0x1800, 0x2400));
    gpu.mirror->require(kVramBase, 0x6000); // the device reads all of it
    CHECK(mirror_bytes(gpu, kVramBase, 0x6000) == expected);
    write_beside();
    gpu.mirror->require(kVramBase, 0x6000);
    write_beside(); // in the pages of uploads that wait
    gpu.mirror->require(kVramBase, 0x6000);
    write_beside();
    // The device writes on, into bytes that the CPU wrote.
    fill_on_gpu(gpu, kVramBase + 0x1400, 0x200, 0x01010101);
    std::fill_n(expected.begin() + 0x1400, 0x200, u8{1});
    CHECK(mirror_bytes(gpu, kVramBase + 0x1000, 0x1000) ==
          std::vector<u8>(expected.begin() + 0x1000, expected.begin() + 0x2000));
    write_beside(); // some of it over bytes of the device
    CHECK(gpu.read(kVramBase, 0x6000) == expected);
    gpu.mirror->require(kVramBase, 0x6000);
    CHECK(mirror_bytes(gpu, kVramBase, 0x6000) == expected);
}

// Emulators do so at places that they own; from the write on, the page is theirs.
TEST_CASE("guest mirror: what the CPU wrote without asking is not replaced by what the device has")
{
    GpuFixture gpu;
    Random random(11);
    gpu.fill_random(random, kVramBase, 0x3000);
    fill_on_gpu(gpu, kVramBase, 0x3000, 0xDDCCBBAA);
    const std::span<u8> bytes = gpu.guest.span(kVramBase + 0x1000, 0x1000);
    std::fill(bytes.begin(), bytes.end(), u8{0x11});
    gpu.guest.did_write(kVramBase + 0x1000, 0x1000);
    REQUIRE(gpu.mirror->download(kVramBase, 0x3000));
    CHECK(std::all_of(bytes.begin(), bytes.end(), [](u8 byte) { return byte == 0x11; }));
    CHECK(gpu.guest.span(kVramBase + 0xFFF, 1)[0] == 0xDD);
    CHECK(gpu.guest.span(kVramBase + 0x2000, 1)[0] == 0xAA);
    CHECK_FALSE(gpu.mirror->gpu_newer(kVramBase, 0x3000));
}

TEST_CASE("guest mirror: random reads and writes of both sides leave one truth")
{
    GpuFixture gpu;
    constexpr u32 kSize = 0x9000;
    for_each_seed(40,
                  [&](u32, Random& random)
                  {
                      const PhysAddr base = random.chance(1, 2) ? kVramBase + 0x100000 : kFcramBase + 0x3000;
                      std::vector<u8> expected = gpu.read(base, kSize);
                      for (u32 step = 0; step < 30; ++step)
                      {
                          const u32 at = random.below(kSize - 16) & ~3u;
                          const u32 size = (1 + random.below(std::min(kSize - at, 0x3000u) / 4)) * 4;
                          switch (random.below(6))
                          {
                          case 0:
                          {
                              const u32 word = random.next();
                              fill_on_gpu(gpu, base + at, size, word);
                              for (u32 i = 0; i < size; ++i)
                                  expected[at + i] = static_cast<u8>(word >> (8 * (i & 3)));
                              break;
                          }
                          case 1:
                          {
                              std::vector<u8> bytes(size);
                              for (u8& b : bytes)
                                  b = static_cast<u8>(random.next());
                              gpu.write(base + at, bytes);
                              std::memcpy(&expected[at], bytes.data(), size);
                              break;
                          }
                          case 2:
                              gpu.mirror->require(base + at, size);
                              break;
                          case 3: // for a batch, which must not read what was replaced since
                              if (gpu.mirror->batch_reads_older(base + at, size))
                                  gpu.stream->end_batch();
                              gpu.mirror->require_for_batch(base + at, size);
                              break;
                          case 4: // nobody announces it
                          {
                              // What is written to pages on the device is looked for elsewhere.
                              (void)gpu.read(base, kSize);
                              const std::span<u8> bytes = gpu.guest.span(base + at, size);
                              for (u32 i = 0; i < size && random.chance(3, 4); i += 1 + random.below(size))
                                  expected[at + i] = ++bytes[i];
                              gpu.guest.may_have_written(base, kSize);
                              break;
                          }
                          default:
                              REQUIRE(gpu.read(base + at, size) ==
                                      std::vector<u8>(expected.begin() + at, expected.begin() + at + size));
                          }
                      }
                      gpu.mirror->require(base, kSize);
                      CHECK(mirror_bytes(gpu, base, kSize) == expected);
                      CHECK(gpu.read(base, kSize) == expected);
                  });
}

TEST_CASE("guest mirror: it knows whether the open batch reads bytes that were replaced since")
{
    GpuFixture gpu;
    Random random(3);
    gpu.fill_random(random, kFcramBase, 0x3000);
    const u8 byte[] = {1};
    gpu.mirror->require_for_batch(kFcramBase + 0x1000, 16);
    CHECK_FALSE(gpu.mirror->batch_reads_older(kFcramBase, 0x3000));
    gpu.write(kFcramBase + 0x2000, byte);
    CHECK_FALSE(gpu.mirror->batch_reads_older(kFcramBase, 0x3000)); // another page
    gpu.write(kFcramBase + 0x1800, byte);
    CHECK_FALSE(gpu.mirror->batch_reads_older(kFcramBase, 0x3000)); // other bytes of the page
    gpu.write(kFcramBase + 0x100F, byte);
    CHECK(gpu.mirror->batch_reads_older(kFcramBase + 0x1000, 16));
    CHECK(gpu.mirror->batch_reads_older(kFcramBase + 0x0FFF, 2));
    CHECK_FALSE(gpu.mirror->batch_reads_older(kFcramBase, 0x1000));
    gpu.stream->end_batch();
    CHECK_FALSE(gpu.mirror->batch_reads_older(kFcramBase, 0x3000)); // an earlier batch does
    gpu.mirror->require_for_batch(kFcramBase + 0x1000, 16);
    CHECK_FALSE(gpu.mirror->batch_reads_older(kFcramBase, 0x3000));
}

TEST_CASE("guest mirror: pages that were found current are looked at again after every kind of change")
{
    GpuFixture gpu;
    Random random(4);
    gpu.fill_random(random, kFcramBase, 0x3000);
    const u8 byte[] = {0x77};
    const auto is_right = [&]
    {
        gpu.mirror->require_for_batch(kFcramBase, 0x3000);
        gpu.mirror->require_for_batch(kFcramBase, 0x3000); // once more, when all are known as current
        CHECK_FALSE(gpu.mirror->batch_reads_older(kFcramBase, 0x3000));
        return mirror_bytes(gpu, kFcramBase, 0x3000) == gpu.read(kFcramBase, 0x3000);
    };
    CHECK(is_right());
    gpu.write(kFcramBase + 0x1010, byte); // announced
    CHECK(gpu.mirror->batch_reads_older(kFcramBase + 0x1000, 0x20));
    gpu.stream->end_batch();
    CHECK(is_right());
    const u64 uploads = gpu.mirror->counters.uploads;
    gpu.guest.may_have_written(0, u64{1} << 32); // but was not
    CHECK(is_right());
    gpu.stream->end_batch();
    gpu.guest.span(kFcramBase + 0x2020, 1)[0] ^= 1;
    gpu.guest.may_have_written(0, u64{1} << 32);
    CHECK(is_right());
    CHECK(gpu.mirror->counters.uploads > uploads);
    gpu.stream->end_batch();
    fill_on_gpu(gpu, kFcramBase + 0x1000, 0x1000, 0x12345678);
    CHECK(is_right()); // reads it back
    CHECK(is_right());
    fill_on_gpu(gpu, kFcramBase, 0x1000, 0xAAAAAAAA);
    gpu.mirror->discard(kFcramBase, 0x1000);
    CHECK(is_right());
}

TEST_CASE("guest mirror: bytes of a page that the open batch does not read may be replaced")
{
    GpuFixture gpu;
    Random random(4);
    gpu.fill_random(random, kFcramBase, 0x3000);
    const auto cpu_writes = [&](PhysAddr address, u32 size)
    {
        for (u8& byte : gpu.guest.span(address, size))
            byte ^= 0xFF;
        gpu.mirror->cpu_wrote(address, size);
    };
    const auto is_older = [&] { return gpu.mirror->batch_reads_older(kFcramBase, 0x3000); };
    gpu.mirror->require_for_batch(kFcramBase + 0x0FF0, 0x30); // up to 0x1020
    cpu_writes(kFcramBase + 0x1020, 0x40);
    CHECK_FALSE(is_older());
    gpu.mirror->require_for_batch(kFcramBase + 0x1020, 0x40); // a draw that reads the new bytes
    CHECK(mirror_bytes(gpu, kFcramBase + 0x1000, 0x1000) == gpu.read(kFcramBase + 0x1000, 0x1000));
    cpu_writes(kFcramBase + 0x0F00, 0xF0);
    cpu_writes(kFcramBase + 0x1060, 0x10);
    CHECK_FALSE(is_older());
    SUBCASE("before its bytes of the first page, and after those of the second") {}
    SUBCASE("the first of its bytes")
    {
        cpu_writes(kFcramBase + 0x0FF0, 1);
        CHECK(is_older());
    }
    SUBCASE("the last of its bytes")
    {
        cpu_writes(kFcramBase + 0x105F, 1);
        CHECK(is_older());
    }
    SUBCASE("a range across all of them")
    {
        cpu_writes(kFcramBase + 0x0100, 0x2000);
        CHECK(is_older());
    }
    SUBCASE("nobody knows which bytes")
    {
        gpu.guest.did_write(kFcramBase + 0x1800, 1); // the mirror does not hear of it
        CHECK(is_older());
        cpu_writes(kFcramBase + 0x1900, 1);
        CHECK(is_older());
        gpu.mirror->require(kFcramBase, 0x3000);
        CHECK_FALSE(is_older());
        cpu_writes(kFcramBase + 0x1900, 1);
        CHECK_FALSE(is_older());
    }
    SUBCASE("a large announcement says no more than the pages")
    {
        gpu.guest.span(kFcramBase + 0x1800, 1)[0] ^= 1;
        gpu.mirror->cpu_wrote(kFcramBase, pica::GuestMemory::kLargeAnnouncement);
        CHECK(is_older());
    }
}

TEST_CASE("guest mirror: addresses outside memory are nobody's")
{
    GpuFixture gpu;
    CHECK(gpu.mirror->locate(0x10000000, 4).buffer == VK_NULL_HANDLE);
    CHECK(gpu.mirror->locate(kVramBase + pica::kVramSize - 4, 8).buffer == VK_NULL_HANDLE);
    CHECK(gpu.mirror->locate(kVramBase + pica::kVramSize - 4, 4).buffer != VK_NULL_HANDLE);
    CHECK(gpu.mirror->clamp_size(kVramBase + pica::kVramSize - 4, 100) == 4);
    gpu.mirror->require(0x10000000, 100);
    gpu.mirror->require(kVramBase + pica::kVramSize - 4, 100000);
    gpu.mirror->gpu_wrote(0, kVramBase, GuestMirror::Overwrites::All);
    CHECK_FALSE(gpu.mirror->gpu_newer(0, 0xFFFFFFFF));
    CHECK(gpu.mirror->download(0x1F000000, 0x1000));
}

TEST_CASE("guest mirror: ranges that begin outside or span both regions are those parts that exist")
{
    GpuFixture gpu;
    const auto make_newer = [&]
    {
        fill_on_gpu(gpu, kVramBase, 0x1000, 0x11223344);
        fill_on_gpu(gpu, kFcramBase, 0x1000, 0x55667788);
    };
    make_newer();
    CHECK(gpu.mirror->gpu_newer(kVramBase - 1, 2));
    CHECK(gpu.mirror->gpu_newer(kVramBase + 0x1000, kFcramBase - kVramBase));
    CHECK_FALSE(gpu.mirror->gpu_newer(kVramBase + 0x1000, kFcramBase - kVramBase - 0x1000));
    CHECK(gpu.mirror->download(kVramBase - 0x800, 0x801));
    CHECK(gpu.guest.read32(kVramBase) == 0x11223344);
    CHECK(gpu.guest.read32(kFcramBase) == 0);
    gpu.guest.write32(kVramBase, 0);
    make_newer();
    CHECK(gpu.mirror->request_download(0, 0xFFFFFFFF));
    REQUIRE(gpu.stream->wait(gpu.stream->current()));
    CHECK(gpu.mirror->download_is_done(0, 0xFFFFFFFF));
    CHECK(gpu.mirror->download(0, 0xFFFFFFFF));
    CHECK(gpu.guest.read32(kVramBase) == 0x11223344);
    CHECK(gpu.guest.read32(kFcramBase) == 0x55667788);
    CHECK_FALSE(gpu.mirror->any_newer());

    // The CPU's bytes reach the device through such a range.
    const u8 bytes[4] = {1, 2, 3, 4};
    gpu.write(kVramBase, bytes);
    gpu.write(kFcramBase, bytes);
    gpu.mirror->require(kVramBase - 0x1000, kFcramBase - kVramBase + 0x1001);
    CHECK(mirror_bytes(gpu, kVramBase, 4) == std::vector<u8>(bytes, bytes + 4));
    CHECK(mirror_bytes(gpu, kFcramBase, 4) == std::vector<u8>(bytes, bytes + 4));

    // From which place a shader reaches all of a range.
    CHECK(gpu.mirror->region_holds(kVramBase, kVramBase - 0x1000, 0x2000));
    CHECK_FALSE(gpu.mirror->region_holds(kVramBase, kFcramBase, 1));
    CHECK_FALSE(gpu.mirror->region_holds(kVramBase - 1, kVramBase, 1));
    CHECK(gpu.mirror->region_holds(0, kVramBase + pica::kVramSize, 0x1000));
}

// Without a use between them, two uploads of a page are two writes to the same bytes. The validation layers see it
// if nothing orders them (GpuFixture).
TEST_CASE("guest mirror: a page that is uploaded again before its use is ordered behind its first upload")
{
    GpuFixture gpu;
    Random random(12);
    gpu.fill_random(random, kFcramBase, 0x4000);
    gpu.mirror->require(kFcramBase, 0x4000);
    (void)gpu.stream->cmd();
    const auto barriers_of = [&](PhysAddr address, u32 size)
    {
        const u64 before = gpu.stream->counters.barriers;
        gpu.mirror->require(address, size);
        (void)gpu.stream->cmd();
        return gpu.stream->counters.barriers - before;
    };
    const u8 byte[] = {0xA5};
    gpu.write(kFcramBase + 0x1000, byte);
    CHECK(barriers_of(kFcramBase, 0x4000) == 1);
    gpu.write(kFcramBase + 0x1001, byte);
    gpu.write(kFcramBase + 0x2000, byte);
    CHECK(barriers_of(kFcramBase, 0x4000) == 1);
    // The last barrier orders everything behind the earlier uploads, so other pages need none.
    gpu.write(kFcramBase + 0x3000, byte);
    CHECK(barriers_of(kFcramBase, 0x4000) == 0);
    CHECK(gpu.mirror->counters.uploads == 4);
    CHECK(mirror_bytes(gpu, kFcramBase, 0x4000) == gpu.read(kFcramBase, 0x4000));
}

TEST_CASE("guest mirror: an upload that no command has followed yet is changed in place")
{
    GpuFixture gpu;
    Random random(13);
    gpu.fill_random(random, kFcramBase, 0x4000);
    gpu.mirror->require(kFcramBase, 0x4000);
    const u8 byte[] = {0xA5};
    gpu.write(kFcramBase + 0x1000, byte);
    gpu.write(kFcramBase + 0x3FFF, byte);
    gpu.mirror->require(kFcramBase, 0x4000);
    CHECK(gpu.mirror->counters.uploads == 1);
    CHECK(gpu.mirror->counters.uploaded_bytes == 0x6000);
    CHECK(mirror_bytes(gpu, kFcramBase, 0x4000) == gpu.read(kFcramBase, 0x4000));
    gpu.write(kFcramBase + 0x1001, byte); // after the copy
    gpu.mirror->require(kFcramBase, 0x4000);
    CHECK(gpu.mirror->counters.uploads == 2);
    CHECK(mirror_bytes(gpu, kFcramBase, 0x4000) == gpu.read(kFcramBase, 0x4000));
}

TEST_CASE("guest mirror: it grows with the highest byte that is used, and keeps what it has")
{
    GpuFixture gpu;
    Random random(14);
    constexpr u32 kFar = 0x3F0000;
    gpu.fill_random(random, kFcramBase, 0x4000);
    gpu.fill_random(random, kFcramBase + kFar, 0x1000);
    gpu.mirror->require(kFcramBase, 0x2000);
    fill_on_gpu(gpu, kFcramBase + 0x2000, 0x1000, 0x12345678);
    const std::vector<u8> near_bytes = mirror_bytes(gpu, kFcramBase, 0x3000);
    const VkBuffer small = gpu.mirror->buffer(GuestMirror::kFcram);
    const u64 reserved = gpu.memory->bytes_reserved();

    gpu.mirror->require(kFcramBase + kFar, 0x1000);
    CHECK(gpu.mirror->buffer(GuestMirror::kFcram) != small);
    CHECK(gpu.memory->bytes_reserved() > reserved);
    CHECK(mirror_bytes(gpu, kFcramBase, 0x3000) == near_bytes);
    CHECK(mirror_bytes(gpu, kFcramBase + kFar, 0x1000) == gpu.read(kFcramBase + kFar, 0x1000));
    // Nothing is uploaded again, and what the device wrote is still newer.
    const u64 uploads = gpu.mirror->counters.uploads;
    gpu.mirror->require(kFcramBase, 0x3000);
    CHECK(gpu.mirror->counters.uploads == uploads);
    CHECK(gpu.mirror->gpu_newer(kFcramBase + 0x2000, 0x1000));
    CHECK(gpu.read(kFcramBase, 0x3000) == near_bytes);
    // A write of the device is a use, too.
    const VkBuffer vram = gpu.mirror->buffer(GuestMirror::kVram);
    fill_on_gpu(gpu, kVramBase + 0x5FF000, 0x1000, 0x9ABCDEF0);
    CHECK(gpu.mirror->buffer(GuestMirror::kVram) != vram);
    CHECK(gpu.guest.read32(kVramBase + 0x5FF000) == 0);
    CHECK(gpu.read(kVramBase + 0x5FF000, 4) == std::vector<u8>{0xF0, 0xDE, 0xBC, 0x9A});
}
