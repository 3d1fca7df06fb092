// SPDX-License-Identifier: MIT
#include "pica/shader/disasm.h"

#include <cctype>
#include <cstdio>

namespace pica
{

namespace
{

using Format = InstructionFormat;
constexpr char kComponents[] = "xyzw";

std::string mnemonic(Opcode op)
{
    std::string name;
    for (const char c : opcode_name(op))
        name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return name;
}

std::string hex3(u32 value)
{
    char text[12];
    std::snprintf(text, sizeof text, "%03X", value);
    return text;
}

const char* index_text(IndexRegister index)
{
    switch (index)
    {
    case IndexRegister::A0x:
        return "[a0.x]";
    case IndexRegister::A0y:
        return "[a0.y]";
    case IndexRegister::Al:
        return "[aL]";
    case IndexRegister::None:
        break;
    }
    return "";
}

using Names = std::span<const ShbinUniform>;
using Labels = std::span<const ShbinLabel>;
// The numbers at which uniform tables begin to count each register file.
constexpr u32 kNamesOfConstants = 0x10;
constexpr u32 kNamesOfInts = 0x70;
constexpr u32 kNamesOfBools = 0x78;

// The name that covers `number`, or the plain register.
std::string named(u32 number, const std::string& plain, Names names)
{
    for (const ShbinUniform& uniform : names)
    {
        if (number < uniform.first || number > uniform.last)
            continue;
        return uniform.first == uniform.last
                   ? uniform.name
                   : uniform.name + "[" + std::to_string(number - uniform.first) + "]";
    }
    return plain;
}

std::string source_text(const Instruction& in, const OperandDescriptor& descriptor, u32 number, Names names)
{
    const u8 code = in.src[number];
    std::string text = descriptor.negate[number] ? "-" : "";
    if (code < kFirstTemporary)
        text += named(code, "v" + std::to_string(code), names);
    else if (code < kFirstConstant)
        text += "r" + std::to_string(code - kFirstTemporary);
    else
        text += named(code - kFirstConstant + kNamesOfConstants, "c" + std::to_string(code - kFirstConstant),
                      names);
    if (in.relative_source == number)
        text += index_text(in.index);
    text += '.';
    for (const u8 component : descriptor.select[number])
        text += kComponents[component];
    return text;
}

std::string sources_text(const Instruction& in, const OperandDescriptor& descriptor, Names names)
{
    std::string text;
    for (u32 number = 0; number < in.source_count; ++number)
        text += ", " + source_text(in, descriptor, number, names);
    return text;
}

std::string destination_text(const Instruction& in, const OperandDescriptor& descriptor)
{
    std::string text = in.op == Opcode::Mova      ? "a0"
                       : in.dst < kFirstTemporary ? "o" + std::to_string(in.dst)
                                                  : "r" + std::to_string(in.dst - kFirstTemporary);
    text += '.';
    for (u32 component = 0; component < 4; ++component)
    {
        if (descriptor.writes(component))
            text += kComponents[component];
    }
    return text;
}

std::string compare_text(CompareOp op)
{
    constexpr const char* kNames[] = {"eq", "ne", "lt", "le", "gt", "ge", "true6", "true7"};
    return kNames[static_cast<u32>(op) & 7];
}

std::string condition_text(const Instruction& in)
{
    const std::string x = std::string(in.ref_x ? "" : "!") + "cmp.x";
    const std::string y = std::string(in.ref_y ? "" : "!") + "cmp.y";
    switch (in.condition)
    {
    case ConditionOp::Or:
        return x + " || " + y;
    case ConditionOp::And:
        return x + " && " + y;
    case ConditionOp::JustX:
        return x;
    case ConditionOp::JustY:
        return y;
    }
    return {};
}

std::string address_text(u32 address, Labels labels)
{
    for (const ShbinLabel& label : labels)
        if (label.address == address && !label.name.empty())
            return label.name;
    return hex3(address);
}

// Target and count. For IF these are the else address and the words of the else part, for CALL the subroutine
// and its words.
std::string flow_text(const Instruction& in, Names names, Labels labels)
{
    std::string text;
    switch (in.op)
    {
    case Opcode::Ifc:
    case Opcode::Callc:
    case Opcode::Jmpc:
    case Opcode::Breakc:
        text = " " + condition_text(in);
        break;
    case Opcode::Ifu:
    case Opcode::Callu:
    case Opcode::Jmpu:
        text = in.op == Opcode::Jmpu && (in.count & 1) != 0 ? " !" : " ";
        text += named(in.uniform + kNamesOfBools, "b" + std::to_string(in.uniform), names);
        break;
    case Opcode::Loop:
        text = " " + named(in.uniform + kNamesOfInts, "i" + std::to_string(in.uniform), names);
        break;
    default:
        break;
    }
    if (in.op == Opcode::Breakc)
        return text;
    text += (text.empty() ? " " : ", ") + address_text(in.target, labels);
    if (in.op != Opcode::Jmpc && in.op != Opcode::Jmpu && in.op != Opcode::Loop)
        text += " +" + std::to_string(in.count);
    return text;
}

// Addresses to which flow instructions jump, or at which the bodies that they open end.
std::vector<bool> find_labels(const Program& program)
{
    std::vector<bool> labels(program.limit() + 1u, false);
    const auto mark = [&](u32 address)
    {
        if (address < labels.size())
            labels[address] = true;
    };
    for (u32 pc = 0; pc < program.limit(); ++pc)
    {
        const Instruction& in = program.instruction(pc);
        const bool has_target = in.format == Format::FlowCondition || in.format == Format::FlowUniform;
        if (!program.reachable(pc) || !has_target || in.op == Opcode::Breakc)
            continue;
        mark(in.op == Opcode::Loop ? in.target + 1u : in.target);
        if (in.op != Opcode::Loop && in.op != Opcode::Jmpc && in.op != Opcode::Jmpu)
            mark(in.target + u32{in.count});
    }
    return labels;
}

} // namespace

std::string disassemble(const Instruction& in, const OperandDescriptor& descriptor, Names names,
                        Labels labels)
{
    std::string text = mnemonic(in.op);
    switch (in.format)
    {
    case Format::Bare:
        if (in.op == Opcode::Undefined)
            text += " " + hex3(in.word >> 26);
        return text;
    case Format::TwoSource:
    case Format::TwoSourceInverse:
    case Format::OneSource:
    case Format::Mad:
    case Format::MadInverse:
        return text + " " + destination_text(in, descriptor) + sources_text(in, descriptor, names);
    case Format::Compare:
        return text + " " + source_text(in, descriptor, 0, names) + " (" + compare_text(in.compare_x) + ", " +
               compare_text(in.compare_y) + ") " + source_text(in, descriptor, 1, names);
    case Format::FlowCondition:
    case Format::FlowUniform:
        return text + flow_text(in, names, labels);
    case Format::SetEmit:
        return text + " " + std::to_string(in.vertex_id) + (in.emit_primitive ? ", primitive" : "") +
               (in.invert_winding ? ", inverted" : "");
    }
    return text;
}

std::string disassemble(const Program& program, Names names, Labels labels)
{
    const std::vector<bool> targets = find_labels(program);
    std::string text = "entry " + hex3(program.entry()) + "\n";
    bool gap = false;
    for (u32 pc = 0; pc < program.limit(); ++pc)
    {
        if (!program.reachable(pc))
        {
            gap = true;
            continue;
        }
        if (gap)
            text += "     ...\n";
        gap = false;
        bool has_name = false;
        for (const ShbinLabel& label : labels)
            if (label.address == pc && !label.name.empty())
            {
                text += label.name + ":\n";
                has_name = true;
            }
        if (targets[pc] && !has_name)
            text += "L" + hex3(pc) + ":\n";
        const Instruction& in = program.instruction(pc);
        text += hex3(pc) + "  " + disassemble(in, program.descriptor(in.descriptor), names, labels) + "\n";
    }
    return text;
}

} // namespace pica
