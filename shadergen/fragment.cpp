// SPDX-License-Identifier: MIT
// The order of the fragment blocks, and the text before main. Source of truth: fragment-operations.md,
// "Order", design.md "The one rule for each step". Tests: fragment_test.cpp, tests/golden/glsl
#include "shadergen/fragment.h"

#include "shadergen/fragment_blocks.h"
#include "shadergen/prelude.h"
#include "shaders/include/layout.h"
#include "shaders/shader_texts.h"

#include <algorithm>
#include <array>

namespace shadergen
{

using pica::OutputClass;
using pica::u32;

FragmentText::FragmentText(const pica::FragmentKey& k, const pica::RecordLayout& l, const Target& t)
    : key(k), layout(l), target(t),
      interlock(k.output == OutputClass::Fetch && k.depth == pica::DepthMode::None &&
                t.fetch_path == FetchPath::Interlock),
      cube(k.texture[0].samples() && k.texture[0].is_cube())
{
}

void FragmentText::define(std::string_view name, std::string_view definition)
{
    if (std::find(emitted.begin(), emitted.end(), name) != emitted.end())
        return;
    emitted.push_back(name);
    functions.raw(definition);
}

std::string FragmentText::word(u32 index)
{
    record_quads |= 1u << (index / 4);
    return "q" + number(index / 4) + "." + "xyzw"[index % 4];
}

std::string FragmentText::real_word(u32 index)
{
    return "intBitsToFloat(" + word(index) + ")";
}

std::string FragmentText::draw(std::string_view member)
{
    draw_block = true;
    return "draw." + std::string(member);
}

std::string FragmentText::lut_base(pica::LutTable table)
{
    luts = true;
    const u32 n = static_cast<u32>(table);
    return draw("lut_base[" + number(n / 4) + "].") + "xyzw"[n % 4];
}

std::string FragmentText::lut(pica::LutTable table, std::string_view index)
{
    return "texelFetch(luts, " + lut_base(table) + " + " + std::string(index) + ").xy";
}

void FragmentText::drop_if(std::string_view condition)
{
    if (interlock)
        body.line("alive = alive && !(", condition, ");");
    else
        body.line("if (", condition, ") discard;");
}

namespace
{

// The text of one struct of uniforms.h.
std::string_view struct_text(std::string_view header)
{
    const std::string_view text = shaders::text("uniforms.h");
    const std::size_t begin = text.find(header);
    if (begin == text.npos)
        return {};
    return text.substr(begin, text.find("};", begin) + 3 - begin);
}

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

void write_resources(const FragmentText& text, RecordPath path, GlslWriter& out)
{
    out.blank();
    if (text.draw_block)
    {
        out.raw(struct_text("struct FragmentBlock"));
        out.line("layout(std140, set = ", number(SET_DRAW), ", binding = ", number(BINDING_FRAGMENT_BLOCK),
                 ") uniform Draw { FragmentBlock draw; };");
    }
    if (text.lighting_block)
    {
        out.raw(struct_text("struct LightingBlock"));
        out.line("layout(std140, set = ", number(SET_DRAW), ", binding = ", number(BINDING_LIGHTING_BLOCK),
                 ") uniform Lighting { LightingBlock lighting; };");
    }
    if (path == RecordPath::TexelBuffer && text.record_quads != 0)
    {
        out.line("layout(set = ", number(SET_DRAW), ", binding = ", number(BINDING_RECORD_TEXELS),
                 ") uniform isamplerBuffer record_texels;");
        out.line("layout(location = 0) flat in int triangle;");
    }
    if (path == RecordPath::FlatVaryings)
        for (u32 quad = 0; quad < 16; quad++)
            if ((text.record_quads >> quad & 1) != 0)
                out.line("layout(location = ", number(quad), ") flat in ivec4 q", number(quad), ";");
    if (text.luts)
        out.line("layout(set = ", number(SET_DRAW), ", binding = ", number(BINDING_LUTS),
                 ") uniform usamplerBuffer luts;");
    for (u32 unit = 0; unit < 3; unit++)
        if ((text.textures >> unit & 1) != 0)
            out.line("layout(set = ", number(SET_TEXTURES), ", binding = ", number(BINDING_TEXTURE0 + unit),
                     ") uniform usampler2D", unit == 0 && text.cube ? "Array" : "", " texture_image",
                     number(unit), ";");
    if (text.gas_depth)
        out.line("layout(set = ", number(SET_TEXTURES), ", binding = ", number(BINDING_GAS_DEPTH),
                 ") uniform usampler2D gas_depth;");
    write_output_declarations(text, out);
}

void write_record_loads(const FragmentText& text, RecordPath path, GlslWriter& out)
{
    if (path != RecordPath::TexelBuffer || text.record_quads == 0)
        return;
    out.line("    int record = triangle * ", number(text.layout.words / 4u), ";");
    for (u32 quad = 0; quad < 32; quad++)
        if ((text.record_quads >> quad & 1) != 0)
            out.line("    ivec4 q", number(quad), " = texelFetch(record_texels, record + ", number(quad),
                     ");");
}

} // namespace

void write_primary_color(FragmentText& text)
{
    text.use("color_code");
    text.body.blank();
    text.body.line("// Primary colour");
    std::string channel[4];
    for (u32 c = 0; c < 4; c++)
        channel[c] =
            "color_code(" + interpolated(text, text.layout.color == 0 ? 0 : text.layout.color + 3 * c) + ")";
    text.body.line("vec4 primary = vec4(", channel[0], ",");
    text.body.line("                    ", channel[1], ",");
    text.body.line("                    ", channel[2], ",");
    text.body.line("                    ", channel[3], ");");
}

std::string assemble(const FragmentText& text)
{
    GlslWriter out;
    out.line("#version 450");
    if (text.interlock)
        out.line("#extension GL_ARB_fragment_shader_interlock : require");
    out.line("// ", text.title);
    constexpr std::array<std::string_view, 9> kTexts = {"numeric.h",  "raster.h",  "shadow.h",
                                                        "lighting.h", "fog.h",     "texture.h",
                                                        "ties.h",     "proctex.h", "gas.h"};
    out.raw(prelude(text.target, kTexts, text.arithmetic));
    const RecordPath path = record_path(text.layout.words, text.target);
    write_resources(text, path, out);
    out.blank();
    out.raw(text.functions.text());
    out.line("void main()");
    out.line("{");
    out.line("    ivec2 p = ivec2(gl_FragCoord.xy);");
    if (text.interlock)
        out.line("    bool alive = true;");
    write_record_loads(text, path, out);
    out.raw(text.body.text());
    out.line("}");
    return out.text();
}

std::string generate_fragment(const pica::FragmentKey& key, const pica::RecordLayout& layout,
                              const Target& target)
{
    FragmentText text(key, layout, target);
    text.title = key.text();
    if (key.alpha_func == pica::CompareFunc::Never)
    {
        // The alpha test drops every fragment before anything else happens to it.
        if (key.output != OutputClass::None && !text.interlock)
            write_color(text, "vec4(0.0)");
        text.body.line("discard;");
        return assemble(text);
    }
    write_main(text);
    return assemble(text);
}

RecordPath record_path(pica::u8 record_words, const Target& target)
{
    if (target.coverage_in_shader || record_words > MAX_FLAT_RECORD_WORDS)
        return RecordPath::TexelBuffer;
    return target.record_path;
}

bool can_interlock(const pica::FragmentKey& key, const pica::OutputState& output)
{
    return key.output == OutputClass::Fetch && key.depth == pica::DepthMode::None && !output.depth_test &&
           !output.depth_write && !output.stencil_test;
}

} // namespace shadergen
