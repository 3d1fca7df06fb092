// SPDX-License-Identifier: MIT
// Fetch, assembly, output rules, culling and setup (vertex-input.md, vertex-output.md, primitives.md).
#include "pica/state/draw_limits.h"
#include "pica/vertex/vertex_stage.h"

#include "pica/memory/guest_arena.h"
#include "tests/support/programs/program_builder.h"
#include "tests/support/programs/scaling_program.h"
#include "tests/support/scenes/draw_scene.h"
#include "tests/support/seeds.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <string>

using namespace tests;

namespace
{

class Reports final : public Report
{
public:
    void report(ReportKind, std::string_view cause, std::string_view) override { causes.emplace(cause); }
    std::set<std::string> causes;
};

// A 64x64 target; vertex i of a draw sits at pixel points[i].
struct Stage
{
    void point(f32 x, f32 y, f32 z = -0.5f, f32 w = 1.0f)
    {
        SceneVertex v;
        v.position = scene.at(x, y, z, w);
        scene.add(v);
    }
    // Corners of triangle t as pixels.
    std::array<std::array<s32, 2>, 3> corners(u32 t)
    {
        std::array<std::array<s32, 2>, 3> out{};
        for (u32 i = 0; i < 3; ++i)
            out[i] = {positions[t * 6 + 2 * i] >> 4, positions[t * 6 + 2 * i + 1] >> 4};
        return out;
    }
    void run()
    {
        stage.run(scene.draw(), arena.memory(), reports);
        scene.vertices.clear();
        layout = record_layout(scene.state.fragment, scene.state.geometry, 1);
        records.assign(stage.triangle_count() * layout.words, 0xDEADBEEF);
        positions.assign(stage.triangle_count() * 6, 0);
        stage.emit(layout, records.data(), positions.data());
    }
    f32 value(u32 triangle, u32 word) { return std::bit_cast<f32>(records[triangle * layout.words + word]); }

    ShaderUniforms uniforms;
    Reports reports;
    GuestArena arena{0x10000};
    DrawScene scene{64, 64};
    VertexStage stage;
    RecordLayout layout;
    std::vector<u32> records;
    std::vector<s32> positions;
};

// Vertices on a circle, counter-clockwise, pixel numbers that tell them apart.
constexpr f32 kRing[6][2] = {{60, 32}, {45, 55}, {20, 58}, {5, 33}, {18, 9}, {44, 7}};

bool equal(std::array<std::array<s32, 2>, 3> c, u32 a, u32 b, u32 d)
{
    const u32 v[3] = {a, b, d};
    for (u32 i = 0; i < 3; ++i)
        if (c[i][0] != static_cast<s32>(kRing[v[i]][0]) || c[i][1] != static_cast<s32>(kRing[v[i]][1]))
            return false;
    return true;
}

} // namespace

TEST_CASE("assembly: a list takes three vertices each and keeps the rest for the next draw")
{
    Stage s;
    for (u32 i = 0; i < 5; ++i)
        s.point(kRing[i][0], kRing[i][1]);
    s.run();
    REQUIRE(s.stage.triangle_count() == 1);
    CHECK(equal(s.corners(0), 0, 1, 2));
    CHECK(s.stage.pending() == 2);

    s.scene.state.source.restart = 0;
    s.point(kRing[5][0], kRing[5][1]);
    s.run();
    REQUIRE(s.stage.triangle_count() == 1);
    CHECK(equal(s.corners(0), 3, 4, 5));
    CHECK(s.stage.pending() == 0);
}

TEST_CASE("assembly: restart forgets pending vertices")
{
    Stage s;
    s.point(1, 1);
    s.point(9, 1);
    s.run();
    CHECK(s.stage.pending() == 2);
    s.scene.state.source.restart = 1;
    s.point(1, 9);
    s.run();
    CHECK(s.stage.triangle_count() == 0);
    CHECK(s.stage.pending() == 1);
}

TEST_CASE("assembly: a strip alternates its slots and goes on in the next draw")
{
    // (v0,v1,v2), (v2,v1,v3), (v2,v3,v4): drawn without swap only where counter-clockwise.
    Stage s;
    s.scene.state.source.topology = Topology::TriangleStrip;
    const f32 zigzag[5][2] = {{5, 5}, {5, 25}, {25, 5}, {25, 25}, {45, 5}};
    for (u32 i = 0; i < 4; ++i)
        s.point(zigzag[i][0], zigzag[i][1]);
    s.run();
    REQUIRE(s.stage.triangle_count() == 2);
    // Clockwise on screen: vertices 1 and 2 swap.
    CHECK(s.corners(0) == std::array<std::array<s32, 2>, 3>{{{5, 5}, {25, 5}, {5, 25}}});
    CHECK(s.corners(1) == std::array<std::array<s32, 2>, 3>{{{25, 5}, {25, 25}, {5, 25}}});
    s.scene.state.source.restart = 0;
    s.point(zigzag[4][0], zigzag[4][1]);
    s.run();
    REQUIRE(s.stage.triangle_count() == 1);
    CHECK(s.corners(0) == std::array<std::array<s32, 2>, 3>{{{25, 5}, {45, 5}, {25, 25}}});
}

TEST_CASE("assembly: a fan keeps its first vertex")
{
    Stage s;
    s.scene.state.source.topology = Topology::TriangleFan;
    for (u32 i = 0; i < 5; ++i)
        s.point(kRing[i][0], kRing[i][1]);
    s.run();
    REQUIRE(s.stage.triangle_count() == 3);
    CHECK(equal(s.corners(0), 0, 1, 2));
    CHECK(equal(s.corners(1), 0, 2, 3));
    CHECK(equal(s.corners(2), 0, 3, 4));
}

TEST_CASE("assembly: a draw that somebody else executes leaves the same vertices behind")
{
    // Random series of draws of 0 to 9 vertices, through run in one stage and through run_tail in the other.
    Random random(5);
    for (u32 series = 0; series < 60; ++series)
    {
        Stage a, b;
        const Topology topology = static_cast<Topology>(random.below(4));
        for (u32 draw = 0; draw < 6; ++draw)
        {
            const u32 count = random.below(10);
            std::array<f32, 20> at;
            for (f32& value : at)
                value = random.real(1.0f, 63.0f);
            for (Stage* s : {&a, &b})
            {
                s->scene.state.source.topology = topology;
                s->scene.state.source.restart = draw == 0;
                for (u32 i = 0; i < count; ++i)
                    s->point(at[2 * i], at[2 * i + 1]);
            }
            a.run();
            b.stage.run_tail(b.scene.draw(), b.arena.memory(), b.reports);
            b.scene.vertices.clear();
            Draw next;
            next.source.topology = topology;
            next.source.restart = 0;
            const PendingVertices left = a.stage.pending_vertices(next);
            const PendingVertices right = b.stage.pending_vertices(next);
            CHECK(left.count == right.count);
            CHECK(left.odd_strip == right.odd_strip);
            for (u32 i = 0; i < left.count; ++i)
                CHECK(left.rows[i] == right.rows[i]);
        }
    }
}

TEST_CASE("assembly: what waits is what the draw had, whatever changes before the next draw continues it")
{
    // As above, but nobody asks before the next draw, whose memory, uniforms, viewport and program are others.
    Random random(6);
    u32 continued = 0;
    u64 inputs_revision = 0;
    decltype(VertexSource::input) inputs;
    for (u32 series = 0; series < 60; ++series)
    {
        Stage a, b;
        const Topology topology = static_cast<Topology>(random.below(4));
        for (u32 draw = 0; draw < 8; ++draw)
        {
            const u32 count = random.below(6);
            const bool restarts = draw == 0 || random.chance(1, 4);
            const f32 half_width = random.real(8.0f, 64.0f);
            const bool keeps_uniforms = draw % 2 != 0; // and has another program of the same uniforms
            std::array<f32, 4> factors;
            for (f32& factor : factors)
                factor = random.real(0.5f, 1.0f);
            const u32 nops = random.below(12);
            constexpr std::array kConstants = {0u, 63u, 64u, 95u};
            const u32 constant = kConstants[random.below(4)];
            const Program program = // valid as long as the draw
                scaling_program(nops, constant, constant > 1 && random.chance(1, 3));
            std::array<f32, 12> at;
            for (f32& value : at)
                value = random.real(1.0f, 63.0f);
            for (Stage* s : {&a, &b})
            {
                s->scene.state.source.topology = topology;
                s->scene.state.source.restart = restarts;
                s->scene.state.geometry.half_width = half_width;
                s->scene.state.program = &program;
                s->scene.state.vertex.program = program.id();
                s->scene.state.uniforms = &s->uniforms;
                s->scene.state.uniforms_revision = draw / 2 + 1;
                s->uniforms.f[1] = {2, 0, 0, 0};
                for (u32 i = 0; i < 4 && !keeps_uniforms; ++i)
                    s->uniforms.f[kConstants[i]] = {factors[i], factors[i], 1, 1};
                for (u32 i = 0; i < count; ++i)
                    s->point(at[2 * i], at[2 * i + 1]);
            }
            if (draw != 7)
            {
                Draw left = b.scene.draw();
                if (inputs_revision == 0 || left.source.input != inputs)
                    ++inputs_revision;
                inputs = left.source.input;
                left.inputs_revision = inputs_revision;
                b.stage.run_tail(left, b.arena.memory(), b.reports);
                a.run();
                b.scene.vertices.clear();
                continue;
            }
            a.run();
            b.run();
            continued += a.stage.triangle_count() != 0 && !restarts;
            CHECK(a.records == b.records);
            CHECK(a.positions == b.positions);
        }
    }
    CHECK(continued > 10);
}

TEST_CASE("assembly: what waits is told in the order in which it came")
{
    Stage s;
    s.scene.state.source.topology = Topology::TriangleStrip;
    Draw next;
    next.source.topology = Topology::TriangleStrip;
    next.source.restart = 0;
    for (u32 count = 1; count <= 5; ++count)
    {
        s.point(kRing[count - 1][0], kRing[count - 1][1]);
        s.run();
        s.scene.state.source.restart = 0;
        const PendingVertices pending = s.stage.pending_vertices(next);
        CHECK(pending.count == std::min(count, 2u));
        // Triangle t of a strip is an odd one where t is odd; `count` vertices made count - 2 of them.
        CHECK(pending.odd_strip == (count >= 2 && count % 2 != 0));
        for (u32 i = 0; i < pending.count; ++i)
            CHECK(pending.rows[i][0] == s.scene.at(kRing[count - pending.count + i][0], 0)[0]);
        next.source.restart = 1;
        CHECK(s.stage.pending_vertices(next).count == 0);
        next.source.restart = 0;
    }
}

TEST_CASE("culling: front drops counter-clockwise, back drops clockwise, no area is dropped")
{
    const u32 expected[4][2] = {{1, 1}, {0, 1}, {1, 0}, {1, 1}};
    for (u32 mode = 0; mode < 4; ++mode)
    {
        CAPTURE(mode);
        Stage s;
        s.scene.state.geometry.cull = static_cast<CullMode>(mode);
        for (const u32 i : {0, 1, 2})
            s.point(kRing[i][0], kRing[i][1]);
        s.run();
        CHECK(s.stage.triangle_count() == expected[mode][0]);
        for (const u32 i : {0, 2, 1})
            s.point(kRing[i][0], kRing[i][1]);
        s.run();
        CHECK(s.stage.triangle_count() == expected[mode][1]);
    }
    Stage s;
    for (const f32 x : {1.0f, 2.0f, 3.0f})
        s.point(x, x);
    s.run();
    CHECK(s.stage.triangle_count() == 0);
}

TEST_CASE("snapping: 1/16 pixel, ties go up")
{
    Stage s;
    s.point(1.0f + 1.0f / 32, 2.0f);
    s.point(10.0f - 1.0f / 32, 2.0f);
    s.point(3.0f + 3.0f / 128, 9.0f);
    s.run();
    REQUIRE(s.stage.triangle_count() == 1);
    CHECK(s.positions == std::vector<s32>{17, 32, 160, 32, 48, 144});
}

TEST_CASE("output: positions that are NaN or infinite drop the triangle")
{
    for (const f32 bad : {std::numeric_limits<f32>::quiet_NaN(), std::numeric_limits<f32>::infinity(),
                          -std::numeric_limits<f32>::infinity()})
    {
        for (u32 component = 0; component < 4; ++component)
        {
            Stage s;
            for (const u32 i : {0, 1, 2})
                s.point(kRing[i][0], kRing[i][1]);
            s.scene.vertices[1].position[component] = bad;
            s.run();
            CHECK(s.stage.triangle_count() == 0);
        }
    }
}

TEST_CASE("output: colours are magnitudes up to 1, unmapped semantics are 1, flat shading takes the third")
{
    Stage s;
    Draw& draw = s.scene.state;
    for (const u32 i : {0, 1, 2})
    {
        s.point(kRing[i][0], kRing[i][1]);
        s.scene.vertices.back().color = {-0.25f * static_cast<f32>(i + 1), -7.0f, 0.5f, 0.25f};
    }
    const std::vector<SceneVertex> vertices = s.scene.vertices;
    draw.vertex.source[0x0B] = VertexKey::kUnmapped;
    s.run();
    const u32 c = s.layout.color;
    REQUIRE(c != 0);
    CHECK(s.value(0, c) == 0.75f);      // at vertex 2
    CHECK(s.value(0, c + 1) == -0.5f);  // vertex 0 less vertex 2
    CHECK(s.value(0, c + 2) == -0.25f); // vertex 1 less vertex 2
    CHECK(s.value(0, c + 3) == 1.0f);
    CHECK(s.value(0, c + 9) == 1.0f);
    draw.geometry.flat_color = 1;
    s.scene.vertices = vertices;
    s.run();
    CHECK(s.value(0, c) == 0.75f);
    CHECK(s.value(0, c + 1) == 0.0f);
    CHECK(s.value(0, c + 2) == 0.0f);
}

TEST_CASE(
    "output: quaternions get the sign that fits vertex 0 of the assembled triangle, also behind clipping")
{
    Stage s;
    s.scene.state.fragment.lighting.lights = 1;
    s.scene.state.geometry.cull = CullMode::None;
    const auto draw = [&](bool clockwise, bool clipped)
    {
        // Against vertex 0: 1 points the other way, 2 is orthogonal and stays; 1 against 2 is not looked at.
        const Vec4 quaternion[3] = {{0, 0, 0, 1}, {0.5f, 0, 0, -2}, {-1, 0, 0, 0}};
        const f32 x[3] = {10, 50, 30};
        for (u32 i = 0; i < 3; ++i)
        {
            s.point(x[i], i == 2 ? clockwise ? 10.0f : clipped ? 200.0f : 50.0f : 30.0f);
            s.scene.vertices.back().quaternion = quaternion[i];
            s.scene.vertices.back().view = {f32(i), 2, 3, 0};
        }
        s.run();
    };
    const auto at_corner = [&](u32 triangle, u32 corner, u32 scalar)
    {
        const u32 word = s.layout.quaternion + 3 * scalar;
        return s.value(triangle, word) + (corner == 2 ? 0.0f : s.value(triangle, word + 1 + corner));
    };
    draw(false, false);
    REQUIRE(s.stage.triangle_count() == 1);
    REQUIRE(s.layout.quaternion != 0);
    CHECK(at_corner(0, 0, 3) == 1.0f);
    CHECK(at_corner(0, 1, 0) == -0.5f);
    CHECK(at_corner(0, 1, 3) == 2.0f);
    CHECK(at_corner(0, 2, 0) == -1.0f);
    CHECK(s.value(0, s.layout.view) == 2.0f);
    CHECK(s.value(0, s.layout.view + 1) == -2.0f);
    CHECK(s.value(0, s.layout.view + 2) == -1.0f);
    CHECK(s.value(0, s.layout.view + 6) == 3.0f);
    draw(true, false); // the record's vertices 1 and 2 are exchanged
    REQUIRE(s.stage.triangle_count() == 1);
    CHECK(at_corner(0, 2, 3) == 2.0f);
    CHECK(at_corner(0, 1, 0) == -1.0f);
    draw(false, true); // cut at the upper edge, 20 % of the way up
    REQUIRE(s.stage.triangle_count() == 2);
    for (const u32 triangle : {0, 1})
        for (const u32 corner : {0, 1, 2})
            CHECK(at_corner(triangle, corner, 3) >= 0.0f);
}

TEST_CASE("setup: edges vanish on their vertices, the third is the rest of the area")
{
    for_each_seed(50,
                  [](u32, Random& random)
                  {
                      Stage s;
                      s.scene.state.fragment.depth = DepthMode::Z;
                      random_triangles(s.scene, random, 20);
                      s.run();
                      for (u32 t = 0; t < s.stage.triangle_count(); ++t)
                      {
                          const u32* r = &s.records[t * s.layout.words];
                          const s32* p = &s.positions[t * 6];
                          const auto word = [&](u32 i) { return static_cast<s32>(r[i]); };
                          // 16 * e at the corner, from e at pixel centres.
                          const auto at = [&](u32 edge, u32 corner)
                          {
                              return static_cast<s64>(word(edge)) * (p[2 * corner] - 8) +
                                     static_cast<s64>(word(edge + 1)) * (p[2 * corner + 1] - 8) +
                                     16 * static_cast<s64>(word(edge + 2));
                          };
                          REQUIRE(at(0, 1) == 0);
                          REQUIRE(at(0, 2) == 0);
                          REQUIRE(at(3, 2) == 0);
                          REQUIRE(at(3, 0) == 0);
                          REQUIRE(at(0, 0) == 16 * static_cast<s64>(word(6)));
                          REQUIRE(at(3, 1) == 16 * static_cast<s64>(word(6)));
                          REQUIRE(word(6) > 0);
                          const s32 scaled = word(6) >> word(7);
                          REQUIRE(scaled < 1 << 24);
                          const bool smallest = word(7) == 0 || scaled >= 1 << 23;
                          REQUIRE(smallest);
                      }
                  });
}

TEST_CASE("fetch: element draws run each vertex once, missing components are 0, 0, 1")
{
    Stage s;
    Draw& draw = s.scene.state;
    const s16 data[3][2] = {{0, 0}, {1, 0}, {0, 1}};
    const auto memory = s.arena.fcram();
    std::memcpy(memory.data() + 0x100, data, sizeof data);
    const u16 indices[6] = {0, 1, 2, 0, 1, 2};
    std::memcpy(memory.data() + 0x200, indices, sizeof indices);
    for (FetchInput& input : draw.source.input)
        input = {};
    FetchInput& position = draw.source.input[0];
    position.source = FetchInput::Source::Memory;
    position.type = AttributeType::S16;
    position.components = 2;
    position.stride = 4;
    position.address = kFcramBase + 0x100;
    s.scene.draw();
    draw.source.inline_values = {};
    draw.source.count = 6;
    draw.source.indexed = 1;
    draw.source.index16 = 1;
    draw.source.index_address = kFcramBase + 0x200;
    s.stage.run(draw, s.arena.memory(), s.reports);
    CHECK(s.stage.shaded_vertices() == 3);
    REQUIRE(s.stage.triangle_count() == 2);
    std::vector<u32> records(2 * 96);
    std::vector<s32> positions(12);
    s.stage.emit(record_layout(draw.fragment, draw.geometry, 1), records.data(), positions.data());
    CHECK(positions[0] == 512); // x 0 -> pixel 32
    CHECK(positions[2] == 1024);
    CHECK(positions[5] == 1024);
    CHECK(s.reports.causes.empty());
}

TEST_CASE("fetch: data and indices outside memory read as 0 and are reported; the work is bounded")
{
    Stage s;
    Draw& draw = s.scene.state;
    for (FetchInput& input : draw.source.input)
        input = {};
    FetchInput& position = draw.source.input[0];
    position.source = FetchInput::Source::Memory;
    position.type = AttributeType::F32;
    position.components = 4;
    position.stride = 255;
    position.address = 0xFFFFFFF0;
    s.scene.draw();
    draw.source.count = 0xFFFFFFFF;
    draw.source.first_vertex = 0xFFFFFFFF;
    s.stage.run(draw, s.arena.memory(), s.reports);
    CHECK(s.stage.triangle_count() == 0);
    CHECK(s.stage.shaded_vertices() == kMaxDrawVertices);
    CHECK(s.reports.causes.count("vertex data outside memory") == 1);
    CHECK(s.reports.causes.count("too many vertices in a draw") == 1);
    draw.source.indexed = 1;
    draw.source.index16 = 1;
    draw.source.index_address = 0xFFFFFFFF;
    draw.source.count = 100;
    s.stage.run(draw, s.arena.memory(), s.reports);
    CHECK(s.reports.causes.count("index data outside memory") == 1);
}
