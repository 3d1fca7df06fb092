// SPDX-License-Identifier: MIT
// Probes of combiners and of what happens to a fragment after them.
#include "samples/probe/probe_scene.h"
#include "samples/probe/probes.h"

namespace samples
{

using namespace pica;

namespace
{

constexpr u32 kSide = 256;
constexpr u32 kTexture0 = ProbeLayout::kTextures, kTexture1 = kTexture0 + ProbeLayout::kTextureBytes;

// A target of 256 x 256, whose columns are the values of texture unit 0 and rows those of unit 1, drawn by
// draw(0, 6). Alpha operands take red.
ProbeScene pair_scene(Probe& probe)
{
    ProbeScene scene(kSide, kSide);
    probe.upload(kTexture0, tiled_texels(kSide, 8, 1, [](u32 x, u32) { return x; }));
    probe.upload(kTexture1, tiled_texels(8, kSide, 1, [](u32, u32 y) { return y; }));
    scene.texture(0, TextureFormat::I8, kSide, 8);
    scene.texture(1, TextureFormat::I8, 8, kSide);
    scene.rectangle(0, 0, kSide, kSide);
    scene.write(reg::TEXENV_SOURCE::id, 0x0E430E43); // texture 0, texture 1, constant
    scene.write(reg::TEXENV_OPERAND::id, 0x222000);
    return scene;
}

void combine(ProbeScene& scene, CombinerOp op, u32 constant, u32 mask)
{
    scene.write(reg::TEXENV_COMBINER::id, static_cast<u32>(op) | static_cast<u32>(op) << 16);
    scene.write(reg::TEXENV_COLOR::id, constant * 0x01010101);
    scene.color_mask(mask);
    scene.draw(0, 6);
}

u32 blend_word(BlendEquation equation, BlendFactor source, BlendFactor destination)
{
    const u32 e = static_cast<u32>(equation), s = static_cast<u32>(source), d = static_cast<u32>(destination);
    return e | e << 8 | s << 16 | d << 20 | s << 24 | d << 28;
}

void blend(ProbeScene& scene, u32 word, u32 mask)
{
    scene.write(reg::BLEND_FUNC::id, word);
    scene.color_mask(mask);
    scene.draw(0, 6);
}

// The rows' values go to the target, then combiners pass on the columns'.
void store_rows(ProbeScene& scene)
{
    scene.write(reg::TEXENV_SOURCE::id, 0x00040004);
    scene.draw(0, 6);
    scene.write(reg::TEXENV_SOURCE::id, 0x00030003);
}

// The same with 8 rows, whose values are multiples of 36.
ProbeScene strip_scene(Probe& probe)
{
    ProbeScene scene(kSide, 8);
    probe.upload(kTexture0, tiled_texels(kSide, 8, 1, [](u32 x, u32) { return x; }));
    probe.upload(kTexture1, tiled_texels(8, 8, 1, [](u32, u32 y) { return 36 * y; }));
    scene.texture(0, TextureFormat::I8, kSide, 8);
    scene.texture(1, TextureFormat::I8, 8, 8);
    scene.rectangle(0, 0, kSide, 8);
    scene.write(reg::TEXENV_SOURCE::id, 0x0E430E43);
    scene.write(reg::TEXENV_OPERAND::id, 0x222000);
    return scene;
}

} // namespace

// All 2^16 pairs: R modulates, G interpolates by 77/255, B multiplies and adds 90, A adds and multiplies by 201/255.
Probe probe_combiner_rounding()
{
    Probe probe("combiner-rounding");
    ProbeScene scene = pair_scene(probe);
    combine(scene, CombinerOp::Modulate, 0, 1);
    combine(scene, CombinerOp::Interpolate, 77, 2);
    combine(scene, CombinerOp::MultiplyThenAdd, 90, 4);
    combine(scene, CombinerOp::AddThenMultiply, 201, 8);
    scene.run(probe);
    return probe;
}

// All 2^16 pairs: R is s * d, G and B are weighted by a constant, added and subtracted, A by source alpha.
Probe probe_blend_rounding()
{
    Probe probe("blend-rounding");
    ProbeScene scene = pair_scene(probe);
    store_rows(scene);
    scene.write(reg::BLEND_COLOR::id, 0x4D4D4D4D);
    blend(scene, blend_word(BlendEquation::Add, BlendFactor::DestColor, BlendFactor::Zero), 1);
    blend(scene,
          blend_word(BlendEquation::Add, BlendFactor::ConstantColor, BlendFactor::OneMinusConstantColor), 2);
    blend(scene,
          blend_word(BlendEquation::Subtract, BlendFactor::OneMinusConstantColor, BlendFactor::ConstantColor),
          4);
    blend(scene, blend_word(BlendEquation::Add, BlendFactor::SourceAlpha, BlendFactor::OneMinusSourceAlpha),
          8);
    scene.run(probe);
    return probe;
}

Probe probe_add_signed()
{
    Probe probe("add-signed");
    ProbeScene scene = strip_scene(probe);
    combine(scene, CombinerOp::AddSigned, 0, 15);
    scene.run(probe);
    return probe;
}

Probe probe_dot_product()
{
    Probe probe("dot-product");
    ProbeScene scene = strip_scene(probe);
    combine(scene, CombinerOp::Dot3Rgba, 0, 15);
    scene.run(probe);
    return probe;
}

// Source and destination factor have code 15, for which no name is known.
Probe probe_blend_factor15()
{
    Probe probe("blend-factor-15");
    ProbeScene scene = strip_scene(probe);
    store_rows(scene);
    blend(scene, blend_word(BlendEquation::Add, static_cast<BlendFactor>(15), BlendFactor::Zero), 7);
    scene.run(probe);
    return probe;
}

// Minimum in R, maximum in G, with factors that change which one is the smaller.
Probe probe_blend_minimum()
{
    Probe probe("blend-minimum");
    ProbeScene scene = strip_scene(probe);
    store_rows(scene);
    scene.write(reg::BLEND_COLOR::id, 0x40404040);
    blend(scene, blend_word(BlendEquation::Min, BlendFactor::ConstantColor, BlendFactor::One), 1);
    blend(scene, blend_word(BlendEquation::Max, BlendFactor::ConstantColor, BlendFactor::One), 2);
    scene.run(probe);
    return probe;
}

// Fragments that the alpha test drops would change the stencil if it came first.
Probe probe_alpha_stencil_order()
{
    Probe probe("alpha-stencil-order");
    ProbeScene scene = strip_scene(probe);
    scene.write(reg::TEXENV_SOURCE::id, 0x00030003);
    scene.write(reg::FRAGOP_ALPHA_TEST::id, 0x80 << 8 | 6 << 4 | 1); // greater than 128
    scene.write(reg::STENCIL_TEST::id, 0xFF00FF01);                  // never
    scene.write(reg::STENCIL_OP::id, 3);                             // count where it fails
    scene.draw(0, 6);
    scene.upload_vertices(probe);
    scene.clear(probe, 0, 0x11000000);
    probe.list(scene.finish());
    probe.read(ProbeLayout::kDepth, kSide * 8 * 4);
    return probe;
}

// Writes through the gate 0x113 = 0101.
Probe probe_color_gate()
{
    Probe probe("color-gate");
    ProbeScene scene = strip_scene(probe);
    scene.write(reg::TEXENV_SOURCE::id, 0x00030003);
    scene.write(reg::COLORBUFFER_WRITE::id, 5);
    scene.draw(0, 6);
    scene.run(probe, 0x12345678);
    return probe;
}

// A picture of different pixels in 32x32 blocks.
Probe probe_block32()
{
    Probe probe("block-32");
    constexpr u32 kSize = 64;
    ProbeScene scene(kSize, kSize);
    probe.upload(kTexture0,
                 tiled_texels(kSize, kSize, 4, [](u32 x, u32 y) { return 0x01000000 | x << 8 | y << 16; }));
    scene.texture(0, TextureFormat::RGBA8, kSize, kSize);
    scene.rectangle(0, 0, kSize, kSize);
    scene.write(reg::TEXENV_SOURCE::id, 0x00030003);
    scene.write(reg::FRAMEBUFFER_BLOCK32::id, 1);
    scene.draw(0, 6);
    scene.run(probe);
    return probe;
}

// A combiner reads a texture unit that is off.
Probe probe_texture_off()
{
    Probe probe("texture-off");
    ProbeScene scene(8, 8);
    scene.rectangle(0, 0, 8, 8);
    scene.write(reg::TEXENV_SOURCE::id, 0x00050005);
    scene.draw(0, 6);
    scene.run(probe, 0x12345678);
    return probe;
}

// Intensities from 0 to 255 are drawn into a shadow map with a penumbra of 1 / 1.3.
Probe probe_shadow_write()
{
    Probe probe("shadow-write");
    ProbeScene scene = strip_scene(probe);
    scene.write(reg::TEXENV_SOURCE::id, 0x00030003);
    scene.write(reg::COLOR_OPERATION::id, 0x00E40003);
    scene.write(reg::FRAGOP_SHADOW::id, 0x3D33); // constant 1.3, linear 0
    for (ProbeVertex& vertex : scene.vertices)
        vertex.position[2] = -0.75f;
    scene.draw(0, 6);
    scene.run(probe, 0xFFFFFFFF);
    return probe;
}

// Stage 0 adds the result of the stage before it to the primary colour; the third slot is the constant, which replaces it.
// Alternatives for alpha: the result before stage 0 is 0, or the primary colour.
Probe probe_stage0_previous(u32 other)
{
    Probe probe("stage0-previous");
    ProbeScene scene(8, 8);
    ProbeVertex vertex;
    vertex.color = {channel(64), channel(32), channel(16), channel(96)};
    scene.rectangle(0, 0, 8, 8, vertex);
    constexpr u32 kAlpha[] = {0xE0F, 0xE00, 0xE00};
    scene.write(reg::TEXENV_SOURCE::id, 0xE0F | kAlpha[other] << 16);
    scene.write(reg::TEXENV_COMBINER::id, 2 | (other == 1 ? 0u : 2u) << 16); // add; replace
    scene.write(reg::TEXENV_COLOR::id, 0x30405060);
    scene.draw(0, 6);
    scene.run(probe, 0x12345678);
    return probe;
}

} // namespace samples
