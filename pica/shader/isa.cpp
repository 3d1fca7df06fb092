// SPDX-License-Identifier: MIT
#include "pica/shader/isa.h"

namespace pica
{

namespace
{

struct OpcodeInfo
{
    Opcode op;
    InstructionFormat format;
};

using Format = InstructionFormat;
constexpr OpcodeInfo kUndefined = {Opcode::Undefined, Format::Bare};
constexpr OpcodeInfo kMadi = {Opcode::Madi, Format::MadInverse};
constexpr OpcodeInfo kMad = {Opcode::Mad, Format::Mad};

// Indexed by the six opcode bits.
constexpr OpcodeInfo kOpcodes[64] = {
    {Opcode::Add, Format::TwoSource},
    {Opcode::Dp3, Format::TwoSource},
    {Opcode::Dp4, Format::TwoSource},
    {Opcode::Dph, Format::TwoSource},
    {Opcode::Dst, Format::TwoSource},
    {Opcode::Ex2, Format::OneSource},
    {Opcode::Lg2, Format::OneSource},
    {Opcode::Litp, Format::OneSource},
    {Opcode::Mul, Format::TwoSource},
    {Opcode::Sge, Format::TwoSource},
    {Opcode::Slt, Format::TwoSource},
    {Opcode::Flr, Format::OneSource},
    {Opcode::Max, Format::TwoSource},
    {Opcode::Min, Format::TwoSource},
    {Opcode::Rcp, Format::OneSource},
    {Opcode::Rsq, Format::OneSource},
    kUndefined,
    kUndefined,
    {Opcode::Mova, Format::OneSource},
    {Opcode::Mov, Format::OneSource},
    kUndefined,
    kUndefined,
    kUndefined,
    kUndefined,
    {Opcode::Dphi, Format::TwoSourceInverse},
    {Opcode::Dsti, Format::TwoSourceInverse},
    {Opcode::Sgei, Format::TwoSourceInverse},
    {Opcode::Slti, Format::TwoSourceInverse},
    kUndefined,
    kUndefined,
    kUndefined,
    kUndefined,
    {Opcode::Break, Format::Bare},
    {Opcode::Nop, Format::Bare},
    {Opcode::End, Format::Bare},
    {Opcode::Breakc, Format::FlowCondition},
    {Opcode::Call, Format::FlowCondition},
    {Opcode::Callc, Format::FlowCondition},
    {Opcode::Callu, Format::FlowUniform},
    {Opcode::Ifu, Format::FlowUniform},
    {Opcode::Ifc, Format::FlowCondition},
    {Opcode::Loop, Format::FlowUniform},
    {Opcode::Emit, Format::Bare},
    {Opcode::Setemit, Format::SetEmit},
    {Opcode::Jmpc, Format::FlowCondition},
    {Opcode::Jmpu, Format::FlowUniform},
    {Opcode::Cmp, Format::Compare},
    {Opcode::Cmp, Format::Compare},
    kMadi,
    kMadi,
    kMadi,
    kMadi,
    kMadi,
    kMadi,
    kMadi,
    kMadi,
    kMad,
    kMad,
    kMad,
    kMad,
    kMad,
    kMad,
    kMad,
    kMad,
};

constexpr u32 bits(u32 word, u32 low, u32 high)
{
    return word >> low & ((1u << (high - low + 1)) - 1);
}
constexpr u8 byte_bits(u32 word, u32 low, u32 high)
{
    return static_cast<u8>(bits(word, low, high));
}

void set_sources(Instruction& in, u8 count, u8 wide, u8 index_field)
{
    in.source_count = count;
    in.relative_source = wide;
    in.index = in.src[wide] >= kFirstConstant ? static_cast<IndexRegister>(index_field) : IndexRegister::None;
}

} // namespace

Instruction decode_instruction(u32 word)
{
    const OpcodeInfo& info = kOpcodes[word >> 26];
    Instruction in;
    in.word = word;
    in.op = info.op;
    in.format = info.format;
    switch (info.format)
    {
    case Format::Bare:
        break;
    case Format::TwoSource:
    case Format::OneSource:
    case Format::Compare:
        in.descriptor = byte_bits(word, 0, 6);
        in.src[0] = byte_bits(word, 12, 18);
        if (info.format != Format::OneSource)
            in.src[1] = byte_bits(word, 7, 11);
        set_sources(in, info.format == Format::OneSource ? 1 : 2, 0, byte_bits(word, 19, 20));
        if (info.format == Format::Compare)
        {
            in.compare_y = static_cast<CompareOp>(bits(word, 21, 23));
            in.compare_x = static_cast<CompareOp>(bits(word, 24, 26));
        }
        else
            in.dst = byte_bits(word, 21, 25);
        break;
    case Format::TwoSourceInverse:
        in.descriptor = byte_bits(word, 0, 6);
        in.src[1] = byte_bits(word, 7, 13);
        in.src[0] = byte_bits(word, 14, 18);
        set_sources(in, 2, 1, byte_bits(word, 19, 20));
        in.dst = byte_bits(word, 21, 25);
        break;
    case Format::FlowCondition:
        in.count = byte_bits(word, 0, 7);
        in.target = static_cast<u16>(bits(word, 10, 21));
        in.condition = static_cast<ConditionOp>(bits(word, 22, 23));
        in.ref_y = bits(word, 24, 24) != 0;
        in.ref_x = bits(word, 25, 25) != 0;
        break;
    case Format::FlowUniform:
        in.count = byte_bits(word, 0, 7);
        in.target = static_cast<u16>(bits(word, 10, 21));
        in.uniform_field = byte_bits(word, 22, 25);
        in.uniform = static_cast<u8>(info.op == Opcode::Loop ? in.uniform_field & 3 : in.uniform_field);
        break;
    case Format::SetEmit:
        in.invert_winding = bits(word, 22, 22) != 0;
        in.emit_primitive = bits(word, 23, 23) != 0;
        in.vertex_id = byte_bits(word, 24, 25);
        break;
    case Format::Mad:
        in.descriptor = byte_bits(word, 0, 4);
        in.src = {byte_bits(word, 17, 21), byte_bits(word, 10, 16), byte_bits(word, 5, 9)};
        set_sources(in, 3, 1, byte_bits(word, 22, 23));
        in.dst = byte_bits(word, 24, 28);
        break;
    case Format::MadInverse:
        in.descriptor = byte_bits(word, 0, 4);
        in.src = {byte_bits(word, 17, 21), byte_bits(word, 12, 16), byte_bits(word, 5, 11)};
        set_sources(in, 3, 2, byte_bits(word, 22, 23));
        in.dst = byte_bits(word, 24, 28);
        break;
    }
    return in;
}

OperandDescriptor decode_descriptor(u32 word)
{
    OperandDescriptor d;
    for (u32 i = 0; i < 4; i++)
        d.mask |= static_cast<u8>((word >> (3 - i) & 1) << i);
    for (u32 n = 0; n < 3; n++)
    {
        const u32 field = word >> (4 + 9 * n);
        d.negate[n] = (field & 1) != 0;
        for (u32 i = 0; i < 4; i++)
            d.select[n][i] = static_cast<u8>(field >> (1 + 2 * (3 - i)) & 3);
    }
    return d;
}

std::string_view opcode_name(Opcode op)
{
    switch (op)
    {
        // clang-format off
    case Opcode::Add: return "ADD";
    case Opcode::Dp3: return "DP3";
    case Opcode::Dp4: return "DP4";
    case Opcode::Dph: return "DPH";
    case Opcode::Dst: return "DST";
    case Opcode::Ex2: return "EX2";
    case Opcode::Lg2: return "LG2";
    case Opcode::Litp: return "LITP";
    case Opcode::Mul: return "MUL";
    case Opcode::Sge: return "SGE";
    case Opcode::Slt: return "SLT";
    case Opcode::Flr: return "FLR";
    case Opcode::Max: return "MAX";
    case Opcode::Min: return "MIN";
    case Opcode::Rcp: return "RCP";
    case Opcode::Rsq: return "RSQ";
    case Opcode::Mova: return "MOVA";
    case Opcode::Mov: return "MOV";
    case Opcode::Dphi: return "DPHI";
    case Opcode::Dsti: return "DSTI";
    case Opcode::Sgei: return "SGEI";
    case Opcode::Slti: return "SLTI";
    case Opcode::Break: return "BREAK";
    case Opcode::Nop: return "NOP";
    case Opcode::End: return "END";
    case Opcode::Breakc: return "BREAKC";
    case Opcode::Call: return "CALL";
    case Opcode::Callc: return "CALLC";
    case Opcode::Callu: return "CALLU";
    case Opcode::Ifu: return "IFU";
    case Opcode::Ifc: return "IFC";
    case Opcode::Loop: return "LOOP";
    case Opcode::Emit: return "EMIT";
    case Opcode::Setemit: return "SETEMIT";
    case Opcode::Jmpc: return "JMPC";
    case Opcode::Jmpu: return "JMPU";
    case Opcode::Cmp: return "CMP";
    case Opcode::Madi: return "MADI";
    case Opcode::Mad: return "MAD";
    case Opcode::Undefined: break;
        // clang-format on
    }
    return "???";
}

bool is_flow(Opcode op)
{
    switch (op)
    {
    case Opcode::Break:
    case Opcode::Breakc:
    case Opcode::End:
    case Opcode::Call:
    case Opcode::Callc:
    case Opcode::Callu:
    case Opcode::Ifu:
    case Opcode::Ifc:
    case Opcode::Loop:
    case Opcode::Jmpc:
    case Opcode::Jmpu:
        return true;
    default:
        return false;
    }
}

bool writes_destination(Opcode op)
{
    return (op <= Opcode::Rsq || op == Opcode::Mov || (op >= Opcode::Dphi && op <= Opcode::Slti) ||
            op == Opcode::Madi || op == Opcode::Mad);
}

bool is_replicating(Opcode op)
{
    switch (op)
    {
    case Opcode::Dp3:
    case Opcode::Dp4:
    case Opcode::Dph:
    case Opcode::Dphi:
    case Opcode::Ex2:
    case Opcode::Lg2:
    case Opcode::Rcp:
    case Opcode::Rsq:
        return true;
    default:
        return false;
    }
}

bool Condition::holds(bool cmp_x, bool cmp_y, u16 bools) const
{
    bool result = true;
    if (kind == Kind::Flags)
    {
        const bool x = cmp_x == ref_x;
        const bool y = cmp_y == ref_y;
        switch (op)
        {
        case ConditionOp::Or:
            result = x || y;
            break;
        case ConditionOp::And:
            result = x && y;
            break;
        case ConditionOp::JustX:
            result = x;
            break;
        case ConditionOp::JustY:
            result = y;
            break;
        }
    }
    else if (kind == Kind::Bool)
        result = ((bools >> bool_id & 1) != 0) == expected;
    return result != inverted;
}

Condition condition_of(const Instruction& in)
{
    Condition c;
    switch (in.op)
    {
    case Opcode::Callc:
    case Opcode::Ifc:
    case Opcode::Jmpc:
    case Opcode::Breakc:
        c.kind = Condition::Kind::Flags;
        c.op = in.condition;
        c.ref_x = in.ref_x;
        c.ref_y = in.ref_y;
        break;
    case Opcode::Callu:
    case Opcode::Ifu:
        c.kind = Condition::Kind::Bool;
        c.bool_id = in.uniform;
        break;
    case Opcode::Jmpu:
        c.kind = Condition::Kind::Bool;
        c.bool_id = in.uniform;
        c.expected = (in.count & 1) == 0;
        break;
    default:
        break;
    }
    return c;
}

} // namespace pica
