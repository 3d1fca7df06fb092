// SPDX-License-Identifier: MIT
// Probes of render targets: undefined formats and sizes, and where pictures are turned over. Each function also makes the work
// that stands for an alternative (EquivalentWork).
#include "samples/probe/probe_scene.h"
#include "samples/probe/probes.h"

namespace samples
{

using namespace pica;

// Depth format 1, with the depth test and its writes. Alternatives: it is one of the formats that are known.
Probe probe_depth_format(u32 other)
{
    Probe probe("depth-format-1");
    constexpr u32 kSize = 16;
    constexpr u32 kFormats[] = {1, 0, 2, 3};
    ProbeScene scene(kSize, kSize);
    ProbeVertex vertex;
    vertex.position[2] = -0.6f;
    scene.rectangle(0, 0, kSize, kSize, vertex);
    scene.write(reg::DEPTHBUFFER_FORMAT::id, kFormats[other]);
    scene.write(reg::DEPTH_COLOR_MASK::id, 0x1F41); // less, written
    scene.draw(0, 6);
    scene.upload_vertices(probe);
    scene.clear(probe, 0, 0xFFFFFFFF);
    probe.list(scene.finish());
    probe.read(ProbeLayout::kColor, kSize * kSize * 4);
    probe.read(ProbeLayout::kDepth, kSize * kSize * 4);
    return probe;
}

// A triangle whose edges run through centres of pixels, drawn with row 0 at the top (0x11E bit 24 is 0). The
// alternative: positions are turned over, so that the other horizontal edges are inside.
Probe probe_flip(u32 other)
{
    Probe probe("flip");
    constexpr u32 kSize = 32;
    ProbeScene scene(kSize, kSize);
    scene.rectangle(2.5f, 2.5f, 9.5f, 6.5f);
    scene.vertex(12.5f, 2.5f, {});
    scene.vertex(20.5f, 2.5f, {});
    scene.vertex(15.5f, 9.5f, {});
    scene.vertex(4.5f, 20.5f, {});
    scene.vertex(9.5f, 12.5f, {});
    scene.vertex(14.5f, 20.5f, {});
    const u32 flip = other != 0 ? 1u << 24 : 0;
    const u32 size = kSize | (kSize - 1) << 12 | flip;
    scene.write(reg::FRAMEBUFFER_DIM::id, size);
    scene.write(reg::RENDERBUF_DIM::id, size);
    if (other != 0)
        for (ProbeVertex& vertex : scene.vertices)
            vertex.position[1] = -vertex.position[1];
    scene.draw(0, static_cast<u32>(scene.vertices.size()));
    scene.run(probe);
    return probe;
}

// All codes of red, and those of green and blue in another order, in a target of RGB565.
Probe probe_target_truncation()
{
    Probe probe("target-truncation");
    constexpr u32 kColumns = 256, kRows = 8;
    ProbeScene scene(kColumns, kRows);
    probe.upload(ProbeLayout::kTextures,
                 tiled_texels(kColumns, kRows, 4,
                              [](u32 x, u32) { return 0xFF | (255 - x) << 8 | x << 16 | x << 24; }));
    scene.texture(0, TextureFormat::RGBA8, kColumns, kRows);
    scene.write(reg::TEXENV_SOURCE::id, 0x00030003);
    scene.write(reg::COLORBUFFER_FORMAT::id, 3u << 16); // RGB565, 16 bits
    scene.rectangle(0, 0, kColumns, kRows);
    scene.draw(0, 6);
    scene.upload_vertices(probe);
    scene.clear(probe, 0, 0);
    probe.list(scene.finish());
    probe.read(ProbeLayout::kColor, kColumns * kRows * 2);
    return probe;
}

namespace
{

// A square in a target whose register 0x117 has this value.
Probe format_probe(const char* name, u32 format)
{
    Probe probe(name);
    ProbeScene scene = square_scene();
    scene.write(reg::COLORBUFFER_FORMAT::id, format);
    scene.draw(0, 6);
    scene.run(probe, 0x12345678);
    return probe;
}

constexpr u32 k32Bits = 2, kRgb8 = 1u << 16 | 1, kRgb5A1 = 2u << 16, kRgb565 = 3u << 16, kRgba4 = 4u << 16;

} // namespace

// Colour formats 5, 6 and 7. Alternatives: they are RGBA8, or RGBA4, or bit 2 has no effect.
Probe probe_color_format(u32 other)
{
    constexpr u32 kFormats[] = {5u << 16 | k32Bits, k32Bits, kRgba4, kRgb8};
    return format_probe("color-format-5", kFormats[other]);
}

Probe probe_color_format6(u32 other)
{
    constexpr u32 kFormats[] = {6u << 16 | k32Bits, k32Bits, kRgba4, kRgb5A1};
    return format_probe("color-format-6", kFormats[other]);
}

Probe probe_color_format7(u32 other)
{
    constexpr u32 kFormats[] = {7u << 16 | k32Bits, k32Bits, kRgba4, kRgb565};
    return format_probe("color-format-7", kFormats[other]);
}

// RGBA8, with the size of formats of 16 bits. Alternatives: it is one of these.
Probe probe_color_size(u32 other)
{
    constexpr u32 kFormats[] = {0, kRgb5A1, kRgb565, kRgba4};
    return format_probe("color-size", kFormats[other]);
}

namespace
{

// 0x11E and its copy.
void set_size(ProbeScene& scene, u32 width, u32 height)
{
    const u32 size = width | (height - 1) << 12 | 1u << 24;
    scene.write(reg::FRAMEBUFFER_DIM::id, size);
    scene.write(reg::RENDERBUF_DIM::id, size);
}

} // namespace

// A target of 12 x 16 pixels, of which a rectangle covers all. Alternatives: its second row of tiles begins 8 x 12 pixels
// behind the first, or behind whole tiles, two of them or one.
Probe probe_target_width(u32 other)
{
    Probe probe("target-width");
    constexpr u32 kWidth = 12, kSide = 16, kTile = 8;
    constexpr std::array<u32, 3> kSecondRow = {0, 2 * kTile * kTile, kTile * kTile};
    ProbeScene scene(kSide, kSide);
    ProbeVertex vertex;
    vertex.color = kExactColor;
    scene.rectangle(0, 0, kWidth, kTile, vertex);
    scene.rectangle(0, kTile, kWidth, kSide, vertex);
    set_size(scene, other == 0 ? kWidth : kSide, kSide);
    scene.draw(6, 6);
    if (other != 0) // the lower half, as a picture of its own
    {
        set_size(scene, kSide, kTile);
        const u32 offset = ProbeLayout::kColor + 4 * kSecondRow[other];
        scene.write(reg::COLORBUFFER_LOC::id, (probe_format::kVramGpu + offset) >> 3);
    }
    scene.draw(0, 6);
    scene.run(probe, 0x12345678);
    return probe;
}

// A target of 8 x 12 pixels. Alternatives: nothing is drawn, or row 0 is the last one of the last tile.
Probe probe_target_height(u32 other)
{
    Probe probe("target-height");
    constexpr u32 kWidth = 8, kHeight = 12, kTiles = 16;
    ProbeScene scene(kWidth, kTiles);
    ProbeVertex vertex;
    vertex.color = kExactColor;
    scene.rectangle(0, 0, kWidth, kHeight, vertex);
    set_size(scene, kWidth, other == 0 ? kHeight : kTiles);
    if (other != 1)
        scene.draw(0, 6);
    scene.run(probe, 0x12345678);
    return probe;
}

// A target of 40 x 32 pixels in blocks of 32 x 32. The alternative: its columns are drawn, as in two whole blocks.
Probe probe_block_width(u32 other)
{
    Probe probe("block-width");
    constexpr u32 kWidth = 40, kBlock = 32;
    ProbeScene scene(2 * kBlock, kBlock);
    ProbeVertex vertex;
    vertex.color = kExactColor;
    scene.rectangle(0, 0, kWidth, kBlock, vertex);
    scene.write(reg::FRAMEBUFFER_BLOCK32::id, 1);
    if (other == 0)
        set_size(scene, kWidth, kBlock);
    scene.draw(0, 6);
    scene.run(probe, 0x12345678);
    return probe;
}

} // namespace samples
