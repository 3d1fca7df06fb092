// SPDX-License-Identifier: MIT
// What the tables of fragment lighting are good for: Fresnel edges, toon shading.
#include "tests/streams/lit_scene.h"
#include "tests/streams/pictures.h"

#include <algorithm>
#include <cmath>

namespace tests
{

namespace
{

// An operand of stage `stage` is the alpha of its source.
void use_alpha(StreamScene& scene, u32 stage)
{
    scene.list.set(reg::TEXENV_OPERAND::color_3, ColorOperand::Alpha, stage);
}

void write_fresnel(StreamScene& scene)
{
    const LitMesh sphere = sphere_mesh(14, 28), torus = torus_mesh(12, 32, 0.35f);
    const SceneTexture squares =
        scene.texture(TextureFormat::RGB565, checkerboard(64, 64, 8, 0xFF303030, 0xFF907050));
    for (u32 frame = 0; frame < 3; ++frame)
    {
        const f32 time = f32(frame) * 0.04f;
        scene.begin_screen(Screen::Top, 0);
        scene.bind_texture(0, squares);
        scene.combine(0, CombinerOp::Replace, CombinerSource::Texture0);
        scene.sprite(0, 0, 400, 240);
        LitScene lit(scene);
        lit.begin({turn(0, 0.02f), {0, 0, -5}}, 5, LitScene::kD0 | LitScene::kFR);
        lit.light(0, {.position = {0.4f, 0.7f, 0.6f},
                      .config = Light::kDirectional,
                      .diffuse = 0xE0E0E0,
                      .ambient = 0x202020,
                      .specular0 = 0xFFFFFF});
        lit.table(LightingLut::D0, [](f32 x) { return power(x, 6); });
        lit.table(LightingLut::FR, [](f32 x) { return (1 - x) * (1 - x); });
        scene.list.set(reg::LIGHTING_LUTINPUT_SELECT::fr, LightingInput::NV);
        const auto place = [&](f32 x, f32 y) {
            return Pose{turn(1, time) * turn(0, 0.1f), {x, y, 0}, y > 0 ? 0.72f : 0.55f};
        };

        // Matte; the table is there, but no alpha is named.
        lit.material(0x3060C0);
        lit.draw(sphere, place(-2.4f, 0.95f));
        lit.draw(torus, place(-2.4f, -0.95f));
        // A bright edge: colour towards white by the primary alpha.
        scene.list.set(reg::LIGHTING_CONFIG0::fresnel_primary_alpha, true);
        scene.list.write(reg::TEXENV_COLOR::ids[2], 0xFF60D0FF);
        scene.combine(2, CombinerOp::Interpolate, CombinerSource::Constant, CombinerSource::Previous,
                      CombinerSource::FragmentPrimary);
        use_alpha(scene, 2);
        lit.draw(sphere, place(-0.8f, 0.95f));
        lit.draw(torus, place(-0.8f, -0.95f));
        // Glass: the secondary alpha blends, seen through in the middle.
        scene.list.write(reg::TEXENV_OPERAND::ids[2], 0);
        scene.combine(2, CombinerOp::Replace, CombinerSource::Previous);
        scene.list.set(reg::LIGHTING_CONFIG0::fresnel_primary_alpha, false);
        scene.list.set(reg::LIGHTING_CONFIG0::fresnel_secondary_alpha, true);
        scene.list.set(reg::TEXENV_SOURCE::alpha_1, CombinerSource::FragmentSecondary, 2);
        scene.list.set(reg::FACECULLING_CONFIG::mode, CullMode::Back);
        scene.alpha_blending();
        lit.material(0xC0FFE0);
        lit.draw(sphere, place(0.8f, 0.95f));
        lit.draw(torus, place(0.8f, -0.95f));
        // Soap: hard bands of the table.
        lit.table(LightingLut::FR,
                  [](f32 x) { return x > 0.75f ? 0.15f : 0.3f + 0.7f * f32(s32(x * 12) % 2); });
        lit.material(0xFFA0C0);
        lit.draw(sphere, place(2.4f, 0.95f));
        lit.draw(torus, place(2.4f, -0.95f));
        scene.label(34, 224, "NONE");
        scene.label(140, 224, "EDGE");
        scene.label(238, 224, "GLASS");
        scene.label(338, 224, "BANDS");
        scene.end_screen();
        scene.end_frame();
    }
}

const GeneratedStream kFresnel("t_light_fresnel", write_fresnel);

// The diffuse part comes from the reflection tables over L.N, a colour ramp per channel.
void write_toon(StreamScene& scene)
{
    const LitMesh sphere = sphere_mesh(16, 32), torus = torus_mesh(14, 36, 0.4f);
    for (u32 frame = 0; frame < 3; ++frame)
    {
        const f32 time = f32(frame) * 0.05f;
        scene.begin_screen(Screen::Top, 0xE8D8B0);
        LitScene lit(scene);
        lit.begin({{0, 0, 0, 1}, {0, 0, -5}}, 4,
                  LitScene::kD0 | LitScene::kRR | LitScene::kRG | LitScene::kRB);
        lit.light(0, {.position = {-0.6f + f32(frame) * 0.3f, 0.8f, 0.8f},
                      .config = Light::kDirectional,
                      .specular0 = 0xFFFFFF,
                      .specular1 = 0xFFFFFF});
        scene.list.write(reg::LIGHTING_LUTINPUT_SELECT::id, 0);
        for (const auto& field : {reg::LIGHTING_LUTINPUT_SELECT::rr, reg::LIGHTING_LUTINPUT_SELECT::rg,
                                  reg::LIGHTING_LUTINPUT_SELECT::rb})
            scene.list.set(field, LightingInput::LN);
        const auto steps = [](f32 x, f32 dark, f32 middle, f32 bright) {
            return x > 0.72f ? bright : x > 0.25f ? middle : dark;
        };
        lit.table(LightingLut::D0, [](f32 x) { return x > 0.985f ? 1.0f : 0.0f; });
        const auto colors = [&](const Vec3f& dark, const Vec3f& middle, const Vec3f& bright)
        {
            lit.table(LightingLut::RR, [&](f32 x) { return steps(x, dark[0], middle[0], bright[0]); });
            lit.table(LightingLut::RG, [&](f32 x) { return steps(x, dark[1], middle[1], bright[1]); });
            lit.table(LightingLut::RB, [&](f32 x) { return steps(x, dark[2], middle[2], bright[2]); });
        };
        // Outlines: the insides of larger copies in black.
        const auto figure = [&](const LitMesh& mesh, const Pose& pose, f32 outline)
        {
            scene.list.set(reg::FACECULLING_CONFIG::mode, CullMode::Back);
            scene.combine(0, CombinerOp::Replace, CombinerSource::FragmentSecondary);
            scene.combine(1, CombinerOp::Replace, CombinerSource::Previous);
            lit.draw(mesh, pose);
            Pose larger = pose;
            larger.scale = larger.scale * outline;
            scene.list.set(reg::FACECULLING_CONFIG::mode, CullMode::Front);
            scene.list.write(reg::TEXENV_COLOR::ids[0], 0xFF201018);
            scene.combine(0, CombinerOp::Replace, CombinerSource::Constant);
            lit.draw(mesh, larger);
        };
        colors({0.35f, 0.05f, 0.15f}, {0.85f, 0.15f, 0.15f}, {1, 0.45f, 0.3f});
        figure(sphere, {{0, 0, 0, 1}, {-1.9f, 0.1f, 0}, 1.05f}, 1.05f);
        colors({0.05f, 0.2f, 0.35f}, {0.1f, 0.55f, 0.6f}, {0.5f, 0.9f, 0.7f});
        figure(torus, {turn(1, 0.08f + time) * turn(0, 0.06f), {0.45f, 0.2f, 0}, 0.75f}, 1.04f);
        // A cool to warm ramp without steps, and a second one with five.
        lit.table(LightingLut::RR, [](f32 x) { return 0.25f + 0.75f * x; });
        lit.table(LightingLut::RG, [](f32 x) { return 0.2f + 0.6f * x * x; });
        lit.table(LightingLut::RB, [](f32 x) { return 0.6f - 0.45f * x; });
        figure(sphere, {{0, 0, 0, 1}, {2.3f, 0.75f, 0}, 0.7f}, 1.06f);
        lit.table(LightingLut::RR, [](f32 x) { return 0.3f + 0.14f * std::floor(x * 5); });
        lit.table(LightingLut::RG, [](f32 x) { return 0.3f + 0.12f * std::floor(x * 5); });
        lit.table(LightingLut::RB, [](f32 x) { return 0.1f + 0.05f * std::floor(x * 5); });
        figure(sphere, {{0, 0, 0, 1}, {2.1f, -0.95f, 0}, 0.7f}, 1.06f);
        scene.label(8, 8, "TOON TABLES", 0xFF803020);
        scene.end_screen();
        scene.end_frame();
    }
}

const GeneratedStream kToon("t_light_toon", write_toon);

} // namespace

} // namespace tests
