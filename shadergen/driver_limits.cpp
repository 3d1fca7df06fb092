// SPDX-License-Identifier: MIT
#include "shadergen/driver_limits.h"

#include "pica/shader/flow.h"

#include <algorithm>
#include <vector>

namespace shadergen
{

namespace
{

using namespace pica;

// Instructions with subroutines in place of their calls.
class Inlined
{
public:
    static constexpr u64 kMost = 1024;

    explicit Inlined(const Cfg& cfg)
    {
        for (const Subroutine& s : cfg.subroutines) // callees come first
            subroutines_.push_back(of(s.body));
        main_ = of(cfg.main);
    }

    u64 instructions() const { return main_; }

private:
    u64 of(const std::vector<CfgNode>& nodes) const
    {
        u64 sum = 0;
        for (const CfgNode& node : nodes)
        {
            sum += node.kind == CfgNodeKind::Block  ? u64{node.end} - node.pc
                   : node.kind == CfgNodeKind::Call ? 1 + subroutines_[node.subroutine]
                                                    : 1 + of(node.body) + of(node.otherwise);
            sum = std::min(sum, kMost + 1);
        }
        return sum;
    }

    std::vector<u64> subroutines_;
    u64 main_ = 0;
};

class WalkedRounds
{
public:
    explicit WalkedRounds(const Cfg& cfg)
    {
        for (const Subroutine& s : cfg.subroutines) // callees come first
            subroutines_.push_back(all(s.body));
        fit_ = all(cfg.main) <= kMost;
        if (!fit_ && cfg.subroutines.empty())
        {
            counted(cfg.main, 1);
            fit_ = counted_ <= kMost;
        }
    }

    bool fit() const { return fit_; }

private:
    static constexpr u64 kMost = 60000;
    static constexpr u64 kLoopRounds = 256;

    // Whatever the int uniforms are.
    u64 all(const std::vector<CfgNode>& nodes) const
    {
        u64 rounds = 0;
        for (const CfgNode& node : nodes)
        {
            rounds +=
                all(node.body) * (node.kind == CfgNodeKind::Loop ? kLoopRounds : 1) + all(node.otherwise);
            if (node.kind == CfgNodeKind::Loop)
                rounds += kLoopRounds;
            else if (node.kind == CfgNodeKind::Call)
                rounds += subroutines_[node.subroutine];
            rounds = std::min(rounds, kMost + 1);
        }
        return rounds;
    }

    // The same without subroutines, where the instruction budget ends the loops: nodes that run so many
    // times.
    void counted(const std::vector<CfgNode>& nodes, u64 times)
    {
        for (const CfgNode& node : nodes)
        {
            u64 here = times;
            if (node.kind == CfgNodeKind::Loop)
            {
                here =
                    std::min(times * kLoopRounds, kVertexBudget / std::max<u64>(least(node.body), 1) + times);
                counted_ = std::min(counted_ + here * (1 + loops(node.body)), kMost + 1);
            }
            counted(node.body, here);
            counted(node.otherwise, here);
        }
    }

    static u64 loops(const std::vector<CfgNode>& nodes)
    {
        u64 sum = 0;
        for (const CfgNode& node : nodes)
            sum += (node.kind == CfgNodeKind::Loop ? 1u : 0u) + loops(node.body) + loops(node.otherwise);
        return sum;
    }

    static bool may_leave(const CfgNode& node)
    {
        const auto any = [](const std::vector<CfgNode>& nodes)
        { return std::any_of(nodes.begin(), nodes.end(), may_leave); };
        return node.kind == CfgNodeKind::Break || node.kind == CfgNodeKind::End || any(node.body) ||
               any(node.otherwise);
    }

    // Instructions of a round, at least.
    static u64 least(const std::vector<CfgNode>& nodes)
    {
        u64 sum = 0;
        for (const CfgNode& node : nodes)
        {
            sum += node.kind == CfgNodeKind::Block ? u64{node.end} - node.pc : 1u;
            if (may_leave(node))
                break;
            if (node.kind == CfgNodeKind::If)
                sum += std::min(least(node.body), least(node.otherwise));
            else if (node.kind == CfgNodeKind::Loop)
                sum += least(node.body);
        }
        return sum;
    }

    std::vector<u64> subroutines_;
    u64 counted_ = 0;
    bool fit_ = false;
};

} // namespace

bool calls_fit_drivers(const Cfg& cfg)
{
    return cfg.subroutines.empty() || Inlined(cfg).instructions() <= Inlined::kMost;
}

bool loops_fit_drivers(const Cfg& cfg)
{
    return WalkedRounds(cfg).fit();
}

} // namespace shadergen
