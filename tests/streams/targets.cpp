// SPDX-License-Identifier: MIT
// Every colour format with every depth format as a render target (pica/hardware/framebuffer.md), drawn to in
// turn and then shown as textures over a checkerboard.
#include "pica/regs/enum_names.h"
#include "pica/texture/pixel.h"
#include "tests/streams/pictures.h"
#include "tests/streams/scene.h"

#include <string>

namespace tests
{

namespace
{

constexpr std::array kDepths = {DepthFormat::D16, DepthFormat::D24, DepthFormat::D24S8};
constexpr std::array<u32, 6> kTargetFaces = {0xFFE03030, 0xFF30E0E0, 0xFF40C040,
                                             0xFFC040C0, 0xFF4060FF, 0xFFFFC040};

void draw_target(StreamScene& scene, const SceneTarget& target, f32 turn)
{
    scene.use_target(target);
    scene.clear(target, make_rgba(90, 110, 160, 96),
                target.depth_format == DepthFormat::D16 ? 0xFFFF : 0xFFFFFF);
    scene.plain_state();
    scene.standard_program();
    scene.matrix_2d();
    // A ramp of all shades: shows how many levels each channel keeps.
    const std::array<StreamVertex, 4> ramp = {{{0, 0, 0.9f, 0, 0, 0, 0, 0, 0},
                                               {0, 12, 0.9f, 255, 0, 0, 255, 0, 0},
                                               {64, 0, 0.9f, 0, 255, 0, 255, 0, 0},
                                               {64, 12, 0.9f, 0, 0, 255, 255, 0, 0}}};
    scene.draw(ramp, Topology::TriangleStrip);
    scene.depth_test(CompareFunc::Less, true);
    const Matrix view = scene.perspective() * translation(0, -0.1f, -4.2f) * rotation_x(0.08f);
    scene.matrix(view * rotation_y(turn) * scaling(0.8f, 0.8f, 0.8f));
    scene.draw_box(kTargetFaces);
    scene.matrix(view * rotation_y(turn + 0.07f) * rotation_z(0.1f) * scaling(1.3f, 0.3f, 0.4f));
    scene.draw_box(kTargetFaces); // through the first
}

void write_targets(StreamScene& scene)
{
    std::vector<SceneTarget> targets;
    for (const DepthFormat depth : kDepths)
        for (u32 color = 0; color < 5; ++color)
            targets.push_back(scene.make_target(64, 64, static_cast<ColorFormat>(color), depth));
    const SceneTexture board =
        scene.texture(TextureFormat::I4, checkerboard(16, 16, 8, 0xFF606060, 0xFF383838));
    for (u32 frame = 0; frame < 3; ++frame)
    {
        for (u32 i = 0; i < targets.size(); ++i)
            draw_target(scene, targets[i], 0.03f * f32(frame) + 0.02f * f32(i % 5));
        scene.begin_screen(Screen::Top, 0);
        scene.bind_texture(0, board);
        scene.list.set(reg::TEXUNIT_PARAM::wrap_s, TextureWrap::Repeat, 0);
        scene.list.set(reg::TEXUNIT_PARAM::wrap_t, TextureWrap::Repeat, 0);
        scene.sprite(0, 0, 400, 240, 25, 15);
        scene.alpha_blending();
        for (u32 i = 0; i < targets.size(); ++i)
        {
            const f32 x = 8 + f32(i % 5) * 80, y = 4 + f32(i / 5) * 80;
            scene.bind_texture(0, scene.texture_of(targets[i]));
            scene.sprite(x, y, 64, 64);
            const std::string name = name_or_number(kColorFormatNames, u32(targets[i].color_format)) + " " +
                                     name_or_number(kDepthFormatNames, u32(targets[i].depth_format));
            scene.label(x + 32 - f32(name.size()) * 3, y + 66, name);
        }
        scene.end_screen();
        scene.end_frame();
    }
}

const GeneratedStream kTargets("t_targets", write_targets);

} // namespace

} // namespace tests
