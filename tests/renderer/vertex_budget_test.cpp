// SPDX-License-Identifier: MIT
// What bounds the time of the device for vertex work: the estimate of its speed, and submissions that end before they have
// too much of it.
#include "renderer/vertex/vertex_budget.h"
#include "tests/support/programs/program_builder.h"
#include "tests/support/suite/executor_scene.h"

using namespace tests;
using renderer::Statistics;
using renderer::VertexBudget;
using renderer::VertexSpeed;

namespace
{

// Its loop of 255 rounds counts, although no vertex runs it.
void upload_long_program(CommandListBuilder& list, u32 instructions)
{
    ProgramBuilder b;
    b.mov(o(0), v(0));
    b.mov(r(0), v(1));
    b.if_uniform(0);
    b.loop(0);
    for (u32 i = 0; i < instructions; i++)
        b.add(r(0), c(3), r(0));
    b.end_loop();
    b.end_if();
    b.mov(o(1), r(0));
    b.end();
    list.upload_vertex_program(b.words(), b.descriptors(), 0);
    list.write(reg::VSH_INTUNIFORM_I::ids[0], 254);
    list.write(reg::VSH_BOOLUNIFORM::id, 0x7FFF0000);
}

// Each vertex makes an invocation, which gets its position in v0 and its colour in v1.
void upload_point_program(CommandListBuilder& list, const ProgramBuilder& b)
{
    list.set(reg::VSH_COM_MODE::geometry_own_config, true);
    list.set(reg::GEOSTAGE_CONFIG::mode, GeometryStage::On);
    list.set(reg::VSH_OUTMAP_MASK::mask, 3);
    list.set(reg::VSH_OUTMAP_TOTAL1::count_minus_1, 1);
    list.set(reg::VSH_OUTMAP_TOTAL2::count_minus_1, 1);
    list.set(reg::GSH_MISC0::mode, GeometryMode::Point);
    list.set(reg::GSH_INPUTBUFFER_CONFIG::role, 0x08);
    list.set(reg::GSH_INPUTBUFFER_CONFIG::count_minus_1, 1);
    list.write(reg::GSH_ATTRIBUTES_PERMUTATION_LOW::id, 0x76543210);
    list.write(reg::GSH_ATTRIBUTES_PERMUTATION_HIGH::id, 0xFEDCBA98);
    list.set(reg::GSH_OUTMAP_MASK::mask, 3);
    list.set(reg::SH_OUTMAP_TOTAL::count, 2);
    list.upload_geometry_program(b.words(), b.descriptors(), 0);
    list.geometry_float_uniform(0, {-0.05f, -0.05f, 0, 0});
    list.geometry_float_uniform(1, {0.05f, -0.05f, 0, 0});
    list.geometry_float_uniform(2, {0, 0.05f, 0, 0});
    list.geometry_float_uniform(3, {0x1p-15f, 0x1p-16f, 0x1p-17f, 0});
    list.write(reg::GSH_BOOLUNIFORM::id, 0x7FFF0000);
}

} // namespace

TEST_CASE("vertex speed: follows slow measurements at once, and fast ones little by little")
{
    VertexSpeed speed;
    const u64 unknown = speed.ns_of(1'000'000);
    CHECK(unknown == 2'000'000);
    speed.measured(VertexSpeed::kLeastMeasured - 1, 1'000'000'000); // too little work
    CHECK(speed.ns_of(1'000'000) == unknown);
    speed.measured(10'000'000, 50'000'000);
    CHECK(speed.ns_of(1'000'000) == 5'000'000);
    speed.measured(10'000'000, 10'000'000);
    CHECK(speed.ns_of(1'000'000) == 4'375'000);
    for (u32 i = 0; i < 100; i++)
        speed.measured(10'000'000, 1);
    CHECK(speed.ns_of(1'000'000) == u64(VertexSpeed::kLeastNs * 1000));
    speed.measured(10'000'000, 10'000'000'000);
    CHECK(speed.ns_of(1'000'000) == u64(VertexSpeed::kMostNs * 1000));
}

TEST_CASE("vertex budget: a submission ends before the device needs too long for it")
{
    // The device is timed while it works. Where the machine is busy with something else, it may count as too slow for any
    // draw; then all is tried again with a new device.
    bool drawn = false;
    for (u32 attempt = 0; attempt < 5 && !drawn; attempt++)
    {
        ExecutorScene e(kCompute, 31);
        e.write_indices(6000);
        e.topology(Topology::TriangleList);
        upload_long_program(e.scene.list, 200);
        auto device_draws = Statistics{}.device_draws;
        const auto submissions = [&](u32 draws)
        {
            const u64 before = e.machine.vulkan().statistics().submissions;
            for (u32 i = 0; i < draws; i++)
                e.elements(0, 300);
            device_draws = e.run().device_draws;
            return e.machine.vulkan().statistics().submissions - before;
        };
        (void)submissions(1); // compiles
        const u64 one = submissions(1);
        // Few measurements were made, so that the device is not much faster than is assumed at first: some seven are as
        // much as a submission may have.
        const u64 many = submissions(40);
        drawn = device_draws == 40;
        if (drawn)
            CHECK(many >= one + 2);

        // A draw that is too much alone is left to the CPU.
        e.elements(0, 6000);
        CHECK(e.run().device_draws == 0);
    }
    CHECK(drawn);
}

TEST_CASE("vertex budget: geometry programs run on the CPU where their invocations depend on each other")
{
    Variant as_on_gpus = kCompute;
    as_on_gpus.serial_geometry = renderer::SerialGeometryChoice::Cpu;
    for (const bool forced : {false, true})
    {
        ExecutorScene e(forced ? kCompute : as_on_gpus, 32);
        e.write_indices(400);
        e.topology(Topology::Geometry);
        CommandListBuilder& list = e.scene.list;
        const auto draw = [&](bool depends)
        {
            ProgramBuilder b;
            b.add(r(0), c(3), depends ? r(0) : v(1));
            for (u32 corner = 0; corner < 3; corner++)
            {
                b.set_emit(corner, corner == 2, false);
                b.add(o(0), c(corner), v(0));
                b.mov(o(1), r(0));
                b.emit();
            }
            b.end();
            upload_point_program(list, b);
            e.elements(0, 60);
            return e.run();
        };
        CHECK(draw(false).parallel_geometry_draws == 1);
        CHECK(draw(true).geometry_draws == (forced ? 1 : 0));
        // The registers would go back and forth, so the CPU keeps such draws for a while.
        CHECK(draw(false).geometry_draws == (forced ? 1 : 0));
        for (u32 frame = 0; frame < 60; frame++)
            e.machine.vulkan().end_frame();
        CHECK(draw(false).parallel_geometry_draws == 1);
    }
}
