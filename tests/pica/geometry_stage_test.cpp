// SPDX-License-Identifier: MIT
// The three modes of the geometry shader unit, and what persists from draw to draw
// (pica/hardware/geometry-unit.md).
#include "pica/vertex/vertex_stage.h"

#include "pica/memory/guest_arena.h"
#include "tests/support/programs/program_builder.h"
#include "tests/support/scenes/draw_scene.h"

#include <algorithm>
#include <bit>
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

// A 64x64 target. Vertex n is at pixel kRing[n]; programs emit positions, which come back as pixels.
constexpr f32 kRing[6][2] = {{60, 32}, {45, 55}, {20, 58}, {5, 33}, {18, 9}, {44, 7}};
constexpr PhysAddr kIndices = 0x20000100;

struct Geometry
{
    explicit Geometry(GeometryMode mode, u32 vertices = 3)
    {
        GeometryUnit& unit = scene.state.geometry_unit;
        unit.feed.enabled = 1;
        unit.feed.mode = mode;
        unit.feed.attributes = 1;
        unit.feed.source.fill(GeometryFeed::kNoOutput);
        unit.feed.source[0] = 0;
        unit.feed.output_mask = 1;
        unit.feed.obeys_winding = 1;
        if (mode == GeometryMode::Point)
            unit.feed.inputs = u8(vertices);
        for (u32 n = 0; n < 16; ++n)
            unit.feed.target[n] = u8(n);
        if (mode == GeometryMode::Fixed)
            unit.feed.vertices = u8(vertices);
        if (mode == GeometryMode::Variable)
            unit.feed.full_vertices = u8(vertices);
        unit.uniforms = &uniforms;
        scene.state.vertex.source.fill(VertexKey::kUnmapped);
        for (u8 i = 0; i < 4; ++i)
            scene.state.vertex.source[i] = i;
    }
    void bind(const ProgramBuilder& builder)
    {
        program = std::make_unique<Program>(builder.program(0, ShaderStage::Geometry));
        scene.state.geometry_unit.program = program.get();
    }
    void point(u32 n)
    {
        SceneVertex v;
        v.position = scene.at(kRing[n][0], kRing[n][1]);
        v.color = {f32(n), 0, 0, 0};
        scene.add(v);
    }
    void points(std::initializer_list<u32> numbers)
    {
        for (const u32 n : numbers)
            point(n);
    }
    // Ring numbers of the triangles' corners, in the order of the record.
    std::vector<std::array<u32, 3>> run()
    {
        stage.run(scene.draw(), arena.memory(), reports);
        scene.vertices.clear();
        scene.state.geometry_unit.reset = 0;
        scene.state.geometry_unit.written_floats.reset();
        scene.state.geometry_unit.written_bools = 0;
        const RecordLayout layout = record_layout(scene.state.fragment, scene.state.geometry, 1);
        std::vector<u32> records(stage.triangle_count() * layout.words);
        std::vector<s32> positions(stage.triangle_count() * 6);
        stage.emit(layout, records.data(), positions.data());
        std::vector<std::array<u32, 3>> out(stage.triangle_count());
        for (u32 t = 0; t < out.size(); ++t)
            for (u32 i = 0; i < 3; ++i)
            {
                out[t][i] = 9;
                for (u32 n = 0; n < 6; ++n)
                    if (positions[t * 6 + i * 2] >> 4 == s32(kRing[n][0]) &&
                        positions[t * 6 + i * 2 + 1] >> 4 == s32(kRing[n][1]))
                        out[t][i] = n;
            }
        return out;
    }

    Reports reports;
    GuestArena arena{0x10000};
    DrawScene scene{64, 64};
    ShaderUniforms uniforms;
    std::unique_ptr<Program> program;
    VertexStage stage;
};

using Triangles = std::vector<std::array<u32, 3>>;

// The three sources become one triangle.
void triangle(ProgramBuilder& b, ShaderOperand p, ShaderOperand q, ShaderOperand s, bool invert = false)
{
    const ShaderOperand source[3] = {p, q, s};
    for (u32 i = 0; i < 3; ++i)
    {
        b.mov(o(0), source[i]);
        b.set_emit(i, i == 2, i == 2 && invert);
        b.emit();
    }
}

} // namespace

TEST_CASE("geometry stage: point mode takes its inputs in submission order, without sharing")
{
    for (u32 vertices = 1; vertices <= 3; ++vertices)
    {
        CAPTURE(vertices);
        Geometry g(GeometryMode::Point, vertices);
        ProgramBuilder b; // missing ones are what earlier invocations left: nothing here
        triangle(b, v(0), v(vertices > 1 ? 1 : 0), v(vertices > 2 ? 2 : 0));
        b.end();
        g.bind(b);
        g.points({0, 1, 2, 3, 4, 5});
        const Triangles triangles = g.run();
        CHECK(g.stage.shaded_vertices() == 6);
        CHECK(triangles == (vertices == 3 ? Triangles{{0, 1, 2}, {3, 4, 5}} : Triangles{}));
    }
}

TEST_CASE("geometry stage: inputs go to registers by the permutation, the others persist")
{
    Geometry g(GeometryMode::Point, 1);
    g.scene.state.geometry_unit.feed.target[0] = 7;
    ProgramBuilder b; // v7 becomes the newest of r0, r1, r2
    b.mov(r(2), r(1));
    b.mov(r(1), r(0));
    b.mov(r(0), v(7));
    triangle(b, r(2), r(1), r(0));
    b.end();
    g.bind(b);
    g.points({0, 1, 2, 3});
    // What the zero vectors of the first two invocations leave is of no interest.
    const Triangles first = g.run();
    REQUIRE(first.size() >= 2);
    CHECK(first[first.size() - 2] == std::array<u32, 3>{0, 1, 2});
    CHECK(first.back() == std::array<u32, 3>{1, 2, 3});
    g.point(4); // the next draw
    CHECK(g.run() == Triangles{{2, 3, 4}});
}

TEST_CASE("geometry stage: a winding flag exchanges the first two vertices under topology 3 alone")
{
    for (const u32 obeys : {0u, 1u})
    {
        Geometry g(GeometryMode::Point, 3);
        g.scene.state.geometry_unit.feed.obeys_winding = u8(obeys);
        g.scene.state.geometry.cull = CullMode::Back; // keeps counter-clockwise ones
        ProgramBuilder b;
        triangle(b, v(0), v(1), v(2), true);
        triangle(b, v(0), v(1), v(2), false); // one-shot
        b.end();
        g.bind(b);
        g.points({1, 0, 2}); // clockwise
        CHECK(g.run().size() == obeys);
    }
}

TEST_CASE("geometry stage: emitted vertices run through the configured topology")
{
    Geometry g(GeometryMode::Point, 3);
    g.scene.state.source.topology = Topology::TriangleStrip;
    ProgramBuilder b;
    triangle(b, v(0), v(1), v(2));
    b.end();
    g.bind(b);
    g.points({0, 1, 2, 3, 4, 5});
    CHECK(g.run().size() == 4); // six vertices of one strip
    CHECK(g.stage.pending() == 2);
    g.scene.state.source.restart = 0;
    g.points({0, 2, 4});
    CHECK(g.run().size() == 3);
}

TEST_CASE("geometry stage: fixed mode writes uniforms and rewinds after each invocation")
{
    Geometry g(GeometryMode::Fixed, 3);
    g.scene.state.geometry_unit.feed.first_uniform = 40;
    ProgramBuilder b;
    triangle(b, c(40), c(41), c(42));
    b.end();
    g.bind(b);
    g.points({0, 1, 2, 3, 4, 5});
    CHECK(g.run() == Triangles{{0, 1, 2}, {3, 4, 5}});

    // What was fed stays, until the guest writes the register.
    ProgramBuilder later;
    triangle(later, c(40), c(41), c(42));
    later.end();
    Geometry point(GeometryMode::Point, 1);
    g.scene.state.geometry_unit.feed = point.scene.state.geometry_unit.feed;
    g.bind(later);
    g.point(0);
    CHECK(g.run() == Triangles{{3, 4, 5}});
    g.uniforms.f[41] = g.scene.at(kRing[0][0], kRing[0][1]);
    g.point(0);
    CHECK(g.run() == Triangles{{3, 4, 5}}); // not uploaded yet
    g.scene.state.geometry_unit.written_floats.set(41);
    g.point(0);
    const Triangles triangles = g.run();
    CHECK((triangles == Triangles{{3, 0, 5}} || triangles == Triangles{{3, 5, 0}}));
}

TEST_CASE("geometry stage: an invocation is not finished across draws, unless an immediate draw continues")
{
    for (const u8 continues : {u8{0}, u8{1}})
    {
        for (const GeometryMode mode : {GeometryMode::Point, GeometryMode::Fixed})
        {
            Geometry g(mode, 3);
            ProgramBuilder b;
            if (mode == GeometryMode::Point)
                triangle(b, v(0), v(1), v(2));
            else
                triangle(b, c(0), c(1), c(2));
            b.end();
            g.bind(b);
            g.points({0, 1});
            CHECK(g.run().empty());
            g.scene.state.geometry_unit.continues = continues;
            g.points({2, 3, 4});
            CHECK(g.run() == (continues != 0 ? Triangles{{0, 1, 2}} : Triangles{{2, 3, 4}}));
            CHECK(g.reports.causes.contains("geometry shader inputs left over") == (continues == 0));
        }
    }
}

TEST_CASE("geometry stage: inputs past c95 are dropped and reported")
{
    Geometry g(GeometryMode::Fixed, 3);
    g.scene.state.geometry_unit.feed.first_uniform = 94;
    ProgramBuilder b;
    triangle(b, c(94), c(95), c(0));
    b.end();
    g.bind(b);
    g.uniforms.f[0] = g.scene.at(kRing[5][0], kRing[5][1]);
    g.points({0, 1, 2});
    const Triangles triangles = g.run();
    CHECK((triangles == Triangles{{0, 1, 5}} || triangles == Triangles{{0, 5, 1}}));
    CHECK(g.reports.causes.contains("geometry shader inputs past c95"));
}

TEST_CASE("geometry stage: variable mode reads N, writes it to c0, then full vertices, then positions alone")
{
    Geometry g(GeometryMode::Variable, 1);
    GeometryUnit& unit = g.scene.state.geometry_unit;
    unit.feed.attributes = 2; // position and colour
    unit.feed.source[1] = 1;
    unit.feed.output_mask = 3;
    // c1, c2: the full vertex; c3, c4: positions of the others. o1 = c2 + c0 tells them apart.
    ProgramBuilder b;
    b.mov(r(0), c(0));
    b.add(r(0), c(2), r(0));
    const ShaderOperand source[3] = {c(1), c(3), c(4)};
    for (u32 i = 0; i < 3; ++i)
    {
        b.mov(o(0), source[i]);
        b.mov(o(1), r(0));
        b.set_emit(i, i == 2, false);
        b.emit();
    }
    b.end();
    g.bind(b);
    for (const u32 n : {0, 1, 2, 3, 4, 5})
        g.point(n);
    // One primitive of three vertices, one of none, one of four, one that is cut short.
    const u8 indices[] = {3, 0, 1, 2, 0, 4, 3, 4, 5, 0, 3, 1, 2};
    for (u32 i = 0; i < sizeof indices; i += 4)
    {
        u32 word = 0;
        for (u32 k = 0; k < 4 && i + k < sizeof indices; ++k)
            word |= u32{indices[i + k]} << (8 * k);
        g.arena.memory().write32(kIndices + i, word);
    }
    // Vertices come from memory where there are indices.
    std::vector<Vec4> values;
    for (const SceneVertex& vertex : g.scene.vertices)
        values.insert(values.end(), {vertex.position, vertex.color});
    for (u32 i = 0; i < values.size() * 4; ++i)
        g.arena.memory().write32(0x20001000 + i * 4, std::bit_cast<u32>(values[i / 4][i % 4]));
    for (u32 n = 0; n < 2; ++n)
    {
        FetchInput& input = g.scene.state.source.input[n];
        input.source = FetchInput::Source::Memory;
        input.type = AttributeType::F32;
        input.components = 4;
        input.stride = 32;
        input.address = 0x20001000 + n * 16;
    }
    g.scene.draw();
    g.scene.state.source.count = sizeof indices;
    g.scene.state.source.indexed = 1;
    g.scene.state.source.index_address = kIndices;
    g.stage.run(g.scene.state, g.arena.memory(), g.reports);
    CHECK(g.stage.triangle_count() == 2);
    CHECK(g.stage.shaded_vertices() == 6); // unique ones
    CHECK(g.reports.causes.contains("geometry shader primitive without vertices"));
    CHECK(g.reports.causes.contains("geometry shader primitive past the indices"));
    // c5 is the position of the fourth vertex of the second primitive, ring number 0.
    ProgramBuilder after;
    triangle(after, c(1), c(3), c(5));
    after.end();
    g.bind(after);
    Geometry point(GeometryMode::Point, 1);
    unit.feed = point.scene.state.geometry_unit.feed;
    unit.reset = 0;
    g.scene.state.source.indexed = 0;
    for (u32 n = 0; n < 2; ++n)
        g.scene.state.source.input[n] = FetchInput{.source = FetchInput::Source::Inline, .attribute = u8(n)};
    g.scene.vertices.clear();
    g.point(1);
    CHECK(g.run() == Triangles{{3, 4, 0}});
}

TEST_CASE("geometry stage: b15 is set by each invocation until the guest writes the bools")
{
    Geometry g(GeometryMode::Point, 3);
    ProgramBuilder b; // initialises r0 in the first run, as drivers' programs do
    b.if_uniform(15);
    b.nop();
    triangle(b, v(0), v(1), r(0));
    b.otherwise();
    b.mov(r(0), v(2));
    b.nop();
    b.end_if();
    b.end();
    g.bind(b);
    g.points({0, 1, 2, 0, 1, 3, 0, 1, 4});
    CHECK(g.run() == Triangles{{0, 1, 2}, {0, 1, 2}});
    g.points({0, 1, 5});
    CHECK(g.run() == Triangles{{0, 1, 2}}); // in the next draw too
    g.scene.state.geometry_unit.written_bools = 1;
    g.points({0, 1, 5, 0, 1, 2});
    CHECK(g.run() == Triangles{{0, 1, 5}});
}

TEST_CASE("geometry stage: power-up clears the unit")
{
    Geometry g(GeometryMode::Point, 3);
    ProgramBuilder b;
    triangle(b, r(0), v(1), v(2));
    b.mov(r(0), v(0));
    b.end();
    g.bind(b);
    const auto has = [](const Triangles& triangles, std::array<u32, 3> t)
    { return std::find(triangles.begin(), triangles.end(), t) != triangles.end(); };
    g.points({0, 1, 2, 3, 4, 5});
    CHECK(has(g.run(), {0, 4, 5}));
    g.points({0, 4, 5});
    CHECK(has(g.run(), {3, 4, 5}));
    g.scene.state.geometry_unit.reset = 1;
    g.points({3, 4, 5});
    CHECK_FALSE(has(g.run(), {0, 4, 5}));
}
