// SPDX-License-Identifier: MIT
// Types of texture unit 0: projection, cube, shadow 2D, shadow cube, with all formats, sizes, wraps, filters
// and levels; faces anywhere, over each other, over the target, past the end of memory; coordinates of all
// magnitudes and signs, on the edges of faces and texels; divisors around 0. textures.md, "Types of unit 0".
#include "tests/support/suite/list_scene.h"

#include <cmath>

using namespace tests;

namespace
{

constexpr Variant kVariants[] = {kRasterOrder, kBarrier, kShaderCoverage, kCompute};
constexpr u32 kSize = 32;

PhysAddr random_address(Random& random)
{
    if (random.chance(1, 12))
        return random.pick<PhysAddr>({0, ListScene::kColor, ListScene::kDepth, 0x18000000 - 0x400,
                                      kVramBase + ConformanceMachine::kVramBytes - 0x800});
    return ListScene::kTextures + random.below(0x400) * 0x80;
}

// Directions and divisors: plain, equal in magnitude, tiny, huge.
f32 random_component(Random& random)
{
    switch (random.below(8))
    {
    case 0:
        return random.pick({0.0f, 1.0f, -1.0f, 0.5f, -0.5f});
    case 1:
        return std::ldexp(random.real(-1.0f, 1.0f), random.between(-45, 45));
    default:
        return random.real(-1.0f, 1.0f);
    }
}

void shapes(ListScene& s)
{
    Random& random = s.random;
    const bool flat_w = random.chance(1, 4);
    const f32 w = random_component(random);
    for (u32 i = 0; i < 4; ++i)
    {
        const f32 x = f32(i % 2) * kSize / 2, y = f32(i / 2) * kSize / 2;
        for (u32 corner = 0; corner < 3; ++corner)
        {
            const f32 size = random.real(0.5f, 1.5f) * kSize;
            ListVertex v = s.random_vertex(x + (corner == 1 ? size : 0), y + (corner == 2 ? size : 0), -0.5f,
                                           s.perspective ? random.real(0.25f, 8.0f) : 1.0f);
            v.texcoord01[0] = random_component(random);
            v.texcoord01[1] = random_component(random);
            v.view[3] = flat_w ? w : random_component(random);
            s.add(v);
        }
    }
}

void generate(ConformanceMachine& machine, Random& random)
{
    ListScene s(machine, random, kSize, kSize);
    s.textured();
    for (u32 i = 0; i < 10; ++i)
    {
        const TextureType type = random.pick(
            {TextureType::Cube, TextureType::Cube, TextureType::Projection, TextureType::Projection,
             TextureType::Shadow2D, TextureType::Shadow2D, TextureType::ShadowCube, TextureType::Texture2D});
        const bool shadow = type == TextureType::Shadow2D || type == TextureType::ShadowCube;
        const u32 width = 8u << random.below(5);
        const u32 height = random.chance(1, 2) ? width : 8u << random.below(5);
        const u32 format = shadow && random.chance(3, 4) ? 0 : random.below(14);
        s.texture_unit(0, random_address(random), width, height, static_cast<TextureFormat>(format));
        s.random_sampler(0);
        s.list.set(reg::TEXUNIT_PARAM::type, type, 0);
        for (u32 face = 0; face < 5; ++face)
            s.list.write(reg::TEXUNIT0_ADDR::ids[face], random_address(random) >> 3);
        s.list.write(reg::TEXUNIT0_SHADOW::id, random.next() >> random.below(32));
        s.perspective = random.chance(1, 2);
        shapes(s);
        s.draw();
        if (random.chance(1, 8)) // the CPU changes texels of some face
        {
            s.run();
            std::array<u32, 64> texels;
            for (u32& word : texels)
                word = random.next();
            machine.write(ListScene::kTextures + random.below(0x800) * 0x40, texels);
        }
    }
    s.run();
}

void require(Coverage& coverage)
{
    coverage.require("texture type", 5);
    coverage.require("texture format", kTextureFormatCount);
    coverage.require("shadow orthographic", 2);
    coverage.require("texture lod", {0, 1, 3, 5, 7});
    coverage.require("texture wrap s", {0, 1, 2, 3, 4, 5});
    coverage.require("texture wrap t", {0, 1, 2, 3, 4, 5});
}

} // namespace

TEST_CASE("conformance: types of texture unit 0 leave the same bytes in both cores")
{
    run_suite({.name = "texture types",
               .variants = kVariants,
               .generate = generate,
               .require = require,
               .reference = true});
}
