// SPDX-License-Identifier: MIT
// Expressions of blending and logic operations on codes 0..255. Source of truth: fragment-operations.md,
// "Blending" and "Logic operations". Tests: fragment_test.cpp, tests/golden/glsl
#include "shadergen/blending.h"

#include "shadergen/fragment_text.h"
#include "shadergen/texenv.h"

namespace shadergen
{

using pica::BlendEquation;
using pica::BlendFactor;
using pica::LogicOp;
using pica::u32;

std::string blend_factor(FragmentText& text, BlendFactor factor, const std::string& source, bool alpha)
{
    const std::string_view color = alpha ? ".a" : ".rgb";
    const auto vector = [&](std::string value) { return alpha ? value : "vec3(" + value + ")"; };
    const auto of = [&](const std::string& base, std::string_view part, bool invert)
    {
        std::string value = base + std::string(part);
        if (invert)
            value = "(255.0 - " + value + ")";
        return part == ".a" && !alpha ? vector(value) : value;
    };
    const bool invert = (static_cast<u32>(factor) & 1u) != 0;
    switch (factor)
    {
    case BlendFactor::Zero:
        return vector("0.0");
    case BlendFactor::SourceColor:
    case BlendFactor::OneMinusSourceColor:
        return of(source, color, invert);
    case BlendFactor::DestColor:
    case BlendFactor::OneMinusDestColor:
        return of("destination", color, invert);
    case BlendFactor::SourceAlpha:
    case BlendFactor::OneMinusSourceAlpha:
        return of(source, ".a", invert);
    case BlendFactor::DestAlpha:
    case BlendFactor::OneMinusDestAlpha:
        return of("destination", ".a", invert);
    case BlendFactor::ConstantColor:
    case BlendFactor::OneMinusConstantColor:
        return of(text.draw("blend_color"), color, invert);
    case BlendFactor::ConstantAlpha:
    case BlendFactor::OneMinusConstantAlpha:
        return of(text.draw("blend_color"), ".a", invert);
    case BlendFactor::SourceAlphaSaturate:
        return alpha ? "255.0" : vector("min(" + source + ".a, 255.0 - destination.a)");
    case BlendFactor::One:
        break;
    }
    return vector("255.0");
}

std::string blend_sum(FragmentText& text, BlendEquation equation, const BlendTerm& p, const BlendTerm& q,
                      bool bounded)
{
    const auto product = [](const BlendTerm& term)
    { return term.factor.empty() ? term.color : term.color + " * " + term.factor; };
    // Products and their sums are integers below 2^24, so fma is exact.
    const auto sum = [&](const BlendTerm& first, const std::string& sign)
    {
        const BlendTerm& second = &first == &p ? q : p;
        if (first.factor.empty())
            return product(second) + (sign.empty() ? " + " : " - ") + first.color;
        return "fma(" + sign + first.color + ", " + first.factor + ", " + product(second) + ")";
    };
    switch (equation)
    {
    case BlendEquation::Subtract:
        return divide_255(text, "max(" + sum(q, "-") + ", 0.0)");
    case BlendEquation::ReverseSubtract:
        return divide_255(text, "max(" + sum(p, "-") + ", 0.0)");
    case BlendEquation::Min: // with factors
        return divide_255(text, "min(" + product(p) + ", " + product(q) + ")");
    case BlendEquation::Max:
        return divide_255(text, "max(" + product(p) + ", " + product(q) + ")");
    case BlendEquation::Add:
        break;
    }
    const std::string result = divide_255(text, sum(p, ""));
    return bounded ? result : "min(" + result + ", 255.0)";
}

namespace
{

// Is the factor one number for all channels? Of the names of `blend_factor`.
bool is_shared(const std::string& factor, bool alpha)
{
    return alpha || factor.starts_with("vec3(");
}

// The two factors of a term over 255.
std::string ratio_factors(FragmentText& text, const BlendTerm& term)
{
    constexpr std::string_view destination = "destination.";
    const std::string ratio = ratio_255(text, term.factor);
    if (!text.destination_ratio || !term.color.starts_with(destination))
        return term.color + ", " + ratio;
    return "destination_ratio." + term.color.substr(destination.size()) + ", " + term.factor;
}

// floor of the sum p + q, over 255, of terms whose factors are one number for all channels. one: the factor is 255.
std::string sum_of_ratios(FragmentText& text, const BlendTerm& p, bool p_one, const BlendTerm& q, bool q_one,
                          bool alpha)
{
    if (p_one)
        return sum_of_ratios(text, q, false, p, true, alpha);
    const std::string product = "trunc(fma(" + ratio_factors(text, p) + ", ";
    const std::string half = alpha ? "HALF_255" : "vec3(HALF_255)";
    return product + (q_one ? q.color + " + " + half : "fma(" + ratio_factors(text, q) + ", " + half + ")") +
           "))";
}

} // namespace

std::string blend_half(FragmentText& text, BlendEquation equation, BlendFactor source_factor,
                       BlendFactor destination_factor, const std::string& source, bool alpha, bool ratios)
{
    const std::string part = alpha ? ".a" : ".rgb";
    const std::string destination = "destination" + part;
    const BlendTerm p = {source + part, blend_factor(text, source_factor, source, alpha)};
    const BlendTerm q = {destination, blend_factor(text, destination_factor, source, alpha)};
    if (equation != BlendEquation::Add)
        return blend_sum(text, equation, p, q, false);
    // 255 * x / 255 is x, and a sum with 0 needs no addition.
    if (source_factor == BlendFactor::Zero && destination_factor == BlendFactor::Zero)
        return alpha ? "0.0" : "vec3(0.0)";
    if (source_factor == BlendFactor::One && destination_factor == BlendFactor::Zero)
        return p.color;
    if (source_factor == BlendFactor::Zero && destination_factor == BlendFactor::One)
        return q.color;
    if (source_factor == BlendFactor::Zero)
        return divide_255(text, q.color + " * " + q.factor);
    if (destination_factor == BlendFactor::Zero)
        return divide_255(text, p.color + " * " + p.factor);
    if (source_factor == BlendFactor::One && destination_factor == BlendFactor::One)
        return "min(" + p.color + " + " + q.color + ", 255.0)";
    // A factor and its complement have neighbouring numbers. Their products add up to 255 * 255 at most.
    const u32 lower = static_cast<u32>(source_factor) & ~1u;
    const bool complements = lower == (static_cast<u32>(destination_factor) & ~1u) &&
                             source_factor != destination_factor &&
                             lower != static_cast<u32>(BlendFactor::SourceAlphaSaturate);
    const bool p_one = source_factor == BlendFactor::One, q_one = destination_factor == BlendFactor::One;
    if (!ratios || !(p_one || is_shared(p.factor, alpha)) || !(q_one || is_shared(q.factor, alpha)))
        return blend_sum(text, equation, p, q, complements);
    const std::string sum = sum_of_ratios(text, p, p_one, q, q_one, alpha);
    return complements ? sum : "min(" + sum + ", 255.0)";
}

std::string premultiplied_half(FragmentText& text, BlendEquation equation, BlendFactor factor,
                               const std::string& source, bool alpha)
{
    if (equation != BlendEquation::ReverseSubtract || factor == BlendFactor::Zero ||
        factor == BlendFactor::One)
        return blend_half(text, BlendEquation::Add, factor, BlendFactor::Zero, source, alpha, false);
    return divide_255(text, "fma(" + source + (alpha ? ".a, " : ".rgb, ") +
                                blend_factor(text, factor, source, alpha) +
                                (alpha ? ", 254.0)" : ", vec3(254.0))"));
}

std::string logic_operation(LogicOp op)
{
    switch (op)
    {
    case LogicOp::Clear:
        return "uvec4(0u)";
    case LogicOp::And:
        return "s & d";
    case LogicOp::AndReverse:
        return "s & ~d";
    case LogicOp::Copy:
        return "s";
    case LogicOp::Set:
        return "uvec4(255u)";
    case LogicOp::CopyInverted:
        return "~s & 255u";
    case LogicOp::NoOp:
        return "d";
    case LogicOp::Invert:
        return "~d & 255u";
    case LogicOp::Nand:
        return "~(s & d) & 255u";
    case LogicOp::Or:
        return "s | d";
    case LogicOp::Nor:
        return "~(s | d) & 255u";
    case LogicOp::Xor:
        return "s ^ d";
    case LogicOp::Equiv:
        return "~(s ^ d) & 255u";
    case LogicOp::AndInverted:
        return "~s & d";
    case LogicOp::OrReverse:
        return "(s | ~d) & 255u";
    case LogicOp::OrInverted:
        return "(~s | d) & 255u";
    }
    return "d";
}

} // namespace shadergen
