// SPDX-License-Identifier: MIT
// The uniform blocks of graphics pipelines as texts of shaders.
#pragma once

#include "shadergen/glsl_writer.h"

#include <string_view>

namespace shadergen
{

// struct FragmentBlock of shaders/include/uniforms.h.
std::string_view fragment_block_text();
// Declare the blocks as `draw` and `lighting`.
void declare_fragment_block(GlslWriter& out);
void declare_lighting_block(GlslWriter& out);

} // namespace shadergen
