// SPDX-License-Identifier: MIT
#include "pica/shader/interpreter.h"

#include "pica/base/numeric.h"

#include <algorithm>

namespace pica
{

namespace
{

constexpr Vec4 kOnes = {1.0f, 1.0f, 1.0f, 1.0f};

const Vec4& read_register(const Instruction& in, u32 n, const ShaderUniforms& uniforms, s32 al,
                          const ShaderRegisters& regs)
{
    const u8 code = in.src[n];
    if (code < kFirstTemporary)
        return regs.v[code];
    if (code < kFirstConstant)
        return regs.r[code - kFirstTemporary];
    u32 constant = code - u32{kFirstConstant};
    if (in.index != IndexRegister::None && in.relative_source == n)
    {
        const s32 offset = in.index == IndexRegister::A0x   ? regs.a0[0]
                           : in.index == IndexRegister::A0y ? regs.a0[1]
                                                            : al;
        constant = static_cast<u32>(num::relative_constant(static_cast<s32>(constant), offset));
    }
    return constant < uniforms.f.size() ? uniforms.f[constant] : kOnes;
}

// Fetches, swizzles, then negates. The sign bit is flipped for every value; no operation can distinguish -0
// from +0.
Vec4 read_source(const Instruction& in, const OperandDescriptor& d, u32 n, const ShaderUniforms& uniforms,
                 s32 al, const ShaderRegisters& regs)
{
    const Vec4& source = read_register(in, n, uniforms, al, regs);
    Vec4 result;
    for (u32 i = 0; i < 4; i++)
    {
        const u32 bits = num::as_bits(source[d.select[n][i]]);
        result[i] = num::as_real(d.negate[n] ? bits ^ 0x80000000u : bits);
    }
    return result;
}

f32 dot(const Vec4& a, const Vec4& b, u32 terms)
{
    f32 sum = num::f24_mul(a[0], b[0]);
    for (u32 i = 1; i < terms; i++)
        sum = num::f24_mad(a[i], b[i], sum);
    return sum;
}

Vec4 replicate(f32 value)
{
    return {value, value, value, value};
}

template <typename F>
Vec4 each(const Vec4& a, const Vec4& b, F function)
{
    return {function(a[0], b[0]), function(a[1], b[1]), function(a[2], b[2]), function(a[3], b[3])};
}

bool compare(CompareOp op, f32 a, f32 b)
{
    switch (op)
    {
    case CompareOp::Equal:
        return num::f24_equal(a, b);
    case CompareOp::NotEqual:
        return num::f24_not_equal(a, b);
    case CompareOp::Less:
        return num::f24_less(a, b);
    case CompareOp::LessEqual:
        return num::f24_less_equal(a, b);
    case CompareOp::Greater:
        return num::f24_greater(a, b);
    case CompareOp::GreaterEqual:
        return num::f24_greater_equal(a, b);
    case CompareOp::Always6:
    case CompareOp::Always7:
        break;
    }
    return true;
}

// Instructions that write a destination register: computes its value; LITP also sets the flags. Returns false
// for other instructions.
inline bool compute(Opcode op, const Vec4 (&s)[3], ShaderRegisters& regs, Vec4& result)
{
    const Vec4& a = s[0];
    const Vec4& b = s[1];
    switch (op)
    {
    case Opcode::Add:
        result = each(a, b, num::f24_add);
        return true;
    case Opcode::Mul:
        result = each(a, b, num::f24_mul);
        return true;
    case Opcode::Max:
        result = each(a, b, num::f24_max);
        return true;
    case Opcode::Min:
        result = each(a, b, num::f24_min);
        return true;
    case Opcode::Sge:
    case Opcode::Sgei:
        result = each(a, b, num::f24_sge);
        return true;
    case Opcode::Slt:
    case Opcode::Slti:
        result = each(a, b, num::f24_slt);
        return true;
    case Opcode::Mad:
    case Opcode::Madi:
        for (u32 i = 0; i < 4; i++)
            result[i] = num::f24_mad(a[i], b[i], s[2][i]);
        return true;
    case Opcode::Dp3:
        result = replicate(dot(a, b, 3));
        return true;
    case Opcode::Dp4:
        result = replicate(dot(a, b, 4));
        return true;
    case Opcode::Dph:
    case Opcode::Dphi: // src1.w is 1.0 after swizzle and negation
        result = replicate(dot({a[0], a[1], a[2], 1.0f}, b, 4));
        return true;
    case Opcode::Dst:
    case Opcode::Dsti: // [ASSUMED] DSTI: the formula of DST, only the field widths change
        result = {1.0f, num::f24_mul(a[1], b[1]), a[2], b[3]};
        return true;
    case Opcode::Ex2:
        result = replicate(num::f24_ex2(a[0]));
        return true;
    case Opcode::Lg2:
        result = replicate(num::f24_lg2(a[0]));
        return true;
    case Opcode::Rcp:
        result = replicate(num::f24_rcp(a[0]));
        return true;
    case Opcode::Rsq:
        result = replicate(num::f24_rsq(a[0]));
        return true;
    case Opcode::Flr:
        for (u32 i = 0; i < 4; i++)
            result[i] = num::f24_floor(a[i]);
        return true;
    case Opcode::Litp:
        result = {num::f24_max(a[0], 0.0f), num::f24_min(num::f24_max(a[1], -kLitpLimit), kLitpLimit), 0.0f,
                  num::f24_max(a[3], 0.0f)};
        regs.cmp_x = num::f24_greater_equal(a[0], 0.0f);
        regs.cmp_y = num::f24_greater_equal(a[3], 0.0f);
        return true;
    case Opcode::Mov:
        result = a;
        return true;
    default:
        return false;
    }
}

// CMP and MOVA. Other instructions change nothing.
inline void set_condition_or_offset(const Instruction& in, const OperandDescriptor& d, const Vec4 (&s)[3],
                                    ShaderRegisters& regs)
{
    if (in.op == Opcode::Mova)
    {
        for (u32 i = 0; i < 2; i++)
            if (d.writes(i))
                regs.a0[i] = num::f24_to_offset(s[0][i]);
    }
    else if (in.op == Opcode::Cmp) // both flags, whatever the mask [EMU]
    {
        regs.cmp_x = compare(in.compare_x, s[0][0], s[1][0]);
        regs.cmp_y = compare(in.compare_y, s[0][1], s[1][1]);
    }
}

} // namespace

void execute_instruction(const Instruction& in, const OperandDescriptor& d, const ShaderUniforms& uniforms,
                         s32 al, ShaderRegisters& regs)
{
    Vec4 s[3] = {};
    for (u32 n = 0; n < in.source_count; n++)
        s[n] = read_source(in, d, n, uniforms, al, regs);
    Vec4 result = {};
    if (!compute(in.op, s, regs, result))
    {
        set_condition_or_offset(in, d, s, regs);
        return;
    }
    Vec4& destination = in.dst < kFirstTemporary ? regs.o[in.dst] : regs.r[in.dst - kFirstTemporary];
    for (u32 i = 0; i < 4; i++)
        if (d.writes(i))
            destination[i] = result[i];
}

u32 run_program(const Program& program, const ShaderUniforms& uniforms, ShaderRegisters& regs)
{
    FlowState flow;
    flow.pc = program.entry();
    if (flow.pc >= program.limit())
        return 0;
    bool running = true;
    while (running)
    {
        const Instruction& in = program.instruction(flow.pc);
        bool condition = false;
        if (is_flow(in.op))
            condition = condition_of(in).holds(regs.cmp_x, regs.cmp_y, uniforms.b);
        else
            execute_instruction(in, program.descriptor(in.descriptor), uniforms, flow.al, regs);
        running = flow_step(flow, program, uniforms, condition);
    }
    return flow.events;
}

u32 run_vertex(const Program& program, const ShaderUniforms& uniforms, std::span<const Vec4, 16> inputs,
               std::span<Vec4, 16> outputs)
{
    ShaderRegisters regs;
    std::copy(inputs.begin(), inputs.end(), regs.v.begin());
    const u32 events = run_program(program, uniforms, regs);
    std::copy(regs.o.begin(), regs.o.end(), outputs.begin());
    return events;
}

} // namespace pica
