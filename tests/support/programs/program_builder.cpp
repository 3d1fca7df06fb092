// SPDX-License-Identifier: MIT
#include "tests/support/programs/program_builder.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>

using namespace pica;

namespace
{

[[noreturn]] void misuse(const char* what)
{
    std::fprintf(stderr, "ProgramBuilder: %s\n", what);
    std::abort();
}

u32 component(char name)
{
    const size_t i = std::string_view("xyzw").find(name);
    if (i == std::string_view::npos)
        misuse("a component is not one of x, y, z, w");
    return static_cast<u32>(i);
}

bool wide(const ShaderOperand& operand)
{
    return operand.code >= kFirstConstant;
}

u32 narrow(const ShaderOperand& operand)
{
    if (wide(operand))
        misuse("a c register stands where the format has five bits");
    return operand.code;
}

u32 mask_bits(const ShaderOperand& d)
{
    if (d.lanes.empty())
        return 15;
    u32 mask = 0;
    for (const char lane : d.lanes)
        mask |= 8u >> component(lane);
    return mask;
}

u32 source_bits(const ShaderOperand& s)
{
    u32 select = 0;
    for (u32 i = 0; i < 4; i++)
    {
        const size_t at = i < s.lanes.size() ? i : s.lanes.empty() ? 0 : s.lanes.size() - 1;
        const u32 from = s.lanes.empty() ? i : component(s.lanes[at]);
        select |= from << (2 * (3 - i));
    }
    return select << 1 | (s.negated ? 1u : 0u);
}

u32 index_bits(const ShaderOperand& s)
{
    return static_cast<u32>(s.index);
}

} // namespace

ShaderOperand ShaderOperand::operator-() const
{
    ShaderOperand result = *this;
    result.negated = !negated;
    return result;
}

ShaderOperand ShaderOperand::operator[](const char* components) const
{
    ShaderOperand result = *this;
    result.lanes = components;
    return result;
}

ShaderOperand ShaderOperand::operator[](IndexRegister index_register) const
{
    ShaderOperand result = *this;
    result.index = index_register;
    return result;
}

ShaderOperand v(u32 n)
{
    return {static_cast<u8>(n), false, false, {}, IndexRegister::None};
}
ShaderOperand r(u32 n)
{
    return {static_cast<u8>(kFirstTemporary + n), false, false, {}, IndexRegister::None};
}
ShaderOperand c(u32 n)
{
    return {static_cast<u8>(kFirstConstant + n), false, false, {}, IndexRegister::None};
}
ShaderOperand o(u32 n)
{
    return {static_cast<u8>(n), true, false, {}, IndexRegister::None};
}

u32 ProgramBuilder::descriptor_word(const Operand& d, const Operand& a, const Operand& b, const Operand& e)
{
    return mask_bits(d) | source_bits(a) << 4 | source_bits(b) << 13 | source_bits(e) << 22;
}

u32 ProgramBuilder::descriptor(u32 word)
{
    for (size_t i = 0; i < descriptors_.size(); i++)
        if (descriptors_[i] == word)
            return static_cast<u32>(i);
    if (descriptors_.size() == kDescriptorCount)
        misuse("more than 128 descriptors");
    descriptors_.push_back(word);
    return static_cast<u32>(descriptors_.size() - 1);
}

void ProgramBuilder::set_descriptor(u32 index, u32 word)
{
    if (descriptors_.size() <= index)
        descriptors_.resize(index + 1, 0);
    descriptors_[index] = word;
}

void ProgramBuilder::one(Opcode op, const Operand& d, const Operand& a)
{
    const u32 desc = descriptor(descriptor_word(d, a));
    raw(static_cast<u32>(op) << 26 | u32{d.code} << 21 | index_bits(a) << 19 | u32{a.code} << 12 | desc);
}

void ProgramBuilder::two(Opcode op, const Operand& d, const Operand& a, const Operand& b)
{
    if (wide(b) || op == Opcode::Dphi || op == Opcode::Dsti || op == Opcode::Sgei || op == Opcode::Slti)
    {
        switch (op)
        {
        case Opcode::Dph:
            op = Opcode::Dphi;
            break;
        case Opcode::Dst:
            op = Opcode::Dsti;
            break;
        case Opcode::Sge:
            op = Opcode::Sgei;
            break;
        case Opcode::Slt:
            op = Opcode::Slti;
            break;
        case Opcode::Dphi:
        case Opcode::Dsti:
        case Opcode::Sgei:
        case Opcode::Slti:
            break;
        default:
            misuse("this instruction has no form with a c register as second source");
        }
        const u32 desc = descriptor(descriptor_word(d, a, b));
        raw(static_cast<u32>(op) << 26 | u32{d.code} << 21 | index_bits(b) << 19 | narrow(a) << 14 |
            u32{b.code} << 7 | desc);
        return;
    }
    const u32 desc = descriptor(descriptor_word(d, a, b));
    raw(static_cast<u32>(op) << 26 | u32{d.code} << 21 | index_bits(a) << 19 | u32{a.code} << 12 |
        narrow(b) << 7 | desc);
}

void ProgramBuilder::mad(Operand d, Operand a, Operand b, Operand e)
{
    const u32 desc = descriptor(descriptor_word(d, a, b, e));
    if (desc > 31)
        misuse("MAD can only name descriptors 0..31: build MADs first");
    if (wide(e))
        raw(6u << 29 | u32{d.code} << 24 | index_bits(e) << 22 | narrow(a) << 17 | narrow(b) << 12 |
            u32{e.code} << 5 | desc);
    else
        raw(7u << 29 | u32{d.code} << 24 | index_bits(b) << 22 | narrow(a) << 17 | u32{b.code} << 10 |
            narrow(e) << 5 | desc);
}

void ProgramBuilder::cmp(Operand a, CompareOp x, CompareOp y, Operand b)
{
    const u32 desc = descriptor(descriptor_word(o(0), a, b));
    raw(0x17u << 27 | static_cast<u32>(x) << 24 | static_cast<u32>(y) << 21 | index_bits(a) << 19 |
        u32{a.code} << 12 | narrow(b) << 7 | desc);
}

void ProgramBuilder::set_emit(u32 vertex, bool primitive, bool invert)
{
    raw(static_cast<u32>(Opcode::Setemit) << 26 | vertex << 24 | (primitive ? 1u << 23 : 0u) |
        (invert ? 1u << 22 : 0u));
}

u32 ProgramBuilder::flow_word(Opcode op, u32 target, u32 num, u32 extra)
{
    return static_cast<u32>(op) << 26 | extra << 22 | (target & 0xFFF) << 10 | (num & 0xFF);
}

u32 ProgramBuilder::condition_bits(FlagCondition condition)
{
    return static_cast<u32>(condition.op) | (condition.ref_y ? 4u : 0u) | (condition.ref_x ? 8u : 0u);
}

void ProgramBuilder::if_uniform(u32 bool_id)
{
    open_.push_back(pc());
    else_.push_back(0);
    raw(flow_word(Opcode::Ifu, 0, 0, bool_id));
}

void ProgramBuilder::if_flags(FlagCondition condition)
{
    open_.push_back(pc());
    else_.push_back(0);
    raw(flow_word(Opcode::Ifc, 0, 0, condition_bits(condition)));
}

void ProgramBuilder::otherwise()
{
    else_.back() = pc();
}

void ProgramBuilder::end_if()
{
    const u32 target = else_.back() != 0 ? else_.back() : pc();
    patch(open_.back(), target, pc() - target);
    open_.pop_back();
    else_.pop_back();
}

void ProgramBuilder::loop(u32 int_id)
{
    open_.push_back(pc());
    raw(flow_word(Opcode::Loop, 0, 0, int_id));
}

void ProgramBuilder::end_loop()
{
    patch(open_.back(), pc() - 1, 0);
    open_.pop_back();
}

void ProgramBuilder::break_if(FlagCondition condition)
{
    raw(flow_word(Opcode::Breakc, 0, 0, condition_bits(condition)));
}

void ProgramBuilder::function(const std::string& name)
{
    functions_.push_back(name);
    labels_[name] = {pc(), pc()};
}

void ProgramBuilder::end_function()
{
    labels_[functions_.back()].end = pc();
    functions_.pop_back();
}

void ProgramBuilder::call_word(Opcode op, const std::string& name, u32 extra)
{
    fixups_.push_back({pc(), name, true});
    raw(flow_word(op, 0, 0, extra));
}

void ProgramBuilder::call_uniform(u32 bool_id, const std::string& name)
{
    call_word(Opcode::Callu, name, bool_id);
}

void ProgramBuilder::call_flags(FlagCondition condition, const std::string& name)
{
    call_word(Opcode::Callc, name, condition_bits(condition));
}

void ProgramBuilder::jump_uniform(u32 bool_id, bool expected, const std::string& name)
{
    fixups_.push_back({pc(), name, false});
    raw(flow_word(Opcode::Jmpu, 0, expected ? 0 : 1, bool_id));
}

void ProgramBuilder::jump_flags(FlagCondition condition, const std::string& name)
{
    fixups_.push_back({pc(), name, false});
    raw(flow_word(Opcode::Jmpc, 0, 0, condition_bits(condition)));
}

void ProgramBuilder::org(u32 address)
{
    while (pc() < address)
        nop();
}

void ProgramBuilder::patch(u32 word, u32 target, u32 num)
{
    words_[word] = (words_[word] & ~0x3FFCFFu) | target << 10 | num;
}

std::vector<u32> ProgramBuilder::words() const
{
    if (!open_.empty() || !functions_.empty())
        misuse("an IF, LOOP or function is not closed");
    std::vector<u32> result = words_;
    for (const Fixup& fixup : fixups_)
    {
        const auto found = labels_.find(fixup.name);
        if (found == labels_.end())
            misuse("a label is missing");
        result[fixup.word] |= found->second.start << 10;
        if (fixup.with_length)
            result[fixup.word] |= found->second.end - found->second.start;
    }
    return result;
}

ShaderCode ProgramBuilder::code(ShaderStage stage) const
{
    ShaderCode code(stage);
    const std::vector<u32> resolved = words();
    for (u32 i = 0; i < resolved.size(); i++)
        if (!code.write_word(i, resolved[i]))
            misuse("the program is longer than the code memory");
    for (u32 i = 0; i < descriptors_.size(); i++)
        code.write_descriptor(i, descriptors_[i]);
    return code;
}

Program ProgramBuilder::program(u32 entry, ShaderStage stage) const
{
    return Program(code(stage), entry, stage);
}
