// SPDX-License-Identifier: MIT
// The compute vertex executor where draws are large: parts of draws and of geometry draws, batches that hold
// many draws, records that lie behind the reach of one texel buffer. Counted, and compared with the software
// core.
#include "tests/support/list_scene.h"
#include "tests/support/program_builder.h"

#include <doctest/doctest.h>

#include <cstring>

using namespace tests;
using renderer::Statistics;

namespace
{

constexpr u32 kPool = 64; // vertices; four neighbours are close to each other
constexpr u32 kIndexOffset = kPool * sizeof(ListVertex);

struct Executor
{
    explicit Executor(const Variant& variant, u32 seed, Shaders shaders = Shaders::Specialised)
        : machine(variant, shaders), random(seed), scene(machine, random, 64, 64)
    {
        machine.begin_seed(random, ConformanceMachine::Compare::EachList);
        std::vector<ListVertex> pool;
        for (u32 i = 0; i < kPool; i++)
        {
            const f32 x = f32(i / 4 % 4) * 16, y = f32(i / 16) * 16;
            pool.push_back(scene.random_vertex(x + random.real(0, 14), y + random.real(0, 14),
                                               random.real(-1, 0), random.real(0.5f, 2)));
        }
        const auto* bytes = reinterpret_cast<const u8*>(pool.data());
        machine.write(ListScene::kVertices, std::span(bytes, kIndexOffset));
    }
    ~Executor()
    {
        machine.end_seed();
        CHECK(machine.failure() == "");
        CHECK(machine.changed_memory());
    }
    // Numbers of neighbours, in memory behind the vertices.
    void write_indices(u32 count)
    {
        std::vector<u16> indices(count);
        for (u32 i = 0; i < count; i++)
            indices[i] = u16(i / 24 % (kPool / 4) * 4 + random.below(4));
        const auto* bytes = reinterpret_cast<const u8*>(indices.data());
        machine.write(ListScene::kVertices + kIndexOffset, std::span(bytes, indices.size() * 2));
    }
    void topology(Topology topology) { scene.list.set(reg::PRIMITIVE_CONFIG::topology, topology); }
    void elements(u32 first, u32 count)
    {
        scene.list.set(reg::NUMVERTICES::count, count);
        scene.list.set(reg::INDEXBUFFER_CONFIG::offset, kIndexOffset + 2 * first);
        scene.list.set(reg::INDEXBUFFER_CONFIG::type, IndexType::U16);
        scene.list.write(reg::DRAWELEMENTS::id, 1);
    }
    void arrays(u32 first, u32 count)
    {
        scene.list.set(reg::NUMVERTICES::count, count);
        scene.list.set(reg::VERTEX_OFFSET::first, first);
        scene.list.write(reg::DRAWARRAYS::id, 1);
    }
    // A state with records of 72 words.
    void lit()
    {
        for (u32 unit = 0; unit < 3; unit++)
        {
            scene.texture_unit(unit, ListScene::kTextures + unit * 0x1000, 16, 16, TextureFormat::RGBA8);
            scene.list.set(reg::TEXENV_SOURCE::color_2, CombinerSource(u32(CombinerSource::Texture0) + unit),
                           unit + 1);
            scene.list.set(reg::TEXENV_COMBINER::color_op, CombinerOp::AddSigned, unit + 1);
        }
        scene.list.set(reg::DEPTH_COLOR_MASK::depth_test, true);
        scene.list.set(reg::DEPTH_COLOR_MASK::depth_func, CompareFunc::GreaterOrEqual);
        scene.list.set(reg::LIGHTING_ENABLE0::enable, true);
        scene.list.set(reg::LIGHTING_ENABLE1::disable, false);
        scene.list.write(reg::LIGHTING_AMBIENT::id, 0x02040810);
        scene.list.set(reg::TEXENV_SOURCE::color_1, CombinerSource::FragmentPrimary, 0);
        scene.list.set(reg::TEXENV_SOURCE::color_2, CombinerSource::PrimaryColor, 0);
        scene.list.set(reg::TEXENV_COMBINER::color_op, CombinerOp::Add, 0);
    }
    // What the list did.
    Statistics run()
    {
        scene.run();
        const Statistics now = machine.vulkan().statistics();
        Statistics change;
        change.draws = now.draws - last_.draws;
        change.device_draws = now.device_draws - last_.device_draws;
        change.device_parts = now.device_parts - last_.device_parts;
        change.texel_parts = now.texel_parts - last_.texel_parts;
        change.device_vertices = now.device_vertices - last_.device_vertices;
        change.geometry_draws = now.geometry_draws - last_.geometry_draws;
        change.parallel_geometry_draws = now.parallel_geometry_draws - last_.parallel_geometry_draws;
        change.interpreted_geometry_draws = now.interpreted_geometry_draws - last_.interpreted_geometry_draws;
        change.batches = now.batches - last_.batches;
        last_ = now;
        return change;
    }

    ConformanceMachine machine;
    Random random;
    ListScene scene;

private:
    Statistics last_;
};

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
void upload(Executor& e, const ProgramBuilder& b, const std::array<f32, 4>& c3)
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
void geometry_program(Executor& e, bool counts, bool winding = false)
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

TEST_CASE("vertex executor: a draw of more triangles than a part holds is made in parts")
{
    Executor e(kCompute, 11);
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
    Executor e(kCompute, 20);
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
    e.elements(0, 1500);
    CHECK(e.run().device_vertices <= 2 + kPool);
}

TEST_CASE("vertex executor: parts are as large as texel buffers where records are no varyings")
{
    Executor e(kComputeFewTexels, 12);
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
    Executor e(kComputeFewTexels, 13);
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
    Executor e(kCompute, 14);
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

TEST_CASE("vertex executor: a geometry program's draw is made in parts, side by side and one after the other")
{
    Executor e(kCompute, 15);
    e.write_indices(12000);
    e.topology(Topology::Geometry);
    geometry_program(e, false);
    e.elements(0, 12000);
    const Statistics side_by_side = e.run();
    CHECK(side_by_side.parallel_geometry_draws == 1);
    CHECK(side_by_side.device_parts == 2);

    geometry_program(e, true);
    e.elements(0, 12000);
    e.elements(0, 40); // goes on with the register
    const Statistics serial = e.run();
    CHECK(serial.geometry_draws == 2);
    CHECK(serial.parallel_geometry_draws == 0);
    CHECK(serial.device_parts == 3);
}

TEST_CASE("vertex executor: strips, fans and lists of emitted vertices go on from draw to draw on the device")
{
    Executor e(kCompute, 16);
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

TEST_CASE("vertex executor: a geometry program that outlasts a dispatch goes on in the next one")
{
    Executor e(kCompute, 18);
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
    ProgramBuilder endless;
    emit_triangle(endless, false);
    endless.add(r(0), c(4), v(1));
    endless.label("swap");
    endless.add(r(0), c(3), -r(0));
    endless.jump_uniform(0, true, "swap");
    endless.end();
    upload(e, endless, {1, 1, 1, 1});
    list.geometry_float_uniform(4, {0.25f, 0, 0, 0});
    list.write(reg::GSH_BOOLUNIFORM::id, 0x7FFF0001);
    e.arrays(0, 5);
    CHECK(e.run().interpreted_geometry_draws == 1);
}

TEST_CASE("vertex executor: the CPU or an interpreter runs a geometry program until it is compiled")
{
    Executor e(kCompute, 19, Shaders::UbershaderFirst);
    e.write_indices(400);
    e.topology(Topology::Geometry);
    geometry_program(e, true); // its register goes from one to the other
    for (u32 i = 0; i < 3; i++)
    {
        e.elements(20 * i, 20);
        e.run();
    }
    e.machine.vulkan().finish_pipelines();
    e.elements(60, 20);
    const Statistics compiled = e.run();
    CHECK(compiled.geometry_draws == 1);
    CHECK(compiled.interpreted_geometry_draws == 0);
}

TEST_CASE("vertex executor: what is fed past c95 and behind the last invocation stays in the unit")
{
    Executor e(kCompute, 17);
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

TEST_CASE("vertex executor: constants that the guest writes over what a longer primitive fed are read again")
{
    Executor e(kCompute, 20);
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
