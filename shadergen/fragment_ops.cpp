// SPDX-License-Identifier: MIT
// Scissor exclusion, alpha test, blending and logic operations in the shader, colour output. Source of truth:
// pica/hardware/fragment-operations.md; framebuffer.md, "Colour formats"; design.md, rows "Alpha test",
// "Blend", "Logic op", "Pack" and Part II 2.6. Tests: fragment_test.cpp, tests/golden/glsl
#include "shadergen/fragment_ops.h"

#include "pica/texture/format.h"
#include "shadergen/blending.h"
#include "shadergen/fragment_text.h"
#include "shaders/include/layout.h"

namespace shadergen
{

namespace
{

using pica::BlendEquation;
using pica::BlendFactor;
using pica::ColorFormat;
using pica::CompareFunc;
using pica::OutputClass;
using pica::u32;

constexpr char kChannel[] = {'r', 'g', 'b', 'a'};

// Declares `destination`, 0..255 in floats.
void write_closed_or_open_destination(FragmentText& text)
{
    if (!text.key.fetch.read_destination)
    {
        text.body.line("vec4 destination = vec4(0.0);"); // [ASM: by analogy with the depth gate]
        return;
    }
    write_destination(text);
    if (!pica::has_alpha(text.key.color_format))
    {
        text.body.line("destination.a = 255.0;");
        if (text.destination_ratio)
            text.body.line("destination_ratio.a = 1.0;");
    }
}

BlendFactor opaque_factor(BlendFactor factor)
{
    switch (factor)
    {
    case BlendFactor::SourceAlpha:
        return BlendFactor::One;
    case BlendFactor::OneMinusSourceAlpha:
        return BlendFactor::Zero;
    default:
        return factor;
    }
}

// The state of the key, with factors that do not read an alpha that is always 255. Shaded gas has another alpha than the
// combiners give.
pica::BlendState blend_state(const FragmentText& text)
{
    pica::BlendState state = text.key.fetch;
    if (text.opaque && text.key.fog.mode != pica::FogMode::Gas)
        for (BlendFactor* factor :
             {&state.source_color, &state.destination_color, &state.source_alpha, &state.destination_alpha})
            *factor = opaque_factor(*factor);
    return state;
}

// Returns the name of the source times its factors.
std::string write_premultiplied(FragmentText& text, const std::string& color)
{
    const pica::BlendState state = blend_state(text);
    const auto half = [&](bool alpha, BlendEquation equation, BlendFactor factor)
    { return premultiplied_half(text, equation, factor, color, alpha); };
    text.body.line("vec4 premultiplied = vec4(", half(false, state.equation_color, state.source_color), ", ",
                   half(true, state.equation_alpha, state.source_alpha), ");");
    return "premultiplied";
}

// Blending or logic operation and the colour mask; returns the name of the result.
std::string write_fetch(FragmentText& text, const std::string& color)
{
    const pica::BlendState state = blend_state(text);
    write_closed_or_open_destination(text);
    if (state.logic)
    {
        const std::string source = write_quantized(text, text.key.color_format, color, "source");
        text.body.line("uvec4 s = uvec4(", source, ");");
        text.body.line("uvec4 d = uvec4(destination);");
        text.body.line("vec4 blended = vec4(", logic_operation(state.logic_op), ");");
    }
    else
    {
        // Alpha takes part in the division of the colour's factors, if it has the same.
        const auto divided = [&](BlendFactor factor) {
            return factor == BlendFactor::One || factor == state.source_color ||
                   factor == state.destination_color;
        };
        const auto half = [&](bool alpha, BlendEquation equation, BlendFactor source, BlendFactor destination)
        {
            return blend_half(text, equation, source, destination, color, alpha,
                              !alpha || (divided(source) && divided(destination)));
        };
        text.body.line("vec3 blended_rgb = ",
                       half(false, state.equation_color, state.source_color, state.destination_color), ";");
        text.body.line("float blended_a = ",
                       half(true, state.equation_alpha, state.source_alpha, state.destination_alpha), ";");
        text.body.line("vec4 blended = vec4(blended_rgb, blended_a);");
    }
    const std::string quantized = write_quantized(text, text.key.color_format, "blended", "quantized");
    const bool alpha = pica::has_alpha(text.key.color_format);
    if (alpha && (state.color_mask & 15) == 15)
        return quantized;
    std::string result = "vec4(";
    for (u32 c = 0; c < 3u + alpha; c++)
    {
        result += c == 0 ? "" : ", ";
        result += (state.color_mask >> c & 1) != 0 ? quantized : "destination";
        result += std::string(".") + kChannel[c];
    }
    // Pictures are also used directly as textures and for transfers, where a missing alpha must be 255.
    text.body.line("vec4 result = ", result, alpha ? ");" : ", 255.0);");
    return "result";
}

} // namespace

void write_destination(FragmentText& text)
{
    if (text.interlock)
        text.body.line("vec4 destination = vec4(imageLoad(destination_image, p));");
    else if (text.target.color_output == ColorOutput::Uint)
        text.body.line("vec4 destination = vec4(subpassLoad(destination_attachment));");
    else
    {
        // Blending takes the ratio as it is (fused_test.cpp); the rest takes codes.
        text.destination_ratio = true;
        text.body.line("vec4 destination_ratio = subpassLoad(destination_attachment);");
        text.body.line("vec4 destination = trunc(fma(destination_ratio, vec4(255.0), vec4(0.5)));");
    }
}

void write_color(FragmentText& text, const std::string& result)
{
    if (text.interlock)
    {
        text.body.line("if (alive)");
        text.body.line("    imageStore(destination_image, p, uvec4(", result, "));");
        text.body.line("endInvocationInterlockARB();");
    }
    else if (text.target.color_output == ColorOutput::Uint)
        text.body.line("color_output = uvec4(", result, ");");
    else // a quarter of a code above it, so that any conversion to UNORM gives the code
        text.body.line("color_output = fma(", result,
                       ", vec4(as_real(0x3B808081u)), vec4(as_real(0x3A808081u)));");
}

void write_scissor_exclude(FragmentText& text)
{
    if (!text.key.scissor_exclude)
        return;
    const std::string s = text.draw("scissor");
    text.drop_if("p.x >= " + s + ".x && p.x <= " + s + ".z && p.y >= " + s + ".y && p.y <= " + s + ".w");
}

void write_alpha_test(FragmentText& text, const std::string& color)
{
    static constexpr std::string_view kFails[] = {"", "", " != ", " == ", " >= ", " > ", " <= ", " < "};
    const u32 function = static_cast<u32>(text.key.alpha_func);
    if (function <= static_cast<u32>(CompareFunc::Always))
        return;
    text.body.blank();
    text.body.line("// Alpha test");
    text.drop_if(color + ".a" + std::string(kFails[function]) + text.draw("misc.z"));
}

std::string write_quantized(FragmentText& text, ColorFormat format, const std::string& color,
                            std::string_view name)
{
    // Truncates to n bits, then replicates: 4 bits x*17, 5 bits x*8 + x/4, 6 bits x*4 + x/16, 1 bit x*255.
    std::string rgb, a;
    const std::string bits = std::string(name) + "_bits";
    switch (format)
    {
    case ColorFormat::RGBA8:
    case ColorFormat::RGB8:
        return color;
    case ColorFormat::RGB5A1:
        text.body.line("vec4 ", bits, " = floor(", color, " * vec4(0.125, 0.125, 0.125, 0.0078125));");
        rgb = bits + ".rgb * 8.0 + floor(" + bits + ".rgb * 0.25)";
        a = bits + ".a * 255.0";
        break;
    case ColorFormat::RGB565:
        text.body.line("vec3 ", bits, " = floor(", color, ".rgb * vec3(0.125, 0.25, 0.125));");
        rgb = bits + " * vec3(8.0, 4.0, 8.0) + floor(" + bits + " * vec3(0.25, 0.0625, 0.25))";
        a = "255.0";
        break;
    case ColorFormat::RGBA4:
        text.body.line("vec4 ", name, " = floor(", color, " * 0.0625) * 17.0;");
        return std::string(name);
    }
    if (rgb.empty())
        return color;
    text.body.line("vec4 ", name, " = vec4(", rgb, ", ", a, ");");
    return std::string(name);
}

void write_output_declarations(const FragmentText& text, GlslWriter& out)
{
    if (text.key.output == OutputClass::None)
        return;
    const bool is_uint = text.target.color_output == ColorOutput::Uint;
    const bool reads = text.key.output == OutputClass::Fetch && text.key.fetch.read_destination != 0;
    const std::string place =
        "set = " + number(SET_DESTINATION) + ", binding = " + number(BINDING_DESTINATION);
    if (text.interlock)
    {
        // Coherent: the fragments of a pixel may run on different cores, each with a cache of its own.
        out.line("layout(pixel_interlock_ordered) in;");
        out.line("layout(", place, ", rgba8ui) uniform coherent uimage2D destination_image;");
        return;
    }
    if (reads)
        out.line("layout(input_attachment_index = 0, ", place, ") uniform ",
                 is_uint ? "usubpassInput" : "subpassInput", " destination_attachment;");
    out.line("layout(location = 0) out ", is_uint ? "uvec4" : "vec4", " color_output;");
}

void write_output(FragmentText& text, const std::string& color)
{
    if (text.key.output == OutputClass::None)
        return;
    text.body.blank();
    text.body.line("// Colour output");
    if (text.interlock)
        text.body.line("beginInvocationInterlockARB();");
    if (text.key.output == OutputClass::Fetch)
        return write_color(text, write_fetch(text, color));
    const std::string source = text.key.premultiplies() ? write_premultiplied(text, color) : color;
    write_color(text, write_quantized(text, text.key.color_format, source, "quantized"));
}

} // namespace shadergen
