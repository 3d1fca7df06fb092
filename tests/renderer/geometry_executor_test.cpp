// SPDX-License-Identifier: MIT
// Geometry programs on the compute vertex executor: parts of draws, assembly from draw to draw, what persists
// over dispatches, what the geometry shader unit keeps, limits. Counted, and compared with the software core.
#include "tests/support/programs/program_builder.h"
#include "tests/support/suite/executor_scene.h"

using namespace tests;
using renderer::Statistics;

namespace
{

// A triangle around v0, its colours from r0.
void emit_triangle(ProgramBuilder& b, bool winding)
{
    // Room is reserved for a triangle per EMIT.
    constexpr const char* kCorner[3] = {"x", "y", "z"};
    b.mov(o(1), r(0));
    for (u32 corner = 0; corner < 3; corner++)
    {
        b.set_emit(corner, corner == 2, winding);
        b.add(o(0), c(corner), v(0));
        b.mov(o(1), r(0)[kCorner[corner]]);
        b.emit();
    }
}

// One invocation per vertex.
void upload(ExecutorScene& e, const ProgramBuilder& b, const std::array<f32, 4>& c3)
{
    CommandListBuilder& list = e.scene.list;
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
    list.geometry_float_uniform(3, c3);
    list.write(reg::GSH_BOOLUNIFORM::id, 0x7FFF0000);
}

// A triangle for each vertex. counts: its colour comes from a register that every invocation adds to, so they
// run one after the other.
void geometry_program(ExecutorScene& e, bool counts, bool winding = false)
{
    ProgramBuilder b;
    if (counts)
        b.add(r(0), c(3), r(0));
    else
        b.mul(r(0), c(3), v(1));
    emit_triangle(b, winding);
    b.end();
    upload(e, b,
           counts ? std::array<f32, 4>{0x1p-15f, 0x1p-16f, 0x1p-17f, 0}
                  : std::array<f32, 4>{0.75f, 0.5f, 0.25f, 1});
}

} // namespace

TEST_CASE(
    "geometry executor: a geometry program's draw is made in parts, side by side and one after the other")
{
    ExecutorScene e(kCompute, 15);
    e.write_indices(12000);
    e.topology(Topology::Geometry);
    geometry_program(e, false);
    e.elements(0, 12000);
    const Statistics side_by_side = e.run();
    CHECK(side_by_side.parallel_geometry_draws == 1);
    CHECK(side_by_side.device_parts == 2);

    geometry_program(e, true);
    e.elements(0, 12000);
    e.elements(0, 40); // continues with the register's value
    const Statistics serial = e.run();
    CHECK(serial.geometry_draws == 2);
    CHECK(serial.parallel_geometry_draws == 0);
    CHECK(serial.device_parts == 3);
}

TEST_CASE(
    "geometry executor: strips, fans and lists of emitted vertices go on from draw to draw on the device")
{
    ExecutorScene e(kCompute, 16);
    e.write_indices(4000);
    const auto geometry_stage = [&](bool on)
    {
        e.scene.list.set(reg::GEOSTAGE_CONFIG::mode, on ? GeometryStage::On : GeometryStage::Off);
        e.scene.list.set(reg::VSH_OUTMAP_MASK::mask, on ? 3 : 63);
    };
    for (const Topology topology : {Topology::TriangleStrip, Topology::TriangleFan})
    {
        geometry_program(e, false);
        e.topology(topology);
        e.elements(0, 11);
        e.elements(11, 30);
        const Statistics emitted = e.run();
        CHECK(emitted.geometry_draws == 2);
        CHECK(emitted.parallel_geometry_draws == 0);
        geometry_stage(false); // the vertex stage takes what is left, and leaves some itself
        e.elements(50, 7);
        geometry_stage(true);
        e.elements(60, 5);
        CHECK(e.run().geometry_draws == 1);
    }
    e.topology(Topology::TriangleStrip);
    e.elements(0, 3900);
    const Statistics parts = e.run();
    CHECK(parts.geometry_draws == 1);
    CHECK(parts.device_parts == 2);

    // A list that begins inside a triangle: the winding flag turns the triangle that a primitive completes.
    e.scene.list.set(reg::FACECULLING_CONFIG::mode, CullMode::Back);
    for (const u32 left : {1u, 2u})
    {
        geometry_stage(false);
        e.topology(left == 1 ? Topology::Geometry : Topology::TriangleList);
        e.arrays(0, left);
        geometry_program(e, false, true);
        e.elements(0, 20);
        e.elements(20, 20);
        geometry_stage(false);
        e.arrays(8, 3 - left);
        CHECK(e.run().geometry_draws == 2);
    }
}

TEST_CASE("geometry executor: a geometry program that outlasts a dispatch goes on in the next one")
{
    ExecutorScene e(kCompute, 18);
    e.topology(Topology::Geometry);
    CommandListBuilder& list = e.scene.list;
    // r0 turns chaotic: 12,000 calls under a condition in two loops, so that dispatches end anywhere inside.
    ProgramBuilder deep;
    deep.add(r(0), v(1), r(0));
    deep.loop(0);
    deep.loop(1);
    deep.if_uniform(0);
    deep.call("scatter");
    deep.nop(); // a body that ends with CALL ends there
    deep.otherwise();
    deep.mov(r(0), c(3));
    deep.end_if();
    deep.nop();
    deep.end_loop();
    deep.nop();
    deep.end_loop();
    emit_triangle(deep, false);
    deep.end();
    deep.function("scatter");
    deep.mul(r(0), c(4), r(0));
    deep.add(r(0), c(3), r(0));
    deep.flr(r(1), r(0));
    deep.add(r(0), r(0), -r(1));
    deep.end_function();
    upload(e, deep, {0.7f, 0.45f, 0.11f, 0});
    list.geometry_float_uniform(4, {3.5f, 5.25f, 7.125f, 1});
    list.write(reg::GSH_INTUNIFORM_I::ids[0], 199 | 1 << 16);
    list.write(reg::GSH_INTUNIFORM_I::ids[1], 59 | 1 << 16);
    list.write(reg::GSH_BOOLUNIFORM::id, 0x7FFF0001);
    e.arrays(0, 20);
    const Statistics loops = e.run();
    CHECK(loops.geometry_draws == 1);
    // The loops of a compiled one are more than a driver may run.
    CHECK(loops.interpreted_geometry_draws == 1);
    CHECK(loops.parallel_geometry_draws == 0);

    // Every move backwards swaps the two colours of the next invocation's triangle: the budget ends all after
    // the same number.
    const auto endless = [](u32 factor)
    {
        ProgramBuilder b;
        emit_triangle(b, false);
        b.mul(r(0), c(factor), v(1));
        b.label("swap");
        b.add(r(0), c(3), -r(0));
        b.jump_uniform(0, true, "swap");
        b.end();
        return b;
    };
    upload(e, endless(4), {1, 1, 1, 1});
    list.geometry_float_uniform(4, {0.25f, 0, 0, 0});
    list.write(reg::GSH_BOOLUNIFORM::id, 0x7FFF0001);
    e.arrays(0, 2);
    CHECK(e.run().interpreted_geometry_draws == 1);
    e.arrays(0, 2); // from now on the CPU's
    CHECK(e.run().geometry_draws == 0);

    // So is what may take too many dispatches from the first on.
    upload(e, endless(5), {1, 1, 1, 1});
    e.arrays(0, 12);
    CHECK(e.run().geometry_draws == 0);
}

TEST_CASE("geometry executor: primitives beyond the limit of an invocation are dropped")
{
    for (const Variant& variant : {kCompute, kInterpret})
    {
        ExecutorScene e(variant, 21);
        CommandListBuilder& list = e.scene.list;
        // 4352 times the same corner, the others where the loops stand: only some of the triangles differ.
        ProgramBuilder b;
        b.mov(r(0), v(1));
        b.loop(0);
        b.loop(1);
        b.mul(r(0), c(4), r(0));
        emit_triangle(b, false);
        b.end_loop();
        b.nop();
        b.end_loop();
        b.end();
        upload(e, b, {});
        list.geometry_float_uniform(4, {0.9995f, 0.999f, 1.0f, 1});
        list.write(reg::GSH_INTUNIFORM_I::ids[0], 16 | 1 << 16);
        list.write(reg::GSH_INTUNIFORM_I::ids[1], 255 | 1 << 16);
        for (const Topology topology : {Topology::Geometry, Topology::TriangleStrip})
        {
            e.topology(topology);
            e.arrays(3, 2);
            const Statistics s = e.run();
            CHECK(s.geometry_draws == 1);
            CHECK(s.interpreted_geometry_draws == (variant.vertex_executor == kInterpret.vertex_executor ||
                                                   topology == Topology::TriangleStrip));
        }
    }
}

TEST_CASE("geometry executor: the CPU or an interpreter runs a geometry program until it is compiled")
{
    ExecutorScene e(kCompute, 19, Shaders::UbershaderFirst);
    e.write_indices(400);
    e.topology(Topology::Geometry);
    geometry_program(e, true); // its register goes from one to the other
    // Workers make the executor's own stages first, then the program.
    for (u32 i = 0; i < 4; i++)
    {
        e.elements(20 * i, 20);
        e.run();
        if (i >= 2)
            e.machine.vulkan().finish_pipelines();
    }
    e.elements(80, 20);
    const Statistics compiled = e.run();
    CHECK(compiled.geometry_draws == 1);
    CHECK(compiled.interpreted_geometry_draws == 0);
}

TEST_CASE("geometry executor: programs that are too large for drivers' compilers are interpreted")
{
    for (const Shaders shaders : {Shaders::Specialised, Shaders::UbershaderFirst})
    {
        ExecutorScene e(kCompute, 25, shaders);
        e.write_indices(400);
        e.topology(Topology::Geometry);
        ProgramBuilder b;
        b.mul(r(0), c(3), v(1));
        for (u32 i = 0; i < 100; i++)
            b.mad(r(0), r(0), c(3), r(0));
        emit_triangle(b, false);
        b.end();
        upload(e, b, {0.01f, 0.02f, 0.03f, 0});
        for (u32 i = 0; i < 3; i++)
        {
            e.elements(20 * i, 20);
            e.run();
            e.machine.vulkan().finish_pipelines();
        }
        e.elements(60, 20);
        const Statistics s = e.run();
        CHECK(s.geometry_draws == 1);
        CHECK(s.interpreted_geometry_draws == 1);
        CHECK(e.machine.vulkan().statistics().worker_failures == 1);
    }
}

TEST_CASE("geometry executor: what is fed past c95 and behind the last invocation stays in the unit")
{
    ExecutorScene e(kCompute, 17);
    e.write_indices(400);
    geometry_program(e, false);
    CommandListBuilder& list = e.scene.list;
    ProgramBuilder fixed;
    fixed.mov(o(1), c(93));
    for (u32 corner = 0; corner < 3; corner++)
    {
        fixed.set_emit(corner, corner == 2, false);
        fixed.mov(o(0), c(corner == 0 ? 92 : corner == 1 ? 94 : 1));
        fixed.emit();
    }
    fixed.end();
    list.upload_geometry_program(fixed.words(), fixed.descriptors(), 0);
    list.geometry_float_uniform(1, {0.5f, 0, -0.5f, 1});
    list.set(reg::GSH_MISC0::mode, GeometryMode::Fixed);
    list.set(reg::GSH_MISC0::vertices_minus_1, 2);
    list.set(reg::GSH_MISC0::attributes_minus_1, 1);
    list.set(reg::GSH_MISC0::first_uniform, 92);
    list.set(reg::GSH_INPUTBUFFER_CONFIG::inputs_to_uniforms, true);
    list.set(reg::GSH_INPUTBUFFER_CONFIG::count_minus_1, 5);
    e.topology(Topology::Geometry);
    e.elements(0, 31); // one vertex is left: c92 and c93
    e.elements(40, 32);
    CHECK(e.run().geometry_draws == 2);
    // A triangle from what stayed, in point mode.
    list.set(reg::GSH_MISC0::mode, GeometryMode::Point);
    list.set(reg::GSH_INPUTBUFFER_CONFIG::inputs_to_uniforms, false);
    list.set(reg::GSH_INPUTBUFFER_CONFIG::count_minus_1, 1);
    e.elements(80, 3);
    CHECK(e.run().geometry_draws == 1);
}

TEST_CASE(
    "geometry executor: constants that the guest writes over what a longer primitive fed are read again")
{
    ExecutorScene e(kCompute, 20);
    ProgramBuilder b;
    b.mov(r(1), c(9)); // left behind by the last invocation
    for (u32 corner = 0; corner < 3; corner++)
    {
        b.set_emit(corner, corner == 2, false);
        b.mov(r(2), c(1));
        b.add(o(0), c(20 + corner), r(2));
        b.mov(o(1), r(1));
        b.emit();
    }
    b.end();
    upload(e, b, {0, 0, 0, 0});
    CommandListBuilder& list = e.scene.list;
    list.geometry_float_uniform(20, {-0.2f, -0.2f, 0, 0});
    list.geometry_float_uniform(21, {0.2f, -0.2f, 0, 0});
    list.geometry_float_uniform(22, {0, 0.2f, 0, 0});
    list.set(reg::GEOSTAGE_CONFIG::variable_primitive, true);
    list.set(reg::GSH_MISC0::mode, GeometryMode::Variable);
    list.set(reg::GSH_MISC1::full_vertices_minus_1, 15);
    list.set(reg::GSH_INPUTBUFFER_CONFIG::inputs_to_uniforms, true);
    e.topology(Topology::Geometry);
    const u16 indices[] = {6, 0, 1, 2, 3, 4, 5, 1, 7, 1, 9, 1, 30};
    e.machine.write(ListScene::kVertices + kIndexOffset,
                    std::span(reinterpret_cast<const u8*>(indices), sizeof indices));
    e.elements(0, 7); // c0..c12
    list.geometry_float_uniform(9, {0.25f, 0.75f, 0.5f, 1});
    e.elements(7, 6); // c0..c2
    CHECK(e.run().parallel_geometry_draws == 2);

    ProgramBuilder shows;
    for (u32 corner = 0; corner < 3; corner++)
    {
        shows.set_emit(corner, corner == 2, false);
        shows.mov(r(2), c(1));
        shows.add(o(0), c(20 + corner), r(2));
        shows.mov(o(1), r(1));
        shows.emit();
    }
    shows.end();
    list.upload_geometry_program(shows.words(), shows.descriptors(), 0);
    e.elements(7, 6);
    CHECK(e.run().geometry_draws == 1);
}
