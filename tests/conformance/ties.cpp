// SPDX-License-Identifier: MIT
// Flat triangles, whose three 1/w are equal, with texture coordinates on, near and far from texel boundaries
// (design.md, row "Ties"): aligned to pixels and not, of every size of coordinates, with wide edge values:
// both cores and the scalar reference leave the same bytes. That the texel is the right one:
// tests/renderer/ties_test.cpp.
#include "tests/support/suite/list_scene.h"

#include <algorithm>
#include <array>
#include <cmath>

using namespace tests;

namespace
{

constexpr Variant kVariants[] = {kRasterOrder, kShaderCoverage, kCompute, kVotes, kComputeVotes};
constexpr u32 kSize = 64;

// In texels: whole numbers, halves, quarters and anything; near 0 or as far as the table of the row goes.
f32 random_coordinate(Random& random, u32 texels)
{
    const f32 far = random.chance(1, 4) ? std::ldexp(1.0f, random.between(0, 24)) : 1.0f;
    switch (random.below(4))
    {
    case 0:
        return f32(random.between(-64, 64)) * far / f32(texels);
    case 1:
        return f32(random.between(-256, 256)) * 0.25f * far / f32(texels);
    case 2:
        return random.real(-4.0f, 4.0f) * far;
    default:
        return f32(random.between(-8, 8)) * far;
    }
}

// Units 1 and 2, which take the other coordinate sets, and a combiner that reads all of them.
void three_units(ListScene& s, Random& random)
{
    for (const u32 unit : {1u, 2u})
    {
        s.texture_unit(unit, ListScene::kTextures, 8u << random.below(4), 8u << random.below(4),
                       TextureFormat::RGBA8);
        s.random_sampler(unit);
    }
    s.list.set(reg::TEXENV_SOURCE::color_2, CombinerSource::Texture1, 0);
    s.list.set(reg::TEXENV_SOURCE::alpha_2, CombinerSource::Texture1, 0);
    s.list.set(reg::TEXENV_SOURCE::color_3, CombinerSource::Texture2, 0);
    s.list.set(reg::TEXENV_SOURCE::alpha_3, CombinerSource::Texture2, 0);
    s.list.set(reg::TEXENV_COMBINER::color_op, CombinerOp::MultiplyThenAdd, 0);
    s.list.set(reg::TEXENV_COMBINER::alpha_op, CombinerOp::MultiplyThenAdd, 0);
}

void generate(ConformanceMachine& machine, Random& random)
{
    ListScene s(machine, random, kSize, kSize);
    // Vertices outside of the target make areas that lose up to 3 bits, those far outside wide edge values.
    const f32 outside = random.chance(1, 3) ? 4000.0f : random.chance(1, 2) ? 600.0f : 0.0f;
    for (u32 i = 0; i < machine.states(12, 5); ++i)
    {
        const u32 texels = 8u << random.below(8);
        s.texture_unit(0, ListScene::kTextures, texels, 8u << random.below(4), TextureFormat::RGBA8);
        s.random_sampler(0);
        s.textured();
        if (random.chance(1, 2))
            three_units(s, random);
        if (outside != 0.0f)
            s.viewport(outside, outside, -random.between(0, s32(outside) / 8),
                       -random.between(0, s32(outside) / 8));
        const f32 step = random.chance(1, 2) ? 1.0f : 1.0f / 16.0f; // of positions, in pixels
        for (u32 n = 0; n < 4; ++n)
        {
            const f32 w =
                random.chance(1, 2) ? std::ldexp(1.0f, random.between(-3, 3)) : random.real(0.25f, 8.0f);
            const u32 equal_channels = random.pick({0u, 3u, 4u}); // of the vertices' colours
            std::array<f32, 4> color{};
            std::generate(color.begin(), color.end(), [&] { return random.real(0.0f, 1.0f); });
            const f32 other_w = random.chance(1, 8) ? std::nextafter(w, 9.0f) : w; // nearly flat
            const auto vertex = [&](f32 at_w, f32 range)
            {
                const f32 x = std::floor(random.real(0.0f, range) / step) * step;
                const f32 y = std::floor(random.real(0.0f, range) / step) * step;
                ListVertex v = s.random_vertex(x, y, -0.5f, at_w);
                std::copy_n(color.begin(), equal_channels, v.color.begin());
                v.texcoord01 = {random_coordinate(random, texels), random_coordinate(random, 8),
                                random_coordinate(random, 16), random_coordinate(random, 32)};
                v.texcoord2 = {random_coordinate(random, 64), random_coordinate(random, 16), 0, 0};
                return v;
            };
            const f32 range = std::max(outside, f32(kSize));
            s.add(vertex(w, f32(kSize))); // seen, where the others are outside
            s.add(vertex(w, range));
            s.add(vertex(other_w, range));
        }
        s.draw();
    }
    s.run();
}

} // namespace

TEST_CASE("conformance: flat triangles leave the same bytes in both cores")
{
    run_suite({.name = "ties", .variants = kVariants, .generate = generate, .reference = true});
}

TEST_CASE("conformance: texture coordinates on texel boundaries leave the same planes in both cores")
{
    run_scaled_suite({.name = "ties at N", .generate = generate});
}
