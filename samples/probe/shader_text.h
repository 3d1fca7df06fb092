// SPDX-License-Identifier: MIT
// A small assembler for the programs of probes. The assembler of the tests has all instructions
// (tests/support/programs/program_builder.h). Encodings: pica/hardware/shader-unit.md, "Instruction formats".
#pragma once

#include "pica/shader/isa.h"

#include <string>
#include <vector>

namespace samples
{

struct ShaderOperand
{
    pica::u8 code = 0;
    std::string lanes = "xyzw"; // a mask where it is a destination, else a swizzle
    bool negated = false;

    ShaderOperand operator-() const { return {code, lanes, !negated}; }
    ShaderOperand operator[](const char* components) const { return {code, components, negated}; }
};

// Registers of inputs, temporaries, constants and outputs.
inline ShaderOperand input(pica::u32 n)
{
    return {static_cast<pica::u8>(n)};
}
inline ShaderOperand temporary(pica::u32 n)
{
    return {static_cast<pica::u8>(pica::kFirstTemporary + n)};
}
inline ShaderOperand constant(pica::u32 n)
{
    return {static_cast<pica::u8>(pica::kFirstConstant + n)};
}
inline ShaderOperand output(pica::u32 n)
{
    return {static_cast<pica::u8>(n)};
}

class ShaderText
{
public:
    // The first source may be a constant; the second and third may not.
    ShaderText& one(pica::Opcode op, const ShaderOperand& to, const ShaderOperand& a);
    ShaderText& two(pica::Opcode op, const ShaderOperand& to, const ShaderOperand& a, const ShaderOperand& b);
    // The second source may be a constant; the first may not.
    ShaderText& two_inverse(pica::Opcode op, const ShaderOperand& to, const ShaderOperand& a,
                            const ShaderOperand& b);
    // The constant at a0.x (or another index) behind `first`.
    ShaderText& move_relative(const ShaderOperand& to, const ShaderOperand& first,
                              pica::IndexRegister index = pica::IndexRegister::A0x);
    // Compares b, which may be a constant, with a; the lanes of a are the descriptor's mask.
    ShaderText& compare(const ShaderOperand& a, const ShaderOperand& b, pica::CompareOp x, pica::CompareOp y);
    // Control flow: the next `count` instructions run where the result of the comparison is true, or as LOOP i0 says;
    // BREAKC; a vertex of a geometry program.
    ShaderText& if_true(pica::ConditionOp condition, pica::u32 count);
    ShaderText& loop(pica::u32 count);
    ShaderText& break_if(pica::ConditionOp condition);
    ShaderText& emit(pica::u32 slot, bool primitive);
    // a * b + c, where b may be a constant.
    ShaderText& mad(const ShaderOperand& to, const ShaderOperand& a, const ShaderOperand& b,
                    const ShaderOperand& c);
    ShaderText& end();

    const std::vector<pica::u32>& words() const { return words_; }
    const std::vector<pica::u32>& descriptors() const { return descriptors_; }

private:
    pica::u32 descriptor(const ShaderOperand& to, const ShaderOperand& a, const ShaderOperand& b,
                         const ShaderOperand& c);

    std::vector<pica::u32> words_, descriptors_;
};

} // namespace samples
