// SPDX-License-Identifier: MIT
#include "pica/shader/program.h"

#include <string>
#include <utility>

namespace pica
{

u8 read_components(const Instruction& in, const OperandDescriptor& d, u32 n)
{
    u8 lanes = 0; // lanes of the swizzled operand
    switch (in.op)
    {
    case Opcode::Dp3:
        lanes = 7;
        break;
    case Opcode::Dp4:
        lanes = 15;
        break;
    case Opcode::Dph:
    case Opcode::Dphi:
        lanes = n == 0 ? 7 : 15;
        break;
    case Opcode::Ex2:
    case Opcode::Lg2:
    case Opcode::Rcp:
    case Opcode::Rsq:
        lanes = 1;
        break;
    case Opcode::Litp: // x and w also set the flags
        lanes = static_cast<u8>((d.mask & 2) | 9);
        break;
    case Opcode::Cmp:
        lanes = 3;
        break;
    case Opcode::Mova:
        lanes = d.mask & 3;
        break;
    case Opcode::Dst:
    case Opcode::Dsti:
        lanes = static_cast<u8>(d.mask & (n == 0 ? 6 : 10));
        break;
    default:
        lanes = d.mask;
        break;
    }
    u8 components = 0;
    for (u32 i = 0; i < 4; i++)
        if (lanes >> i & 1)
            components |= static_cast<u8>(1u << d.select[n][i]);
    return components;
}

bool ShaderCode::write_word(u32 offset, u32 word)
{
    if (offset >= words.size())
        return false;
    if (words[offset] != word)
    {
        words[offset] = word;
        revision++;
    }
    return true;
}

bool ShaderCode::write_descriptor(u32 index, u32 word)
{
    if (index >= descriptors.size())
        return false;
    if (descriptors[index] != word)
    {
        descriptors[index] = word;
        revision++;
    }
    return true;
}

Program::Program(const ShaderCode& code, u32 entry, ShaderStage stage) : stage_(stage)
{
    const u32 size = static_cast<u32>(code.words.size());
    const u16 limit = static_cast<u16>(size - 1);
    instructions_.reserve(limit);
    for (u32 pc = 0; pc < limit; pc++)
        instructions_.push_back(decode_instruction(code.words[pc]));
    for (u32 i = 0; i < kDescriptorCount; i++)
        descriptors_[i] = decode_descriptor(code.descriptors[i]);
    cfg_ = build_cfg(instructions_, static_cast<u16>(entry & (size - 1)), limit);
    collect_usage();
    collect_content(code);
}

void Program::collect_usage()
{
    ProgramUsage& u = usage_;
    for (u32 pc = 0; pc < limit(); pc++)
    {
        if (!reachable(pc))
            continue;
        const Instruction& in = instructions_[pc];
        const OperandDescriptor& d = descriptors_[in.descriptor];
        for (u32 n = 0; n < in.source_count; n++)
        {
            const u8 source = in.src[n];
            if (source < kFirstTemporary)
            {
                u.inputs |= static_cast<u16>(1u << source);
                u.input_masks[source] |= read_components(in, d, n);
            }
            else if (source < kFirstConstant)
                u.temporaries_read |= static_cast<u16>(1u << (source - kFirstTemporary));
            else
                u.constants.set(source - kFirstConstant);
        }
        if (in.index != IndexRegister::None)
        {
            u.relative = true;
            u.relative_a0 = u.relative_a0 || in.index != IndexRegister::Al;
        }
        if (writes_destination(in.op) && d.mask != 0)
        {
            if (in.dst < kFirstTemporary)
            {
                u.outputs |= static_cast<u16>(1u << in.dst);
                u.output_masks[in.dst] |= d.mask;
            }
            else
                u.temporaries_written |= static_cast<u16>(1u << (in.dst - kFirstTemporary));
        }
        const bool names_address =
            (in.format == InstructionFormat::FlowCondition || in.format == InstructionFormat::FlowUniform) &&
            in.op != Opcode::Breakc;
        u.jumps_outside = u.jumps_outside || (names_address && in.target >= limit());
        u.runs_off = u.runs_off || (pc + 1 == limit() && in.op != Opcode::End && in.op != Opcode::Break);
        switch (in.op)
        {
        case Opcode::Loop:
            u.loops = true;
            u.ints |= static_cast<u8>(1u << in.uniform);
            u.int_field_overflow = u.int_field_overflow || in.uniform_field > 3;
            break;
        case Opcode::Callu:
        case Opcode::Ifu:
        case Opcode::Jmpu:
            u.bools |= static_cast<u16>(1u << in.uniform);
            break;
        case Opcode::Callc:
        case Opcode::Ifc:
        case Opcode::Jmpc:
        case Opcode::Breakc:
            u.flags = true;
            break;
        case Opcode::Emit:
        case Opcode::Setemit:
            u.emits = true;
            break;
        case Opcode::Dsti:
            u.dsti = true;
            break;
        case Opcode::Undefined:
            u.undefined_opcodes = true;
            break;
        default:
            break;
        }
    }
}

void Program::collect_content(const ShaderCode& code)
{
    std::vector<u32> content = {static_cast<u32>(stage_), entry()};
    std::bitset<kDescriptorCount> used;
    for (u32 pc = 0; pc < limit(); pc++)
    {
        if (!reachable(pc))
            continue;
        u32 end = pc;
        while (end < limit() && reachable(end))
            end++;
        content.push_back(pc);
        content.push_back(end - pc);
        for (; pc < end; pc++)
        {
            content.push_back(code.words[pc]);
            if (instructions_[pc].source_count != 0)
                used.set(instructions_[pc].descriptor);
        }
    }
    content.push_back(static_cast<u32>(used.count()));
    for (u32 i = 0; i < kDescriptorCount; i++)
    {
        if (!used[i])
            continue;
        content.push_back(i);
        content.push_back(code.descriptors[i] & 0x7FFFFFFFu);
    }
    content_ = intern_program(std::move(content));
}

void report_anomalies(const Program& program, Report& report)
{
    const ProgramUsage& u = program.usage();
    const std::string detail =
        "program " + std::to_string(program.hash()) + ", entry " + std::to_string(program.entry());
    const auto tell = [&](bool when, const char* cause)
    {
        if (when)
            report.report(ReportKind::Guest, cause, detail);
    };
    tell(u.undefined_opcodes, "shader: undefined opcode, executed as NOP");
    tell(u.dsti, "shader: DSTI, operand roles are a guess");
    tell(u.int_field_overflow, "shader: LOOP names an int register beyond i3");
    tell(u.jumps_outside, "shader: an address behind the code memory, going there ends the program");
    tell(u.runs_off, "shader: runs off the end of the code memory, which ends it");
    tell(u.emits && program.stage() == ShaderStage::Vertex,
         "shader: EMIT or SETEMIT in a vertex program, ignored");
}

} // namespace pica
