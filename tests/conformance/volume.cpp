// SPDX-License-Identifier: MIT
// Large amounts: thousands of draws in one list, draws of many thousand triangles, more surfaces and frames
// than caches keep. Both backends leave the same bytes when buffers grow, split, are reused and are dropped.
#include "tests/support/suite/list_scene.h"

using namespace tests;

namespace
{

constexpr Variant kVariants[] = {kRasterOrder, kCompute, kBarrier, kComputeBarrier, kShaderCoverage};

// Constants, textures and few states change from draw to draw.
void many_draws(ListScene& s)
{
    Random& random = s.random;
    s.texture_unit(0, ListScene::kTextures, 32, 32, TextureFormat::RGBA8);
    s.texture_unit(1, ListScene::kTextures + 0x1000, 32, 32, TextureFormat::RGBA4);
    for (u32 i = 0; i < 1500; ++i)
    {
        const u32 kind = random.below(6);
        if (kind == 0)
            s.list.set(reg::BLEND_FUNC::color_dest,
                       random.chance(1, 2) ? BlendFactor::OneMinusSourceAlpha : BlendFactor::Zero);
        else if (kind == 1)
            s.list.set(reg::TEXENV_SOURCE::color_1,
                       random.pick({CombinerSource::PrimaryColor, CombinerSource::Texture0}), 0);
        else if (kind == 2)
            s.texture_unit(0, ListScene::kTextures + random.below(40) * 0x1000, 32, 32, TextureFormat::RGBA8);
        else if (kind == 3)
            s.list.write(reg::BLEND_COLOR::id, random.next());
        else if (kind == 4)
            s.list.set(reg::DEPTH_COLOR_MASK::depth_write, random.chance(1, 2));
        s.triangles(1);
        s.draw();
    }
    s.run();
}

// One draw of more triangles than any piece of its way takes at once.
void large_draw(ListScene& s)
{
    Random& random = s.random;
    constexpr u32 kVertices = 1500;
    std::vector<ListVertex> vertices;
    constexpr u32 kColumns = 40; // row by row, so that vertices of near numbers make small triangles
    const f32 step_x = (f32(s.width) + 8.0f) / kColumns;
    const f32 step_y = (f32(s.height) + 8.0f) / (kVertices / kColumns);
    for (u32 i = 0; i < kVertices; ++i)
        vertices.push_back(s.random_vertex(f32(i % kColumns) * step_x - 4.0f + random.real(-2.0f, 2.0f),
                                           f32(i / kColumns) * step_y - 4.0f + random.real(-2.0f, 2.0f),
                                           random.real(-1.0f, 0.0f), random.real(0.5f, 2.0f)));
    s.machine.write(ListScene::kVertices, std::span(reinterpret_cast<const u8*>(vertices.data()),
                                                    vertices.size() * sizeof(ListVertex)));
    const u32 count = random.pick({98301u, 99000u, 150000u, 9000u});
    std::vector<u16> indices;
    for (u32 i = 0; i < count; ++i) // near each other
        indices.push_back(u16((i / 3 * 7 + random.below(12)) % kVertices));
    constexpr u32 kOffset = 0x28000;
    s.machine.write(ListScene::kVertices + kOffset,
                    std::span(reinterpret_cast<const u8*>(indices.data()), indices.size() * 2));
    s.list.set(reg::DEPTH_COLOR_MASK::depth_test, random.chance(1, 2));
    s.list.set(reg::DEPTH_COLOR_MASK::depth_func, CompareFunc::GreaterOrEqual);
    s.list.set(reg::DEPTH_COLOR_MASK::depth_write, true);
    s.list.draw_elements(static_cast<Topology>(random.below(2)), kOffset, IndexType::U16, count);
    s.run();
}

// More surfaces and textures than are kept, then frames in which nobody uses them, then some again.
void many_surfaces(ListScene& s)
{
    Random& random = s.random;
    const auto draw_at = [&](u32 place)
    {
        s.color_target(kVramBase + place * 0x400, ColorFormat::RGBA8);
        s.size(16, 16, place % 2 != 0);
        s.viewport(8, 8, 0, 0);
        s.texture_unit(0, kVramBase + random.below(100) * 0x400, 16, 16, TextureFormat::RGBA8);
        s.list.set(reg::TEXENV_SOURCE::color_1, CombinerSource::Texture0, 0);
        s.quad(2, 2, f32(random.below(16)), 14, -0.5f);
        s.draw();
    };
    for (u32 place = 0; place < 100; ++place)
        draw_at(place);
    s.run();
    for (u32 frame = 0; frame < 320; ++frame)
    {
        s.machine.gpu().end_frame();
        if (frame % 40 == 0)
        {
            draw_at(random.below(100));
            s.run();
        }
    }
    for (u32 place = 0; place < 30; ++place)
        draw_at(random.below(100));
    s.run();
}

void generate(ConformanceMachine& machine, Random& random)
{
    const u32 kind = random.below(3);
    machine.coverage().note("kind", kind, true);
    ListScene s(machine, random, 128, 128);
    if (kind == 0)
        many_draws(s);
    else if (kind == 1)
        large_draw(s);
    else
        many_surfaces(s);
}

void require(Coverage& coverage)
{
    coverage.require("kind", 3);
}

} // namespace

TEST_CASE("conformance: large amounts leave the same bytes in both cores")
{
    run_suite({.name = "volume",
               .variants = kVariants,
               .seeds = 25,
               .generate = generate,
               .require = require,
               .mostly_specialised = true});
}
