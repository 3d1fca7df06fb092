// SPDX-License-Identifier: MIT
// Probes of texture units and of the engines that move pictures.
#include "samples/probe/probe_scene.h"
#include "samples/probe/probes.h"

#include <cmath>

namespace samples
{

using namespace pica;

namespace
{

constexpr u32 kTexture = ProbeLayout::kTextures;
// Bits of TEXUNIT_PARAM.
constexpr u32 kMagnifyLinear = 2, kMinifyLinear = 4, kMipLinear = 1u << 24, kRepeat = 0x2200,
              kBorder = 0x1100;

u32 checker(u32 x, u32)
{
    return x % 2 != 0 ? 0xFFFFFFFF : 0x20406000;
}

u32 numbered(u32 x, u32 y)
{
    return 0xFF | x << 12 | y << 28;
}

// The columns of a target of 256 x 8 show unit 0 (8 x 8 texels) from u1 to u2; v runs over one texture.
ProbeScene line_scene(Probe& probe, u32 (*texel)(u32, u32), f32 u1, f32 u2, u32 parameters)
{
    ProbeScene scene(256, 8);
    probe.upload(kTexture, tiled_texels(8, 8, 4, texel));
    scene.texture(0, TextureFormat::RGBA8, 8, 8);
    scene.write(reg::TEXUNIT_PARAM::id, parameters);
    scene.write(reg::TEXENV_SOURCE::id, 0x00030003);
    scene.rectangle(0, 0, 256, 8);
    for (ProbeVertex& vertex : scene.vertices)
        vertex.texcoords[0] = vertex.texcoords[0] == 0 ? u1 : u2;
    scene.draw(0, 6);
    return scene;
}

// Rectangles of 8 x 8 pixels, each with another number of texels per pixel: 2^exponent * (1 + (first + i * step + 1/2) /
// 256). The texture of 64 x 64 has a colour for each of its four levels.
Probe level_probe(const char* name, u32 parameters, s32 exponent, u32 first, u32 step)
{
    Probe probe(name);
    ProbeScene scene(256, 8);
    std::vector<u8> levels;
    for (const u32 level : {0, 1, 2, 3})
    {
        const u32 size = 64 >> level;
        levels.insert(levels.end(), std::size_t{size} * size * 4, static_cast<u8>(85 * level));
    }
    probe.upload(kTexture, levels);
    scene.texture(0, TextureFormat::RGBA8, 64, 64);
    scene.write(reg::TEXUNIT_PARAM::id, parameters | kRepeat);
    scene.write(reg::TEXUNIT_LOD::id, 3u << 16);
    scene.write(reg::TEXENV_SOURCE::id, 0x00030003);
    for (u32 i = 0; i < 32; ++i)
    {
        const f32 mantissa = 1 + (static_cast<f32>(first + i * step) + 0.5f) / 256;
        const f32 span = std::ldexp(mantissa, exponent) * 8 / 64;
        const std::size_t begin = scene.vertices.size();
        scene.rectangle(static_cast<f32>(8 * i), 0, static_cast<f32>(8 * i + 8), 8);
        for (std::size_t n = begin; n < scene.vertices.size(); ++n)
            for (f32& coordinate : scene.vertices[n].texcoords)
                coordinate *= span;
    }
    scene.draw(0, static_cast<u32>(scene.vertices.size()));
    scene.run(probe);
    return probe;
}

constexpr u32 size_word(u32 width, u32 height)
{
    return width | height << 16;
}

// A picture of 64 x 64 different pixels at the colour buffer, transferred behind it.
Probe transfer_probe(const char* name, u32 flags, u32 bytes)
{
    Probe probe(name);
    constexpr u32 kSize = 64, kOutput = 0x10000;
    probe.upload(0, tiled_texels(kSize, kSize, 4,
                                 [](u32 x, u32 y)
                                 { return (x * 4 + y % 4) << 24 | (x ^ y) * 0x030201 | (x * y) % 256; }));
    probe.transfer(0, kOutput, size_word(kSize, kSize), size_word(kSize, kSize), flags);
    probe.read(kOutput, bytes);
    return probe;
}

} // namespace

// Coordinates from -2 to 2, repeated.
Probe probe_texel_below_zero()
{
    Probe probe("texel-below-zero");
    line_scene(probe, numbered, -2, 2, kRepeat).run(probe);
    return probe;
}

// From the middle of a texel to the middle of the next but one, so that all weights of 8 bits occur.
Probe probe_filter_weights()
{
    Probe probe("filter-weights");
    line_scene(probe, checker, 2.5f / 8, 4.5f / 8, kMagnifyLinear | kMinifyLinear | kRepeat).run(probe);
    return probe;
}

// Levels of detail from 0 to 1 and between levels: what is between them shows the fraction.
Probe probe_level_fraction()
{
    return level_probe("level-fraction", kMagnifyLinear | kMinifyLinear | kMipLinear, 0, 0, 8);
}

// Levels of detail around 1/2, where the nearest level changes.
Probe probe_nearest_level()
{
    return level_probe("nearest-level", 0, 0, 90, 1);
}

// The border of a format without alpha.
Probe probe_border_alpha()
{
    Probe probe("border-alpha");
    ProbeScene scene = line_scene(probe, numbered, -1, 2, kBorder);
    Probe fresh("border-alpha");
    fresh.upload(kTexture, tiled_texels(8, 8, 2, [](u32 x, u32 y) { return x * 0x821 + y; }));
    scene.write(reg::TEXUNIT_TYPE::id, static_cast<u32>(TextureFormat::RGB565));
    scene.write(reg::TEXUNIT_BORDER_COLOR::id, 0x40C08020);
    scene.draw(0, 6);
    scene.run(fresh);
    return fresh;
}

// Halved in both directions, as RGBA8.
Probe probe_transfer_average()
{
    return transfer_probe("transfer-average", 2u << 24, 32 * 32 * 4);
}

// From RGBA8 to RGB565.
Probe probe_transfer_conversion()
{
    return transfer_probe("transfer-conversion", 2u << 12, 64 * 64 * 2);
}

// The map of a procedural texture gives numbers above 1 and below 0; the colour table goes on behind its width.
Probe probe_procedural_map()
{
    Probe probe("procedural-map");
    ProbeScene scene(256, 8);
    scene.write(reg::TEXUNIT_CONFIG::id, 0x11400);
    scene.write(reg::TEXUNIT3_PROCTEX0::id, 0x9); // to the edge, u alone
    scene.write(reg::TEXUNIT3_PROCTEX4::id, 64 << 11);
    scene.write(reg::TEXUNIT3_PROCTEX5::id, 64);
    std::array<u32, 128> map{};
    for (u32 i = 0; i < map.size(); ++i)
        map[i] = i < 64 ? 100 | 0xC00 << 12 : 4000 | 0x400 << 12; // down by 1024, up by 1024
    scene.write(reg::PROCTEX_LUT::id, static_cast<u32>(ProcTexTable::RgbMap) << 8);
    scene.write_port(reg::PROCTEX_LUT_DATA::id, map);
    std::array<u32, 256> colors{};
    for (u32 i = 0; i < colors.size(); ++i)
        colors[i] = 0xFF000000 | i << 16 | (255 - i) << 8 | i;
    scene.write(reg::PROCTEX_LUT::id, static_cast<u32>(ProcTexTable::Color) << 8);
    scene.write_port(reg::PROCTEX_LUT_DATA::id, colors);
    scene.write(reg::TEXENV_SOURCE::id, 0x00060006);
    scene.rectangle(0, 0, 256, 8);
    scene.draw(0, 6);
    scene.run(probe);
    return probe;
}

// A draw of two rectangles whose texture is its target: the second one's texels are the first one's pixels. The
// alternative: it sees them.
Probe probe_texture_feedback(u32 other)
{
    Probe probe("texture-feedback");
    constexpr u32 kSize = 16;
    ProbeScene scene(kSize, kSize);
    scene.texture(0, TextureFormat::RGBA8, kSize, kSize);
    scene.write(reg::TEXUNIT_ADDR::id, (probe_format::kVramGpu + ProbeLayout::kColor) >> 3);
    scene.write(reg::TEXENV_SOURCE::id, 0x00300030); // texture + primary colour
    scene.write(reg::TEXENV_COMBINER::id, 2 | 2 << 16);
    ProbeVertex vertex;
    vertex.color = {0.125f, 0.25f, 0, 0.375f};
    scene.rectangle(0, 0, kSize / 2, kSize, vertex);
    scene.rectangle(kSize / 2, 0, kSize, kSize, vertex);
    for (ProbeVertex& v : scene.vertices)
        v.texcoords[0] /= 2;
    if (other != 0)
    {
        scene.draw(0, 6);
        scene.write(reg::FRAMEBUFFER_FLUSH::id, 1);
        scene.write(reg::TEXUNIT_CONFIG::id, 0x11001); // with an empty cache
        scene.draw(6, 6);
    }
    else
        scene.draw(0, 12);
    scene.run(probe, 0x08101804);
    return probe;
}

// A picture of 128 columns becomes one of 64, without the flag that the two widths differ. The alternative: the pitch of the
// input is then the width of the output.
Probe probe_transfer_pitch(u32 other)
{
    Probe probe("transfer-pitch");
    constexpr u32 kSize = 64, kOutput = 0x10000;
    probe.upload(0, tiled_texels(2 * kSize, kSize, 4,
                                 [](u32 x, u32 y) { return x * 2 << 24 | y * 4 << 8 | (x ^ y); }));
    probe.transfer(0, kOutput, size_word(other == 0 ? 2 * kSize : kSize, kSize), size_word(kSize, kSize), 0);
    probe.read(kOutput, kSize * kSize * 4);
    return probe;
}

} // namespace samples
