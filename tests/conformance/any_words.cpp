// SPDX-License-Identifier: MIT
// Command lists that no program would write: valid scenes with flipped register bits, writes to any register,
// noise as commands and as engine registers. Nothing crashes or hangs, the validation layers report nothing,
// and both backends still leave the same bytes. Design D14.
#include "tests/support/suite/list_scene.h"

using namespace tests;

namespace
{

constexpr Variant kVariants[] = {kRasterOrder, kBarrier, kCompute, kComputeBarrier, kShaderCoverage};

// Ids whose words decide what a draw is; triggers and upload ports are rarer.
u32 random_id(Random& random)
{
    switch (random.below(10))
    {
    case 0:
        return 0x040 + random.below(0x30); // rasteriser
    case 1:
    case 2:
        return 0x080 + random.below(0x20); // textures
    case 3:
    case 4:
        return 0x0C0 + random.below(0x40); // combiners
    case 5:
    case 6:
        return 0x100 + random.below(0x20); // framebuffer
    case 7:
        return 0x200 + random.below(0x60); // geometry
    case 8:
        return 0x2B0 + random.below(0x30); // vertex bank
    default:
        return random.below(0x400);
    }
}

bool is_trigger(u32 id)
{
    // Interrupts and jumps end or move the list; draws are the generator's own; code would loop too long.
    return id < 0x040 || (id >= 0x22E && id <= 0x22F) || (id >= 0x238 && id <= 0x23D) || id == 0x228;
}

u32 flip_bits(u32 value, Random& random)
{
    for (u32 i = 0; i < 1 + random.below(3); ++i)
        value ^= 1u << random.below(32);
    return value;
}

void disturb(ListScene& s, u32 writes)
{
    Random& random = s.random;
    for (u32 i = 0; i < writes; ++i)
    {
        const u32 id = random_id(random);
        const u32 value = random.chance(1, 12) ? random.next() : flip_bits(s.list.registers()[id], random);
        if (!is_trigger(id))
            s.list.write(id, value, random.chance(1, 10) ? random.below(16) : 0xF);
    }
}

void engines(ConformanceMachine& machine, Random& random)
{
    const auto address = [&] { return kVramBase + random.below(0x100000) / 8 * 8; };
    if (random.chance(1, 2))
        machine.display_transfer(random.chance(1, 8) ? random.next() : address(), address(),
                                 flip_bits(0x00400040, random), flip_bits(0x00400040, random),
                                 random.next() & random.next());
    else
        machine.texture_copy(address(), address(), flip_bits(0x1000, random) & 0xFFFFFF,
                             random.next() & random.next(), random.next() & random.next());
    const u32 start = address();
    machine.memory_fill(start, random.chance(1, 8) ? random.next() : start + random.below(0x8000),
                        random.next(), static_cast<FillWidth>(random.below(4)));
    for (u32 i = 0; i < 8; ++i) // the rest of the block; starts engines, too
        machine.gpu().write_register(0x10400000 + random.below(0x200) * 4 * random.pick({1u, 8u}),
                                     random.next() & random.next(), random.below(16));
}

void generate(ConformanceMachine& machine, Random& random)
{
    ListScene s(machine, random, 64, 64);
    s.texture_unit(0, ListScene::kTextures, 64, 64, TextureFormat::RGBA8);
    s.textured();
    for (u32 i = 0; i < 6; ++i)
    {
        disturb(s, 2 + random.below(10));
        s.triangles(4);
        s.draw(random.chance(1, 4) ? static_cast<Topology>(random.below(4)) : Topology::TriangleList);
        if (random.chance(1, 3))
            s.run();
        if (random.chance(1, 6))
            engines(machine, random);
        if (random.chance(1, 8)) // noise as a list; its first words may be a command
        {
            std::array<u32, 64> words;
            for (u32& word : words)
                word = random.next();
            for (u32 k = 1; k < words.size(); k += 2)
            {
                words[k] &= 0x803F03FF;
                if (is_trigger(words[k] & 0x3FF))
                    words[k] |= 0x200;
            }
            machine.run_list(words);
        }
    }
    s.run();
}

void require(Coverage& coverage)
{
    coverage.require("output class", {1});
}

} // namespace

TEST_CASE("conformance: any words leave the same bytes in both cores and break nothing")
{
    run_suite({.name = "any_words",
               .variants = kVariants,
               .seeds = 48,
               .generate = generate,
               .require = require,
               .mostly_specialised = true});
}
