// SPDX-License-Identifier: MIT
// Gas: densities added to 16-bit sums against a depth buffer, then shaded through the table: both cores leave
// the same bytes. pica/hardware/fog-and-gas.md, "Gas".
#include "tests/support/suite/list_scene.h"

#include "pica/base/float24.h"

using namespace tests;

namespace
{

constexpr Variant kVariants[] = {kRasterOrder, kBarrier, kShaderCoverage, kTexelRecords};
constexpr u32 kSize = 64; // power of two: the sums are sampled as a texture of this size
constexpr PhysAddr kScreen = kVramBase + 0x20000;

void scene_depth(ListScene& s)
{
    s.list.set(reg::COLOR_OPERATION::fragment_operation, FragmentOperation::Default);
    s.list.set(reg::DEPTH_COLOR_MASK::depth_write, true);
    s.quad(0, 0, f32(s.width), f32(s.height), -0.5f);
    s.triangles(4);
    s.draw();
}

void accumulate(ListScene& s)
{
    Random& random = s.random;
    s.list.set(reg::COLOR_OPERATION::fragment_operation, FragmentOperation::Gas);
    s.list.set(reg::GAS_DELTAZ_DEPTH::delta_z,
               random.chance(1, 4) ? random.below(1u << 24) : random.below(64) << random.below(8));
    s.list.set(reg::GAS_DELTAZ_DEPTH::depth_func,
               random.chance(1, 12)
                   ? GasDepthFunc::Never
                   : random.pick({GasDepthFunc::Always, GasDepthFunc::Greater, GasDepthFunc::Less}));
    s.list.set(reg::DEPTHMAP_ENABLE::mode, random.chance(1, 3) ? DepthMap::WBuffer : DepthMap::ZBuffer);
    s.list.set(reg::DEPTHMAP_SCALE::value,
               f32_to_float24(random.chance(1, 2) ? -1.0f : random.real(-2.0f, 1.0f)));
    // What this mode ignores.
    s.list.set(reg::FRAGOP_ALPHA_TEST::enable, random.chance(1, 4));
    s.list.set(reg::FRAGOP_ALPHA_TEST::func, CompareFunc::Greater);
    s.list.set(reg::FRAGOP_ALPHA_TEST::reference, 128);
    s.list.set(reg::DEPTH_COLOR_MASK::depth_test, random.chance(1, 4));
    s.list.set(reg::STENCIL_TEST::enable, random.chance(1, 4));
    s.perspective = random.chance(1, 2);
    s.triangles(6);
    s.draw();
    if (random.chance(1, 2))
    {
        s.triangles(2);
        s.draw();
    }
}

void upload_table(ListScene& s)
{
    std::vector<u32> words(16);
    for (u32& word : words)
        word = s.random.next();
    s.list.write(reg::GAS_LUT_INDEX::id, 0);
    s.list.write_repeated(reg::GAS_LUT_DATA::id, words);
}

void shade(ListScene& s)
{
    Random& random = s.random;
    CommandListBuilder& list = s.list;
    list.set(reg::COLOR_OPERATION::fragment_operation, FragmentOperation::Default);
    s.color_target(kScreen,
                   random.chance(2, 3) ? ColorFormat::RGBA8 : static_cast<ColorFormat>(random.below(5)));
    s.texture_unit(0, ListScene::kColor, kSize, kSize, TextureFormat::RGBA8);
    list.set(reg::TEXENV_SOURCE::color_1, CombinerSource::Texture0, 0);
    list.set(reg::TEXENV_SOURCE::alpha_1, CombinerSource::Texture0, 0);
    list.set(reg::TEXENV_UPDATE_BUFFER::fog_mode, FogMode::Gas);
    list.set(reg::TEXENV_UPDATE_BUFFER::gas_density, static_cast<GasDensitySource>(random.below(2)));
    list.set(reg::GAS_ACCMAX::value, random.chance(1, 8) ? random.below(0x10000) : random.below(0x2400));
    list.set(reg::GAS_ATTENUATION::value,
             random.chance(1, 8) ? random.below(0x10000) : 0x3400 + random.below(0x1000));
    list.write(reg::GAS_LIGHT_XY::id, random.next());
    list.write(reg::GAS_LIGHT_Z::id, random.next());
    list.set(reg::GAS_LIGHT_Z_COLOR::line_of_sight, random.below(256));
    list.set(reg::GAS_LIGHT_Z_COLOR::lut_input, static_cast<GasLutInput>(random.below(2)));
    const bool blends = random.chance(1, 2);
    list.set(reg::BLEND_FUNC::color_source, blends ? BlendFactor::SourceAlpha : BlendFactor::One);
    list.set(reg::BLEND_FUNC::color_dest, blends ? BlendFactor::OneMinusSourceAlpha : BlendFactor::Zero);
    s.quad(0, 0, kSize, kSize, -0.25f);
    s.draw();
    // Back to plain drawing.
    list.set(reg::TEXENV_UPDATE_BUFFER::fog_mode, FogMode::None);
    list.set(reg::TEXENV_SOURCE::color_1, CombinerSource::PrimaryColor, 0);
    list.set(reg::TEXENV_SOURCE::alpha_1, CombinerSource::PrimaryColor, 0);
    list.set(reg::BLEND_FUNC::color_source, BlendFactor::One);
    list.set(reg::BLEND_FUNC::color_dest, BlendFactor::Zero);
    s.color_target(ListScene::kColor, ColorFormat::RGBA8);
}

void generate(ConformanceMachine& machine, Random& random)
{
    ListScene s(machine, random, kSize, kSize);
    s.depth_target(ListScene::kDepth, random.pick({DepthFormat::D24S8, DepthFormat::D24, DepthFormat::D16}));
    s.size(kSize, random.chance(1, 4) ? kSize - 12 : kSize, random.chance(1, 2));
    s.list.set(reg::FRAMEBUFFER_BLOCK32::enable, random.chance(1, 4));
    for (u32 i = 0, steps = machine.steps(random, 3); i < steps; ++i)
    {
        scene_depth(s);
        if (random.chance(1, 3)) // from zero, not from noise
        {
            s.run();
            machine.memory_fill(ListScene::kColor, ListScene::kColor + kSize * kSize * 4, 0,
                                FillWidth::Bits32);
        }
        accumulate(s);
        if (random.chance(1, 3))
            accumulate(s);
        upload_table(s);
        shade(s);
        if (random.chance(1, 4)) // another target format: nothing is drawn
        {
            s.color_target(ListScene::kColor, ColorFormat::RGB565);
            accumulate(s);
            s.color_target(ListScene::kColor, ColorFormat::RGBA8);
        }
    }
    s.run();
}

void require(Coverage& coverage)
{
    coverage.require("gas shading", 4);
    coverage.require("gas depth func", {1, 2, 3});
    coverage.require("gas depth", {1, 2});
    coverage.require("gas depth format", {0, 2, 3});
    coverage.require("gas flip", 2);
    coverage.require("target blocks", 2);
}

} // namespace

TEST_CASE("conformance: gas leaves the same bytes in both cores")
{
    run_suite({.name = "gas", .variants = kVariants, .generate = generate, .require = require});
}

TEST_CASE("conformance: gas leaves the same planes in both cores")
{
    run_scaled_suite({.name = "gas at N", .generate = generate});
}
