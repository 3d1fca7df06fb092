// SPDX-License-Identifier: MIT
// Gas as clouds (pica/hardware/fog-and-gas.md, "Gas"): cumuli in front of and behind mountains, summed as
// densities against the depth buffer and shaded by light: thin parts bright, thick ones in their own shadow.
// Light: sun from one side.
#include "tests/streams/scene.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tests
{

namespace
{

// Numbers that look random: the same everywhere.
class Sequence
{
public:
    explicit Sequence(u32 seed) : state_(seed * 2654435761u + 12345) {}
    f32 next() // 0..1
    {
        state_ = state_ * 1664525u + 1013904223u;
        return f32(state_ >> 8) / 16777216.0f;
    }

private:
    u32 state_;
};

// A round puff with an uneven edge.
TextureImage puff()
{
    TextureImage image(64, 64);
    for (u32 y = 0; y < 64; ++y)
        for (u32 x = 0; x < 64; ++x)
        {
            const f32 dx = (f32(x) - 31.5f) / 31.5f, dy = (f32(y) - 31.5f) / 31.5f;
            f32 r2 = dx * dx + dy * dy;
            r2 = r2 + 0.12f * sine(dx * 1.7f + 0.3f * sine(dy * 2)) * sine(dy * 2.1f + 0.2f) +
                 0.05f * sine(dx * 4.1f + dy) * sine(dy * 3.7f - dx);
            const f32 density = std::clamp(1.0f - r2 * 1.15f, 0.0f, 1.0f);
            image.at(x, y) = u32(60.0f * density * density * (3 - 2 * density)) * 0x01010101u;
        }
    return image;
}

StreamVertex colored(f32 x, f32 y, f32 z, u32 rgb)
{
    return {x, y, z, u8(rgb >> 16), u8(rgb >> 8), u8(rgb), 255, 0, 0};
}

// A range of peaks at depth z, as a strip down to the ground.
void draw_mountains(StreamScene& scene, f32 z, f32 base, f32 height, u32 seed, u32 top, u32 bottom)
{
    Sequence random(seed);
    std::vector<StreamVertex> strip;
    const f32 extent = -z * 1.3f;
    for (u32 i = 0; i <= 24; ++i)
    {
        const f32 x = extent * (f32(i) / 12 - 1);
        const f32 peak = base + height * (0.45f + 0.35f * sine(f32(i) * 0.11f + 0.05f * f32(seed)) +
                                          0.5f * (random.next() - 0.5f) * f32(i % 2 + 1));
        strip.push_back(colored(x, peak, z, top));
        strip.push_back(colored(x, base - 2, z, bottom));
    }
    scene.draw(strip, Topology::TriangleStrip);
}

void add_cloud(std::vector<StreamVertex>& vertices, const std::array<f32, 3>& centre, f32 width, u32 puffs,
               u32 seed)
{
    Sequence random(seed);
    for (u32 i = 0; i < puffs; ++i)
    {
        const f32 along = random.next() * 2 - 1;
        const f32 x = centre[0] + along * width;
        const f32 rise = (1 - along * along) * width * 0.5f;
        const f32 y = centre[1] + rise * random.next();
        const f32 z = centre[2] + (random.next() - 0.5f) * width;
        const f32 r = width * (0.28f + 0.25f * random.next()) * (1 - 0.5f * along * along);
        const StreamVertex a{x - r, y - r * 0.8f, z, 255, 255, 255, 255, 0, 0};
        const StreamVertex b{x + r, y - r * 0.8f, z, 255, 255, 255, 255, 1, 0};
        const StreamVertex c{x - r, y + r * 0.8f, z, 255, 255, 255, 255, 0, 1};
        const StreamVertex d{x + r, y + r * 0.8f, z, 255, 255, 255, 255, 1, 1};
        for (const StreamVertex& v : {a, b, c, c, b, d})
            vertices.push_back(v);
    }
}

// Dark to bright; the table's ninth colour only ends the last step.
void upload_colors(StreamScene& scene, const std::array<u32, 9>& rgb)
{
    std::array<u32, 16> words{};
    for (u32 i = 0; i < 8; ++i)
        for (u32 c = 0; c < 3; ++c)
        {
            const u32 shift = 16 - 8 * c;
            const s32 here = s32(rgb[i] >> shift & 255);
            const s32 difference = (s32(rgb[i + 1] >> shift & 255) - here) / 2;
            words[i] |= (u32(std::abs(difference)) | (difference < 0 ? 128u : 0u)) << (8 * c);
            words[8 + i] |= u32(here) << (8 * c);
        }
    scene.list.write(reg::GAS_LUT_INDEX::id, 0);
    scene.list.write_repeated(reg::GAS_LUT_DATA::id, words);
}

struct Sky
{
    u32 top, bottom, far_peaks, near_peaks;
    std::array<u32, 9> clouds;
};
constexpr Sky kDay = {
    0x2860B0,
    0xB0D8F0,
    0x7088A8,
    0x406048,
    {0x8890A0, 0x98A0B0, 0xACB4C0, 0xC0C8D0, 0xD4D8DC, 0xE4E6E8, 0xF2F2F0, 0xFCFCF8, 0xFFFFFF}};
constexpr Sky kEvening = {
    0x302858,
    0xF0A060,
    0x604060,
    0x302838,
    {0x402848, 0x583050, 0x783C58, 0xA04C58, 0xC86858, 0xE88C58, 0xF8B068, 0xFFD080, 0xFFE8A8}};

void draw_sky(StreamScene& scene, const Sky& sky)
{
    scene.matrix_2d();
    const f32 w = f32(scene.screen_target().width), h = f32(scene.screen_target().height);
    const std::array<StreamVertex, 4> corners = {colored(0, 0, 1, sky.top), colored(0, h, 1, sky.bottom),
                                                 colored(w, 0, 1, sky.top), colored(w, h, 1, sky.bottom)};
    scene.draw(corners, Topology::TriangleStrip);
}

void write_clouds(StreamScene& scene)
{
    const SceneTexture density = scene.texture(TextureFormat::I8, puff());
    const SceneTarget picture = scene.make_target(512, 256, ColorFormat::RGBA8, DepthFormat::D24S8);
    SceneTarget sums = scene.make_target(512, 256, ColorFormat::RGBA8, DepthFormat::D24S8);
    sums.depth = picture.depth;
    for (u32 frame = 0; frame < 4; ++frame)
    {
        const Sky& sky = frame < 2 ? kDay : kEvening;
        const f32 drift = 0.35f * f32(frame % 2);
        scene.use_target(picture);
        scene.clear(picture, 0xFF000000, 0xFFFFFF);
        scene.clear(sums, 0, 0xFFFFFF);
        scene.plain_state();
        scene.standard_program();
        draw_sky(scene, sky);
        scene.depth_test(CompareFunc::Less, true);
        scene.matrix(scene.perspective());
        draw_mountains(scene, -16, -3.2f, 6.0f, 3, sky.far_peaks, sky.bottom);
        draw_mountains(scene, -8, -3.0f, 3.0f, 8, sky.near_peaks, 0x182018);

        scene.use_target(sums);
        scene.plain_state();
        scene.standard_program();
        scene.bind_texture(0, density);
        scene.filter(0, TextureFilter::Linear);
        scene.list.set(reg::COLOR_OPERATION::fragment_operation, FragmentOperation::Gas);
        scene.list.set(reg::GAS_DELTAZ_DEPTH::depth_func, GasDepthFunc::Less);
        scene.list.set(reg::GAS_DELTAZ_DEPTH::delta_z, 200 * 256);
        std::vector<StreamVertex> puffs;
        add_cloud(puffs, {-9 + drift, 2.6f, -20}, 3.6f, 34, 1);
        add_cloud(puffs, {5 + drift, 3.8f, -22}, 4.2f, 38, 2);
        add_cloud(puffs, {-2.6f + drift, 0.35f, -11}, 2.6f, 34, 5);
        add_cloud(puffs, {5.2f + drift, -0.4f, -12}, 2.4f, 30, 7);
        scene.matrix(scene.perspective());
        scene.draw(puffs);
        scene.list.set(reg::COLOR_OPERATION::fragment_operation, FragmentOperation::Default);

        scene.begin_screen(Screen::Top, 0);
        scene.bind_texture(0, scene.texture_of(picture));
        scene.combine(0, CombinerOp::Replace, CombinerSource::Texture0);
        scene.sprite(0, 0, 400, 240);
        scene.bind_texture(0, scene.texture_of(sums));
        scene.combine(0, CombinerOp::Replace, CombinerSource::Texture0);
        scene.alpha_blending();
        scene.list.set(reg::TEXENV_UPDATE_BUFFER::fog_mode, FogMode::Gas);
        scene.list.set(reg::TEXENV_UPDATE_BUFFER::gas_density, GasDensitySource::DepthAttenuated);
        scene.list.set(reg::GAS_ACCMAX::value, 0x1800);      // 2^-9
        scene.list.set(reg::GAS_ATTENUATION::value, 0x4B00); // 14: soon opaque
        scene.list.write(reg::GAS_LIGHT_XY::id, 30 | 255 << 8 | 255 << 16);
        scene.list.write(reg::GAS_LIGHT_Z::id, 0 | 60 << 8 | 255 << 16);
        scene.list.set(reg::GAS_LIGHT_Z_COLOR::line_of_sight, 64);
        scene.list.set(reg::GAS_LIGHT_Z_COLOR::lut_input, GasLutInput::LightFactor);
        upload_colors(scene, sky.clouds);
        scene.sprite(0, 0, 400, 240);
        scene.label(6, 228, frame < 2 ? "CLOUDS OF GAS, DAY" : "CLOUDS OF GAS, EVENING");
        scene.end_screen();
        scene.end_frame();
    }
}

const GeneratedStream kClouds("t_clouds", write_clouds);

} // namespace

} // namespace tests
