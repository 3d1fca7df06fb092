// SPDX-License-Identifier: MIT
// Fog with random tables, colours, depth maps, z- and w-buffers, with and without depth buffer, tables that
// change between draws: both cores leave the same bytes. pica/hardware/fog-and-gas.md, "Fog".
#include "tests/support/suite/list_scene.h"

#include "pica/base/float24.h"

using namespace tests;

namespace
{

constexpr Variant kVariants[] = {kRasterOrder, kBarrier, kShaderCoverage, kTexelRecords};
constexpr u32 kSize = 64;

void upload_table(ListScene& s)
{
    Random& random = s.random;
    std::vector<u32> words(random.chance(2, 3) ? 128 : 1 + random.below(200));
    const bool smooth = random.chance(1, 2);
    for (u32 i = 0; i < words.size(); ++i)
        words[i] = smooth ? (16 * (127 - i % 128)) << 13 | (0x2000 - 16) : random.next();
    s.list.write(reg::FOG_LUT_INDEX::id, words.size() == 128 ? 0 : random.next() & 0xFFFF);
    s.list.write_repeated(reg::FOG_LUT_DATA::ids[random.below(8)], words);
}

void random_state(ListScene& s)
{
    Random& random = s.random;
    CommandListBuilder& list = s.list;
    list.set(reg::TEXENV_UPDATE_BUFFER::fog_mode, random.chance(1, 8) ? FogMode::None : FogMode::Fog);
    list.set(reg::TEXENV_UPDATE_BUFFER::fog_flip, random.chance(1, 2));
    list.write(reg::FOG_COLOR::id, random.next());
    list.set(reg::DEPTHMAP_ENABLE::mode, random.chance(1, 2) ? DepthMap::WBuffer : DepthMap::ZBuffer);
    const bool plain = random.chance(1, 2);
    list.set(reg::DEPTHMAP_SCALE::value, f32_to_float24(plain ? -1.0f : random.real(-3.0f, 3.0f)));
    list.set(reg::DEPTHMAP_OFFSET::value, f32_to_float24(plain ? 0.0f : random.real(-0.5f, 0.5f)));
    if (random.chance(1, 8)) // anything
        list.set(reg::DEPTHMAP_SCALE::value, random.next() & 0xFFFFFF);
    list.set(reg::DEPTH_COLOR_MASK::depth_test, random.chance(1, 2));
    list.set(reg::DEPTH_COLOR_MASK::depth_func,
             random.pick({CompareFunc::Always, CompareFunc::LessOrEqual, CompareFunc::Greater}));
    list.set(reg::DEPTH_COLOR_MASK::depth_write, random.chance(1, 2));
    list.set(reg::FRAGOP_ALPHA_TEST::enable, random.chance(1, 3));
    list.set(reg::FRAGOP_ALPHA_TEST::func, CompareFunc::Greater);
    list.set(reg::FRAGOP_ALPHA_TEST::reference, random.below(256));
    const bool blends = random.chance(1, 3);
    list.set(reg::BLEND_FUNC::color_source, blends ? BlendFactor::SourceAlpha : BlendFactor::One);
    list.set(reg::BLEND_FUNC::color_dest, blends ? BlendFactor::OneMinusSourceAlpha : BlendFactor::Zero);
}

void generate(ConformanceMachine& machine, Random& random)
{
    ListScene s(machine, random, kSize, kSize);
    s.color_target(ListScene::kColor,
                   random.chance(2, 3) ? ColorFormat::RGBA8 : static_cast<ColorFormat>(random.below(5)));
    s.depth_target(ListScene::kDepth, random.pick({DepthFormat::D24S8, DepthFormat::D24, DepthFormat::D16}));
    upload_table(s);
    for (u32 i = 0; i < 6; ++i)
    {
        random_state(s);
        s.perspective = random.chance(1, 2);
        s.quad(0, 0, kSize, kSize, random.real(-1.0f, 0.0f));
        s.triangles(3);
        s.draw();
        // Another table, same code, often in the same batch.
        if (random.chance(1, 2))
        {
            upload_table(s);
            s.triangles(2);
            s.draw();
        }
        if (random.chance(1, 6))
            s.run();
    }
    s.run();
}

void require(Coverage& coverage)
{
    coverage.require("fog mode", {0, 5});
    coverage.require("fog flip", 2);
    coverage.require("fog depth", {1, 2});
    coverage.require("fog with depth code", 2);
}

} // namespace

TEST_CASE("conformance: fog leaves the same bytes in both cores")
{
    run_suite(
        {.name = "fog", .variants = kVariants, .generate = generate, .require = require, .reference = true});
}
