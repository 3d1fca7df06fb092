// SPDX-License-Identifier: MIT
// The six combiner stages. Source of truth: pica/hardware/combiners.md, design.md row "TEV". Everything is an
// identity on integers below 2^24 carried by floats; nothing else may be simplified here. Tests:
// fragment_test.cpp, tests/golden/glsl
#include "shadergen/texenv.h"

#include "shadergen/fragment_text.h"

namespace shadergen
{

namespace
{

using pica::AlphaOperand;
using pica::ColorOperand;
using pica::CombinerOp;
using pica::CombinerSource;
using pica::u32;

// A source value. rgb and alpha may be in different variables (the combiner buffer). Empty: zero.
struct Value
{
    std::string rgb;   // expression of a vector whose .rgb is the colour
    std::string alpha; // expression of a vector whose .a is the alpha
};

struct Sources
{
    Value buffer; // the value of source 13 in this stage
    Value previous;
};

// A vector of 255, which operations know.
constexpr std::string_view kWhite = "vec4(255.0)";

bool is_white(std::string_view operand)
{
    return operand == "vec4(255.0).a" || operand == "vec4(255.0).aaa";
}

// A colour of the lighting. Its alpha is 255 without a Fresnel factor.
Value lit_color(const std::string& name, bool fresnel)
{
    return {name, fresnel ? name : std::string(kWhite)};
}

Value source_value(FragmentText& text, CombinerSource source, u32 stage, const Sources& sources)
{
    const auto same = [](const std::string& name) { return Value{name, name}; };
    const auto unit = [&](u32 n)
    { return text.key.texture[n].enabled() ? same("texture" + number(n)) : Value{}; };
    switch (source)
    {
    case CombinerSource::PrimaryColor:
        return same("primary");
    case CombinerSource::Texture0:
        return unit(0);
    case CombinerSource::Texture1:
        return unit(1);
    case CombinerSource::Texture2:
        return unit(2);
    case CombinerSource::PreviousBuffer:
        return sources.buffer;
    case CombinerSource::Constant:
        return same(text.draw("texenv_color[" + number(stage) + "]"));
    case CombinerSource::Previous:
        return sources.previous;
    case CombinerSource::FragmentPrimary: // 0 with lighting off (design.md, "Lighting")
        return text.key.lighting.primary ? lit_color("fragment_primary", text.key.lighting.fresnel_primary)
                                         : Value{};
    case CombinerSource::FragmentSecondary:
        return text.key.lighting.secondary
                   ? lit_color("fragment_secondary", text.key.lighting.fresnel_secondary)
                   : Value{};
    case CombinerSource::Texture3:
        return text.key.proctex.enabled ? same("texture3") : Value{};
    case CombinerSource::Zero:
        break;
    }
    return {};
}

std::string component(const std::string& vector, std::string_view swizzle)
{
    if (vector.empty())
        return swizzle.size() == 1 ? "0.0" : "vec3(0.0)";
    return vector + "." + std::string(swizzle);
}

std::string inverted(std::string value, bool invert)
{
    return invert ? "(255.0 - " + value + ")" : value;
}

std::string color_operand(const Value& value, ColorOperand operand)
{
    const bool invert = pica::is_inverted(operand);
    switch (operand)
    {
    case ColorOperand::Rgb:
    case ColorOperand::OneMinusRgb:
        break;
    case ColorOperand::Alpha:
    case ColorOperand::OneMinusAlpha:
        return inverted(component(value.alpha, "aaa"), invert);
    case ColorOperand::Red:
    case ColorOperand::OneMinusRed:
        return inverted(component(value.rgb, "rrr"), invert);
    case ColorOperand::Green:
    case ColorOperand::OneMinusGreen:
        return inverted(component(value.rgb, "ggg"), invert);
    case ColorOperand::Blue:
    case ColorOperand::OneMinusBlue:
        return inverted(component(value.rgb, "bbb"), invert);
    }
    return inverted(component(value.rgb, "rgb"), invert);
}

std::string alpha_operand(const Value& value, AlphaOperand operand)
{
    static constexpr std::string_view kChannel[] = {"a", "r", "g", "b"};
    const u32 channel = static_cast<u32>(operand) >> 1;
    return inverted(component(channel == 0 ? value.alpha : value.rgb, kChannel[channel]),
                    pica::is_inverted(operand));
}

std::string scaled(std::string value, u32 shift)
{
    if (shift == 0 || is_white(value))
        return value;
    return "min(" + value + (shift == 1 ? " * 2.0" : " * 4.0") + ", 255.0)";
}

bool is_dot3(CombinerOp op)
{
    return op == CombinerOp::Dot3Rgb || op == CombinerOp::Dot3Rgba;
}

// Returns the stage's result.
Value write_stage(FragmentText& text, u32 stage, const Sources& sources)
{
    const pica::TexEnvStageKey& key = text.key.texenv[stage];
    const std::string n = number(stage);
    std::string color[3], alpha[3];
    for (u32 i = 0; i < key.color_slots(); i++)
        color[i] =
            color_operand(source_value(text, key.color_source[i], stage, sources), key.color_operand[i]);
    for (u32 i = 0; i < key.alpha_slots(); i++)
        alpha[i] =
            alpha_operand(source_value(text, key.alpha_source[i], stage, sources), key.alpha_operand[i]);

    std::string rgb = combine(text, key.color_op, color[0], color[1], color[2]);
    std::string a;
    if (is_dot3(key.color_op))
    {
        text.body.line("float dot", n, " = ", rgb, ";");
        rgb = "vec3(" + scaled("dot" + n, key.color_shift) + ")";
    }
    else
        rgb = scaled(rgb, key.color_shift);
    if (key.color_op == CombinerOp::Dot3Rgba)
        a = "dot" + n; // so the alpha combiner is not evaluated
    else
        a = combine(text, key.alpha_op, alpha[0], alpha[1], alpha[2]);
    a = scaled(a, key.alpha_shift);
    // Of "primary.a", if the stage passes on a source unchanged.
    const std::string whole = a.substr(0, a.find('.'));
    if (rgb == whole + ".rgb" && a == whole + ".a")
        return {whole, whole};
    const std::string name = "stage" + n;
    text.body.line("vec4 ", name, " = vec4(", rgb, ", ", a, ");");
    return {name, is_white(a) ? std::string(kWhite) : name};
}

} // namespace

namespace
{

// Is the operand one channel for all three? Then it is divided by 255 once, before the products.
bool is_shared(std::string_view operand)
{
    constexpr std::string_view inverse = "(255.0 - ";
    if (operand.starts_with(inverse))
        operand = operand.substr(inverse.size(), operand.size() - inverse.size() - 1);
    if (operand.size() < 4 || operand.find(' ') != operand.npos)
        return false;
    const std::string_view swizzle = operand.substr(operand.size() - 4);
    return swizzle == ".aaa" || swizzle == ".rrr" || swizzle == ".ggg" || swizzle == ".bbb";
}

// floor(a * b / 255)
std::string divided_product(FragmentText& text, const std::string& a, const std::string& b)
{
    if (is_shared(b))
        return "trunc(fma(" + a + ", " + ratio_255(text, b) + ", vec3(HALF_255)))";
    if (is_shared(a))
        return "trunc(fma(" + b + ", " + ratio_255(text, a) + ", vec3(HALF_255)))";
    return divide_255(text, a + " * " + b);
}

void define_divisor(FragmentText& text)
{
    // (t + 0.5) / 255 with the floats nearest to 1/255 and 0.5/255; t is at least 0. The margin of 0.5/255 is 20
    // times all errors together, with one rounding or two, whether t or a factor of it is divided. Conversions to
    // integers make trunc superfluous, and compilers know that; they do not know it of floor.
    text.define("divisor_255", R"(#define INVERSE_255 as_real(0x3B808081u)
#define HALF_255 as_real(0x3B008081u)
)");
}

} // namespace

std::string ratio_255(FragmentText& text, const std::string& factor)
{
    define_divisor(text);
    return factor + " * INVERSE_255";
}

std::string divide_255(FragmentText& text, const std::string& t)
{
    define_divisor(text);
    text.define("divide_255", R"(float divide_255(float t) { return trunc(fma(t, INVERSE_255, HALF_255)); }
vec3 divide_255(vec3 t) { return trunc(fma(t, vec3(INVERSE_255), vec3(HALF_255))); }
)");
    return "divide_255(" + t + ")";
}

std::string combine(FragmentText& text, CombinerOp op, const std::string& a, const std::string& b,
                    const std::string& c)
{
    switch (op)
    {
    case CombinerOp::Replace:
        break;
    case CombinerOp::Modulate: // 255 * x / 255 is x
        if (is_white(a) || is_white(b))
            return is_white(a) ? b : a;
        return divided_product(text, a, b);
    case CombinerOp::Add:
        if (is_white(a) || is_white(b))
            return is_white(a) ? a : b;
        return "min(" + a + " + " + b + ", 255.0)";
    case CombinerOp::AddSigned:
        return "clamp(" + a + " + " + b + " - 128.0, 0.0, 255.0)";
    case CombinerOp::Interpolate:
        if (is_shared(c))
            return "trunc(fma(" + a + ", " + ratio_255(text, c) + ", fma(" + b + ", " +
                   ratio_255(text, "(255.0 - " + c + ")") + ", vec3(HALF_255))))";
        return divide_255(text, "fma(" + a + ", " + c + ", " + b + " * (255.0 - " + c + "))");
    case CombinerOp::Subtract:
        return "max(" + a + " - " + b + ", 0.0)";
    case CombinerOp::MultiplyThenAdd:
        return "min(" + divided_product(text, a, b) + " + " + c + ", 255.0)";
    case CombinerOp::AddThenMultiply:
        return divided_product(text, "min(" + a + " + " + b + ", 255.0)", c);
    case CombinerOp::Dot3Rgb:
    case CombinerOp::Dot3Rgba:
        // ((2a - 255) * (2b - 255) + 128) / 256: the division truncates toward zero in each component. All
        // of it are multiples of 1/256 and exact; a is scaled first.
        text.define("dot_codes", R"(float dot_codes(vec3 a, vec3 b)
{
    vec3 x = fma(a, vec3(0.0078125), vec3(-0.99609375));
    vec3 p = trunc(fma(x, fma(b, vec3(2.0), vec3(-255.0)), vec3(0.5)));
    return clamp((p.r + p.g) + p.b, 0.0, 255.0);
}
)");
        return "dot_codes(" + a + ", " + b + ")";
    }
    return a;
}

// As in combiners.md, "Combiner buffer": what stage n reads from the buffer is one stage behind the updates.
std::string write_texenv(FragmentText& text)
{
    text.body.blank();
    text.body.line("// Combiners");
    Sources sources;
    Value next;
    if (text.key.reads(CombinerSource::PreviousBuffer))
        next = {text.draw("texenv_buffer_color"), text.draw("texenv_buffer_color")};

    for (u32 stage = 0; stage < 6; stage++)
    {
        if (!text.key.texenv[stage].is_pass_through())
            sources.previous = write_stage(text, stage, sources);
        sources.buffer = next;
        if (stage < 4 && (text.key.buffer_color_update >> stage & 1) != 0)
            next.rgb = sources.previous.rgb;
        if (stage < 4 && (text.key.buffer_alpha_update >> stage & 1) != 0)
            next.alpha = sources.previous.alpha;
    }
    text.opaque = sources.previous.alpha == kWhite;
    if (!sources.previous.rgb.empty())
        return sources.previous.rgb;
    text.body.line("vec4 combined = vec4(0.0);");
    return "combined";
}

} // namespace shadergen
