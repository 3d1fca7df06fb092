// SPDX-License-Identifier: MIT
// Draws that blend with the alpha of a texture whose format has one, while all of its alphas are 255, and are so no longer.
// The renderer draws them without blending as long as guest memory tells that they are. The CPU, fills, copies and draws
// change the textures, and readbacks bring what the device wrote. Nothing announces that an alpha changed.
#include "tests/support/suite/list_scene.h"

using namespace tests;

namespace
{

constexpr Variant kVariants[] = {kRasterOrder, kBarrier, kComputeBarrier, kCompute};
constexpr u32 kPlaces = 3;
constexpr u32 kSize = 16;                 // texels, in both directions
constexpr u32 kBytes = kSize * kSize * 4; // of RGBA8; smaller formats use the first of them

PhysAddr place(Random& random)
{
    return ListScene::kTextures + random.below(kPlaces) * kBytes;
}

// Texels that are opaque in all formats of random_texture: each alpha is in a byte of 0xFF.
u32 opaque_word(Random& random)
{
    return random.next() | 0x00FF00FF;
}

void random_texture(ListScene& s)
{
    s.texture_unit(0, place(s.random), kSize, kSize,
                   s.random.pick({TextureFormat::RGBA8, TextureFormat::RGBA8, TextureFormat::RGBA4,
                                  TextureFormat::IA8, TextureFormat::RGB5A1}));
    s.random_sampler(0);
}

void blend_with_alpha(ListScene& s, bool blends)
{
    CommandListBuilder& list = s.list;
    list.set(reg::BLEND_FUNC::color_source, BlendFactor::SourceAlpha);
    list.set(reg::BLEND_FUNC::color_dest, blends ? BlendFactor::OneMinusSourceAlpha : BlendFactor::Zero);
    list.set(reg::BLEND_FUNC::alpha_source, BlendFactor::One);
    list.set(reg::BLEND_FUNC::alpha_dest, BlendFactor::Zero);
}

void draw(ListScene& s)
{
    blend_with_alpha(s, true);
    s.quad(s.random.real(-8, 16), s.random.real(-8, 8), s.random.real(16, 40), s.random.real(12, 32), -0.5f);
    s.draw();
}

// The texture becomes a target. Beside the places that memory has, texels may get another alpha, which N x texels alone show.
void draw_to_texture(ListScene& s)
{
    Random& random = s.random;
    const PhysAddr texture = place(random);
    s.color_target(texture, ColorFormat::RGBA8);
    s.size(kSize, kSize, true);
    s.viewport(kSize / 2, kSize / 2, 0, 0);
    blend_with_alpha(s, false);
    const bool opaque = random.chance(2, 3);
    const auto alpha_from = [&](CombinerSource source)
    { s.list.set(reg::TEXENV_SOURCE::alpha_1, source, 0); };
    alpha_from(opaque ? CombinerSource::Constant : CombinerSource::PrimaryColor);
    s.list.write(reg::TEXENV_COLOR::ids[0], 0xFF808080);
    const f32 begin = random.chance(2, 3) ? 0 : 4;
    s.quad(begin, begin, kSize, kSize, -0.5f);
    s.draw();
    if (random.chance(1, 2))
    {
        alpha_from(CombinerSource::PrimaryColor);
        for (f32 x = 0.1f; x < kSize; x += 2)
            s.quad(x, 0, x + 0.3f, kSize, -0.5f);
        s.draw();
    }
    alpha_from(CombinerSource::Texture0);
    s.color_target(ListScene::kColor, ColorFormat::RGBA8);
    s.size(32, 24, true);
    s.viewport(16, 12, 0, 0);
    if (random.chance(1, 2))
        return;
    s.run();
    s.machine.read(texture, kBytes);
    s.texture_unit(0, texture, kSize, kSize, TextureFormat::RGBA8);
    draw(s);
}

void cpu_writes(ConformanceMachine& machine, Random& random)
{
    std::vector<u32> words(kBytes / 4);
    for (u32& word : words)
        word = opaque_word(random);
    machine.write(place(random), words);
}

void cpu_writes_texel(ConformanceMachine& machine, Random& random)
{
    const u32 word = random.chance(1, 2) ? opaque_word(random) : random.next();
    machine.write(place(random) + random.below(kBytes / 4) * 4, std::span(&word, 1));
}

void change(ListScene& s)
{
    ConformanceMachine& machine = s.machine;
    Random& random = s.random;
    s.run();
    const PhysAddr at = place(random), other = place(random);
    switch (random.below(7))
    {
    case 0:
    case 1:
        return cpu_writes(machine, random);
    case 2:
        return cpu_writes_texel(machine, random);
    case 3:
        return machine.memory_fill(at, at + kBytes, random.chance(2, 3) ? opaque_word(random) : random.next(),
                                   FillWidth::Bits32);
    case 4:
        return machine.texture_copy(at, other, kBytes, 0, 0);
    case 5:
        machine.read(at, kBytes);
        return;
    default:
        return machine.gpu().end_frame();
    }
}

void generate(ConformanceMachine& machine, Random& random)
{
    ListScene s(machine, random, 32, 24);
    s.size(32, 24, true);
    for (u32 i = 0; i < kPlaces; ++i)
        cpu_writes(machine, random);
    s.textured();
    s.list.set(reg::TEXENV_COMBINER::alpha_op, CombinerOp::Replace, 0);
    random_texture(s);
    for (u32 i = 0; i < machine.states(60, 12); ++i)
    {
        if (random.chance(1, 3))
            change(s);
        else if (random.chance(1, 4))
            draw_to_texture(s);
        else
        {
            if (random.chance(1, 3))
                random_texture(s);
            draw(s);
        }
    }
    s.run();
}

void require(Coverage& coverage)
{
    coverage.require("premultiplied form", {0, 1});
}

} // namespace

TEST_CASE("conformance: textures that are opaque for a while leave the same bytes in both cores")
{
    run_suite({.name = "opaque textures", .variants = kVariants, .generate = generate, .require = require});
}

TEST_CASE("conformance: textures that are opaque for a while leave the same planes in both cores")
{
    run_scaled_suite({.name = "opaque textures at N", .generate = generate});
}
