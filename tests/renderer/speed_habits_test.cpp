// SPDX-License-Identifier: MIT
// Work that is not done twice, and commands that are not recorded twice. They are counted, so that a change
// that loses such a saving fails a test. Design D8, Part II 2.7.
#include "tests/support/suite/list_scene.h"

#include <doctest/doctest.h>

using namespace tests;
using renderer::Statistics;

namespace
{

struct Counted
{
    Counted() : machine(kRasterOrder, Shaders::Specialised), random(3)
    {
        machine.begin_seed(random, ConformanceMachine::Compare::AtEnd);
    }
    ~Counted()
    {
        machine.end_seed();
        CHECK(machine.failure() == "");
    }
    // What happened since the last call.
    Statistics step()
    {
        machine.gpu().end_frame();
        const Statistics now = machine.vulkan().statistics();
        Statistics change;
        change.draw_commands = now.draw_commands - last_.draw_commands;
        change.merged_draws = now.merged_draws - last_.merged_draws;
        change.batches = now.batches - last_.batches;
        change.binds = now.binds - last_.binds;
        change.texture_decodes = now.texture_decodes - last_.texture_decodes;
        change.texture_bytes = now.texture_bytes - last_.texture_bytes;
        change.upload_bytes = now.upload_bytes - last_.upload_bytes;
        change.pipelines = now.pipelines - last_.pipelines;
        change.waits = now.waits - last_.waits;
        last_ = now;
        return change;
    }

    ConformanceMachine machine;
    Random random;

private:
    Statistics last_;
};

void textured_state(ListScene& scene)
{
    scene.texture_unit(0, ListScene::kTextures, 32, 32, TextureFormat::RGBA8);
    scene.textured();
}

} // namespace

TEST_CASE("speed habits: an unchanged texture is decoded once, a changed one again")
{
    Counted c;
    ListScene scene(c.machine, c.random, 64, 64);
    const auto frame = [&]
    {
        textured_state(scene);
        scene.quad(0, 0, 64, 64, -0.5f);
        scene.draw();
        scene.run();
        return c.step();
    };
    const Statistics first = frame();
    CHECK(first.texture_decodes == 1);
    CHECK(first.texture_bytes == 32 * 32 * 4);
    CHECK(first.upload_bytes > 0); // the target's memory
    for (u32 again = 0; again < 3; again++)
    {
        const Statistics next = frame();
        CHECK(next.texture_decodes == 0);
        CHECK(next.texture_bytes == 0);
        CHECK(next.upload_bytes == 0);
        CHECK(next.pipelines == 0);
        CHECK(next.waits == 0);
    }
    c.machine.write(ListScene::kTextures + 100, std::array<u32, 1>{0x12345678});
    CHECK(frame().texture_decodes == 1);
    CHECK(frame().texture_decodes == 0);
}

TEST_CASE("speed habits: consecutive draws in one state are one command")
{
    Counted c;
    ListScene scene(c.machine, c.random, 64, 64);
    textured_state(scene);
    for (u32 i = 0; i < 10; i++)
    {
        scene.quad(static_cast<f32>(i), 0, static_cast<f32>(i + 20), 30, -0.5f);
        scene.draw();
    }
    scene.run();
    const Statistics s = c.step();
    CHECK(s.draw_commands == 1);
    CHECK(s.merged_draws == 9);
    CHECK(s.batches == 1);
}

TEST_CASE("speed habits: other constants bind an offset, not a pipeline or textures")
{
    Counted c;
    ListScene scene(c.machine, c.random, 64, 64);
    textured_state(scene);
    scene.list.set(reg::TEXENV_SOURCE::color_2, CombinerSource::Constant, 0);
    const auto draws = [&](u32 count)
    {
        for (u32 i = 0; i < count; i++)
        {
            scene.list.write(reg::TEXENV_COLOR::ids[0], 0x01010101u * i);
            scene.quad(0, 0, 64, 64, -0.5f);
            scene.draw();
        }
        scene.run();
        return c.step();
    };
    const Statistics one = draws(1);
    const Statistics ten = draws(10);
    CHECK(ten.draw_commands == 10);
    CHECK(ten.batches == 1);
    CHECK(ten.pipelines == 0);
    CHECK(ten.binds == one.binds + 9);
}

TEST_CASE("speed habits: a pass ends where the target changes or is sampled, not before")
{
    Counted c;
    ListScene scene(c.machine, c.random, 64, 64);
    const auto quad = [&]
    {
        scene.quad(0, 0, 64, 64, -0.5f);
        scene.draw();
    };
    textured_state(scene);
    quad();
    scene.list.set(reg::DEPTH_COLOR_MASK::depth_write, false);
    quad();
    scene.list.set(reg::BLEND_FUNC::color_dest, BlendFactor::OneMinusSourceAlpha);
    quad();
    scene.run();
    CHECK(c.step().batches == 1);

    quad();
    scene.texture_unit(0, ListScene::kColor, 32, 32, TextureFormat::RGBA8);
    quad();
    scene.run();
    CHECK(c.step().batches == 2);

    scene.texture_unit(0, ListScene::kTextures, 32, 32, TextureFormat::RGBA8);
    quad();
    scene.color_target(ListScene::kColor + 0x10000, ColorFormat::RGBA8);
    quad();
    scene.run();
    CHECK(c.step().batches == 2);
}

TEST_CASE("speed habits: a picture that is read at each end of a frame needs no submission of its own")
{
    Counted c;
    ListScene scene(c.machine, c.random, 64, 64);
    const auto frame = [&](bool reads)
    {
        scene.quad(0, 0, 64, 64, -0.5f);
        scene.draw();
        scene.run();
        c.machine.gpu().end_frame();
        const u64 before = c.machine.vulkan().statistics().submissions;
        if (reads)
            c.machine.vulkan().will_read(ListScene::kColor, 64 * 64 * 4);
        return c.machine.vulkan().statistics().submissions - before;
    };
    CHECK(frame(true) == 1);
    for (u32 i = 0; i < 3; i++)
        CHECK(frame(true) == 0);
    // After a few frames without a read it is not expected any more.
    for (u32 i = 0; i < 5; i++)
        CHECK(frame(false) == 0);
    CHECK(frame(true) == 1);
}
