// SPDX-License-Identifier: MIT
#include "shadergen/control_flow.h"

#include "pica/shader/flow.h"
#include "shadergen/driver_limits.h"
#include "shadergen/flow_stacks.h"
#include "shadergen/instruction.h"
#include "shadergen/vertex.h"

#include <string>

namespace shadergen
{

namespace
{

using namespace pica;

std::string literal(u32 value)
{
    return std::to_string(value) + "u";
}

// A geometry program runs more than once in an invocation of the shader, and it is bounded by its backward
// moves too (pica/shader/flow.h).
bool is_geometry(const Program& program)
{
    return program.stage() == ShaderStage::Geometry;
}

// Condition under which a backward move ends the program; it counts the move where that is needed. The limits
// (pica/shader/flow.h) are uniforms because compilers should not know them: with constants, Mesa 25 drops what
// follows a loop that has two exits (measured on lavapipe: two loops in a row that may each end the program).
std::string exhausted(const Program& program)
{
    const std::string by_instructions = "executed >= u.limits.instructions";
    return is_geometry(program) ? "(++moves >= u.limits.moves || " + by_instructions + ")" : by_instructions;
}

void write_run(GlslWriter& out, const Program& program, const NormalTemporaries& normal, u32 begin, u32 end)
{
    for (u32 pc = begin; pc < end; pc++)
        write_instruction(out, program, normal, pc);
}

// ---------------------------------------------------------------------------------------------------------
// Nested statements

class StructuredWriter
{
public:
    StructuredWriter(GlslWriter& out, const Program& program, bool counted)
        : out_(out), program_(program), counted_(counted)
    {
        for (const Subroutine& s : program.cfg().subroutines)
            count_live_loops_ = count_live_loops_ || (s.called_inside_loop && s.called_outside_loop);
    }

    void write()
    {
        if (count_live_loops_)
            out_.line("int live_loops = 0;");
        if (counted_)
            out_.line("uint executed = 0u;");
        if (counted_ && is_geometry(program_))
            out_.line("uint moves = 0u;");
        const Cfg& cfg = program_.cfg();
        for (u32 i = 0; i < cfg.subroutines.size(); i++)
        {
            const Subroutine& s = cfg.subroutines[i];
            out_.line((s.may_end ? "bool sub" : "void sub") + std::to_string(i) + "()");
            out_.open();
            nodes(s.body, {s.may_end, s.called_inside_loop, s.called_outside_loop});
            if (s.may_end)
                out_.line("return false;");
            out_.close();
        }
        out_.line("void run_program()");
        out_.open();
        if (is_geometry(program_) && count_live_loops_)
            out_.line("live_loops = 0;");
        if (is_geometry(program_) && counted_)
            out_.line("executed = moves = 0u;");
        nodes(cfg.main, {false, false, true});
        out_.close();
    }

private:
    struct Context
    {
        bool returns_ended = false; // the function tells its caller whether the invocation ended
        bool may_be_in_loop = false;
        bool may_be_outside = false; // ... of every LOOP, callers' included
    };

    void count(u32 instructions)
    {
        if (counted_)
            out_.line("executed += " + literal(instructions) + ";");
    }

    void nodes(const std::vector<CfgNode>& list, const Context& context)
    {
        for (const CfgNode& node : list)
            write(node, context);
    }

    void write(const CfgNode& node, const Context& context)
    {
        const std::string ended = context.returns_ended ? "return true;" : "return;";
        const std::string condition = condition_text(node.condition, program_.stage());
        switch (node.kind)
        {
        case CfgNodeKind::Block:
            write_run(out_, program_, normal_, node.pc, node.end);
            count(node.end - u32{node.pc});
            break;
        case CfgNodeKind::If:
            count(1);
            out_.line("if (" + condition + ")");
            out_.open();
            nodes(node.body, context);
            out_.close();
            if (!node.otherwise.empty())
            {
                out_.line("else");
                out_.open();
                nodes(node.otherwise, context);
                out_.close();
            }
            break;
        case CfgNodeKind::Loop:
            count(1);
            loop(node, context, ended);
            break;
        case CfgNodeKind::Call:
        {
            count(1);
            const std::string call = "sub" + std::to_string(node.subroutine) + "()";
            const bool always = condition == "true";
            if (program_.cfg().subroutines[node.subroutine].may_end)
                out_.line("if (" + (always ? call : "(" + condition + ") && " + call) + ") " + ended);
            else
                out_.line(always ? call + ";" : "if (" + condition + ") " + call + ";");
            break;
        }
        case CfgNodeKind::Break:
            count(1);
            out_.line(condition == "true" ? "break;" : "if (" + condition + ") break;");
            break;
        case CfgNodeKind::End:
            out_.line(ended);
            break;
        }
    }

    // The body runs x + 1 times. Behind a nested loop aL is what it was, behind an outermost one it stays.
    void loop(const CfgNode& node, const Context& context, const std::string& ended)
    {
        const std::string ints = "INTEGER_ROW(" + std::to_string(node.int_id) + ")";
        out_.open();
        out_.line("int outer_aL = aL;");
        out_.line("aL = " + ints + ".y;");
        if (count_live_loops_)
            out_.line("live_loops++;");
        out_.line("for (int left = " + ints + ".x;; left--)");
        out_.open();
        nodes(node.body, {context.returns_ended, true, false});
        out_.line("aL += " + ints + ".z;");
        out_.line("if (left == 0) break;");
        if (counted_)
            out_.line("if (" + exhausted(program_) + ") { events |= STATUS_BUDGET; " + ended + " }");
        out_.close();
        if (count_live_loops_)
            out_.line("live_loops--;");
        if (context.may_be_in_loop)
            out_.line(context.may_be_outside ? "if (live_loops > 0) aL = outer_aL;" : "aL = outer_aL;");
        out_.close();
    }

    GlslWriter& out_;
    const Program& program_;
    const NormalTemporaries normal_ = normal_temporaries(program_);
    bool counted_;
    bool count_live_loops_ = false;
};

// ---------------------------------------------------------------------------------------------------------
// Basic blocks in a loop

class BlockWriter
{
public:
    BlockWriter(GlslWriter& out, const Program& program) : out_(out), program_(program)
    {
        for (const BasicBlock& block : program.cfg().blocks)
        {
            switch (program.instruction(block.end - 1u).op)
            {
            case Opcode::Call:
            case Opcode::Callc:
            case Opcode::Callu:
                calls_ = true;
                break;
            case Opcode::Ifc:
            case Opcode::Ifu:
                ifs_ = true;
                break;
            case Opcode::Loop:
                loops_ = true;
                break;
            default:
                break;
            }
        }
    }

    void write()
    {
        out_.line("const uint EMPTY = 0xFFFFFFFFu;");
        out_.line("uint executed = 0u;");
        if (is_geometry(program_))
            out_.line("uint moves = 0u;");
        out_.raw(calls_ ? kCallStack : "");
        out_.raw(ifs_ ? kIfStack : "");
        out_.raw(loops_ ? kLoopStack : "");
        out_.line("void run_program()");
        out_.open();
        if (is_geometry(program_))
            reset();
        // Blocks stand in the order of their addresses, so that one round of the loop goes on to the next
        // backward move: llvmpipe ends the loops of a shader after 65535 rounds in all, and a round has two
        // instructions at least where it can change anything. For the same reason no other loop is in here.
        out_.line("uint pc = " + literal(program_.entry()) + ";");
        out_.line("for (;;)");
        out_.open();
        out_.line("uint before = executed;");
        for (const BasicBlock& b : program_.cfg().blocks)
            block(b);
        out_.line("if (executed == before) return; // pc is behind the code");
        out_.close();
        out_.close();
    }

private:
    void reset()
    {
        out_.line("executed = moves = 0u;");
        if (calls_)
            out_.line("calls = uvec4(EMPTY);");
        if (ifs_)
            out_.line("ifs = older_ifs = uvec4(EMPTY);");
        if (loops_)
            out_.line("loops = uvec4(EMPTY);");
    }

    // pc becomes the sequential next address P, with which the stacks compare, then what the block makes of
    // it.
    void block(const BasicBlock& b)
    {
        const u32 last = b.end - 1u;
        const Instruction& in = program_.instruction(last);
        out_.line("if (pc == " + literal(b.start) + ")");
        out_.open();
        if (in.op == Opcode::End)
        {
            write_run(out_, program_, normal_, b.start, last);
            out_.line("return;");
            out_.close();
            return;
        }
        write_run(out_, program_, normal_, b.start, is_flow(in.op) ? last : b.end);
        const std::string p = literal(b.end);
        out_.line("executed += " + literal(b.end - u32{b.start}) + ";");
        out_.line("pc = " + p + ";");
        const bool may_break = flow(in, b);
        const bool ends_call = calls_ && (b.end_checks & kCallMayEnd);
        const bool ends_if = ifs_ && (b.end_checks & kIfMayEnd);
        const bool ends_loop = loops_ && (may_break || (b.end_checks & kLoopMayEnd));
        if (ends_call)
            out_.line("end_calls(" + p + ", pc);");
        if (ends_if)
            out_.line("end_if(" + p + ", pc);");
        if (may_break)
            out_.line("if (breaking && " + std::string(loops_ ? "loops.x == EMPTY" : "true") +
                      ") { events |= STATUS_BREAK; return; }");
        if (ends_loop)
            out_.line("end_loop(" + p + (may_break ? ", breaking, pc);" : ", false, pc);"));
        const bool backward = is_flow(in.op) && in.op != Opcode::Loop && in.target <= last;
        if (backward || ends_call || ends_if || ends_loop)
            out_.line("if (pc < " + p + " && " + exhausted(program_) +
                      ") { events |= STATUS_BUDGET; return; }");
        out_.close();
    }

    // The effect of a flow instruction on stacks and pc. True: it declares `breaking`.
    bool flow(const Instruction& in, const BasicBlock& b)
    {
        if (!is_flow(in.op))
            return false;
        const std::string condition = condition_text(condition_of(in), program_.stage());
        const std::string target = literal(in.target);
        const std::string p = literal(b.end);
        // A block that is one transfer to itself, with nothing to end behind it, lasts until the budget is
        // used up.
        const bool endless = b.end == b.start + 1 && in.target == b.start && b.end_checks == 0;
        const std::string go = endless ? "{ events |= STATUS_BUDGET; return; }" : "pc = " + target + ";";
        const std::string end = literal(in.target + u32{in.count});
        switch (in.op)
        {
        case Opcode::Break:
        case Opcode::Breakc:
            out_.line("bool breaking = " + condition + ";");
            return true;
        case Opcode::Call:
        case Opcode::Callc:
        case Opcode::Callu:
            out_.line("if (" + condition + ") { push_call(" + end + ", " + p + "); " + go + " }");
            break;
        case Opcode::Ifc:
        case Opcode::Ifu:
            out_.line("if (" + condition + ") push_if(" + target + ", " + end + "); else " + go);
            break;
        case Opcode::Jmpc:
        case Opcode::Jmpu:
            out_.line("if (" + condition + ") " + go);
            break;
        case Opcode::Loop:
            out_.line("push_loop(" + p + ", " + literal(in.target + 1u) + ", INTEGER_ROW(" +
                      std::to_string(in.uniform) + "));");
            break;
        default:
            break;
        }
        return false;
    }

    GlslWriter& out_;
    const Program& program_;
    const NormalTemporaries normal_ = normal_temporaries(program_);
    bool calls_ = false;
    bool ifs_ = false;
    bool loops_ = false;
};

} // namespace

ControlFlowForm control_flow_form(const Program& program)
{
    const Cfg& cfg = program.cfg();
    if (!cfg.structured)
        return ControlFlowForm::Blocks;
    // The loops of geometry programs are looked at with the uniforms of a draw (generated_rounds()).
    if (!calls_fit_drivers(cfg) || (!is_geometry(program) && !loops_fit_drivers(cfg)))
        return ControlFlowForm::Blocks;
    // Every backward move follows an instruction.
    if (cfg.max_instructions <= (is_geometry(program) ? kGeometryMoves : kVertexBudget))
        return ControlFlowForm::Structured;
    // Without calls only the ends of loops go backwards, and only there the budget is looked at.
    return cfg.subroutines.empty() ? ControlFlowForm::Counted : ControlFlowForm::Blocks;
}

bool may_raise_events(const Program& program)
{
    return control_flow_form(program) != ControlFlowForm::Structured;
}

void write_control_flow(GlslWriter& out, const Program& program)
{
    const ControlFlowForm form = control_flow_form(program);
    if (form == ControlFlowForm::Blocks)
        BlockWriter(out, program).write();
    else
        StructuredWriter(out, program, form == ControlFlowForm::Counted).write();
}

std::string describe_control_flow(const Program& program)
{
    const Cfg& cfg = program.cfg();
    const std::string most = "at most " + std::to_string(cfg.max_instructions) + " instructions";
    switch (control_flow_form(program))
    {
    case ControlFlowForm::Structured:
        return "structured, " + most;
    case ControlFlowForm::Counted:
        return "structured with a budget, " + most;
    case ControlFlowForm::Blocks:
        break;
    }
    const char* why = "subroutines";
    if (!calls_fit_drivers(cfg))
        why = "calls of calls";
    else if (!is_geometry(program) && !loops_fit_drivers(cfg))
        why = "many loop rounds";
    return "basic blocks: " + (cfg.structured ? why + (" and " + most) : cfg.reason);
}

} // namespace shadergen
