// SPDX-License-Identifier: MIT
// What is in flight: bounded by frames, submitted early, and on a device whose work the CPU sees late nothing waits that
// need not.
#include "renderer/draw/early_submits.h"
#include "renderer/vulkan/frames_in_flight.h"
#include "renderer/vulkan/upload_ring.h"
#include "tests/support/device/faults.h"
#include "tests/support/hosts/context_player.h"
#include "tests/support/suite/list_scene.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

using namespace tests;
using renderer::EarlySubmits;
using renderer::FramesInFlight;
using renderer::UploadRing;
using std::chrono::milliseconds;

namespace
{

constexpr const char* kDelayed = "delay:1:8";

// Frames of one submission each, and a clock.
struct Frames
{
    FramesInFlight in_flight;
    FramesInFlight::Time now{};
    u64 serial = 0;

    u64 submit()
    {
        in_flight.submitted(++serial);
        return serial;
    }
    void frame(milliseconds time)
    {
        submit();
        now += time;
        in_flight.end_frame(now);
    }
    u64 waits_for() const { return in_flight.before_next(now); }
};

// A bundled stream without what a fallback would read.
renderer::ContextOptions on_device()
{
    renderer::ContextOptions options;
    options.backend = renderer::ContextBackend::Vulkan;
    options.vulkan.self_test = false;
    options.vulkan.ubershader = renderer::UbershaderChoice::Never;
    return options;
}

// Plays a frame, and the stream again from its start.
void play(ContextPlayer& player)
{
    if (player.frame())
        return;
    player.rewind();
    REQUIRE(player.frame());
}

// A device that is as fast as the host shows frames has finished those before the last few.
void let_the_device_follow(ContextPlayer& player)
{
    for (u32 ms = 0; player.context->statistics().frames_in_flight > FramesInFlight::kFrames; ms++)
    {
        REQUIRE(ms < 60000);
        std::this_thread::sleep_for(milliseconds(1));
    }
}

// A guest in both backends whose Vulkan backend draws with pipelines of its own.
struct Guest
{
    Guest() : machine(kRasterOrder, Shaders::Specialised), random(5)
    {
        machine.begin_seed(random, ConformanceMachine::Compare::AtEnd);
    }
    ~Guest()
    {
        machine.end_seed();
        CHECK(machine.failure() == "");
    }
    Guest(const Guest&) = delete;
    Guest& operator=(const Guest&) = delete;
    u64 submissions() { return machine.vulkan().statistics().submissions; }
    void transfer(u32 number)
    {
        machine.display_transfer(ListScene::kColor, kVramBase + 0x80000 + number * 0x8000, 64 << 16 | 64,
                                 64 << 16 | 64, 0);
    }
    // Until it is there without a wait. False: nobody reads it ahead.
    bool is_read_ahead(PhysAddr address, u32 size)
    {
        for (u32 tries = 0; tries < 2000; tries++)
        {
            if (machine.vulkan().read_is_ready(address, size))
                return true;
            std::this_thread::sleep_for(milliseconds(1));
        }
        return false;
    }

    ConformanceMachine machine;
    Random random;
};

} // namespace

TEST_CASE("frames in flight: a frame waits for the one before the last three")
{
    Frames f;
    for (u64 frame = 1; frame <= 3; frame++)
    {
        CHECK(f.waits_for() == 0);
        f.frame(milliseconds(100));
    }
    CHECK(f.waits_for() == 0);
    f.frame(milliseconds(100));
    CHECK(f.waits_for() == 1);
    f.in_flight.done(1);
    CHECK(f.waits_for() == 0);
    CHECK(f.in_flight.frames() == 3);
    f.frame(milliseconds(100));
    f.frame(milliseconds(100));
    CHECK(f.waits_for() == 3);
}

TEST_CASE("frames in flight: short frames are more, as long as the oldest is young")
{
    Frames f;
    for (u32 frame = 0; frame < 6; frame++)
    {
        CHECK(f.waits_for() == 0);
        f.frame(milliseconds(5));
    }
    CHECK(f.waits_for() == 0); // the first ended 25 ms ago
    f.frame(milliseconds(5));
    CHECK(f.waits_for() == 1);
    f.now += milliseconds(1000);
    CHECK(f.waits_for() == 4); // but the last three
}

TEST_CASE("frames in flight: a frame that has begun waits for none, and one without work is none")
{
    Frames f;
    for (u32 frame = 0; frame < 4; frame++)
        f.frame(milliseconds(100));
    CHECK(f.waits_for() == 1);
    f.submit();
    CHECK(f.waits_for() == 0);
    f.in_flight.end_frame(f.now);
    const std::size_t frames = f.in_flight.frames();
    for (u32 empty = 0; empty < 10; empty++)
        f.in_flight.end_frame(f.now);
    CHECK(f.in_flight.frames() == frames);
    f.in_flight.done(f.serial);
    CHECK(f.in_flight.frames() == 0);
    CHECK(f.in_flight.submissions() == 0);
    f.in_flight.end_frame(f.now);
    CHECK(f.in_flight.frames() == 0);
}

TEST_CASE("frames in flight: submissions and their upload memory are bounded whatever a frame is")
{
    Frames f;
    for (u32 i = 1; i < FramesInFlight::kSubmissions; i++)
        f.submit();
    CHECK(f.waits_for() == 0);
    f.submit();
    CHECK(f.waits_for() == 1);
    f.in_flight.done(f.serial);
    CHECK(f.waits_for() == 0);

    constexpr u64 kQuarter = FramesInFlight::kUploadBytes / 4;
    for (u32 i = 0; i < 4; i++)
    {
        f.in_flight.take_upload_bytes(kQuarter / 2);
        f.in_flight.take_upload_bytes(kQuarter - kQuarter / 2);
        f.submit();
    }
    CHECK(f.in_flight.upload_bytes() == FramesInFlight::kUploadBytes);
    CHECK(f.waits_for() == 0);
    const u64 largest = f.submit();
    f.in_flight.take_upload_bytes(2 * kQuarter);
    f.submit();
    CHECK(f.waits_for() == largest - 3); // two quarters
    f.in_flight.done(f.serial);
    CHECK(f.in_flight.upload_bytes() == 0);
}

TEST_CASE("frames in flight: on a late device that keeps up, the CPU waits for nothing that it does not read")
{
    constexpr u32 kFrames = 12;
    // Not s_dual_screen: its CPU writes into a page that also has the end of a picture, and so reads that page back.
    for (const char* stream :
         {"s_triangle", "s_textured_cubes", "s_tev_grid", "s_stencil_outline", "s_fog_terrain",
          "s_lit_spheres", "s_2d_sprites", "s_blend_particles", "s_shadow", "t_transfers"})
    {
        CAPTURE(std::string(stream));
        std::vector<u8> expected;
        {
            ContextPlayer prompt(stream, on_device());
            for (u32 frame = 0; frame < 2 * kFrames; frame++)
                play(prompt);
            expected = prompt.memory();
        }
        const Faults faults(kDelayed);
        ContextPlayer player(stream, on_device());
        for (u32 frame = 0; frame < kFrames; frame++) // everything has its memory and its pipelines
            play(player);
        const u64 before = player.context->statistics().waits;
        for (u32 frame = 0; frame < kFrames; frame++)
        {
            let_the_device_follow(player);
            play(player);
        }
        CHECK(player.context->statistics().waits == before);
        CHECK(player.memory() == expected);
    }
}

TEST_CASE("frames in flight: a host that does not wait for the device has bounded memory")
{
    // The device does nothing before something waits for it.
    const Faults faults("late:1:never");
    Guest guest;
    constexpr u32 kBytes = 0x80000;
    std::vector<u32> noise(kBytes / 4);
    for (u32 round = 0; round < 800; round++) // 400 MiB
    {
        noise[0] = round;
        noise[kBytes / 8] = round;
        guest.machine.write(pica::kFcramBase + 0x40000, noise);
        guest.machine.texture_copy(pica::kFcramBase + 0x40000, kVramBase + 0x80000, kBytes, 0, 0);
        const renderer::Statistics now = guest.machine.vulkan().statistics();
        CHECK(now.upload_memory <= FramesInFlight::kUploadBytes + 2 * UploadRing::kSubmissionBytes);
        CHECK(now.device_memory < u64{512} << 20);
    }
}

TEST_CASE("early submits: display transfers send off what is recorded, the first four of a frame")
{
    Guest guest;
    ListScene scene(guest.machine, guest.random, 64, 64);
    for (u32 frame = 0; frame < 3; frame++)
    {
        scene.quad(0, 0, 64, 64, -0.5f);
        scene.draw();
        scene.run();
        const u64 before = guest.submissions();
        for (u32 transfer = 1; transfer <= 6; transfer++)
        {
            guest.transfer(transfer);
            CHECK(guest.submissions() - before == std::min(transfer, EarlySubmits::kTransfers));
        }
        guest.machine.gpu().end_frame();
        CHECK(guest.submissions() - before == EarlySubmits::kTransfers + 1);
        guest.machine.gpu().end_frame(); // without work
        CHECK(guest.submissions() - before == EarlySubmits::kTransfers + 1);
    }
}

TEST_CASE("early submits: many draws go out where a batch ends, and very many anyway")
{
    Guest guest;
    ListScene scene(guest.machine, guest.random, 64, 64);
    const auto draws = [&](u32 count, PhysAddr target)
    {
        scene.color_target(target, ColorFormat::RGBA8);
        for (u32 i = 0; i < count; i++)
        {
            scene.quad(f32(i % 60), 0, 64, 64, -0.5f);
            scene.draw();
        }
        scene.run();
    };
    u64 before = guest.submissions();
    const auto submitted = [&]
    {
        const u64 now = guest.submissions();
        return now - std::exchange(before, now);
    };
    draws(EarlySubmits::kDraws - 2, ListScene::kColor);
    draws(1, ListScene::kColor + 0x8000);
    CHECK(submitted() == 0);
    draws(1, ListScene::kColor); // ends the second batch: one less than needed
    CHECK(submitted() == 0);
    draws(1, ListScene::kColor + 0x8000);
    CHECK(submitted() == 1);
    guest.machine.gpu().end_frame();
    CHECK(submitted() == 1);
    for (u32 part = 0; part < EarlySubmits::kMostDraws / 128; part++)
        draws(128, ListScene::kColor);
    CHECK(submitted() == 0);
    draws(1, ListScene::kColor);
    CHECK(submitted() == 1);
    guest.machine.gpu().end_frame();
    CHECK(submitted() == 1);
}

TEST_CASE("read ahead: what the CPU reads in frames goes out with the work that draws it")
{
    Guest guest;
    ListScene scene(guest.machine, guest.random, 64, 64);
    constexpr u32 kBytes = 64 * 64 * 4;
    constexpr PhysAddr kOther = ListScene::kColor + 0x8000;
    const auto draw = [&](PhysAddr target)
    {
        scene.color_target(target, ColorFormat::RGBA8);
        scene.quad(0, 0, guest.random.real(8, 64), 64, -0.5f);
        scene.draw();
        scene.run();
    };
    for (const bool fills : {false, true})
        for (u32 frame = 0; frame < 4; frame++)
        {
            draw(ListScene::kColor);
            if (fills)
                guest.machine.memory_fill(kOther, kOther + kBytes, frame, pica::FillWidth::Bits32);
            else
                draw(kOther);
            if (frame != 0)
                CHECK(guest.is_read_ahead(ListScene::kColor, kBytes));
            guest.machine.read(ListScene::kColor, kBytes);
            guest.machine.gpu().end_frame();
        }
    // Where the CPU reads after more draws than at first, each copy comes too early. Then none is made.
    const auto frame_of_two = [&]
    {
        for (u32 again = 0; again < 2; again++)
        {
            draw(ListScene::kColor);
            draw(kOther);
        }
        const u64 before = guest.submissions();
        guest.machine.read(ListScene::kColor, kBytes);
        const u64 submissions = guest.submissions() - before;
        guest.machine.gpu().end_frame();
        return submissions;
    };
    CHECK(frame_of_two() == 0);
    for (u32 frame = 0; frame < 4; frame++)
        CHECK(frame_of_two() == 1); // the read's own
}

TEST_CASE("read ahead: a picture that the CPU reads behind each frame goes out with its display transfer")
{
    Guest guest;
    ListScene scene(guest.machine, guest.random, 64, 64);
    // Two pictures in turn.
    const auto picture = [](u32 frame) { return kVramBase + 0x80000 + 0x8000 * (1 + frame % 2); };
    constexpr u32 kBytes = 64 * 64 * 4;
    for (u32 frame = 0; frame < 8; frame++)
    {
        scene.quad(0, 0, guest.random.real(8, 64), 64, -0.5f);
        scene.draw();
        scene.run();
        u64 before = guest.submissions();
        guest.transfer(1 + frame % 2);
        if (frame >= 2) // the frame has not ended
            CHECK(guest.is_read_ahead(picture(frame), kBytes));
        guest.machine.gpu().end_frame();
        CHECK(guest.submissions() - before == 1);
        before = guest.submissions();
        guest.machine.read(picture(frame), kBytes);
        CHECK(guest.submissions() - before == (frame < 2 ? 1 : 0));
    }
}
