// SPDX-License-Identifier: MIT
// Mipmaps (pica/hardware/textures.md, "Level of detail"): a floor into the distance whose levels have colours
// of their own, with every combination of filters, with biases and bounds, with other formats and sizes.
#include "tests/streams/pictures.h"
#include "tests/streams/scene.h"

#include "pica/base/float24.h"

#include <algorithm>
#include <string>

namespace tests
{

namespace
{

constexpr u32 kLevelColors[] = {0xFFFFFFFF, 0xFF4040FF, 0xFF40FF40, 0xFFFF8040,
                                0xFF40FFFF, 0xFFFF40FF, 0xFFFFFF40, 0xFF808080};

// A chain whose levels are checkerboards of 8 squares, each level in its own colour.
SceneTexture tinted(StreamScene& scene, TextureFormat format, u32 width, u32 height)
{
    SceneTexture result{0, width, height, format, 0};
    std::vector<u8> bytes;
    for (u32 w = width, h = height; w >= 8 && h >= 8; w /= 2, h /= 2)
    {
        const u32 square = std::max(std::min(w, h) / 8, 1u);
        const std::vector<u8> level =
            encode_texture(format, checkerboard(w, h, square, kLevelColors[result.levels], 0xFF202020));
        bytes.insert(bytes.end(), level.begin(), level.end());
        ++result.levels;
    }
    result.address = scene.load(bytes);
    return result;
}

// Pixels of the upright screen.
void viewport(StreamScene& scene, u32 x, u32 y, u32 width, u32 height)
{
    scene.list.set(reg::VIEWPORT_WIDTH::value, f32_to_float24(f32(height) * 0.5f));
    scene.list.set(reg::VIEWPORT_HEIGHT::value, f32_to_float24(f32(width) * 0.5f));
    scene.list.set(reg::VIEWPORT_XY::x, s32(240 - y - height));
    scene.list.set(reg::VIEWPORT_XY::y, s32(400 - x - width));
}

void floor_panel(StreamScene& scene, u32 number, const std::string& text)
{
    const u32 x = number % 4 * 100, y = number / 4 * 114;
    viewport(scene, x + 1, y + 1, 98, 112);
    scene.matrix(scene.perspective() * rotation_x(0.04f));
    const auto corner = [](f32 px, f32 pz)
    { return StreamVertex{px, -1.0f, pz, 255, 255, 255, 255, px * 0.5f, pz * 0.5f}; };
    const std::array<StreamVertex, 4> ground = {corner(-12, -0.6f), corner(12, -0.6f), corner(-12, -28),
                                                corner(12, -28)};
    scene.draw(ground, Topology::TriangleStrip);
    scene.label(f32(x) + 4, f32(y) + 4, text);
}

void filters(StreamScene& scene, const SceneTexture& texture)
{
    constexpr const char* kNames[2] = {"NEAR", "LIN"};
    for (u32 i = 0; i < 8; ++i)
    {
        const u32 mag = i >> 2, min = i >> 1 & 1, mip = i & 1;
        scene.bind_texture(0, texture);
        scene.list.set(reg::TEXUNIT_PARAM::wrap_s, TextureWrap::Repeat, 0);
        scene.list.set(reg::TEXUNIT_PARAM::wrap_t, TextureWrap::Repeat, 0);
        scene.list.set(reg::TEXUNIT_PARAM::mag_filter, static_cast<TextureFilter>(mag), 0);
        scene.list.set(reg::TEXUNIT_PARAM::min_filter, static_cast<TextureFilter>(min), 0);
        scene.list.set(reg::TEXUNIT_PARAM::mip_filter, static_cast<TextureFilter>(mip), 0);
        floor_panel(scene, i, std::string(kNames[mag]) + " " + kNames[min] + " " + kNames[mip]);
    }
}

void bounds(StreamScene& scene, const SceneTexture& texture)
{
    struct Case
    {
        const char* text;
        s32 bias;
        u32 min, max;
    };
    constexpr Case kCases[8] = {{"BIAS -2", -512, 0, 7}, {"BIAS -0.5", -128, 0, 7}, {"BIAS +0.5", 128, 0, 7},
                                {"BIAS +2", 512, 0, 7},  {"MIN 2", 0, 2, 7},        {"MAX 1", 0, 0, 1},
                                {"ONLY 1", 0, 1, 1},     {"BIAS +15.9", 4095, 0, 3}};
    for (u32 i = 0; i < 8; ++i)
    {
        scene.bind_texture(0, texture);
        scene.filter(0, TextureFilter::Linear);
        scene.list.set(reg::TEXUNIT_PARAM::wrap_s, TextureWrap::MirroredRepeat, 0);
        scene.list.set(reg::TEXUNIT_PARAM::wrap_t, TextureWrap::Repeat, 0);
        scene.list.set(reg::TEXUNIT_PARAM::mip_filter, TextureFilter::Linear, 0);
        scene.list.set(reg::TEXUNIT_LOD::bias, kCases[i].bias, 0);
        scene.list.set(reg::TEXUNIT_LOD::min_level, kCases[i].min, 0);
        scene.list.set(reg::TEXUNIT_LOD::max_level, kCases[i].max, 0);
        floor_panel(scene, i, kCases[i].text);
    }
}

void write_mipmaps(StreamScene& scene)
{
    const SceneTexture main = tinted(scene, TextureFormat::RGB565, 64, 64);
    struct Shape
    {
        const char* text;
        TextureFormat format;
        u32 width, height;
    };
    constexpr Shape kShapes[8] = {
        {"128X16 RGB8", TextureFormat::RGB8, 128, 16}, {"16X128 RGBA4", TextureFormat::RGBA4, 16, 128},
        {"64X64 ETC1", TextureFormat::ETC1, 64, 64},   {"64X32 ETC1A4", TextureFormat::ETC1A4, 64, 32},
        {"32X32 I4", TextureFormat::I4, 32, 32},       {"32X64 IA8", TextureFormat::IA8, 32, 64},
        {"8X8 RGB5A1", TextureFormat::RGB5A1, 8, 8},   {"64X64 HILO8", TextureFormat::HILO8, 64, 64}};
    std::vector<SceneTexture> shapes;
    for (const Shape& shape : kShapes)
        shapes.push_back(tinted(scene, shape.format, shape.width, shape.height));

    for (u32 frame = 0; frame < 3; ++frame)
    {
        scene.begin_screen(Screen::Top, 0x303848);
        if (frame == 0)
            filters(scene, main);
        else if (frame == 1)
            bounds(scene, main);
        else
            for (u32 i = 0; i < 8; ++i)
            {
                scene.bind_texture(0, shapes[i]);
                scene.filter(0, TextureFilter::Linear);
                scene.list.set(reg::TEXUNIT_PARAM::wrap_s, TextureWrap::Repeat, 0);
                scene.list.set(reg::TEXUNIT_PARAM::wrap_t, TextureWrap::MirroredRepeat, 0);
                scene.list.set(reg::TEXUNIT_PARAM::mip_filter, TextureFilter::Linear, 0);
                floor_panel(scene, i, kShapes[i].text);
            }
        viewport(scene, 0, 0, 400, 240);
        scene.label(150, 230,
                    frame == 0   ? "MAG MIN MIP FILTER"
                    : frame == 1 ? "BIAS AND BOUNDS"
                                 : "CHAINS",
                    0xFFFFE080);
        scene.end_screen();
        scene.end_frame();
    }
}

const GeneratedStream kMipmaps("t_mipmaps", write_mipmaps);

} // namespace

} // namespace tests
