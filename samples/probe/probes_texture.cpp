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

struct LevelWork
{
    u32 parameters = 0; // of the texture unit
    u32 first = 0, step = 1;
    f32 scale = 1;         // of coordinates before the division
    u32 bias = 0;          // of the level, in 1/256
    bool diagonal = false; // v is u
};

// Rectangles of 8 x 8 pixels, each with another number of texels per pixel: 1 + (first + i * step + 1/2) / 256. The texture of
// 64 x 64 has a colour for each of its four levels. Texture coordinates are divided by 4 where the type divides.
Probe level_probe(const char* name, const LevelWork& work)
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
    // All faces of a cube.
    for (const u32 id : reg::TEXUNIT0_ADDR::ids)
        scene.write(id, scene.value(reg::TEXUNIT_ADDR::id) & 0x3FFFFF);
    scene.uniform(2, {0, 0, 1, 4});
    scene.write(reg::TEXUNIT_PARAM::id, work.parameters | kRepeat);
    scene.write(reg::TEXUNIT_LOD::id, 3u << 16 | work.bias);
    scene.write(reg::TEXENV_SOURCE::id, 0x00030003);
    for (u32 i = 0; i < 32; ++i)
    {
        const f32 texels = 1 + (static_cast<f32>(work.first + i * work.step) + 0.5f) / 256;
        const f32 span = texels * 8 / 64 * work.scale;
        const std::size_t begin = scene.vertices.size();
        scene.rectangle(static_cast<f32>(8 * i), 0, static_cast<f32>(8 * i + 8), 8);
        for (std::size_t n = begin; n < scene.vertices.size(); ++n)
        {
            auto& coordinates = scene.vertices[n].texcoords;
            for (f32& coordinate : coordinates)
                coordinate *= span;
            if (work.diagonal)
                coordinates[1] = coordinates[0];
        }
    }
    scene.draw(0, static_cast<u32>(scene.vertices.size()));
    scene.run(probe);
    return probe;
}

constexpr u32 size_word(u32 width, u32 height)
{
    return width | height << 16;
}

// A picture of kSize x kSize different pixels at the colour buffer, transferred behind it. Half of it is not smaller than
// 64x64, below which documents tell of hangs. The first bytes of the output are the answer.
Probe transfer_probe(const char* name, u32 flags, u32 bytes)
{
    Probe probe(name);
    constexpr u32 kSize = 128, kOutput = 0x10000;
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
    return level_probe("level-fraction",
                       {.parameters = kMagnifyLinear | kMinifyLinear | kMipLinear, .step = 8});
}

// Levels of detail around 1/2, where the nearest level changes.
Probe probe_nearest_level()
{
    return level_probe("nearest-level", {.first = 90});
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

// Texels that have alpha alone. The alternative: their RGB is 255.
Probe probe_alpha_format(u32 other)
{
    Probe probe("alpha-format");
    ProbeScene scene(8, 8);
    if (other == 0)
        probe.upload(kTexture, tiled_texels(8, 8, 1, [](u32 x, u32 y) { return 32 * x + y; }));
    else
        probe.upload(kTexture, tiled_texels(8, 8, 2, [](u32 x, u32 y) { return 0xFF00 | (32 * x + y); }));
    scene.texture(0, other == 0 ? TextureFormat::A8 : TextureFormat::IA8, 8, 8);
    scene.write(reg::TEXENV_SOURCE::id, 0x00030003);
    scene.rectangle(0, 0, 8, 8);
    scene.draw(0, 6);
    scene.run(probe, 0x12345678);
    return probe;
}

// All codes of 5 and 6 bits in texels of RGB565. The alternative: v * 255 / 31 and v * 255 / 63, rounded to nearest.
Probe probe_texel_expansion(u32 other)
{
    Probe probe("texel-expansion");
    ProbeScene scene(64, 8);
    if (other == 0)
        probe.upload(kTexture,
                     tiled_texels(64, 8, 2, [](u32 x, u32) { return x / 2 << 11 | x << 5 | x / 2; }));
    else
        probe.upload(kTexture, tiled_texels(64, 8, 4,
                                            [](u32 x, u32)
                                            {
                                                const u32 five = (x / 2 * 510 + 31) / 62;
                                                return five << 24 | (x * 510 + 63) / 126 << 16 | five << 8 |
                                                       255;
                                            }));
    scene.texture(0, other == 0 ? TextureFormat::RGB565 : TextureFormat::RGBA8, 64, 8);
    scene.write(reg::TEXENV_SOURCE::id, 0x00030003);
    scene.rectangle(0, 0, 64, 8);
    scene.draw(0, 6);
    scene.run(probe);
    return probe;
}

// Linear filtering across the edges of a texture with a border. The alternative: outside are the texels of the edge.
Probe probe_border_taps(u32 other)
{
    Probe probe("border-taps");
    ProbeScene scene = line_scene(probe, numbered, -0.25f, 1.25f,
                                  kMagnifyLinear | kMinifyLinear | (other == 0 ? kBorder : 0));
    scene.write(reg::TEXUNIT_BORDER_COLOR::id, 0x40C08020);
    scene.draw(0, 6);
    scene.run(probe);
    return probe;
}

// A block of ETC1 whose second colours are 31 + 3 and 0 - 1. The alternative: they stop at 31 and 0.
Probe probe_etc1_overflow(u32 other)
{
    Probe probe("etc1-overflow");
    ProbeScene scene(8, 8);
    // R 31 and a difference, G 0 and a difference, B 16; differential; no modifier but the smallest.
    const u64 red = 31u << 3 | (other == 0 ? 3u : 0u), green = other == 0 ? 7u : 0u, blue = 16u << 3;
    const u64 block = red << 56 | green << 48 | blue << 40 | u64{1} << 33;
    std::vector<u32> words;
    for (u32 i = 0; i < 4; ++i)
        words.insert(words.end(), {static_cast<u32>(block), static_cast<u32>(block >> 32)});
    probe.upload_words(kTexture, words);
    scene.texture(0, TextureFormat::ETC1, 8, 8);
    scene.write(reg::TEXUNIT_PARAM::id, 2 << 4);
    scene.write(reg::TEXENV_SOURCE::id, 0x00030003);
    scene.rectangle(0, 0, 8, 8);
    scene.draw(0, 6);
    scene.run(probe);
    return probe;
}

// Both coordinates grow with x. The alternative: the level comes from the length of the step, not from its larger part.
Probe probe_level_length(u32 other)
{
    return level_probe("level-length", {.parameters = kMagnifyLinear | kMinifyLinear | kMipLinear,
                                        .step = 8,
                                        .bias = other == 0 ? 0u : 128u,
                                        .diagonal = true});
}

// Linear magnification and nearest minification, and levels of detail from 0 to 1. The alternative: magnification goes up to
// one half, as old versions of OpenGL allow.
Probe probe_magnification_end(u32 other)
{
    Probe probe("magnification-end");
    ProbeScene scene(256, 8);
    std::vector<u8> levels = tiled_texels(64, 64, 4, checker);
    levels.resize(levels.size() + 32 * 32 * 4, 85);
    probe.upload(kTexture, levels);
    scene.texture(0, TextureFormat::RGBA8, 64, 64);
    scene.write(reg::TEXUNIT_LOD::id, 1u << 16);
    scene.write(reg::TEXENV_SOURCE::id, 0x00030003);
    for (u32 i = 0; i < 32; ++i)
    {
        const f32 span = (1 + (static_cast<f32>(8 * i) + 0.5f) / 256) * 8 / 64;
        scene.rectangle(static_cast<f32>(8 * i), 0, static_cast<f32>(8 * i + 8), 8);
        for (std::size_t n = scene.vertices.size() - 6; n < scene.vertices.size(); ++n)
            for (f32& coordinate : scene.vertices[n].texcoords)
                coordinate *= span;
    }
    constexpr u32 kBelowHalf = 14; // rectangles: the square root of 2 is between 1.408 and 1.439
    scene.write(reg::TEXUNIT_PARAM::id, kMagnifyLinear | (other == 0 ? 0 : kMinifyLinear) | kRepeat);
    scene.draw(0, 6 * kBelowHalf);
    scene.write(reg::TEXUNIT_PARAM::id, kMagnifyLinear | kRepeat);
    scene.draw(6 * kBelowHalf, 6 * (32 - kBelowHalf));
    scene.run(probe);
    return probe;
}

// At the left the level of detail is 1 and the highest level is 0, at the right it is far below 0 and the lowest level is 1. So
// bounds decide which of the two filters counts. Samples are at 3/8 between a black texel and a white one, and times four: the
// nearest texel is 0, the mean 255. The alternative: the level chooses the filter before it is bounded.
Probe probe_level_bounds(u32 other)
{
    Probe probe("level-bounds");
    constexpr u32 kSize = 8;
    ProbeScene scene(2 * kSize, kSize);
    const auto columns = [](u32 x, u32) { return x % 2 != 0 ? 0xFFFFFFFF : 0u; };
    std::vector<u8> levels = tiled_texels(32, 16, 4, columns);
    const std::vector<u8> next = tiled_texels(16, 8, 4, columns);
    levels.insert(levels.end(), next.begin(), next.end());
    probe.upload(kTexture, levels);
    scene.texture(0, TextureFormat::RGBA8, 32, 16);
    scene.write(reg::TEXENV_SOURCE::id, 0x00030003);
    scene.write(reg::TEXENV_SCALE::id, 0x00020002);
    scene.rectangle(0, 0, kSize, kSize);
    scene.rectangle(kSize, 0, 2 * kSize, kSize);
    for (u32 i = 0; i < 12; ++i)
    {
        auto& c = scene.vertices[i].texcoords;
        // The middle of pixel x is at 2 * x + 0.875 of 32 texels; at the right everything is at 4.875 of 16.
        c[0] = i < 6 ? (c[0] * 2 * kSize - 0.125f) / 32 : 4.875f / 16;
    }
    scene.write(reg::TEXUNIT_PARAM::id, other == 0 ? kMagnifyLinear : 0);
    scene.draw(0, 6);
    scene.write(reg::TEXUNIT_PARAM::id, kMagnifyLinear | (other == 0 ? 0 : kMinifyLinear));
    scene.write(reg::TEXUNIT_LOD::id, 1u << 24 | 1u << 16);
    scene.draw(6, 6);
    scene.run(probe, 0x12345678);
    return probe;
}

// The divided coordinates of a projection have the levels of detail from 0 to 1. The alternative: the level comes from u and
// v as they are, which are four times as large.
Probe probe_projection_level(u32 other)
{
    return level_probe("projection-level",
                       {.parameters = 3u << 28, .step = 8, .scale = 4, .bias = other == 0 ? 0u : 512u});
}

// The same on a face of a cube, whose coordinates are those of the direction divided by 8.
Probe probe_cube_level(u32 other)
{
    return level_probe("cube-level",
                       {.parameters = 1u << 28, .step = 8, .scale = 8, .bias = other == 0 ? 0u : 768u});
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
    vertex.color = {channel(32), channel(64), 0, channel(96)};
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

namespace
{

// As transfer_probe, over a plain output: flags that documents call invalid may leave it as it is.
Probe scale_probe(const char* name, u32 flags)
{
    Probe probe(name);
    constexpr u32 kSize = 128, kOutput = 0x10000;
    probe.upload(0, tiled_texels(kSize, kSize, 4,
                                 [](u32 x, u32 y)
                                 { return (x * 4 + y % 4) << 24 | (x ^ y) * 0x030201 | (x * y) % 256; }));
    probe.fill(kOutput, kSize * kSize * 4, 0x12345678);
    probe.transfer(0, kOutput, size_word(kSize, kSize), size_word(kSize, kSize), flags);
    probe.read(kOutput, 32 * 32 * 4);
    return probe;
}

} // namespace

// Scale 3. Alternatives: as one of the others.
Probe probe_transfer_scale(u32 other)
{
    return scale_probe("transfer-scale", other == 0 ? 3u << 24 : (other - 1) << 24);
}

namespace
{

// Channels are multiples of 4, so that no average of two or four is rounded.
u32 linear_pixel(u32 x, u32 y)
{
    return (x * 4 % 256) << 24 | ((x ^ y) * 4 % 256) << 16 | ((x * 3 + y) * 4 % 256) << 8 | (x * y * 4) % 256;
}

// The picture of 128x128, whose columns and rows are averaged in groups of these sizes.
std::vector<u32> halved_pixels(u32 columns, u32 rows)
{
    std::vector<u32> words;
    for (u32 y = 0; y < 128; y += rows)
        for (u32 x = 0; x < 128; x += columns)
        {
            u32 word = 0;
            for (u32 shift = 0; shift < 32; shift += 8)
            {
                u32 sum = 0;
                for (u32 i = 0; i < columns * rows; ++i)
                    sum += linear_pixel(x + i % columns, y + i / columns) >> shift & 255;
                word |= sum / (columns * rows) << shift;
            }
            words.push_back(word);
        }
    return words;
}

} // namespace

// Linear input that is to be halved, to tiles. Alternatives: it is copied as it is, or its rows are halved, or columns and
// rows.
Probe probe_transfer_linear_scale(u32 other)
{
    Probe probe("transfer-linear-scale");
    constexpr u32 kOutput = 0x10000, kHalfBoth = 2u << 24, kFromLinear = 2;
    const u32 columns = other < 2 ? 1 : 2, rows = other == 2 ? 2 : 1;
    probe.upload_words(0, halved_pixels(columns, rows));
    probe.fill(kOutput, 128 * 128 * 4, 0x12345678);
    const u32 size = size_word(128 / columns, 128 / rows);
    probe.transfer(0, kOutput, size, size, kFromLinear | (other == 0 ? kHalfBoth : 0));
    probe.read(kOutput, 32 * 32 * 4);
    return probe;
}

// A texture of 16x16 with levels up to 2, whose last one would have 4x4 texels, sampled far away. The alternative: it has that
// level, behind the one of 8x8. All texels of a level have one colour.
Probe probe_last_level(u32 other)
{
    Probe probe("last-level");
    constexpr u32 kSide = 16, kSmall = 8;
    std::vector<u32> texels(kSide * kSide, 0xFF0000FF);
    texels.resize(texels.size() + kSmall * kSmall, other == 0 ? 0xFF00FF00 : 0xFFFF0000);
    texels.resize(texels.size() + 16, 0xFFFF0000);
    probe.upload_words(kTexture, texels);
    ProbeScene scene = square_scene();
    scene.texture(0, TextureFormat::RGBA8, kSide, kSide);
    scene.write(reg::TEXUNIT_LOD::id, 2u << 16);
    scene.write(reg::TEXUNIT_PARAM::id, kRepeat);
    scene.write(reg::TEXENV_SOURCE::id, 0x00030003);
    for (ProbeVertex& vertex : scene.vertices)
        for (f32& c : vertex.texcoords)
            c *= 8;
    scene.draw(0, 6);
    scene.run(probe);
    return probe;
}

// A triangle in perspective, whose levels of detail go through all four of a texture.
Probe probe_level_quad()
{
    Probe probe("level-quad");
    constexpr u32 kSide = 32, kTexels = 64;
    ProbeScene scene(kSide, kSide);
    u32 place = kTexture;
    for (u32 level = 0; level < 4; ++level)
    {
        const u32 bytes = kTexels * kTexels * 4 >> 2 * level;
        probe.fill(place, bytes, 0x01010101 * 85 * level);
        place += bytes;
    }
    scene.texture(0, TextureFormat::RGBA8, kTexels, kTexels);
    scene.write(reg::TEXUNIT_PARAM::id, kRepeat);
    scene.write(reg::TEXUNIT_LOD::id, 3u << 16);
    scene.write(reg::TEXENV_SOURCE::id, 0x00030003);
    // No edge runs through the centre of a pixel.
    const auto corner = [&](f32 x, f32 y, f32 w, f32 u, f32 v) {
        scene.vertex(x, y, {.position = {0, 0, 0, w}, .texcoords = {u, v, 0, 0}});
    };
    corner(0, 0, 1, 0, 0);
    corner(30.25f, 0, 4, 3, 0.25f);
    corner(0, 30, 3, 0.5f, 2);
    scene.draw(0, 3);
    scene.run(probe, 0x12345678);
    return probe;
}

} // namespace samples
