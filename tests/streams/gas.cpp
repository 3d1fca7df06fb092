// SPDX-License-Identifier: MIT
// Gas (pica/hardware/fog-and-gas.md, "Gas"): puffs whose densities are summed against the depth of a scene of
// boxes, then shaded over its picture; by density, by light, plain and depth-attenuated.
#include "tests/streams/scene.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tests
{

namespace
{

constexpr u32 kSize = 256;

// Round and soft, density in all channels.
TextureImage puff()
{
    TextureImage image(32, 32);
    for (u32 y = 0; y < 32; ++y)
        for (u32 x = 0; x < 32; ++x)
        {
            const f32 dx = (f32(x) - 15.5f) / 15.5f, dy = (f32(y) - 15.5f) / 15.5f;
            const f32 r = std::max(0.0f, 1.0f - (dx * dx + dy * dy));
            image.at(x, y) = u32(90.0f * r * r) * 0x01010101u;
        }
    return image;
}

void upload_colors(StreamScene& scene, const std::array<std::array<s32, 3>, 9>& colors)
{
    std::array<u32, 16> words{};
    for (u32 i = 0; i < 8; ++i)
        for (u32 c = 0; c < 3; ++c)
        {
            const s32 difference = (colors[i + 1][c] - colors[i][c]) / 2;
            words[i] |= (u32(std::abs(difference)) | (difference < 0 ? 128u : 0u)) << (8 * c);
            words[8 + i] |= u32(colors[i][c]) << (8 * c);
        }
    scene.list.write(reg::GAS_LUT_INDEX::id, 0);
    scene.list.write_repeated(reg::GAS_LUT_DATA::id, words);
}

void draw_boxes(StreamScene& scene, f32 turn)
{
    constexpr std::array<u32, 6> kFaces = {0xFFB05040, 0xFF50A050, 0xFF5060B0,
                                           0xFFB0A040, 0xFF50A0A0, 0xFFA050A0};
    for (s32 i = -1; i <= 1; ++i)
    {
        scene.matrix(scene.perspective() * translation(1.5f * f32(i), -0.3f, -5.0f - f32(i)) *
                     rotation_y(turn + 0.1f * f32(i)) * scaling(0.6f, 1.0f, 0.6f));
        scene.draw_box(kFaces);
    }
}

void draw_puffs(StreamScene& scene, f32 time)
{
    std::vector<StreamVertex> vertices;
    for (u32 i = 0; i < 40; ++i)
    {
        const f32 angle = f32(i) * 0.618f + time;
        const f32 x = 2.2f * cosine(angle), y = -0.9f + f32(i % 8) * 0.22f, z = -5.0f + 1.8f * sine(angle);
        const f32 r = 0.7f + 0.05f * f32(i % 5);
        const StreamVertex a{x - r, y - r, z, 255, 255, 255, 255, 0, 0},
            b{x + r, y - r, z, 255, 255, 255, 255, 1, 0};
        const StreamVertex c{x - r, y + r, z, 255, 255, 255, 255, 0, 1},
            d{x + r, y + r, z, 255, 255, 255, 255, 1, 1};
        for (const StreamVertex& v : {a, b, c, c, b, d})
            vertices.push_back(v);
    }
    scene.matrix(scene.perspective());
    scene.draw(vertices);
}

void write_gas(StreamScene& scene)
{
    const SceneTexture density = scene.texture(TextureFormat::I8, puff());
    const SceneTarget picture = scene.make_target(kSize, kSize, ColorFormat::RGBA8, DepthFormat::D24S8);
    SceneTarget sums = scene.make_target(kSize, kSize, ColorFormat::RGBA8, DepthFormat::D24S8);
    for (u32 frame = 0; frame < 3; ++frame)
    {
        const f32 time = 0.04f * f32(frame);
        scene.use_target(picture);
        scene.clear(picture, 0xFF806040, 0xFFFFFF);
        scene.clear(sums, 0, 0xFFFFFF);
        scene.plain_state();
        scene.standard_program();
        scene.depth_test(CompareFunc::Less, true);
        draw_boxes(scene, time);

        // Densities, against the depth buffer of the boxes.
        sums.depth = picture.depth;
        scene.use_target(sums);
        scene.plain_state();
        scene.standard_program();
        scene.bind_texture(0, density);
        scene.filter(0, TextureFilter::Linear);
        scene.list.set(reg::COLOR_OPERATION::fragment_operation, FragmentOperation::Gas);
        scene.list.set(reg::GAS_DELTAZ_DEPTH::depth_func, GasDepthFunc::Less);
        scene.list.set(reg::GAS_DELTAZ_DEPTH::delta_z, 90 * 256);
        draw_puffs(scene, time);
        scene.list.set(reg::COLOR_OPERATION::fragment_operation, FragmentOperation::Default);

        scene.begin_screen(Screen::Top, 0);
        scene.bind_texture(0, scene.texture_of(picture));
        scene.combine(0, CombinerOp::Replace, CombinerSource::Texture0);
        scene.sprite(72, 0, 256, 240);
        scene.bind_texture(0, scene.texture_of(sums));
        scene.combine(0, CombinerOp::Replace, CombinerSource::Texture0);
        scene.alpha_blending();
        scene.list.set(reg::TEXENV_UPDATE_BUFFER::fog_mode, FogMode::Gas);
        scene.list.set(reg::TEXENV_UPDATE_BUFFER::gas_density,
                       frame == 0 ? GasDensitySource::Plain : GasDensitySource::DepthAttenuated);
        scene.list.set(reg::GAS_ACCMAX::value, 0x1800);      // 2^-9
        scene.list.set(reg::GAS_ATTENUATION::value, 0x4000); // 2
        scene.list.write(reg::GAS_LIGHT_XY::id, 40 | 230 << 8 | 255 << 16);
        scene.list.write(reg::GAS_LIGHT_Z::id, 0 | 120 << 8 | 255 << 16);
        scene.list.set(reg::GAS_LIGHT_Z_COLOR::line_of_sight, 96);
        scene.list.set(reg::GAS_LIGHT_Z_COLOR::lut_input,
                       frame == 2 ? GasLutInput::LightFactor : GasLutInput::Density);
        if (frame == 2) // smoke: dark to bright
            upload_colors(scene, {{{20, 20, 30},
                                   {40, 40, 55},
                                   {70, 70, 85},
                                   {100, 100, 115},
                                   {130, 130, 140},
                                   {165, 165, 170},
                                   {200, 200, 200},
                                   {230, 230, 225},
                                   {255, 255, 250}}});
        else // fire: red to white
            upload_colors(scene, {{{40, 0, 0},
                                   {120, 10, 0},
                                   {200, 40, 0},
                                   {240, 90, 10},
                                   {255, 140, 30},
                                   {255, 190, 70},
                                   {255, 230, 130},
                                   {255, 250, 200},
                                   {255, 255, 255}}});
        scene.sprite(72, 0, 256, 240);
        scene.label(4, 4, frame == 0 ? "GAS, PLAIN" : frame == 1 ? "GAS, DEPTH" : "GAS, LIGHT");
        scene.end_screen();
        scene.end_frame();
    }
}

const GeneratedStream kGas("t_gas", write_gas);

} // namespace

} // namespace tests
