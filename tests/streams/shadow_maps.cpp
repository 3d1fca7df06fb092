// SPDX-License-Identifier: MIT
// Shadow maps that the GPU makes itself (pica/hardware/shadow-maps.md; textures.md, "Shadow textures"):
// depths of what stands in the way of the sun, then rims of penumbra that overlap in one draw; the floor and
// the balls drawn with them; the map itself.
#include "tests/streams/scene.h"

#include "pica/base/float24.h"

#include <cmath>

namespace tests
{

namespace
{

constexpr u32 kSize = 128;
constexpr u32 kBalls = 4;
constexpr f32 kFloor = -1.2f;
constexpr f32 kRadius = 0.32f;
constexpr f32 kSlopeX = 0.45f, kSlopeZ = -0.25f; // of the sun: it moves so much while it falls 1

struct Ball
{
    f32 x = 0, y = 0, z = 0;
};

std::array<Ball, kBalls> balls(f32 time)
{
    return {Ball{-1.3f, -0.55f + 0.3f * sine(time), -0.4f}, Ball{0.1f, -0.2f, 0.5f + 0.1f * sine(time)},
            Ball{0.55f, 0.35f, 0.05f}, Ball{1.4f, -0.85f, -0.9f}};
}

// From the world to the map: u and v in 0..1, depth from the sun in 0..1, then 1.
Matrix sun()
{
    constexpr f32 kExtent = 1.0f / 6.4f, kDepth = 1.0f / 4.0f;
    Matrix m;
    m.row[0] = {kExtent, kSlopeX * kExtent, 0, 0.5f};
    m.row[1] = {0, kSlopeZ * kExtent, kExtent, 0.5f};
    m.row[2] = {0, -kDepth, 0, 0.5f};
    return m;
}

// Clip space of the map: z/w = -depth.
Matrix sun_clip()
{
    Matrix m;
    m.row[0] = {2, 0, 0, -1};
    m.row[1] = {0, 2, 0, -1};
    m.row[2] = {0, 0, -1, 0};
    return m * sun();
}

// The standard program, but texture coordinate 0 and its w are rows c5-c7 times the position.
void shadowed_program(StreamScene& scene, const Matrix& model)
{
    constexpr std::array kInputs = {SceneAttribute{AttributeType::F32, 3},
                                    SceneAttribute{AttributeType::U8, 4},
                                    SceneAttribute{AttributeType::F32, 2}};
    constexpr std::array kOutputs = {0x03020100u, 0x0B0A0908u, 0x1F100D0Cu};
    ProgramBuilder b;
    for (u32 i = 0; i < 4; ++i)
        b.dp4(o(0)[std::array{"x", "y", "z", "w"}[i]], c(i), v(0));
    b.mul(o(1), c(4), v(1));
    for (u32 i = 0; i < 3; ++i)
        b.dp4(o(2)[std::array{"x", "y", "z"}[i]], c(5 + i), v(0));
    b.end();
    scene.program(b, kInputs, kOutputs);
    scene.list.float_uniform(4, {1.0f / 255, 1.0f / 255, 1.0f / 255, 1.0f / 255});
    const Matrix coordinates = sun() * model;
    for (u32 i = 0; i < 3; ++i)
        scene.list.float_uniform(5 + i, coordinates.row[i]);
}

std::vector<StreamVertex> floor_vertices()
{
    std::vector<StreamVertex> vertices;
    for (s32 x = -6; x < 6; ++x)
        for (s32 z = -6; z < 5; ++z)
        {
            const u8 shade = (x + z) % 2 == 0 ? 235 : 205;
            const auto corner = [&](s32 i, s32 k)
            { return StreamVertex{f32(i) * 0.5f, kFloor, f32(k) * 0.5f, shade, shade, u8(shade - 30), 255}; };
            const StreamVertex a = corner(x, z), b = corner(x + 1, z), c4 = corner(x, z + 1),
                               d = corner(x + 1, z + 1);
            vertices.insert(vertices.end(), {a, b, c4, c4, b, d});
        }
    return vertices;
}

std::vector<StreamVertex> ball_vertices(u32 argb)
{
    constexpr u32 kRings = 8, kSectors = 16;
    std::vector<StreamVertex> vertices;
    const auto point = [&](u32 ring, u32 sector)
    {
        const f32 latitude = f32(ring) / f32(2 * kRings) - 0.25f, longitude = f32(sector) / kSectors;
        const f32 radius = cosine(latitude), y = sine(latitude);
        const f32 light = 0.6f + 0.4f * y; // from above
        const auto channel = [&](u32 shift) { return u8(f32(argb >> shift & 255) * light); };
        return StreamVertex{radius * cosine(longitude),
                            y,
                            radius * sine(longitude),
                            channel(16),
                            channel(8),
                            channel(0),
                            255};
    };
    for (u32 ring = 0; ring < kRings; ++ring)
        for (u32 sector = 0; sector < kSectors; ++sector)
        {
            const StreamVertex a = point(ring, sector), b = point(ring + 1, sector);
            const StreamVertex c4 = point(ring, sector + 1), d = point(ring + 1, sector + 1);
            vertices.insert(vertices.end(), {a, b, c4, c4, b, d});
        }
    return vertices;
}

// Around the outline that each ball shows the sun, in the plane of its centre: green from 1 (dark) to 255.
std::vector<StreamVertex> penumbras(const std::array<Ball, kBalls>& all)
{
    constexpr u32 kSectors = 32;
    const f32 slope = std::sqrt(kSlopeX * kSlopeX + kSlopeZ * kSlopeZ);
    const f32 along = std::sqrt(1 + slope * slope);
    const f32 ex = kSlopeX / slope, ez = kSlopeZ / slope;
    std::vector<StreamVertex> vertices;
    for (const Ball& ball : all)
        for (u32 sector = 0; sector < kSectors; ++sector)
        {
            const auto point = [&](u32 at, bool outer)
            {
                const f32 angle = f32(at) / kSectors, r = kRadius * (outer ? 1.6f : 0.92f);
                const f32 p = r * along * cosine(angle), q = r * sine(angle);
                return StreamVertex{ball.x + p * ex - q * ez,
                                    ball.y,
                                    ball.z + p * ez + q * ex,
                                    0,
                                    u8(outer ? 255 : 1),
                                    0,
                                    255};
            };
            const StreamVertex a = point(sector, false), b = point(sector, true);
            const StreamVertex c4 = point(sector + 1, false), d = point(sector + 1, true);
            vertices.insert(vertices.end(), {a, b, c4, c4, b, d});
        }
    return vertices;
}

Matrix place(const Ball& ball)
{
    return translation(ball.x, ball.y, ball.z) * scaling(kRadius, kRadius, kRadius);
}

void draw_map(StreamScene& scene, const SceneTarget& map, const std::array<Ball, kBalls>& all)
{
    scene.use_target(map);
    scene.clear(map, 0xFFFFFFFF, 0xFFFFFF);
    scene.plain_state();
    scene.standard_program();
    scene.list.set(reg::COLOR_OPERATION::fragment_operation, FragmentOperation::Shadow);
    // n = 3 (1 - x) + 1/4: thin where what casts the shadow is near, wide where it is far.
    scene.list.set(reg::FRAGOP_SHADOW::constant, 0x4280);
    scene.list.set(reg::FRAGOP_SHADOW::linear, 0xC200);
    // Occluders: green 0.
    scene.combine(0, CombinerOp::Replace, CombinerSource::Constant);
    scene.list.write(reg::TEXENV_COLOR::ids[0], 0);
    scene.matrix(sun_clip());
    scene.draw(floor_vertices());
    for (const Ball& ball : all)
    {
        scene.matrix(sun_clip() * place(ball));
        scene.draw(ball_vertices(0));
    }
    scene.combine(0, CombinerOp::Replace, CombinerSource::PrimaryColor);
    scene.matrix(sun_clip());
    scene.draw(penumbras(all));
    scene.list.set(reg::COLOR_OPERATION::fragment_operation, FragmentOperation::Default);
}

void write_shadow_map(StreamScene& scene)
{
    const SceneTarget map = scene.make_target(kSize, kSize, ColorFormat::RGBA8, DepthFormat::D24S8);
    constexpr std::array<u32, kBalls> kColors = {0xFFD05040, 0xFF50A0D0, 0xFFE0B040, 0xFF70B050};
    for (u32 frame = 0; frame < 2; ++frame)
    {
        const std::array<Ball, kBalls> all = balls(0.08f * f32(frame));
        draw_map(scene, map, all);
        scene.begin_screen(Screen::Top, 0x90B0D8);
        const Matrix view = scene.perspective() * translation(0, 0.1f, -4.4f) * rotation_x(0.085f) *
                            rotation_y(0.02f * f32(frame) - 0.04f);
        scene.depth_test(CompareFunc::Less, true);
        scene.bind_texture(0, scene.texture_of(map));
        scene.list.set(reg::TEXUNIT_PARAM::type, TextureType::Shadow2D, 0);
        scene.list.write(reg::TEXUNIT0_SHADOW::id, 1 | 0x20000 << 1); // not divided; bias 2^18 of 2^24
        // Some of the colour is there without the sun.
        scene.list.write(reg::TEXENV_COLOR::ids[0], 0xFF706050);
        scene.combine(0, CombinerOp::AddThenMultiply, CombinerSource::Texture0, CombinerSource::Constant,
                      CombinerSource::PrimaryColor);
        shadowed_program(scene, Matrix());
        scene.matrix(view);
        scene.draw(floor_vertices());
        for (u32 i = 0; i < kBalls; ++i)
        {
            shadowed_program(scene, place(all[i]));
            scene.matrix(view * place(all[i]));
            scene.draw(ball_vertices(kColors[i]));
        }
        // The map as a picture: red intensity, green and blue low bits of the depth.
        scene.standard_program();
        scene.matrix_2d();
        scene.depth_test(CompareFunc::Always, false);
        scene.list.set(reg::TEXUNIT_PARAM::type, TextureType::Texture2D, 0);
        scene.combine(0, CombinerOp::Replace, CombinerSource::Texture0);
        scene.sprite(4, 4, 96, 96);
        scene.label(110, 4, "SHADOW MAP, PENUMBRAS");
        scene.end_screen();
        scene.end_frame();
    }
}

const GeneratedStream kShadowMap("t_shadow_map", write_shadow_map);

} // namespace

} // namespace tests
