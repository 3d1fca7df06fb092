// SPDX-License-Identifier: MIT
// Display transfers: every pair of formats, tiled to linear, linear to tiled and raw, flipped, scaled,
// cropped, in 32x32 blocks, of former targets and into later ones. engines.md, "Display transfer".
#include "tests/support/suite/engine_scene.h"

using namespace tests;

namespace
{

constexpr Variant kVariants[] = {kRasterOrder, kCompute};

void transfer(ConformanceMachine& machine, Random& random)
{
    const PhysAddr input =
        random.chance(2, 3) ? buffer_address(random.below(kBuffers)) : engine_address(random);
    const PhysAddr output =
        random.chance(1, 3) ? buffer_address(random.below(kBuffers)) : engine_address(random);
    const auto extent = [&] {
        return random.chance(1, 8) ? random.below(150) : random.pick({64u, 64u, 128u, 40u, 32u, 104u});
    };
    const u32 in_w = extent(), in_h = extent();
    const u32 out_w = random.chance(1, 2) ? in_w : extent(), out_h = random.chance(1, 2) ? in_h : extent();
    const u32 scaling = random.chance(1, 2) ? 0 : random.below(4);
    const bool block32 = random.chance(1, 8);
    // On the device, every combination is a pipeline: the few seeds of other renderers have fewer of them.
    const u32 formats = machine.states(5, 2);
    const bool all_pairs = is_long_run() || (scaling == 0 && !block32);
    const u32 in_format = random.chance(1, 16) ? random.below(8) : random.below(formats);
    const u32 out_format = random.chance(1, 16)                ? random.below(8)
                           : !all_pairs || random.chance(1, 3) ? in_format
                                                               : random.below(formats);
    u32 flags = in_format << 8 | out_format << 12 | scaling << 24;
    flags |= random.chance(1, 2) ? 1u : 0u;                            // flip
    flags |= random.chance(1, 3) ? 2u : 0u;                            // linear input
    flags |= random.chance(1, 3) ? 4u : 0u;                            // crop
    flags |= random.chance(1, 5) ? 1u << 5 : 0u;                       // raw
    flags |= block32 ? 1u << 16 : 0u;                                  // 32x32 blocks
    flags |= random.chance(1, 16) ? 0xFCFE80D0u & random.next() : 0u;  // bits that mean nothing
    machine.coverage().note("transfer input format", in_format, true); // as in the register
    machine.coverage().note("transfer output format", out_format, true);
    machine.display_transfer(input, output, in_w | in_h << 16, out_w | out_h << 16, flags);
}

void generate(ConformanceMachine& machine, Random& random)
{
    alternate_with_draws(machine, random, 4, transfer);
}

void require(Coverage& coverage)
{
    for (u32 input = 0; input < 5; ++input)
        coverage.require("transfer formats",
                         {input * 10, input * 10 + 1, input * 10 + 2, input * 10 + 3, input * 10 + 4});
    coverage.require("transfer input format", 8);
    coverage.require("transfer output format", 8);
    coverage.require("transfer layout", 4);
    coverage.require("transfer scaling", 4, 8); // 3 copies nothing
    coverage.require("transfer flip", 2);
    coverage.require("transfer crop", 2);
    coverage.require("transfer 32x32 blocks", 2);
    coverage.require("transfer layout and scaling", {0, 1, 2, 4, 8, 9, 10, 12});
    coverage.require("transfer layout and flip, crop", 16);
    coverage.require("transfer size change", 3);
    coverage.require("colour format", 5);
    coverage.require("texture over target", 2);
}

} // namespace

TEST_CASE("conformance: display transfers leave the same bytes in both cores")
{
    run_suite({.name = "transfer", .variants = kVariants, .generate = generate, .require = require});
}

TEST_CASE("conformance: display transfers leave the same planes in both cores")
{
    run_scaled_suite({.name = "transfer at N", .generate = generate});
}
