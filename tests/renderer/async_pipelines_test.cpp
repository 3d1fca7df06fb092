// SPDX-License-Identifier: MIT
// Ubershader first, specialised pipeline later (design D10): what draws, and that the bytes stay those of the
// software core when pipelines are exchanged. tests/conformance/exchange.cpp does it with random state.
#include "tests/support/device/gpu_fixture.h"
#include "tests/support/scenes/draw_scene.h"
#include "tests/support/suite/list_scene.h"

#include <doctest/doctest.h>

using namespace tests;
using renderer::Statistics;

namespace
{

// More frames than a device that compiles late needs until it draws.
constexpr u32 kSettlingFrames = 12;

// Two quads in two states.
void draw_quads(ConformanceMachine& machine, Random& random)
{
    ListScene scene(machine, random, 64, 64);
    scene.quad(0, 0, 40, 40, -0.25f);
    scene.draw();
    scene.texture_unit(0, ListScene::kTextures, 16, 16, TextureFormat::RGB565);
    scene.textured();
    scene.quad(20, 10, 60, 60, -0.5f);
    scene.draw();
    scene.run();
}

bool compiles_late(const ConformanceMachine& machine)
{
    return machine.description().find("driver compiles: at the first draw") != std::string::npos;
}

} // namespace

TEST_CASE("async pipelines: the ubershader draws until the workers are done, then the draw's own pipeline")
{
    ConformanceMachine machine(kRasterOrder, Shaders::UbershaderFirst);
    Random random(1);
    machine.begin_seed(random, ConformanceMachine::Compare::EachOperation);
    draw_quads(machine, random);
    machine.vulkan().finish_pipelines();
    const Statistics before = machine.vulkan().statistics();
    // A fast worker may have been done before the second draw.
    CHECK(before.ubershader_draws >= 1);
    CHECK(before.worker_failures == 0);
    CHECK(before.worker_drops == 0);
    draw_quads(machine, random);
    machine.end_seed();
    CHECK(machine.failure() == "");
    const Statistics after = machine.vulkan().statistics();
    CHECK(after.draws == 4);
    CHECK(after.ubershader_draws == before.ubershader_draws);
    CHECK(after.pipelines == before.pipelines);
}

TEST_CASE("async pipelines: the software core draws until the device is warmed up, then the device")
{
    ConformanceMachine machine(kRasterOrder, Shaders::SoftwareFirst);
    Random random(1);
    machine.begin_seed(random, ConformanceMachine::Compare::EachOperation);
    // A frame to make the pipelines in, some to warm up, and three that find nothing left to do.
    for (u32 frame = 0; frame < kSettlingFrames; frame++)
    {
        draw_quads(machine, random);
        machine.gpu().end_frame();
        machine.vulkan().finish_pipelines();
    }
    const Statistics before = machine.vulkan().statistics();
    CHECK(before.fallback_draws >= 4);
    draw_quads(machine, random);
    machine.end_seed();
    CHECK(machine.failure() == "");
    const Statistics after = machine.vulkan().statistics();
    CHECK(after.draws == 2 * kSettlingFrames + 2);
    CHECK(after.fallback_draws == before.fallback_draws);
    CHECK(after.ubershader_draws == 0);
    CHECK(after.draw_commands > before.draw_commands);
}

// A draw by fixed-function blending and one without share a render pass only with a second pipeline for the latter. Such a
// device is warmed up for each draw alone, so all of its passes are UNORM.
TEST_CASE("async pipelines: a device that compiles late gets no pipelines that it could never use")
{
    ConformanceMachine machine(kRasterOrder, Shaders::SoftwareFirst);
    if (!compiles_late(machine))
        return;
    Random random(1);
    machine.begin_seed(random, ConformanceMachine::Compare::AtFrame);
    const auto draw = [&](ListScene& scene, bool blends, f32 left)
    {
        scene.list.set(reg::BLEND_FUNC::color_source, BlendFactor::One);
        scene.list.set(reg::BLEND_FUNC::color_dest, blends ? BlendFactor::One : BlendFactor::Zero);
        scene.quad(left, 0, left + 40, 64, -0.5f);
        scene.draw();
    };
    u32 pipelines = 0;
    u64 passes = 0;
    for (u32 frame = 0; frame < 2 * kSettlingFrames; frame++)
    {
        passes = machine.vulkan().statistics().batches;
        ListScene scene(machine, random, 64, 64);
        for (const bool blends : {false, true, false})
            draw(scene, blends, blends ? 20.0f : 0.0f);
        scene.run();
        machine.gpu().end_frame();
        machine.vulkan().finish_pipelines();
        if (frame == 2) // the workers have made what the draws need
            pipelines = machine.vulkan().statistics().pipelines;
    }
    CHECK(machine.vulkan().settled());
    CHECK(machine.vulkan().statistics().draw_commands > 0);
    CHECK(machine.vulkan().statistics().pipelines == pipelines);
    CHECK(machine.vulkan().statistics().batches - passes == 1); // of the last frame: they share it
    machine.end_seed();
    CHECK(machine.failure() == "");
}

TEST_CASE("async pipelines: no draw waits for a compiler from the first frame on")
{
    for (const char* masked : {"late_compiler", ""})
    {
        CAPTURE(masked);
        ConformanceMachine machine(Variant{.masked = masked}, Shaders::SoftwareFirst);
        Random random(1);
        machine.begin_seed(random, ConformanceMachine::Compare::AtEnd);
        for (u32 frame = 0; frame < kSettlingFrames; frame++)
        {
            // Patterns of three bytes are filled in by a shader, which has a pipeline for each region.
            for (const PhysAddr filled : {kVramBase + 0xD0000, kFcramBase + 0x100000})
                machine.memory_fill(filled, filled + 0x300, random.next(), FillWidth::Bits24);
            draw_quads(machine, random);
            machine.display_transfer(ListScene::kColor, kVramBase + 0xC0000, 64 | 64 << 16, 64 | 64 << 16, 0);
            machine.gpu().end_frame();
            CHECK(machine.vulkan().statistics().compiler_waits == 0);
            machine.vulkan().finish_pipelines();
        }
        CHECK(machine.vulkan().settled());
        machine.end_seed();
        CHECK(machine.failure() == "");
        const Statistics statistics = machine.vulkan().statistics();
        CHECK(statistics.fallback_draws >= 2);
        CHECK(statistics.ubershader_waits == 0);
        // The first frame needs no pipeline, and the second one finds them all made.
        if (*masked != 0)
            CHECK(statistics.fallback_draws == 4);
    }
}

// With the ubershader as the fallback, creation waits until the pipelines of common states are made.
TEST_CASE("async pipelines: above 1x no draw or transfer waits for shaders of planes")
{
    ConformanceMachine machine(Variant{.masked = "late_compiler", .scale = 2}, Shaders::UbershaderFirst);
    Random random(1);
    machine.begin_seed(random,
                       ConformanceMachine::Compare::AtFrame); // reads pictures as textures and by transfers
    for (u32 frame = 0; frame < 2; frame++)
    {
        draw_quads(machine, random);
        machine.display_transfer(ListScene::kColor, kVramBase + 0xC0000, 64 | 64 << 16, 64 | 64 << 16, 0);
        machine.read(kVramBase, 0x4000);
        machine.gpu().end_frame();
    }
    machine.end_seed();
    CHECK(machine.failure() == "");
    CHECK(machine.vulkan().statistics().compiler_waits == 0);
}

TEST_CASE("async pipelines: pipelines that draws wait for are counted")
{
    ConformanceMachine machine(kRasterOrder, Shaders::Specialised);
    Random random(1);
    machine.begin_seed(random, ConformanceMachine::Compare::AtEnd);
    draw_quads(machine, random);
    machine.end_seed();
    CHECK(machine.vulkan().statistics().compiler_waits >= 2);
}

// What the software renderer drew while the device waited for another target's pipeline must not be lost: the device
// still holds that target's picture of before.
TEST_CASE("async pipelines: the device goes on with what the software core drew in between")
{
    ConformanceMachine machine(kRasterOrder, Shaders::SoftwareFirst);
    Random random(2);
    machine.begin_seed(random, ConformanceMachine::Compare::AtEnd);
    const auto draw_other = [&] // in a state and on a target of its own
    {
        ListScene scene(machine, random, 64, 64);
        scene.color_target(kVramBase + 0xC0000, ColorFormat::RGBA8);
        scene.texture_unit(0, ListScene::kTextures, 16, 16, TextureFormat::RGBA8);
        scene.textured();
        scene.list.set(reg::FRAGOP_ALPHA_TEST::enable, true);
        scene.list.set(reg::FRAGOP_ALPHA_TEST::func, CompareFunc::Greater);
        scene.quad(0, 0, 40, 40, -0.25f);
        scene.draw();
        scene.list.set(reg::FRAGOP_ALPHA_TEST::enable, false); // of later scenes
        scene.run();
    };
    const auto end_frame = [&]
    {
        machine.gpu().end_frame();
        machine.vulkan().finish_pipelines();
    };
    for (u32 frame = 0; frame < kSettlingFrames; frame++)
    {
        draw_quads(machine, random);
        end_frame();
    }
    const Statistics device = machine.vulkan().statistics();
    draw_other();
    draw_quads(machine, random); // the software core's, because of the other draw
    // A device that compiles when a pipeline is made has forms of the ubershader, which draw new states.
    const u64 by_software = compiles_late(machine) ? 3 : 0;
    CHECK(machine.vulkan().statistics().fallback_draws == device.fallback_draws + by_software);
    end_frame();
    for (u32 frame = 0; frame < kSettlingFrames; frame++)
    {
        draw_other();
        end_frame();
    }
    const Statistics before = machine.vulkan().statistics();
    ListScene scene(machine, random, 64, 64);
    scene.quad(0, 0, 8, 8, -0.25f);
    scene.draw();
    scene.run();
    CHECK(machine.vulkan().statistics().fallback_draws == before.fallback_draws);
    machine.end_seed();
    CHECK(machine.failure() == "");
}

TEST_CASE("async pipelines: textures are there before the device draws its first frame")
{
    for (const char* masked : {"late_compiler", ""})
    {
        CAPTURE(masked);
        ConformanceMachine machine(Variant{.masked = masked}, Shaders::SoftwareFirst);
        Random random(4);
        machine.begin_seed(random, ConformanceMachine::Compare::AtEnd);
        constexpr u32 kPictures = 12;
        bool device_drew = false;
        for (u32 frame = 0; frame < 200 && !device_drew; frame++)
        {
            const Statistics before = machine.vulkan().statistics();
            ListScene scene(machine, random, 64, 64);
            for (u32 i = 0; i < kPictures; i++)
            {
                scene.texture_unit(0, kFcramBase + 0x200000 + i * 0x10000, 128, 128, TextureFormat::RGBA8);
                scene.textured();
                scene.quad(0, 0, 40, 40, -0.25f);
                scene.draw();
                scene.run();
            }
            machine.gpu().end_frame();
            machine.vulkan().finish_pipelines();
            const Statistics after = machine.vulkan().statistics();
            device_drew = after.fallback_draws == before.fallback_draws;
            if (device_drew)
                CHECK(after.texture_decodes == before.texture_decodes);
            else
                CHECK(after.fallback_draws == before.fallback_draws + kPictures);
        }
        CHECK(device_drew);
        CHECK(machine.vulkan().statistics().texture_decodes >= kPictures);
        machine.end_seed();
        CHECK(machine.failure() == "");
    }
}

// Each change of the drawing renderer moves all pictures.
TEST_CASE("async pipelines: a scene with ever new states does not change the drawing renderer all the time")
{
    ConformanceMachine machine(kRasterOrder, Shaders::SoftwareFirst);
    Random random(3);
    machine.begin_seed(random, ConformanceMachine::Compare::AtEnd);
    constexpr u32 kPeriod = 10; // enough frames for the device to take over, and to draw some
    u32 states = 0, changes_back = 0;
    bool software = true;
    const auto frame = [&](bool new_state)
    {
        const Statistics before = machine.vulkan().statistics();
        if (new_state)
        {
            ListScene scene(machine, random, 64, 64);
            scene.list.set(reg::FRAGOP_ALPHA_TEST::enable, true);
            scene.list.set(reg::FRAGOP_ALPHA_TEST::func, static_cast<CompareFunc>(++states));
            scene.quad(0, 0, 40, 40, -0.25f);
            scene.draw();
            scene.list.set(reg::FRAGOP_ALPHA_TEST::enable, false);
            scene.run();
        }
        draw_quads(machine, random);
        machine.gpu().end_frame();
        machine.vulkan().finish_pipelines();
        const bool now = machine.vulkan().statistics().fallback_draws != before.fallback_draws;
        changes_back += now && !software;
        software = now;
    };
    for (u32 i = 0; i < 6 * kPeriod; i++)
        frame(i % kPeriod == kPeriod - 1);
    CHECK((changes_back >= 1 || !compiles_late(machine))); // else forms of the ubershader draw new states
    CHECK(changes_back <= 3);                              // of six new states
    for (u32 i = 0; i < 64 && software; i++)
        frame(false);
    CHECK_FALSE(software);
    machine.end_seed();
    CHECK(machine.failure() == "");
}

// While the software renderer draws, guest memory has the picture, and with it its alphas. The device's state must be that of
// the frames in which it has drawn the picture itself.
TEST_CASE("async pipelines: what a drawn texture shows does not change the drawing renderer back")
{
    constexpr PhysAddr kPicture = kVramBase + 0xC0000;
    ConformanceMachine machine(kRasterOrder, Shaders::SoftwareFirst);
    Random random(4);
    machine.begin_seed(random, ConformanceMachine::Compare::AtEnd);
    u32 software_frames = 0;
    for (u32 frame = 0; frame < 3 * kSettlingFrames; frame++)
    {
        const u64 before = machine.vulkan().statistics().fallback_draws;
        ListScene scene(machine, random, 64, 64);
        scene.least_alpha = 1.0f;
        scene.color_target(kPicture, ColorFormat::RGBA8);
        scene.quad(0, 0, 64, 64, -0.5f);
        scene.draw();
        scene.color_target(ListScene::kColor, ColorFormat::RGBA8);
        scene.texture_unit(0, kPicture, 64, 64, TextureFormat::RGBA8);
        scene.textured();
        scene.list.set(reg::BLEND_FUNC::color_source, BlendFactor::SourceAlpha);
        scene.list.set(reg::BLEND_FUNC::color_dest, BlendFactor::OneMinusSourceAlpha);
        scene.quad(0, 0, 64, 64, -0.5f);
        scene.draw();
        scene.run();
        software_frames += machine.vulkan().statistics().fallback_draws != before ? 1 : 0;
        machine.gpu().end_frame();
        machine.vulkan().finish_pipelines();
    }
    CHECK(software_frames >= 1);
    CHECK(software_frames < kSettlingFrames); // each change back would begin anew
    machine.end_seed();
    CHECK(machine.failure() == "");
}

TEST_CASE("async pipelines: a renderer may end while its workers are busy")
{
    for (u32 seed = 0; seed < 3; seed++)
    {
        Random random(seed);
        pica::GuestArena arena;
        KeptReport report;
        renderer::Options options;
        options.validation = true;
        options.fallback =
            seed == 0 ? renderer::FallbackChoice::Software : renderer::FallbackChoice::Ubershader;
        auto made = renderer::Renderer::create(options, arena.memory(), report);
        REQUIRE(made);
        for (u32 i = 0; i < 4; i++)
        {
            DrawScene scene(32, 32);
            randomise_state(scene.state, random);
            random_triangles(scene, random, 4);
            (*made)->draw(scene.draw());
        }
        (*made)->flush();
        CHECK((*made)->validation_messages().empty());
        CHECK((*made)->status());
    }
}

TEST_CASE("async pipelines: the CPU executes vertex programs until their compute pipelines are ready")
{
    ConformanceMachine machine(kCompute, Shaders::UbershaderFirst);
    Random random(2);
    machine.begin_seed(random, ConformanceMachine::Compare::AtEnd);
    draw_quads(machine, random);
    machine.vulkan().finish_pipelines();
    const u64 on_cpu = machine.vulkan().statistics().triangles;
    CHECK(on_cpu >= 2); // the first draw at least
    draw_quads(machine, random);
    machine.end_seed();
    CHECK(machine.failure() == "");
    CHECK(machine.vulkan().statistics().triangles == on_cpu);
}
