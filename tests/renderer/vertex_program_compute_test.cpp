// SPDX-License-Identifier: MIT
// Generated vertex programs on the device against the interpreter: fetch, program, output map, bit for bit.
#include "shadergen/vertex.h"

#include "pica/base/float24.h"
#include "pica/base/numeric.h"
#include "pica/shader/interpreter.h"
#include "shadergen/uniforms.h"
#include "shaders/include/layout.h"
#include "tests/support/compute_runner.h"
#include "tests/support/program_builder.h"
#include "tests/support/random_program.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace tests;

namespace
{

constexpr u32 kVertices = 96;
constexpr u32 kRegionBytes = 16384;

struct Regions
{
    std::array<std::vector<u8>, 2> bytes;

    u32 read(u32 region, u64 offset, u32 size, u64 end) const
    {
        u32 value = 0;
        for (u32 i = 0; i < size; i++)
            if (offset + i < end)
                value |= u32{bytes[region][offset + i]} << (8 * i);
        return value;
    }
};

// Geometry sheet 4.1-4.4 once more, straight from the block.
std::array<pica::Vec4, 16> fetch_reference(const shadergen::VertexBlock& block, const Regions& regions, u32 i)
{
    u64 vertex = u64{block.draw[1]} + i;
    if (const u32 size = block.index[0]; size != 0)
        vertex = regions.read(block.index[2], u64{block.index[1]} + u64{i} * size, size,
                              u64{block.index[1]} + block.index[3]);
    std::array<pica::Vec4, 16> v{};
    for (u32 n = 0; n < 16; n++)
    {
        const auto& config = block.input_config[n];
        const u32 source = config[0] & 3;
        if (source == 2)
            v[n] = block.input_fixed[n];
        if (source != 1)
            continue;
        v[n] = {0.0f, 0.0f, 0.0f, 1.0f};
        const u32 type = config[0] >> 2 & 3;
        const u32 size = type == 3 ? 4 : type == 2 ? 2 : 1;
        for (u32 k = 0; k < (config[0] >> 4 & 15); k++)
        {
            const u64 offset = config[1] + vertex * (config[0] >> 8 & 255) + u64{k} * size;
            const u32 bits = regions.read(config[2], offset, size, u64{config[1]} + config[3]);
            v[n][k] = type == 3   ? pica::f32_truncate_to_float24(std::bit_cast<f32>(bits))
                      : type == 2 ? static_cast<f32>(static_cast<s16>(bits))
                      : type == 1 ? static_cast<f32>(bits)
                                  : static_cast<f32>(static_cast<s8>(bits));
        }
    }
    return v;
}

shadergen::VertexBlock random_block(Random& random, const pica::ShaderUniforms& uniforms)
{
    shadergen::VertexBlock block{};
    for (u32 i = 0; i < 96; i++)
        block.constants[i] = uniforms.f[i];
    for (u32 i = 0; i < 4; i++)
        for (u32 k = 0; k < 4; k++)
            block.integers[i][k] = uniforms.i[i][k];
    for (u32 n = 0; n < 16; n++)
    {
        const u32 source = random.chance(1, 8) ? 0 : random.chance(1, 4) ? 2 : 1;
        const u32 components = 1 + random.below(4);
        const u32 stride = random.below(80);
        const u32 at = random.below(kRegionBytes);
        block.input_config[n] = {source | random.below(4) << 2 | components << 4 | stride << 8, at,
                                 random.below(2), random.chance(1, 4) ? random.below(64) : kRegionBytes - at};
        block.input_config[n][3] = std::min(block.input_config[n][3], kRegionBytes - at);
        for (f32& value : block.input_fixed[n])
            value = random_float24(random);
    }
    const u32 first_shaded = random.below(5);
    const u32 first_vertex = random.chance(1, 8) ? 0xFFFFFFFFu - random.below(kVertices) : random.below(50);
    block.draw = {kVertices, first_vertex, first_shaded, uniforms.b};
    const u32 index_at = random.below(kRegionBytes - 1000);
    block.index = {random.below(3), index_at, random.below(2), random.chance(1, 4) ? 65 : 1000u};
    block.output_target = {1, 0, 0, 0};
    return block;
}

bool same(f32 a, f32 b)
{
    return std::bit_cast<u32>(a) == std::bit_cast<u32>(b);
}

// Returns the events of the interpreter.
u32 check_program(ComputeRunner& runner, Random& random, const pica::Program& program,
                  const pica::ShaderUniforms& uniforms)
{
    const shadergen::VertexBlock block = random_block(random, uniforms);
    Regions regions;
    for (auto& bytes : regions.bytes)
    {
        bytes.resize(kRegionBytes);
        for (u32 i = 0; i < kRegionBytes; i += 4)
        {
            const f32 value = random.chance(1, 2) ? random.real(-4.0f, 4.0f) : random_float24(random);
            const u32 bits = random.chance(1, 4) ? random.next() : std::bit_cast<u32>(value);
            std::memcpy(&bytes[i], &bits, 4);
        }
    }
    pica::VertexKey key;
    key.program_hash = program.hash();
    for (u8& source : key.source)
        source = random.chance(1, 8) ? pica::VertexKey::kUnmapped : static_cast<u8>(random.below(64));

    const renderer::Buffer vram = runner.buffer_of(std::span<const u8>(regions.bytes[0]));
    const renderer::Buffer fcram = runner.buffer_of(std::span<const u8>(regions.bytes[1]));
    const renderer::Buffer uniform = runner.buffer_of(std::span(&block, 1));
    const renderer::Buffer shaded = runner.buffer((kVertices + 8) * SHADED_FLOATS * 4);
    const renderer::Buffer status = runner.buffer(64);
    const std::string text = shadergen::generate_vertex(key, program, runner.target());
    const auto bindings = {ComputeBinding{BINDING_MIRROR_VRAM, &vram},
                           ComputeBinding{BINDING_MIRROR_FCRAM, &fcram},
                           ComputeBinding{BINDING_VERTEX_BLOCK, &uniform, true},
                           ComputeBinding{BINDING_SHADED, &shaded}, ComputeBinding{BINDING_STATUS, &status}};
    const u32 pipeline = runner.pipeline(compile_compute(text, runner.target()), bindings);
    runner.dispatch(pipeline, bindings, (kVertices + COMPUTE_GROUP - 1) / COMPUTE_GROUP);
    runner.submit();

    const auto result = ComputeRunner::view<f32>(shaded);
    u32 events = 0;
    for (u32 i = 0; i < kVertices; i++)
    {
        const auto inputs = fetch_reference(block, regions, i);
        std::array<pica::Vec4, 16> outputs;
        events |= pica::run_vertex(program, uniforms, inputs, outputs);
        for (u32 s = 0; s < 24; s++)
        {
            const u8 source = key.source[s];
            f32 expected = source == pica::VertexKey::kUnmapped ? 1.0f : outputs[source / 4][source % 4];
            if (s >= 4)
                expected = s >= 8 && s < 12 ? pica::num::vertex_color(expected)
                                            : pica::num::vertex_attribute(expected);
            const f32 actual = result[(block.draw[2] + i) * SHADED_FLOATS + s];
            if (!same(expected, actual))
            {
                FAIL_CHECK("vertex ", i, " semantic ", s, " source ", source, ": ", expected, " ",
                           std::bit_cast<u32>(expected), ", device ", actual, " ", std::bit_cast<u32>(actual),
                           "\n", shadergen::describe_control_flow(program));
                return events;
            }
        }
    }
    CHECK_MESSAGE(ComputeRunner::view<u32>(status)[1] == events, shadergen::describe_control_flow(program));
    return events;
}

u32 check_random_program(ComputeRunner& runner, Random& random, RandomFlow flow)
{
    const pica::Program program(random_program(random, flow), 0, pica::ShaderStage::Vertex);
    return check_program(runner, random, program, random_uniforms(random));
}

} // namespace

TEST_CASE("vertex compute: random programs give the interpreter's outputs, bit for bit")
{
    const auto runner = ComputeRunner::create();
    if (!runner)
        return;
    for_each_seed(6, [&](u32, Random& random) { check_random_program(*runner, random, RandomFlow::None); });
    for_each_seed(14, [&](u32, Random& random)
                  { check_random_program(*runner, random, RandomFlow::Structured); });
    for_each_seed(14, [&](u32, Random& random) { check_random_program(*runner, random, RandomFlow::Wild); });
    for (const std::string& message : runner->messages())
        FAIL_CHECK(message);
}

TEST_CASE("vertex compute: the instruction budget ends a program where the interpreter ends it")
{
    const auto runner = ComputeRunner::create();
    if (!runner)
        return;
    Random random(7);
    pica::ShaderUniforms uniforms = random_uniforms(random);
    uniforms.i = {{{255, 0, 1, 0}, {200, 3, 2, 0}, {9, 0, 1, 0}, {0, 0, 0, 0}}};
    uniforms.b = 1;

    ProgramBuilder nested; // counted loops
    nested.mov(r(0), c(1));
    nested.loop(0);
    nested.loop(1);
    nested.add(r(0), c(0)[AL], r(0));
    nested.mad(o(0), r(0), v(0), r(0));
    nested.max(o(1), c(2)[AL], r(0));
    nested.end_loop();
    nested.add(o(2), c(3), r(0));
    nested.end_loop();
    nested.mov(o(3), c(4));
    nested.end();
    CHECK(check_program(*runner, random, nested.program(), uniforms) == pica::kBudgetExhausted);
    uniforms.i[0][0] = 3;
    CHECK(check_program(*runner, random, nested.program(), uniforms) == 0);

    ProgramBuilder endless; // a switch
    endless.mov(r(0), c(1));
    endless.label("again");
    endless.add(r(0), c(2), r(0));
    endless.add(o(0), c(3), r(0));
    endless.nop();
    endless.mov(o(1), r(0));
    endless.jump_uniform(0, true, "again");
    endless.mov(o(2), r(0));
    endless.end();
    CHECK(check_program(*runner, random, endless.program(), uniforms) == pica::kBudgetExhausted);

    ProgramBuilder lost;
    lost.mov(o(0), c(1));
    lost.break_loop();
    lost.mov(o(1), c(1));
    lost.end();
    CHECK(check_program(*runner, random, lost.program(), uniforms) == pica::kBreakOutsideLoop);
    for (const std::string& message : runner->messages())
        FAIL_CHECK(message);
}
