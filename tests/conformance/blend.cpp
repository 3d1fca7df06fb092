// SPDX-License-Identifier: MIT
// Blending: every equation with every pair of factors, blend colours, colour masks, read and write gates, all
// target formats; in fixed function where that is exact. fragment-operations.md and framebuffer.md.
#include "tests/support/suite/list_scene.h"

#include <array>
#include <tuple>

using namespace tests;

namespace
{

constexpr Variant kVariants[] = {kRasterOrder, kBarrier, kComputeBarrier, kShaderCoverage};

bool blends(const RegisterFile& registers, u32)
{
    return registers.get(reg::COLOR_OPERATION::mode) == ColorCombineMode::Blend &&
           registers.get(reg::COLORBUFFER_WRITE::enable) != 0;
}

constexpr OwnedField kFields[] = {
    owned("blend colour equation", reg::BLEND_FUNC::color_equation, 8, blends),
    owned("blend alpha equation", reg::BLEND_FUNC::alpha_equation, 8, blends),
    // Both factors of a half in one: they lie side by side.
    {"blend colour factors", reg::BLEND_FUNC::ids.data(), 1, 16, 8, 256, blends},
    {"blend alpha factors", reg::BLEND_FUNC::ids.data(), 1, 24, 8, 256, blends},
    {"blend colour mask", reg::DEPTH_COLOR_MASK::ids.data(), 1, 8, 4, 16, blends, 1},
    owned("colour read gate", reg::COLORBUFFER_READ::enable, 16, blends),
    owned("colour write gate", reg::COLORBUFFER_WRITE::enable, 16, nullptr, 1),
    owned("colour buffer format", reg::COLORBUFFER_FORMAT::format, 8, nullptr, 0xE0),
};

void random_blend(ListScene& s)
{
    Random& random = s.random;
    CommandListBuilder& list = s.list;
    list.set(reg::BLEND_FUNC::color_equation, any<BlendEquation>(random, 8));
    list.set(reg::BLEND_FUNC::alpha_equation, any<BlendEquation>(random, 8));
    list.set(reg::BLEND_FUNC::color_source, any<BlendFactor>(random, 16));
    list.set(reg::BLEND_FUNC::color_dest, any<BlendFactor>(random, 16));
    list.set(reg::BLEND_FUNC::alpha_source, any<BlendFactor>(random, 16));
    list.set(reg::BLEND_FUNC::alpha_dest, any<BlendFactor>(random, 16));
    const u32 mask = random.chance(1, 2) ? 15 : random.below(16);
    list.write(reg::DEPTH_COLOR_MASK::id, mask << 8);
    // A 0 closes a gate, any other value opens it.
    list.set(reg::COLORBUFFER_READ::enable, random.below(16));
    list.set(reg::COLORBUFFER_WRITE::enable, random.below(16));
}

// The equation and the factors of source and destination, of colour and alpha.
constexpr std::array kHalves = {
    std::tuple(reg::BLEND_FUNC::color_equation, reg::BLEND_FUNC::color_source, reg::BLEND_FUNC::color_dest),
    std::tuple(reg::BLEND_FUNC::alpha_equation, reg::BLEND_FUNC::alpha_source, reg::BLEND_FUNC::alpha_dest),
};

// What fixed-function blending can do; a pipeline each, so the ubershader has few of them.
void simple_blend(ListScene& s)
{
    Random choice(s.machine.states(s.random.below(6), s.random.next()));
    CommandListBuilder& list = s.list;
    for (const auto& [equation, source, destination] : kHalves)
    {
        list.set(equation, any<BlendEquation>(choice, 5));
        list.set(source, choice.chance(3, 4) ? BlendFactor::One : BlendFactor::Zero);
        list.set(destination, choice.chance(3, 4) ? BlendFactor::One : BlendFactor::Zero);
    }
    list.write(reg::DEPTH_COLOR_MASK::id, (choice.chance(2, 3) ? 15 : choice.below(16)) << 8);
    list.set(reg::COLORBUFFER_READ::enable, 15);
    list.set(reg::COLORBUFFER_WRITE::enable, 15);
    list.set(reg::COLORBUFFER_FORMAT::format, choice.chance(2, 3) ? ColorFormat::RGBA8 : ColorFormat::RGB8);
}

// As particles and lights do: the source times a factor of its own, added to the destination, subtracted, compared or stored.
// The shader multiplies and the fixed function does the rest.
void additive_blend(ListScene& s)
{
    constexpr BlendFactor kFactors[] = {
        BlendFactor::Zero,
        BlendFactor::One,
        BlendFactor::SourceColor,
        BlendFactor::OneMinusSourceColor,
        BlendFactor::SourceAlpha,
        BlendFactor::SourceAlpha,
        BlendFactor::OneMinusSourceAlpha,
        BlendFactor::ConstantColor,
        BlendFactor::OneMinusConstantColor,
        BlendFactor::ConstantAlpha,
        BlendFactor::OneMinusConstantAlpha,
    };
    Random choice(s.machine.states(s.random.below(8), s.random.next()));
    CommandListBuilder& list = s.list;
    const bool stored = choice.chance(1, 4);
    for (const auto& [equation, source, destination] : kHalves)
    {
        list.set(equation, any<BlendEquation>(choice, 5));
        list.set(source, kFactors[choice.below(std::size(kFactors))]);
        list.set(destination, stored || choice.chance(1, 6) ? BlendFactor::Zero : BlendFactor::One);
    }
    list.write(reg::DEPTH_COLOR_MASK::id, (choice.chance(2, 3) ? 15 : choice.below(16)) << 8);
    list.set(reg::COLORBUFFER_READ::enable, 15);
    list.set(reg::COLORBUFFER_WRITE::enable, 15);
    if (!stored)
        list.set(reg::COLORBUFFER_FORMAT::format,
                 choice.chance(2, 3) ? ColorFormat::RGBA8 : ColorFormat::RGB8);
}

// As most libraries blend. Vertices decide whether that does anything: alphas are 255, just about, or any.
void usual_blend(ListScene& s)
{
    CommandListBuilder& list = s.list;
    s.least_alpha = s.random.pick({-0.2f, 0.998f, 1.0f, 1.0f});
    list.set(reg::BLEND_FUNC::color_equation, BlendEquation::Add);
    list.set(reg::BLEND_FUNC::alpha_equation, BlendEquation::Add);
    list.set(reg::BLEND_FUNC::color_source, BlendFactor::SourceAlpha);
    list.set(reg::BLEND_FUNC::color_dest, BlendFactor::OneMinusSourceAlpha);
    const bool alpha_too = s.random.chance(1, 2);
    list.set(reg::BLEND_FUNC::alpha_source, alpha_too ? BlendFactor::SourceAlpha : BlendFactor::One);
    list.set(reg::BLEND_FUNC::alpha_dest, alpha_too ? BlendFactor::OneMinusSourceAlpha : BlendFactor::Zero);
    list.write(reg::DEPTH_COLOR_MASK::id, s.random.pick({15u, 15u, 15u, 7u}) << 8);
    list.set(reg::COLORBUFFER_READ::enable, 15);
    list.set(reg::COLORBUFFER_WRITE::enable, 15);
}

void generate(ConformanceMachine& machine, Random& random)
{
    ListScene s(machine, random, 32, 24);
    s.size(32, 24, random.chance(1, 2));
    for (u32 i = 0; i < machine.states(44, 6); ++i)
    {
        s.color_target(ListScene::kColor + random.below(3) * 0x1000,
                       random.chance(1, 24) ? any<ColorFormat>(random, 8) : any<ColorFormat>(random, 5));
        s.least_alpha = -0.2f;
        if (random.chance(1, 8))
            usual_blend(s);
        else if (random.chance(1, 10))
            additive_blend(s);
        else if (random.chance(1, 8))
            simple_blend(s);
        else
            random_blend(s);
        s.list.write(reg::BLEND_COLOR::id, random.chance(1, 4) ? 0x00FF80FF : random.next());
        s.triangles(1 + random.below(2));
        // Over itself: every triangle sees the one before it.
        s.quad(random.real(-8, 16), random.real(-8, 8), random.real(16, 40), random.real(12, 32), -0.5f);
        s.quad(random.real(-8, 16), random.real(-8, 8), random.real(16, 40), random.real(12, 32), -0.5f);
        s.draw();
    }
    s.run();
}

void require(Coverage& coverage)
{
    coverage.require("blend colour equation", 5);
    coverage.require("blend alpha equation", 5);
    coverage.require("blend colour source", 15);
    coverage.require("blend colour destination", 15);
    // In the alpha half, factors that name colours are written as those that name alpha.
    coverage.require("blend alpha source", {0, 1, 6, 7, 8, 9, 12, 13});
    coverage.require("blend alpha destination", {0, 1, 6, 7, 8, 9, 12, 13});
    coverage.require("blend closed destination", 2);
    coverage.require("output class", {1, 3, 4});
    coverage.require("premultiplied form", 3);
    coverage.require("colour format", 5);
    coverage.require("colour mask", 16, 1);
    coverage.require("target flip", 2);
}

} // namespace

TEST_CASE("conformance: blending leaves the same bytes in both cores")
{
    run_suite({.name = "blend",
               .variants = kVariants,
               .fields = kFields,
               .generate = generate,
               .require = require,
               .reference = true});
}

TEST_CASE("conformance: blending leaves the same planes in both cores")
{
    run_scaled_suite({.name = "blend at N", .generate = generate});
}
