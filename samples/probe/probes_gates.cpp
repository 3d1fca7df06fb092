// SPDX-License-Identifier: MIT
// Probes of gates and masks in front of the targets, and of registers that drop pixels. Each function also makes the work
// that stands for an alternative (EquivalentWork).
#include "samples/probe/probe_scene.h"
#include "samples/probe/probes.h"

namespace samples
{

using namespace pica;

namespace
{

constexpr u32 kSize = kSquare;

} // namespace

// What is stored is added while the gate 0x112 is closed. The alternative: the gate has no effect.
Probe probe_read_gate(u32 other)
{
    Probe probe("read-gate");
    ProbeScene scene = square_scene();
    scene.write(reg::BLEND_FUNC::id, 0x11110000);
    scene.write(reg::COLORBUFFER_READ::id, other == 0 ? 0 : 0xF);
    scene.draw(0, 6);
    scene.run(probe, 0x40302010);
    return probe;
}

// A draw that writes red alone while the gate 0x112 is closed. The alternative: the other channels keep what is stored.
Probe probe_read_gate_mask(u32 other)
{
    Probe probe("read-gate-mask");
    ProbeScene scene = square_scene();
    scene.color_mask(1);
    scene.write(reg::COLORBUFFER_READ::id, other == 0 ? 0 : 0xF);
    scene.draw(0, 6);
    scene.run(probe, 0x40302010);
    return probe;
}

// Depth and stencil are written through the gate 0x115 = 1 on the left, and 2 on the right. The alternative: bit 0 is
// for the stencil, bit 1 for depth.
Probe probe_depth_gate(u32 other)
{
    Probe probe("depth-gate");
    ProbeScene scene(2 * kSize, kSize);
    const ProbeVertex vertex;
    scene.rectangle(0, 0, kSize, kSize, vertex);
    scene.rectangle(kSize, 0, 2 * kSize, kSize, vertex);
    scene.write(reg::STENCIL_TEST::id, 0xFF5AFF11); // always, 5A
    scene.write(reg::STENCIL_OP::id, 0x200);        // replaces
    scene.write(reg::DEPTH_COLOR_MASK::id, other == 0 ? 0x1F11 : 0x0F11);
    scene.write(reg::DEPTHBUFFER_WRITE::id, other == 0 ? 1 : 3);
    scene.draw(0, 6);
    scene.write(reg::STENCIL_OP::id, other == 0 ? 0x200 : 0);
    scene.write(reg::DEPTH_COLOR_MASK::id, 0x1F11); // always, written
    scene.write(reg::DEPTHBUFFER_WRITE::id, other == 0 ? 2 : 3);
    scene.draw(6, 6);
    scene.upload_vertices(probe);
    scene.clear(probe, 0, 0x11345678);
    probe.list(scene.finish());
    probe.read(ProbeLayout::kDepth, 2 * kSize * kSize * 4);
    return probe;
}

// A shadow map is drawn with no channel in the mask on the left, and with a depth test that nothing passes on the right.
// Alternatives: the mask counts, or the depth test.
Probe probe_shadow_map_masks(u32 other)
{
    Probe probe("shadow-map-masks");
    ProbeScene scene(2 * kSize, kSize);
    ProbeVertex vertex;
    vertex.color = {0, 0, 0, 1};
    scene.rectangle(0, 0, kSize, kSize, vertex);
    scene.rectangle(kSize, 0, 2 * kSize, kSize, vertex);
    scene.write(reg::COLOR_OPERATION::id, 0x00E40003);
    scene.write(reg::FRAGOP_SHADOW::id, 0x3C00);
    scene.write(reg::DEPTH_COLOR_MASK::id, 0);
    if (other != 1)
        scene.draw(0, 6);
    scene.write(reg::DEPTH_COLOR_MASK::id, 0x0F01); // never
    if (other != 2)
        scene.draw(6, 6);
    scene.run(probe, 0xFFFFFFFF);
    return probe;
}

// A shadow map is drawn on the left, outside of the scissor rectangle, in the middle, culled, and on the right, where 0x117 says
// RGB565. Alternatives: scissor or culling do not count, or no shadow map is drawn in such a format.
Probe probe_shadow_map_bounds(u32 other)
{
    Probe probe("shadow-map-bounds");
    ProbeScene scene(3 * kSize, kSize);
    ProbeVertex vertex;
    vertex.color = {0, 0, 0, 1};
    for (u32 i = 0; i < 3; ++i)
        scene.rectangle(static_cast<f32>(i * kSize), 0, static_cast<f32>((i + 1) * kSize), kSize, vertex);
    scene.write(reg::COLOR_OPERATION::id, 0x00E40003);
    scene.write(reg::FRAGOP_SHADOW::id, 0x3C00);
    scene.write(reg::SCISSORTEST_POS::id, kSize);
    scene.write(reg::SCISSORTEST_DIM::id, (3 * kSize - 1) | (kSize - 1) << 16);
    scene.write(reg::SCISSORTEST_MODE::id, other == 1 ? 0 : 3);
    scene.draw(0, 6);
    scene.write(reg::FACECULLING_CONFIG::id, other == 2 ? 0 : 1);
    scene.draw(6, 6);
    scene.write(reg::FACECULLING_CONFIG::id, 0);
    scene.write(reg::COLORBUFFER_FORMAT::id, 3u << 16);
    if (other != 3)
        scene.draw(12, 6);
    scene.run(probe, 0xFFFFFFFF);
    return probe;
}

namespace
{

// What leaves nothing of a draw by other fragment operations: a closed gate, or a test that nothing passes.
struct Obstacle
{
    u32 id, value;
};

// Draws a square behind each of four obstacles. counts: the number of the one that counts, from 1 on; 0: none.
void draw_behind(ProbeScene& scene, const std::array<Obstacle, 4>& obstacles, u32 counts,
                 const ProbeVertex& like)
{
    for (u32 i = 0; i < obstacles.size(); ++i)
    {
        scene.rectangle(static_cast<f32>(i * kSize), 0, static_cast<f32>((i + 1) * kSize), kSize, like);
        const u32 before = scene.value(obstacles[i].id);
        scene.write(obstacles[i].id, obstacles[i].value);
        if (i + 1 != counts)
            scene.draw(6 * i, 6);
        scene.write(obstacles[i].id, before);
    }
}

constexpr Obstacle kReadGate = {reg::COLORBUFFER_READ::id, 0}, kWriteGate = {reg::COLORBUFFER_WRITE::id, 0},
                   kAlphaTest = {reg::FRAGOP_ALPHA_TEST::id, 1},
                   kStencilTest = {reg::STENCIL_TEST::id, 0xFF01FF01},
                   kColorMask = {reg::DEPTH_COLOR_MASK::id, 0};

} // namespace

// A shadow map is drawn, a square each, with the gates 0x112 and 0x113 closed, and with alpha and stencil tests that nothing
// passes. Alternatives: one of them counts.
Probe probe_shadow_map_gates(u32 other)
{
    Probe probe("shadow-map-gates");
    ProbeScene scene(4 * kSize, kSize);
    ProbeVertex vertex;
    vertex.color = {0, 0, 0, 1};
    scene.write(reg::COLOR_OPERATION::id, 0x00E40003);
    scene.write(reg::FRAGOP_SHADOW::id, 0x3C00);
    draw_behind(scene, {kReadGate, kWriteGate, kAlphaTest, kStencilTest}, other, vertex);
    scene.run(probe, 0xFFFFFFFF);
    return probe;
}

// Gas is added, a square each, with no channel in the mask, with the gate 0x113 closed, and with alpha and stencil tests that
// nothing passes. Alternatives: one of them counts.
Probe probe_gas_masks(u32 other)
{
    Probe probe("gas-masks");
    ProbeScene scene(4 * kSize, kSize);
    ProbeVertex vertex;
    vertex.position[2] = -0.5f;
    vertex.color = {1, 0, 0, 0};
    scene.write(reg::COLOR_OPERATION::id, 0x00E40001);
    scene.write(reg::GAS_DELTAZ_DEPTH::id, 1u << 24); // nothing for the second sum
    draw_behind(scene, {kColorMask, kWriteGate, kAlphaTest, kStencilTest}, other, vertex);
    scene.run(probe);
    return probe;
}

// Two squares whose triangles go around in different ways, of which culling leaves one; row 0 is at the top (0x11E bit 24
// is 0). The alternative: then the other one is left.
Probe probe_cull_flip(u32 other)
{
    Probe probe("cull-flip");
    ProbeScene scene(2 * kSize, kSize);
    ProbeVertex vertex;
    vertex.color = kExactColor;
    scene.rectangle(0, 0, kSize, kSize, vertex);
    scene.rectangle(2 * kSize, 0, kSize, kSize, vertex);
    const u32 size = 2 * kSize | (kSize - 1) << 12;
    scene.write(reg::FRAMEBUFFER_DIM::id, size);
    scene.write(reg::RENDERBUF_DIM::id, size);
    scene.write(reg::FACECULLING_CONFIG::id, other == 0 ? 1 : 2);
    scene.draw(0, 12);
    scene.run(probe);
    return probe;
}

// Register 0x060 with bits 8-9 = 1: by GBATEK every second pixel is drawn. Alternatives: columns, or a chequerboard.
Probe probe_pixel_pattern(u32 other)
{
    Probe probe("pixel-pattern");
    constexpr u32 kSide = 16;
    ProbeScene scene(kSide, kSide);
    if (other == 0)
        scene.rectangle(0, 0, kSide, kSide);
    else
        for (u32 y = 0; y < kSide; ++y)
            for (u32 x = other == 1 ? 0 : y % 2; x < kSide; x += 2)
                scene.rectangle(static_cast<f32>(x), static_cast<f32>(y), static_cast<f32>(x + 1),
                                static_cast<f32>(y + 1));
    scene.write(reg::UNKNOWN_060::id, other == 0 ? 0x100 : 0);
    scene.draw(0, static_cast<u32>(scene.vertices.size()));
    scene.write(reg::UNKNOWN_060::id, 0); // no other probe writes it
    scene.run(probe);
    return probe;
}

// The reciprocal of the viewport's width (0x042) is twice what belongs to its width. The alternative: coordinates change twice
// as fast from the left to the right.
Probe probe_viewport_inverse(u32 other)
{
    Probe probe("viewport-inverse");
    constexpr u32 kSide = 64;
    ProbeScene scene(kSide, kSize), half(kSide / 2, kSize);
    probe.upload(
        ProbeLayout::kTextures,
        tiled_texels(8, 8, 4, [](u32 x, u32) { return 0xFF | x << 13 | (7 - x) << 21 | (x & 1) << 31; }));
    scene.texture(0, TextureFormat::RGBA8, 8, 8);
    scene.write(reg::TEXENV_SOURCE::id, 0x00030003);
    scene.rectangle(0, 0, kSide, kSize);
    for (ProbeVertex& vertex : scene.vertices)
        vertex.texcoords[0] *= other == 0 ? 0.5f : 1.0f;
    if (other == 0)
        scene.write(reg::VIEWPORT_INVW::id, half.value(reg::VIEWPORT_INVW::id));
    scene.draw(0, 6);
    scene.run(probe);
    return probe;
}

// A scissor rectangle at the lower left, drawn with row 0 at the top (0x11E bit 24 is 0). The alternative: it counts rows of
// memory.
Probe probe_scissor_flip(u32 other)
{
    Probe probe("scissor-flip");
    constexpr u32 kSide = 16;
    ProbeScene scene(kSide, kSide);
    ProbeVertex vertex;
    vertex.color = kExactColor;
    scene.rectangle(0, 0, kSide, kSide, vertex);
    const u32 size = kSide | (kSide - 1) << 12, low = other == 0 ? 0 : kSide - 4;
    scene.write(reg::FRAMEBUFFER_DIM::id, size);
    scene.write(reg::RENDERBUF_DIM::id, size);
    scene.write(reg::SCISSORTEST_MODE::id, 3);
    scene.write(reg::SCISSORTEST_POS::id, low << 16);
    scene.write(reg::SCISSORTEST_DIM::id, 7 | (low + 3) << 16);
    scene.draw(0, 6);
    scene.run(probe);
    return probe;
}

// A depth test "greater" against the largest depth, with the gate 0x114 closed. The alternative: the stored depth counts.
Probe probe_depth_read_gate(u32 other)
{
    Probe probe("depth-read-gate");
    ProbeScene scene = square_scene();
    for (ProbeVertex& vertex : scene.vertices)
        vertex.position[2] = -0.5f;
    scene.write(reg::DEPTH_COLOR_MASK::id, 0x0F61);
    scene.write(reg::DEPTHBUFFER_READ::id, other == 0 ? 0 : 3);
    scene.draw(0, 6);
    scene.run(probe, 0x12345678, 0x00FFFFFF);
    return probe;
}

// Stencil operations that count up, while the gate 0x114 is closed: the stencil test fails on the left, the depth test in the
// middle, and none on the right. Alternatives: they count from 0, or keep what is stored, or count from 0 and clear the depth.
Probe probe_stencil_closed_gate(u32 other)
{
    Probe probe("stencil-closed-gate");
    constexpr u32 kKeep = 0, kReplace = 0x222, kIncrement = 0x333; // behind all three results
    constexpr std::array<u32, 3> kOperations = {kIncrement, kKeep, kReplace};
    constexpr std::array<u32, 3> kStencilTests = {0xFF01FF01, 0xFF01FF11,
                                                  0xFF01FF11}, // never, always, always
        kDepthTests = {0x0F00, 0x0F01, 0x0F00};                // off, never, off
    ProbeScene scene(3 * kSize, kSize);
    scene.write(reg::STENCIL_OP::id, kOperations[other]);
    scene.write(reg::DEPTHBUFFER_READ::id, other == 0 ? 0 : 3);
    for (u32 i = 0; i < 3; ++i)
    {
        scene.rectangle(static_cast<f32>(i * kSize), 0, static_cast<f32>((i + 1) * kSize), kSize);
        scene.write(reg::STENCIL_TEST::id, kStencilTests[i]);
        scene.write(reg::DEPTH_COLOR_MASK::id, kDepthTests[i]);
        scene.draw(6 * i, 6);
    }
    scene.upload_vertices(probe);
    scene.clear(probe, 0, other == 2 ? 0x20000000 : 0x20345678);
    probe.list(scene.finish());
    probe.read(ProbeLayout::kDepth, 3 * kSize * kSize * 4);
    return probe;
}

// The gate 0x114 = 1 with a depth test on the left, which the stored depth does not pass and 0 does, and 2 with a stencil test
// on the right, which the stored stencil passes and 0 does not. The alternative: bit 0 is for the stencil, bit 1 for depth.
Probe probe_depth_read_bits(u32 other)
{
    Probe probe("depth-read-bits");
    ProbeScene scene(2 * kSize, kSize);
    ProbeVertex vertex;
    vertex.position[2] = -0.5f;
    vertex.color = kExactColor;
    scene.rectangle(0, 0, kSize, kSize, vertex);
    scene.rectangle(kSize, 0, 2 * kSize, kSize, vertex);
    scene.write(reg::DEPTH_COLOR_MASK::id, other == 0 ? 0x0F61 : 0x0F00);
    scene.write(reg::DEPTHBUFFER_READ::id, 1);
    scene.draw(0, 6);
    scene.write(reg::DEPTH_COLOR_MASK::id, 0x0F00);
    scene.write(reg::STENCIL_TEST::id, 0xFF5AFF21); // equal to 5A
    scene.write(reg::DEPTHBUFFER_READ::id, 2);
    if (other == 0)
        scene.draw(6, 6);
    scene.run(probe, 0x12345678, 0x5AFFFFFF);
    return probe;
}

// What is stored is added to 0 through the gate 0x112 = 1, 2, 4 and 8. The alternative: a bit opens one channel.
Probe probe_color_read_bits(u32 other)
{
    Probe probe("color-read-bits");
    ProbeScene scene(4 * kSize, kSize);
    ProbeVertex vertex;
    vertex.color = {0, 0, 0, 0};
    for (u32 i = 0; i < 4; ++i)
        scene.rectangle(static_cast<f32>(i * kSize), 0, static_cast<f32>((i + 1) * kSize), kSize, vertex);
    for (u32 i = 0; i < 4; ++i)
    {
        scene.write(reg::COLORBUFFER_READ::id, other == 0 ? 1u << i : 0xF);
        scene.write(reg::BLEND_FUNC::id, 0x11110000);
        scene.color_mask(other == 0 ? 0xF : 1u << i);
        scene.draw(6 * i, 6);
        if (other == 0)
            continue;
        // The other channels are those of the source.
        scene.write(reg::BLEND_FUNC::id, 0x01010000);
        scene.color_mask(0xF & ~(1u << i));
        scene.draw(6 * i, 6);
    }
    scene.run(probe, 0x40302010);
    return probe;
}

} // namespace samples
