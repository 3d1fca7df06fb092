// SPDX-License-Identifier: MIT
// The order of the fragment blocks. Source of truth: fragment-operations.md,
// "Order", design.md "The one rule for each step". Tests: fragment_test.cpp, tests/golden/glsl
#include "shadergen/fragment.h"

#include "shadergen/constant_words.h"
#include "shadergen/fog.h"
#include "shadergen/fragment_module.h"
#include "shadergen/fragment_ops.h"
#include "shadergen/fragment_text.h"
#include "shadergen/gas.h"
#include "shadergen/interpolation.h"
#include "shadergen/lighting.h"
#include "shadergen/proctex.h"
#include "shadergen/shadow.h"
#include "shadergen/texenv.h"
#include "shadergen/texture_unit.h"

#include <algorithm>

namespace shadergen
{

using pica::OutputClass;
using pica::u32;

namespace
{

EdgeNeeds edge_needs(const pica::FragmentKey& key, const Target& target, bool shades)
{
    const bool textured = std::any_of(std::begin(key.texture), std::end(key.texture),
                                      [](const pica::TextureUnitKey& unit) { return unit.samples(); }) ||
                          key.proctex.enabled;
    if ((shades && (textured || key.uses_primary_color() || key.lighting.lights != 0)) ||
        key.depth_mode() == pica::DepthMode::W)
        return EdgeNeeds::Perspective;
    if (key.depth_mode() == pica::DepthMode::Z)
        return EdgeNeeds::Affine;
    return target.coverage_in_shader ? EdgeNeeds::Coverage : EdgeNeeds::None;
}

void write_main(FragmentText& text)
{
    const pica::FragmentKey& key = text.key;
    // What the combiners give is read by the output and by the alpha test alone.
    const bool shades = key.output != OutputClass::None || key.alpha_func != pica::CompareFunc::Always;
    write_scissor_exclude(text);
    write_edges(text, edge_needs(key, text.target, shades));
    std::string color;
    if (shades)
    {
        if (key.uses_primary_color())
            write_primary_color(text);
        for (u32 unit = 0; unit < 3; unit++)
            write_texture_unit(text, unit);
        write_proctex(text);
        write_lighting(text);
        color = write_texenv(text);
        write_alpha_test(text, color);
        color = write_fog(text, color);
    }
    if (key.gas.accumulate)
        return write_gas_accumulation(text, color);
    if (key.shadow_map != pica::DepthMode::None)
        return write_shadow_map(text, color);
    write_depth(text);
    write_output(text, color);
}

} // namespace

namespace
{

void write_fragment(FragmentText& text)
{
    const pica::FragmentKey& key = text.key;
    text.flat_constants = text.target.flat_constants;
    if (key.alpha_func == pica::CompareFunc::Never)
    {
        // The alpha test drops every fragment before anything else happens to it.
        if (key.output != OutputClass::None && !text.interlock)
            write_color(text, "vec4(0.0)");
        text.body.line("discard;");
        return;
    }
    write_main(text);
}

} // namespace

std::string generate_fragment(const pica::FragmentKey& key, const pica::RecordLayout& layout,
                              const Target& target)
{
    FragmentText text(key, layout, target);
    text.title = key.text();
    write_fragment(text);
    return assemble(text);
}

ConstantWords flat_constants(const pica::FragmentKey& key, const pica::RecordLayout& layout,
                             const Target& target)
{
    if (!target.flat_constants)
        return {};
    FragmentText text(key, layout, target);
    write_fragment(text);
    return varying_constants(text);
}

bool can_interlock(const pica::FragmentKey& key, const pica::OutputState& output)
{
    return key.output == OutputClass::Fetch && key.depth == pica::DepthMode::None && !output.depth_test &&
           !output.depth_write && !output.stencil_test;
}

} // namespace shadergen
