// SPDX-License-Identifier: MIT
// Types of texture unit 0 (pica/hardware/textures.md, "Types of unit 0"): a cube map around a ball, a
// projector, a shadow map and a shadow cube, both computed here (spheres between light and floor).
#include "tests/streams/font.h"
#include "tests/streams/pictures.h"
#include "tests/streams/scene.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace tests
{

namespace
{

using Vec3f = std::array<f32, 3>;

f32 dot(const Vec3f& a, const Vec3f& b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// As much of the standard program, but texture coordinate 0 and its w are rows c5-c7 times the position.
void direction_program(StreamScene& scene, const Matrix& coordinates)
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
    for (u32 i = 0; i < 3; ++i)
        scene.list.float_uniform(5 + i, coordinates.row[i]);
}

constexpr u32 kFaceColors[6] = {0xFF4040E0, 0xFF40C0C0, 0xFF40E040, 0xFFC0C040, 0xFFE06040, 0xFFC040C0};

// Name and colour of a face; the corner at s = t = 0 is dark.
TextureImage face_image(u32 face)
{
    TextureImage image = checkerboard(32, 32, 4, kFaceColors[face], kFaceColors[face] - 0x00181818);
    const TextureImage font = font_image();
    const char name[3] = {face % 2 ? '-' : '+', static_cast<char>('X' + face / 2), 0};
    for (u32 i = 0; i < 2; ++i)
    {
        const GlyphCell cell = glyph_cell(name[i]);
        for (u32 y = 0; y < 16; ++y)
            for (u32 x = 0; x < 12; ++x)
                if (font.at(cell.column * 8 + x / 2, cell.row * 8 + y / 2) >> 24)
                    image.at(4 + i * 13 + x, 9 + y) = 0xFFFFFFFF;
    }
    for (u32 y = 28; y < 32; ++y)
        for (u32 x = 0; x < 4; ++x)
            image.at(x, y) = 0xFF000000;
    return image;
}

void bind_faces(StreamScene& scene, const std::array<SceneTexture, 6>& faces, TextureType type)
{
    scene.bind_texture(0, faces[0]);
    scene.list.set(reg::TEXUNIT_PARAM::type, type, 0);
    for (u32 face = 1; face < 6; ++face)
        scene.list.write(reg::TEXUNIT0_ADDR::ids[face - 1], faces[face].address >> 3 & 0x3FFFFF);
}

void draw_ball(StreamScene& scene)
{
    constexpr u32 kRings = 12, kSectors = 24;
    std::vector<StreamVertex> vertices;
    const auto point = [](u32 ring, u32 sector)
    {
        const f32 latitude = f32(ring) / f32(2 * kRings) - 0.25f, longitude = f32(sector) / kSectors;
        const f32 radius = cosine(latitude);
        return StreamVertex{radius * cosine(longitude), sine(latitude), radius * sine(longitude)};
    };
    for (u32 ring = 0; ring < kRings; ++ring)
        for (u32 sector = 0; sector < kSectors; ++sector)
        {
            const StreamVertex a = point(ring, sector), b = point(ring + 1, sector);
            const StreamVertex c4 = point(ring, sector + 1), d = point(ring + 1, sector + 1);
            vertices.insert(vertices.end(), {a, b, c4, c4, b, d});
        }
    scene.draw(vertices);
}

void draw_cube_maps(StreamScene& scene, const std::array<SceneTexture, 6>& faces, f32 turns)
{
    const auto place = [&](f32 x, f32 size)
    {
        scene.matrix(scene.perspective() * translation(x, 0, -4) * rotation_x(0.07f) * rotation_y(turns) *
                     scaling(size, size, size));
    };
    direction_program(scene, Matrix());
    scene.depth_test(CompareFunc::Less, true);
    bind_faces(scene, faces, TextureType::Cube);
    scene.filter(0, TextureFilter::Linear);
    scene.list.set(reg::TEXUNIT_PARAM::mip_filter, TextureFilter::Linear, 0);
    place(-1.7f, 0.8f);
    scene.draw_box({0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF});
    scene.list.set(reg::TEXUNIT_PARAM::mag_filter, TextureFilter::Nearest, 0);
    scene.list.set(reg::TEXUNIT_LOD::bias, 256, 0);
    place(0.6f, 1.1f);
    draw_ball(scene);
    // From the centre of the cube: another view of all directions.
    scene.matrix(scene.perspective() * translation(2.6f, 0.9f, -5) * scaling(0.7f, 0.7f, 0.7f) *
                 rotation_y(-turns));
    draw_ball(scene);
    scene.label(30, 220, "CUBE MAP: BOX, BALLS", 0xFFFFE080);
}

constexpr Vec3f kSpheres[3] = {{-1.2f, -0.5f, -0.4f}, {0.9f, -0.6f, 0.5f}, {0.2f, -0.4f, -1.3f}};
constexpr f32 kRadius = 0.35f;
constexpr f32 kFloor = -1.2f;

// Distance along a ray, in lengths of its direction, to the first sphere or the floor.
f32 trace(const Vec3f& from, const Vec3f& direction)
{
    f32 nearest = direction[1] < 0 ? (kFloor - from[1]) / direction[1] : 1000.0f;
    for (const Vec3f& sphere : kSpheres)
    {
        const Vec3f d = {sphere[0] - from[0], sphere[1] - from[1], sphere[2] - from[2]};
        const f32 a = dot(direction, direction), b = dot(d, direction), c4 = dot(d, d) - kRadius * kRadius;
        const f32 root = b * b - a * c4;
        if (root >= 0 && b > 0)
            nearest = std::min(nearest, (b - std::sqrt(root)) / a);
    }
    return nearest;
}

// Depth 0..1 and an intensity, as shadow maps hold them in RGBA8: R intensity, A, B, G from the top byte
// down.
u32 shadow_texel(f32 depth, u32 intensity)
{
    const u32 z = u32(std::min(std::max(depth, 0.0f), 1.0f) * 16777215.0f);
    return intensity | (z & 255) << 8 | (z >> 8 & 255) << 16 | (z >> 16) << 24;
}

constexpr f32 kRange = 1.0f / 6; // world units to depth
constexpr Vec3f kLamp = {0.1f, 1.4f, 0.0f};

SceneTexture shadow_map(StreamScene& scene)
{
    // The lamp looks down; u = x / distance * 0.5 + 0.5, v alike from z.
    TextureImage image(64, 64);
    for (u32 y = 0; y < 64; ++y)
        for (u32 x = 0; x < 64; ++x)
        {
            const f32 s = (f32(x) + 0.5f) / 32 - 1, t = (63.5f - f32(y)) / 32 - 1;
            image.at(x, y) = shadow_texel(trace(kLamp, {s, -1, t}) * kRange, 0);
        }
    // Texels hold what is left of the light behind the occluder: here none; in front of it, all.
    for (u32& pixel : image.pixels)
        pixel |= 255;
    return scene.texture(TextureFormat::RGBA8, image);
}

std::array<SceneTexture, 6> shadow_cube(StreamScene& scene)
{
    std::array<SceneTexture, 6> faces;
    for (u32 face = 0; face < 6; ++face)
    {
        TextureImage image(32, 32);
        for (u32 y = 0; y < 32; ++y)
            for (u32 x = 0; x < 32; ++x)
            {
                const f32 s = (f32(x) + 0.5f) / 16 - 1, t = (31.5f - f32(y)) / 16 - 1;
                const Vec3f directions[6] = {{1, -t, -s}, {-1, -t, s}, {s, 1, t},
                                             {s, -1, -t}, {s, -t, 1},  {-s, -t, -1}};
                image.at(x, y) = shadow_texel(trace(kLamp, directions[face]) * kRange, 255);
            }
        faces[face] = scene.texture(TextureFormat::RGBA8, image);
    }
    return faces;
}

void draw_room(StreamScene& scene)
{
    std::vector<StreamVertex> vertices;
    const auto corner = [](f32 x, f32 z) { return StreamVertex{x, kFloor, z, 230, 220, 190, 255}; };
    for (s32 x = -4; x < 4; ++x)
        for (s32 z = -4; z < 3; ++z)
        {
            const StreamVertex a = corner(f32(x), f32(z)), b = corner(f32(x + 1), f32(z));
            const StreamVertex c4 = corner(f32(x), f32(z + 1)), d = corner(f32(x + 1), f32(z + 1));
            vertices.insert(vertices.end(), {a, b, c4, c4, b, d});
        }
    scene.draw(vertices);
}

// What casts the shadows, not textured.
void draw_spheres(StreamScene& scene, const Matrix& view)
{
    scene.standard_program();
    scene.combine(0, CombinerOp::Replace, CombinerSource::PrimaryColor);
    for (const Vec3f& sphere : kSpheres)
    {
        scene.matrix(view * translation(sphere[0], sphere[1], sphere[2]) *
                     scaling(kRadius, kRadius, kRadius));
        draw_ball(scene);
    }
}

// Rows for u, v and w = distance of the lamp's picture: texture coordinate times w, and w.
Matrix lamp_projection(f32 scale)
{
    Matrix m;
    // Looking down: w = (lamp y - y) * scale; u = (x / w * 0.5 + 0.5).
    const Vec4f w = {0, -scale, 0, kLamp[1] * scale};
    const Vec4f x = {scale, 0, 0, -kLamp[0] * scale}, z = {0, 0, scale, -kLamp[2] * scale};
    for (u32 i = 0; i < 4; ++i)
    {
        m.row[0][i] = 0.5f * x[i] + 0.5f * w[i];
        m.row[1][i] = 0.5f * z[i] + 0.5f * w[i];
        m.row[2][i] = w[i];
    }
    return m;
}

void write_texture_types(StreamScene& scene)
{
    std::array<SceneTexture, 6> faces;
    for (u32 face = 0; face < 6; ++face)
        faces[face] = scene.texture(TextureFormat::RGBA4, face_image(face), true);
    const SceneTexture picture = scene.texture(TextureFormat::RGB565, landscape(64), true);
    const SceneTexture map = shadow_map(scene);
    const std::array<SceneTexture, 6> lamp = shadow_cube(scene);

    for (u32 frame = 0; frame < 5; ++frame)
    {
        scene.begin_screen(Screen::Top, 0x203040);
        const Matrix view = scene.perspective() * translation(0, 0.2f, -4.5f) * rotation_x(0.09f) *
                            rotation_y(0.04f * f32(frame) - 0.1f);
        scene.depth_test(CompareFunc::Less, true);
        if (frame < 2)
            draw_cube_maps(scene, faces, 0.06f + 0.12f * f32(frame));
        else if (frame == 2)
        {
            direction_program(scene, lamp_projection(1));
            scene.matrix(view);
            scene.bind_texture(0, picture);
            scene.filter(0, TextureFilter::Linear);
            scene.list.set(reg::TEXUNIT_PARAM::type, TextureType::Projection, 0);
            scene.list.set(reg::TEXUNIT_PARAM::wrap_s, TextureWrap::ClampToBorder, 0);
            scene.list.set(reg::TEXUNIT_PARAM::wrap_t, TextureWrap::ClampToBorder, 0);
            scene.list.set(reg::TEXUNIT_PARAM::mip_filter, TextureFilter::Linear, 0);
            scene.list.write(reg::TEXUNIT_BORDER_COLOR::ids[0], 0xFF484038);
            draw_room(scene);
            scene.label(30, 220, "PROJECTION", 0xFFFFE080);
        }
        else
        {
            const bool cube = frame == 4;
            if (cube)
            {
                Matrix m = scaling(kRange, kRange, kRange) * translation(-kLamp[0], -kLamp[1], -kLamp[2]);
                direction_program(scene, m);
                bind_faces(scene, lamp, TextureType::ShadowCube);
            }
            else
            {
                direction_program(scene, lamp_projection(kRange));
                scene.bind_texture(0, map);
                scene.list.set(reg::TEXUNIT_PARAM::type, TextureType::Shadow2D, 0);
            }
            scene.list.write(reg::TEXUNIT0_SHADOW::id, 0x10000 << 1); // bias 2^17 of 2^24
            // Half of the colour is there without the lamp.
            scene.list.write(reg::TEXENV_COLOR::ids[0], 0xFF606060);
            scene.combine(0, CombinerOp::AddThenMultiply, CombinerSource::Texture0, CombinerSource::Constant,
                          CombinerSource::PrimaryColor);
            scene.matrix(view);
            draw_room(scene);
            draw_spheres(scene, view);
            scene.label(30, 220, cube ? "SHADOW CUBE" : "SHADOW MAP", 0xFFFFE080);
        }
        scene.end_screen();
        scene.end_frame();
    }
}

const GeneratedStream kTextureTypes("t_texture_types", write_texture_types);

} // namespace

} // namespace tests
