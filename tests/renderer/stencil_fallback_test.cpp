// SPDX-License-Identifier: MIT
// Devices whose depth buffers have no stencil: the software renderer draws what tests the stencil, and the
// device draws everything else. tests/conformance/depth_stencil.cpp does it with random state.
#include "tests/support/device/gpu_fixture.h"
#include "tests/support/suite/list_scene.h"

#include <doctest/doctest.h>

using namespace tests;
using renderer::Statistics;

namespace
{

// Draws a quad over a part of the last one. func, pass, write_mask: of the stencil test, which is on.
void draw_quad(ConformanceMachine& machine, Random& random, bool tests, CompareFunc func = CompareFunc::Equal,
               StencilOp pass = StencilOp::IncrementWrap, u32 write_mask = 0xFF)
{
    ListScene scene(machine, random, 64, 64);
    scene.list.set(reg::DEPTH_COLOR_MASK::depth_test, true);
    scene.list.set(reg::DEPTH_COLOR_MASK::depth_func, CompareFunc::Less);
    scene.list.set(reg::DEPTH_COLOR_MASK::depth_write, true);
    scene.list.set(reg::DEPTHBUFFER_READ::enable, 3);
    scene.list.set(reg::DEPTHBUFFER_WRITE::enable, 3);
    scene.list.set(reg::STENCIL_TEST::enable, tests);
    scene.list.set(reg::STENCIL_TEST::func, func);
    scene.list.set(reg::STENCIL_TEST::reference, 1);
    scene.list.set(reg::STENCIL_TEST::input_mask, 1);
    scene.list.set(reg::STENCIL_TEST::write_mask, write_mask);
    scene.list.set(reg::STENCIL_OP::depth_pass, pass);
    const f32 x = random.real(0, 30), y = random.real(0, 30);
    scene.quad(x, y, x + 30, y + 30, random.pick({-0.75f, -0.5f, -0.25f}));
    scene.draw();
    scene.run();
}

struct Drawn
{
    u64 host = 0;   // by the software renderer
    u64 device = 0; // draw commands
};

template <typename Draw>
Drawn drawn_by(ConformanceMachine& machine, Draw draw)
{
    const Statistics before = machine.vulkan().statistics();
    draw();
    machine.vulkan().flush();
    const Statistics after = machine.vulkan().statistics();
    return {after.host_draws - before.host_draws, after.draw_commands - before.draw_commands};
}

} // namespace

TEST_CASE("stencil fallback: only draws that test or change the stencil are the software renderer's")
{
    for (const Variant& variant : {kNoStencil, kComputeNoStencil})
        for (const auto compare :
             {ConformanceMachine::Compare::EachOperation, ConformanceMachine::Compare::AtEnd})
        {
            CAPTURE(variant.name);
            ConformanceMachine machine(variant, Shaders::Specialised);
            Random random(1);
            machine.begin_seed(random, compare);
            for (u32 round = 0; round < 4; ++round)
            {
                Drawn drawn = drawn_by(machine, [&] { draw_quad(machine, random, false); });
                CHECK(drawn.host == 0);
                CHECK(drawn.device == 1);
                drawn = drawn_by(machine, [&] { draw_quad(machine, random, true); });
                CHECK(drawn.host == 1);
                CHECK(drawn.device == 0);
                // Every fragment passes, and nothing is written: no stencil test at all.
                drawn = drawn_by(machine, [&]
                                 { draw_quad(machine, random, true, CompareFunc::Always, StencilOp::Keep); });
                CHECK(drawn.host == 0);
                CHECK(drawn.device == 1);
                drawn = drawn_by(
                    machine,
                    [&] { draw_quad(machine, random, true, CompareFunc::Always, StencilOp::Replace, 0); });
                CHECK(drawn.host == 0);
                CHECK(drawn.device == 1);
                drawn = drawn_by(
                    machine,
                    [&] { draw_quad(machine, random, true, CompareFunc::Always, StencilOp::Replace, 0x0F); });
                CHECK(drawn.host == 1);
                CHECK(drawn.device == 0);
            }
            machine.end_seed();
            CHECK(machine.failure() == "");
        }
}

TEST_CASE("stencil fallback: a device with a stencil does all draws")
{
    ConformanceMachine machine(kRasterOrder, Shaders::Specialised);
    Random random(1);
    machine.begin_seed(random, ConformanceMachine::Compare::AtEnd);
    const Drawn drawn = drawn_by(machine, [&] { draw_quad(machine, random, true); });
    CHECK(drawn.host == 0);
    CHECK(drawn.device == 1);
    machine.end_seed();
    CHECK(machine.failure() == "");
}

TEST_CASE("stencil fallback: it takes turns with the fallback for missing pipelines")
{
    ConformanceMachine machine(kNoStencil, Shaders::SoftwareFirst);
    Random random(2);
    machine.begin_seed(random, ConformanceMachine::Compare::AtEnd);
    constexpr u32 kFrames = 12; // more than a device that compiles late needs until it draws
    for (u32 frame = 0; frame < kFrames; ++frame)
    {
        draw_quad(machine, random, false);
        draw_quad(machine, random, true);
        machine.gpu().end_frame();
        machine.vulkan().finish_pipelines();
    }
    const Statistics before = machine.vulkan().statistics();
    CHECK(before.host_draws == kFrames);
    CHECK(before.fallback_draws >= 1);
    draw_quad(machine, random, true);
    draw_quad(machine, random, false);
    machine.vulkan().flush();
    const Statistics after = machine.vulkan().statistics();
    CHECK(after.host_draws == kFrames + 1);
    CHECK(after.fallback_draws == before.fallback_draws);
    CHECK(after.draw_commands > before.draw_commands);
    machine.end_seed();
    CHECK(machine.failure() == "");
}
