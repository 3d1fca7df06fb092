// SPDX-License-Identifier: MIT
// The table of rules is complete: every step of pica/design.md and every question of pica/hardware/open-questions.md has a
// row, every statement there has a probe or a reason, and every row names what exists: a probe, or the reason why there is none.
#include "samples/probe/probes.h"
#include "samples/probe/rules.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace
{

using namespace samples;

std::string read_text(const std::string& name)
{
    std::ifstream file(std::string(PICAVK_SOURCE_DIR) + "/" + name);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string read_document(const std::string& name)
{
    return read_text("pica/" + name + ".md");
}

std::vector<std::string> lines_of(const std::string& text)
{
    std::vector<std::string> lines(1);
    for (const char c : text)
    {
        if (c == '\n')
            lines.emplace_back();
        else
            lines.back() += c;
    }
    return lines;
}

// The headings of "The one rule for each step". "N times the resolution" is no rule of a console.
std::set<std::string> steps()
{
    std::set<std::string> found;
    bool inside = false;
    for (const std::string& line : lines_of(read_document("design")))
    {
        if (line.rfind("## ", 0) == 0)
            inside = line == "## The one rule for each step";
        else if (line.rfind("# ", 0) == 0)
            inside = false;
        if (inside && line.rfind("### ", 0) == 0 && line != "### N times the resolution")
            found.insert(line.substr(4));
    }
    return found;
}

std::set<std::string> questions()
{
    std::set<std::string> found;
    for (const std::string& line : lines_of(read_document("hardware/open-questions")))
        if (line.rfind("| ", 0) == 0 && line.rfind("| Question", 0) != 0)
            found.insert(line.substr(2, line.find(" | ") - 2));
    return found;
}

// A statement of design.md: step, how it begins, the probe that asks for it, or why there is none.
struct Statement
{
    std::string_view step, beginning, probe, why;
};

constexpr Statement kStatements[] = {
// clang-format off
#include "tests/probe/statements.inc"
    // clang-format on
};

// Bullets of "Rules beside the steps" and "The one rule for each step": step and text of the first line.
std::vector<std::pair<std::string, std::string>> statements()
{
    std::vector<std::pair<std::string, std::string>> found;
    std::string step;
    bool inside = false;
    for (const std::string& line : lines_of(read_document("design")))
    {
        if (line.rfind("# ", 0) == 0 || line.rfind("## ", 0) == 0)
            inside = line == "## Rules beside the steps" || line == "## The one rule for each step";
        if (line.rfind("### ", 0) == 0)
            step = line.substr(4);
        if (inside && line.rfind("* ", 0) == 0 && step != "N times the resolution")
            found.emplace_back(step, line.substr(2));
    }
    return found;
}

} // namespace

TEST_CASE("rules: every statement of design.md is asked for by a probe, or says why it is not")
{
    const auto found = statements();
    CHECK(found.size() > 100);
    for (const auto& [step, text] : found)
    {
        CAPTURE(step);
        CAPTURE(text);
        const auto count = std::ranges::count_if(
            kStatements, [&](const Statement& statement)
            { return statement.step == step && text.rfind(statement.beginning, 0) == 0; });
        CHECK_MESSAGE(count == 1, "tests/probe/statements.inc needs a line for it");
    }
    CHECK(found.size() == std::size(kStatements));
    for (const Statement& statement : kStatements)
    {
        CAPTURE(statement.beginning);
        CHECK(statement.probe.empty() != statement.why.empty());
        CHECK((statement.probe.empty() || std::ranges::any_of(rules(), [&](const Rule& rule)
                                                              { return rule.probe == statement.probe; })));
    }
}

TEST_CASE("rules: every step of design.md and every open question has a row")
{
    CHECK(steps().size() > 20);
    CHECK(questions().size() > 50);
    for (const std::string& step : steps())
    {
        CAPTURE(step);
        CHECK(std::ranges::any_of(rules(), [&](const Rule& rule) { return rule.step == step; }));
    }
    for (const std::string& question : questions())
    {
        CAPTURE(question);
        CHECK(std::ranges::any_of(rules(), [&](const Rule& rule) { return rule.question == question; }));
    }
}

TEST_CASE("rules: rows name steps, grades, files, functions and probes that exist")
{
    std::set<std::string> names, asked;
    for (const Probe& probe : all_probes())
        CHECK(names.insert(probe.name()).second);
    const std::set<std::string> known = steps();
    const std::string design = read_document("design");
    for (const Rule& rule : rules())
    {
        CAPTURE(rule.question);
        const std::string step(rule.step);
        CHECK((step.empty() || known.contains(step) ||
               design.find("\n### " + step + "\n") != std::string::npos));
        CHECK((rule.grade == "EMU" || rule.grade == "ASSUMED" || rule.grade == "ours" || rule.grade == "HW"));
        CHECK(!rule.ours.empty());
        CHECK(!rule.function.empty());
        // The function's name without its class.
        const std::string function(rule.function.substr(rule.function.rfind(':') + 1));
        CHECK(read_text(std::string(rule.file)).find(function) != std::string::npos);
        CHECK((rule.probe.empty() || names.contains(std::string(rule.probe))));
        asked.insert(std::string(rule.probe));
    }
    for (const std::string& name : names)
    {
        CAPTURE(name);
        CHECK(asked.contains(name));
    }
}

TEST_CASE("rules: a row has a probe or one sentence that says why there is none")
{
    for (const Rule& rule : rules())
    {
        CAPTURE(rule.question);
        CHECK(rule.probe.empty() != rule.why_not.empty());
        if (!rule.why_not.empty())
        {
            CHECK(rule.why_not.size() > 30);
            CHECK(rule.why_not.back() == '.');
            CHECK(rule.why_not.find(". ") == std::string_view::npos);
        }
    }
}
