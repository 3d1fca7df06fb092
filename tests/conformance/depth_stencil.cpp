// SPDX-License-Identifier: MIT
// Depth and stencil tests: every function, every operation in every place, masks, references, gates, formats,
// z and w depth, draws that write no colour. rasteriser.md, "Depth value"; fragment-operations.md.
#include "tests/support/suite/list_scene.h"

#include "pica/base/float24.h"

using namespace tests;

namespace
{

constexpr Variant kVariants[] = {kRasterOrder, kShaderCoverage};
constexpr Variant kNoStencilVariants[] = {kNoStencil, kComputeNoStencil};

bool tests_depth(const RegisterFile& registers, u32)
{
    return registers.get(reg::DEPTH_COLOR_MASK::depth_test);
}

bool tests_stencil(const RegisterFile& registers, u32)
{
    return registers.get(reg::STENCIL_TEST::enable) &&
           registers.get(reg::DEPTHBUFFER_FORMAT::format) == DepthFormat::D24S8;
}

constexpr OwnedField kFields[] = {
    owned("depth test", reg::DEPTH_COLOR_MASK::depth_test, 2),
    owned("depth func", reg::DEPTH_COLOR_MASK::depth_func, 8, tests_depth),
    owned("depth write", reg::DEPTH_COLOR_MASK::depth_write, 2),
    owned("depth map", reg::DEPTHMAP_ENABLE::mode, 2),
    owned("depth read gate", reg::DEPTHBUFFER_READ::enable, 4),
    owned("depth write gate", reg::DEPTHBUFFER_WRITE::enable, 4),
    owned("depth buffer format", reg::DEPTHBUFFER_FORMAT::format, 4),
    owned("early depth test", reg::EARLYDEPTH_TEST1::enable, 2),
    owned("early depth func", reg::EARLYDEPTH_FUNC::func, 4),
    owned("stencil test", reg::STENCIL_TEST::enable, 2),
    owned("stencil func", reg::STENCIL_TEST::func, 8, tests_stencil),
    owned("stencil fail", reg::STENCIL_OP::stencil_fail, 8, tests_stencil),
    owned("stencil depth fail", reg::STENCIL_OP::depth_fail, 8, tests_stencil),
    owned("stencil pass", reg::STENCIL_OP::depth_pass, 8, tests_stencil),
};

// What makes a pipeline: functions and operations; in llvmpipe masks, too.
void random_functions(ListScene& s, Random& random)
{
    CommandListBuilder& list = s.list;
    const DepthFormat format =
        random.chance(2, 3) ? DepthFormat::D24S8
                            : random.pick({DepthFormat::D16, DepthFormat::D24, static_cast<DepthFormat>(1)});
    list.set(reg::DEPTHBUFFER_FORMAT::format, format);
    list.set(reg::DEPTH_COLOR_MASK::depth_test, random.chance(3, 4));
    list.set(reg::DEPTH_COLOR_MASK::depth_func, any<CompareFunc>(random, 8));
    list.set(reg::DEPTH_COLOR_MASK::depth_write, random.chance(2, 3));
    list.set(reg::STENCIL_TEST::enable, random.chance(3, 4));
    list.set(reg::STENCIL_TEST::func, any<CompareFunc>(random, 8));
    list.set(reg::STENCIL_TEST::write_mask, random.chance(1, 3) ? 255 : random.below(256));
    list.set(reg::STENCIL_TEST::input_mask,
             random.pick({255u, 3u, 1u, random.below(256), random.below(256)}));
    list.set(reg::STENCIL_OP::stencil_fail, any<StencilOp>(random, 8));
    list.set(reg::STENCIL_OP::depth_fail, any<StencilOp>(random, 8));
    list.set(reg::STENCIL_OP::depth_pass, any<StencilOp>(random, 8));
    // Half of the draws of each state write no colour.
    list.set(reg::COLORBUFFER_WRITE::enable, random.chance(1, 2) ? 0 : 15);
    list.set(reg::DEPTHBUFFER_READ::enable, random.chance(1, 4)   ? 0
                                            : random.chance(1, 6) ? random.below(4)
                                                                  : 3);
    list.set(reg::DEPTHBUFFER_WRITE::enable, random.chance(1, 6) ? random.below(4) : 3);
}

void random_values(ListScene& s)
{
    Random& random = s.random;
    CommandListBuilder& list = s.list;
    list.set(reg::STENCIL_TEST::reference, random.below(256));
    // The early test always passes.
    list.set(reg::EARLYDEPTH_TEST1::enable, random.chance(1, 2));
    list.set(reg::EARLYDEPTH_TEST2::enable, random.chance(1, 2));
    list.set(reg::EARLYDEPTH_FUNC::func, any<EarlyDepthFunc>(random, 4));
    list.set(reg::EARLYDEPTH_DATA::value, random.next() & 0xFFFFFF);
    list.set(reg::EARLYDEPTH_CLEAR::clear, random.chance(1, 2));
    list.set(reg::DEPTHMAP_ENABLE::mode, random.chance(1, 3) ? DepthMap::WBuffer : DepthMap::ZBuffer);
    const bool plain = random.chance(2, 3); // equal codes must occur
    list.set(reg::DEPTHMAP_SCALE::value, f32_to_float24(plain ? -1.0f : random.real(-2.0f, 0.5f)));
    list.set(reg::DEPTHMAP_OFFSET::value, f32_to_float24(plain ? 0.0f : random.real(-0.25f, 0.25f)));
}

void generate(ConformanceMachine& machine, Random& random)
{
    ListScene s(machine, random, 32, 24);
    s.size(32, 24, random.chance(1, 2));
    for (u32 i = 0; i < machine.states(12, 10); ++i)
    {
        // The ubershader's pipelines are large: those seeds share ten states, a hundred in a long run.
        if (machine.shaders() == Shaders::Specialised)
            random_functions(s, random);
        else
        {
            Random shared(0xD500 + random.below(is_long_run() ? 100 : 10));
            random_functions(s, shared);
        }
        for (u32 k = 0; k < 3; ++k)
        {
            random_values(s);
            s.perspective = random.chance(1, 3);
            // Codes that later draws meet, and ones of all kinds.
            const f32 z = random.pick({-0.75f, -0.5f, -0.25f});
            s.quad(random.real(-8, 16), random.real(-8, 8), random.real(16, 40), random.real(12, 32), z);
            s.triangles(2);
            s.draw();
        }
    }
    s.run();
}

void require(Coverage& coverage)
{
    coverage.require("depth func", {1, 2, 3, 4, 5, 6, 7});
    coverage.require("depth mode", 3);
    coverage.require("depth test against 0", {0, 1, 2});
    coverage.require("depth format", {0, 2, 3, 4});
    coverage.require("output class", {0, 1});
}

} // namespace

TEST_CASE("conformance: depth and stencil tests leave the same bytes in both cores")
{
    run_suite({.name = "depth-stencil",
               .variants = kVariants,
               .fields = kFields,
               .generate = generate,
               .require = require,
               .reference = true});
}

TEST_CASE("conformance: depth and stencil tests leave the same bytes where the device has no stencil")
{
    run_suite({.name = "depth-stencil without stencil",
               .variants = kNoStencilVariants,
               .fields = kFields,
               .generate = generate,
               .require = require});
}

TEST_CASE("conformance: depth and stencil tests leave the same planes in both cores")
{
    run_scaled_suite({.name = "depth-stencil at N", .generate = generate});
}
