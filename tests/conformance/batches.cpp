// SPDX-License-Identifier: MIT
// Draws to one target that the renderer collects in draw batches, while the CPU rewrites vertices, indices
// and texels between lists, textures are parts of the target, and constants change. Every draw sees memory as
// it was when the guest issued it. Design D8, order of a frame.
#include "tests/support/suite/list_scene.h"

using namespace tests;

namespace
{

constexpr Variant kVariants[] = {kRasterOrder,    kCompute,        kBarrier,
                                 kComputeBarrier, kShaderCoverage, kComputeSingleDraws};

void random_step(ConformanceMachine& machine, ListScene& s)
{
    Random& random = s.random;
    switch (random.below(7))
    {
    case 0: // a part of the target as texture
        s.texture_unit(0, ListScene::kColor + random.below(3) * 0x1000, 32, 32, TextureFormat::RGBA8);
        break;
    case 1:
        s.texture_unit(0, ListScene::kTextures + random.below(4) * 0x1000, 32, 32, TextureFormat::RGBA8);
        break;
    case 2: // texels change
    {
        std::array<u32, 32> texels;
        for (u32& word : texels)
            word = random.next();
        s.run();
        machine.write(ListScene::kTextures + random.below(0x400) * 0x10, texels);
        break;
    }
    case 3: // vertices change: the next list's are where this one's were
        s.run();
        break;
    case 4:
        s.list.set(reg::TEXENV_SOURCE::color_2,
                   random.pick({CombinerSource::PrimaryColor, CombinerSource::Constant}), 0);
        s.list.write(reg::TEXENV_COLOR::ids[0], random.next());
        break;
    case 5:
        s.list.set(reg::BLEND_FUNC::color_dest,
                   random.chance(1, 2) ? BlendFactor::OneMinusSourceAlpha : BlendFactor::One);
        break;
    default: // colour alone, depth alone, both
        s.list.set(reg::DEPTH_COLOR_MASK::depth_write, random.chance(1, 2));
        s.list.set(reg::COLORBUFFER_WRITE::enable, random.chance(1, 5) ? 0 : 0xF);
        break;
    }
}

void generate(ConformanceMachine& machine, Random& random)
{
    ListScene s(machine, random, 64, 64);
    s.texture_unit(0, ListScene::kTextures, 32, 32, TextureFormat::RGBA8);
    s.textured();
    s.coordinate_range = 1.5f;
    for (u32 i = 0; i < 50; ++i)
    {
        for (u32 k = 0; k < 1 + random.below(3); ++k)
            random_step(machine, s);
        s.triangles(1 + random.below(3));
        if (random.chance(1, 3))
            s.draw_indexed();
        else
            s.draw();
    }
    s.run();
}

void require(Coverage& coverage)
{
    coverage.require("texture over target", 2);
    coverage.require("output class", {0, 4});
    coverage.require("vertex order", {0, 2});
}

} // namespace

TEST_CASE("conformance: batches of draws leave the same bytes in both cores")
{
    run_suite({.name = "batches",
               .variants = kVariants,
               .seeds = 60,
               .generate = generate,
               .require = require,
               .mostly_specialised = true,
               .reference = true});
}
