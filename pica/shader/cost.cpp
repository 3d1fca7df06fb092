// SPDX-License-Identifier: MIT
#include "pica/shader/cost.h"

#include "pica/shader/flow.h"
#include "pica/shader/geometry_program.h"

#include <algorithm>
#include <array>

namespace pica
{

namespace
{

// A program with more subroutines than this is charged the whole budget.
constexpr std::size_t kCountedSubroutines = 128;

// Costs in instructions, or in EMITs alone.
struct Costs
{
    const Program& program;
    const ShaderUniforms& uniforms;
    u32 budget;
    bool emits_only = false;
    std::array<u64, kCountedSubroutines> subroutine{};

    u64 of(const std::vector<CfgNode>& nodes) const
    {
        u64 cost = 0;
        for (const CfgNode& node : nodes)
            cost = std::min<u64>(cost + of(node), budget);
        return cost;
    }

    u64 of(const CfgNode& node) const
    {
        const u64 own = emits_only ? 0 : 1;
        switch (node.kind)
        {
        case CfgNodeKind::Block:
            return emits_only ? emits_between(node.pc, node.end) : u64{node.end} - node.pc;
        case CfgNodeKind::If:
            return own + std::max(of(node.body), of(node.otherwise));
        case CfgNodeKind::Loop:
            return own + (u64{uniforms.i[node.int_id & 3][0]} + 1) * of(node.body);
        case CfgNodeKind::Call:
            return own + (node.subroutine < subroutine.size() ? subroutine[node.subroutine] : budget);
        case CfgNodeKind::Break:
        case CfgNodeKind::End:
            return own;
        }
        return 0;
    }

    u64 emits_between(u32 pc, u32 end) const
    {
        u64 emits = 0;
        for (; pc < std::min<u32>(end, program.limit()); ++pc)
            emits += program.reachable(pc) && program.instruction(pc).op == Opcode::Emit ? 1 : 0;
        return emits;
    }

    u64 of_program()
    {
        const Cfg& cfg = program.cfg();
        for (std::size_t i = 0; i < std::min(cfg.subroutines.size(), subroutine.size()); ++i)
            subroutine[i] = of(cfg.subroutines[i].body); // callees come before callers
        return of(cfg.main);
    }
};

} // namespace

bool may_move_backwards(const Program& program)
{
    for (u32 pc = 0; pc < program.limit(); ++pc)
    {
        if (!program.reachable(pc))
            continue;
        const Instruction& instruction = program.instruction(pc);
        switch (instruction.op)
        {
        case Opcode::Loop:
        case Opcode::Call:
        case Opcode::Callc:
        case Opcode::Callu:
            return true;
        case Opcode::Ifc:
        case Opcode::Ifu:
        case Opcode::Jmpc:
        case Opcode::Jmpu:
            if (instruction.target <= pc)
                return true;
            break;
        default:
            break;
        }
    }
    return false;
}

u32 instruction_charge(const Program& program, const ShaderUniforms& uniforms)
{
    const Cfg& cfg = program.cfg();
    const bool geometry = program.stage() == ShaderStage::Geometry;
    if (!cfg.structured)
        return !may_move_backwards(program) ? program.limit()
               : geometry                   ? kUnboundedGeometryCharge
                                            : kUnboundedCharge;
    const u32 budget = geometry ? kGeometryBudget : kVertexBudget;
    Costs costs{program, uniforms, budget};
    return static_cast<u32>(std::clamp<u64>(costs.of_program(), 1, budget));
}

u32 emit_charge(const Program& program, const ShaderUniforms& uniforms)
{
    Costs costs{program, uniforms, kMaxInvocationPrimitives, true};
    if (program.cfg().structured)
        return static_cast<u32>(std::min<u64>(costs.of_program(), kMaxInvocationPrimitives));
    return may_move_backwards(program)
               ? kMaxInvocationPrimitives
               : static_cast<u32>(
                     std::min<u64>(costs.emits_between(0, program.limit()), kMaxInvocationPrimitives));
}

} // namespace pica
