// SPDX-License-Identifier: MIT
// Scissor modes 0 to 3: rectangles that are empty, inverted, one pixel, at the target's edges, outside of it
// and at the limits of their fields, over targets of all shapes and both row orders. rasteriser.md.
#include "tests/support/suite/list_scene.h"

#include <algorithm>

using namespace tests;

namespace
{

constexpr Variant kVariants[] = {kRasterOrder, kCompute, kShaderCoverage};

constexpr OwnedField kFields[] = {
    owned("scissor mode", reg::SCISSORTEST_MODE::mode, 4),
    owned("row order", reg::FRAMEBUFFER_DIM::flip, 2),
};

enum class Shape : u8
{
    Any,
    Inside,
    Whole,
    OnePixel,
    Inverted, // x2 < x1 or y2 < y1
    Edge,     // one pixel in, at or beyond the target's last column and row
    Outside,
    Limits, // 0 and 1023
};
constexpr u32 kShapes = 8;

void random_rectangle(ListScene& s, Shape shape)
{
    Random& random = s.random;
    const u32 w = s.width, h = s.height;
    u32 x1 = random.below(w), y1 = random.below(h), x2 = random.below(w), y2 = random.below(h);
    switch (shape)
    {
    case Shape::Any:
        break;
    case Shape::Inside:
        if (x1 > x2)
            std::swap(x1, x2);
        if (y1 > y2)
            std::swap(y1, y2);
        break;
    case Shape::Whole:
        x1 = y1 = 0;
        x2 = w - 1;
        y2 = h - 1;
        break;
    case Shape::OnePixel:
        x2 = x1;
        y2 = y1;
        break;
    case Shape::Inverted:
        (random.chance(1, 2) ? x1 : y1) = std::max(w, h) + random.below(20);
        break;
    case Shape::Edge:
        x1 = random.chance(1, 2) ? 0 : w - 1 - random.below(2);
        y1 = random.chance(1, 2) ? 0 : h - 1;
        x2 = w - 2 + random.below(4);
        y2 = h - 1 + random.below(3);
        break;
    case Shape::Outside:
        x1 += w;
        x2 = x1 + random.below(100);
        break;
    case Shape::Limits:
        x1 = random.chance(3, 4) ? 0 : 1023;
        y1 = random.chance(3, 4) ? 0 : 1023;
        x2 = random.chance(1, 4) ? 0 : 1023;
        y2 = random.chance(1, 4) ? 0 : 1023;
        break;
    }
    s.list.set(reg::SCISSORTEST_POS::x1, x1);
    s.list.set(reg::SCISSORTEST_POS::y1, y1);
    s.list.set(reg::SCISSORTEST_DIM::x2, x2);
    s.list.set(reg::SCISSORTEST_DIM::y2, y2);
}

void generate(ConformanceMachine& machine, Random& random)
{
    ListScene s(machine, random, 64, 64);
    s.list.set(reg::DEPTH_COLOR_MASK::depth_test, true);
    s.list.set(reg::DEPTH_COLOR_MASK::depth_func, CompareFunc::Always);
    for (u32 i = 0; i < machine.states(8, 5); ++i)
    {
        s.size(8 * (1 + random.below(8)), 1 + random.below(64), random.chance(1, 2));
        s.color_target(ListScene::kColor, any<ColorFormat>(random, machine.states(5, 2)));
        if (random.chance(1, 3)) // the window elsewhere
            s.viewport(f32(s.width) * 0.5f, f32(s.height) * 0.5f, random.between(-9, 9),
                       random.between(-9, 9));
        else
            s.viewport(f32(s.width) * 0.5f, f32(s.height) * 0.5f, 0, 0);
        s.list.set(reg::DEPTH_COLOR_MASK::depth_write, random.chance(1, 2));
        for (u32 k = 0; k < 5; ++k)
        {
            const ScissorMode mode = any<ScissorMode>(random, 4);
            s.list.set(reg::SCISSORTEST_MODE::mode, mode);
            const Shape shape = any<Shape>(random, kShapes);
            machine.coverage().note("scissor mode and shape", u32(mode) * kShapes + u32(shape), true);
            random_rectangle(s, shape);
            s.quad(-1.0f, -1.0f, f32(s.width) + 1.0f, f32(s.height) + 1.0f, -0.5f);
            if (random.chance(1, 3))
                s.triangles(2);
            s.draw();
        }
    }
    s.run();
}

void require(Coverage& coverage)
{
    coverage.require("scissor mode and shape", 4 * kShapes);
    coverage.require("scissor exclude", 2);
    coverage.require("scissor include", 2);
    coverage.require("colour format", 5);
}

} // namespace

TEST_CASE("conformance: the scissor test leaves the same bytes in both cores")
{
    run_suite({.name = "scissor",
               .variants = kVariants,
               .fields = kFields,
               .generate = generate,
               .require = require,
               .reference = true});
}

TEST_CASE("conformance: the scissor test leaves the same planes in both cores")
{
    run_scaled_suite({.name = "scissor at N", .generate = generate});
}
