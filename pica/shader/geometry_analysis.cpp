// SPDX-License-Identifier: MIT
// Definite assignment over the tree of the program, with two output banks that EMIT exchanges. Of branches on
// bools only one way is followed, because the bools are known.
#include "pica/shader/geometry_analysis.h"

#include "pica/shader/cost.h"
#include "pica/shader/geometry_program.h"

#include <algorithm>
#include <vector>

namespace pica
{

namespace
{

constexpr u32 kUnknown = 2; // an unknown parity
constexpr u32 kMaxSteps = 20000;
// The budget is checked where control moves backwards.
constexpr u32 kMostInstructions = kGeometryBudget + kGeometryCodeWords;

// Bits of State::misc.
constexpr u32 kA0x = 1, kA0y = 2, kAl = 4, kCmpX = 8, kCmpY = 16, kLatch = 32, kSlot0 = 64;

// What an invocation has certainly written at a point of the program. Bit 4 * register + component.
struct State
{
    bool live = true; // some path reaches this point
    u64 temporaries = 0;
    u64 bank = 0; // the bank that is written now
    u64 other = 0;
    u32 misc = 0;
    u32 parity = 0;   // of the number of EMITs so far
    u32 latch = 0x80; // vertex and primitive flag of SETEMIT; 0x80: unknown

    bool operator==(const State&) const = default;
};

State meet(const State& a, const State& b)
{
    if (!a.live || !b.live)
        return a.live ? a : b;
    State s = a;
    s.temporaries &= b.temporaries;
    s.bank &= b.bank;
    s.other &= b.other;
    s.misc &= b.misc;
    s.parity = a.parity == b.parity ? a.parity : kUnknown;
    s.latch = a.latch == b.latch ? a.latch : 0x80;
    return s;
}

class Analyser
{
public:
    Analyser(const Program& program, const ShaderUniforms& uniforms, u16 output_mask)
        : program_(program), uniforms_(uniforms)
    {
        for (u32 k = 0; k < kGeometrySlotOutputs; ++k)
            if (output_mask >> k & 1)
                enabled_ |= u64{15} << (4 * k);
    }

    void run(GeometryAnalysis& result)
    {
        // First collects what may be written at all, then checks what is certainly written before it is read.
        collecting_ = true;
        walk(program_.cfg().main, State{});
        collecting_ = false;
        ended_.live = false;
        steps_ = 0;
        finish(walk(program_.cfg().main, State{}));
        result.tests_run_bit = tests_run_bit_;
        if (reason_.empty() && steps_ >= kMaxSteps)
            reason_ = "too large to analyse";
        if (reason_.empty())
            check_end();
        result.reason = reason_;
        result.parallel = reason_.empty();
        result.emit_parity = ended_.parity & 1;
    }

private:
    struct Loop
    {
        State breaks;
        bool leaves = false; // a BREAK or END is inside
    };

    void fail(const char* why)
    {
        if (reason_.empty() && !collecting_)
            reason_ = why;
    }

    void finish(const State& state)
    {
        ended_ = meet(ended_, state);
        for (Loop* loop : loops_)
            loop->leaves = true;
    }

    State walk(const std::vector<CfgNode>& nodes, State s)
    {
        for (const CfgNode& node : nodes)
        {
            if (!s.live || ++steps_ > kMaxSteps)
                break;
            s = step(node, s);
        }
        return s;
    }

    // 0: never, 1: always, 2: either.
    u32 outcome(const Condition& c, const State& s)
    {
        if (c.kind == Condition::Kind::Always)
            return c.inverted ? 0 : 1;
        if (c.kind == Condition::Kind::Bool)
        {
            tests_run_bit_ = tests_run_bit_ || c.bool_id == 15;
            const u16 bools = uniforms_.b | 0x8000;
            return c.holds(false, false, bools) ? 1 : 0;
        }
        if (c.op != ConditionOp::JustY)
            need(s.misc, kCmpX, may_misc_, "flags of earlier invocations");
        if (c.op != ConditionOp::JustX)
            need(s.misc, kCmpY, may_misc_, "flags of earlier invocations");
        return 2;
    }

    // Registers are read that this invocation may not have written. This is allowed if no invocation writes
    // them.
    template <typename Bits>
    void need(Bits sure, Bits read, Bits may, const char* why)
    {
        if ((read & ~sure & may) != 0)
            fail(why);
    }

    State step(const CfgNode& node, State s)
    {
        switch (node.kind)
        {
        case CfgNodeKind::Block:
            for (u32 pc = node.pc; pc < node.end; ++pc)
                instruction(program_.instruction(pc), s);
            return s;
        case CfgNodeKind::If:
        {
            const u32 taken = outcome(node.condition, s);
            State yes = s, no = s;
            yes.live = taken != 0;
            no.live = taken != 1;
            if (yes.live)
                yes = walk(node.body, yes);
            if (no.live)
                no = walk(node.otherwise, no);
            return meet(yes, no);
        }
        case CfgNodeKind::Loop:
            return loop(node, s);
        case CfgNodeKind::Call:
        {
            const u32 taken = outcome(node.condition, s);
            State skipped = s;
            skipped.live = taken != 1;
            if (taken == 0)
                return skipped;
            return meet(walk(program_.cfg().subroutines[node.subroutine].body, s), skipped);
        }
        case CfgNodeKind::Break:
        {
            const u32 taken = outcome(node.condition, s);
            if (taken != 0 && !loops_.empty())
            {
                loops_.back()->breaks = meet(loops_.back()->breaks, s);
                for (Loop* loop : loops_)
                    loop->leaves = true;
            }
            s.live = taken != 1;
            return s;
        }
        case CfgNodeKind::End:
            finish(s);
            s.live = false;
            return s;
        }
        return s;
    }

    State loop(const CfgNode& node, State s)
    {
        const u32 rounds = u32{uniforms_.i[node.int_id & 3][0]} + 1;
        may_misc_ |= kAl;
        s.misc |= kAl;
        const State entry = s;
        State head = entry;
        for (;;)
        {
            Loop here;
            here.breaks.live = false;
            loops_.push_back(&here);
            State out = walk(node.body, head);
            loops_.pop_back();
            if (rounds == 1 || steps_ > kMaxSteps)
                return meet(out, here.breaks);
            State next = meet(entry, out);
            // If every round has an odd number of EMITs and all rounds are complete, the parity follows from
            // their number.
            const bool flips =
                out.live && entry.parity != kUnknown && out.parity == (entry.parity ^ 1) && !here.leaves;
            if (flips)
                next.parity = head.parity;
            if (next == head || collecting_)
            {
                if (flips)
                    out.parity = entry.parity ^ (rounds & 1);
                return meet(out, here.breaks);
            }
            head = next;
        }
    }

    void instruction(const Instruction& in, State& s)
    {
        const OperandDescriptor& d = program_.descriptor(in.descriptor);
        for (u32 n = 0; n < in.source_count; ++n)
        {
            if (in.src[n] >= kFirstTemporary && in.src[n] < kFirstConstant)
                need(s.temporaries, u64{read_components(in, d, n)} << (4 * (in.src[n] - kFirstTemporary)),
                     may_temporaries_, "temporaries of earlier invocations");
        }
        if (in.index != IndexRegister::None)
            need(s.misc,
                 in.index == IndexRegister::A0x   ? kA0x
                 : in.index == IndexRegister::A0y ? kA0y
                                                  : kAl,
                 may_misc_, "address registers of earlier invocations");
        u32 misc = 0;
        switch (in.op)
        {
        case Opcode::Emit:
            emit(s);
            return;
        case Opcode::Setemit:
            misc = kLatch;
            s.latch = in.vertex_id | (in.emit_primitive ? 4u : 0u);
            break;
        case Opcode::Mova:
            misc = (d.writes(0) ? kA0x : 0) | (d.writes(1) ? kA0y : 0);
            break;
        case Opcode::Cmp:
        case Opcode::Litp:
            misc = kCmpX | kCmpY;
            break;
        default:
            break;
        }
        s.misc |= misc;
        may_misc_ |= misc;
        if (!writes_destination(in.op) || d.mask == 0)
            return;
        if (in.dst < kFirstTemporary)
        {
            s.bank |= u64{d.mask} << (4 * in.dst);
            may_outputs_ |= u64{d.mask} << (4 * in.dst);
        }
        else
        {
            s.temporaries |= u64{d.mask} << (4 * (in.dst - kFirstTemporary));
            may_temporaries_ |= u64{d.mask} << (4 * (in.dst - kFirstTemporary));
        }
    }

    void emit(State& s)
    {
        emits_ = true;
        need(s.misc, kLatch, may_misc_, "SETEMIT of earlier invocations");
        need(s.bank, enabled_, may_outputs_, "outputs of earlier invocations");
        const bool known = (s.latch & 0x80) == 0;
        if (known && (s.latch & 3) < 3)
        {
            s.misc |= kSlot0 << (s.latch & 3);
            may_misc_ |= kSlot0 << (s.latch & 3);
        }
        else if (!known)
            may_misc_ |= 7 * kSlot0;
        if (!known || (s.latch & 4) != 0)
            need(s.misc, 7 * kSlot0, may_misc_, "vertex slots of earlier invocations");
        std::swap(s.bank, s.other);
        if (s.parity != kUnknown)
            s.parity ^= 1;
    }

    // What remains after the draw must be that of the last invocation, whatever path it took.
    void check_end()
    {
        const State& s = ended_;
        if (!s.live)
            return fail("no end is found");
        if (s.parity == kUnknown)
            return fail("the number of EMITs depends on data");
        if ((may_temporaries_ & ~s.temporaries) != 0)
            fail("temporaries are left behind that not every path writes");
        if ((may_misc_ & ~s.misc) != 0)
            fail("address registers, flags or slots are left behind that not every path writes");
        if ((may_outputs_ & ~s.bank) != 0 || (emits_ && (may_outputs_ & ~s.other) != 0))
            fail("outputs are left behind that not every path writes");
    }

    const Program& program_;
    const ShaderUniforms& uniforms_;
    u64 enabled_ = 0;
    bool collecting_ = true;
    bool tests_run_bit_ = false;
    bool emits_ = false;
    u64 may_temporaries_ = 0;
    u64 may_outputs_ = 0;
    u32 may_misc_ = 0;
    u32 steps_ = 0;
    State ended_;
    std::vector<Loop*> loops_;
    std::string reason_;
};

// Upper bounds of what one invocation executes.
class Bounds
{
public:
    struct Count
    {
        u64 emits = 0;
        u64 moves = 0; // moves backwards
        u64 instructions = 0;
        u64 rounds = 0;
    };

    // Analyses each subroutine once, because there may be billions of paths through nested calls.
    Bounds(const Program& program, const ShaderUniforms& uniforms) : program_(program), uniforms_(uniforms)
    {
        for (const Subroutine& s : program.cfg().subroutines) // callees come before callers
            subroutines_.push_back(of(s.body));
    }

    Count of_main() const { return of(program_.cfg().main); }

private:
    static constexpr u64 kMostRounds = 0xFFFFFFFF;

    Count of(const std::vector<CfgNode>& nodes) const
    {
        Count sum;
        for (const CfgNode& node : nodes)
        {
            const Count count = of(node);
            sum.emits = std::min<u64>(sum.emits + count.emits, kMaxInvocationPrimitives);
            sum.moves = std::min<u64>(sum.moves + count.moves, kGeometryMoves);
            sum.instructions = std::min<u64>(sum.instructions + count.instructions, kGeometryBudget);
            sum.rounds = std::min<u64>(sum.rounds + count.rounds, kMostRounds);
        }
        return sum;
    }

    Count of(const CfgNode& node) const
    {
        switch (node.kind)
        {
        case CfgNodeKind::Block:
        {
            Count count{0, 0, u64{node.end} - node.pc, 0};
            for (u32 pc = node.pc; pc < node.end; ++pc)
                count.emits += program_.instruction(pc).op == Opcode::Emit ? 1 : 0;
            count.rounds = GeometryAnalysis::kEmitRounds * count.emits;
            return count;
        }
        case CfgNodeKind::If:
        {
            const Count a = of(node.body), b = of(node.otherwise);
            return {std::max(a.emits, b.emits), std::max(a.moves, b.moves) + 1,
                    std::max(a.instructions, b.instructions) + 1, a.rounds + b.rounds};
        }
        case CfgNodeKind::Loop:
        {
            const u64 rounds = u64{uniforms_.i[node.int_id & 3][0]} + 1;
            const Count body = of(node.body);
            return {body.emits * rounds, (body.moves + 1) * rounds, body.instructions * rounds + 1,
                    (body.rounds + 1) * rounds + 1};
        }
        case CfgNodeKind::Call:
        {
            Count count = subroutines_[node.subroutine];
            count.moves += 2; // the call and the return
            count.instructions++;
            return count;
        }
        default:
            return {0, 0, 1, 0};
        }
    }

    const Program& program_;
    const ShaderUniforms& uniforms_;
    std::vector<Count> subroutines_;
};

} // namespace

GeometryAnalysis analyse_geometry(const Program& program, const ShaderUniforms& uniforms, u16 output_mask)
{
    GeometryAnalysis result;
    for (u32 pc = 0; pc < program.limit(); ++pc)
        result.emits += program.reachable(pc) && program.instruction(pc).op == Opcode::Emit ? 1 : 0;
    if (!program.cfg().structured)
    {
        result.reason = program.cfg().reason;
        result.primitives = kMaxInvocationPrimitives;
        result.moves = kGeometryMoves;
        result.instructions = kMostInstructions;
        result.tests_run_bit = (program.usage().bools & 0x8000) != 0;
        if (!may_move_backwards(program))
        {
            result.primitives = std::min(result.emits, kMaxInvocationPrimitives);
            result.moves = 0;
            result.instructions = program.limit();
        }
        return result;
    }
    Analyser(program, uniforms, output_mask).run(result);
    const Bounds::Count bounds = Bounds(program, uniforms).of_main();
    result.primitives = static_cast<u32>(bounds.emits);
    result.moves = static_cast<u32>(bounds.moves);
    result.rounds = static_cast<u32>(bounds.rounds);
    result.instructions =
        bounds.instructions >= kGeometryBudget ? kMostInstructions : static_cast<u32>(bounds.instructions);
    // An invocation that exhausts its budget may end anywhere.
    if (bounds.moves >= kGeometryMoves || bounds.instructions >= kGeometryBudget)
    {
        result.parallel = false;
        result.reason = "may run out of its budget";
    }
    return result;
}

} // namespace pica
