// SPDX-License-Identifier: MIT
// How much memory a guest can make rendered surfaces take: it is bounded at any N, also where the device has less, and
// surfaces that were dropped have the same bytes and planes when they are drawn to again.
#include "pica/transfer/display_transfer.h"
#include "pica/transfer/fill.h"
#include "tests/support/device/faults.h"
#include "tests/support/device/scaled_cores.h"
#include "tests/support/message_of.h"
#include "tests/support/seeds.h"

#include <doctest/doctest.h>

#include <string>

using namespace tests;

namespace
{

constexpr u64 kMiB = u64{1} << 20;
// What an image may take beyond its pixels.
constexpr u64 kSlack = 65536;
constexpr u32 kSide = 128;
// Targets begin so many bytes apart, so each lies over the end of the one before.
constexpr u32 kApart = kSide * kSide * 3;
constexpr PhysAddr kDepth = kVramBase + 0x200000, kShown = kVramBase + 0x400000;

// Colour and depth, where depth and stencil take eight bytes.
u64 most_of_a_draw(u32 side, u32 n)
{
    return u64{side} * side * n * n * 12 + 2 * kSlack;
}

// Draws a few triangles to one of twelve targets, some with a depth buffer, some of which sample another target.
void draw_somewhere(ScaledCores& cores, Random& random)
{
    DrawScene scene(kSide, random.pick({64u, 96u, kSide}));
    Draw& draw = scene.state;
    const u32 number = random.below(12);
    draw.target.color_address = kVramBase + number * kApart;
    draw.target.color_format = random.pick({ColorFormat::RGBA8, ColorFormat::RGBA8, ColorFormat::RGB565});
    if (random.chance(1, 2))
    {
        draw.target.has_depth = 1;
        draw.target.depth_address = kDepth + number * kApart;
        draw.fragment.depth = DepthMode::Z;
        draw.output.depth_test = draw.output.depth_write = 1;
        draw.output.depth_func = CompareFunc::GreaterOrEqual;
    }
    if (random.chance(1, 2))
    {
        TextureUnitKey& unit = draw.fragment.texture[0];
        unit.type = TextureType::Texture2D;
        unit.linear = 1;
        draw.texture[0] = {kVramBase + random.below(12) * kApart, kSide, kSide, TextureFormat::RGBA8};
        draw.fragment.texenv[0].color_source[0] = CombinerSource::Texture0;
    }
    random_triangles(scene, random, 3);
    cores.each([&](Backend& backend) { backend.draw(scene.draw()); });
}

void transfer_somewhere(ScaledCores& cores, Random& random)
{
    DisplayTransfer transfer;
    transfer.input = kVramBase + random.below(12) * kApart;
    transfer.output = kShown;
    transfer.input_width = transfer.output_width = kSide;
    transfer.input_height = transfer.output_height = 64;
    cores.each([&](Backend& backend) { backend.display_transfer(transfer); });
}

void fill_somewhere(ScaledCores& cores, Random& random)
{
    const PhysAddr begin = random.pick({kVramBase, kDepth}) + random.below(12) * kApart;
    const MemoryFill fill{begin, begin + kSide * kSide * 4, random.next(), FillWidth::Bits32};
    cores.each([&](Backend& backend) { backend.memory_fill(fill); });
}

// A triangle in targets of ever less rows, all over the same bytes.
void draw_stack(ScaledCores& cores, u32 side, u32 count)
{
    for (u32 i = 0; i < count; ++i)
    {
        DrawScene scene(side, side - 8 * i);
        scene.state.target.has_depth = 0;
        scene.vertices.clear();
        const f32 right = 30 + static_cast<f32>(i);
        for (const auto& [x, y] : {std::pair{1.25f, 2.5f}, {right, 3.25f}, {5.5f, 41.0f}})
            scene.add({.position = scene.at(x, y), .color = {right / 64, 0.5f, 0.25f, 1}});
        cores.each([&](Backend& backend) { backend.draw(scene.draw()); });
    }
}

#ifndef _WIN32
// The device has refused memory, surfaces have made room, and nothing was lost. limit: in MiB.
void check_was_short(ScaledCores& cores, u64 limit)
{
    const Status status = cores.vulkan->status();
    CHECK_MESSAGE(status, message_of(status));
    const renderer::Statistics s = cores.vulkan->statistics();
    CHECK(s.memory_shortages > 0);
    CHECK(s.surface_evictions > 0);
    CHECK(s.device_memory <= limit * kMiB);
}
#endif

} // namespace

TEST_CASE("surface budget: surfaces that were dropped are the same when they come back")
{
    for (const u32 n : {1u, 2u})
    {
        CAPTURE(n);
        const u64 budget = 4 * most_of_a_draw(kSide, n);
        ScaledCores cores(n, 0x1000, budget);
        u64 evictions = 0;
        for_each_seed(1,
                      [&](u32, Random& random)
                      {
                          GuestArena noise(0x1000);
                          fill_memory(noise.memory(), random);
                          cores.fill_with(noise.memory());
                          for (u32 step = 0; step < 32; ++step)
                          {
                              if (random.chance(1, 8))
                                  transfer_somewhere(cores, random);
                              else if (random.chance(1, 12))
                                  fill_somewhere(cores, random);
                              else
                                  draw_somewhere(cores, random);
                              if (step % 8 == 7)
                                  cores.each([](Backend& backend) { backend.end_frame(); });
                          }
                          cores.compare();
                          const renderer::Statistics s = cores.vulkan->statistics();
                          CHECK(s.surface_evictions >= evictions + 8);
                          evictions = s.surface_evictions;
                          CHECK(s.host_draws == 0);
                      });
        const renderer::Statistics s = cores.vulkan->statistics();
        CHECK(s.surface_memory_peak <= budget + kSlack);
        CHECK(s.surface_memory_peak >= budget / 2);
    }
}

TEST_CASE("surface budget: targets over the same bytes do not add up")
{
    for (const u32 n : {1u, 4u})
    {
        CAPTURE(n);
        const u64 budget = most_of_a_draw(kSide, n);
        ScaledCores cores(n, 0x1000, budget);
        draw_stack(cores, kSide, 8);
        cores.compare();
        const renderer::Statistics s = cores.vulkan->statistics();
        CHECK(s.surface_evictions > 0);
        CHECK(s.surface_memory_peak <= budget);
    }
}

TEST_CASE(
    "surface budget: the surfaces of one draw may take more than all of it, and stay while it needs them")
{
    ScaledCores cores(2, 0x1000, 1);
    Random random(1);
    for (u32 i = 0; i < 12; ++i)
        draw_somewhere(cores, random);
    cores.compare();
    const renderer::Statistics s = cores.vulkan->statistics();
    CHECK(s.surface_evictions > 8);
    CHECK(s.surface_memory_peak <= most_of_a_draw(kSide, 2));
}

#ifndef _WIN32 // wine's driver does not load the fault layer
TEST_CASE("surface budget: where the device has less memory, surfaces go too")
{
    constexpr u32 kN = 2, kLarge = 512, kCount = 10; // 4 MiB each
    u64 idle = 0;
    {
        ScaledCores cores(kN);
        draw_stack(cores, kLarge, 1);
        idle = cores.vulkan->statistics().device_memory / kMiB;
        draw_stack(cores, kLarge, kCount);
        CHECK(cores.vulkan->statistics().device_memory > (idle + 24) * kMiB); // what follows has less
        CHECK(cores.vulkan->statistics().surface_evictions == 0);
    }
    const Faults faults("memory:1:" + std::to_string(idle + 16));
    ScaledCores cores(kN);
    for (u32 round = 0; round < 2; ++round)
    {
        draw_stack(cores, kLarge, kCount);
        cores.compare();
    }
    check_was_short(cores, idle + 16);
}

namespace
{

constexpr u32 kFourTimes = 4, kPlaneTargets = 8, kPlaneSide = 256;
// Of all of them, in MiB.
constexpr u64 kPlanes =
    u64{kPlaneTargets} * kPlaneSide * kPlaneSide * 4 * (kFourTimes * kFourTimes - 1) / kMiB;

// Targets beside each other, each of which samples the one before.
void draw_row(ScaledCores& cores, u32 round)
{
    for (u32 i = 0; i < kPlaneTargets; ++i)
    {
        const auto address = [](u32 number)
        { return kVramBase + number % kPlaneTargets * kPlaneSide * kPlaneSide * 4; };
        DrawScene scene(kPlaneSide, kPlaneSide);
        Draw& draw = scene.state;
        draw.target.has_depth = 0;
        draw.target.color_address = address(i);
        TextureUnitKey& unit = draw.fragment.texture[0];
        unit.type = TextureType::Texture2D;
        unit.linear = 1;
        draw.texture[0] = {address(i + kPlaneTargets - 1), kPlaneSide, kPlaneSide, TextureFormat::RGBA8};
        draw.fragment.texenv[0].color_source[0] = CombinerSource::Texture0;
        Random random(1000 * round + i);
        random_triangles(scene, random, 3);
        cores.each([&](Backend& backend) { backend.draw(scene.draw()); });
    }
}

// Device memory in MiB with the planes of one target.
u64 memory_of_one_target()
{
    ScaledCores cores(kFourTimes);
    DrawScene scene(kPlaneSide, kPlaneSide);
    scene.state.target.has_depth = 0;
    Random random(1);
    random_triangles(scene, random, 6);
    cores.each([&](Backend& backend) { backend.draw(scene.draw()); });
    return cores.vulkan->statistics().device_memory / kMiB;
}

} // namespace

TEST_CASE("surface budget: planes grow where surfaces have the memory, and where two buffers do not fit")
{
    const u64 idle = memory_of_one_target();
    // Surfaces have to go; what the planes grow from has to go too.
    for (const u64 more : {2 * kPlanes + 4, kPlanes + 16})
    {
        CAPTURE(more);
        const Faults faults("memory:1:" + std::to_string(idle + more));
        ScaledCores cores(kFourTimes);
        for (u32 round = 0; round < 2; ++round)
        {
            draw_row(cores, round);
            if (round == 1)
                cores.compare();
            cores.each([](Backend& backend) { backend.end_frame(); });
        }
        cores.compare();
        check_was_short(cores, idle + more);
    }
}

TEST_CASE("surface budget: a device that has no memory for planes says what needs less")
{
    const Faults faults("memory:1:" + std::to_string(memory_of_one_target() + 16));
    ScaledCores cores(kFourTimes);
    draw_row(cores, 0);
    const Status status = cores.vulkan->status();
    REQUIRE_FALSE(status);
    CHECK(status.error().message.find("a lower internal resolution needs less") != std::string::npos);
}
#endif
