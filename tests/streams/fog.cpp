// SPDX-License-Identifier: MIT
// Fog (pica/hardware/fog-and-gas.md, "Fog"): a row of boxes that fades by z-buffer and by w-buffer depth, and
// a flipped table of bands.
#include "tests/streams/scene.h"

#include "pica/base/float24.h"

#include <algorithm>
#include <cmath>

namespace tests
{

namespace
{

// share(x): part of the fragment's own colour at depth x in [0, 1].
template <typename Share>
void upload_fog(StreamScene& scene, Share share)
{
    std::array<u32, 128> words;
    const auto value = [&](u32 i) { return s32(std::clamp(share(f32(i) / 128), 0.0f, 1.0f) * 2047.0f); };
    for (u32 i = 0; i < 128; ++i)
        words[i] = u32(value(i)) << 13 | (u32(value(i + 1) - value(i)) & 0x1FFF);
    scene.list.write(reg::FOG_LUT_INDEX::id, 0);
    scene.list.write_repeated(reg::FOG_LUT_DATA::id, words);
}

void draw_boxes(StreamScene& scene, f32 turn)
{
    constexpr std::array<u32, 6> kBoxColors = {0xFFE04030, 0xFF40C040, 0xFF4060E0,
                                               0xFFE0C030, 0xFF40C0C0, 0xFFC040C0};
    for (u32 row = 0; row < 12; ++row)
        for (s32 side = -1; side <= 1; side += 2)
        {
            const f32 z = -3.0f - 2.4f * f32(row);
            scene.matrix(scene.perspective() * translation(2.2f * f32(side), row % 2 != 0 ? 0.7f : -0.7f, z) *
                         rotation_y(turn + 0.07f * f32(row)) * rotation_x(0.05f * f32(row)));
            scene.draw_box(kBoxColors);
        }
}

void write_fog(StreamScene& scene)
{
    for (u32 frame = 0; frame < 3; ++frame)
    {
        const u32 sky = frame == 2 ? 0x302040 : 0xA0B0C0;
        scene.begin_screen(Screen::Top, sky);
        scene.depth_test(CompareFunc::Less, true);
        scene.list.set(reg::TEXENV_UPDATE_BUFFER::fog_mode, FogMode::Fog);
        scene.list.set(reg::TEXENV_UPDATE_BUFFER::fog_flip, frame == 2);
        scene.list.write(reg::FOG_COLOR::id, (sky >> 16) | (sky & 0xFF00) | (sky & 0xFF) << 16);
        if (frame == 0) // codes of a z-buffer crowd near 1
            upload_fog(scene, [](f32 x) { return (1.0f - x) * 6.5f; });
        if (frame == 1)
        {
            scene.list.set(reg::DEPTHMAP_ENABLE::mode, DepthMap::WBuffer);
            scene.list.set(reg::DEPTHMAP_SCALE::value, f32_to_float24(-1.0f / 32.0f));
            upload_fog(scene, [](f32 x) { return 1.0f - x; });
        }
        if (frame == 2)
        {
            scene.list.set(reg::DEPTHMAP_ENABLE::mode, DepthMap::WBuffer);
            scene.list.set(reg::DEPTHMAP_SCALE::value, f32_to_float24(-1.0f / 32.0f));
            upload_fog(scene, [](f32 x) { return u32(x * 16) % 2 != 0 ? x : x * 0.4f; });
        }
        draw_boxes(scene, 0.1f + 0.02f * f32(frame));
        scene.list.set(reg::TEXENV_UPDATE_BUFFER::fog_mode, FogMode::None);
        scene.list.set(reg::DEPTHMAP_ENABLE::mode, DepthMap::ZBuffer);
        scene.list.set(reg::DEPTHMAP_SCALE::value, f32_to_float24(-1.0f));
        scene.depth_test(CompareFunc::Always, false);
        scene.matrix_2d();
        scene.label(4, 4, frame == 0 ? "FOG, Z-BUFFER" : frame == 1 ? "FOG, W-BUFFER" : "FLIPPED BANDS");
        scene.end_screen();
        scene.end_frame();
    }
}

const GeneratedStream kFog("t_fog", write_fog);

} // namespace

} // namespace tests
