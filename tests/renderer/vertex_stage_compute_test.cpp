// SPDX-License-Identifier: MIT
// The vertex executor on the device (vertex program, classify, emit, clip) against pica/vertex/vertex_stage: the same triangles in
// the same order, records and positions bit for bit. Between them lie records without area.
#include "pica/vertex/vertex_stage.h"
#include "shadergen/batch_rows.h"
#include "shadergen/triangle_stages.h"
#include "shadergen/vertex.h"
#include "shadergen/vertex_uniforms.h"
#include "shaders/include/layout.h"
#include "tests/support/device/compute_runner.h"
#include "tests/support/programs/program_builder.h"
#include "tests/support/programs/random_program.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>

using namespace tests;

namespace
{

constexpr u32 kRegionBytes = 1u << 16;
constexpr u32 kMaxRecords = 20000; // of a batch
constexpr std::size_t kDraws = sizeof(shadergen::SlotsHeader) + (MAX_SLOT_GROUPS + 1) * sizeof(u32);

struct NoReport final : pica::Report
{
    void report(pica::ReportKind, std::string_view, std::string_view) override {}
};

struct Scene
{
    std::vector<u8> vram = std::vector<u8>(kRegionBytes);
    std::vector<u8> fcram = std::vector<u8>(kRegionBytes);
    pica::GuestMemory memory{{{pica::kVramBase, vram}, {pica::kFcramBase, fcram}}};
    pica::ShaderUniforms uniforms;
    std::array<shadergen::MirrorRegion, 2> mirror = {
        {{pica::kVramBase, kRegionBytes}, {pica::kFcramBase, kRegionBytes}}};
};

// Positions around the clip volume, now and then huge, infinite, on a plane or NaN.
f32 random_coordinate(Random& random)
{
    if (random.chance(1, 40))
        return random_float24(random);
    if (random.chance(1, 6))
        return random.pick({0.0f, 1.0f, -1.0f, 0.5f, -0.5f, 1.00001f, -1.00001f, 1e-7f});
    return random.real(-2.0f, 2.0f);
}

void fill(Random& random, std::vector<u8>& bytes)
{
    for (u32 i = 0; i < bytes.size(); i += 4)
    {
        const f32 value = random_coordinate(random);
        std::memcpy(&bytes[i], &value, 4);
    }
}

// v0 -> position, others -> attributes; sometimes through a matrix.
pica::Program transform_program(Random& random)
{
    ProgramBuilder b;
    if (random.chance(1, 2))
    {
        b.dp4(o(0)["x"], c(0), v(0));
        b.dp4(o(0)["y"], c(1), v(0));
        b.dp4(o(0)["z"], c(2), v(0));
        b.dp4(o(0)["w"], c(3), v(0));
    }
    else
        b.mov(o(0), v(0));
    b.mov(o(1), v(1));
    b.mad(o(2), v(2), c(4), v(3));
    b.mov(o(3), v(4));
    b.end();
    return b.program();
}

pica::Draw random_draw(Random& random, const Scene& scene, const pica::Program& program)
{
    pica::Draw draw;
    draw.program = &program;
    draw.uniforms = &scene.uniforms;
    draw.uniforms_revision = 1;
    draw.vertex.program = program.id();
    for (u32 s = 0; s < 24; s++)
        draw.vertex.source[s] = s < 4                  ? static_cast<u8>(s)
                                : random.chance(1, 10) ? pica::VertexKey::kUnmapped
                                                       : static_cast<u8>(4 + random.below(12));
    draw.source.topology = random.pick({pica::Topology::TriangleList, pica::Topology::TriangleStrip,
                                        pica::Topology::TriangleFan, pica::Topology::Geometry});
    draw.source.count = random.below(random.chance(1, 4) ? 500 : 60);
    draw.source.first_vertex = random.below(20);
    draw.source.indexed = random.chance(1, 2);
    draw.source.index16 = random.chance(1, 2);
    draw.source.index_address = pica::kFcramBase + random.below(kRegionBytes);
    for (u32 n = 0; n < 5; n++)
    {
        pica::FetchInput& input = draw.source.input[n];
        input.source = pica::FetchInput::Source::Memory;
        input.type = random.chance(1, 8) ? static_cast<pica::AttributeType>(random.below(4))
                                         : pica::AttributeType::F32;
        input.components = static_cast<u8>(n == 0 ? 3 + random.below(2) : 1 + random.below(4));
        input.stride = static_cast<u8>(4 * random.below(20));
        input.address =
            (random.chance(1, 2) ? pica::kVramBase : pica::kFcramBase) + 4 * random.below(kRegionBytes / 8);
    }
    pica::GeometryConstants& g = draw.geometry;
    g.half_width = random.chance(1, 6) ? -120.0f : random.real(1.0f, 256.0f);
    g.half_height = random.real(1.0f, 256.0f);
    g.viewport_x = random.between(-64, 64);
    g.viewport_y = random.between(-64, 64);
    g.cull = static_cast<pica::CullMode>(random.below(4));
    g.clip_plane_enable = random.chance(1, 3);
    for (f32& value : g.clip_plane)
        value = random.real(-1.0f, 1.0f);
    g.flat_color = random.chance(1, 4);
    draw.fragment.lighting.lights = random.chance(1, 2);
    return draw;
}

pica::RecordLayout random_layout(Random& random, const pica::Draw& draw, u32 scale)
{
    pica::RecordLayout layout;
    layout.wide = random.chance(1, 3) ? 1 : pica::record_layout({}, draw.geometry, scale).wide;
    u32 words = 12 + (layout.wide != 0 ? 3u : 0u);
    const auto add = [&](u32 scalars)
    {
        const u32 offset = words;
        words += 3 * scalars;
        return static_cast<u8>(offset);
    };
    if (random.chance(1, 2))
        layout.depth = add(1);
    if (random.chance(1, 2))
        layout.color = add(4);
    for (u8& texcoord : layout.texcoord)
        if (random.chance(1, 2))
            texcoord = add(2);
    // One goes with the other: the software stage flips quaternions of lit draws.
    if (draw.fragment.lighting.lights != 0)
    {
        layout.quaternion = add(4);
        layout.view = add(3);
    }
    layout.words = static_cast<u8>((words + 11) / 12 * 12);
    return layout;
}

struct Stages
{
    explicit Stages(ComputeRunner& r) : runner(r)
    {
        const shadergen::Target target = runner.target();
        const auto triangles = [&](const std::string& text)
        {
            return runner.pipeline(
                compile_compute(text, target),
                {{BINDING_SHADED}, {BINDING_SLOTS}, {BINDING_RECORDS}, {BINDING_POSITIONS}});
        };
        classify = triangles(shadergen::classify_shader(target));
        emit = triangles(shadergen::emit_shader(target));
        clip = triangles(shadergen::clip_shader(target));
    }
    ComputeRunner& runner;
    u32 classify = 0;
    u32 emit = 0;
    u32 clip = 0;
};

u32 groups(u32 invocations)
{
    return std::max(1u, (invocations + COMPUTE_GROUP - 1) / COMPUTE_GROUP);
}

struct BatchDraw
{
    pica::Draw draw;
    pica::ShaderUniforms uniforms;
    pica::RecordLayout layout;
    shadergen::VertexPlacement placement;
    shadergen::TriangleDraw triangle_draw;
    std::vector<u32> records;
    std::vector<s32> positions;
    u32 triangles = 0;
};

bool has_area(std::span<const s32> points)
{
    return std::any_of(points.begin(), points.end(), [&](s32 value) { return value != points[0]; });
}

// Compares what the device wrote into the region of a draw with the reference. Gives the number of its triangles.
u32 check_region(const BatchDraw& d, std::span<const u32> records, std::span<const s32> positions)
{
    u32 triangles = 0;
    for (u32 i = 0; i * 6 < positions.size(); i++)
    {
        const auto points = positions.subspan(std::size_t{i} * 6, 6);
        if (!has_area(points))
            continue;
        REQUIRE(triangles < d.triangles);
        const auto words = records.subspan(std::size_t{i} * d.layout.words, d.layout.words);
        const auto word =
            std::mismatch(words.begin(), words.end(), d.records.begin() + triangles * d.layout.words);
        if (word.first != words.end())
            FAIL_CHECK("triangle ", triangles, " word ", word.first - words.begin(), ": device ", *word.first,
                       ", CPU ", *word.second);
        CHECK(std::equal(points.begin(), points.end(), d.positions.begin() + triangles * 6));
        triangles++;
    }
    return triangles;
}

u64 check_batch(Stages& stages, Random& random)
{
    ComputeRunner& runner = stages.runner;
    Scene scene;
    fill(random, scene.vram);
    fill(random, scene.fcram);
    scene.uniforms = random_uniforms(random);
    for (u32 i = 0; i < 4; i++)
        for (u32 k = 0; k < 4; k++)
            scene.uniforms.f[i][k] = random.real(-1.0f, 1.0f);
    const u32 scale = random.chance(1, 2) ? 1 : 1 + random.below(4);
    const pica::Program program = transform_program(random);

    // The reference, and the place of each draw. Draws share one layout.
    NoReport report;
    pica::VertexStage stage(scale);
    std::vector<BatchDraw> batch(1 + random.below(4));
    u32 shaded_vertices = 0;
    u32 strip_vertices = 0; // since the restart
    u32 first_record = random.below(5);
    for (u32 i = 0; i < batch.size(); i++)
    {
        BatchDraw& d = batch[i];
        d.draw = random_draw(random, scene, program);
        // Draws with the same uniforms share constants in the rows of the batch.
        d.uniforms = i == 0 ? scene.uniforms : batch[i - 1].uniforms;
        d.draw.uniforms_revision = i == 0 ? 1 : batch[i - 1].draw.uniforms_revision;
        if (i != 0 && random.chance(1, 2))
        {
            for (auto& constant : d.uniforms.f)
                constant[random.below(4)] = random.real(-1.0f, 1.0f);
            ++d.draw.uniforms_revision;
        }
        d.draw.uniforms = &d.uniforms;
        const bool continues =
            i != 0 && random.chance(1, 2) && batch[i - 1].draw.source.topology != pica::Topology::TriangleFan;
        if (i != 0)
        {
            d.draw.vertex = batch[0].draw.vertex;
            d.draw.fragment.lighting = batch[0].draw.fragment.lighting;
        }
        if (continues)
            d.draw.source.topology = batch[i - 1].draw.source.topology;
        d.draw.source.restart = !continues;
        strip_vertices = continues ? strip_vertices : 0;
        const bool strip = d.draw.source.topology == pica::Topology::TriangleStrip;
        d.layout = i == 0 ? random_layout(random, d.draw, scale) : batch[0].layout;
        if (pica::record_layout({}, d.draw.geometry, scale).wide && !d.layout.wide)
            d.draw.geometry.half_width = 100.0f,
            d.draw.geometry.half_height = 60.0f / static_cast<f32>(scale * scale);
        d.placement.mirror = scene.mirror;
        d.placement.first_shaded = shaded_vertices;
        d.placement.pending = strip ? std::min(strip_vertices, 2u) : strip_vertices % 3;
        if (d.draw.source.topology == pica::Topology::TriangleFan)
            d.placement.pending = 0;
        d.placement.odd_strip = strip && strip_vertices >= 2 && strip_vertices % 2 != 0;
        d.placement.draw_index = i;
        strip_vertices += d.draw.source.count;
        shaded_vertices += d.draw.source.count;

        stage.run(d.draw, scene.memory, report);
        d.triangles = stage.triangle_count();
        d.records.resize(d.triangles * d.layout.words);
        d.positions.resize(d.triangles * 6);
        stage.emit(d.layout, d.records.data(), d.positions.data());
        d.placement.first_record = first_record;
        const u32 enough =
            CLIPPED_RECORDS *
            shadergen::assembled_triangles(d.draw.source.topology, d.placement.pending + d.draw.source.count);
        d.placement.record_capacity =
            random.chance(1, 6) ? d.triangles / 2 : enough; // too small: the rest is dropped
        first_record += d.placement.record_capacity;
        d.triangle_draw = shadergen::triangle_draw(
            d.draw, shadergen::triangle_state(d.draw.geometry, d.layout, scale), d.placement);
    }

    const renderer::Buffer vram = runner.buffer_of(std::span<const u8>(scene.vram));
    const renderer::Buffer fcram = runner.buffer_of(std::span<const u8>(scene.fcram));
    const renderer::Buffer shaded = runner.buffer((shaded_vertices + 1) * SHADED_FLOATS * 4);
    std::vector<shadergen::TriangleDraw> draws;
    for (const BatchDraw& d : batch)
        draws.push_back(d.triangle_draw);
    std::vector<u32> slot_groups;
    REQUIRE(first_record <= kMaxRecords);
    const u32 record_words = kMaxRecords * batch[0].layout.words;
    const shadergen::SlotsHeader header = shadergen::place_slots(draws, slot_groups, record_words);
    const renderer::Buffer slots = runner.buffer(kDraws + draws.size() * sizeof draws[0]);
    std::memcpy(slots.mapped, &header, sizeof header);
    std::memcpy(slots.mapped + sizeof header, slot_groups.data(), slot_groups.size() * 4);
    std::memcpy(slots.mapped + kDraws, draws.data(), draws.size() * sizeof draws[0]);
    const renderer::Buffer records = runner.buffer((header.first_listed + header.slots) * 4);
    const renderer::Buffer positions = runner.buffer(kMaxRecords * 24);
    shadergen::BatchRows rows;
    std::vector<u32> vertex_groups;
    for (u32 i = 0; i < batch.size(); i++)
    {
        const pica::Draw& draw = batch[i].draw;
        rows.add(rows.describe(draw, batch[i].placement));
        for (u32 group = 0; group * COMPUTE_GROUP < batch[i].draw.source.count; group++)
            vertex_groups.push_back(i | group << VERTEX_GROUP_SHIFT);
    }
    const u32 group_count = static_cast<u32>(vertex_groups.size());
    REQUIRE(group_count <= MAX_VERTEX_GROUPS);
    vertex_groups.resize(MAX_VERTEX_GROUPS);
    const renderer::Buffer row_buffer = runner.buffer(rows.bytes());
    rows.write(static_cast<std::byte*>(row_buffer.mapped));
    const renderer::Buffer group_buffer = runner.buffer_of(std::span<const u32>(vertex_groups));
    const std::initializer_list<ComputeBinding> vertex_bindings = {
        {BINDING_MIRROR_VRAM, &vram},
        {BINDING_MIRROR_FCRAM, &fcram},
        {BINDING_SHADED, &shaded},
        {BINDING_VERTEX_BLOCKS, &row_buffer},
        {BINDING_VERTEX_GROUPS, &group_buffer, true}};
    const u32 vertex = runner.pipeline(
        compile_compute(shadergen::generate_vertex(batch[0].draw.vertex, program, runner.target()),
                        runner.target()),
        vertex_bindings);
    runner.dispatch(vertex, vertex_bindings, std::max(group_count, 1u));
    const auto dispatch_triangles = [&](u32 pipeline, u32 count)
    {
        runner.dispatch(pipeline,
                        {{BINDING_SHADED, &shaded},
                         {BINDING_SLOTS, &slots},
                         {BINDING_RECORDS, &records},
                         {BINDING_POSITIONS, &positions}},
                        count);
    };
    dispatch_triangles(stages.classify, groups(header.slots));
    runner.submit();
    const u32 clipped = reinterpret_cast<const shadergen::SlotsHeader*>(slots.mapped)->clipped;
    REQUIRE(clipped <= header.slots);
    dispatch_triangles(stages.emit, groups(header.slots));
    if (clipped != 0)
        dispatch_triangles(stages.clip, clipped);
    runner.submit();
    u64 triangles = 0;
    for (u32 i = 0; i < batch.size(); i++)
    {
        const BatchDraw& d = batch[i];
        CAPTURE(i);
        const u32 start = d.placement.first_record;
        const auto command = ComputeRunner::view<u32>(records).subspan(header.first_command + 4 * i, 4);
        const u32 drawn = command[0] / 3;
        CHECK(command[0] == 3 * drawn);
        REQUIRE(drawn <= d.placement.record_capacity);
        CHECK(command[1] == 1);
        CHECK(command[2] == 3 * start);
        CHECK(command[3] == 0);
        const u32 kept = check_region(
            d, ComputeRunner::view<u32>(records).subspan(start * d.layout.words, drawn * d.layout.words),
            ComputeRunner::view<s32>(positions).subspan(start * 6, drawn * 6));
        CHECK((kept == d.triangles || drawn == d.placement.record_capacity));
        triangles += kept;
    }
    return triangles;
}

} // namespace

TEST_CASE("vertex stages: compute and CPU leave the same records and positions")
{
    const auto runner = ComputeRunner::create();
    if (!runner)
        return;
    Stages stages(*runner);
    u64 triangles = 0;
    for_each_seed(40, [&](u32, Random& random) { triangles += check_batch(stages, random); });
    MESSAGE(triangles, " triangles");
    CHECK(triangles > 1000);
    for (const std::string& message : runner->messages())
        FAIL_CHECK(message);
}
