// SPDX-License-Identifier: MIT
// Viewports on targets of up to 1024 pixels a side: whole ones, corners at the limits of their fields (-512,
// 511), sizes of 1023 pixels, mirrored; with both depth mappings, all culling modes and flat colour.
// pica/hardware/primitives.md, "Viewport transform" and "Culling".
#include "tests/support/suite/list_scene.h"

#include "pica/base/float24.h"

using namespace tests;

namespace
{

constexpr Variant kVariants[] = {kRasterOrder, kCompute, kComputeBarrier, kInterpret};

constexpr OwnedField kFields[] = {
    owned("culling", reg::FACECULLING_CONFIG::mode, 4),
    owned("depth mapping", reg::DEPTHMAP_ENABLE::mode, 2),
    owned("flat colour", reg::UNKNOWN_058::flat_color, 2),
};

enum class Corner : u8
{
    Origin,
    Low,  // -512
    High, // 511
    Any,
};
constexpr u32 kCorners = 4;

s32 corner(Random& random, Corner kind)
{
    switch (kind)
    {
    case Corner::Origin:
        return 0;
    case Corner::Low:
        return -512;
    case Corner::High:
        return 511;
    case Corner::Any:
        break;
    }
    return random.between(-512, 511);
}

// Long sides of 1016 to 1024 pixels; the other one keeps both buffers small.
void random_size(ListScene& s)
{
    Random& random = s.random;
    u32 sides[2] = {random.pick({1016u, 1023u, 1024u, 512u}), 8u + random.below(56)};
    const bool wide = random.chance(1, 2);
    s.size(sides[wide ? 0 : 1], sides[wide ? 1 : 0], random.chance(1, 2));
}

void generate(ConformanceMachine& machine, Random& random)
{
    ListScene s(machine, random, 64, 64);
    s.list.set(reg::DEPTH_COLOR_MASK::depth_test, true);
    s.list.set(reg::DEPTH_COLOR_MASK::depth_func, CompareFunc::Always);
    s.list.set(reg::DEPTH_COLOR_MASK::depth_write, true);
    for (u32 i = 0; i < 3; ++i)
    {
        random_size(s);
        for (u32 k = 0; k < 6; ++k)
        {
            const Corner x = any<Corner>(random, kCorners), y = any<Corner>(random, kCorners);
            machine.coverage().note("viewport corner", u32(x) * kCorners + u32(y), true);
            const f32 half_width =
                random.pick({f32(s.width) * 0.5f, 511.5f, 512.0f, random.real(1.0f, 600.0f)});
            const f32 half_height =
                random.pick({f32(s.height) * 0.5f, 511.5f, 512.0f, random.real(1.0f, 600.0f)});
            s.viewport(random.chance(1, 6) ? -half_width : half_width,
                       random.chance(1, 6) ? -half_height : half_height, corner(random, x),
                       corner(random, y));
            const DepthMap mode = any<DepthMap>(random, 2);
            s.list.set(reg::DEPTHMAP_ENABLE::mode, mode);
            s.list.set(reg::DEPTHMAP_SCALE::value,
                       f32_to_float24(mode == DepthMap::WBuffer ? -0.25f : -1.0f));
            s.list.set(reg::FACECULLING_CONFIG::mode, any<CullMode>(random, 4));
            s.list.set(reg::UNKNOWN_058::flat_color, random.chance(1, 3));
            s.perspective = random.chance(1, 2);
            s.quad(0.0f, 0.0f, f32(s.width), f32(s.height), -0.5f);
            s.triangles(3);
            s.draw();
        }
    }
    s.run();
}

void require(Coverage& coverage)
{
    coverage.require("viewport corner", kCorners * kCorners);
    coverage.require("depth mode", {1, 2});
}

} // namespace

TEST_CASE("conformance: viewports leave the same bytes in both cores")
{
    run_suite({.name = "viewport",
               .variants = kVariants,
               .seeds = 40,
               .fields = kFields,
               .generate = generate,
               .require = require});
}

TEST_CASE("conformance: viewports leave the same planes in both cores")
{
    run_scaled_suite({.name = "viewport at N", .generate = generate}, 40);
}
