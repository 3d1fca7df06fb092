// SPDX-License-Identifier: MIT
// From clip space to pixels (pica/hardware/primitives.md): the user clip plane, geometry from behind the eye
// to the horizon, w-buffering, culling, flat shading, viewports that start outside of the target.
#include "pica/base/float24.h"
#include "tests/streams/pictures.h"
#include "tests/streams/scene.h"

namespace tests
{

namespace
{

constexpr std::array<u32, 6> kClippedFaces = {0xFFE05040, 0xFF40A0E0, 0xFF60C060,
                                              0xFFC060C0, 0xFFE0C040, 0xFF8080FF};

// The inside of a plane in clip space; w is added for the visible side.
void clip_plane(StreamScene& scene, const std::array<f32, 4>& plane)
{
    for (u32 i = 0; i < 4; ++i)
        scene.list.set(reg::FRAGOP_CLIP_DATA::value, f32_to_float24(plane[i]), i);
    scene.list.set(reg::FRAGOP_CLIP::enable, true);
}

// A box that two planes in clip space cut in turn: from below, and along the view.
void user_plane(StreamScene& scene, f32 turn)
{
    const Matrix camera = scene.perspective();
    for (u32 i = 0; i < 2; ++i)
    {
        const Matrix place = camera * translation(i == 0 ? -2.4f : -1.05f, 0.85f, -4.2f) *
                             rotation_y(turn + 0.07f) * rotation_x(0.08f) * scaling(0.42f, 0.42f, 0.42f);
        // Clip x is up on the rotated screen. Plane: up + k * w - height >= 0.
        if (i == 0)
            clip_plane(scene, {1.0f, 0.12f, 0.0f, -0.42f});
        else
            clip_plane(scene, {0.0f, 0.0f, 1.0f, 0.985f});
        scene.matrix(place);
        scene.draw_box(kClippedFaces);
    }
    scene.list.set(reg::FRAGOP_CLIP::enable, false);
    scene.label(20, 4, "USER PLANE");
}

// A floor from far ahead to far behind the eye, and a triangle whose corners are all outside.
void around_the_eye(StreamScene& scene, const SceneTexture& board, f32 turn)
{
    scene.bind_texture(0, board);
    scene.list.set(reg::TEXUNIT_PARAM::wrap_s, TextureWrap::Repeat, 0);
    scene.list.set(reg::TEXUNIT_PARAM::wrap_t, TextureWrap::Repeat, 0);
    scene.matrix(scene.perspective() * rotation_y(turn * 0.5f));
    const std::array<StreamVertex, 4> floor = {{{-40, -0.9f, 20, 255, 255, 255, 255, -40, 20},
                                                {40, -0.9f, 20, 255, 255, 255, 255, 40, 20},
                                                {-40, -0.9f, -31, 60, 80, 120, 255, -40, -31},
                                                {40, -0.9f, -31, 60, 80, 120, 255, 40, -31}}};
    scene.draw(floor, Topology::TriangleStrip);
    const std::array<StreamVertex, 3> wall = {{{-300, 600, -30, 90, 40, 40, 255, 0, 0},
                                               {300, 600, -30, 40, 90, 40, 255, 30, 0},
                                               {0, -900, -30, 40, 40, 90, 255, 15, 30}}};
    scene.draw(wall);
    scene.plain_state();
}

// Two cards through each other, the left pair by z over w, the right one by w.
void depth_buffers(StreamScene& scene, f32 turn)
{
    for (const DepthMap mode : {DepthMap::ZBuffer, DepthMap::WBuffer})
    {
        const bool w = mode == DepthMap::WBuffer;
        scene.list.set(reg::DEPTHMAP_ENABLE::mode, mode);
        // z over w times w, over the distance of 32: linear.
        scene.list.set(reg::DEPTHMAP_SCALE::value, f32_to_float24(w ? -1.0f / 32 : -1.0f));
        for (u32 card = 0; card < 2; ++card)
        {
            const f32 tilt = (card == 0 ? 0.13f : -0.13f) + turn;
            scene.matrix(scene.perspective() * translation(w ? 1.9f : 0.65f, 0.9f, -4.0f) * rotation_y(tilt) *
                         scaling(0.55f, 0.5f, 1));
            const u8 light = card == 0 ? 255 : 120;
            const std::array<StreamVertex, 4> corners = {{{-1, -1, 0, light, 90, 60, 255, 0, 0},
                                                          {1, -1, 0, 60, light, 90, 255, 1, 0},
                                                          {-1, 1, 0, 90, 60, light, 255, 0, 1},
                                                          {1, 1, 0, light, light, 60, 255, 1, 1}}};
            scene.draw(corners, Topology::TriangleStrip);
        }
    }
    scene.plain_state();
    scene.label(210, 4, "Z BUFFER");
    scene.label(300, 4, "W BUFFER");
}

// The same two triangles, one each way round, under all culling modes, smooth and flat.
void culling(StreamScene& scene)
{
    scene.matrix_2d();
    constexpr std::array kModes = {CullMode::None, CullMode::Front, CullMode::Back};
    constexpr std::array kNames = {"CULL NONE", "FRONT", "BACK"};
    for (u32 i = 0; i < 6; ++i)
    {
        const f32 x = 8 + 66 * f32(i);
        scene.list.set(reg::FACECULLING_CONFIG::mode, kModes[i % 3]);
        scene.list.set(reg::UNKNOWN_058::flat_color, i >= 3);
        const std::array<StreamVertex, 6> triangles = {{{x, 226, 0.1f, 255, 0, 0},
                                                        {x + 26, 226, 0.1f, 0, 255, 0},
                                                        {x + 13, 206, 0.1f, 0, 0, 255},
                                                        {x + 30, 206, 0.1f, 255, 255, 0},
                                                        {x + 56, 206, 0.1f, 0, 255, 255},
                                                        {x + 43, 226, 0.1f, 255, 0, 255}}};
        scene.draw(triangles);
        scene.label(x, 229, i < 3 ? kNames[i] : i == 3 ? "FLAT" : kNames[i - 3]);
    }
    scene.plain_state();
    scene.list.set(reg::UNKNOWN_058::flat_color, false);
}

// The box once more through viewports that leave the target on two sides, one of them mirrored.
void viewports(StreamScene& scene, f32 turn)
{
    const struct
    {
        f32 half_width, half_height;
        s32 x, y;
    } kViewports[] = {{60, 100, -40, 130}, {60, 100, 40, -90}, {-60, 100, 150, 330}};
    for (const auto& viewport : kViewports)
    {
        scene.list.set(reg::VIEWPORT_WIDTH::value, f32_to_float24(viewport.half_width));
        scene.list.set(reg::VIEWPORT_HEIGHT::value, f32_to_float24(viewport.half_height));
        scene.list.set(reg::VIEWPORT_XY::x, viewport.x);
        scene.list.set(reg::VIEWPORT_XY::y, viewport.y);
        scene.matrix(scene.perspective() * translation(0, 0, -3.2f) * rotation_y(0.1f - turn) *
                     rotation_x(0.05f) * scaling(0.9f, 0.9f, 0.9f));
        scene.draw_box(kClippedFaces);
    }
    scene.list.set(reg::VIEWPORT_WIDTH::value, f32_to_float24(120));
    scene.list.set(reg::VIEWPORT_HEIGHT::value, f32_to_float24(200));
    scene.list.write(reg::VIEWPORT_XY::id, 0);
}

void write_clipping(StreamScene& scene)
{
    const SceneTexture board =
        scene.texture(TextureFormat::RGB565, checkerboard(16, 16, 8, 0xFFFFFFFF, 0xFFB09880));
    for (u32 frame = 0; frame < 3; ++frame)
    {
        const f32 turn = 0.03f * f32(frame);
        scene.begin_screen(Screen::Top, 0x203050);
        scene.depth_test(CompareFunc::Less, true);
        around_the_eye(scene, board, turn);
        scene.depth_test(CompareFunc::Less, true);
        user_plane(scene, turn);
        scene.depth_test(CompareFunc::Less, true);
        depth_buffers(scene, turn);
        scene.depth_test(CompareFunc::Less, true);
        viewports(scene, turn);
        culling(scene);
        scene.end_screen();
        scene.end_frame();
    }
}

const GeneratedStream kClipping("t_clipping", write_clipping);

} // namespace

} // namespace tests
