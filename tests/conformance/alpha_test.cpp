// SPDX-License-Identifier: MIT
// The alpha test: every function against every reference, alpha values around the reference, before depth,
// stencil and blending. pica/hardware/fragment-operations.md, "Order".
#include "tests/support/suite/list_scene.h"

using namespace tests;

namespace
{

constexpr Variant kVariants[] = {kRasterOrder, kBarrier, kShaderCoverage};

bool is_on(const RegisterFile& registers, u32)
{
    return registers.get(reg::FRAGOP_ALPHA_TEST::enable);
}

constexpr OwnedField kFields[] = {
    owned("alpha test", reg::FRAGOP_ALPHA_TEST::enable, 2),
    owned("alpha func", reg::FRAGOP_ALPHA_TEST::func, 8, is_on, 1u << u32(CompareFunc::Never)),
    owned("alpha reference", reg::FRAGOP_ALPHA_TEST::reference, 256, is_on),
};

// A quad whose alpha codes run through the reference and its neighbours.
void quad_around(ListScene& s, f32 reference)
{
    Random& random = s.random;
    const f32 span = random.pick({0.0f, 3.0f, 12.0f, 300.0f}) / 255.0f;
    const f32 low = reference / 255.0f - span * random.real(0.0f, 1.0f);
    const f32 x = random.real(-4.0f, 16.0f), y = random.real(-4.0f, 16.0f);
    std::array<ListVertex, 4> corners;
    for (u32 i = 0; i < 4; ++i)
    {
        corners[i] = s.random_vertex(x + (i % 2 != 0 ? 20.0f : 0.0f), y + (i / 2 != 0 ? 20.0f : 0.0f), -0.5f,
                                     s.perspective ? random.real(0.5f, 3.0f) : 1.0f);
        corners[i].color[3] = low + span * f32(i) / 3.0f;
    }
    for (const u32 i : {0u, 1u, 2u, 2u, 1u, 3u})
        s.add(corners[i]);
}

void random_alpha_stage(ListScene& s)
{
    Random& random = s.random;
    const u32 kind = random.below(4); // 0: the primary colour's alpha as it is
    s.list.set(reg::TEXENV_SOURCE::alpha_1,
               kind == 1 ? CombinerSource::Texture0 : CombinerSource::PrimaryColor, 0);
    s.list.set(reg::TEXENV_SOURCE::alpha_2, CombinerSource::Constant, 0);
    s.list.set(reg::TEXENV_COMBINER::alpha_op,
               kind == 2   ? CombinerOp::Modulate
               : kind == 3 ? CombinerOp::AddSigned
                           : CombinerOp::Replace,
               0);
    s.list.write(reg::TEXENV_COLOR::ids[0], random.next());
}

void generate(ConformanceMachine& machine, Random& random)
{
    ListScene s(machine, random, 32, 24);
    s.texture_unit(0, ListScene::kTextures, 16, 16, TextureFormat::RGBA8);
    s.color_target(ListScene::kColor, any<ColorFormat>(random, 5));
    s.list.set(reg::STENCIL_TEST::func, CompareFunc::Always);
    s.list.set(reg::STENCIL_TEST::write_mask, 255);
    s.list.set(reg::STENCIL_OP::depth_pass, StencilOp::IncrementWrap);
    for (u32 i = 0; i < machine.states(16, 5); ++i)
    {
        s.list.set(reg::FRAGOP_ALPHA_TEST::enable, random.chance(7, 8));
        s.list.set(reg::FRAGOP_ALPHA_TEST::func, any<CompareFunc>(random, 8));
        const bool writes_depth = random.chance(1, 3);
        s.list.set(reg::DEPTH_COLOR_MASK::depth_write, writes_depth);
        s.list.set(reg::STENCIL_TEST::enable, writes_depth);
        const bool blends = random.chance(1, 3);
        s.list.set(reg::BLEND_FUNC::color_source, blends ? BlendFactor::SourceAlpha : BlendFactor::One);
        s.list.set(reg::BLEND_FUNC::color_dest,
                   blends ? BlendFactor::OneMinusSourceAlpha : BlendFactor::Zero);
        s.perspective = random.chance(1, 3);
        random_alpha_stage(s);
        for (u32 k = 0; k < 3; ++k) // other references, same code
        {
            const u32 reference = random.chance(1, 8) ? random.pick({0u, 1u, 254u, 255u}) : random.below(256);
            s.list.set(reg::FRAGOP_ALPHA_TEST::reference, reference);
            quad_around(s, f32(reference));
            s.draw();
        }
    }
    s.run();
}

void require(Coverage& coverage)
{
    coverage.require("alpha func", {1, 2, 3, 4, 5, 6, 7});
    coverage.require("output class", {1, 4});
    coverage.require("depth mode", {0, 1});
    coverage.require("colour format", 5);
}

} // namespace

TEST_CASE("conformance: the alpha test leaves the same bytes in both cores")
{
    run_suite({.name = "alpha",
               .variants = kVariants,
               .fields = kFields,
               .generate = generate,
               .require = require,
               .reference = true});
}
