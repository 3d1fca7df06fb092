// SPDX-License-Identifier: MIT
// Coverage, fill rule and interpolation: slivers, shared edges, vertices on pixel centres, edges that pass
// through them. Additive blending counts how often a pixel is covered. pica/hardware/rasteriser.md.
#include "tests/support/suite/list_scene.h"

#include "pica/base/float24.h"

#include <cmath>

using namespace tests;

namespace
{

constexpr Variant kVariants[] = {kRasterOrder,    kBarrier,      kCompute, kComputeBarrier,
                                 kShaderCoverage, kTexelRecords, kVotes,   kComputeVotes};

// A coordinate on the grid of 1/16 pixel, often on a pixel's centre or edge.
f32 grid(Random& random, f32 limit)
{
    const f32 x = random.real(-4.0f, limit + 4.0f);
    switch (random.below(4))
    {
    case 0:
        return std::floor(x) + 0.5f;
    case 1:
        return std::floor(x);
    case 2:
        return std::floor(x * 16.0f) / 16.0f;
    default:
        return x;
    }
}

// A mesh: every inner pixel must be covered once.
void mesh(ListScene& s)
{
    Random& random = s.random;
    constexpr u32 kCells = 6;
    std::array<std::array<ListVertex, kCells + 1>, kCells + 1> points;
    for (u32 y = 0; y <= kCells; ++y)
        for (u32 x = 0; x <= kCells; ++x)
        {
            const f32 px = f32(x) * f32(s.width) / kCells, py = f32(y) * f32(s.height) / kCells;
            const f32 w = s.perspective ? random.real(0.5f, 4.0f) : 1.0f;
            points[y][x] = s.random_vertex(std::floor(px * 2.0f + random.real(-3.0f, 3.0f)) * 0.5f,
                                           std::floor(py * 2.0f + random.real(-3.0f, 3.0f)) * 0.5f,
                                           random.real(-0.9f, -0.1f), w);
        }
    for (u32 y = 0; y < kCells; ++y)
        for (u32 x = 0; x < kCells; ++x)
        {
            const ListVertex &a = points[y][x], &b = points[y][x + 1], &c = points[y + 1][x],
                             &d = points[y + 1][x + 1];
            const bool other = random.chance(1, 2); // the other diagonal
            for (const ListVertex& v : {a, b, other ? c : d, other ? b : a, d, c})
                s.add(v);
        }
}

// A fan around one point, in random pieces.
void star(ListScene& s)
{
    Random& random = s.random;
    const f32 x = grid(random, f32(s.width)), y = grid(random, f32(s.height));
    const ListVertex center = s.random_vertex(x, y, -0.5f, 1.0f);
    const u32 rays = 5 + random.below(40);
    std::vector<ListVertex> rim;
    for (u32 i = 0; i < rays; ++i)
    {
        const f32 angle = 6.2831853f * f32(i) / f32(rays);
        const f32 radius = random.real(2.0f, f32(s.width));
        rim.push_back(s.random_vertex(std::floor((x + radius * std::cos(angle)) * 16.0f) / 16.0f,
                                      std::floor((y + radius * std::sin(angle)) * 16.0f) / 16.0f, -0.5f,
                                      s.perspective ? random.real(0.5f, 4.0f) : 1.0f));
    }
    for (u32 i = 0; i < rays; ++i)
        for (const ListVertex& v : {center, rim[i], rim[(i + 1) % rays]})
            s.add(v);
}

void slivers(ListScene& s)
{
    Random& random = s.random;
    for (u32 i = 0; i < 24; ++i)
    {
        const f32 x1 = grid(random, f32(s.width)), y1 = grid(random, f32(s.height));
        const f32 x2 = grid(random, f32(s.width)), y2 = grid(random, f32(s.height));
        const f32 along = random.real(-0.5f, 1.5f), off = random.pick({0.0f, 0.0625f, 0.125f, 1.0f});
        s.add(s.random_vertex(x1, y1, -0.5f, 1.0f));
        s.add(s.random_vertex(x2, y2, random.real(-1.0f, 0.0f), s.perspective ? 3.0f : 1.0f));
        s.add(s.random_vertex(x1 + (x2 - x1) * along + random.real(-off, off),
                              y1 + (y2 - y1) * along + random.real(-off, off), -0.25f, 1.0f));
    }
}

void tiny(ListScene& s)
{
    Random& random = s.random;
    for (u32 i = 0; i < 60; ++i)
    {
        const f32 x = grid(random, f32(s.width)), y = grid(random, f32(s.height));
        for (u32 k = 0; k < 3; ++k)
            s.add(s.random_vertex(x + f32(random.between(-20, 20)) / 16.0f,
                                  y + f32(random.between(-20, 20)) / 16.0f, random.real(-1.0f, 0.0f),
                                  s.perspective ? random.real(0.1f, 10.0f) : 1.0f));
    }
}

void generate(ConformanceMachine& machine, Random& random)
{
    const u32 size = random.pick({64u, 96u, 200u, 256u});
    ListScene s(machine, random, size, random.pick({64u, 104u, 240u}));
    s.list.set(reg::FRAMEBUFFER_DIM::flip, random.chance(1, 2));
    s.texture_unit(0, ListScene::kTextures, 32, 32, TextureFormat::RGBA8);
    for (u32 i = 0; i < 5; ++i)
    {
        const bool additive = random.chance(1, 3);
        s.list.set(reg::BLEND_FUNC::color_dest, additive ? BlendFactor::One : BlendFactor::Zero);
        s.list.set(reg::BLEND_FUNC::alpha_dest, additive ? BlendFactor::One : BlendFactor::Zero);
        // Depth codes show interpolation in full; both kinds of depth.
        const bool depth = !additive && random.chance(1, 2);
        s.list.set(reg::DEPTH_COLOR_MASK::depth_write, depth);
        s.list.set(reg::DEPTHMAP_ENABLE::mode, random.chance(1, 2) ? DepthMap::WBuffer : DepthMap::ZBuffer);
        if (!additive && random.chance(1, 3))
            s.textured();
        else
        {
            s.list.write(reg::TEXENV_SOURCE::ids[0], 0);
            s.list.write(reg::TEXENV_COMBINER::ids[0], 0);
        }
        s.perspective = random.chance(1, 2);
        switch (random.below(4))
        {
        case 0:
            mesh(s);
            break;
        case 1:
            star(s);
            break;
        case 2:
            slivers(s);
            break;
        default:
            tiny(s);
            break;
        }
        if (random.chance(1, 3))
            s.draw_indexed();
        else
            s.draw();
    }
    s.run();
}

void require(Coverage& coverage)
{
    coverage.require("output class", {1, 3});
    coverage.require("depth mode", 3);
    coverage.require("vertex order", {0, 2});
    coverage.require("target flip", 2);
}

} // namespace

TEST_CASE("conformance: coverage and interpolation leave the same bytes in both cores")
{
    run_suite({.name = "raster",
               .variants = kVariants,
               .seeds = 48,
               .generate = generate,
               .require = require,
               .mostly_specialised = true,
               .reference = true});
}

TEST_CASE("conformance: coverage and interpolation leave the same planes in both cores")
{
    run_scaled_suite({.name = "raster at N", .generate = generate}, 40);
}
