// SPDX-License-Identifier: MIT
// The table of rules is complete: every step of pica/design.md and every question of pica/hardware/open-questions.md has a
// row; every statement of design.md's rules, and every fact of pica/hardware that is EMU, ASSUMED or a rule of ours, has a probe
// or a reason; and every row names what exists: a probe, or the reason why there is none.
#include "samples/probe/probes.h"
#include "samples/probe/rules.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <span>
#include <string>
#include <string_view>
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

// A statement of design.md (place: the step) or a fact of pica/hardware (place: the document): how its line begins, the probe
// that asks for it, or why there is none.
struct Statement
{
    std::string_view place, beginning, probe, why;
};

// clang-format off
constexpr Statement kStatements[] = {
#include "tests/probe/statements.inc"
};
constexpr Statement kFacts[] = {
#include "tests/probe/facts.inc"
};
// clang-format on

using Places = std::vector<std::pair<std::string, std::string>>;

bool begins(const std::string& line, const char* with)
{
    return line.rfind(with, 0) == 0;
}

// Bullets, rows of tables and paragraphs of "Rules beside the steps" and "The one rule for each step": step and first line.
// What only says where facts are is none of them, and N times the resolution is no rule of a console.
Places statements()
{
    Places found;
    std::string step;
    bool inside = false, is_new = true, is_code = false;
    for (const std::string& line : lines_of(read_document("design")))
    {
        if (begins(line, "# ") || begins(line, "## "))
            inside = line == "## Rules beside the steps" || line == "## The one rule for each step";
        if (begins(line, "#"))
            step = begins(line, "### ") ? line.substr(4) : "";
        const bool is_bullet = begins(line, "* "), is_row = begins(line, "| ") && !begins(line, "| who |");
        is_code = is_code != begins(line, "```");
        const bool is_paragraph = is_new && !line.empty() && !begins(line, "#") && !begins(line, "|") &&
                                  !begins(line, "Facts:") && !begins(line, " ") && !is_bullet;
        if (inside && !step.empty() && step != "N times the resolution" && !is_code &&
            (is_bullet || is_row || is_paragraph))
            found.emplace_back(step, is_bullet ? line.substr(2) : line);
        is_new = line.empty();
    }
    return found;
}

bool has_word(const std::string& line, const std::string& word)
{
    const auto is_letter = [&](std::size_t at)
    { return at < line.size() && std::isalnum(static_cast<unsigned char>(line[at])) != 0; };
    for (std::size_t at = line.find(word); at != std::string::npos; at = line.find(word, at + 1))
        if (!is_letter(at - 1) && !is_letter(at + word.size()))
            return true;
    return false;
}

// Lines of pica/hardware that say EMU, ASSUMED or Rule: document and text. Left out are the documents that have no facts of
// the console, and the questions, which another test holds.
Places facts()
{
    Places found;
    const std::set<std::string> others = {"README", "open-questions", "citrace", "titles"};
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(PICAVK_SOURCE_DIR) + "/pica/hardware"))
    {
        const std::string document = entry.path().stem().string();
        if (entry.path().extension() != ".md" || others.contains(document))
            continue;
        for (const std::string& line : lines_of(read_document("hardware/" + document)))
            if (has_word(line, "EMU") || has_word(line, "ASSUMED") || has_word(line, "ASM") ||
                has_word(line, "REC") || line.find("Rule: ") != std::string::npos ||
                line.find("Rule, ") != std::string::npos)
                found.emplace_back(document, line.substr(line.find_first_not_of(' ')));
    }
    return found;
}

// Each of them has one line in the list, and the list has no other.
void check_list(const Places& found, std::span<const Statement> list, const char* file)
{
    for (const auto& [place, text] : found)
    {
        CAPTURE(place);
        CAPTURE(text);
        const auto count = std::ranges::count_if(
            list, [&](const Statement& statement)
            { return statement.place == place && text.rfind(statement.beginning, 0) == 0; });
        CHECK_MESSAGE(count == 1, file << " needs a line for it");
    }
    CHECK(found.size() == list.size());
    for (const Statement& statement : list)
    {
        CAPTURE(statement.beginning);
        CHECK(statement.probe.empty() != statement.why.empty());
        CHECK((statement.probe.empty() || std::ranges::any_of(rules(), [&](const Rule& rule)
                                                              { return rule.probe == statement.probe; })));
        CHECK((statement.why.empty() || (statement.why.size() > 25 && statement.why.back() == '.')));
    }
}

} // namespace

TEST_CASE("rules: every statement of design.md is asked for by a probe, or says why it is not")
{
    const Places found = statements();
    CHECK(found.size() > 140);
    check_list(found, kStatements, "tests/probe/statements.inc");
}

TEST_CASE("rules: every fact of pica/hardware that nobody has measured is asked for, or says why it is not")
{
    const Places found = facts();
    CHECK(found.size() > 140);
    check_list(found, kFacts, "tests/probe/facts.inc");
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

namespace
{

// Does a line of pica/hardware give this grade?
bool says_grade(const std::string& line, const std::string& grade)
{
    if (grade == "ours")
        return has_word(line, "REC") || line.find("Rule: ") != std::string::npos ||
               line.find("Rule, ") != std::string::npos;
    return has_word(line, grade) || (grade == "ASSUMED" && has_word(line, "ASM"));
}

} // namespace

TEST_CASE("rules: a row's grade is what pica/hardware says where its probe asks")
{
    const Places lines = facts();
    std::size_t compared = 0;
    for (const Rule& rule : rules())
    {
        bool is_a_fact = false, agrees = false;
        for (const Statement& fact : kFacts)
            for (const auto& [place, text] : lines)
                if (fact.probe == rule.probe && !rule.probe.empty() && place == fact.place &&
                    text.rfind(fact.beginning, 0) == 0)
                {
                    is_a_fact = true;
                    agrees = agrees || says_grade(text, std::string(rule.grade));
                }
        CHECK_MESSAGE((agrees || !is_a_fact), rule.question);
        compared += is_a_fact;
    }
    CHECK(compared > 80);
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
