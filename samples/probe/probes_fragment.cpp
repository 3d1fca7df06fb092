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

} // namespace samples
