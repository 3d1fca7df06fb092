// SPDX-License-Identifier: MIT
// Probes of shadow textures: texels are compared with the depth of the fragment. The functions with a parameter also make the
// work that stands for an alternative (EquivalentWork).
#include "samples/probe/probe_scene.h"
#include "samples/probe/probes.h"

namespace samples
{

using namespace pica;

namespace
{

constexpr u32 kSize = kSquare, kTexture = ProbeLayout::kTextures;
// Bit 20 is what drivers set in front of shadow textures.
constexpr u32 k2d = 2u << 28 | 1u << 20, kCube = 4u << 28 | 1u << 20; // of TEXUNIT_PARAM
constexpr u32 kNoDivision = 1;                                        // of TEXUNIT0_SHADOW
// Words of texels: the depth is as large as it can be, and the intensity tells texels apart.
constexpr u32 kFirst = 0x40FFFFFF, kSecond = 0xC0FFFFFF;

// A target of this many columns, and a shadow texture of this size. The fragment's depth is 0x7FFFFF.
ProbeScene shadow_scene(u32 columns, u32 size)
{
    ProbeScene scene(columns, kSize);
    scene.texture(0, TextureFormat::RGBA8, size, size);
    scene.write(reg::TEXUNIT_PARAM::id, k2d);
    scene.write(reg::TEXUNIT0_SHADOW::id, kNoDivision);
    scene.write(reg::TEXENV_SOURCE::id, 0x00030003);
    scene.uniform(2, {0, 0, 1, 0.5f});
    return scene;
}

// The texture, or the six faces of a cube, begin there.
void place_texture(ProbeScene& scene, u32 offset)
{
    const u32 address = (probe_format::kVramGpu + offset) >> 3;
    scene.write(reg::TEXUNIT_ADDR::id, address);
    for (const u32 id : reg::TEXUNIT0_ADDR::ids)
        scene.write(id, address & 0x3FFFFF);
}

// A square with half of the texture's width, so that no tap is outside. centre: of its coordinates.
void add_square(ProbeScene& scene, u32 number, f32 centre = 0.5f)
{
    scene.rectangle(static_cast<f32>(number * kSize), 0, static_cast<f32>((number + 1) * kSize), kSize);
    for (std::size_t i = scene.vertices.size() - 6; i < scene.vertices.size(); ++i)
        for (const u32 axis : {0, 1})
            scene.vertices[i].texcoords[axis] = scene.vertices[i].texcoords[axis] / 2 + centre - 0.25f;
}

} // namespace

// Texels whose depth is below, at and above the fragment's, and coordinates outside of the texture.
Probe probe_shadow_texture()
{
    Probe probe("shadow-texture");
    constexpr u32 kColumns = 256;
    ProbeScene scene = shadow_scene(kColumns, 8);
    probe.upload(kTexture, tiled_texels(8, 8, 4,
                                        [](u32 x, u32)
                                        {
                                            const u32 depth = 0x7FFFFF + x - 4;
                                            return depth >> 16 | (depth & 0xFF00) | (depth & 255) << 16 |
                                                   0xC0000000;
                                        }));
    scene.rectangle(0, 0, kColumns, kSize);
    for (ProbeVertex& vertex : scene.vertices)
        vertex.texcoords[0] = vertex.texcoords[0] * 2 - 0.5f;
    scene.draw(0, 6);
    scene.run(probe);
    return probe;
}

// A texture of four levels. In the first square coordinates change fast, in the second 0x084 allows the last level alone. The
// third and the fourth have a cube of such faces. Alternatives: levels are those of other textures, or the lowest one that is
// allowed counts.
Probe probe_shadow_levels(u32 other)
{
    Probe probe("shadow-levels");
    constexpr u32 kTexels = 64, kLevel0 = kTexels * kTexels * 4,
                  kUpper = kLevel0 / 4 + kLevel0 / 16 + kLevel0 / 64, kOnlyUpper = kTexture + 2 * kLevel0;
    probe.fill(kTexture, kLevel0, kFirst);
    probe.fill(kTexture + kLevel0, kUpper, kSecond);
    probe.fill(kOnlyUpper, kLevel0 + kUpper, kSecond);
    ProbeScene scene = shadow_scene(4 * kSize, kTexels);
    for (u32 i = 0; i < 4; ++i)
    {
        const bool is_cube = i >= 2, has_limit = i % 2 != 0;
        add_square(scene, i, is_cube ? 0.0f : 0.5f);
        if (is_cube)
            scene.write(reg::TEXUNIT_PARAM::id, kCube).write(reg::TEXUNIT0_SHADOW::id, 0);
        scene.write(reg::TEXUNIT_LOD::id, 3u << 16 | (has_limit ? 3u << 24 : 0));
        place_texture(scene, other == 1 || (other == 2 && has_limit) ? kOnlyUpper : kTexture);
        scene.draw(6 * i, 6);
    }
    scene.run(probe);
    return probe;
}

// A bias (0x08B) that is larger than the fragment's depth. Texels of the depth 0 are on the left, of a larger one on the
// right. Alternatives: the difference is negative, or it wraps in 24 bits.
Probe probe_shadow_below_zero(u32 other)
{
    Probe probe("shadow-below-zero");
    constexpr u32 kBytes = 8 * 8 * 4, kNear = 0xC0000000, kFar = 0xC0000070; // depths 0 and 0x700000
    probe.fill(kTexture, kBytes, kNear);
    probe.fill(kTexture + kBytes, kBytes, other == 1 ? kNear : kFar);
    ProbeScene scene = shadow_scene(2 * kSize, 8);
    scene.write(reg::TEXUNIT0_SHADOW::id, kNoDivision | 0x7FFFFF << 1);
    for (u32 i = 0; i < 2; ++i)
    {
        add_square(scene, i);
        place_texture(scene, kTexture + i * kBytes);
        scene.draw(6 * i, 6);
    }
    scene.run(probe);
    return probe;
}

// A shadow texture in RGBA4 on the left, and in I8 on the right. Alternatives: texels always have 32 bits, or there is light
// everywhere, or nowhere.
Probe probe_shadow_format(u32 other)
{
    Probe probe("shadow-format");
    constexpr u32 kBytes = 8 * 8 * 4;
    // As RGBA4 a depth of 0xFFFF99 and an intensity of 0x66, as I8 0xFF4040 and 0x40.
    constexpr std::array<u32, 2> kTexels = {0x69FF69FF, 0x40404040};
    constexpr std::array<TextureFormat, 2> kFormats = {TextureFormat::RGBA4, TextureFormat::I8};
    ProbeScene scene = shadow_scene(2 * kSize, 8);
    for (u32 i = 0; i < 2; ++i)
    {
        probe.fill(kTexture + i * kBytes, kBytes, other == 1 ? 0xFFFFFFFF : other == 2 ? 0 : kTexels[i]);
        add_square(scene, i);
        if (other == 0)
            scene.write(reg::TEXUNIT_TYPE::id, static_cast<u32>(kFormats[i]));
        place_texture(scene, kTexture + i * kBytes);
        scene.draw(6 * i, 6);
    }
    scene.run(probe);
    return probe;
}

} // namespace samples
