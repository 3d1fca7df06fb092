// SPDX-License-Identifier: MIT
// Lights that fall on a room: cones of spot lights, tables over distance.
#include "tests/streams/lit_scene.h"

#include <algorithm>
#include <cmath>

namespace tests
{

namespace
{

constexpr Quaternion kUpwards = {-0.70710678f, 0, 0, 0.70710678f}; // the plane's z to y

void draw_room(LitScene& lit, const LitMesh& plane)
{
    lit.material(0xD8D0C0);
    lit.draw(plane, {kUpwards, {0, -1, 0}, 9});
    lit.draw(plane, {{0, 0, 0, 1}, {0, 2, -3}, 9});
}

void write_spots(StreamScene& scene)
{
    const LitMesh sphere = sphere_mesh(12, 24), plane = plane_mesh();
    for (u32 frame = 0; frame < 3; ++frame)
    {
        const f32 time = f32(frame) * 0.03f;
        scene.begin_screen(Screen::Top, 0);
        LitScene lit(scene);
        lit.begin({turn(0, 0.08f), {0, 0.1f, -4.6f}}, 0, LitScene::kD0 | LitScene::kSpots);
        lit.ambient(0x303038);
        constexpr u32 kColors[3] = {0xFF3020, 0x30FF40, 0x4060FF};
        for (u32 i = 0; i < 3; ++i)
        {
            const Vec3f lamp = {1.8f * (f32(i) - 1), 2.2f, 1.2f};
            const Vec3f target = {0.8f * (f32(i) - 1) + 0.3f * sine(time + 0.33f * f32(i)), -1,
                                  (i == 1 ? -0.7f : 0.2f) + 0.2f * cosine(time + 0.33f * f32(i))};
            lit.light(i, {.position = lit.eye(lamp),
                          .diffuse = kColors[i],
                          .specular0 = kColors[i],
                          .spot = lit.eye_direction(
                              {target[0] - lamp[0], target[1] - lamp[1], target[2] - lamp[2]})});
            const f32 edge = 0.945f + 0.01f * f32(i);
            lit.table(static_cast<LightingLut>(u32(LightingLut::Spotlight0) + i), [&](f32 x)
                      { return smooth_step(edge, edge + 0.012f, x) * (0.5f + 0.5f * power(x, 4)); });
        }
        lit.lights(3);
        lit.table(LightingLut::D0, [](f32 x) { return power(x, 6); });
        draw_room(lit, plane);
        lit.material(0xFFFFFF);
        lit.draw(sphere, {turn(1, time), {-1.1f, -0.6f, 0.2f}, 0.4f});
        lit.draw(sphere, {turn(1, time), {0.1f, -0.55f, -0.8f}, 0.45f});
        lit.draw(sphere, {turn(1, time), {1.3f, -0.65f, 0.4f}, 0.35f});
        scene.label(8, 8, "SPOT LIGHTS", 0xFFFFE080);
        scene.end_screen();
        scene.end_frame();
    }
}

const GeneratedStream kSpots("t_light_spots", write_spots);

// Lamps over the floor: fading, in rings, and one that begins behind its bias.
void write_distance(StreamScene& scene)
{
    const LitMesh sphere = sphere_mesh(10, 20), plane = plane_mesh();
    for (u32 frame = 0; frame < 3; ++frame)
    {
        const f32 time = f32(frame) * 0.08f;
        scene.begin_screen(Screen::Top, 0);
        LitScene lit(scene);
        lit.begin({turn(0, 0.09f), {0, 0.2f, -4.6f}}, 3, LitScene::kD0 | LitScene::kDistances);
        lit.ambient(0x24242C);
        constexpr u32 kColors[3] = {0xFFC060, 0x60FFFF, 0xFF60FF};
        Vec3f lamps[3];
        for (u32 i = 0; i < 3; ++i)
        {
            lamps[i] = {2.0f * (f32(i) - 1), -0.45f + 0.2f * sine(time + 0.2f * f32(i)),
                        0.3f - 0.6f * f32(i % 2)};
            lit.light(i, {.position = lit.eye(lamps[i]),
                          .diffuse = kColors[i],
                          .ambient = (kColors[i] >> 2) & 0x3F3F3F,
                          .attenuation_scale = i == 2 ? 0.5f : 0.35f,
                          .attenuation_bias = i == 2 ? -0.25f : 0.0f});
        }
        lit.table(LightingLut::DistanceAttenuation0, [](f32 x) { return (1 - x) / (1 + 2 * x * x); });
        // Rings, one darker than the one before, with soft edges.
        lit.table(static_cast<LightingLut>(u32(LightingLut::DistanceAttenuation0) + 1),
                  [](f32 x)
                  {
                      const f32 ring = std::floor(x * 10);
                      const f32 edge = smooth_step(0.7f, 1.0f, x * 10 - ring);
                      return std::max(0.0f, 1 - (ring + edge) / 10) * (s32(ring) % 2 == 0 ? 1 - edge : edge);
                  });
        lit.table(static_cast<LightingLut>(u32(LightingLut::DistanceAttenuation0) + 2),
                  [](f32 x) { return x > 0.35f ? 0.0f : 1 - x * 2.5f; });
        lit.lights(3);
        draw_room(lit, plane);
        for (s32 i = -3; i <= 3; ++i)
            lit.draw(sphere, {{0, 0, 0, 1}, {f32(i) * 0.95f, -0.75f, i % 2 == 0 ? -1.0f : 1.1f}, 0.25f});
        // The lamps themselves.
        scene.combine(0, CombinerOp::Replace, CombinerSource::Constant);
        scene.combine(1, CombinerOp::Replace, CombinerSource::Previous);
        for (u32 i = 0; i < 3; ++i)
        {
            scene.list.write(reg::TEXENV_COLOR::ids[0], 0xFF000000 | (kColors[i] & 255) << 16 |
                                                            (kColors[i] & 0xFF00) | kColors[i] >> 16);
            lit.draw(sphere, {{0, 0, 0, 1}, lamps[i], 0.06f});
        }
        scene.label(8, 8, "DISTANCE ATTENUATION: FADE, RINGS, BIAS", 0xFFFFE080);
        scene.end_screen();
        scene.end_frame();
    }
}

const GeneratedStream kDistance("t_light_distance", write_distance);

} // namespace

} // namespace tests
