// SPDX-License-Identifier: MIT
// Source: shader-unit.md; the interpreter decides every detail. Dot products add from left to right.
#include "shadergen/instruction.h"

#include "shadergen/batch_rows.h"

#include <array>
#include <string_view>

namespace shadergen
{

namespace
{

using namespace pica;

constexpr char kLanes[] = "xyzw";

std::string call(std::string_view function, std::string_view a)
{
    return std::string(function).append("(").append(a).append(")");
}

std::string call(std::string_view function, std::string_view a, std::string_view b)
{
    return std::string(function).append("(").append(a).append(", ").append(b).append(")");
}

bool is_normal(const Instruction& in, const OperandDescriptor& d, const NormalTemporaries& normal, u32 source,
               u32 component)
{
    const u32 code = in.src[source];
    return code >= kFirstTemporary && code < kFirstConstant &&
           (normal[code - kFirstTemporary] >> d.select[source][component] & 1) != 0;
}

// Is component i of the result normal? Arithmetic gives normal results; the other instructions copy.
bool gives_normal(const Instruction& in, const OperandDescriptor& d, const NormalTemporaries& normal, u32 i)
{
    switch (in.op)
    {
    case Opcode::Mov:
        return is_normal(in, d, normal, 0, i);
    case Opcode::Max:
    case Opcode::Min:
        return is_normal(in, d, normal, 0, i) && is_normal(in, d, normal, 1, i);
    case Opcode::Dst:
    case Opcode::Dsti:
        return i < 2 || (i == 2 ? is_normal(in, d, normal, 0, 2) : is_normal(in, d, normal, 1, 3));
    case Opcode::Litp:
        return i == 2 || is_normal(in, d, normal, 0, i);
    default:
        return true;
    }
}

class Operands
{
public:
    // A relatively addressed constant is read once, into variable k in the scope of the statement.
    Operands(const Instruction& in, const OperandDescriptor& descriptor, const NormalTemporaries& normal,
             const Program& program)
        : in_(in), descriptor_(descriptor), normal_(normal), program_(program)
    {
    }

    bool relative() const { return in_.index != IndexRegister::None; }

    std::string relative_read() const
    {
        const u32 constant = in_.src[in_.relative_source] - u32{kFirstConstant};
        const std::string_view offset = in_.index == IndexRegister::A0x   ? "a0x"
                                        : in_.index == IndexRegister::A0y ? "a0y"
                                                                          : "aL";
        return "vec4 k = constant_at(relative_constant(" + std::to_string(constant) + ", " +
               std::string(offset) + "));";
    }

    // Component i after swizzle and negation.
    std::string operator()(u32 n, u32 i) const { return lanes(n, static_cast<u8>(1u << i)); }

    // The component as an operand of arithmetic.
    std::string normal(u32 n, u32 i) const
    {
        if (is_normal(in_, descriptor_, normal_, n, i))
            return (*this)(n, i);
        // GPUs compare integers of constants once for all invocations.
        return call(in_.src[n] < kFirstConstant ? "fast_in" : "f24_in", (*this)(n, i));
    }

    // Several components as a vector.
    std::string lanes(u32 n, u8 mask) const
    {
        std::string text = descriptor_.negate[n] ? "-" : "";
        text += register_name(n);
        text += '.';
        for (u32 i = 0; i < 4; i++)
            if (mask >> i & 1)
                text += kLanes[descriptor_.select[n][i]];
        return text;
    }

private:
    std::string register_name(u32 n) const
    {
        const u32 code = in_.src[n];
        if (code < kFirstTemporary)
            return "v" + std::to_string(code);
        if (code < kFirstConstant)
            return "r" + std::to_string(code - kFirstTemporary);
        if (relative() && n == in_.relative_source)
            return "k";
        const u32 constant = code - u32{kFirstConstant};
        const std::string n_text = std::to_string(constant);
        // A program that feeds a geometry program also writes constants.
        if (program_.stage() == ShaderStage::Geometry)
            return "constant_at(" + n_text + ")";
        return "CONSTANT_ROW(" + n_text + ", " + std::to_string(constant_row(program_.usage(), constant)) +
               ")";
    }

    const Instruction& in_;
    const OperandDescriptor& descriptor_;
    const NormalTemporaries& normal_;
    const Program& program_;
};

std::string dot(const Operands& s, u32 terms, bool homogeneous)
{
    std::string text = terms == 3 ? "fast_dp3(" : "fast_dp4(";
    for (u32 i = 0; i < terms; i++)
        text.append(i == 0 ? "" : ", ")
            .append(homogeneous && i == 3 ? "1.0" : s.normal(0, i))
            .append(", ")
            .append(s.normal(1, i));
    return text + ")";
}

std::string compare_text(CompareOp op, const std::string& a, const std::string& b)
{
    switch (op)
    {
    case CompareOp::Equal:
        return call("fast_equal", a, b);
    case CompareOp::NotEqual:
        return call("fast_not_equal", a, b);
    case CompareOp::Less:
        return call("fast_less", a, b);
    case CompareOp::LessEqual:
        return call("fast_less_equal", a, b);
    case CompareOp::Greater:
        return call("fast_greater", a, b);
    case CompareOp::GreaterEqual:
        return call("fast_greater_equal", a, b);
    case CompareOp::Always6:
    case CompareOp::Always7:
        break;
    }
    return "true";
}

// The value of lane i of a component-wise instruction.
std::string lane(const Instruction& in, const Operands& s, u32 i)
{
    switch (in.op)
    {
    case Opcode::Add:
        return call("fast_add", s.normal(0, i), s.normal(1, i));
    case Opcode::Mul:
        return call("fast_mul", s.normal(0, i), s.normal(1, i));
    case Opcode::Max:
        return call("f24_max", s(0, i), s(1, i));
    case Opcode::Min:
        return call("f24_min", s(0, i), s(1, i));
    case Opcode::Sge:
    case Opcode::Sgei:
        return call("fast_sge", s(0, i), s(1, i));
    case Opcode::Slt:
    case Opcode::Slti:
        return call("fast_slt", s(0, i), s(1, i));
    case Opcode::Mad:
    case Opcode::Madi:
        return "fast_mad(" + s.normal(0, i) + ", " + s.normal(1, i) + ", " + s.normal(2, i) + ")";
    case Opcode::Flr:
        return call("f24_floor", s(0, i));
    case Opcode::Dst:
    case Opcode::Dsti:
        return i == 0   ? "1.0"
               : i == 1 ? call("fast_mul", s.normal(0, 1), s.normal(1, 1))
               : i == 2 ? s(0, 2)
                        : s(1, 3);
    case Opcode::Litp:
        if (i == 1) // 127.99609375
            return "f24_min(f24_max(" + s(0, 1) + ", -127.99609375), 127.99609375)";
        return i == 2 ? "0.0" : call("f24_max", s(0, i), "0.0");
    default:
        return "0.0"; // not component-wise
    }
}

std::string replicated(const Instruction& in, const Operands& s)
{
    switch (in.op)
    {
    case Opcode::Dp3:
        return dot(s, 3, false);
    case Opcode::Dp4:
        return dot(s, 4, false);
    case Opcode::Dph:
    case Opcode::Dphi:
        return dot(s, 4, true);
    case Opcode::Ex2:
        return call("f24_ex2", s(0, 0));
    case Opcode::Lg2:
        return call("f24_lg2", s(0, 0));
    case Opcode::Rcp:
        return call("f24_rcp", s(0, 0));
    default:
        return call("f24_rsq", s(0, 0));
    }
}

// dst.mask = value. All lanes are evaluated before one is written, because the destination may be a source.
std::string assignment(const Instruction& in, const OperandDescriptor& d, const Operands& s)
{
    std::string text = in.dst < kFirstTemporary ? "o" + std::to_string(in.dst)
                                                : "r" + std::to_string(in.dst - kFirstTemporary);
    std::string mask;
    std::string values;
    for (u32 i = 0; i < 4; i++)
    {
        if (!d.writes(i))
            continue;
        mask += kLanes[i];
        if (!is_replicating(in.op))
            values += (values.empty() ? "" : ", ") + lane(in, s, i);
    }
    if (is_replicating(in.op))
        values = replicated(in, s);
    text += "." + mask + " = ";
    if (in.op == Opcode::Mov)
        return text + s.lanes(0, d.mask) + ";";
    text += mask.size() == 1 ? values : "vec" + std::to_string(mask.size()) + "(" + values + ")";
    return text + ";";
}

} // namespace

NormalTemporaries normal_temporaries(const Program& program)
{
    NormalTemporaries normal{};
    // The registers of the geometry unit keep what any program left.
    if (program.stage() == ShaderStage::Geometry)
        return normal;
    normal.fill(0xF); // 0 at the start
    for (bool changed = true; changed;)
    {
        changed = false;
        for (const Instruction& in : program.instructions())
        {
            if (!writes_destination(in.op) || in.dst < kFirstTemporary)
                continue;
            const OperandDescriptor& d = program.descriptor(in.descriptor);
            u8& mask = normal[in.dst - kFirstTemporary];
            for (u32 i = 0; i < 4; i++)
                if (d.writes(i) && (mask >> i & 1) != 0 && !gives_normal(in, d, normal, i))
                {
                    mask = static_cast<u8>(mask & ~(1u << i));
                    changed = true;
                }
        }
    }
    return normal;
}

void write_instruction(GlslWriter& out, const Program& program, const NormalTemporaries& normal, u32 pc)
{
    const Instruction& in = program.instruction(pc);
    const OperandDescriptor& d = program.descriptor(in.descriptor);
    if (program.stage() == ShaderStage::Geometry && in.op == Opcode::Emit)
        out.line("emit_vertex();");
    if (program.stage() == ShaderStage::Geometry && in.op == Opcode::Setemit)
        out.line(
            "set_emit(" +
            std::to_string(in.vertex_id | (in.emit_primitive ? 4u : 0u) | (in.invert_winding ? 8u : 0u)) +
            "u);");
    const bool writes = writes_destination(in.op) && d.mask != 0;
    const bool mova = in.op == Opcode::Mova && (d.mask & 3) != 0;
    const bool flags = in.op == Opcode::Cmp || in.op == Opcode::Litp;
    if (!writes && !mova && !flags)
        return;

    const Operands s(in, d, normal, program);
    // More than one statement, or a variable: all sources are read before anything is written.
    const bool both_offsets = mova && (d.mask & 3) == 3;
    const bool scope = s.relative();
    if (scope)
    {
        out.open();
        out.line(s.relative_read());
    }
    if (mova)
    {
        const std::string x = "a0x = " + call("f24_to_offset", s(0, 0)) + ";";
        const std::string y = "a0y = " + call("f24_to_offset", s(0, 1)) + ";";
        out.line(both_offsets ? x + " " + y : d.writes(0) ? x : y);
    }
    if (in.op == Opcode::Cmp)
        out.line("cmp_x = " + compare_text(in.compare_x, s(0, 0), s(1, 0)) +
                 "; cmp_y = " + compare_text(in.compare_y, s(0, 1), s(1, 1)) + ";");
    if (in.op == Opcode::Litp) // before the destination, which may be the source
        out.line("cmp_x = " + call("fast_greater_equal", s(0, 0), "0.0") +
                 "; cmp_y = " + call("fast_greater_equal", s(0, 3), "0.0") + ";");
    if (writes)
        out.line(assignment(in, d, s));
    if (scope)
        out.close();
}

std::string condition_text(const Condition& c, ShaderStage stage)
{
    std::string text = "true";
    if (c.kind == Condition::Kind::Flags)
    {
        const std::string x = c.ref_x ? "cmp_x" : "!cmp_x";
        const std::string y = c.ref_y ? "cmp_y" : "!cmp_y";
        switch (c.op)
        {
        case ConditionOp::Or:
            text = x + " || " + y;
            break;
        case ConditionOp::And:
            text = x + " && " + y;
            break;
        case ConditionOp::JustX:
            text = x;
            break;
        case ConditionOp::JustY:
            text = y;
            break;
        }
    }
    else if (c.kind == Condition::Kind::Bool)
        text = std::string(stage == ShaderStage::Geometry ? "(bools & " : "(u.draw.bools & ") +
               std::to_string(1u << c.bool_id) + "u) " + (c.expected ? "!=" : "==") + " 0u";
    return c.inverted ? "!(" + text + ")" : text;
}

} // namespace shadergen
