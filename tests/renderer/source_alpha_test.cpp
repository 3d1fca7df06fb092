// SPDX-License-Identifier: MIT
#include "renderer/draw/source_alpha.h"

#include "pica/memory/guest_arena.h"
#include "pica/memory/guest_memory.h"
#include "renderer/residency/opaque_textures.h"
#include "tests/reference/reference_pixel.h"
#include "tests/support/scenes/draw_scene.h"

#include <doctest/doctest.h>

using namespace tests;
using namespace pica;
using renderer::FullAlphaNeeds;

namespace
{

// A key that blends as most libraries do, and whose alpha is the product of two sources.
FragmentKey blending_key(CombinerSource a, CombinerSource b)
{
    FragmentKey key;
    key.output = OutputClass::Fetch;
    key.fetch.color_mask = 15;
    key.fetch.source_color = key.fetch.source_alpha = BlendFactor::SourceAlpha;
    key.fetch.destination_color = key.fetch.destination_alpha = BlendFactor::OneMinusSourceAlpha;
    key.texture[0].type = TextureType::Texture2D;
    key.texenv[0].alpha_op = CombinerOp::Modulate;
    key.texenv[0].alpha_source[0] = a;
    key.texenv[0].alpha_source[1] = b;
    for (u32 i = 1; i < 6; ++i)
        key.texenv[i].color_source[0] = key.texenv[i].alpha_source[0] = CombinerSource::Previous;
    return key;
}

// An alpha chain of sources of which something may be known.
void random_alphas(FragmentKey& key, Random& random)
{
    constexpr CombinerSource kSources[] = {
        CombinerSource::PrimaryColor, CombinerSource::FragmentPrimary,   CombinerSource::FragmentSecondary,
        CombinerSource::Texture0,     CombinerSource::Texture1,          CombinerSource::Texture3,
        CombinerSource::Constant,     CombinerSource::Previous,          CombinerSource::PreviousBuffer,
        CombinerSource::Zero,         CombinerSource::FragmentSecondary, CombinerSource::Previous};
    for (u32 i = 0; i < 6; ++i)
    {
        TexEnvStageKey& stage = key.texenv[i];
        stage = {};
        stage.color_op = random.chance(1, 12) ? CombinerOp::Dot3Rgba : CombinerOp::Replace;
        stage.alpha_op = static_cast<CombinerOp>(random.below(10));
        if (stage.alpha_op == CombinerOp::Dot3Rgb || stage.alpha_op == CombinerOp::Dot3Rgba ||
            stage.color_op == CombinerOp::Dot3Rgba)
            stage.alpha_op = CombinerOp::Replace;
        stage.alpha_shift = static_cast<u8>(random.below(3));
        for (u32 slot = 0; slot < 3; ++slot)
        {
            const CombinerSource source = kSources[random.below(std::size(kSources))];
            stage.alpha_source[slot] =
                i == 0 && (source == CombinerSource::Previous || source == CombinerSource::PreviousBuffer)
                    ? CombinerSource::Zero
                    : source;
            stage.alpha_operand[slot] =
                static_cast<AlphaOperand>(random.chance(1, 8) ? random.below(8) : random.below(2));
        }
    }
}

u32 with_alpha(u32 color, bool full)
{
    return full ? color | 0xFF000000 : color;
}

} // namespace

TEST_CASE("source alpha: what is said to be 255 is 255, whatever the other inputs are")
{
    u32 possible = 0;
    Random random(7);
    for (u32 n = 0; n < 20000; ++n)
    {
        FragmentKey key = blending_key(CombinerSource::Zero, CombinerSource::Zero);
        random_alphas(key, random);
        key.texture[1].type = TextureType::Texture2D;
        key.texture[1].null_address = random.chance(1, 4) ? 1 : 0;
        key.lighting.fresnel_primary = static_cast<u8>(random.below(2));
        key.lighting.fresnel_secondary = static_cast<u8>(random.below(2));
        key.buffer_alpha_update = static_cast<u8>(random.below(16));
        const FullAlphaNeeds needs = renderer::full_alpha_needs(key);
        possible += needs.possible ? 1 : 0;
        for (u32 round = 0; needs.possible && round < 8; ++round)
        {
            FragmentConstants constants;
            constants.texenv_buffer_color = random.next();
            for (u32 i = 0; i < 6; ++i)
                constants.texenv_color[i] = with_alpha(random.next(), (needs.constants >> i & 1) != 0);
            tests::CombinerInputs inputs;
            inputs.primary = with_alpha(random.next(), needs.vertices);
            inputs.light[0] = with_alpha(random.next(), !key.lighting.fresnel_primary);
            inputs.light[1] = with_alpha(random.next(), !key.lighting.fresnel_secondary);
            for (u32 i = 0; i < 4; ++i)
                inputs.texture[i] = with_alpha(random.next(), (needs.textures >> i & 1) != 0);
            if (key.texture[1].null_address != 0)
                inputs.texture[1] = 0xFF000000;
            REQUIRE_MESSAGE((reference_texenv(key, constants, inputs) >> 24) == 255, key.text());
        }
    }
    CHECK(possible > 100);
}

TEST_CASE("source alpha: only blending that then leaves the source becomes opaque")
{
    Random random(5);
    u32 possible = 0;
    for (u32 n = 0; n < 20000; ++n)
    {
        FragmentKey key = blending_key(CombinerSource::PrimaryColor, CombinerSource::PrimaryColor);
        BlendState& blend = key.fetch;
        const auto factor = [&] { return static_cast<BlendFactor>(random.below(15)); };
        const auto equation = [&] { return static_cast<BlendEquation>(random.below(5)); };
        blend.equation_color = equation();
        blend.source_color = random.chance(1, 2) ? BlendFactor::SourceAlpha : factor();
        blend.destination_color = random.chance(1, 2) ? BlendFactor::OneMinusSourceAlpha : factor();
        blend.equation_alpha = equation();
        blend.source_alpha = random.chance(1, 2) ? BlendFactor::One : factor();
        blend.destination_alpha = random.chance(1, 2) ? BlendFactor::Zero : factor();
        if (!renderer::full_alpha_needs(key).possible)
            continue;
        ++possible;
        OutputState output;
        output.blend = blend;
        const BlendState before = blend;
        for (u32 round = 0; round < 16; ++round)
        {
            const u32 source = random.next() | 0xFF000000;
            REQUIRE(reference_blend(before, source, random.next(), random.next()) == source);
        }
        renderer::make_opaque(key, output);
        CHECK(key.output == OutputClass::Opaque);
        CHECK(key.fetch == BlendState{});
        CHECK(output.blend.color_mask == 15);
    }
    CHECK(possible > 100);
}

TEST_CASE("source alpha: logic operations, closed gates, shadow maps and gas stay as they are")
{
    const auto possible = [](auto change)
    {
        FragmentKey key = blending_key(CombinerSource::PrimaryColor, CombinerSource::PrimaryColor);
        change(key);
        return renderer::full_alpha_needs(key).possible;
    };
    CHECK(possible([](FragmentKey&) {}));
    CHECK(!possible([](FragmentKey& key) { key.fetch.logic = 1; }));
    CHECK(!possible([](FragmentKey& key) { key.fetch.read_destination = 0; }));
    CHECK(!possible([](FragmentKey& key) { key.shadow_map = DepthMode::Z; }));
    CHECK(!possible([](FragmentKey& key) { key.fog.mode = FogMode::Gas; }));
    CHECK(!possible([](FragmentKey& key) { key.gas.accumulate = 1; }));
    CHECK(!possible([](FragmentKey& key) { key.output = OutputClass::Opaque; }));
    CHECK(!possible([](FragmentKey& key) { key.texenv[0].alpha_source[1] = CombinerSource::Texture3; }));
    CHECK(!possible([](FragmentKey& key) { key.texenv[0].alpha_operand[1] = AlphaOperand::Red; }));
}

TEST_CASE("source alpha: textures and constants of the draw decide")
{
    GuestArena arena;
    renderer::OpaqueTextures opaque_textures(arena.memory(), [](PhysAddr, u64) { return false; });
    Draw draw;
    draw.fragment = blending_key(CombinerSource::Texture0, CombinerSource::Constant);
    draw.texture[0] = {DrawScene::kTextures, 64, 64, TextureFormat::RGB565, 1};
    draw.constants.texenv_color[0] = 0xFF000000;
    std::array<bool, 3> scaled_units{};
    const auto holds = [&]
    {
        return renderer::holds_without_vertices(renderer::full_alpha_needs(draw.fragment), draw,
                                                opaque_textures, scaled_units);
    };
    CHECK(holds());
    draw.constants.texenv_color[0] = 0xFE000000;
    CHECK(!holds());
    draw.constants.texenv_color[0] = 0xFF000000;

    draw.fragment.texture[0].wrap_t = TextureWrap::ClampToBorder;
    draw.constants.border_color[0] = 0xFFFFFF;
    CHECK(!holds());
    draw.constants.border_color[0] = 0xFF000000;
    CHECK(holds());

    // What a picture of N x texels has between those that memory has is not known, but its format is.
    scaled_units[0] = true;
    CHECK(holds());
    draw.texture[0].format = TextureFormat::RGBA8;
    CHECK(!holds());
    scaled_units[0] = false;
    CHECK(!holds());
    for (u32 i = 0; i < draw.texture[0].byte_size(); i += 4)
        arena.memory().write32(draw.texture[0].address + i, 0x000000FF);
    CHECK(holds());
    scaled_units[0] = true;
    CHECK(!holds());
    scaled_units[0] = false;

    draw.fragment.texture[0].type = TextureType::Shadow2D;
    CHECK(!holds());
}
