// SPDX-License-Identifier: MIT
// Shadow map rendering. Source of truth: pica/hardware/shadow-maps.md, design.md row "Shadow write"; the
// arithmetic is shaders/include/shadow.h. A texel is an RGBA8 pixel: depth in a (most significant), b, g,
// intensity in r. Tests: fragment_test.cpp, tests/golden/glsl
#include "shadergen/shadow.h"

#include "shadergen/fragment_ops.h"
#include "shadergen/fragment_text.h"
#include "shadergen/interpolation.h"

namespace shadergen
{

void write_shadow_map(FragmentText& text, const std::string& color)
{
    write_window_depth(text);
    text.use("depth_code");
    text.use("shadow_intensity");
    GlslWriter& out = text.body;
    out.blank();
    out.line("// Shadow map");
    if (text.interlock)
        out.line("beginInvocationInterlockARB();");
    write_destination(text);
    out.line("int z = depth_code(window_depth, 16777215.0);");
    out.line("int stored = int(destination.a) << 16 | int(destination.b) << 8 | int(destination.g);");
    out.line("vec4 texel = destination;");
    out.line("if (z < stored && ", color, ".g == 0.0)");
    out.line("    texel = vec4(destination.r, float(z & 255), float(z >> 8 & 255), float(z >> 16));");
    out.line("if (z < stored && ", color, ".g > 0.0)");
    out.line("    texel.r = min(destination.r, shadow_intensity(z, stored, ", color, ".g, ",
             text.draw("proctex_scale.w"), ", ", text.draw("fog_color.w"), "));");
    write_color(text, "texel");
}

} // namespace shadergen
