// SPDX-License-Identifier: MIT
// The ubershader. Its real-valued part is the text of the specialised shaders; its integer part puts their
// expressions into switches. Tests: ubershader_test.cpp, tests/golden/glsl
#include "shadergen/ubershader.h"

#include "shadergen/blending.h"
#include "shadergen/fragment_module.h"
#include "shadergen/fragment_ops.h"
#include "shadergen/fragment_text.h"
#include "shadergen/interpolation.h"
#include "shadergen/shadow.h"
#include "shadergen/texenv.h"
#include "shadergen/ubershader_fog.h"
#include "shadergen/ubershader_gas.h"
#include "shadergen/ubershader_lighting.h"
#include "shadergen/ubershader_proctex.h"
#include "shadergen/ubershader_state.h"
#include "shadergen/ubershader_texture.h"

#include <cstddef>
#include <cstring>

namespace shadergen
{

namespace
{

using pica::OutputClass;
using pica::u32;
using pica::u8;

static_assert(sizeof(pica::TexEnvStageKey) == 16 && sizeof(pica::TextureUnitKey) == 8);
static_assert(offsetof(pica::TexEnvStageKey, alpha_source) == 3 &&
              offsetof(pica::TexEnvStageKey, color_operand) == 6 &&
              offsetof(pica::TexEnvStageKey, alpha_operand) == 9 &&
              offsetof(pica::TexEnvStageKey, color_op) == 12);

constexpr std::string_view kByteOf = R"(uint byte_of(uint word, uint i) { return (word >> (8u * i)) & 255u; }
)";

constexpr std::string_view kStage = R"(vec4 stage_source(uint id, Combiners c, vec4 constant)
{
    switch (id)
    {
    case 0u: return c.primary;
    case 3u: return c.texture0;
    case 4u: return c.texture1;
    case 5u: return c.texture2;
    case 13u: return c.buffer_color;
    case 14u: return constant;
    case 15u: return c.previous;
    }
    return vec4(0.0);
}
vec3 color_operand(uint code, vec4 v)
{
    vec3 x = v.rgb;
    switch (code)
    {
    case 2u: case 3u: x = v.aaa; break;
    case 4u: case 5u: x = v.rrr; break;
    case 8u: case 9u: x = v.ggg; break;
    case 12u: case 13u: x = v.bbb; break;
    }
    bool invert = code == 1u || code == 3u || code == 5u || code == 9u || code == 13u;
    return invert ? 255.0 - x : x;
}
float alpha_operand(uint code, vec4 v)
{
    uint channel = (code >> 1) & 3u;
    float x = channel == 0u ? v.a : channel == 1u ? v.r : channel == 2u ? v.g : v.b;
    return (code & 1u) != 0u ? 255.0 - x : x;
}
float stage_scale(uint shift) { return shift == 1u ? 2.0 : shift == 2u ? 4.0 : 1.0; }
vec4 stage_result(uvec4 key, vec4 constant, Combiners c)
{
    vec3 a = color_operand(byte_of(key.y, 2u), stage_source(byte_of(key.x, 0u), c, constant));
    vec3 b = color_operand(byte_of(key.y, 3u), stage_source(byte_of(key.x, 1u), c, constant));
    vec3 d = color_operand(byte_of(key.z, 0u), stage_source(byte_of(key.x, 2u), c, constant));
    vec3 rgb = combine_color(byte_of(key.w, 0u), a, b, d);
    float alpha = rgb.r;
    if (byte_of(key.w, 0u) != 7u)
    {
        float e = alpha_operand(byte_of(key.z, 1u), stage_source(byte_of(key.x, 3u), c, constant));
        float f = alpha_operand(byte_of(key.z, 2u), stage_source(byte_of(key.y, 0u), c, constant));
        float g = alpha_operand(byte_of(key.z, 3u), stage_source(byte_of(key.y, 1u), c, constant));
        alpha = combine_alpha(byte_of(key.w, 1u), e, f, g);
    }
    return vec4(min(rgb * stage_scale(byte_of(key.w, 2u)), 255.0), min(alpha * stage_scale(byte_of(key.w, 3u)), 255.0));
}
)";

// Writes a function that chooses one of `count` expressions by an enumerator, or `otherwise`.
template <typename Expression>
void write_switch(FragmentText& text, const std::string& header, u32 count, const std::string& otherwise,
                  Expression expression)
{
    GlslWriter cases;
    cases.line(header);
    cases.open();
    cases.line("switch (code)");
    cases.open();
    for (u32 i = 0; i < count; i++)
        if (const std::string value = expression(i); value != otherwise)
            cases.line("case ", number(i), "u: return ", value, ";");
    cases.close();
    cases.line("return ", otherwise, ";");
    cases.close();
    text.functions.raw(cases.text());
}

void write_combiners(FragmentText& text, bool lighting, bool proctex)
{
    text.functions.raw("struct Combiners { vec4 primary; vec4 texture0; vec4 texture1; vec4 texture2; vec4 "
                       "buffer_color; vec4 previous;");
    text.functions.raw(proctex ? " vec4 texture3;" : "");
    text.functions.raw(lighting ? " vec4 fragment_primary; vec4 fragment_secondary; };\n" : " };\n");
    const auto operation = [&](u32 code, bool vector)
    {
        const auto op = static_cast<pica::CombinerOp>(code);
        const bool dot = op == pica::CombinerOp::Dot3Rgb || op == pica::CombinerOp::Dot3Rgba;
        if (dot)
            return vector ? "vec3(" + combine(text, op, "a", "b", "c") + ")" : std::string("0.0");
        return combine(text, op, "a", "b", "c");
    };
    write_switch(text, "vec3 combine_color(uint code, vec3 a, vec3 b, vec3 c)", 10, "vec3(0.0)",
                 [&](u32 i) { return operation(i, true); });
    write_switch(text, "float combine_alpha(uint code, float a, float b, float c)", 10, "0.0",
                 [&](u32 i) { return operation(i, false); });
    std::string stage(kStage);
    if (lighting)
        stage.insert(stage.find("    case 3u:"),
                     "    case 1u: return c.fragment_primary;\n    case 2u: return c.fragment_secondary;\n");
    if (proctex)
        stage.insert(stage.find("    case 13u:"), "    case 6u: return c.texture3;\n");
    text.functions.raw(stage);

    GlslWriter& out = text.body;
    out.blank();
    out.line("// Combiners");
    out.line("Combiners c = Combiners(primary, texture0, texture1, texture2, vec4(0.0), vec4(0.0)",
             proctex ? ", texture3" : "", lighting ? ", fragment_primary, fragment_secondary);" : ");");
    out.line("vec4 next = ", text.draw("texenv_buffer_color"), ";");
    out.line("uint update_color = ", state_byte(text, kUpdateColor), ";");
    out.line("uint update_alpha = ", state_byte(text, kUpdateAlpha), ";");
    out.line("for (int stage = 0; stage < 6; stage++)");
    out.open();
    out.line("c.previous = stage_result(draw.state[stage], draw.texenv_color[stage], c);");
    out.line("c.buffer_color = next;");
    out.line("bool color_bit = stage < 4 && (update_color >> stage & 1u) != 0u;");
    out.line("bool alpha_bit = stage < 4 && (update_alpha >> stage & 1u) != 0u;");
    out.line("next = vec4(color_bit ? c.previous.rgb : next.rgb, alpha_bit ? c.previous.a : next.a);");
    out.close();
    out.line("vec4 combined = c.previous;");
}

void write_discards(FragmentText& text)
{
    text.functions.raw(R"(bool alpha_fails(uint function, float a, float reference)
{
    switch (function)
    {
    case 0u: return true;
    case 2u: return a != reference;
    case 3u: return a == reference;
    case 4u: return a >= reference;
    case 5u: return a > reference;
    case 6u: return a <= reference;
    case 7u: return a < reference;
    }
    return false;
}
)");
    text.body.blank();
    text.body.line("// Scissor exclusion and alpha test");
    const std::string s = text.draw("scissor");
    text.drop_if(state_byte(text, kScissorExclude) + " != 0u && p.x >= " + s + ".x && p.x <= " + s +
                 ".z && p.y >= " + s + ".y && p.y <= " + s + ".w");
    text.drop_if("alpha_fails(" + state_byte(text, kAlphaFunc) + ", combined.a, " + text.draw("misc.z") +
                 ")");
}

void write_ubershader_window_depth(FragmentText& text)
{
    text.window_depth = true;
    text.use("window_depth_z");
    text.use("window_depth_w");
    text.use("clamp_depth");
    GlslWriter& out = text.body;
    out.blank();
    out.line("// Window depth");
    const std::string area = write_z_over_w(text);
    text.draw_block = true;
    out.line("float window_depth = clamp_depth(", state_byte(text, kDepthMode),
             " == ", number(static_cast<u32>(pica::DepthMode::W)), "u");
    out.line("    ? window_depth_w(z_over_w, draw.misc.x, draw.misc.y, ", area, " * r)");
    out.line("    : window_depth_z(z_over_w, draw.misc.x, draw.misc.y));");
}

void write_ubershader_depth(FragmentText& text, bool zero)
{
    text.use("depth_code");
    GlslWriter& out = text.body;
    out.blank();
    out.line("// Depth code");
    out.line("bool depth16 = ", state_byte(text, kDepth16), " != 0u;");
    const std::string unit = "(depth16 ? as_real(0x37800000u) : as_real(0x33800000u))";
    if (!zero)
    {
        out.line("gl_FragDepth = float(depth_code(window_depth, depth16 ? 65535.0 : 16777215.0)) *");
        out.line("               ", unit, ";");
        return;
    }
    // As write_depth of interpolation.cpp does it for each DepthZero.
    out.line("int code = depth_code(window_depth, depth16 ? 65535.0 : 16777215.0);");
    out.line("uint depth_zero = ", state_byte(text, kDepthZero), ";");
    out.line("bool depth_passes = (code == 0) == (depth_zero == 1u || depth_zero == 4u);");
    text.drop_if("depth_zero > 2u && !depth_passes");
    out.line("gl_FragDepth = depth_zero > 2u ? float(code) * ", unit, " : depth_passes ? 0.0 : 1.0;");
}

// vec4 quantized(uint format, vec4 color)
void define_quantized(FragmentText& text)
{
    GlslWriter main;
    std::swap(main, text.body);
    text.body = GlslWriter();
    text.body.line("vec4 quantized(uint code, vec4 color)");
    text.body.open();
    for (const auto format : {pica::ColorFormat::RGB5A1, pica::ColorFormat::RGB565, pica::ColorFormat::RGBA4})
    {
        text.body.line("if (code == ", number(static_cast<u32>(format)), "u)");
        text.body.open();
        text.body.line("return ", write_quantized(text, format, "color", "packed_color"), ";");
        text.body.close();
    }
    text.body.line("return color;");
    text.body.close();
    text.functions.raw(text.body.text());
    std::swap(main, text.body);
}

// Multiplies `combined` by its factors, which read no destination, if the key says so.
void write_premultiplication(FragmentText& text)
{
    for (const bool alpha : {false, true})
        write_switch(text,
                     alpha ? "float alpha_factor(uint code, vec4 source)"
                           : "vec3 color_factor(uint code, vec4 source)",
                     16, alpha ? "255.0" : "vec3(255.0)",
                     [&](u32 i)
                     {
                         const auto factor = static_cast<pica::BlendFactor>(i);
                         return blend_factor(
                             text, pica::reads_destination(factor) ? pica::BlendFactor::One : factor,
                             "source", alpha);
                     });
    // Subtracted from the destination, a product is rounded up: (t + 254) / 255.
    const auto rounding = [&](StateByte equation)
    {
        return "float(" + state_byte(text, equation) +
               " == " + number(static_cast<u32>(pica::BlendEquation::ReverseSubtract)) + "u) * 254.0";
    };
    GlslWriter& out = text.body;
    out.line("if (", state_byte(text, kReadDestination), " == 0u)");
    out.open();
    out.line("vec3 rgb = ",
             divide_255(text, "combined.rgb * color_factor(" + state_byte(text, kSourceColor) +
                                  ", combined) + " + rounding(kEquationColor)),
             ";");
    out.line("float a = ",
             divide_255(text, "combined.a * alpha_factor(" + state_byte(text, kSourceAlpha) +
                                  ", combined) + " + rounding(kEquationAlpha)),
             ";");
    out.line("combined = vec4(rgb, a);");
    out.close();
}

void write_fetch_class(FragmentText& text)
{
    for (const bool alpha : {false, true})
        write_switch(text,
                     alpha ? "float alpha_factor(uint code, vec4 source, vec4 destination)"
                           : "vec3 color_factor(uint code, vec4 source, vec4 destination)",
                     // Factors have four bits. No key has 15, which reads as One.
                     16, alpha ? "255.0" : "vec3(255.0)",
                     [&](u32 i)
                     { return blend_factor(text, static_cast<pica::BlendFactor>(i), "source", alpha); });
    for (const bool alpha : {false, true})
        write_switch(
            text,
            alpha ? "float blend_sum(uint code, float p, float q)"
                  : "vec3 blend_sum(uint code, vec3 p, vec3 q)",
            5, blend_sum(text, pica::BlendEquation::Add, {"p", ""}, {"q", ""}, false),
            [&](u32 i) {
                return blend_sum(text, static_cast<pica::BlendEquation>(i), {"p", ""}, {"q", ""}, false);
            });
    write_switch(text, "uvec4 logic_operation(uint code, uvec4 s, uvec4 d)", 16, "d",
                 [&](u32 i) { return logic_operation(static_cast<pica::LogicOp>(i)); });

    GlslWriter& out = text.body;
    write_destination(text);
    // RGB8 and RGB565 have no alpha: 255.
    out.line("if (format == 1u || format == 3u) destination.a = 255.0;");
    out.line("if (", state_byte(text, kReadDestination), " == 0u) destination = vec4(0.0);");
    out.line("vec4 blended;");
    out.line("if (", state_byte(text, kLogic), " != 0u)");
    out.line("    blended = vec4(logic_operation(", state_byte(text, kLogicOp),
             ", uvec4(quantized(format, combined)), uvec4(destination)));");
    out.line("else");
    out.open();
    out.line("vec3 p_rgb = combined.rgb * color_factor(", state_byte(text, kSourceColor),
             ", combined, destination);");
    out.line("vec3 q_rgb = destination.rgb * color_factor(", state_byte(text, kDestinationColor),
             ", combined, destination);");
    out.line("float p_a = combined.a * alpha_factor(", state_byte(text, kSourceAlpha),
             ", combined, destination);");
    out.line("float q_a = destination.a * alpha_factor(", state_byte(text, kDestinationAlpha),
             ", combined, destination);");
    out.line("blended = vec4(blend_sum(", state_byte(text, kEquationColor), ", p_rgb, q_rgb), blend_sum(",
             state_byte(text, kEquationAlpha), ", p_a, q_a));");
    out.close();
    out.line("vec4 result = quantized(format, blended);");
    out.line("uint mask = ", state_byte(text, kColorMask), ";");
    out.line("result = vec4((mask & 1u) != 0u ? result.r : destination.r, (mask & 2u) != 0u ? result.g : "
             "destination.g,");
    out.line("              (mask & 4u) != 0u ? result.b : destination.b, (mask & 8u) != 0u ? result.a : "
             "destination.a);");
    // Pictures are also used directly as textures and for transfers.
    out.line("if (format == 1u || format == 3u) result.a = 255.0;");
}

} // namespace

UbershaderKey ubershader_key(const pica::FragmentKey& key)
{
    UbershaderKey result;
    result.discards = key.alpha_func != pica::CompareFunc::Always || key.scissor_exclude != 0;
    result.depth = key.depth != pica::DepthMode::None;
    result.depth_zero = key.depth_zero != pica::DepthZero::None;
    result.gas = key.gas.accumulate;
    result.proctex = key.proctex.enabled;
    result.fog = key.fog.mode != pica::FogMode::None;
    for (const pica::TextureUnitKey& unit : key.texture)
        result.lod |= unit.lod != 0;
    result.scaled = key.scaled_units != 0;
    result.lighting = key.lighting.lights != 0;
    result.shadow_map = key.shadow_map != pica::DepthMode::None;
    const pica::TextureUnitKey& unit0 = key.texture[0];
    if (unit0.uses_texcoord_w())
    {
        result.unit0 = unit0.is_cube() ? Unit0Types::Cube : Unit0Types::Divided;
        result.lod = 1;
    }
    result.output = key.output == OutputClass::None || key.output == OutputClass::Fetch ? key.output
                                                                                        : OutputClass::Opaque;
    return result;
}

pica::RecordLayout ubershader_layout(const UbershaderKey& key, u8 wide)
{
    pica::RecordLayout layout;
    layout.wide = wide;
    u32 at = pica::kRecordHeader + (wide ? 3u : 0u);
    const auto take = [&](u32 scalars)
    {
        const u32 offset = at;
        at += 3 * scalars;
        return static_cast<u8>(offset);
    };
    layout.depth = take(1);
    layout.color = take(4);
    for (u8& texcoord : layout.texcoord)
        texcoord = take(2);
    if (key.lighting)
    {
        layout.quaternion = take(4);
        layout.view = take(3);
    }
    if (key.unit0 != Unit0Types::Texture2D)
        layout.texcoord0_w = take(1);
    layout.words = static_cast<u8>((at + 11) / 12 * 12);
    return layout;
}

std::string generate_ubershader(const UbershaderKey& key, u8 wide, const Target& target)
{
    // The key that the shared blocks get: only the output class and similar choices, no other state.
    pica::FragmentKey classes;
    classes.depth = key.depth ? pica::DepthMode::Z : pica::DepthMode::None;
    classes.output = key.output;
    if (key.unit0 == Unit0Types::Cube)
        classes.texture[0].type = pica::TextureType::Cube;
    const pica::RecordLayout layout = ubershader_layout(key, wide);
    FragmentText text(classes, layout, target);
    text.votes = false; // for fewer instructions
    text.title = std::string("ubershader") + (key.discards ? ", discards" : "") +
                 (key.depth_zero ? ", depth against 0"
                  : key.depth    ? ", depth"
                                 : "") +
                 (key.fog ? ", fog" : "") + (key.lighting ? ", lighting" : "") + (key.gas ? ", gas" : "") +
                 (key.proctex ? ", procedural texture" : "") + (key.lod ? ", level of detail" : "") +
                 (key.shadow_map ? ", shadow map" : "") + (key.scaled ? ", N x texels" : "") +
                 (key.unit0 == Unit0Types::Cube      ? ", cube"
                  : key.unit0 == Unit0Types::Divided ? ", projection"
                                                     : "") +
                 (key.output == OutputClass::Fetch  ? ", fetch"
                  : key.output == OutputClass::None ? ", no colour"
                                                    : "");
    text.define("byte_of", kByteOf);
    write_edges(text, EdgeNeeds::Perspective);
    const bool colors = key.output != OutputClass::None;
    if (colors || key.discards)
    {
        write_primary_color(text);
        write_ubershader_textures(text, key);
        if (key.proctex)
            write_ubershader_proctex(text);
        if (key.lighting)
            write_ubershader_lighting(text, key.proctex != 0);
        write_combiners(text, key.lighting != 0, key.proctex != 0);
    }
    if (key.discards)
        write_discards(text);
    if (key.depth || key.fog || key.gas || key.shadow_map)
        write_ubershader_window_depth(text);
    if (key.shadow_map)
    {
        write_shadow_map(text, "combined");
        return assemble(text);
    }
    if (key.fog)
        write_ubershader_fog(text);
    if (key.depth)
        write_ubershader_depth(text, key.depth_zero != 0);
    if (key.gas)
        write_ubershader_gas(text);
    else if (colors)
    {
        define_quantized(text);
        text.body.blank();
        text.body.line("// Colour output");
        text.body.line("uint format = ", state_byte(text, kColorFormat), ";");
        if (text.interlock)
            text.body.line("beginInvocationInterlockARB();");
        if (key.output == OutputClass::Fetch)
            write_fetch_class(text);
        else
        {
            write_premultiplication(text);
            text.body.line("vec4 result = quantized(format, combined);");
        }
        write_color(text, "result");
    }
    return assemble(text);
}

} // namespace shadergen
