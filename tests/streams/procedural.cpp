// SPDX-License-Identifier: MIT
// Procedural textures (pica/hardware/procedural-texture.md): mapping functions and clamping as patches,
// noise, and a floor with levels.
#include "tests/streams/scene.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

namespace tests
{

namespace
{

u32 float16(f32 value)
{
    const u32 bits = std::bit_cast<u32>(value);
    if (value == 0.0f)
        return 0;
    const s32 exponent = s32(bits >> 23 & 255) - 127 + 15;
    return bits >> 31 << 15 | u32(exponent) << 10 | (bits >> 13 & 1023);
}

template <typename Curve>
void upload_map(StreamScene& scene, ProcTexTable table, Curve curve)
{
    std::array<u32, 128> words;
    const auto value = [&](u32 i) { return s32(std::clamp(curve(f32(i) / 128), 0.0f, 1.0f) * 4095.0f); };
    for (u32 i = 0; i < 128; ++i)
        words[i] = u32(value(i)) | (u32(value(i + 1) - value(i)) & 0xFFF) << 12;
    scene.list.write(reg::PROCTEX_LUT::id, static_cast<u32>(table) << 8);
    scene.list.write_repeated(reg::PROCTEX_LUT_DATA::id, words);
}

// color(x): RGBA in 0..255. Levels 0..3 of 128, 64, 32, 16 entries stand one behind the other, 4..7 at their
// places.
template <typename Color>
void upload_colors(StreamScene& scene, Color color)
{
    std::array<u32, 256> colors{}, differences{};
    constexpr u32 kOffsets[8] = {0, 0x80, 0xC0, 0xE0, 0xF0, 0xF8, 0xFC, 0xFE};
    for (u32 level = 0; level < 8; ++level)
    {
        const u32 width = 128u >> level;
        const auto at = [&](u32 i) { return color(width > 1 ? f32(i) / f32(width - 1) : 0.5f, level); };
        for (u32 i = 0; i < width && kOffsets[level] + i < 256; ++i)
        {
            const std::array<f32, 4> here = at(i), next = at(std::min(i + 1, width - 1));
            for (u32 c = 0; c < 4; ++c)
            {
                const s32 a = s32(here[c]), b = s32(next[c]);
                colors[kOffsets[level] + i] |= u32(a) << (8 * c);
                differences[kOffsets[level] + i] |= (u32((b - a) / 2) & 255) << (8 * c);
            }
        }
    }
    scene.list.write(reg::PROCTEX_LUT::id, static_cast<u32>(ProcTexTable::Color) << 8);
    scene.list.write_repeated(reg::PROCTEX_LUT_DATA::id, colors);
    scene.list.write(reg::PROCTEX_LUT::id, static_cast<u32>(ProcTexTable::ColorDiff) << 8);
    scene.list.write_repeated(reg::PROCTEX_LUT_DATA::id, differences);
}

void plain_unit(StreamScene& scene)
{
    CommandListBuilder& list = scene.list;
    list.set(reg::TEXUNIT_CONFIG::enable3, true);
    list.set(reg::TEXUNIT_CONFIG::unit3_coord, 0);
    list.write(reg::TEXUNIT3_PROCTEX0::id, 0);
    list.write(reg::TEXUNIT3_PROCTEX1::id, 0);
    list.write(reg::TEXUNIT3_PROCTEX2::id, 0);
    list.write(reg::TEXUNIT3_PROCTEX3::id, 0);
    list.write(reg::TEXUNIT3_PROCTEX4::id, 0);
    list.set(reg::TEXUNIT3_PROCTEX4::width, 128);
    list.set(reg::TEXUNIT3_PROCTEX4::filter, ProcTexFilter::Linear);
    list.write(reg::TEXUNIT3_PROCTEX5::id, 0xE0C08000);
    scene.combine(0, CombinerOp::Modulate, CombinerSource::Texture3, CombinerSource::PrimaryColor);
}

void patch(StreamScene& scene, f32 x, f32 y, f32 size, f32 u1, f32 v1, f32 u2, f32 v2)
{
    const std::array<StreamVertex, 4> corners = {{{x, y + size, 0, 255, 255, 255, 255, u1, v1},
                                                  {x, y, 0, 255, 255, 255, 255, u1, v2},
                                                  {x + size, y + size, 0, 255, 255, 255, 255, u2, v1},
                                                  {x + size, y, 0, 255, 255, 255, 255, u2, v2}}};
    scene.draw(corners, Topology::TriangleStrip);
}

void rainbow(StreamScene& scene)
{
    upload_colors(scene,
                  [](f32 x, u32)
                  {
                      const auto bump = [&](f32 at)
                      { return std::max(0.0f, 255.0f - std::fabs(x - at) * 640.0f); };
                      return std::array<f32, 4>{bump(0.0f) + bump(1.0f), bump(0.35f), bump(0.7f), 255.0f};
                  });
}

// The ten mapping functions, then clamping and shifts.
void write_functions(StreamScene& scene)
{
    upload_map(scene, ProcTexTable::RgbMap, [](f32 x) { return x; });
    rainbow(scene);
    plain_unit(scene);
    constexpr const char* kFunctions[] = {"U", "U2", "V", "V2", "ADD", "ADD2", "SQRT", "MIN", "MAX", "RMAX"};
    for (u32 i = 0; i < 10; ++i)
    {
        const f32 x = 6.0f + f32(i % 5) * 79, y = 20.0f + f32(i / 5) * 74;
        scene.list.set(reg::TEXUNIT3_PROCTEX0::u_clamp, ProcTexClamp::ToEdge);
        scene.list.set(reg::TEXUNIT3_PROCTEX0::v_clamp, ProcTexClamp::ToEdge);
        scene.list.set(reg::TEXUNIT3_PROCTEX0::color_func, static_cast<ProcTexFunction>(i));
        patch(scene, x, y, 62, 0, 0, 1, 1);
        scene.label(x, y + 63, kFunctions[i]);
    }
    constexpr const char* kClamps[] = {"ZERO", "EDGE", "SYMM", "MIRROR", "PULSE"};
    for (u32 i = 0; i < 5; ++i)
    {
        const f32 x = 6.0f + f32(i) * 79, y = 168;
        scene.list.set(reg::TEXUNIT3_PROCTEX0::u_clamp, static_cast<ProcTexClamp>(i));
        scene.list.set(reg::TEXUNIT3_PROCTEX0::v_clamp, static_cast<ProcTexClamp>(i));
        scene.list.set(reg::TEXUNIT3_PROCTEX0::u_shift, i % 2 != 0 ? ProcTexShift::Odd : ProcTexShift::Even);
        scene.list.set(reg::TEXUNIT3_PROCTEX0::color_func, ProcTexFunction::Add);
        patch(scene, x, y, 58, -4, -4, 4, 4);
        scene.label(x, y + 59, kClamps[i]);
    }
    scene.list.set(reg::TEXUNIT3_PROCTEX0::u_shift, ProcTexShift::None);
    scene.label(6, 6, "PROCEDURAL TEXTURE: FUNCTIONS, CLAMPING WITH SHIFTS");
}

void set_noise(StreamScene& scene, s32 amplitude, f32 frequency_u, f32 frequency_v)
{
    CommandListBuilder& list = scene.list;
    list.set(reg::TEXUNIT3_PROCTEX0::noise_enable, amplitude != 0);
    list.set(reg::TEXUNIT3_PROCTEX1::u_amplitude, amplitude);
    list.set(reg::TEXUNIT3_PROCTEX2::v_amplitude, amplitude);
    list.set(reg::TEXUNIT3_PROCTEX1::u_phase, float16(0.25f));
    list.set(reg::TEXUNIT3_PROCTEX2::v_phase, float16(0.75f));
    list.set(reg::TEXUNIT3_PROCTEX3::u_frequency, float16(frequency_u));
    list.set(reg::TEXUNIT3_PROCTEX3::v_frequency, float16(frequency_v));
}

// Wood, marble, clouds with alpha of their own, and noise alone.
void write_noise(StreamScene& scene)
{
    CommandListBuilder& list = scene.list;
    upload_map(scene, ProcTexTable::Noise, [](f32 x) { return x * x * (3.0f - 2.0f * x); });
    const auto begin = [&](ProcTexClamp clamp, ProcTexFunction function)
    {
        plain_unit(scene);
        list.set(reg::TEXUNIT3_PROCTEX0::u_clamp, clamp);
        list.set(reg::TEXUNIT3_PROCTEX0::v_clamp, clamp);
        list.set(reg::TEXUNIT3_PROCTEX0::color_func, function);
    };
    // Wood: rings.
    begin(ProcTexClamp::MirroredRepeat, ProcTexFunction::SqrtAdd2);
    upload_map(scene, ProcTexTable::RgbMap, [](f32 x) { return x * 8.0f - std::floor(x * 8.0f); });
    upload_colors(scene,
                  [](f32 x, u32) {
                      return std::array<f32, 4>{120 + 100 * x, 70 + 70 * x, 30 + 30 * x, 255.0f};
                  });
    set_noise(scene, 300, 0.4f, 0.1f);
    patch(scene, 8, 20, 92, 0, 0, 1, 1);
    scene.label(8, 114, "WOOD");
    // Marble: bent stripes.
    begin(ProcTexClamp::MirroredRepeat, ProcTexFunction::U);
    upload_map(scene, ProcTexTable::RgbMap,
               [](f32 x) { return std::fabs(std::fmod(x * 6.0f, 2.0f) - 1.0f); });
    upload_colors(scene,
                  [](f32 x, u32) {
                      return std::array<f32, 4>{70 + 180 * x, 75 + 175 * x, 90 + 160 * x, 255.0f};
                  });
    set_noise(scene, 700, 0.5f, 0.5f);
    patch(scene, 154, 20, 92, 0, 0, 1, 1);
    scene.label(154, 114, "MARBLE");
    // Noise alone: it moves the centre of a ramp.
    begin(ProcTexClamp::ToEdge, ProcTexFunction::Add);
    upload_map(scene, ProcTexTable::RgbMap, [](f32 x) { return x; });
    rainbow(scene);
    set_noise(scene, 1500, 1.0f, 1.0f);
    patch(scene, 300, 20, 92, 0.4f, 0.4f, 0.6f, 0.6f);
    scene.label(300, 114, "NOISE");
    // Clouds: alpha by a map of its own.
    begin(ProcTexClamp::ToEdge, ProcTexFunction::U);
    list.set(reg::TEXUNIT3_PROCTEX0::separate_alpha, true);
    list.set(reg::TEXUNIT3_PROCTEX0::alpha_func, ProcTexFunction::Add);
    upload_map(scene, ProcTexTable::AlphaMap, [](f32 x) { return (x - 0.35f) * 2.5f; });
    upload_colors(scene, [](f32, u32) { return std::array<f32, 4>{255, 255, 255, 255}; });
    set_noise(scene, 1300, 0.6f, 0.9f);
    scene.alpha_blending();
    for (u32 i = 0; i < 4; ++i)
        patch(scene, 8.0f + f32(i) * 96, 132, 96, 0.3f + f32(i) * 0.4f, 0.3f, 0.7f + f32(i) * 0.4f, 0.7f);
    scene.label(8, 230, "CLOUDS, SEPARATE ALPHA");
    scene.blend(BlendEquation::Add, BlendFactor::One, BlendFactor::Zero);
    scene.label(6, 6, "PROCEDURAL TEXTURE: NOISE");
}

// A floor of stripes, without and with levels; each level has a tint.
void write_levels(StreamScene& scene)
{
    CommandListBuilder& list = scene.list;
    upload_map(scene, ProcTexTable::RgbMap, [](f32 x) { return x; });
    upload_colors(scene,
                  [](f32 x, u32 level)
                  {
                      const f32 stripe =
                          std::fabs(std::fmod(x * 8.0f, 2.0f) - 1.0f) * (level > 3 ? 0.5f : 1.0f);
                      return std::array<f32, 4>{255 * stripe, 60.0f + 24.0f * f32(level),
                                                230.0f - 30.0f * f32(level), 255.0f};
                  });
    constexpr ProcTexFilter kFilters[] = {ProcTexFilter::Nearest,           ProcTexFilter::Linear,
                                          ProcTexFilter::NearestMipNearest, ProcTexFilter::LinearMipNearest,
                                          ProcTexFilter::NearestMipLinear,  ProcTexFilter::LinearMipLinear};
    constexpr const char* kNames[] = {"NEAREST", "LINEAR", "N MIP N", "L MIP N", "N MIP L", "L MIP L"};
    plain_unit(scene);
    list.set(reg::TEXUNIT3_PROCTEX0::u_clamp, ProcTexClamp::SymmetricalRepeat);
    list.set(reg::TEXUNIT3_PROCTEX0::v_clamp, ProcTexClamp::SymmetricalRepeat);
    list.set(reg::TEXUNIT3_PROCTEX0::color_func, ProcTexFunction::U);
    list.set(reg::TEXUNIT3_PROCTEX0::lod_bias_low, float16(1.0f) & 255);
    list.set(reg::TEXUNIT3_PROCTEX4::lod_bias_high, float16(1.0f) >> 8);
    list.set(reg::TEXUNIT3_PROCTEX4::max_lod, 7);
    scene.matrix(scene.perspective());
    for (u32 i = 0; i < 6; ++i)
    {
        list.set(reg::TEXUNIT3_PROCTEX4::filter, kFilters[i]);
        const f32 left = -3.0f + f32(i), right = left + 0.92f;
        const std::array<StreamVertex, 4> strip = {{{left, -1.2f, -1.5f, 255, 255, 255, 255, 0, 0},
                                                    {left * 6, -1.2f, -30, 255, 255, 255, 255, 0, 8},
                                                    {right, -1.2f, -1.5f, 255, 255, 255, 255, 2, 0},
                                                    {right * 6, -1.2f, -30, 255, 255, 255, 255, 16, 8}}};
        scene.draw(strip, Topology::TriangleStrip);
        scene.label(8.0f + f32(i) * 66, 228, kNames[i]);
    }
    scene.matrix_2d();
    scene.label(6, 6, "PROCEDURAL TEXTURE: LEVELS");
}

void write_procedural(StreamScene& scene)
{
    for (u32 frame = 0; frame < 3; ++frame)
    {
        scene.begin_screen(Screen::Top, 0x304860);
        if (frame == 0)
            write_functions(scene);
        else if (frame == 1)
            write_noise(scene);
        else
            write_levels(scene);
        // Labels come with an ordinary texture.
        scene.list.set(reg::TEXUNIT_CONFIG::enable3, false);
        scene.end_screen();
        scene.end_frame();
    }
}

const GeneratedStream kProcedural("t_procedural", write_procedural);

} // namespace

} // namespace tests
