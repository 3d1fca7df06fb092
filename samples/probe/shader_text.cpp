// SPDX-License-Identifier: MIT
#include "samples/probe/shader_text.h"

#include <algorithm>
#include <string_view>

namespace samples
{

using namespace pica;

namespace
{

u32 component(char name)
{
    return static_cast<u32>(std::string_view("xyzw").find(name));
}

u32 source_bits(const ShaderOperand& operand)
{
    u32 bits = operand.negated ? 1 : 0;
    for (std::size_t lane = 0; lane < 4; ++lane)
        bits |= component(operand.lanes[std::min(lane, operand.lanes.size() - 1)]) << (1 + 2 * (3 - lane));
    return bits;
}

} // namespace

u32 ShaderText::descriptor(const ShaderOperand& to, const ShaderOperand& a, const ShaderOperand& b,
                           const ShaderOperand& c)
{
    u32 word = source_bits(a) << 4 | source_bits(b) << 13 | source_bits(c) << 22;
    for (const char lane : to.lanes)
        word |= 8u >> component(lane);
    const auto found = std::find(descriptors_.begin(), descriptors_.end(), word);
    const u32 index = static_cast<u32>(found - descriptors_.begin());
    if (found == descriptors_.end())
        descriptors_.push_back(word);
    return index;
}

ShaderText& ShaderText::one(Opcode op, const ShaderOperand& to, const ShaderOperand& a)
{
    const u32 index = descriptor(to, a, input(0), input(0));
    words_.push_back(static_cast<u32>(op) << 26 | u32{to.code} << 21 | u32{a.code} << 12 | index);
    return *this;
}

ShaderText& ShaderText::move_relative(const ShaderOperand& to, const ShaderOperand& first,
                                      IndexRegister index)
{
    one(Opcode::Mov, to, first);
    words_.back() |= static_cast<u32>(index) << 19;
    return *this;
}

ShaderText& ShaderText::two_inverse(Opcode op, const ShaderOperand& to, const ShaderOperand& a,
                                    const ShaderOperand& b)
{
    const u32 index = descriptor(to, a, b, input(0));
    words_.push_back(static_cast<u32>(op) << 26 | u32{to.code} << 21 | u32{a.code} << 14 | u32{b.code} << 7 |
                     index);
    return *this;
}

ShaderText& ShaderText::compare(const ShaderOperand& a, const ShaderOperand& b, CompareOp x, CompareOp y)
{
    const u32 index = descriptor(a, b, {a.code}, input(0));
    words_.push_back(static_cast<u32>(Opcode::Cmp) << 26 | static_cast<u32>(x) << 24 |
                     static_cast<u32>(y) << 21 | u32{b.code} << 12 | u32{a.code} << 7 | index);
    return *this;
}

ShaderText& ShaderText::if_true(ConditionOp condition, u32 count)
{
    const u32 behind = static_cast<u32>(words_.size()) + 1 + count;
    words_.push_back(static_cast<u32>(Opcode::Ifc) << 26 | 3u << 24 | static_cast<u32>(condition) << 22 |
                     behind << 10);
    return *this;
}

ShaderText& ShaderText::loop(u32 count)
{
    const u32 last = static_cast<u32>(words_.size()) + count;
    words_.push_back(static_cast<u32>(Opcode::Loop) << 26 | last << 10);
    return *this;
}

ShaderText& ShaderText::break_if(ConditionOp condition)
{
    words_.push_back(static_cast<u32>(Opcode::Breakc) << 26 | 3u << 24 | static_cast<u32>(condition) << 22);
    return *this;
}

ShaderText& ShaderText::emit(u32 slot, bool primitive)
{
    words_.push_back(static_cast<u32>(Opcode::Setemit) << 26 | slot << 24 | (primitive ? 1u << 23 : 0));
    words_.push_back(static_cast<u32>(Opcode::Emit) << 26);
    return *this;
}

ShaderText& ShaderText::two(Opcode op, const ShaderOperand& to, const ShaderOperand& a,
                            const ShaderOperand& b)
{
    const u32 index = descriptor(to, a, b, input(0));
    words_.push_back(static_cast<u32>(op) << 26 | u32{to.code} << 21 | u32{a.code} << 12 | u32{b.code} << 7 |
                     index);
    return *this;
}

ShaderText& ShaderText::mad(const ShaderOperand& to, const ShaderOperand& a, const ShaderOperand& b,
                            const ShaderOperand& c)
{
    const u32 index = descriptor(to, a, b, c);
    words_.push_back(7u << 29 | u32{to.code} << 24 | u32{a.code} << 17 | u32{b.code} << 10 |
                     u32{c.code} << 5 | index);
    return *this;
}

ShaderText& ShaderText::end()
{
    words_.push_back(static_cast<u32>(Opcode::End) << 26);
    return *this;
}

} // namespace samples
