// SPDX-License-Identifier: MIT
#include "pica/shader/cost.h"

#include "pica/shader/flow.h"

#include <algorithm>
#include <array>

namespace pica
{

namespace
{

// Subroutines beyond this many cost the whole budget.
constexpr std::size_t kCountedSubroutines = 128;

struct Costs
{
    const ShaderUniforms& uniforms;
    u32 budget;
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
        switch (node.kind)
        {
        case CfgNodeKind::Block:
            return u64{node.end} - node.pc;
        case CfgNodeKind::If:
            return 1 + std::max(of(node.body), of(node.otherwise));
        case CfgNodeKind::Loop:
            return 1 + (u64{uniforms.i[node.int_id & 3][0]} + 1) * of(node.body);
        case CfgNodeKind::Call:
            return 1 + (node.subroutine < subroutine.size() ? subroutine[node.subroutine] : budget);
        case CfgNodeKind::Break:
        case CfgNodeKind::End:
            return 1;
        }
        return 0;
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
    Costs costs{uniforms, budget};
    for (std::size_t i = 0; i < std::min(cfg.subroutines.size(), costs.subroutine.size()); ++i)
        costs.subroutine[i] = costs.of(cfg.subroutines[i].body); // callees come first
    return static_cast<u32>(std::clamp<u64>(costs.of(cfg.main), 1, budget));
}

} // namespace pica
