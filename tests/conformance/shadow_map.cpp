// SPDX-License-Identifier: MIT
// Shadow map rendering: overlapping triangles of one draw, occluders and penumbras, random coefficients, z-
// and w-buffers, textured green, between ordinary draws to the same buffer; then the map as a texture of unit
// 0: both cores leave the same bytes. pica/hardware/shadow-maps.md; textures.md, "Shadow textures".
#include "tests/support/suite/list_scene.h"

#include "pica/base/float24.h"

using namespace tests;

namespace
{

constexpr Variant kVariants[] = {kRasterOrder,    kBarrier,        kCompute,
                                 kComputeBarrier, kShaderCoverage, kTexelRecords};
constexpr u32 kSize = 64; // power of two: the map is sampled as a texture of this size
constexpr PhysAddr kScreen = kVramBase + 0x20000;

bool writes_shadows(const RegisterFile& registers, u32)
{
    return registers.get(reg::COLOR_OPERATION::fragment_operation) == FragmentOperation::Shadow;
}

constexpr OwnedField kFields[] = {
    owned("fragment operation", reg::COLOR_OPERATION::fragment_operation, 4, nullptr,
          1u << u32(FragmentOperation::Gas)),
    owned("depth map of shadows", reg::DEPTHMAP_ENABLE::mode, 2, writes_shadows),
    owned("colour format of shadows", reg::COLORBUFFER_FORMAT::format, 8, writes_shadows),
    owned("write gate of shadows", reg::COLORBUFFER_WRITE::enable, 16, writes_shadows),
    owned("read gate of shadows", reg::COLORBUFFER_READ::enable, 16, writes_shadows),
};

// float16 of all kinds, mostly of magnitudes 1/16 to 8.
u32 random_half(Random& random)
{
    if (random.chance(1, 6))
        return random.next() & 0xFFFF;
    return (random.next() & 0x83FF) | (11 + random.below(8)) << 10;
}

void random_values(ListScene& s)
{
    Random& random = s.random;
    CommandListBuilder& list = s.list;
    // Usual: linear = -scale, constant = scale + bias.
    const bool usual = random.chance(1, 3);
    const u32 scale = (12 + random.below(6)) << 10 | random.below(0x400);
    list.write(reg::FRAGOP_SHADOW::id, usual ? (scale + random.below(8)) | (scale | 0x8000) << 16
                                             : random_half(random) | random_half(random) << 16);
    const bool plain = random.chance(2, 3);
    list.set(reg::DEPTHMAP_SCALE::value, f32_to_float24(plain ? -1.0f : random.real(-2.0f, 0.5f)));
    list.set(reg::DEPTHMAP_OFFSET::value, f32_to_float24(plain ? 0.0f : random.real(-0.25f, 0.25f)));
    // Green 0 is an occluder.
    const u32 color = random.next();
    list.write(reg::TEXENV_COLOR::ids[0], random.chance(1, 2) ? color & 0xFFFF00FF : color);
    list.write(reg::BLEND_COLOR::id, random.next());
    list.set(reg::SCISSORTEST_POS::x1, random.below(kSize / 2));
    list.set(reg::SCISSORTEST_POS::y1, random.below(kSize / 2));
    list.set(reg::SCISSORTEST_DIM::x2, random.below(kSize));
    list.set(reg::SCISSORTEST_DIM::y2, random.below(kSize));
}

// What makes a pipeline.
void random_state(ListScene& s, Random& random)
{
    CommandListBuilder& list = s.list;
    list.set(reg::COLOR_OPERATION::fragment_operation,
             random.chance(1, 8) ? any<FragmentOperation>(random, 4) : FragmentOperation::Shadow);
    list.set(reg::DEPTHMAP_ENABLE::mode, random.chance(1, 3) ? DepthMap::WBuffer : DepthMap::ZBuffer);
    list.set(reg::TEXENV_SOURCE::color_1,
             random.pick({CombinerSource::Constant, CombinerSource::PrimaryColor, CombinerSource::Texture1}),
             0);
    list.set(reg::SCISSORTEST_MODE::mode,
             random.chance(1, 2) ? ScissorMode::Disabled : any<ScissorMode>(random, 4));
    // All of these are passed over.
    list.set(reg::COLOR_OPERATION::mode, random.pick({ColorCombineMode::Blend, ColorCombineMode::LogicOp}));
    list.set(reg::BLEND_FUNC::color_dest, random.pick({BlendFactor::Zero, BlendFactor::OneMinusSourceAlpha}));
    list.set(reg::DEPTH_COLOR_MASK::write_g, random.chance(3, 4));
    list.set(reg::DEPTH_COLOR_MASK::write_a, random.chance(3, 4));
    list.set(reg::DEPTH_COLOR_MASK::depth_test, random.chance(1, 4));
    list.set(reg::DEPTH_COLOR_MASK::depth_write, random.chance(1, 4));
    list.set(reg::DEPTH_COLOR_MASK::depth_func, any<CompareFunc>(random, 8));
    list.set(reg::STENCIL_TEST::enable, random.chance(1, 4));
    list.set(reg::STENCIL_TEST::func, any<CompareFunc>(random, 8));
    list.set(reg::FRAGOP_ALPHA_TEST::enable, random.chance(1, 4));
    list.set(reg::FRAGOP_ALPHA_TEST::func, any<CompareFunc>(random, 8));
    list.set(reg::TEXENV_UPDATE_BUFFER::fog_mode,
             random.pick({FogMode::None, FogMode::None, FogMode::Fog, FogMode::Gas}));
    list.set(reg::COLORBUFFER_WRITE::enable, random.chance(1, 2) ? 15 : random.below(16));
    list.set(reg::COLORBUFFER_READ::enable, random.chance(1, 2) ? 15 : random.below(16));
    list.set(reg::COLORBUFFER_FORMAT::format,
             random.chance(3, 4) ? ColorFormat::RGBA8 : any<ColorFormat>(random, 8));
}

// The map as seen by unit 0, drawn to another buffer in an ordinary way.
void sample_map(ListScene& s)
{
    Random& random = s.random;
    CommandListBuilder& list = s.list;
    list.set(reg::COLOR_OPERATION::fragment_operation, FragmentOperation::Default);
    list.set(reg::COLOR_OPERATION::mode, ColorCombineMode::Blend);
    list.set(reg::BLEND_FUNC::color_dest, BlendFactor::Zero);
    list.set(reg::DEPTH_COLOR_MASK::write_g, true);
    list.set(reg::DEPTH_COLOR_MASK::write_a, true);
    list.set(reg::DEPTH_COLOR_MASK::depth_test, false);
    list.set(reg::DEPTH_COLOR_MASK::depth_write, false);
    list.set(reg::STENCIL_TEST::enable, false);
    list.set(reg::FRAGOP_ALPHA_TEST::enable, false);
    list.set(reg::TEXENV_UPDATE_BUFFER::fog_mode, FogMode::None);
    list.set(reg::COLORBUFFER_WRITE::enable, 15);
    list.set(reg::COLORBUFFER_READ::enable, 15);
    list.set(reg::SCISSORTEST_MODE::mode, ScissorMode::Disabled);
    s.color_target(kScreen, ColorFormat::RGBA8);
    s.texture_unit(0, ListScene::kColor, kSize, kSize, TextureFormat::RGBA8);
    list.set(reg::TEXUNIT_PARAM::type, random.chance(2, 3) ? TextureType::Shadow2D : TextureType::Texture2D,
             0);
    list.write(reg::TEXUNIT0_SHADOW::id, 1 | random.below(0x10000)); // not divided
    list.set(reg::TEXENV_SOURCE::color_1, CombinerSource::Texture0, 0);
    s.coordinate_range = 1.0f;
    s.quad(0, 0, kSize, kSize, -0.5f);
    for (ListVertex& vertex : s.vertices())
        vertex.view[3] = random.real(-0.1f, 1.1f);
    s.draw();
    s.color_target(ListScene::kColor, ColorFormat::RGBA8);
}

void generate(ConformanceMachine& machine, Random& random)
{
    ListScene s(machine, random, kSize, kSize);
    s.size(kSize, random.chance(1, 4) ? kSize - 12 : kSize, random.chance(1, 2));
    s.texture_unit(1, ListScene::kTextures, 32, 32, TextureFormat::RGBA4);
    for (u32 pass = 0, passes = machine.steps(random, machine.states(4, 2)); pass < passes; ++pass)
    {
        // From noise, or from the usual clear.
        if (random.chance(1, 2))
        {
            s.run();
            machine.memory_fill(ListScene::kColor, ListScene::kColor + kSize * kSize * 4, 0xFFFFFFFF,
                                FillWidth::Bits32);
        }
        s.list.set(reg::TEXUNIT_PARAM::type, TextureType::Texture2D, 0);
        for (u32 i = 0; i < 4; ++i)
        {
            random_state(s, random);
            random_values(s);
            s.perspective = random.chance(1, 3);
            if (random.chance(1, 3))
                s.quad(0, 0, kSize, kSize, random.real(-1.0f, 0.0f));
            s.triangles(2 + random.below(12));
            s.draw();
        }
        sample_map(s);
    }
    s.run();
}

void require(Coverage& coverage)
{
    coverage.require("shadow map", 3);
    coverage.require("output class", {1, 4});
}

} // namespace

TEST_CASE("conformance: shadow map rendering leaves the same bytes in both cores")
{
    run_suite({.name = "shadow map",
               .variants = kVariants,
               .fields = kFields,
               .generate = generate,
               .require = require});
}

TEST_CASE("conformance: shadow maps leave the same planes in both cores")
{
    run_scaled_suite({.name = "shadow map at N", .generate = generate});
}
