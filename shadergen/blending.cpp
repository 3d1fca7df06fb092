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

std::string blend_sum(FragmentText& text, BlendEquation equation, const std::string& p, const std::string& q)
{
    switch (equation)
    {
    case BlendEquation::Subtract:
        return divide_255(text, "max(" + p + " - " + q + ", 0.0)");
    case BlendEquation::ReverseSubtract:
        return divide_255(text, "max(" + q + " - " + p + ", 0.0)");
    case BlendEquation::Min: // with factors
        return divide_255(text, "min(" + p + ", " + q + ")");
    case BlendEquation::Max:
        return divide_255(text, "max(" + p + ", " + q + ")");
    case BlendEquation::Add:
        break;
    }
    return "min(" + divide_255(text, p + " + " + q) + ", 255.0)";
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
