// SPDX-License-Identifier: MIT
#include "pica/shader/cfg.h"

#include "pica/shader/structure.h"

#include <utility>

namespace pica
{

namespace
{

// A superset of what the stack machine can execute: every address that an instruction can name as target, end
// or return, whichever stack entries are live.
std::vector<bool> find_reachable(std::span<const Instruction> code, u16 entry, u16 limit)
{
    std::vector<bool> reached(limit, false);
    std::vector<u16> work;
    const auto reach = [&](u32 pc)
    {
        if (pc < limit && !reached[pc])
        {
            reached[pc] = true;
            work.push_back(static_cast<u16>(pc));
        }
    };
    reach(entry);
    while (!work.empty())
    {
        const u32 pc = work.back();
        work.pop_back();
        const Instruction& in = code[pc];
        switch (in.op)
        {
        case Opcode::End:
        case Opcode::Break: // goes to the end of a LOOP, which the LOOP itself reaches, or ends the program
            break;
        case Opcode::Ifc:
        case Opcode::Ifu:
            reach(pc + 1);
            reach(in.target);
            reach(in.target + in.count);
            break;
        case Opcode::Loop:
            reach(pc + 1);
            reach(in.target + 1u);
            break;
        case Opcode::Call:
        case Opcode::Callc:
        case Opcode::Callu:
        case Opcode::Jmpc:
        case Opcode::Jmpu:
            reach(pc + 1);
            reach(in.target);
            break;
        default:
            reach(pc + 1);
            break;
        }
    }
    return reached;
}

// Marks every address at which control can arrive other than from the word before, and every address at which
// a stack entry may end.
void mark_ends(std::span<const Instruction> code, const std::vector<bool>& reached, std::vector<u8>& checks,
               std::vector<bool>& leaders)
{
    const u32 limit = static_cast<u32>(reached.size());
    const auto lead = [&](u32 pc)
    {
        if (pc < limit)
            leaders[pc] = true;
    };
    const auto end_at = [&](u32 address, u8 kind)
    {
        if (address <= limit)
            checks[address] = static_cast<u8>(checks[address] | kind);
        lead(address);
    };
    for (u32 pc = 0; pc < limit; pc++)
    {
        const Instruction& in = code[pc];
        if (!reached[pc] || !is_flow(in.op))
            continue;
        lead(pc + 1);
        switch (in.op)
        {
        case Opcode::Ifc:
        case Opcode::Ifu:
            end_at(in.target, kIfMayEnd);
            lead(in.target + in.count);
            break;
        case Opcode::Loop:
            end_at(in.target + 1u, kLoopMayEnd);
            break;
        case Opcode::Call:
        case Opcode::Callc:
        case Opcode::Callu:
            lead(in.target);
            end_at(in.target + in.count, kCallMayEnd);
            break;
        case Opcode::Jmpc:
        case Opcode::Jmpu:
            lead(in.target);
            break;
        default:
            break;
        }
    }
}

} // namespace

Cfg build_cfg(std::span<const Instruction> code, u16 entry, u16 limit)
{
    Cfg cfg;
    cfg.entry = entry;
    cfg.limit = limit;

    Structure structure = find_structure(code, entry, limit);
    cfg.structured = structure.reason.empty();
    cfg.reason = std::move(structure.reason);
    if (cfg.structured)
    {
        cfg.main = std::move(structure.main);
        cfg.subroutines = std::move(structure.subroutines);
        cfg.max_instructions = structure.max_instructions;
        cfg.reachable = std::move(structure.reached);
    }
    else
        cfg.reachable = find_reachable(code, entry, limit);

    cfg.end_checks.assign(limit + 1u, 0);
    std::vector<bool> leaders(limit, false);
    mark_ends(code, cfg.reachable, cfg.end_checks, leaders);
    if (entry < limit)
        leaders[entry] = true;

    for (u32 pc = 0; pc < limit; pc++)
    {
        if (!cfg.reachable[pc])
            continue;
        const bool continues =
            !cfg.blocks.empty() && cfg.blocks.back().end == pc && !leaders[pc] && cfg.reachable[pc - 1];
        if (!continues)
            cfg.blocks.push_back({static_cast<u16>(pc), static_cast<u16>(pc), 0});
        cfg.blocks.back().end = static_cast<u16>(pc + 1);
        cfg.blocks.back().end_checks = cfg.end_checks[pc + 1];
    }
    return cfg;
}

} // namespace pica
