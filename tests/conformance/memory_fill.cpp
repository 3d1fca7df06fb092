// SPDX-License-Identifier: MIT
// Memory fills of both engines in all widths: whole targets, parts of them, plain memory, up to and past the
// end of it, ends before starts; over what draws wrote and what draws read next. engines.md, "Memory fill".
#include "tests/support/suite/engine_scene.h"

using namespace tests;

namespace
{

constexpr Variant kVariants[] = {kRasterOrder, kCompute};

enum class Place : u8
{
    Buffer,     // a whole colour buffer
    BufferPart, // some of one
    Depth,
    Anywhere,
    End,      // runs out of memory
    Backward, // ends before it starts
    Nothing,  // starts at its end
};
constexpr u32 kPlaces = 7;

void fill(ConformanceMachine& machine, Random& random)
{
    const Place place = any<Place>(random, kPlaces);
    PhysAddr start = buffer_address(random.below(kBuffers));
    u32 size = random.pick({64u * 64 * 4, 64u * 64 * 3, 64u * 64 * 2, 40u * 32 * 4, 128u * 104 * 2});
    switch (place)
    {
    case Place::Buffer:
        break;
    case Place::BufferPart:
        start += random.below(0x400) * 8;
        size = 8 * (1 + random.below(0x800));
        break;
    case Place::Depth:
        start = kBufferDepth;
        break;
    case Place::Anywhere:
        start = engine_address(random);
        size = 8 * random.below(0x800);
        break;
    case Place::End:
        start = kVramBase + ConformanceMachine::kVramBytes - 8 * random.below(0x100);
        size = 8 * random.below(0x200);
        break;
    case Place::Backward:
        size = 0u - size;
        break;
    case Place::Nothing:
        size = 0;
        break;
    }
    const u32 value = random.chance(2, 3)
                          ? random.next()
                          : random.pick({0u, 0xFFFFFFFFu, 0x00FFFFFFu, 0x0F0F0F0Fu, 0x12341234u});
    const u32 width = random.below(4), engine = random.below(2);
    machine.memory_fill(start, start + size, value, static_cast<FillWidth>(width), engine);
    machine.coverage().note("fill engine", engine, true);
    machine.coverage().note("fill start modulo 64", start % 64 / 8, true);
    machine.coverage().note("fill place and width", u32(place) * 4 + width, true);
}

void generate(ConformanceMachine& machine, Random& random)
{
    alternate_with_draws(machine, random, 3, fill);
}

void require(Coverage& coverage)
{
    coverage.require("fill width", 4);
    coverage.require("fill start modulo 64", 8);
    coverage.require("fill engine", 2);
    coverage.require("fill place and width", kPlaces * 4);
    coverage.require("colour format", 5);
    coverage.require("texture over target", 2);
}

} // namespace

TEST_CASE("conformance: memory fills leave the same bytes in both cores")
{
    run_suite({.name = "fill", .variants = kVariants, .generate = generate, .require = require});
}
