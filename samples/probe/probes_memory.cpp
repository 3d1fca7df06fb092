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

constexpr u32 kSize = kSquare;

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
    vertex.color = kExactColor;
    const u32 low = other == 0 ? 0 : kHeight, down = other == 1 ? 8 : 0, left = other == 0 ? kWidth : 0;
    scene.rectangle(0, static_cast<f32>(low + 8), 8, static_cast<f32>(low + 16), vertex);
    vertex.color = {0, 1, 1, 0};
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

namespace
{

// Components of a texel, from bit 0 on: r, g, b, a.
constexpr u32 kRed = 1, kGreen = 2, kBlue = 4, kAlpha = 8;

// Draws to one channel: 0 where all components of the texel are 0, or 255 if they are in `full`; else 255. Four products
// with 4 make 255 of a 1, so this is exact, and which other texel there was is in no answer.
void draw_difference(ProbeScene& scene, u32 channel, u32 full)
{
    constexpr std::array<u32, 4> kColorOperands = {4, 8, 12, 2}, kAlphaOperands = {2, 4, 6, 0};
    const auto operands = [&](u32 first, u32 component)
    {
        const u32 inverted = full >> component & 1;
        return (kColorOperands[component] | inverted) << 4 * first | (kAlphaOperands[component] | inverted)
                                                                         << (12 + 4 * first);
    };
    for (u32 stage = 0; stage < 6; ++stage)
    {
        const u32 sources = stage == 0 ? 0x33 : stage < 3 ? 0x3F : 0x0F; // texture 0, or previous
        scene.write(reg::TEXENV_SOURCE::ids[stage], sources * 0x10001);
        scene.write(reg::TEXENV_OPERAND::ids[stage], stage == 0  ? operands(0, 0) | operands(1, 1)
                                                     : stage < 3 ? operands(1, stage + 1)
                                                                 : 0);
        scene.write(reg::TEXENV_COMBINER::ids[stage], stage < 3 ? 0x20002 : 0); // the sum, or the first
        scene.write(reg::TEXENV_SCALE::ids[stage], 0x20002);                    // times 4
    }
    scene.color_mask(channel);
    scene.draw(0, 6);
}

} // namespace

// A texture of two tiles, the second of which is behind the end of VRAM. The answer has a bit for each texel and question: is it
// 0, all bits 1, that of the beginning of VRAM, that of the tile before? Alternatives: as the questions say.
Probe probe_texture_past_end(u32 other)
{
    Probe probe("texture-past-end");
    constexpr u32 kTileBytes = 8 * 8 * 4, kTexels = kTileBytes / 4, kTarget = ProbeLayout::kDepth;
    constexpr std::array<u32, 4> kSecond = {0, 0xFFFFFFFF, 0xFF00FF00, 0xFFFF0000};
    const u32 place = other == 0 ? probe_format::kVramBytes - kTileBytes : ProbeLayout::kTextures;
    std::vector<u32> texels(kTexels, kSecond[3]);
    if (other != 0)
        texels.resize(2 * kTexels, kSecond[other]);
    ProbeScene scene(2 * kSize, kSize);
    probe.upload_words(0, std::vector<u32>(kTexels, kSecond[2]));
    probe.upload_words(place, texels);
    scene.texture(0, TextureFormat::RGBA8, 16, 8);
    scene.write(reg::TEXUNIT_ADDR::id, gpu_word(place));
    scene.write(reg::COLORBUFFER_LOC::id, gpu_word(kTarget)); // the beginning of VRAM stays
    scene.write(reg::DEPTHBUFFER_LOC::id, gpu_word(2 * kTarget + kTarget));
    scene.rectangle(0, 0, 2 * kSize, kSize);
    draw_difference(scene, kRed, 0);
    draw_difference(scene, kGreen, kRed | kGreen | kBlue | kAlpha);
    draw_difference(scene, kBlue, kRed | kBlue);
    draw_difference(scene, kAlpha, kRed | kGreen);
    scene.upload_vertices(probe);
    probe.list(scene.finish());
    probe.read(kTarget, 2 * kTileBytes);
    return probe;
}

// A texture whose address register is 0, where the console may have code of its own. So the answer has only a bit for each texel
// and question: is it opaque black, transparent black, opaque white? Alternatives: one of them everywhere, or none anywhere.
Probe probe_texture_nowhere(u32 other)
{
    Probe probe("texture-nowhere");
    ProbeScene scene = square_scene();
    if (other > 1)
        probe.upload_words(ProbeLayout::kTextures,
                           std::vector<u32>(kSize * kSize, other == 2 ? 0xFFFFFFFF : 0x12345678));
    scene.texture(0, TextureFormat::RGBA8, kSize, kSize);
    if (other == 0)
        scene.write(reg::TEXUNIT_ADDR::id, 0);
    draw_difference(scene, kRed, kAlpha);
    draw_difference(scene, kGreen, 0);
    draw_difference(scene, kBlue, kRed | kGreen | kBlue | kAlpha);
    scene.run(probe);
    return probe;
}

// Stencil tests for 0, 5A and 255, a square each, with a depth buffer of 24 bits, which has no stencil. Alternatives: the
// stored one is 0 or 255, or no test passes.
Probe probe_stencil_formats(u32 other)
{
    Probe probe("stencil-formats");
    ProbeScene scene(3 * kSize, kSize);
    constexpr std::array<u32, 3> kReferences = {0, 0x5A, 0xFF};
    scene.write(reg::DEPTHBUFFER_FORMAT::id, 2); // D24
    ProbeVertex vertex;
    vertex.color = kExactColor;
    for (u32 i = 0; i < 3; ++i)
    {
        scene.rectangle(static_cast<f32>(i * kSize), 0, static_cast<f32>((i + 1) * kSize), kSize, vertex);
        scene.write(reg::STENCIL_TEST::id, 0xFF00FF21 | kReferences[i] << 16); // equal
        if (other == 0 || (other == 1 && i == 0) || (other == 2 && i == 2))
            scene.draw(6 * i, 6);
    }
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
