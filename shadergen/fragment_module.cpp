// SPDX-License-Identifier: MIT
// The text before main, and the loads of the triangle record. Tests: fragment_test.cpp, tests/golden/glsl
#include "shadergen/fragment_module.h"

#include "shadergen/fragment_ops.h"
#include "shadergen/fragment_text.h"
#include "shadergen/prelude.h"
#include "shadergen/raster_vertex.h"
#include "shadergen/uniform_blocks.h"
#include "shaders/include/layout.h"

#include <array>

namespace shadergen
{

namespace
{

using pica::u32;

void write_resources(const FragmentText& text, RecordPath path, GlslWriter& out)
{
    out.blank();
    if (text.draw_block)
        declare_fragment_block(out);
    if (text.lighting_block)
        declare_lighting_block(out);
    if (path == RecordPath::TexelBuffer && text.record_quads != 0)
    {
        out.line("layout(set = ", number(SET_DRAW), ", binding = ", number(BINDING_RECORD_TEXELS),
                 ") uniform isamplerBuffer record_texels;");
        out.line("layout(location = 0) flat in int triangle;");
    }
    if (path == RecordPath::FlatVaryings)
        for (u32 quad = 0; quad < MAX_VARYING_WORDS / 4; quad++)
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

ConstantWords varying_constants(const FragmentText& text)
{
    const u32 location = constant_location(text.layout, text.target);
    if (!text.flat_constants || location >= text.target.varying_words / 4u)
        return {};
    return constant_words(text.functions.text() + text.body.text(), text.target.varying_words - 4 * location);
}

std::string assemble(const FragmentText& text)
{
    GlslWriter out;
    out.line("#version 450");
    if (text.interlock)
        out.line("#extension GL_ARB_fragment_shader_interlock : require");
    if (text.voted)
        out.line("#extension GL_KHR_shader_subgroup_vote : require");
    out.line("// ", text.title);
    constexpr std::array<std::string_view, 9> kTexts = {"numeric.h",  "raster.h",  "shadow.h",
                                                        "lighting.h", "fog.h",     "texture.h",
                                                        "ties.h",     "proctex.h", "gas.h"};
    out.raw(prelude(text.target, kTexts, text.arithmetic));
    const RecordPath path = record_path(text.layout.words, text.target);
    write_resources(text, path, out);
    const ConstantWords constants = varying_constants(text);
    declare_constant_words(constants, constant_location(text.layout, text.target), "in", out);
    out.blank();
    out.raw(with_constant_words(text.functions.text(), constants));
    out.line("void main()");
    out.line("{");
    out.line("    ivec2 p = ivec2(gl_FragCoord.xy);");
    if (text.interlock)
        out.line("    bool alive = true;");
    write_record_loads(text, path, out);
    out.raw(with_constant_words(text.body.text(), constants));
    out.line("}");
    return out.text();
}

} // namespace shadergen
