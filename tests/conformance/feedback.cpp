// SPDX-License-Identifier: MIT
// Rendered pictures as textures: of the same or another format, size and stride, from the middle of the
// memory, of the target being drawn to, of depth buffers, in all types of unit 0; between draws the CPU, the
// fill engine and texture copies change them. A draw samples memory as it stood before the draw. Fragment
// sheet 11.2 row 32.
#include "tests/support/list_scene.h"

using namespace tests;

namespace
{

constexpr Variant kVariants[] = {kRasterOrder, kBarrier, kCompute};

struct Place
{
    PhysAddr address;
    ColorFormat format;
    u32 width, height;
};

constexpr u32 kBytes[] = {4, 3, 2, 2, 2};

Place random_place(Random& random)
{
    // Overlaps are common: eight starts, pictures of up to 16 KiB.
    return {ListScene::kColor + random.below(8) * 0x1000 + (random.chance(1, 4) ? random.below(8) * 0x40 : 0),
            static_cast<ColorFormat>(random.below(5)), 8u << random.below(4), 8u << random.below(4)};
}

// Over a picture, mostly as it is.
void random_texture(ListScene& s, u32 unit, const Place& place)
{
    Random& random = s.random;
    u32 width = place.width, height = place.height;
    TextureFormat format = static_cast<TextureFormat>(place.format);
    PhysAddr address = place.address;
    if (random.chance(1, 4))
        format = static_cast<TextureFormat>(random.below(14));
    if (random.chance(1, 4))
        width = 8u << random.below(5);
    if (random.chance(1, 4))
        height = 8u << random.below(5);
    if (random.chance(1, 6))
        address += random.below(16) * 0x40;
    if (random.chance(1, 10))
        address = ListScene::kDepth;
    s.texture_unit(unit, address, width, height, format);
    s.random_sampler(unit);
    if (random.chance(1, 2))
        s.list.set(reg::TEXUNIT_LOD::max_level, 0, unit);
    if (unit != 0)
        return;
    s.list.set(reg::TEXUNIT_PARAM::type,
               random.chance(2, 3) ? TextureType::Texture2D : static_cast<TextureType>(random.below(5)), 0);
    for (u32 face = 0; face < 5; ++face)
        s.list.write(reg::TEXUNIT0_ADDR::ids[face], random_place(random).address >> 3);
}

void generate(ConformanceMachine& machine, Random& random)
{
    ListScene s(machine, random, 32, 32);
    s.textured();
    Place target = random_place(random);
    for (u32 i = 0; i < 12; ++i)
    {
        const Place before = target;
        if (random.chance(1, 2))
            target = random_place(random);
        s.color_target(target.address, target.format);
        s.depth_target(ListScene::kDepth,
                       random.pick({DepthFormat::D16, DepthFormat::D24, DepthFormat::D24S8}));
        s.size(target.width, target.height, random.chance(1, 2));
        s.viewport(f32(target.width) * 0.5f, f32(target.height) * 0.5f, 0, 0);
        s.list.set(reg::DEPTH_COLOR_MASK::depth_test, random.chance(1, 3));
        s.list.set(reg::DEPTH_COLOR_MASK::depth_func, CompareFunc::LessOrEqual);
        s.list.set(reg::DEPTH_COLOR_MASK::depth_write, random.chance(1, 2));
        s.list.set(reg::BLEND_FUNC::color_dest,
                   random.chance(1, 4) ? BlendFactor::SourceAlpha : BlendFactor::Zero);
        random_texture(s, 0,
                       random.chance(1, 2)   ? before
                       : random.chance(1, 2) ? target
                                             : random_place(random));
        s.coordinate_range = random.pick({1.0f, 4.0f});
        s.perspective = random.chance(1, 4);
        s.triangles(3);
        s.draw();
        const u32 bytes = target.width * target.height * kBytes[static_cast<u32>(target.format)];
        switch (random.below(12))
        {
        case 0: // the CPU
        {
            s.run();
            std::array<u32, 16> words;
            for (u32& word : words)
                word = random.next();
            machine.write(target.address + random.below(bytes / 64) * 64, words);
            break;
        }
        case 1:
            s.run();
            machine.memory_fill(target.address, target.address + bytes / 32 * 16, random.next(),
                                FillWidth::Bits32);
            break;
        case 2:
            s.run();
            machine.texture_copy(target.address, random_place(random).address & ~15u, 0x400, 0, 0);
            break;
        case 3:
            s.run();
            break;
        default:
            break;
        }
    }
    s.run();
}

void require(Coverage& coverage)
{
    coverage.require("texture over target", 2);
    coverage.require("texture type", 5);
    coverage.require("colour format", 5);
    coverage.require("texture levels", {1, 2, 3});
}

} // namespace

TEST_CASE("conformance: rendered pictures as textures leave the same bytes in both cores")
{
    run_suite({.name = "feedback", .variants = kVariants, .generate = generate, .require = require});
}
