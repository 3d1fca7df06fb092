// SPDX-License-Identifier: MIT
// Fills, display transfers, texture copies, and CPU reads and writes between draws, over memory that draws
// have written and will read: both cores leave the same bytes. pica/hardware/engines.md.
#include "tests/support/suite/list_scene.h"

using namespace tests;

namespace
{

constexpr Variant kVariants[] = {kRasterOrder, kBarrier, kCompute, kComputeBarrier, kShaderCoverage};

PhysAddr random_address(Random& random)
{
    if (random.chance(1, 50))
        return random.pick<PhysAddr>({0, 0x10000000, kVramBase - 0x100, kFcramBase - 0x100,
                                      kVramBase + ConformanceMachine::kVramBytes - 0x200, 0xFFFFFF00});
    // Around the targets and textures; FCRAM at times, where the vertices are too.
    const PhysAddr base = random.chance(1, 5) ? kFcramBase + 0x40000 : kVramBase;
    return base + random.below(0xC) * 0x8000 +
           random.pick({0u, 0u, 0u, 8u, 0x10u, 0x40u, 0x800u, 0x1234u & ~7u});
}

void draw(ListScene& s)
{
    Random& random = s.random;
    s.color_target(kVramBase + random.below(3) * 0x8000, static_cast<ColorFormat>(random.below(5)));
    s.depth_target(kVramBase + 0x40000,
                   random.pick({DepthFormat::D16, DepthFormat::D24, DepthFormat::D24S8}));
    s.size(random.pick({64u, 64u, 128u, 40u}), random.pick({64u, 64u, 32u, 104u}), random.chance(2, 3));
    s.viewport(f32(s.width) * 0.5f, f32(s.height) * 0.5f, 0, 0);
    s.list.set(reg::DEPTH_COLOR_MASK::depth_write, random.chance(1, 3));
    if (random.chance(1, 2))
    {
        s.texture_unit(0, random_address(random), 64, 64, static_cast<TextureFormat>(random.below(6)));
        s.list.set(reg::TEXENV_SOURCE::color_1, CombinerSource::Texture0, 0);
    }
    else
        s.list.set(reg::TEXENV_SOURCE::color_1, CombinerSource::PrimaryColor, 0);
    s.triangles(2);
    s.draw();
    s.run();
}

void fill(ConformanceMachine& machine, Random& random)
{
    PhysAddr start = random_address(random);
    // Whole targets often: those are fast paths.
    u32 size =
        random.pick({64u * 64 * 4, 64u * 64 * 2, 64u * 64 * 3, 0x8000u, 16u * (1 + random.below(0x400))});
    if (random.chance(1, 2))
        start = kVramBase + random.below(3) * 0x8000;
    if (random.chance(1, 30))
        size = 0u - size; // ends before it starts
    const u32 value =
        random.chance(1, 2) ? random.next() : random.pick({0u, 0xFFFFFFFFu, 0x00FFFFFFu, 0x0F0F0F0Fu});
    const u32 width = random.below(4);
    machine.memory_fill(start, start + size, value, static_cast<FillWidth>(width), random.below(2));
    machine.coverage().note("fill width", width, true);
}

void transfer(ConformanceMachine& machine, Random& random)
{
    const PhysAddr input =
        random.chance(1, 2) ? kVramBase + random.below(3) * 0x8000 : random_address(random);
    const auto extent = [&] {
        return random.chance(1, 8) ? random.below(150) : random.pick({64u, 64u, 128u, 40u, 32u});
    };
    const u32 in_w = extent(), in_h = extent();
    const u32 out_w = random.chance(1, 2) ? in_w : extent(), out_h = random.chance(1, 2) ? in_h : extent();
    const u32 in_format = random.chance(1, 20) ? random.below(8) : random.below(5);
    const u32 out_format = random.chance(1, 2) ? in_format : random.below(5);
    const u32 scaling = random.chance(1, 2) ? 0 : random.below(4);
    u32 flags = in_format << 8 | out_format << 12 | scaling << 24;
    flags |= random.chance(1, 2) ? 1u : 0u;       // flip
    flags |= random.chance(1, 4) ? 2u : 0u;       // linear input
    flags |= random.chance(1, 4) ? 4u : 0u;       // crop
    flags |= random.chance(1, 8) ? 1u << 5 : 0u;  // raw
    flags |= random.chance(1, 8) ? 1u << 16 : 0u; // 32x32 blocks
    machine.display_transfer(input, random_address(random), in_w | in_h << 16, out_w | out_h << 16, flags);
    Coverage& coverage = machine.coverage();
    coverage.note("transfer input format", in_format, true);
    coverage.note("transfer output format", out_format, true);
    coverage.note("transfer scaling", scaling, true);
    for (const u32 bit : {0u, 1u, 2u, 5u, 16u})
        coverage.note("transfer flag " + std::to_string(bit), flags >> bit & 1, true);
}

void copy(ConformanceMachine& machine, Random& random)
{
    const auto rows = [&]
    { return random.chance(1, 3) ? 0u : (1 + random.below(0x20)) | random.below(0x10) << 16; };
    u32 size = random.chance(1, 12) ? random.below(0x4000) : 16 * random.below(0x400);
    const u32 input = rows(), output = rows();
    machine.texture_copy(random_address(random), random_address(random), size, input, output);
    machine.coverage().note("copy gaps", (input >> 16 != 0 ? 1u : 0u) | (output >> 16 != 0 ? 2u : 0u), true);
}

void generate(ConformanceMachine& machine, Random& random)
{
    ListScene s(machine, random, 64, 64);
    for (u32 i = 0, steps = machine.steps(random, 24); i < steps; ++i)
    {
        switch (random.below(8))
        {
        case 0:
            fill(machine, random);
            break;
        case 1:
        case 2:
            transfer(machine, random);
            break;
        case 3:
            copy(machine, random);
            break;
        case 4: // the CPU writes a little, anywhere
        {
            std::array<u32, 96> words;
            for (u32& word : words)
                word = random.next();
            machine.write(random_address(random) + random.below(64),
                          std::span(reinterpret_cast<const u8*>(words.data()), 1 + random.below(384)));
            break;
        }
        case 5: // and reads
            machine.read(random_address(random) + random.below(64), random.below(0x8000));
            break;
        default:
            draw(s);
            break;
        }
        if (random.chance(1, 10))
            machine.gpu().end_frame();
    }
}

void require(Coverage& coverage)
{
    coverage.require("fill width", 4);
    coverage.require("transfer input format", 5);
    coverage.require("transfer output format", 5);
    coverage.require("transfer scaling", 4);
    for (const u32 bit : {0u, 1u, 2u, 5u, 16u})
        coverage.require("transfer flag " + std::to_string(bit), 2);
    coverage.require("copy gaps", 4);
    coverage.require("colour format", 5);
    coverage.require("texture over target", 2);
}

} // namespace

TEST_CASE("conformance: fills, transfers and copies between draws leave the same bytes in both cores")
{
    run_suite({.name = "engines",
               .variants = kVariants,
               .seeds = 60,
               .generate = generate,
               .require = require,
               .mostly_specialised = true});
}

TEST_CASE("conformance: fills and transfers and copies between draws leave the same planes in both cores")
{
    run_scaled_suite({.name = "engines at N", .generate = generate});
}
