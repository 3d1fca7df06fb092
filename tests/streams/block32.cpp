// SPDX-License-Identifier: MIT
// Framebuffers in 32x32 blocks (register 0x11B; framebuffer.md): pictures drawn into them, converted to 8x8
// tiles by display transfers with flag bit 16, and what their memory shows when it is read as 8x8 tiles.
#include "pica/texture/pixel.h"
#include "tests/streams/pictures.h"
#include "tests/streams/scene.h"

namespace tests
{

namespace
{

constexpr u32 kSize = 128;
constexpr u32 kSizes = kSize << 16 | kSize;
constexpr u32 kToTiled = 2, kBlocks = 1 << 16;
constexpr std::array<u32, 6> kFaces = {0xFFE03030, 0xFF30E0E0, 0xFF40C040,
                                       0xFFC040C0, 0xFF4060FF, 0xFFFFC040};

// Engine number of a format: 2 and 3 are exchanged.
u32 engine_format(ColorFormat format)
{
    constexpr std::array<u32, 5> kOrder = {0, 1, 3, 2, 4};
    return kOrder[u32(format)];
}

struct Picture
{
    const char* name;
    SceneTarget target;
    PhysAddr linear = 0;
    SceneTexture tiled; // what a transfer makes of it
};

void draw_picture(StreamScene& scene, const Picture& picture, f32 turn, bool flip)
{
    const SceneTarget& target = picture.target;
    scene.use_target(target);
    scene.clear(target, make_rgba(60, 80, 120, 255),
                target.depth_format == DepthFormat::D16 ? 0xFFFF : 0xFFFFFF);
    scene.plain_state();
    scene.standard_program();
    scene.list.set(reg::FRAMEBUFFER_BLOCK32::enable, true);
    scene.list.set(reg::FRAMEBUFFER_DIM::flip, flip);
    scene.matrix_2d();
    // Stripes, so that a block in the wrong place shows.
    for (u32 i = 0; i < 8; ++i)
        scene.rectangle(0, f32(i * 16), kSize, 8, make_rgba(40 + 16 * i, 70, 160 - 16 * i, 255));
    scene.depth_test(CompareFunc::Less, true);
    const Matrix view = scene.perspective() * translation(0, 0, -4.0f) * rotation_x(0.08f);
    scene.matrix(view * rotation_y(turn) * scaling(0.9f, 0.9f, 0.9f));
    scene.draw_box(kFaces);
    scene.matrix(view * rotation_y(turn + 0.07f) * rotation_z(0.1f) * scaling(1.5f, 0.3f, 0.4f));
    scene.draw_box(kFaces); // through the first
    scene.depth_test(CompareFunc::Always, false);
    scene.matrix_2d();
    scene.alpha_blending();
    const std::array<StreamVertex, 3> triangle = {{{20, 118, 0, 255, 255, 255, 200, 0, 0},
                                                   {108, 118, 0, 255, 255, 0, 60, 0, 0},
                                                   {64, 10, 0, 0, 255, 255, 120, 0, 0}}};
    scene.draw(triangle);
    scene.list.set(reg::FRAMEBUFFER_BLOCK32::enable, false);
    scene.submit();
    const u32 format = engine_format(target.color_format);
    scene.trace.display_transfer(target.color, picture.linear, kSizes, kSizes,
                                 kBlocks | format << 8 | format << 12);
    scene.trace.display_transfer(picture.linear, picture.tiled.address, kSizes, kSizes,
                                 kToTiled | format << 8 | format << 12);
}

void write_block32(StreamScene& scene)
{
    std::array<Picture, 3> pictures = {
        Picture{
            "RGBA8, D24S8", scene.make_target(kSize, kSize, ColorFormat::RGBA8, DepthFormat::D24S8), 0, {}},
        Picture{"RGB565, D16", scene.make_target(kSize, kSize, ColorFormat::RGB565, DepthFormat::D16), 0, {}},
        Picture{"RGB8, D24", scene.make_target(kSize, kSize, ColorFormat::RGB8, DepthFormat::D24), 0, {}}};
    for (Picture& picture : pictures)
    {
        picture.linear = scene.allocate_vram(kSize * kSize * 4);
        picture.tiled = scene.texture_of(picture.target);
        picture.tiled.address = scene.allocate_vram(kSize * kSize * 4);
    }
    for (u32 frame = 0; frame < 3; ++frame)
    {
        for (u32 i = 0; i < pictures.size(); ++i)
            draw_picture(scene, pictures[i], 0.03f * f32(frame) + 0.05f * f32(i), frame != 2);
        scene.begin_screen(Screen::Top, 0x282830);
        for (u32 i = 0; i < pictures.size(); ++i)
        {
            const f32 x = 8 + f32(i) * 132;
            scene.bind_texture(0, pictures[i].tiled);
            scene.sprite(x, 4, 112, 112);
            scene.bind_texture(0, scene.texture_of(pictures[i].target));
            scene.sprite(x, 124, 96, 96);
            scene.label(x, 222, pictures[i].name);
        }
        scene.end_screen();
        scene.end_frame();
    }
}

const GeneratedStream kBlock32("t_block32", write_block32);

} // namespace

} // namespace tests
