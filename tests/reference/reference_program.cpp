// SPDX-License-Identifier: MIT
#include "tests/reference/reference_program.h"

#include "pica/base/numeric.h"
#include "tests/reference/reference_rules.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <string>

namespace tests
{

using namespace pica;

namespace
{

enum class Rounding : u8
{
    Truncate,
    Nearest,
};

// To this many significant bits; ties to even.
double rounded(double x, int bits, Rounding rounding)
{
    if (x == 0.0 || !std::isfinite(x))
        return x;
    const double unit = std::ldexp(1.0, std::ilogb(x) - (bits - 1));
    return (rounding == Rounding::Nearest ? std::nearbyint(x / unit) : std::trunc(x / unit)) * unit;
}

f32 float24(double exact, Rounding rounding, int bits = 17)
{
    if (std::isnan(exact))
        return std::numeric_limits<f32>::quiet_NaN();
    const double x = rounded(exact, bits, rounding);
    if (std::fabs(x) < 0x1p-62)
        return 0.0f;
    return std::fabs(x) >= 0x1p64 ? std::copysign(std::numeric_limits<f32>::infinity(), f32(x)) : f32(x);
}

// Sums and products are rounded to binary32 before they are cut to 17 bits.
f32 sum(f32 a, f32 b)
{
    return is_exchanged(Exchange::SumNearest) ? float24(double(a) + b, Rounding::Nearest)
                                              : float24(a + b, Rounding::Truncate);
}

f32 product(f32 a, f32 b)
{
    if ((std::isinf(a) && b == 0) || (std::isinf(b) && a == 0))
        return 0.0f;
    if (is_exchanged(Exchange::ProductNearest))
        return float24(double(a) * b, Rounding::Nearest);
    if (is_exchanged(Exchange::ProductExact))
        return float24(double(a) * b, Rounding::Truncate);
    return float24(a * b, Rounding::Truncate);
}

f32 multiply_add(f32 a, f32 b, f32 c)
{
    return is_exchanged(Exchange::MadFused) ? float24(double(a) * b + c, Rounding::Truncate)
                                            : sum(product(a, b), c);
}

f32 dot(const ReferenceVector& a, const ReferenceVector& b, u32 count)
{
    f32 p[4];
    for (u32 i = 0; i < count; ++i)
        p[i] = product(a[i], b[i]);
    if (is_exchanged(Exchange::DotPairs) && count == 4)
        return sum(sum(p[0], p[1]), sum(p[2], p[3]));
    if (is_exchanged(Exchange::DotBackwards))
    {
        f32 total = p[count - 1];
        for (u32 i = count - 1; i-- != 0;)
            total = sum(total, p[i]);
        return total;
    }
    f32 total = p[0];
    for (u32 i = 1; i < count; ++i)
        total = sum(total, p[i]);
    return total;
}

f32 reciprocal(f32 x)
{
    if (is_exchanged(Exchange::RcpNearest))
        return float24(1.0 / x, Rounding::Nearest);
    if (is_exchanged(Exchange::RcpTwelveBits))
        return float24(1.0 / x, Rounding::Truncate, 13);
    return float24(1.0f / x, Rounding::Truncate);
}

f32 reciprocal_root(f32 x)
{
    const double exact = 1.0 / std::sqrt(double(x));
    if (is_exchanged(Exchange::RsqTwelveBits) || is_exchanged(Exchange::RsqOddTwelveBits))
        return float24(exact, Rounding::Truncate, 13);
    return float24(exact, is_exchanged(Exchange::RsqNearest) || is_exchanged(Exchange::RsqOddNearest)
                              ? Rounding::Nearest
                              : Rounding::Truncate);
}

f32 power_of_two(f32 x)
{
    if (is_exchanged(Exchange::Ex2Exact))
        return float24(std::exp2(double(x)), Rounding::Truncate);
    if (is_exchanged(Exchange::Ex2Nearest))
        return float24(std::exp2(double(x)), Rounding::Nearest);
    return num::f24_ex2(x);
}

f32 logarithm(f32 x)
{
    if (is_exchanged(Exchange::Lg2Exact) || is_exchanged(Exchange::Lg2BelowExact))
        return float24(std::log2(double(x)), Rounding::Truncate);
    if (is_exchanged(Exchange::Lg2Nearest) || is_exchanged(Exchange::Lg2BelowNearest))
        return float24(std::log2(double(x)), Rounding::Nearest);
    return num::f24_lg2(x);
}

f32 component_result(Opcode op, f32 a, f32 b, f32 c)
{
    switch (op)
    {
    case Opcode::Mov:
        return a;
    case Opcode::Add:
        return sum(a, b);
    case Opcode::Mul:
        return product(a, b);
    case Opcode::Mad:
    case Opcode::Madi:
        return multiply_add(a, b, c);
    case Opcode::Max:
        return is_exchanged(Exchange::MaxPublished) && std::isinf(b) && b < 0 ? b : a > b ? a : b;
    case Opcode::Min:
        return a < b ? a : b;
    case Opcode::Flr:
        return float24(std::floor(a), Rounding::Truncate);
    case Opcode::Sge:
        return (is_exchanged(Exchange::CompareUnordered) ? !(a < b) : a >= b) ? 1.0f : 0.0f;
    case Opcode::Slt:
        return (is_exchanged(Exchange::CompareUnordered) ? !(a >= b) : a < b) ? 1.0f : 0.0f;
    default:
        throw std::logic_error("the reference does not know " + std::string(opcode_name(op)));
    }
}

// Results that all components of the destination get.
f32 common_result(Opcode op, const ReferenceVector& a, const ReferenceVector& b)
{
    switch (op)
    {
    case Opcode::Dp3:
        return dot(a, b, 3);
    case Opcode::Dp4:
        return dot(a, b, 4);
    case Opcode::Rcp:
        return reciprocal(a[0]);
    case Opcode::Rsq:
        return reciprocal_root(a[0]);
    case Opcode::Ex2:
        return power_of_two(a[0]);
    default:
        return logarithm(a[0]);
    }
}

// What MOVA leaves in an address register.
s32 whole(f32 x)
{
    return static_cast<s32>(is_exchanged(Exchange::MovaNearest) ? std::floor(x + 0.5f)
                            : is_exchanged(Exchange::MovaFloor) ? std::floor(x)
                                                                : std::trunc(x));
}

bool is_common(Opcode op)
{
    return op == Opcode::Dp3 || op == Opcode::Dp4 || op == Opcode::Rcp || op == Opcode::Rsq ||
           op == Opcode::Ex2 || op == Opcode::Lg2;
}

} // namespace

f32 reference_float24(double exact, bool nearest)
{
    return float24(exact, nearest ? Rounding::Nearest : Rounding::Truncate);
}

bool reference_knows(const Program& program)
{
    constexpr Opcode kKnown[] = {Opcode::Add,  Opcode::Dp3, Opcode::Dp4, Opcode::Ex2,  Opcode::Lg2,
                                 Opcode::Mul,  Opcode::Sge, Opcode::Slt, Opcode::Flr,  Opcode::Max,
                                 Opcode::Min,  Opcode::Rcp, Opcode::Rsq, Opcode::Mova, Opcode::Mov,
                                 Opcode::Madi, Opcode::Mad, Opcode::Nop};
    for (u32 pc = program.entry(); pc < program.limit(); ++pc)
    {
        const Opcode op = program.instruction(pc).op;
        if (op == Opcode::End)
            return true;
        if (std::find(std::begin(kKnown), std::end(kKnown), op) == std::end(kKnown))
            return false;
    }
    return false;
}

std::array<ReferenceVector, 16> reference_program(const Program& program, const ShaderUniforms& uniforms,
                                                  const std::array<ReferenceVector, 16>& inputs)
{
    std::array<ReferenceVector, 16> outputs{}, temporaries{};
    s32 address = 0; // a0.x
    for (u32 pc = program.entry();; ++pc)
    {
        const Instruction& in = program.instruction(pc);
        if (in.op == Opcode::End)
            return outputs;
        if (in.op == Opcode::Nop)
            continue;
        const OperandDescriptor& operands = program.descriptor(in.descriptor);
        ReferenceVector source[3]{};
        for (u32 n = 0; n < in.source_count; ++n)
        {
            const bool relative = in.index == IndexRegister::A0x && in.relative_source == n;
            const u32 code = in.src[n] + static_cast<u32>(relative ? address : 0);
            const ReferenceVector value = code < kFirstTemporary  ? inputs[code]
                                          : code < kFirstConstant ? temporaries[code - kFirstTemporary]
                                                                  : uniforms.f[code - kFirstConstant];
            for (u32 i = 0; i < 4; ++i)
                source[n][i] =
                    operands.negate[n] ? -value[operands.select[n][i]] : value[operands.select[n][i]];
        }
        if (in.op == Opcode::Mova)
        {
            address = whole(source[0][0]);
            continue;
        }
        ReferenceVector& to =
            in.dst < kFirstTemporary ? outputs[in.dst] : temporaries[in.dst - kFirstTemporary];
        for (u32 i = 0; i < 4; ++i)
            if (operands.writes(i))
                to[i] = is_common(in.op) ? common_result(in.op, source[0], source[1])
                                         : component_result(in.op, source[0][i], source[1][i], source[2][i]);
    }
}

} // namespace tests
