// SPDX-License-Identifier: MIT
// Random geometry programs (straight, structured, wild) in the three modes, with arrays, indices and
// immediate vertices, with registers and uniforms that persist from draw to draw. Both backends leave the
// same bytes. pica/hardware/geometry-unit.md.
#include "tests/support/suite/list_scene.h"

#include "pica/base/float24.h"
#include "tests/support/programs/random_program.h"

#include <algorithm>
#include <bit>
#include <cstring>

using namespace tests;

namespace
{

constexpr Variant kCpuVariants[] = {kRasterOrder, kBarrier};
constexpr Variant kDeviceVariants[] = {kCompute, kComputeBarrier};
constexpr Variant kInterpretVariants[] = {kInterpret};
constexpr Variant kNoiseVariants[] = {kInterpret, kRasterOrder};
constexpr u32 kVertexCount = 48;
constexpr u32 kIndexOffset = kVertexCount * sizeof(ListVertex);

struct Setup
{
    GeometryMode mode{};
    u32 attributes = 1; // of a vertex
    u32 vertices = 1;   // of an invocation (variable: full ones)
    u32 first_uniform = 0;
    std::vector<u8> positions; // source codes where the program finds positions
};

Setup random_setup(Random& random, u32 mode)
{
    Setup s;
    s.mode = static_cast<GeometryMode>(mode);
    s.attributes = 1 + random.below(4);
    s.vertices = 1 + random.below(s.mode == GeometryMode::Point ? std::min(4u, 16 / s.attributes) : 4);
    if (s.mode == GeometryMode::Fixed)
        s.first_uniform = random.chance(1, 8) ? 85 + random.below(20) : random.below(60);
    for (u32 n = 0; n < s.vertices; ++n)
    {
        const u32 at = s.mode == GeometryMode::Point      ? n * s.attributes
                       : s.mode == GeometryMode::Variable ? 0x21 + n * s.attributes
                                                          : 0x20 + s.first_uniform + n * s.attributes;
        s.positions.push_back(u8(std::min(at, 0x7Fu)));
    }
    if (s.mode == GeometryMode::Variable) // one that brings its position alone
        s.positions.push_back(u8(0x21 + s.vertices * s.attributes));
    return s;
}

void configure(ListScene& s, const Setup& setup)
{
    CommandListBuilder& list = s.list;
    const bool point = setup.mode == GeometryMode::Point;
    const bool variable = setup.mode == GeometryMode::Variable;
    list.set(reg::VSH_COM_MODE::geometry_own_config, true);
    list.set(reg::GEOSTAGE_CONFIG::mode, GeometryStage::On);
    list.set(reg::GEOSTAGE_CONFIG::variable_primitive, variable);
    list.set(reg::VSH_OUTMAP_MASK::mask, (1u << setup.attributes) - 1);
    list.set(reg::VSH_OUTMAP_TOTAL1::count_minus_1, setup.attributes - 1);
    list.set(reg::VSH_OUTMAP_TOTAL2::count_minus_1, setup.attributes - 1);
    list.set(reg::GSH_MISC0::mode, setup.mode);
    list.set(reg::GSH_MISC0::vertices_minus_1, setup.vertices - 1);
    list.set(reg::GSH_MISC0::attributes_minus_1, setup.attributes - 1);
    list.set(reg::GSH_MISC0::first_uniform, setup.first_uniform);
    list.set(reg::GSH_MISC1::full_vertices_minus_1, variable ? setup.vertices - 1 : 0);
    list.set(reg::GSH_INPUTBUFFER_CONFIG::role, 0x08);
    list.set(reg::GSH_INPUTBUFFER_CONFIG::inputs_to_uniforms, !point);
    list.set(reg::GSH_INPUTBUFFER_CONFIG::count_minus_1, setup.attributes * setup.vertices - 1);
    list.write(reg::GSH_ATTRIBUTES_PERMUTATION_LOW::id, 0x76543210);
    list.write(reg::GSH_ATTRIBUTES_PERMUTATION_HIGH::id, 0xFEDCBA98);
}

void geometry_bools(ListScene& s, u32 bools)
{
    s.list.write(reg::GSH_BOOLUNIFORM::id, 0x7FFF0000u | bools);
}

void upload_uniforms(ListScene& s, u32 first, u32 count)
{
    const ShaderUniforms uniforms = random_uniforms(s.random);
    for (u32 n = first; n < std::min(first + count, 96u); ++n)
        s.list.geometry_float_uniform(n, uniforms.f[n]);
    for (u32 n = 0; n < 4; ++n)
        s.list.write(reg::GSH_INTUNIFORM_I::ids[n],
                     u32{uniforms.i[n][0]} | u32{uniforms.i[n][1]} << 8 | u32{uniforms.i[n][2]} << 16);
    geometry_bools(s, uniforms.b);
}

// Position from o0, the others to random semantics.
void random_output_map(ListScene& s)
{
    Random& random = s.random;
    s.list.set(reg::GSH_OUTMAP_MASK::mask, (random.below(0x100) | 1u) & 0x7F);
    s.list.set(reg::SH_OUTMAP_TOTAL::count, 7);
    s.list.write(reg::SH_OUTMAP_O::ids[0], 0x03020100);
    for (u32 entry = 1; entry < 7; ++entry)
        s.list.write(reg::SH_OUTMAP_O::ids[entry],
                     random.pick({0x0B0A0908u, 0x0F0E0D0Cu, 0x1F1F1716u, 0x0D0C0F0Eu, 0x1F1F1F1Fu}));
}

void trigger(ListScene& s, bool indexed, u32 first, u32 count, bool wide)
{
    s.list.set(reg::NUMVERTICES::count, count);
    s.list.set(reg::VERTEX_OFFSET::first, first);
    s.list.set(reg::INDEXBUFFER_CONFIG::offset, kIndexOffset + first);
    s.list.set(reg::INDEXBUFFER_CONFIG::type, wide ? IndexType::U16 : IndexType::U8);
    s.list.write(indexed ? reg::DRAWELEMENTS::id : reg::DRAWARRAYS::id, 1);
}

void immediate_value(ListScene& s, const std::array<f32, 4>& value)
{
    const u32 x = f32_to_float24(value[0]), y = f32_to_float24(value[1]), z = f32_to_float24(value[2]),
              w = f32_to_float24(value[3]);
    const std::array words = {w << 8 | z >> 16, z << 16 | y >> 8, y << 24 | x};
    s.list.write_consecutive(reg::FIXEDATTRIB_DATA::id, words);
}

void immediate(ListScene& s, u32 count)
{
    Random& random = s.random;
    if (!random.chance(1, 4))
        s.list.write(reg::FIXEDATTRIB_INDEX::id, 15);
    for (u32 i = 0; i < count; ++i)
    {
        const ListVertex v = s.random_vertex(random.real(0, 64), random.real(0, 64), -0.5f, 1.0f);
        for (const auto* value : {&v.position, &v.color, &v.texcoord01, &v.texcoord2})
            immediate_value(s, *value);
        if (random.chance(1, 4)) // a register write in between: the unit keeps what it has
            s.list.write(reg::UNKNOWN_255::id, i);
    }
}

// Of three programs, `tidy` may run in parallel.
void generate_programs(ConformanceMachine& machine, Random& random, std::initializer_list<RandomFlow> flows,
                       u32 tidy)
{
    const renderer::Statistics before = machine.vulkan().statistics();
    ListScene s(machine, random, 64, 64);
    s.texture_unit(0, ListScene::kTextures, 64, 64, TextureFormat::RGBA8);
    s.textured();
    std::vector<u8> memory(kIndexOffset + 1024);
    for (u32 i = 0; i < kVertexCount; ++i)
    {
        const ListVertex v = s.random_vertex(random.real(-8, 72), random.real(-8, 72),
                                             random.real(-1.02f, 0.02f), random.real(0.5f, 2.0f));
        std::memcpy(&memory[i * sizeof v], &v, sizeof v);
    }
    // Indices that are also good numbers of vertices; as u16 every other byte is a high one.
    for (u32 i = kIndexOffset; i < memory.size(); ++i)
        memory[i] =
            (i & 1) != 0 && random.chance(15, 16) ? 0 : u8(random.below(random.chance(1, 4) ? 48 : 7));
    machine.write(ListScene::kVertices, std::span<const u8>(memory));

    u32 mode = random.below(3);
    for (u32 round = 0; round < 2; ++round, mode = (mode + 1) % 3)
    {
        const RandomFlow flow = random.pick(flows);
        const Setup setup = random_setup(random, mode);
        machine.coverage().note("flow", u32(flow), true);
        machine.coverage().note("mode", u32(setup.mode), true);
        configure(s, setup);
        const ShaderCode code = random_geometry_program(random, flow, setup.positions, !random.chance(1, 8),
                                                        random.chance(tidy, 3));
        s.list.upload_geometry_program(
            std::span(code.words).first(flow == RandomFlow::Noise ? code.words.size() : 256),
            code.descriptors, 0);
        upload_uniforms(s, 0, 96);
        random_output_map(s);
        for (u32 draw = 0; draw < 4; ++draw)
        {
            if (random.chance(1, 3))
                upload_uniforms(s, random.below(96), random.below(8));
            if (random.chance(1, 4))
                geometry_bools(s, random.below(0x10000));
            if (draw == 0 || random.chance(2, 3)) // restarts the assembler
                s.list.set(reg::PRIMITIVE_CONFIG::topology,
                           random.pick({Topology::Geometry, Topology::Geometry, Topology::TriangleList,
                                        Topology::TriangleStrip, Topology::TriangleFan}));
            else if (random.chance(1, 2))
                s.list.write(reg::RESTART_PRIMITIVE::id, 1);
            const u32 count = random.below(13);
            if (setup.mode == GeometryMode::Variable)
                trigger(s, true, 2 * random.below(200), 3 * count, random.chance(1, 2));
            else if (random.chance(1, 3))
                immediate(s, count);
            else
                trigger(s, random.chance(1, 2), random.below(32), count, false);
        }
        if (random.chance(1, 3)) // a draw without it
        {
            s.list.set(reg::GEOSTAGE_CONFIG::mode, GeometryStage::Off);
            s.list.set(reg::VSH_OUTMAP_MASK::mask, 15);
            trigger(s, false, 0, 6, false);
        }
    }
    s.run();
    const renderer::Statistics after = machine.vulkan().statistics();
    const auto note = [&](const char* kind, u64 draws)
    { machine.coverage().note(kind, draws != 0 ? 1 : 0, true); };
    const u64 parallel = after.parallel_geometry_draws - before.parallel_geometry_draws;
    note("geometry draws on the device side by side", parallel);
    note("geometry draws on the device one after the other",
         after.geometry_draws - before.geometry_draws - parallel);
    note("geometry draws interpreted on the device",
         after.interpreted_geometry_draws - before.interpreted_geometry_draws);
}

void generate(ConformanceMachine& machine, Random& random)
{
    generate_programs(machine, random,
                      {RandomFlow::None, RandomFlow::Structured, RandomFlow::Structured, RandomFlow::Wild},
                      1);
}

// A software rasteriser compiles a straight program for seconds, one with branches for ten seconds up to
// minutes.
void generate_for_device(ConformanceMachine& machine, Random& random)
{
    if (is_long_run())
        generate_programs(machine, random,
                          {RandomFlow::None, RandomFlow::None, RandomFlow::None, RandomFlow::Structured}, 2);
    else
        generate_programs(machine, random, {RandomFlow::None}, 2);
}

void generate_noise(ConformanceMachine& machine, Random& random)
{
    generate_programs(machine, random, {RandomFlow::Noise}, 1);
}

void require(Coverage& coverage)
{
    coverage.require("flow", 3);
    coverage.require("mode", 3);
    coverage.require("input source", {0, 1});
    coverage.require("vertices carried over", {0, 2});
    coverage.require("inputs carried over", {0, 1});
    coverage.require("constants fed", {0, 1});
}

void require_device(Coverage& coverage)
{
    coverage.require("mode", 3);
    coverage.require("geometry draws on the device side by side", {1});
    coverage.require("geometry draws on the device one after the other", {1});
}

void require_interpreter(Coverage& coverage)
{
    require(coverage);
    require_device(coverage);
    coverage.require("geometry draws interpreted on the device", {1});
}

} // namespace

TEST_CASE("conformance: geometry programs leave the same bytes in both cores")
{
    run_suite({.name = "geometry_program",
               .variants = kCpuVariants,
               .seeds = 100,
               .long_seeds = 2500, // of two programs each
               .generate = generate,
               .require = require,
               .carryover = true});
}

TEST_CASE("conformance: geometry programs in compute leave the same bytes in both cores")
{
    run_suite({.name = "geometry_program in compute",
               .variants = kDeviceVariants,
               .seeds = 6, // each variant at each granularity
               .long_seeds = 40,
               .generate = generate_for_device,
               .require = require_device,
               .carryover = true});
}

TEST_CASE("conformance: geometry programs interpreted in compute leave the same bytes in both cores")
{
    run_suite({.name = "geometry_program interpreted",
               .variants = kInterpretVariants,
               .seeds = 100,
               .long_seeds = 2500, // of two programs each
               .generate = generate,
               .require = require_interpreter,
               .carryover = true});
}

TEST_CASE("conformance: geometry memory full of noise leaves the same bytes in both cores")
{
    run_suite({.name = "geometry noise",
               .variants = kNoiseVariants,
               .seeds = 25,
               .long_seeds = 250,
               .generate = generate_noise});
}
