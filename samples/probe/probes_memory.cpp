// SPDX-License-Identifier: MIT
// Probes of buffers that share memory, of pixels and texels beside their pictures, and of depth buffers without a stencil.
// Each function also makes the work that stands for an alternative (EquivalentWork).
#include "samples/probe/probe_scene.h"
#include "samples/probe/probes.h"

namespace samples
{

using namespace pica;

namespace
{

constexpr u32 kSize = 8;
constexpr std::array<f32, 4> kColor = {0.25f, 0.5f, 0.75f, 0.375f};

ProbeScene square_scene()
{
    ProbeScene scene(kSize, kSize);
    ProbeVertex vertex;
    vertex.color = kColor;
    vertex.position[2] = -0.5f;
    scene.rectangle(0, 0, kSize, kSize, vertex);
    return scene;
}

constexpr u32 gpu_word(u32 offset)
{
    return (probe_format::kVramGpu + offset) >> 3;
}

} // namespace

// Colour and depth have the same bytes, and both are written. Alternatives: the colour stays, or the depth.
Probe probe_shared_target(u32 other)
{
    Probe probe("shared-target");
    ProbeScene scene = square_scene();
    scene.write(reg::DEPTH_COLOR_MASK::id, 0x1F11); // always, written
    if (other != 1)
        scene.write(reg::DEPTHBUFFER_LOC::id, gpu_word(ProbeLayout::kColor));
    if (other == 2)
        scene.write(reg::COLORBUFFER_LOC::id, gpu_word(ProbeLayout::kDepth));
    scene.draw(0, 6);
    scene.run(probe, 0x12345678);
    return probe;
}

// A viewport of 32 pixels, and a target of 16: one rectangle is inside, the other one beside it. Alternatives: what is beside
// comes in the tiles that follow in memory, which are those of the next row, or at the beginning of its own row.
Probe probe_outside_target(u32 other)
{
    Probe probe("outside-target");
    constexpr u32 kWide = 32, kWidth = 16, kHeight = 16;
    ProbeScene scene(other == 0 ? kWide : kWidth, other == 0 ? kHeight : 2 * kHeight);
    ProbeVertex vertex;
    vertex.color = kColor;
    const u32 low = other == 0 ? 0 : kHeight, down = other == 1 ? 8 : 0, left = other == 0 ? kWidth : 0;
    scene.rectangle(0, static_cast<f32>(low + 8), 8, static_cast<f32>(low + 16), vertex);
    vertex.color = {1, 0.125f, 0, 0.75f};
    scene.rectangle(static_cast<f32>(left), static_cast<f32>(low - down), static_cast<f32>(left + kWidth),
                    static_cast<f32>(low - down + kHeight), vertex);
    if (other == 0)
    {
        const u32 size = kWidth | (kHeight - 1) << 12 | 1u << 24;
        scene.write(reg::FRAMEBUFFER_DIM::id, size);
        scene.write(reg::RENDERBUF_DIM::id, size);
    }
    scene.draw(0, 12);
    scene.run(probe, 0x12345678);
    return probe;
}

// A texture of two tiles, the second of which is behind the end of VRAM. The alternative: there all bits are 1.
Probe probe_texture_past_end(u32 other)
{
    Probe probe("texture-past-end");
    constexpr u32 kTileBytes = 8 * 8 * 4;
    const u32 place = other == 0 ? probe_format::kVramBytes - kTileBytes : ProbeLayout::kTextures;
    std::vector<u32> texels(kTileBytes / 4, 0x40C08020);
    if (other != 0)
        texels.resize(2 * texels.size(), 0xFFFFFFFF);
    ProbeScene scene(2 * kSize, kSize);
    probe.upload_words(place, texels);
    scene.texture(0, TextureFormat::RGBA8, 16, 8);
    scene.write(reg::TEXUNIT_ADDR::id, gpu_word(place));
    scene.write(reg::TEXENV_SOURCE::id, 0x00030003);
    scene.rectangle(0, 0, 2 * kSize, kSize);
    scene.draw(0, 6);
    scene.run(probe, 0x12345678);
    return probe;
}

// A texture whose address register is 0. Alternatives: it is transparent black, or opaque white.
Probe probe_texture_nowhere(u32 other)
{
    Probe probe("texture-nowhere");
    ProbeScene scene = square_scene();
    scene.texture(0, TextureFormat::RGBA8, kSize, kSize);
    scene.write(reg::TEXUNIT_ADDR::id, 0);
    scene.write(reg::TEXENV_SOURCE::id, other == 0 ? 0x00030003 : 0x000E000E); // or the constant
    scene.write(reg::TEXENV_COLOR::id, other == 2 ? 0xFFFFFFFF : 0);
    scene.draw(0, 6);
    scene.run(probe, 0x12345678);
    return probe;
}

// A stencil test against 5A with a depth buffer of 24 bits, which has no stencil. The alternative: the stored one is 0.
Probe probe_stencil_formats(u32 other)
{
    Probe probe("stencil-formats");
    ProbeScene scene = square_scene();
    scene.write(reg::DEPTHBUFFER_FORMAT::id, 2);    // D24
    scene.write(reg::STENCIL_TEST::id, 0xFF5AFF21); // equal to 5A
    if (other == 0)
        scene.draw(0, 6);
    scene.run(probe, 0x12345678);
    return probe;
}

// The gate 0x114 is closed, and a stencil test demands the stencil that is stored. The alternative: the gate has no effect.
Probe probe_stencil_read_gate(u32 other)
{
    Probe probe("stencil-read-gate");
    ProbeScene scene = square_scene();
    scene.write(reg::STENCIL_TEST::id, 0xFF5AFF21);
    scene.write(reg::DEPTHBUFFER_READ::id, other == 0 ? 0 : 3);
    scene.draw(0, 6);
    scene.run(probe, 0x12345678, 0x5A000000);
    return probe;
}

} // namespace samples
