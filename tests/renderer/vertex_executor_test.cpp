// SPDX-License-Identifier: MIT
// The compute vertex executor with large draws: parts of draws, vertices that are shared, draw batches with
// many draws, triangle records beyond the range of one texel buffer. Counted, and compared with the software
// core.
#include "tests/support/programs/program_builder.h"
#include "tests/support/suite/executor_scene.h"

using namespace tests;
using renderer::Statistics;

TEST_CASE("vertex executor: a draw of more triangles than a part holds is made in parts")
{
    ExecutorScene e(kCompute, 11);
    constexpr u32 kElements = 3 * (32768 + 40) + 2;
    e.write_indices(kElements);
    e.topology(Topology::TriangleList);
    e.arrays(0, 2); // left for the list, which then ends inside a triangle again
    e.elements(0, kElements);
    e.elements(50, 2); // completes it
    const Statistics list = e.run();
    CHECK(list.draws == 3);
    CHECK(list.device_draws == 2); // one has no triangle
    CHECK(list.device_parts == 3);

    e.topology(Topology::TriangleStrip);
    e.elements(7, 5); // the next triangle is an odd one
    e.elements(12, 32768 + 60);
    e.elements(20, 5);
    const Statistics strip = e.run();
    CHECK(strip.device_draws == 3);
    CHECK(strip.device_parts == 4);
}

TEST_CASE("vertex executor: vertices that many elements name are shaded once")
{
    ExecutorScene e(kCompute, 20);
    e.write_indices(3000);
    for (const Topology topology : {Topology::TriangleList, Topology::TriangleStrip, Topology::TriangleFan})
    {
        e.topology(topology);
        e.elements(0, 7);   // fewer elements than numbers between the lowest and the highest may be
        e.elements(7, 650); // of all vertices, behind those that are left
        const Statistics s = e.run();
        CHECK(s.device_draws == 2);
        CHECK(s.device_vertices <= 7 + kPool);
    }
    e.lit(); // records that are read through texels
    e.topology(Topology::TriangleList);
    e.arrays(0, 2);
    e.elements(0, 900); // one part where texel buffers have the smallest size that Vulkan allows
    CHECK(e.run().device_vertices <= 2 + kPool);
}

TEST_CASE("vertex executor: parts are as large as texel buffers where records are no varyings")
{
    ExecutorScene e(kComputeFewTexels, 12);
    e.lit();
    e.write_indices(6000);
    e.topology(Topology::TriangleList);
    e.elements(0, 3 * 1000);
    e.arrays(0, 48); // fits what is left of the last one's window
    const Statistics list = e.run();
    CHECK(list.device_draws == 2);
    CHECK(list.device_parts == 4);
    CHECK(list.texel_parts == 4);

    e.topology(Topology::TriangleStrip);
    e.arrays(0, 3);
    e.elements(0, 900);
    e.elements(900, 300);
    const Statistics strip = e.run();
    CHECK(strip.device_draws == 3);
    CHECK(strip.texel_parts == 5);

    // Immediate mode's values would be cut alike, but no list here holds so many. Fans stay whole.
    e.topology(Topology::TriangleFan);
    e.elements(0, 300);
    CHECK(e.run().texel_parts == 1);
    e.elements(0, 900);
    const Statistics fan = e.run();
    CHECK(fan.draws == 1);
    CHECK(fan.device_draws == 0);
}

TEST_CASE("vertex executor: a large draw that samples its target sees it as it was")
{
    ExecutorScene e(kComputeFewTexels, 13);
    e.lit();
    e.scene.texture_unit(0, ListScene::kColor, 64, 64, TextureFormat::RGBA8);
    e.scene.list.set(reg::TEXENV_SOURCE::color_2, CombinerSource::Texture0, 0);
    e.write_indices(3000);
    e.topology(Topology::TriangleList);
    e.elements(0, 300);
    e.elements(0, 3000);
    const Statistics s = e.run();
    CHECK(s.draws == 2);
    CHECK(s.device_draws == 1);
}

TEST_CASE("vertex executor: a batch holds the draws of a frame")
{
    ExecutorScene e(kCompute, 14);
    e.write_indices(3000);
    e.topology(Topology::TriangleList);
    const auto frame = [&]
    {
        for (u32 draw = 0; draw < 40; draw++)
        {
            if (draw == 20)
                e.lit(); // larger records behind smaller ones
            e.elements(60 * draw, 600);
        }
        e.scene.list.set(reg::LIGHTING_ENABLE0::enable, false);
        e.scene.list.set(reg::LIGHTING_ENABLE1::disable, true);
        e.scene.list.set(reg::TEXENV_SOURCE::color_1, CombinerSource::PrimaryColor, 0);
        return e.run();
    };
    for (u32 i = 0; i < 5; i++) // buffers grow
        frame();
    const Statistics s = frame();
    CHECK(s.device_draws == 40);
    CHECK(s.texel_parts == 20);
    CHECK(s.batches == 1);
}

TEST_CASE("vertex executor: programs that are too large for drivers' compilers are interpreted")
{
    for (const Shaders shaders : {Shaders::Specialised, Shaders::UbershaderFirst})
    {
        ExecutorScene e(kCompute, 26, shaders);
        e.write_indices(400);
        e.topology(Topology::TriangleList);
        ProgramBuilder b;
        b.mov(o(0), v(0));
        b.mov(r(0), v(1));
        for (u32 i = 0; i < 500; i++)
            b.mad(r(0), r(0), c(3), r(0));
        b.mov(o(1), r(0));
        b.end();
        e.scene.list.upload_vertex_program(b.words(), b.descriptors(), 0);
        e.scene.list.float_uniform(3, {0.001f, 0.002f, -0.001f, 0});
        for (u32 i = 0; i < 3; i++)
        {
            e.elements(21 * i, 21);
            e.run();
            e.machine.vulkan().finish_pipelines();
        }
        e.elements(63, 21);
        const Statistics s = e.run();
        CHECK(s.device_draws == 1);
        CHECK(s.interpreted_parts == 1);
        CHECK(e.machine.vulkan().statistics().worker_failures == 1);
    }
}
