// SPDX-License-Identifier: MIT
// Targets up to 1024x1024 in 6 MiB of memory, as on the console. They start at any 64-byte unit, overlap each
// other and the textures, and reach past the end of memory; pieces of them are cleared, copied and sampled.
// pica/hardware/framebuffer.md.
#include "tests/support/suite/list_scene.h"

using namespace tests;

namespace
{

constexpr Variant kVariants[] = {kRasterOrder, kBarrier, kCompute, kShaderCoverage};
constexpr u32 kMemory = 6 * ConformanceMachine::kVramBytes;

PhysAddr random_place(Random& random)
{
    return kVramBase + random.below(12) * 0x80000 + random.pick({0u, 0u, 64 * random.below(0x2000)});
}

void generate(ConformanceMachine& machine, Random& random)
{
    ListScene s(machine, random, 64, 64);
    const PhysAddr places[] = {random_place(random), random_place(random), random_place(random)};
    const auto place = [&] { return random.chance(1, 4) ? random_place(random) : places[random.below(3)]; };
    for (u32 i = 0; i < 5; ++i)
    {
        const u32 width = random.pick({1024u, 1024u, 1000u, 512u, 400u, 8 * (1 + random.below(128))});
        const u32 height = random.pick({1024u, 1024u, 1000u, 240u, 1 + random.below(1024)});
        s.color_target(place(), any<ColorFormat>(random, 5));
        s.depth_target(place(), random.pick({DepthFormat::D16, DepthFormat::D24, DepthFormat::D24S8}));
        s.size(width, height, random.chance(1, 2));
        s.viewport(f32(width) * 0.5f, f32(height) * 0.5f, 0, 0);
        const bool depth = random.chance(1, 3);
        s.list.set(reg::DEPTH_COLOR_MASK::depth_write, depth);
        s.list.set(reg::DEPTH_COLOR_MASK::depth_test, depth);
        s.list.set(reg::DEPTH_COLOR_MASK::depth_func, CompareFunc::GreaterOrEqual);
        if (random.chance(1, 3))
        {
            s.texture_unit(0, place(), 8u << random.below(8), 8u << random.below(8),
                           any<TextureFormat>(random, 6));
            s.random_sampler(0);
            s.list.set(reg::TEXENV_SOURCE::color_1, CombinerSource::Texture0, 0);
        }
        else
            s.list.set(reg::TEXENV_SOURCE::color_1, CombinerSource::PrimaryColor, 0);
        // Small ones everywhere, then slivers across; whole targets would take a software rasteriser seconds.
        for (u32 k = 0; k < 24; ++k)
        {
            const f32 x = random.real(-20.0f, f32(width)), y = random.real(-20.0f, f32(height));
            s.quad(x, y, x + random.real(1.0f, 60.0f), y + random.real(1.0f, 60.0f),
                   random.real(-1.0f, 0.0f));
        }
        s.quad(0, random.real(0.0f, f32(height)), f32(width), f32(height) - 1.0f, -0.5f);
        s.draw();
        s.run();
        const PhysAddr start = place();
        if (random.chance(1, 3))
            machine.memory_fill(start, start + 64 * random.below(0x8000), random.next(),
                                any<FillWidth>(random, 4), random.below(2));
        if (random.chance(1, 3))
            machine.display_transfer(
                place(), place(), width | height << 16, (width & ~7u) | (height & ~7u) << 16,
                random.below(5) << 8 | random.below(5) << 12 | random.below(3) << 24 | random.below(8));
    }
}

void require(Coverage& coverage)
{
    coverage.require("target width bits", {10, 11});
    coverage.require("target height bits", {10, 11});
    coverage.require("colour over depth", 2, 2); // nothing is drawn
    coverage.require("depth mode", {0, 1});
}

} // namespace

TEST_CASE("conformance: large targets leave the same bytes in both cores")
{
    run_suite({.name = "large targets",
               .variants = kVariants,
               .seeds = 28,
               .generate = generate,
               .require = require,
               .vram_bytes = kMemory});
}
