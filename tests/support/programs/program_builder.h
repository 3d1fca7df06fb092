// SPDX-License-Identifier: MIT
// A small assembler for shader programs: one call for each instruction; descriptors are found or made.
//     ProgramBuilder b;
//     b.dp4(o(0)["x"], c(0), v(0));                  // ["xy"]: a mask on a destination, else a swizzle
//     b.mad(r(1), -v(0)["xxxx"], c(4)[A0x], r(2));   // the operands choose the wide form (MADI, DPHI, ...)
//     b.if_uniform(3); ... b.otherwise(); ... b.end_if();
//     b.end();
// Encodings: shader-unit.md. It does not insert NOPs: mistakes in the structure are the caller's, or
// intended.
#pragma once

#include "pica/shader/program.h"

#include <map>
#include <string>
#include <vector>

struct ShaderOperand
{
    pica::u8 code = 0; // source code 0..127, or destination code for o
    bool output = false;
    bool negated = false;
    std::string lanes; // as written in []; empty = all
    pica::IndexRegister index = pica::IndexRegister::None;

    ShaderOperand operator-() const;
    ShaderOperand operator[](const char* components) const;
    ShaderOperand operator[](pica::IndexRegister index_register) const;
};

ShaderOperand v(pica::u32 n);
ShaderOperand r(pica::u32 n);
ShaderOperand c(pica::u32 n);
ShaderOperand o(pica::u32 n);
inline constexpr pica::IndexRegister A0x = pica::IndexRegister::A0x;
inline constexpr pica::IndexRegister A0y = pica::IndexRegister::A0y;
inline constexpr pica::IndexRegister AL = pica::IndexRegister::Al;

// Condition of IFC, JMPC, CALLC, BREAKC.
struct FlagCondition
{
    pica::ConditionOp op = pica::ConditionOp::JustX;
    bool ref_x = true;
    bool ref_y = true;
};

class ProgramBuilder
{
public:
    using Operand = ShaderOperand;

    void mov(Operand d, Operand a) { one(pica::Opcode::Mov, d, a); }
    void flr(Operand d, Operand a) { one(pica::Opcode::Flr, d, a); }
    void rcp(Operand d, Operand a) { one(pica::Opcode::Rcp, d, a); }
    void rsq(Operand d, Operand a) { one(pica::Opcode::Rsq, d, a); }
    void ex2(Operand d, Operand a) { one(pica::Opcode::Ex2, d, a); }
    void lg2(Operand d, Operand a) { one(pica::Opcode::Lg2, d, a); }
    void litp(Operand d, Operand a) { one(pica::Opcode::Litp, d, a); }
    void mova(const char* mask, Operand a) { one(pica::Opcode::Mova, Operand{0, true, false, mask}, a); }
    void add(Operand d, Operand a, Operand b) { two(pica::Opcode::Add, d, a, b); }
    void mul(Operand d, Operand a, Operand b) { two(pica::Opcode::Mul, d, a, b); }
    void max(Operand d, Operand a, Operand b) { two(pica::Opcode::Max, d, a, b); }
    void min(Operand d, Operand a, Operand b) { two(pica::Opcode::Min, d, a, b); }
    void dp3(Operand d, Operand a, Operand b) { two(pica::Opcode::Dp3, d, a, b); }
    void dp4(Operand d, Operand a, Operand b) { two(pica::Opcode::Dp4, d, a, b); }
    void dph(Operand d, Operand a, Operand b) { two(pica::Opcode::Dph, d, a, b); }
    void dst(Operand d, Operand a, Operand b) { two(pica::Opcode::Dst, d, a, b); }
    void sge(Operand d, Operand a, Operand b) { two(pica::Opcode::Sge, d, a, b); }
    void slt(Operand d, Operand a, Operand b) { two(pica::Opcode::Slt, d, a, b); }
    void mad(Operand d, Operand a, Operand b, Operand e);
    void cmp(Operand a, pica::CompareOp x, pica::CompareOp y, Operand b);
    // Any one- or two-source opcode by number. The two sources are in the order src1, src2.
    void one(pica::Opcode op, const Operand& d, const Operand& a);
    void two(pica::Opcode op, const Operand& d, const Operand& a, const Operand& b);

    void nop() { bare(pica::Opcode::Nop); }
    void end() { bare(pica::Opcode::End); }
    void break_loop() { bare(pica::Opcode::Break); }
    void emit() { bare(pica::Opcode::Emit); }
    void set_emit(pica::u32 vertex, bool primitive, bool invert);

    // Structured forms. The closing call fills in addresses.
    void if_uniform(pica::u32 bool_id);
    void if_flags(FlagCondition condition);
    void otherwise();
    void end_if();
    void loop(pica::u32 int_id);
    void end_loop();
    void break_if(FlagCondition condition);
    // A function is the words between function() and end_function(); calls may come before it.
    void function(const std::string& name);
    void end_function();
    void call(const std::string& name) { call_word(pica::Opcode::Call, name, 0); }
    void call_uniform(pica::u32 bool_id, const std::string& name);
    void call_flags(FlagCondition condition, const std::string& name);
    void label(const std::string& name) { labels_[name] = {pc(), pc()}; }
    void jump_uniform(pica::u32 bool_id, bool expected, const std::string& name);
    void jump_flags(FlagCondition condition, const std::string& name);

    void raw(pica::u32 word) { words_.push_back(word); }
    pica::u32 descriptor(pica::u32 word); // index of the descriptor, found or made
    void set_descriptor(pica::u32 index, pica::u32 word);
    pica::u32 pc() const { return static_cast<pica::u32>(words_.size()); }
    void org(pica::u32 address); // fills up with NOPs to this address

    // A flow instruction with all fields given, for tests of odd programs. extra: bool or int number, or
    // condition bits.
    static pica::u32 flow_word(pica::Opcode op, pica::u32 target, pica::u32 num, pica::u32 extra = 0);
    static pica::u32 condition_bits(FlagCondition condition);
    static pica::u32 descriptor_word(const Operand& d, const Operand& a, const Operand& b = {},
                                     const Operand& e = {});

    std::vector<pica::u32> words() const; // with labels resolved
    const std::vector<pica::u32>& descriptors() const { return descriptors_; }
    pica::ShaderCode code(pica::ShaderStage stage = pica::ShaderStage::Vertex) const;
    pica::Program program(pica::u32 entry = 0, pica::ShaderStage stage = pica::ShaderStage::Vertex) const;

private:
    struct Range
    {
        pica::u32 start, end;
    };
    struct Fixup
    {
        pica::u32 word;
        std::string name;
        bool with_length;
    };
    void bare(pica::Opcode op) { raw(static_cast<pica::u32>(op) << 26); }
    void call_word(pica::Opcode op, const std::string& name, pica::u32 extra);
    void patch(pica::u32 word, pica::u32 target, pica::u32 num);

    std::vector<pica::u32> words_;
    std::vector<pica::u32> descriptors_;
    std::vector<pica::u32> open_; // IF and LOOP instructions that are still open
    std::vector<pica::u32> else_; // for each open IF: address of its else part, 0 = none
    std::map<std::string, Range> labels_;
    std::vector<std::string> functions_;
    std::vector<Fixup> fixups_;
};
