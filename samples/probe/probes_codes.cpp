// SPDX-License-Identifier: MIT
// Probes of combiners: codes that no document names, and how many bits go from stage to stage. Each function also makes the
// work that stands for an alternative (EquivalentWork).
#include "samples/probe/probe_scene.h"
#include "samples/probe/probes.h"

namespace samples
{

using namespace pica;

namespace
{

constexpr u32 kCell = 8;
constexpr u32 kPrimary = 0, kConstant = 14, kPrevious = 15;

// The same for RGB and alpha.
constexpr u32 both(u32 value)
{
    return value | value << 16;
}

// A row of cells of 8 x 8 pixels in one colour; draw_cell draws one of them.
ProbeScene cell_scene(u32 cells, const std::array<f32, 4>& color)
{
    ProbeScene scene(cells * kCell, kCell);
    ProbeVertex vertex;
    vertex.color = color;
    for (u32 i = 0; i < cells; ++i)
        scene.rectangle(static_cast<f32>(i * kCell), 0, static_cast<f32>((i + 1) * kCell), kCell, vertex);
    return scene;
}

void draw_cell(ProbeScene& scene, u32 cell)
{
    scene.draw(6 * cell, 6);
}

// Stage 0 replaces, so stage 1 has a previous result that nothing has rounded.
void first_constant(ProbeScene& scene, u32 color)
{
    scene.write(reg::TEXENV_SOURCE::id, both(kConstant));
    scene.write(reg::TEXENV_COLOR::id, color);
}

} // namespace

// Sources 7 to 12. Alternatives: they are the primary colour, or 255.
Probe probe_combiner_sources(u32 other)
{
    Probe probe("combiner-sources");
    ProbeScene scene = cell_scene(6, kExactColor);
    scene.write(reg::TEXENV_COLOR::id, 0xFFFFFFFF);
    for (u32 i = 0; i < 6; ++i)
    {
        scene.write(reg::TEXENV_SOURCE::id, both(other == 0 ? 7 + i : other == 1 ? kPrimary : kConstant));
        draw_cell(scene, i);
    }
    scene.run(probe, 0x12345678);
    return probe;
}

// RGB operands without a name. Alternatives: odd ones invert, as all others do, or they give 0.
Probe probe_combiner_operands(u32 other)
{
    Probe probe("combiner-operands");
    ProbeScene scene = cell_scene(6, kExactColor);
    constexpr u32 kCodes[6] = {6, 7, 10, 11, 14, 15};
    if (other == 2)
        scene.write(reg::TEXENV_SOURCE::id, kConstant | kPrimary << 16); // the constant is black
    for (u32 i = 0; i < 6; ++i)
    {
        scene.write(reg::TEXENV_OPERAND::id, other == 0 ? kCodes[i] : other == 1 ? kCodes[i] & 1 : 0);
        draw_cell(scene, i);
    }
    scene.run(probe, 0x12345678);
    return probe;
}

// Operations 10 to 15. Alternatives: they replace, or their highest bit has no effect.
Probe probe_combiner_operations(u32 other)
{
    Probe probe("combiner-operations");
    ProbeScene scene = cell_scene(6, kExactColor);
    scene.write(reg::TEXENV_SOURCE::id, both(kPrimary | kConstant << 4 | kPrimary << 8));
    scene.write(reg::TEXENV_COLOR::id, 0xE01020E0);
    const auto operation = [other](u32 i) { return other == 0 ? 10 + i : other == 1 ? 0 : 2 + i; };
    for (u32 i = 0; i < 6; ++i)
    {
        // Dot products in alpha are another question.
        scene.write(reg::TEXENV_COMBINER::id, operation(i) | operation(i < 4 ? i : 0) << 16);
        draw_cell(scene, i);
    }
    scene.run(probe, 0x12345678);
    return probe;
}

// Alpha operations 6 and 7 beside an RGB operation that replaces. The alternative: 6 replaces, 7 is the dot product.
Probe probe_combiner_alpha_dot(u32 other)
{
    Probe probe("combiner-alpha-dot");
    ProbeScene scene = cell_scene(2, kExactColor);
    scene.write(reg::TEXENV_SOURCE::id, kPrimary | kConstant << 4 | both(kConstant) << 16);
    scene.write(reg::TEXENV_COLOR::id, 0x601020E0);
    scene.write(reg::TEXENV_COMBINER::id, (other == 0 ? 6u : 0u) << 16);
    draw_cell(scene, 0);
    scene.write(reg::TEXENV_COMBINER::id, 7u << 16);
    if (other != 0)
    {
        scene.write(reg::TEXENV_COMBINER::id, both(7));
        scene.color_mask(8);
        draw_cell(scene, 1);
        scene.write(reg::TEXENV_COMBINER::id, 0);
        scene.color_mask(7);
    }
    draw_cell(scene, 1);
    scene.run(probe, 0x12345678);
    return probe;
}

// Sums of 256, 382, 446 and 510, multiplied by a constant. The alternative: they are not cut to 255 before.
Probe probe_combiner_saturation(u32 other)
{
    Probe probe("combiner-saturation");
    ProbeScene scene = cell_scene(1, kExactColor);
    first_constant(scene, 0xFFE0C080);
    scene.write(reg::TEXENV_SOURCE::ids[1],
                both(other == 0 ? kPrevious | kPrevious << 4 | kConstant << 8 : kConstant));
    scene.write(reg::TEXENV_COMBINER::ids[1], both(other == 0 ? 9 : 0));
    scene.write(reg::TEXENV_COLOR::ids[1], other == 0 ? 0x3C5064A0 : 120u << 24 | 139 << 16 | 149 << 8 | 160);
    draw_cell(scene, 0);
    scene.run(probe, 0x12345678);
    return probe;
}

// Products whose fractions a second stage makes visible, because it multiplies by four. The alternative: they go on to it.
Probe probe_combiner_stage_bits(u32 other)
{
    Probe probe("combiner-stage-bits");
    ProbeScene scene = cell_scene(1, kExactColor);
    first_constant(scene, 48u << 24 | 32 << 16 | 96 << 8 | 64);
    constexpr u32 kFactors = 37u << 24 | 70 << 16 | 55 << 8 | 55;
    // 13.80, 20.70, 8.78 and 6.96 times four
    constexpr u32 kProducts = 27u << 24 | 35 << 16 | 82 << 8 | 55;
    scene.write(reg::TEXENV_SOURCE::ids[1], both(other == 0 ? kPrevious | kConstant << 4 : kConstant));
    scene.write(reg::TEXENV_COMBINER::ids[1], both(other == 0 ? 1 : 0));
    scene.write(reg::TEXENV_COLOR::ids[1], other == 0 ? kFactors : kProducts);
    scene.write(reg::TEXENV_SCALE::ids[2], both(other == 0 ? 2 : 0));
    draw_cell(scene, 0);
    scene.run(probe, 0x12345678);
    return probe;
}

} // namespace samples
