// SPDX-License-Identifier: MIT
// Rule names S1..S10 are those of shader-translation.md. Regions are walked from the entry; every subroutine,
// that is every distinct (start, end) of a CALL, is analysed once and summarised for its callers.
#include "pica/shader/structure.h"

#include <algorithm>
#include <bitset>
#include <map>
#include <utility>

namespace pica
{

namespace
{

constexpr u32 kNever = 0xFFFFFFFF; // an end address that no P equals
constexpr u32 kMaxCallDepth = 4;
constexpr u32 kMaxIfDepth = 8;
constexpr u32 kMaxLoopDepth = 4;
constexpr u64 kSaturated = u64{1} << 32;
// Our own bounds, so that generators may walk the tree recursively and hostile programs cause no quadratic
// work.
constexpr u32 kMaxTreeDepth = 48;
constexpr u32 kMaxWork = 1u << 16;
constexpr u32 kMaxTargets = 64;

struct Region
{
    u32 end = kNever; // first address after the region
    // E: end of the nearest enclosing region whose end is tested by the stack machine.
    u32 checked_end = kNever;
    bool checked_is_call = false;
    u32 live_if = kNever;   // "else" address of the top IF entry of this function
    u32 live_loop = kNever; // end address of its top LOOP entry
    u32 if_depth = 0;
    u32 loop_depth = 0;
    u32 ifs_in_loop = 0;            // IF entries pushed since the innermost LOOP
    bool live_else = false;         // an IF with an else part is live in this function
    bool live_else_at_loop = false; // likewise, when the innermost LOOP began
    u32 tree_depth = 0;
};

// What callers must know about a function.
struct Summary
{
    u32 call_depth = 0; // of its callees
    u32 if_depth = 0;
    u32 loop_depth = 0;
    u32 tail_chain = 0; // length of the chain of calls that return in the same step as this function
    bool leaves_ifs = false;
    bool may_end = false;
    bool completes = false; // its end can be reached
    u64 cost = 0;
    std::bitset<4097> next_addresses; // pc + 1 of everything executed inside
};

struct Item
{
    CfgNode node;
    u32 start = 0;
    u32 jump_target = kNever; // of a forward JMP; node.condition is the condition to *stay*
};

u64 saturate(u64 cost)
{
    return std::min(cost, kSaturated);
}

class Builder
{
public:
    Builder(std::span<const Instruction> code, u16 limit, Structure& out)
        : code_(code), limit_(limit), out_(out)
    {
        out_.reached.assign(limit, false);
    }

    void build(u16 entry)
    {
        Region region;
        region.end = limit_;
        Summary summary;
        function_ = &summary;
        Flow flow;
        if (!sequence(entry, region, out_.main, flow))
            return;
        if (flow.alive)
            out_.main.push_back(end_node(limit_));
        if (summary.call_depth > kMaxCallDepth)
            fail("S8", entry, "calls nest too deeply");
        if (summary.if_depth > kMaxIfDepth || summary.loop_depth > kMaxLoopDepth)
            fail("S8", entry, "IF or LOOP nests too deeply");
        out_.max_instructions = flow.cost;
        mark_calls(out_.main, false);
        for (size_t i = out_.subroutines.size(); i-- > 0;)
        {
            const Subroutine& s = out_.subroutines[i];
            if (s.called_outside_loop)
                mark_calls(s.body, false);
            if (s.called_inside_loop)
                mark_calls(s.body, true);
        }
    }

private:
    struct Flow
    {
        bool alive = true;   // the end of the sequence can be reached
        bool broken = false; // a Break of the enclosing loop is inside
        u64 cost = 0;
    };

    bool fail(const char* rule, u32 pc, const char* why)
    {
        if (out_.reason.empty())
            out_.reason = std::string(rule) + " at word " + std::to_string(pc) + ": " + why;
        return false;
    }

    static CfgNode end_node(u32 pc)
    {
        CfgNode node;
        node.kind = CfgNodeKind::End;
        node.pc = static_cast<u16>(pc);
        return node;
    }

    bool sequence(u32 pc, const Region& region, std::vector<CfgNode>& nodes, Flow& flow)
    {
        if (region.tree_depth > kMaxTreeDepth)
            return fail("size", pc, "nests too deeply for a tree");
        std::vector<Item> items;
        std::vector<u32> targets; // of forward jumps, not yet reached
        for (;;)
        {
            if (!flow.alive)
            {
                const auto next = std::min_element(targets.begin(), targets.end());
                if (next == targets.end())
                    break;
                pc = *next;
                flow.alive = true;
            }
            const bool is_target = std::erase(targets, pc) != 0;
            if (pc >= region.end)
                break;
            const u32 start = pc;
            if (pc >= limit_)
            {
                items.push_back({end_node(limit_), pc});
                flow.alive = false;
                function_->may_end = true;
                continue;
            }
            if (++work_ > kMaxWork)
                return fail("size", pc, "too many instructions after expansion");
            const bool leads = is_target || items.empty() || items.back().node.kind != CfgNodeKind::Block ||
                               items.back().node.end != pc;
            if (!item(pc, region, items, targets, leads, flow))
                return false;
            if (targets.size() > kMaxTargets)
                return fail("size", start, "too many jumps are open");
            for (const u32 target : targets)
                if (target > start && target < pc)
                    return fail("S6", start, "a jump enters a nested region");
        }
        if (!targets.empty())
            return fail("S6", pc, "a jump leaves its region");
        flow.cost = saturate(flow.cost);
        return nest(items, 0, items.size(), region.end, region.tree_depth, nodes);
    }

    // Parses the item at pc, appends it, and moves pc to the address after it.
    bool item(u32& pc, const Region& region, std::vector<Item>& items, std::vector<u32>& targets, bool leads,
              Flow& flow)
    {
        const Instruction& in = code_[pc];
        out_.reached[pc] = true;
        function_->next_addresses.set(pc + 1);
        flow.cost++;
        CfgNode node;
        node.pc = static_cast<u16>(pc);
        node.condition = condition_of(in);
        const u32 start = pc;
        switch (in.op)
        {
        case Opcode::End:
            node.kind = CfgNodeKind::End;
            function_->may_end = true;
            flow.alive = false;
            pc++;
            break;
        case Opcode::Ifc:
        case Opcode::Ifu:
            if (!if_node(pc, region, node, flow))
                return false;
            break;
        case Opcode::Loop:
            if (!loop_node(pc, region, node, flow))
                return false;
            break;
        case Opcode::Call:
        case Opcode::Callc:
        case Opcode::Callu:
            if (!call_node(pc, region, node, flow))
                return false;
            break;
        case Opcode::Break:
        case Opcode::Breakc:
            if (region.loop_depth == 0)
                return fail("S7", pc, "BREAK outside a LOOP of its function");
            if (region.ifs_in_loop > 0)
            {
                if (region.live_else_at_loop)
                    return fail("S7", pc, "BREAK leaves IF entries above a live else part");
                function_->leaves_ifs = true;
            }
            node.kind = CfgNodeKind::Break;
            flow.broken = true;
            flow.alive = in.op == Opcode::Breakc;
            pc++;
            break;
        case Opcode::Jmpc:
        case Opcode::Jmpu:
            if (pc + 1 != region.checked_end) // otherwise S5: the region end overrides the target
            {
                const u32 target = region.end == limit_ ? std::min<u32>(in.target, limit_) : in.target;
                if (target <= pc)
                    return fail("S6", pc, "a jump goes backwards");
                if (target >= region.checked_end || target > region.end)
                    return fail("S6", pc, "a jump leaves its region");
                node.kind = CfgNodeKind::If;
                node.condition.inverted = true;
                items.push_back({std::move(node), start, target});
                targets.push_back(target);
                pc++;
                return true;
            }
            [[fallthrough]];
        default:
            pc++;
            if (!leads)
            {
                items.back().node.end = static_cast<u16>(pc);
                return true;
            }
            node.kind = CfgNodeKind::Block;
            node.condition = {};
            node.end = static_cast<u16>(pc);
            break;
        }
        items.push_back({std::move(node), start});
        return true;
    }

    bool if_node(u32& pc, const Region& region, CfgNode& node, Flow& flow)
    {
        const Instruction& in = code_[pc];
        const u32 target = in.target;
        const u32 join = target + in.count;
        if (target < pc + 1)
            return fail("S1", pc, "IF goes backwards");
        if (join >= region.checked_end || join > region.end)
        {
            // The end of MAIN ends the program: nothing is tested there.
            if (region.end != limit_ || region.checked_end != kNever)
                return fail("S1", pc, "IF ends where or behind where its region ends");
        }
        node.kind = CfgNodeKind::If;
        Region inside = region;
        inside.tree_depth++;
        inside.end = target;
        inside.checked_end = target;
        inside.checked_is_call = false;
        inside.live_if = target;
        inside.if_depth++;
        inside.ifs_in_loop++;
        inside.live_else = region.live_else || in.count != 0;
        function_->if_depth = std::max(function_->if_depth, inside.if_depth);
        Flow then_flow;
        if (!sequence(pc + 1, inside, node.body, then_flow))
            return false;
        Flow else_flow;
        if (in.count != 0)
        {
            Region other = region;
            other.tree_depth++;
            other.end = join;
            if (!sequence(target, other, node.otherwise, else_flow))
                return false;
        }
        flow.alive = then_flow.alive || else_flow.alive;
        flow.broken = flow.broken || then_flow.broken || else_flow.broken;
        flow.cost = saturate(flow.cost + std::max(then_flow.cost, else_flow.cost));
        pc = join;
        return true;
    }

    bool loop_node(u32& pc, const Region& region, CfgNode& node, Flow& flow)
    {
        const Instruction& in = code_[pc];
        const u32 end = in.target + 1u;
        if (in.target < pc + 1)
            return fail("S2", pc, "LOOP has no body");
        if (end >= region.checked_end || end > region.end)
            return fail("S2", pc, "LOOP ends where or behind where its region ends");
        node.kind = CfgNodeKind::Loop;
        node.int_id = in.uniform;
        node.condition = {};
        Region inside = region;
        inside.tree_depth++;
        inside.end = end;
        inside.checked_end = end;
        inside.checked_is_call = false;
        inside.live_loop = end;
        inside.loop_depth++;
        inside.ifs_in_loop = 0;
        inside.live_else_at_loop = region.live_else;
        function_->loop_depth = std::max(function_->loop_depth, inside.loop_depth);
        Flow body_flow;
        if (!sequence(pc + 1, inside, node.body, body_flow))
            return false;
        flow.alive = body_flow.alive || body_flow.broken;
        flow.cost = saturate(flow.cost + 256 * body_flow.cost);
        pc = end;
        return true;
    }

    bool call_node(u32& pc, const Region& region, CfgNode& node, Flow& flow)
    {
        const Instruction& in = code_[pc];
        if (in.count == 0)
            return fail("S3", pc, "CALL of an empty range");
        if (in.target + in.count == pc + 1)
            return fail("S3", pc, "CALL of a range that ends behind the CALL returns at once");
        const bool last = pc + 1 == region.checked_end;
        if (last && !region.checked_is_call)
            return fail("S3", pc, "CALL in the last slot of an IF or LOOP");
        const u32 index = subroutine(in.target, in.target + in.count, pc);
        if (index == kNever)
            return false;
        const Summary& callee = summaries_[index];
        const auto executes = [&](u32 address) { return address < 4097 && callee.next_addresses[address]; };
        if (executes(region.live_if) || executes(region.live_loop))
            return fail("S9", pc, "the subroutine runs over the end of its caller's IF or LOOP");
        if (callee.leaves_ifs && region.live_else)
            return fail("S7", pc, "the subroutine leaves IF entries above a live else part");
        Summary& own = *function_;
        own.leaves_ifs = own.leaves_ifs || callee.leaves_ifs;
        own.may_end = own.may_end || callee.may_end;
        own.next_addresses |= callee.next_addresses;
        own.call_depth = std::max(own.call_depth, callee.call_depth + 1);
        own.if_depth = std::max(own.if_depth, region.if_depth + callee.if_depth);
        own.loop_depth = std::max(own.loop_depth, region.loop_depth + callee.loop_depth);
        if (last)
            own.tail_chain = std::max(own.tail_chain, callee.tail_chain);
        node.kind = CfgNodeKind::Call;
        node.subroutine = static_cast<u16>(index);
        flow.alive = callee.completes || in.op != Opcode::Call;
        flow.cost = saturate(flow.cost + callee.cost);
        pc++;
        return true;
    }

    // Index of the subroutine; kNever if it is not structured.
    u32 subroutine(u32 start, u32 end, u32 caller)
    {
        const auto [entry, added] = indices_.try_emplace({start, end}, kNever);
        if (!added)
        {
            if (entry->second == kNever)
                fail("S8", caller, "recursion");
            return entry->second;
        }
        if (start >= limit_)
        {
            fail("S3", caller, "CALL behind the end of the code");
            return kNever;
        }
        if (nesting_ == kMaxCallDepth)
        {
            fail("S8", caller, "calls nest too deeply");
            return kNever;
        }
        Summary summary;
        Summary* const outer = function_;
        function_ = &summary;
        nesting_++;
        Region region;
        region.end = end;
        region.checked_end = end;
        region.checked_is_call = true;
        Subroutine result;
        result.start = static_cast<u16>(start);
        result.end = static_cast<u16>(end);
        Flow flow;
        const bool ok = sequence(start, region, result.body, flow);
        nesting_--;
        function_ = outer;
        if (!ok)
            return kNever;
        summary.tail_chain++;
        if (summary.tail_chain > 3)
        {
            fail("S4", caller, "four calls return at once");
            return kNever;
        }
        summary.completes = flow.alive;
        summary.cost = flow.cost;
        result.may_end = summary.may_end;
        const u32 index = static_cast<u32>(out_.subroutines.size());
        out_.subroutines.push_back(std::move(result));
        summaries_.push_back(summary);
        indices_[{start, end}] = index;
        return index;
    }

    // Turns the items [first, last) into nodes: a forward jump becomes an If around what it skips.
    bool nest(std::vector<Item>& items, size_t first, size_t last, u32 end, u32 depth,
              std::vector<CfgNode>& nodes)
    {
        if (depth > kMaxTreeDepth)
            return fail("size", items[first].start, "jumps nest too deeply for a tree");
        for (size_t i = first; i < last; i++)
        {
            CfgNode node = std::move(items[i].node);
            if (items[i].jump_target != kNever)
            {
                const u32 target = items[i].jump_target;
                size_t stop = i + 1;
                while (stop < last && items[stop].start < target)
                    stop++;
                const u32 reached = stop < items.size() ? items[stop].start : end;
                if (reached != target)
                    return fail("S6", node.pc,
                                reached < target ? "jumps cross each other"
                                                 : "a jump enters a nested region");
                if (!nest(items, i + 1, stop, end, depth + 1, node.body))
                    return false;
                i = stop - 1;
            }
            nodes.push_back(std::move(node));
        }
        return true;
    }

    void mark_calls(const std::vector<CfgNode>& nodes, bool in_loop)
    {
        for (const CfgNode& node : nodes)
        {
            if (node.kind == CfgNodeKind::Call)
            {
                Subroutine& s = out_.subroutines[node.subroutine];
                (in_loop ? s.called_inside_loop : s.called_outside_loop) = true;
            }
            mark_calls(node.body, in_loop || node.kind == CfgNodeKind::Loop);
            mark_calls(node.otherwise, in_loop);
        }
    }

    std::span<const Instruction> code_;
    u32 limit_;
    Structure& out_;
    Summary* function_ = nullptr;
    std::map<std::pair<u32, u32>, u32> indices_;
    std::vector<Summary> summaries_;
    u32 work_ = 0;
    u32 nesting_ = 0;
};

} // namespace

Structure find_structure(std::span<const Instruction> code, u16 entry, u16 limit)
{
    Structure structure;
    Builder(code, limit, structure).build(entry);
    if (!structure.reason.empty())
    {
        structure.main.clear();
        structure.subroutines.clear();
    }
    return structure;
}

} // namespace pica
