// SPDX-License-Identifier: MIT
// A console may differ from picavk in two rules at once. So a probe does not change its answer where a rule is exchanged for
// which another probe asks: whoever reads the file would take one difference for two.
#include "samples/probe/probe_runner.h"
#include "samples/probe/probes.h"
#include "samples/probe/rules.h"
#include "tests/probe/reference_answer.h"
#include "tests/reference/reference_rules.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace
{

using namespace pica;
using namespace samples;
using tests::Exchange;

// At once: a probe that is as ever with all of them does not depend on any.
constexpr Exchange kRules[] = {Exchange::ColorTruncated, Exchange::FillUpper, Exchange::DepthNearest,
                               Exchange::ProcTex4096};
// By itself: sums of three products make 1 a little less than 1, which truncated colours would show everywhere.
constexpr Exchange kInterpolation[] = {Exchange::InterpolationSum};
// Larger answers take too long. They are tables: a rectangle in one colour for each entry.
constexpr u32 kLargest = 0x10000;

// A probe that shows its rule through another one, and why it cannot do without.
struct Dependence
{
    std::string_view probe;
    Exchange rule;
    std::string_view why;
};

constexpr Dependence kDependences[] = {
    {"flip", Exchange::FillUpper,
     "Turned positions and turned rows differ in nothing but which edges are inside."},
    {"clip-order", Exchange::ColorTruncated,
     "The order of planes moves no edge, only colours between new points."},
    {"triangle-order", Exchange::InterpolationSum,
     "Which differences are taken is seen only in the last bits of what they interpolate."},
};

u64 digest_of(const Probe& probe, std::string_view name)
{
    for (const Alternative& row : alternatives())
        if (row.probe == probe.name() && row.name == name)
            return row.digest;
    return 0;
}

u64 digest_under(const Probe& probe, std::span<const Exchange> rules)
{
    std::list<tests::ExchangedRule> exchanged;
    for (const Exchange rule : rules)
        exchanged.emplace_back(rule);
    return answer_digest(tests::reference_answer(probe));
}

// What the table has for this probe where all the rules are exchanged; the rule among them for which it asks, or ours.
u64 expected_digest(const Probe& probe, std::span<const Exchange> rules)
{
    for (const Exchange rule : rules)
        if (tests::exchange_probe(rule) == probe.name())
            return digest_of(probe, tests::exchange_name(rule));
    return digest_of(probe, "ours");
}

std::string rules_that_change(const Probe& probe, std::span<const Exchange> rules)
{
    std::string names;
    for (const Exchange rule : rules)
        if (digest_under(probe, std::span(&rule, 1)) != digest_of(probe, "ours"))
            names += std::string(tests::exchange_probe(rule)) + " ";
    return names;
}

} // namespace

TEST_CASE(
    "probes: rules of colours, weights, edges, depths and maps change the answers of their own probes alone")
{
    for (const auto rules : {std::span<const Exchange>(kRules), std::span<const Exchange>(kInterpolation)})
        for (const Probe& probe : all_probes())
        {
            const bool depends = std::ranges::any_of(kDependences, [&](const Dependence& dependence)
                                                     { return dependence.probe == probe.name(); });
            if (depends || probe.answer_bytes() > kLargest)
                continue;
            if (digest_under(probe, rules) != expected_digest(probe, rules))
                FAIL_CHECK(probe.name() << " depends on: " << rules_that_change(probe, rules));
        }
}

TEST_CASE("probes: those that cannot do without another rule change with it")
{
    const std::vector<Probe> probes = all_probes();
    for (const Dependence& dependence : kDependences)
    {
        const auto probe =
            std::ranges::find_if(probes, [&](const Probe& each) { return each.name() == dependence.probe; });
        REQUIRE(probe != probes.end());
        CAPTURE(dependence.probe);
        CHECK(digest_under(*probe, std::span(&dependence.rule, 1)) != digest_of(*probe, "ours"));
        CHECK(dependence.why.back() == '.');
    }
}
