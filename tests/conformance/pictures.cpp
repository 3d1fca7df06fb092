// SPDX-License-Identifier: MIT
// Pictures that were drawn, as textures and as inputs of transfers, while the renderer holds them as images:
// every target format with every way of writing it (plain, logic operation, fixed-function blending, in the
// shader; masks; closed gates). What an image holds besides the bytes in memory (alpha where the format has
// none) must be what unpacking the bytes gives. fragment-operations.md; framebuffer.md, "Colour formats".
#include "tests/support/suite/list_scene.h"

#include <tuple>

using namespace tests;

namespace
{

constexpr Variant kVariants[] = {kRasterOrder, kBarrier};

constexpr u32 kClasses = PictureReader::kOutputClasses;

void random_output(ListScene& s)
{
    Random& random = s.random;
    // Few pipelines: specialised ones take a software rasteriser long.
    Random choice(s.machine.states(s.random.next(), s.random.below(8)));
    CommandListBuilder& list = s.list;
    enum class Kind
    {
        Plain,
        Logic,
        Fixed,
        InShader,
    };
    const auto kind = any<Kind>(choice, 4);
    list.set(reg::COLOR_OPERATION::mode,
             kind == Kind::Logic ? ColorCombineMode::LogicOp : ColorCombineMode::Blend);
    list.set(reg::LOGIC_OP::op, any<LogicOp>(choice, 16));
    for (const auto& [equation, source, destination] :
         {std::tuple(reg::BLEND_FUNC::color_equation, reg::BLEND_FUNC::color_source,
                     reg::BLEND_FUNC::color_dest),
          std::tuple(reg::BLEND_FUNC::alpha_equation, reg::BLEND_FUNC::alpha_source,
                     reg::BLEND_FUNC::alpha_dest)})
    {
        const bool in_shader = kind == Kind::InShader;
        list.set(equation, kind == Kind::Plain ? BlendEquation::Add : any<BlendEquation>(choice, 5));
        list.set(source, in_shader ? any<BlendFactor>(choice, 15) : BlendFactor::One);
        list.set(destination, in_shader             ? any<BlendFactor>(choice, 15)
                              : kind == Kind::Fixed ? BlendFactor::One
                                                    : BlendFactor::Zero);
    }
    list.write(reg::DEPTH_COLOR_MASK::id, (choice.chance(1, 2) ? 15 : 1 + choice.below(15)) << 8);
    list.set(reg::COLORBUFFER_READ::enable, choice.chance(1, 3) ? 0 : 15);
    list.write(reg::BLEND_COLOR::id, random.next());
}

void plain_output(ListScene& s)
{
    CommandListBuilder& list = s.list;
    list.set(reg::COLOR_OPERATION::mode, ColorCombineMode::Blend);
    list.set(reg::BLEND_FUNC::color_equation, BlendEquation::Add);
    list.set(reg::BLEND_FUNC::alpha_equation, BlendEquation::Add);
    list.set(reg::BLEND_FUNC::color_source, BlendFactor::One);
    list.set(reg::BLEND_FUNC::color_dest, BlendFactor::Zero);
    list.set(reg::BLEND_FUNC::alpha_source, BlendFactor::One);
    list.set(reg::BLEND_FUNC::alpha_dest, BlendFactor::Zero);
    list.write(reg::DEPTH_COLOR_MASK::id, 15 << 8);
    list.set(reg::COLORBUFFER_READ::enable, 15);
}

void generate(ConformanceMachine& machine, Random& random)
{
    ListScene s(machine, random, 32, 32);
    for (u32 i = 0, steps = machine.steps(random, 12); i < steps; ++i)
    {
        const PhysAddr picture = ListScene::kColor + random.below(3) * 0x1000;
        const auto format = any<ColorFormat>(random, 5);
        s.color_target(picture, format);
        s.size(32, 32, random.chance(3, 4));
        random_output(s);
        s.list.set(reg::TEXENV_SOURCE::color_1, CombinerSource::PrimaryColor, 0);
        s.list.set(reg::TEXENV_SOURCE::alpha_1, CombinerSource::PrimaryColor, 0);
        for (u32 k = 0; k < 2; ++k)
            s.quad(random.real(-8, 16), random.real(-8, 16), random.real(16, 40), random.real(16, 40), -0.5f);
        s.draw();
        if (random.chance(1, 3))
            s.run();
        // The same picture as a texture, alpha too.
        s.color_target(ListScene::kColor + 0x10000 + i * 0x1000, ColorFormat::RGBA8);
        plain_output(s);
        s.texture_unit(0, picture, 32, 32, static_cast<TextureFormat>(format));
        s.list.set(reg::TEXENV_SOURCE::color_1, CombinerSource::Texture0, 0);
        s.list.set(reg::TEXENV_SOURCE::alpha_1, CombinerSource::Texture0, 0);
        s.quad(0, 0, 32, 32, -0.5f);
        s.draw();
    }
    s.run();
}

void require(Coverage& coverage)
{
    for (u32 format = 0; format < 5; ++format)
        for (const OutputClass output :
             {OutputClass::Opaque, OutputClass::LogicOp, OutputClass::FixedBlend, OutputClass::Fetch})
            if (output != OutputClass::FixedBlend || format <= u32(ColorFormat::RGB8))
                coverage.require("transferred picture", {format * kClasses + u32(output)});
}

} // namespace

TEST_CASE("conformance: pictures become textures and transfers with what their bytes say")
{
    run_suite({.name = "pictures",
               .variants = kVariants,
               .generate = generate,
               .require = require,
               .mostly_specialised = true,
               .reference = true});
}

TEST_CASE("conformance: pictures become textures and transfers with what their planes say")
{
    run_scaled_suite({.name = "pictures at N", .generate = generate});
}
