// SPDX-License-Identifier: MIT
// All fragment operations together: alpha test, scissor, depth and stencil tests, blending, logic operations,
// masks. Both backends leave the same bytes. pica/hardware/rasteriser.md, "Scissor" and "Depth value";
// fragment-operations.md. Each operation by itself: alpha_test.cpp and others of its kind.
#include "tests/support/suite/list_scene.h"

#include "pica/base/float24.h"

using namespace tests;

namespace
{

constexpr Variant kVariants[] = {kRasterOrder, kBarrier, kShaderCoverage, kNoLogicOp};

void random_color_output(ListScene& s)
{
    Random& random = s.random;
    CommandListBuilder& list = s.list;
    if (random.chance(1, 3))
    {
        list.set(reg::COLOR_OPERATION::mode, ColorCombineMode::LogicOp);
        list.set(reg::LOGIC_OP::op, any<LogicOp>(random, 16));
    }
    else
    {
        list.set(reg::COLOR_OPERATION::mode, ColorCombineMode::Blend);
        const bool simple = random.chance(1, 6); // what fixed-function blending can do
        const auto factor = [&] { return any<BlendFactor>(random, simple ? 2 : 16); };
        list.set(reg::BLEND_FUNC::color_equation, any<BlendEquation>(random, 8));
        list.set(reg::BLEND_FUNC::alpha_equation, any<BlendEquation>(random, 8));
        list.set(reg::BLEND_FUNC::color_source, factor());
        list.set(reg::BLEND_FUNC::color_dest, factor());
        list.set(reg::BLEND_FUNC::alpha_source, factor());
        list.set(reg::BLEND_FUNC::alpha_dest, factor());
        list.write(reg::BLEND_COLOR::id, random.next());
    }
    list.set(reg::COLORBUFFER_READ::enable, random.chance(1, 10) ? 0 : 0xF);
    list.set(reg::COLORBUFFER_WRITE::enable, random.chance(1, 16) ? 0 : 0xF);
}

void random_tests(ListScene& s)
{
    Random& random = s.random;
    CommandListBuilder& list = s.list;
    list.set(reg::FRAGOP_ALPHA_TEST::enable, random.chance(1, 3));
    list.set(reg::FRAGOP_ALPHA_TEST::func, any<CompareFunc>(random, 8));
    list.set(reg::FRAGOP_ALPHA_TEST::reference, random.below(256));

    const u32 mask = random.chance(1, 2) ? 15 : random.below(16);
    list.set(reg::DEPTH_COLOR_MASK::depth_test, random.chance(2, 3));
    list.set(reg::DEPTH_COLOR_MASK::depth_func, any<CompareFunc>(random, 8));
    list.set(reg::DEPTH_COLOR_MASK::write_r, (mask & 1) != 0);
    list.set(reg::DEPTH_COLOR_MASK::write_g, (mask & 2) != 0);
    list.set(reg::DEPTH_COLOR_MASK::write_b, (mask & 4) != 0);
    list.set(reg::DEPTH_COLOR_MASK::write_a, (mask & 8) != 0);
    list.set(reg::DEPTH_COLOR_MASK::depth_write, random.chance(1, 2));
    list.set(reg::DEPTHMAP_ENABLE::mode, random.chance(1, 3) ? DepthMap::WBuffer : DepthMap::ZBuffer);
    const bool plain = random.chance(1, 2); // equal codes must occur
    list.set(reg::DEPTHMAP_SCALE::value, f32_to_float24(plain ? -1.0f : random.real(-2.0f, 0.5f)));
    list.set(reg::DEPTHMAP_OFFSET::value, f32_to_float24(plain ? 0.0f : random.real(-0.25f, 0.25f)));
    list.set(reg::DEPTHBUFFER_READ::enable, random.chance(1, 16) ? 0 : 3);
    list.set(reg::DEPTHBUFFER_WRITE::enable, random.chance(1, 16) ? 0 : 3);

    list.set(reg::STENCIL_TEST::enable, random.chance(1, 2));
    list.set(reg::STENCIL_TEST::func, any<CompareFunc>(random, 8));
    list.set(reg::STENCIL_TEST::write_mask, random.chance(1, 2) ? 255 : random.below(256));
    list.set(reg::STENCIL_TEST::input_mask, random.pick({255u, 255u, 3u, random.below(256)}));
    list.set(reg::STENCIL_TEST::reference, random.below(256));
    list.set(reg::STENCIL_OP::stencil_fail, any<StencilOp>(random, 8));
    list.set(reg::STENCIL_OP::depth_fail, any<StencilOp>(random, 8));
    list.set(reg::STENCIL_OP::depth_pass, any<StencilOp>(random, 8));

    list.set(reg::SCISSORTEST_MODE::mode, any<ScissorMode>(random, 4));
    const u32 limit = random.chance(1, 8) ? 1024 : s.width;
    list.set(reg::SCISSORTEST_POS::x1, random.below(s.width / 2));
    list.set(reg::SCISSORTEST_POS::y1, random.below(s.height / 2));
    list.set(reg::SCISSORTEST_DIM::x2, random.below(limit));
    list.set(reg::SCISSORTEST_DIM::y2, random.below(limit));
}

void generate(ConformanceMachine& machine, Random& random)
{
    ListScene s(machine, random, 64, 48);
    s.color_target(ListScene::kColor, random.chance(1, 2) ? ColorFormat::RGBA8 : any<ColorFormat>(random, 5));
    s.depth_target(ListScene::kDepth, random.chance(2, 3)
                                          ? DepthFormat::D24S8
                                          : random.pick({DepthFormat::D16, DepthFormat::D24}));
    s.size(64, 48, random.chance(1, 2));
    // Depth codes that later draws can meet.
    s.list.set(reg::DEPTH_COLOR_MASK::depth_write, true);
    s.quad(0, 0, 64, 48, -0.5f);
    s.triangles(4);
    s.draw();
    // Each state is a pipeline, a large one with the ubershader.
    for (u32 i = 0; i < (machine.shaders() == Shaders::Specialised ? 8u : 3u); ++i)
    {
        random_color_output(s);
        random_tests(s);
        s.perspective = random.chance(1, 3);
        s.triangles(3 + random.below(4));
        s.draw();
        // The same state again: draws that may be merged, or need a barrier between them.
        if (random.chance(1, 3))
        {
            s.triangles(1);
            s.draw();
        }
    }
    s.run();
}

void require(Coverage& coverage)
{
    coverage.require("alpha func", {1, 2, 3, 4, 5, 6, 7});
    coverage.require("depth func", {1, 2, 3, 4, 5, 6, 7});
    coverage.require("depth mode", 3);
    coverage.require("depth write", 2);
    coverage.require("depth format", {0, 2, 3});
    coverage.require("stencil func", 8);
    coverage.require("stencil fail", 8);
    coverage.require("stencil depth fail", 8);
    coverage.require("stencil pass", 8);
    coverage.require("logic op", {0, 1, 2, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15});
    coverage.require("blend colour equation", 5);
    coverage.require("blend alpha equation", 5);
    coverage.require("blend colour source", 15);
    coverage.require("blend colour destination", 15);
    // In the alpha half, factors that name colours are written as those that name alpha.
    coverage.require("blend alpha source", {0, 1, 6, 7, 8, 9, 12, 13});
    coverage.require("blend alpha destination", {0, 1, 6, 7, 8, 9, 12, 13});
    coverage.require("blend closed destination", 2);
    coverage.require("output class", 5);
    coverage.require("colour format", 5);
    coverage.require("colour mask", 16);
    coverage.require("scissor exclude", 2);
    coverage.require("scissor include", 2);
    coverage.require("target flip", 2);
}

} // namespace

TEST_CASE("conformance: fragment operations leave the same bytes in both cores")
{
    run_suite({.name = "fragment_ops",
               .variants = kVariants,
               .seeds = 40,
               .generate = generate,
               .require = require,
               .mostly_specialised = true,
               .reference = true});
}
