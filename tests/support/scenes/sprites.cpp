// SPDX-License-Identifier: MIT
#include "tests/support/scenes/sprites.h"

namespace tests
{

Sprite random_sprite(Random& random, s32 width, s32 height)
{
    Sprite sprite{};
    sprite.x = random.between(-20, width);
    sprite.y = random.between(-20, height);
    sprite.width = random.between(1, 120);
    sprite.height = random.between(1, 60);
    sprite.s = random.between(-64, 256);
    sprite.t = random.between(-64, 256);
    sprite.mirror_s = random.chance(1, 3);
    sprite.mirror_t = random.chance(1, 3);
    sprite.blended = random.chance(1, 2);
    sprite.textured = random.chance(4, 5);
    sprite.atlas = 8u << random.below(6);
    sprite.scissor = {0, 0, width, height};
    if (random.chance(1, 4))
        sprite.scissor = {random.between(0, 100), random.between(0, 20), random.between(101, width),
                          random.between(21, height)};
    sprite.rgba = random.next();
    return sprite;
}

void set_sprite(DrawScene& scene, const Sprite& sprite)
{
    Draw& state = scene.state;
    state.scissor = sprite.scissor;
    state.fragment.texture[0] = {};
    TexEnvStageKey& stage = state.fragment.texenv[0];
    stage = {};
    stage.color_source[0] = stage.alpha_source[0] = CombinerSource::PrimaryColor;
    if (sprite.textured)
    {
        state.fragment.texture[0].type = TextureType::Texture2D;
        state.fragment.texture[0].wrap_s = state.fragment.texture[0].wrap_t = TextureWrap::Repeat;
        const u16 side = static_cast<u16>(sprite.atlas);
        state.texture[0] = {DrawScene::kTextures, side, side, TextureFormat::RGBA4};
        stage.color_source[0] = stage.alpha_source[0] = CombinerSource::Texture0;
        stage.color_source[1] = stage.alpha_source[1] = CombinerSource::PrimaryColor;
        stage.color_op = stage.alpha_op = CombinerOp::Modulate;
    }
    state.fragment.output = sprite.blended ? OutputClass::Fetch : OutputClass::Opaque;
    BlendState& blend = state.output.blend;
    blend = {};
    blend.color_mask = 15;
    if (sprite.blended)
    {
        blend.source_color = blend.source_alpha = BlendFactor::SourceAlpha;
        blend.destination_color = blend.destination_alpha = BlendFactor::OneMinusSourceAlpha;
    }
    state.fragment.fetch = sprite.blended ? blend : BlendState{};
    for (const u32 corner : {0, 1, 2, 0, 2, 3})
    {
        const s32 right = corner == 1 || corner == 2, up = corner >= 2;
        SceneVertex v;
        v.position = scene.at(static_cast<f32>(sprite.x + right * sprite.width),
                              static_cast<f32>(sprite.y + up * sprite.height));
        const s32 s = sprite.s + (right != s32{sprite.mirror_s}) * sprite.width;
        const s32 t = sprite.t + (up != s32{sprite.mirror_t}) * sprite.height;
        v.texcoord01[0] = static_cast<f32>(s) / static_cast<f32>(sprite.atlas);
        v.texcoord01[1] = static_cast<f32>(t) / static_cast<f32>(sprite.atlas);
        for (u32 c = 0; c < 4; ++c)
            v.color[c] = static_cast<f32>(sprite.rgba >> (8 * c) & 255) / 255.0f;
        scene.add(v);
    }
}

} // namespace tests
