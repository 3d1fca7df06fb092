// SPDX-License-Identifier: MIT
#include "shadergen/uniform_blocks.h"

#include "shaders/include/layout.h"
#include "shaders/shader_texts.h"

namespace shadergen
{

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

} // namespace

std::string_view fragment_block_text()
{
    return struct_text("struct FragmentBlock");
}

void declare_fragment_block(GlslWriter& out)
{
    out.raw(fragment_block_text());
    out.line("layout(std140, set = ", number(SET_DRAW), ", binding = ", number(BINDING_FRAGMENT_BLOCK),
             ") uniform Draw { FragmentBlock draw; };");
}

void declare_lighting_block(GlslWriter& out)
{
    out.raw(struct_text("struct LightingBlock"));
    out.line("layout(std140, set = ", number(SET_DRAW), ", binding = ", number(BINDING_LIGHTING_BLOCK),
             ") uniform Lighting { LightingBlock lighting; };");
}

} // namespace shadergen
