// SPDX-License-Identifier: MIT
// Rendered pictures as textures: of the same or another format, size and stride, from the middle of memory,
// of the current target, of depth buffers, in all types of unit 0. Between draws the CPU, the fill engine and
// texture copies change them. A draw samples memory as it was before the draw.
// pica/hardware/open-questions.md, "Fragments".
#include "tests/support/suite/list_scene.h"

#include <doctest/doctest.h>

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
    for (u32 i = 0, steps = machine.steps(random, 12); i < steps; ++i)
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

// In 32x32 blocks the first eight rows of a picture reach over all of its first row of blocks, so a draw to
// them changes the texture that lies in the last one.
TEST_CASE("conformance: a texture over a block of a picture in 32x32 blocks follows draws to that block")
{
    for (const Variant& variant : kVariants)
    {
        CAPTURE(variant.name);
        ConformanceMachine machine(variant, Shaders::Specialised);
        Random random(21);
        machine.begin_seed(random, ConformanceMachine::Compare::EachOperation);
        ListScene s(machine, random, 8, 8);
        const auto sample = [&](u32 block)
        {
            s.list.set(reg::FRAMEBUFFER_BLOCK32::enable, false);
            s.color_target(ListScene::kColor + 0x10000 + block * 0x100, ColorFormat::RGBA8);
            s.size(8, 8, false);
            s.viewport(4, 4, 0, 0);
            s.texture_unit(0, ListScene::kColor + block * 0x1000, 32, 32, TextureFormat::RGBA8);
            s.textured();
            s.quad(0, 0, 8, 8, -0.5f);
            s.draw();
            s.run();
        };
        for (u32 block = 0; block < 4; block++)
        {
            sample(block);
            s.list.set(reg::FRAMEBUFFER_BLOCK32::enable, true);
            s.color_target(ListScene::kColor, ColorFormat::RGBA8);
            s.size(128, 64, false);
            s.viewport(64, 32, 0, 0);
            s.list.set(reg::TEXENV_SOURCE::color_1, CombinerSource::PrimaryColor, 0);
            s.list.set(reg::TEXENV_COMBINER::color_op, CombinerOp::Replace, 0);
            s.quad(f32(block) * 32, 0, f32(block) * 32 + 32, 8, -0.5f);
            s.draw();
            sample(block);
        }
        machine.end_seed();
        CHECK(machine.failure() == "");
        CHECK(machine.changed_memory());
    }
}

TEST_CASE("conformance: draws that sample former targets leave the same planes in both cores")
{
    run_scaled_suite({.name = "feedback at N", .generate = generate});
}
