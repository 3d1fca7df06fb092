// SPDX-License-Identifier: MIT
// Random triangles and states through the software core, each pixel compared with the scalar reference.
#include "pica/memory/guest_arena.h"
#include "pica/soft/raster.h"
#include "pica/soft/software_core.h"
#include "pica/state/proctex.h"
#include "pica/vertex/vertex_stage.h"
#include "tests/reference/reference_pixel.h"
#include "tests/support/scenes/draw_scene.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

using namespace tests;

namespace
{

class NullReport final : public Report
{
public:
    void report(ReportKind, std::string_view, std::string_view) override {}
};

bool same_bytes(GuestMemory& a, GuestMemory& b, PhysAddr address, u32 size)
{
    const auto x = a.span(address, size);
    const auto y = b.span(address, size);
    return std::equal(x.begin(), x.end(), y.begin(), y.end());
}

// Lets combiners read only the alpha, or only the colour, of the procedural texture.
void read_one_half_of_proctex(FragmentKey& key, bool alpha)
{
    for (TexEnvStageKey& stage : key.texenv)
        for (u32 slot = 0; slot < 3; ++slot)
        {
            if (stage.color_source[slot] == CombinerSource::Texture3 && slot < stage.color_slots())
                stage.color_operand[slot] = alpha ? ColorOperand::OneMinusAlpha : ColorOperand::Green;
            if (stage.alpha_source[slot] == CombinerSource::Texture3 && slot < stage.alpha_slots())
                stage.alpha_operand[slot] = alpha ? AlphaOperand::Alpha : AlphaOperand::OneMinusBlue;
        }
}

// Makes texture coordinates equal at all, or at two, vertices of some triangles.
void make_coordinates_constant(DrawScene& scene, Random& random)
{
    for (std::size_t i = 0; i + 2 < scene.vertices.size(); i += 3)
        for (u32 axis = 0; axis < 6; ++axis)
        {
            const auto coordinate = [&](std::size_t vertex) -> f32&
            {
                SceneVertex& v = scene.vertices[i + vertex];
                return axis < 4 ? v.texcoord01[axis] : v.texcoord2[axis - 4];
            };
            if (random.chance(1, 4))
                continue;
            f32 value = coordinate(0);
            // Now and then on or just below the boundary of two texels.
            if (random.chance(1, 3))
                value = f32(random.between(-64, 64)) * 0.03125f;
            if (random.chance(1, 6))
                value *= 1.0f - 0x1p-22f;
            const u32 different = random.below(9); // a vertex that keeps its own value, or none
            for (u32 vertex = 0; vertex < 3; ++vertex)
                if (vertex != different)
                    coordinate(vertex) = value;
        }
}

// Makes halves of upright rectangles, as sprites are: 1/w is a power of two, and each coordinate changes along x or y.
void make_right_angled(DrawScene& scene, Random& random)
{
    for (std::size_t i = 0; i + 2 < scene.vertices.size(); i += 3)
    {
        const std::size_t first = random.below(3);
        SceneVertex& corner = scene.vertices[i + first];
        SceneVertex& beside = scene.vertices[i + (first + 1) % 3];
        SceneVertex& above = scene.vertices[i + (first + 2) % 3];
        const f32 step = random.chance(1, 2) ? 1.0f : 1.0f / 16.0f; // of positions, in pixels
        const auto place = [&](f32 size)
        { return std::floor(random.real(-8.0f, size + 8.0f) / step) * step; };
        const f32 width = scene.state.target.width;
        const f32 height = scene.state.target.height;
        const f32 w = std::ldexp(1.0f, random.between(-2, 2));
        const f32 x = place(width);
        const f32 y = place(height);
        corner.position = scene.at(x, y, -0.5f, w);
        beside.position = scene.at(place(width), y, -0.25f, w);
        above.position = scene.at(x, place(height), -0.75f, w);
        for (u32 axis = 0; axis < 6; ++axis)
        {
            const auto coordinate = [&](SceneVertex& v) -> f32&
            { return axis < 4 ? v.texcoord01[axis] : v.texcoord2[axis - 4]; };
            // Half of them on borders between texels.
            if (random.chance(1, 2))
                for (SceneVertex* v : {&corner, &beside, &above})
                    coordinate(*v) = f32(random.between(-32, 32)) * 0.0625f;
            if (random.chance(4, 5))
                coordinate(random.chance(1, 2) ? above : beside) = coordinate(corner);
        }
    }
}

struct Reached
{
    u64 changed_bytes = 0;
    u32 alpha_only_draws = 0; // that read nothing but separate alpha of the procedural texture
};

// Draws a few random draws onto each other; false at the first byte that differs.
void compare_scene(Random& random, u32 width, u32 height, const SoftwareOptions& options, Reached& reached)
{
    NullReport report;
    GuestArena expected(0x1000);
    GuestArena actual(0x1000);
    Random fill_a(random.next64());
    Random fill_b = fill_a;
    fill_memory(expected.memory(), fill_a);
    fill_memory(actual.memory(), fill_b);
    SoftwareCore core(actual.memory(), report, options);
    VertexStage stage;
    u32 triangles = 0;
    const auto bytes = expected.memory().span(DrawScene::kColor, 0x20000);
    const std::vector<u8> before(bytes.begin(), bytes.end());
    for (u32 n = 0; n < 4; ++n)
    {
        DrawScene scene(width, height);
        randomise_state(scene.state, random);
        randomise_luts(scene.luts, random);
        if (random.chance(1, 6)) // edge values need 64 bits
            scene.state.geometry.half_width = scene.state.geometry.half_height = 3000.0f;
        random_triangles(scene, random, 1 + random.below(24));
        if (random.chance(1, 3))
            make_right_angled(scene, random);
        if (random.chance(1, 3))
            make_coordinates_constant(scene, random);
        if (random.chance(1, 2))
            read_one_half_of_proctex(scene.state.fragment, random.chance(2, 3));
        const Draw& draw = scene.draw();

        const RecordLayout layout = record_layout(draw.fragment, draw.geometry, 1);
        stage.run(draw, expected.memory(), report);
        std::vector<u32> records(stage.triangle_count() * layout.words);
        std::vector<s32> positions(stage.triangle_count() * 6);
        stage.emit(layout, records.data(), positions.data());
        reference_draw(draw, layout, records, positions, expected.memory());
        // The reference computes all of the procedural texture.
        Draw pruned = draw;
        if (pruned.fragment.proctex.enabled)
            prune_proctex(pruned.fragment.proctex_channels(), pruned.fragment.proctex);
        reached.alpha_only_draws += pruned.fragment.proctex.alpha_only;
        core.draw(pruned);

        INFO("draw ", n, ": ", draw.text());
        REQUIRE(same_bytes(expected.memory(), actual.memory(), DrawScene::kColor, 0x20000));
        REQUIRE(same_bytes(expected.memory(), actual.memory(), DrawScene::kDepth, 0x20000));
        triangles += stage.triangle_count();
    }
    REQUIRE(triangles != 0);
    // A comparison of scenes that change nothing would prove nothing.
    const auto now = expected.memory().span(DrawScene::kColor, 0x20000);
    reached.changed_bytes += std::inner_product(now.begin(), now.end(), before.begin(), u64{0}, std::plus<>(),
                                                [](u8 a, u8 b) { return u64{a != b}; });
}

} // namespace

TEST_CASE("software core: every pixel of random draws follows the scalar rules")
{
    Reached reached;
    for_each_seed(150,
                  [&](u32, Random& random)
                  {
                      SoftwareOptions options;
                      options.threads = 1;
                      compare_scene(random, 64, 41 + random.below(16), options, reached);
                  });
    CHECK(reached.changed_bytes > 1000);
    CHECK(reached.alpha_only_draws > 5);
}

TEST_CASE("software core: the AVX2 and baseline kernels leave the same bytes")
{
    Reached reached;
    for_each_seed(80,
                  [&](u32 seed, Random& random)
                  {
                      SoftwareOptions options;
                      options.threads = 1;
                      options.kernel = seed % 2 == 0 ? SoftwareKernel::Baseline : SoftwareKernel::Avx2;
                      compare_scene(random, 48, 49 + random.below(8), options, reached);
                  });
    CHECK(reached.changed_bytes > 1000);
    CHECK(reached.alpha_only_draws > 5);
}
