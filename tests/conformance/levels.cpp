// SPDX-License-Identifier: MIT
// Level of detail: triangles of all shapes and perspectives under textures of many levels, targets of odd
// sizes in both orientations, edge values of all widths (64 bits above 1x); rendered pictures as levels. textures.md.
#include "tests/support/suite/list_scene.h"

#include <cmath>

using namespace tests;

namespace
{

constexpr Variant kVariants[] = {kRasterOrder, kShaderCoverage, kCompute, kComputeVotes};

void random_levels(ListScene& s, u32 unit)
{
    Random& random = s.random;
    const u32 width = 8u << random.below(8);
    const u32 height = random.chance(1, 3) ? width : 8u << random.below(8);
    PhysAddr address = ListScene::kTextures + random.below(0x400) * 0x80;
    if (random.chance(1, 6))
        address = ListScene::kColor + random.below(16) * 64; // levels of the picture itself
    s.texture_unit(unit, address, width, height, static_cast<TextureFormat>(random.below(14)));
    s.random_sampler(unit);
    s.list.set(reg::TEXUNIT_LOD::max_level, random.below(8), unit);
}

// A strip over the whole target whose texels per pixel go from far below to far above one.
void ramp(ListScene& s)
{
    Random& random = s.random;
    const f32 w = f32(s.width), h = f32(s.height);
    const f32 far_w = random.pick({1.0f, 4.0f, 64.0f, 1000.0f});
    const f32 range = std::ldexp(1.0f, random.between(-6, 6));
    s.coordinate_range = range;
    const ListVertex a = s.random_vertex(0, 0, -0.5f, 1.0f), b = s.random_vertex(w, 0, -0.5f, 1.0f);
    const ListVertex c = s.random_vertex(0, h, -0.5f, far_w), d = s.random_vertex(w, h, -0.5f, far_w);
    for (const ListVertex& v : {a, b, c, c, b, d})
        s.add(v);
}

void generate(ConformanceMachine& machine, Random& random)
{
    ListScene s(machine, random, 64, 64);
    s.textured();
    for (u32 i = 0, steps = machine.steps(random, 8); i < steps; ++i)
    {
        const u32 height = random.chance(1, 2) ? 64 : 1 + random.below(64);
        s.size(8 + 8 * random.below(8), height, random.chance(1, 2));
        if (random.chance(1, 6)) // wide edge values
            s.viewport(4000.0f, 3000.0f, -random.between(0, 500), -random.between(0, 500));
        else
            s.viewport(f32(s.width) * 0.5f, f32(height) * 0.5f, 0, 0);
        random_levels(s, 0);
        s.perspective = random.chance(2, 3);
        if (random.chance(1, 2))
            ramp(s);
        s.coordinate_range = std::ldexp(1.0f, random.between(-8, 8));
        s.triangles(6);
        s.draw();
        if (random.chance(1, 6))
            s.run();
    }
    s.run();
}

void require(Coverage& coverage)
{
    coverage.require("texture format", kTextureFormatCount);
    coverage.require("texture lod", {0, 1, 3, 5, 7});
    coverage.require("texture levels", {1, 2, 3, 4, 5, 6, 7, 8});
    coverage.require("texture over target", 2);
}

} // namespace

TEST_CASE("conformance: levels of detail leave the same bytes in both cores")
{
    run_suite({.name = "levels of detail",
               .variants = kVariants,
               .generate = generate,
               .require = require,
               .reference = true});
}

TEST_CASE("conformance: levels of detail leave the same planes in both cores")
{
    run_scaled_suite({.name = "levels of detail at N", .generate = generate});
}
