// SPDX-License-Identifier: MIT
// Texture copies: streams with gaps on either side, of odd sizes and alignments, onto themselves, out of and
// into targets and textures, towards the end of memory. pica/hardware/engines.md, "Texture copy".
#include "tests/support/suite/engine_scene.h"

using namespace tests;

namespace
{

constexpr Variant kVariants[] = {kRasterOrder, kCompute};

void copy(ConformanceMachine& machine, Random& random)
{
    const auto address = [&]
    { return random.chance(1, 3) ? buffer_address(random.below(kBuffers)) : engine_address(random); };
    const auto rows = [&]
    {
        const u32 width = random.chance(1, 24) ? 0 : 1 + random.below(0x40);
        return random.chance(1, 3) ? width : width | (1 + random.below(0x20)) << 16;
    };
    const PhysAddr input = address();
    // Onto itself, a little further on or back.
    const PhysAddr output = random.chance(1, 4) ? input + 8 * u32(random.between(-64, 64)) : address();
    const u32 size = random.chance(1, 12)  ? random.below(0x4000)
                     : random.chance(1, 4) ? u32{64 * 64 * 4}
                                           : 16 * random.below(0x400);
    const u32 input_rows = rows();
    machine.coverage().note("copy address modulo 16", input % 16 / 8 + output % 16 / 8 * 2, true);
    machine.coverage().note("copy size modulo 16", size % 16 != 0, true);
    machine.texture_copy(input, output, size, input_rows, random.chance(1, 3) ? input_rows : rows());
}

void generate(ConformanceMachine& machine, Random& random)
{
    alternate_with_draws(machine, random, 4, copy);
}

void require(Coverage& coverage)
{
    coverage.require("copy gaps", 4);
    coverage.require("copy widths differ", 2);
    coverage.require("copy address modulo 16", 4);
    coverage.require("copy over itself", 2);
    coverage.require("copy size modulo 16", 2);
    coverage.require("colour format", 5);
    coverage.require("texture over target", 2);
}

} // namespace

TEST_CASE("conformance: texture copies leave the same bytes in both cores")
{
    run_suite({.name = "copy", .variants = kVariants, .generate = generate, .require = require});
}

TEST_CASE("conformance: texture copies leave the same planes in both cores")
{
    run_scaled_suite({.name = "copy at N", .generate = generate});
}
