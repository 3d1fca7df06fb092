// SPDX-License-Identifier: MIT
// A stereoscopic scene: two eyes 0.3 apart that look at boxes nearer and farther than the focus, on both
// buffers of both eyes in turn. The bottom screen keeps a flat picture in another LCD format.
#include "tests/streams/pictures.h"
#include "tests/streams/scene.h"

#include <string>

namespace tests
{

namespace
{

constexpr std::array<u32, 6> kFaces = {0xFFE8E8E8, 0xFF808080, 0xFFFFFFFF,
                                       0xFF505050, 0xFFC0C0C0, 0xFF989898};

std::array<u32, 6> tinted(u32 r, u32 g, u32 b)
{
    std::array<u32, 6> faces = kFaces;
    for (u32& face : faces)
    {
        const u32 light = face & 255;
        face = 0xFF000000 | (r * light / 255) << 16 | (g * light / 255) << 8 | b * light / 255;
    }
    return faces;
}

struct Box
{
    f32 x, y, z, size;
    u32 r, g, b;
};
// The focus, which has no parallax, is at z = -4.
constexpr std::array kBoxes = {
    Box{-0.9f, -0.45f, -2.6f, 0.28f, 255, 90, 60}, Box{0.0f, -0.35f, -4.0f, 0.45f, 90, 220, 90},
    Box{1.5f, -0.2f, -5.5f, 0.6f, 80, 140, 255}, Box{-2.6f, 0.1f, -8.0f, 0.9f, 240, 220, 80},
    Box{2.4f, 2.0f, -12.0f, 1.0f, 220, 100, 240}};

void draw_eye(StreamScene& scene, const SceneTexture& floor, const SceneTexture& crate, f32 eye, f32 turn)
{
    const Matrix camera = scene.perspective(eye);
    scene.depth_test(CompareFunc::Less, true);
    scene.bind_texture(0, floor);
    scene.filter(0, TextureFilter::Linear);
    scene.list.set(reg::TEXUNIT_PARAM::wrap_s, TextureWrap::Repeat, 0);
    scene.list.set(reg::TEXUNIT_PARAM::wrap_t, TextureWrap::Repeat, 0);
    scene.matrix(camera);
    const std::array<StreamVertex, 4> ground = {{{-12, -0.9f, -0.8f, 255, 255, 255, 255, 0, 0},
                                                 {12, -0.9f, -0.8f, 255, 255, 255, 255, 12, 0},
                                                 {-12, -0.9f, -24, 40, 50, 90, 255, 0, 12},
                                                 {12, -0.9f, -24, 40, 50, 90, 255, 12, 12}}};
    scene.draw(ground, Topology::TriangleStrip);
    scene.bind_texture(0, crate);
    scene.filter(0, TextureFilter::Linear);
    for (const Box& box : kBoxes)
    {
        scene.matrix(camera * translation(box.x, box.y, box.z) * rotation_y(turn + box.x * 0.1f) *
                     rotation_x(0.06f) * scaling(box.size, box.size, box.size));
        scene.draw_box(tinted(box.r, box.g, box.b));
    }
}

void write_stereo(StreamScene& scene)
{
    const SceneTexture floor =
        scene.texture(TextureFormat::RGB565, checkerboard(16, 16, 8, 0xFF807060, 0xFFC8C0B0));
    TextureImage planks = checkerboard(32, 32, 16, 0xFFFFFFFF, 0xFFC8C8C8);
    for (u32 i = 0; i < 32; ++i)
        planks.at(i, 0) = planks.at(i, 31) = planks.at(0, i) = planks.at(31, i) = 0xFF404040;
    const SceneTexture crate = scene.texture(TextureFormat::I8, planks);
    for (u32 frame = 0; frame < 4; ++frame)
    {
        const f32 turn = 0.04f * f32(frame);
        scene.begin_screen(Screen::Top, 0x283C70);
        draw_eye(scene, floor, crate, -0.15f, turn);
        scene.label(6, 6, "LEFT EYE", 0xFFFF8080);
        scene.end_screen();
        scene.begin_screen(Screen::TopRight, 0x283C70);
        draw_eye(scene, floor, crate, 0.15f, turn);
        scene.label(340, 6, "RIGHT EYE", 0xFF80FFFF);
        scene.end_screen();
        scene.begin_screen(Screen::Bottom, 0x102010);
        scene.label(40, 90, "STEREO", 0xFFFFE080, 4);
        scene.label(40, 140, "FRAME " + std::to_string(frame) + " BUFFER " + (frame % 2 == 0 ? "A" : "B"),
                    0xFFC0C0C0, 2);
        scene.end_screen();
        scene.end_frame();
    }
}

const GeneratedStream kStereo("t_stereo", write_stereo);

} // namespace

} // namespace tests
