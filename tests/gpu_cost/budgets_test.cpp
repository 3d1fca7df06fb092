// SPDX-License-Identifier: MIT
#include "tests/gpu_cost/program/budgets.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace gpu_cost;

namespace
{

constexpr const char* kBundled = PICAVK_SOURCE_DIR "/tests/gpu_cost/budgets.json";

Budgets bundled()
{
    auto budgets = read_budgets(kBundled);
    REQUIRE(budgets);
    return *budgets;
}

// What the stream costs if it uses up its budgets.
Cost cost_at_budget(const Budgets& budgets, const std::string& stream)
{
    Cost cost = budgets_of(budgets, stream);
    cost[kCompile][kMilliseconds] = 123.0;
    return cost;
}

} // namespace

TEST_CASE("gpu_cost: a stream that costs its budgets passes")
{
    const Budgets budgets = bundled();
    for (const auto& [stream, cost] : budgets.streams)
    {
        const Verdict verdict = compare(budgets, budgets.mesa, stream, cost_at_budget(budgets, stream));
        CHECK(verdict.failures.empty());
        CHECK(verdict.hints.empty());
    }
}

TEST_CASE("gpu_cost: each budget of a stream fails when it is lowered, with stream, stage, figure and budget")
{
    const Budgets budgets = bundled();
    const std::string stream = "s_triangle";
    const Cost cost = cost_at_budget(budgets, stream);
    unsigned lowered_budgets = 0;
    const Cost limits = budgets_of(budgets, stream);
    for (const auto& [stage, figures] : limits)
        for (const auto& [figure, budget] : figures)
        {
            if (budget == 0.0)
                continue;
            const std::string place = stage + ": " + figure;
            CAPTURE(place);
            Budgets lowered = budgets;
            const double less = budget / (stage == kCompile ? budgets.compile_time * 1.01 : 1.01);
            lowered.streams[stream][stage] = figures;
            lowered.streams[stream][stage][figure] = less;
            const Verdict verdict = compare(lowered, budgets.mesa, stream, cost);
            REQUIRE(verdict.failures.size() == 1);
            const std::string expected = stream + ": " + stage + ": " + figure + " " + number_text(budget) +
                                         ", budget " + number_text(less);
            CHECK(verdict.failures[0].substr(0, expected.size()) == expected);
            ++lowered_budgets;
        }
    CHECK(lowered_budgets > 30);
}

TEST_CASE("gpu_cost: a figure that is zero in the budgets may not rise")
{
    const Budgets budgets = bundled();
    Cost cost = cost_at_budget(budgets, "s_triangle");
    REQUIRE(cost["fragment"][kScratchMost] == 0.0);
    cost["fragment"][kScratchMost] = 16.0;
    CHECK(compare(budgets, budgets.mesa, "s_triangle", cost).failures.size() == 1);
}

TEST_CASE("gpu_cost: streams, stages and figures without a budget fail")
{
    const Budgets budgets = bundled();
    const Cost cost = cost_at_budget(budgets, "s_triangle");
    CHECK(compare(budgets, budgets.mesa, "no_such_stream", cost).failures.size() == 1);
    Cost more = cost;
    more["a new stage"][kShaders] = 1.0;
    CHECK(compare(budgets, budgets.mesa, "s_triangle", more).failures.size() == 1);
    more = cost;
    more["fragment"]["a new figure"] = 1.0;
    CHECK(compare(budgets, budgets.mesa, "s_triangle", more).failures.size() == 1);
}

TEST_CASE("gpu_cost: another version of Mesa has a margin for shaders, and none for commands")
{
    const Budgets budgets = bundled();
    const Cost cost = cost_at_budget(budgets, "s_triangle");
    const auto failures = [&](const char* stage, const char* figure, double factor)
    {
        Cost changed = cost;
        changed[stage][figure] *= factor;
        return compare(budgets, "99.1", "s_triangle", changed).failures.size();
    };
    CHECK(budgets.other_mesa > 1.0);
    CHECK(failures("fragment", kInstructionsMost, budgets.other_mesa * 0.99) == 0);
    CHECK(failures("fragment", kInstructionsMost, budgets.other_mesa * 1.01) == 1);
    CHECK(failures(kFrame, kCommands, 1.01) == 1);
    CHECK(failures(kCompile, kTimesReference, budgets.other_mesa * budgets.compile_time * 0.99) == 0);
    CHECK(failures(kCompile, kTimesReference, budgets.other_mesa * budgets.compile_time * 1.01) == 1);
}

TEST_CASE("gpu_cost: a figure far below its budget gives a hint")
{
    const Budgets budgets = bundled();
    Cost cost = cost_at_budget(budgets, "s_triangle");
    cost["fragment"][kThroughputMost] *= budgets.tighten_below * 0.9;
    const Verdict verdict = compare(budgets, budgets.mesa, "s_triangle", cost);
    CHECK(verdict.failures.empty());
    REQUIRE(verdict.hints.size() == 1);
    CHECK(verdict.hints[0].find(kThroughputMost) != std::string::npos);
}

TEST_CASE("gpu_cost: budgets are written as they were read")
{
    const Budgets budgets = bundled();
    const std::string path = (std::filesystem::temp_directory_path() / "picavk_budgets_test.json").string();
    REQUIRE(write_budgets(path, budgets));
    std::stringstream written, original;
    written << std::ifstream(path).rdbuf();
    original << std::ifstream(kBundled).rdbuf();
    std::filesystem::remove(path);
    CHECK(written.str() == original.str());
}

TEST_CASE("gpu_cost: taking a cost as budgets lets it pass, and forgets the milliseconds")
{
    Budgets budgets = bundled();
    Cost cost = cost_at_budget(budgets, "s_triangle");
    cost["fragment"][kVgprsMost] += 8.0;
    CHECK(compare(budgets, budgets.mesa, "s_triangle", cost).failures.size() == 1);
    take(budgets, {{"s_triangle", cost}});
    CHECK(compare(budgets, budgets.mesa, "s_triangle", cost).failures.empty());
    CHECK_FALSE(budgets.streams["s_triangle"][kCompile].contains(kMilliseconds));
}

TEST_CASE("gpu_cost: stages that cost the same everywhere are written once, and an exception stays one")
{
    const Figures stage = {{kShaders, 1.0}, {kInstructionsMost, 10.0}};
    const Figures other = {{kShaders, 1.0}, {kInstructionsMost, 11.0}};
    const Figures compile = {{kTimesReference, 1.0}};
    Budgets budgets;
    take(budgets, {{"one", {{"same", stage}, {"different", stage}, {kCompile, compile}}},
                   {"two", {{"same", stage}, {"different", other}, {kCompile, compile}}}});
    CHECK(budgets.every_stream == Cost{{"same", stage}});
    CHECK(budgets.streams["one"] == Cost{{"different", stage}, {kCompile, compile}});
    CHECK(budgets_of(budgets, "two") == Cost{{"same", stage}, {"different", other}, {kCompile, compile}});
    take(budgets, {{"two", {{"same", other}, {kCompile, compile}}}});
    CHECK(budgets_of(budgets, "one")["same"] == stage);
    CHECK(budgets_of(budgets, "two")["same"] == other);
}

TEST_CASE("gpu_cost: vertex work is the sum over its stages")
{
    const Figures stage = {
        {kInstructionsMedian, 10.0}, {kThroughputMedian, 20.0}, {kScratchMost, 64.0}, {kVgprsMost, 32.0}};
    Cost cost = {{"a", stage}, {"b", stage}, {"other", stage}};
    add_vertex_work(cost, {"a", "b", "absent"});
    CHECK(cost[kVertexWork][kInstructionsMedian] == 20.0);
    CHECK(cost[kVertexWork][kThroughputMedian] == 40.0);
    CHECK(cost[kVertexWork][kScratchMost] == 128.0);
    CHECK(cost[kVertexWork][kVgprsMost] == 32.0);
    Cost without = {{"other", stage}};
    add_vertex_work(without, {"a", "b"});
    CHECK_FALSE(without.contains(kVertexWork));
}
