// SPDX-License-Identifier: MIT
// Fragment lighting with textures: normal maps, tangent maps with cos phi, shadow attenuation.
#include "pica/texture/pixel.h"
#include "tests/streams/lit_scene.h"

#include <algorithm>
#include <cmath>

namespace tests
{

namespace
{

u32 map_code(f32 x)
{
    return u32(std::clamp((x + 1) * 127.5f + 0.5f, 0.0f, 255.0f));
}

// Normals of a height field over [0, 1)^2 that repeats; t upwards.
template <typename Height>
TextureImage normal_map(u32 size, Height height)
{
    TextureImage image(size, size);
    for (u32 y = 0; y < size; ++y)
        for (u32 x = 0; x < size; ++x)
        {
            const f32 s = (f32(x) + 0.5f) / f32(size), t = 1 - (f32(y) + 0.5f) / f32(size);
            const f32 step = 0.5f / f32(size);
            const f32 dx = (height(s + step, t) - height(s - step, t)) / (2 * step);
            const f32 dy = (height(s, t + step) - height(s, t - step)) / (2 * step);
            const Vec3f n = unit({-dx, -dy, 1});
            image.at(x, y) = make_rgba(map_code(n[0]), map_code(n[1]), map_code(n[2]), 255);
        }
    return image;
}

f32 fraction(f32 x)
{
    return x - std::floor(x);
}

// Bricks, two rows of two.
f32 brick_height(f32 s, f32 t)
{
    const f32 row = std::floor(t * 4);
    const f32 x = fraction(s * 2 + 0.5f * (row - 2 * std::floor(row / 2))), y = fraction(t * 4);
    const f32 edge = std::min(std::min(x, 1 - x) * 2, std::min(y, 1 - y));
    return 0.04f * smooth_step(0.03f, 0.2f, edge);
}

// Half balls in a square grid.
f32 stud_height(f32 s, f32 t)
{
    const f32 x = fraction(s * 3) - 0.5f, y = fraction(t * 3) - 0.5f;
    return std::sqrt(std::max(0.0f, 0.16f - x * x - y * y)) / 3;
}

void repeat(StreamScene& scene, u32 unit)
{
    scene.filter(unit, TextureFilter::Linear);
    scene.list.set(reg::TEXUNIT_PARAM::wrap_s, TextureWrap::Repeat, unit);
    scene.list.set(reg::TEXUNIT_PARAM::wrap_t, TextureWrap::Repeat, unit);
}

void write_bump(StreamScene& scene)
{
    LitMesh sphere = sphere_mesh(14, 28);
    const LitMesh plane = plane_mesh();
    for (LitVertex& vertex : sphere.vertices)
        vertex.u = vertex.u * 2; // around twice
    const SceneTexture bricks = scene.texture(TextureFormat::RGB8, normal_map(64, brick_height));
    const SceneTexture studs = scene.texture(TextureFormat::RGB8, normal_map(64, stud_height));
    for (u32 frame = 0; frame < 3; ++frame)
    {
        const f32 time = f32(frame) * 0.12f;
        scene.begin_screen(Screen::Top, 0x181820);
        LitScene lit(scene);
        lit.begin({{0, 0, 0, 1}, {0, 0, -5}}, 0, LitScene::kD0);
        lit.table(LightingLut::D0, [](f32 x) { return power(x, 5); });
        lit.light(0, {.position = {1.5f * cosine(time + 0.3f), 1.2f, -3.3f + 0.4f * sine(time)},
                      .diffuse = 0xF0E8D8,
                      .ambient = 0x181820,
                      .specular0 = 0x706050});
        const auto column = [&](f32 x, u32 rgb, const SceneTexture& map)
        {
            lit.material(rgb);
            scene.bind_texture(0, map);
            lit.material(rgb);
            repeat(scene, 0);
            lit.draw(plane, {turn(1, 0.03f) * turn(0, -0.03f), {x, 0.95f, 0}, 0.8f});
            lit.draw(sphere, {turn(1, 0.1f + time) * turn(0, 0.05f), {x, -0.95f, 0}, 0.8f});
        };
        column(-2.7f, 0xB06040, bricks);
        scene.list.set(reg::LIGHTING_CONFIG0::bump_mode, BumpMode::NormalMap);
        column(-0.9f, 0xB06040, bricks);
        column(0.9f, 0x5080B0, studs);
        // z of the texture: the same for these maps, up to rounding, because they are unit vectors.
        scene.list.set(reg::LIGHTING_CONFIG0::bump_keep_z, true);
        column(2.7f, 0x60A060, studs);
        scene.label(24, 6, "FLAT");
        scene.label(126, 6, "BRICKS");
        scene.label(236, 6, "STUDS");
        scene.label(312, 6, "STUDS, Z KEPT");
        scene.end_screen();
        scene.end_frame();
    }
}

const GeneratedStream kBump("t_light_bump", write_bump);

// Tangents around the centre, as grooves of a turned disc are; or across them.
TextureImage tangent_map(bool across)
{
    TextureImage image(64, 64);
    for (u32 y = 0; y < 64; ++y)
        for (u32 x = 0; x < 64; ++x)
        {
            const Vec3f out = unit({f32(x) - 31.5f, 31.5f - f32(y), 0});
            const Vec3f t = across ? out : Vec3f{-out[1], out[0], 0};
            image.at(x, y) = make_rgba(map_code(t[0]), map_code(t[1]), map_code(0), 255);
        }
    return image;
}

void write_tangent(StreamScene& scene)
{
    const LitMesh sphere = sphere_mesh(14, 28), plane = plane_mesh(), torus = torus_mesh(12, 32, 0.35f);
    const SceneTexture around = scene.texture(TextureFormat::RGB8, tangent_map(false));
    const SceneTexture outwards = scene.texture(TextureFormat::RGB8, tangent_map(true));
    for (u32 frame = 0; frame < 3; ++frame)
    {
        const f32 time = f32(frame) * 0.05f;
        scene.begin_screen(Screen::Top, 0x202028);
        LitScene lit(scene);
        lit.begin({{0, 0, 0, 1}, {0, 0, -5}}, 8, LitScene::kD0 | LitScene::kRR);
        // Highlights where the half vector has nothing along the groove: D0 over cos phi; R over L.N.
        scene.list.set(reg::LIGHTING_LUTINPUT_SELECT::d0, LightingInput::CP);
        scene.list.set(reg::LIGHTING_LUTINPUT_ABS::d0_signed, true);
        scene.list.set(reg::LIGHTING_LUTINPUT_SELECT::rr, LightingInput::LN);
        lit.signed_table(LightingLut::D0, [](f32 x) { return power(1 - (x < 0 ? -x : x), 3); });
        lit.table(LightingLut::RR, [](f32 x) { return 0.15f + 0.25f * x; });
        lit.light(0, {.position = {1.2f * cosine(time + 0.15f), 1.2f, -2.5f},
                      .diffuse = 0x404048,
                      .ambient = 0x101014,
                      .specular0 = 0xC0B8A0,
                      .specular1 = 0x606878});
        scene.list.set(reg::LIGHTING_CONFIG0::bump_mode, BumpMode::TangentMap);
        const auto disc = [&](const SceneTexture& map, f32 x)
        {
            scene.bind_texture(0, map);
            scene.filter(0, TextureFilter::Linear);
            lit.material(0xFFFFFF);
            lit.draw(plane, {turn(0, -0.05f), {x, 0.95f, 0}, 0.85f});
            lit.draw(sphere, {turn(0, 0.06f), {x, -0.95f, 0}, 0.8f});
        };
        disc(around, -2.6f);
        disc(outwards, -0.8f);
        // Without a map the tangent is the direction of u.
        scene.list.set(reg::LIGHTING_CONFIG0::bump_mode, BumpMode::None);
        lit.draw(plane, {turn(0, -0.05f), {1.0f, 0.95f, 0}, 0.85f});
        lit.draw(sphere, {turn(0, 0.06f), {1.0f, -0.95f, 0}, 0.8f});
        lit.draw(torus, {turn(0, 0.04f), {2.75f, 0.95f, 0}, 0.62f});
        lit.draw(sphere, {turn(2, 0.25f), {2.75f, -0.95f, 0}, 0.8f});
        scene.label(20, 226, "TANGENTS AROUND");
        scene.label(136, 226, "OUTWARDS");
        scene.label(250, 226, "BY QUATERNION", 0xFFFFE080);
        scene.end_screen();
        scene.end_frame();
    }
}

const GeneratedStream kTangent("t_light_tangent", write_tangent);

// A window of coloured glass in lead; no light beside it. Alpha: how much comes through.
TextureImage stained_glass()
{
    TextureImage image(64, 64, 0);
    constexpr u32 kGlass[6] = {0xFF4040FF, 0xFF40E0FF, 0xFF60FF60, 0xFFFFA040, 0xFFFF60C0, 0xFFF0F0F0};
    for (u32 y = 4; y < 60; ++y)
        for (u32 x = 12; x < 52; ++x)
        {
            const f32 dx = f32(x) - 31.5f, dy = f32(y) - 22;
            const f32 r = std::sqrt(dx * dx + dy * dy);
            if (y < 22 && r > 19.5f) // round arch
                continue;
            const bool rose = r < 13;
            const u32 sector = u32(s32(dx > 0) + 2 * s32(dy > 0));
            const bool lead = x % 10 == 1 || y % 9 == 4 || (r > 11.5f && r < 13);
            u32 color = rose ? kGlass[(sector + u32(r / 5)) % 6] : kGlass[(x / 10 + y / 9) % 6];
            if (lead && !(rose && r < 11.5f))
                color = 0x30101010;
            if (rose && (std::fabs(dx) < 1 || std::fabs(dy) < 1))
                color = 0x30101010;
            image.at(x, y) = color;
        }
    return image;
}

constexpr const char* kShadowNames[4] = {"SHADOW ON PRIMARY", "ON PRIMARY AND SECONDARY", "INVERTED",
                                         "ON THE ALPHAS"};

void write_shadows(StreamScene& scene)
{
    const LitMesh sphere = sphere_mesh(14, 28), plane = plane_mesh(), torus = torus_mesh(12, 32, 0.35f);
    const SceneTexture window = scene.texture(TextureFormat::RGBA8, stained_glass());
    const Quaternion upwards = turn(0, -0.25f);
    for (u32 frame = 0; frame < 4; ++frame)
    {
        scene.begin_screen(Screen::Top, frame == 3 ? 0x604020 : 0x101014);
        LitScene lit(scene);
        lit.begin({turn(0, 0.09f) * turn(1, 0.03f), {0, 0.2f, -4.8f}}, 6, LitScene::kD0 | LitScene::kFR);
        scene.bind_texture(1, window);
        scene.filter(1, TextureFilter::Linear);
        scene.list.set(reg::TEXUNIT_PARAM::wrap_s, TextureWrap::ClampToBorder, 1);
        scene.list.set(reg::TEXUNIT_PARAM::wrap_t, TextureWrap::ClampToBorder, 1);
        scene.list.write(reg::TEXUNIT_BORDER_COLOR::ids[1], 0);
        // Light 0 falls through the window from behind left; light 1 is the sky, without shadows.
        const Vec3f sun = {-0.9f, 1.3f, -0.8f};
        // Back along the light to the plane y = 0: x - y * sun.x / sun.y.
        lit.projection({0.26f, -0.26f * sun[0] / sun[1], 0, 0.68f},
                       {0, 0.24f * sun[2] / sun[1], -0.24f, 0.376f});
        lit.light(0, {.position = lit.eye_direction(sun),
                      .config = Light::kDirectional,
                      .diffuse = 0xFFFFFF,
                      .specular0 = 0xFFFFFF});
        lit.light(1, {.position = lit.eye_direction({0.3f, 0.8f, 0.7f}),
                      .config = Light::kDirectional,
                      .diffuse = 0x383C48,
                      .ambient = 0x14141C});
        lit.lights(2);
        lit.table(LightingLut::D0, [](f32 x) { return power(x, 6); });
        lit.table(LightingLut::FR, [](f32) { return 1.0f; });
        using namespace reg;
        CommandListBuilder& list = scene.list;
        list.set(LIGHTING_CONFIG0::shadow_enable, true);
        list.set(LIGHTING_CONFIG0::shadow_unit, 1);
        list.set(LIGHTING_CONFIG0::shadow_primary, true);
        list.set(LIGHTING_CONFIG0::shadow_secondary, frame >= 1);
        list.set(LIGHTING_CONFIG0::shadow_invert, frame == 2);
        list.set(LIGHTING_CONFIG1::shadow_disable, 2);
        if (frame == 3)
        {
            list.set(LIGHTING_CONFIG0::shadow_alpha, true);
            list.set(LIGHTING_CONFIG0::fresnel_primary_alpha, true);
            scene.alpha_blending();
        }
        const auto material = [&](u32 rgb)
        {
            lit.material(rgb);
            list.set(TEXENV_SOURCE::alpha_1, CombinerSource::FragmentPrimary, 0);
            list.set(TEXENV_COMBINER::alpha_op, CombinerOp::Replace, 0);
            list.set(TEXENV_SOURCE::alpha_1, CombinerSource::Previous, 1);
            list.set(TEXENV_COMBINER::alpha_op, CombinerOp::Replace, 1);
        };
        material(0xE0D8C8);
        lit.draw(plane, {upwards, {0, -1, 0}, 4});
        material(0xFFFFFF);
        lit.draw(sphere, {{0, 0, 0, 1}, {-0.7f, -0.5f, -0.2f}, 0.5f});
        material(0xF0E8E0);
        lit.draw(torus, {turn(0, 0.22f), {0.9f, -0.72f, 0.5f}, 0.5f});
        scene.label(8, 8, kShadowNames[frame], 0xFFFFE080);
        scene.end_screen();
        scene.end_frame();
    }
}

const GeneratedStream kShadows("t_light_shadows", write_shadows);

} // namespace

} // namespace tests
