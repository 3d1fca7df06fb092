// SPDX-License-Identifier: MIT
#include "pica/shader/flow.h"

#include <cstdio>

namespace pica
{

namespace
{

struct Act
{
    u32 next; // the address that follows if no stack says otherwise
    bool ends = false;
    bool breaks = false;
};

// What the instruction itself does.
inline Act act(FlowState& s, const Instruction& in, const ShaderUniforms& uniforms, bool condition)
{
    const u32 sequential = s.pc + 1;
    switch (in.op)
    {
    case Opcode::End:
        return {sequential, true, false};
    case Opcode::Break:
        return {sequential, false, true};
    case Opcode::Breakc:
        return {sequential, false, condition};
    case Opcode::Call:
    case Opcode::Callc:
    case Opcode::Callu:
        if (in.op != Opcode::Call && !condition)
            break;
        s.calls.push({in.target + u32{in.count}, sequential});
        return {in.target};
    case Opcode::Ifc:
    case Opcode::Ifu:
        if (!condition)
            return {in.target};
        s.ifs.push({in.target, in.target + u32{in.count}});
        break;
    case Opcode::Jmpc:
    case Opcode::Jmpu:
        if (condition)
            return {in.target};
        break;
    case Opcode::Loop:
    {
        const auto& count = uniforms.i[in.uniform];
        s.loops.push({sequential, in.target + 1u, count[0], count[2], s.al});
        s.al = count[1];
        break;
    }
    default:
        break;
    }
    return {sequential};
}

// The innermost loop ends a round, or is left by BREAK. Returns the next address.
inline u32 end_round(FlowState& s, bool breaking)
{
    FlowState::Loop& loop = s.loops.top();
    // Whether BREAK adds the step is unknown. It matters only after an outermost loop, and here it does not
    // add it. [our rule]
    if (!breaking)
    {
        s.al += static_cast<s32>(loop.step);
        if (loop.remaining != 0)
        {
            loop.remaining--;
            return loop.start;
        }
    }
    const u32 end = loop.end;
    const s32 outer_al = loop.outer_al;
    s.loops.pop();
    if (!s.loops.empty())
        s.al = outer_al;
    return end;
}

} // namespace

bool flow_step(FlowState& s, const Program& program, const ShaderUniforms& uniforms, bool condition)
{
    const Instruction& in = program.instruction(s.pc);
    const u32 sequential = s.pc + 1; // P: compared with the stacks; it is not the jump target [HW]
    s.executed++;
    const Act own = act(s, in, uniforms, condition);
    if (own.ends)
        return false;
    u32 next = own.next;

    // CALL stack: several bodies may end at the same address, but the fourth pop of a step does not change
    // the address. [HW]
    u32 q = sequential;
    for (u32 i = 0; i < 4 && !s.calls.empty() && s.calls.top().end == q; i++)
    {
        if (i < 3)
            next = q = s.calls.top().ret;
        s.calls.pop();
    }
    if (!s.ifs.empty() && s.ifs.top().otherwise == sequential)
    {
        next = s.ifs.top().end;
        s.ifs.pop();
    }
    if (own.breaks && s.loops.empty())
    {
        s.events |= kBreakOutsideLoop;
        return false;
    }
    if (!s.loops.empty() && (own.breaks || s.loops.top().end == sequential))
        next = end_round(s, own.breaks);

    if (next <= s.pc)
    {
        const bool geometry = program.stage() == ShaderStage::Geometry;
        s.backward++;
        if (s.executed >= (geometry ? kGeometryBudget : kVertexBudget) ||
            (geometry && s.backward >= kGeometryMoves))
        {
            s.events |= kBudgetExhausted;
            return false;
        }
    }
    s.pc = next;
    return next < program.limit();
}

void report_run_events(u32 events, std::string_view detail, Report& report)
{
    if (events & kBudgetExhausted)
        report.report(ReportKind::Guest, "shader: instruction budget exhausted, invocation ended", detail);
    if (events & kBreakOutsideLoop)
        report.report(ReportKind::Guest, "shader: BREAK outside a LOOP, invocation ended", detail);
    if (events & kPrimitivesLost)
        report.report(ReportKind::Guest, "geometry shader: too many primitives, the rest is dropped", detail);
    if (events & kBadVertexSlot)
        report.report(ReportKind::Guest, "geometry shader: EMIT for vertex 3, ignored", detail);
}

void report_run_events(u32 events, const Program& program, Report& report)
{
    char detail[64];
    std::snprintf(detail, sizeof detail, "program %016llx, entry %u",
                  static_cast<unsigned long long>(program.hash()), static_cast<unsigned>(program.entry()));
    report_run_events(events, detail, report);
}

} // namespace pica
