// SPDX-License-Identifier: MIT
// The table of rules is complete: every step of pica/design.md and every question of pica/hardware/open-questions.md has a
// row; every statement of design.md's rules, and every fact of pica/hardware that is EMU, ASSUMED or a rule of ours, has a row
// or one of the reasons below; and every row names what exists: a function, and a probe or the reason why there is none.
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

// What a statement has to do with the table of rules, and what its text is then.
enum class Kind
{
    Asked,    // the probe that asks for it, which is that of a row
    Row,      // the question of a row without a probe
    Measured, // it is a fact: a document, and a line of it with the grade HW, HB, GAME or DOC
    Hangs,    // a console would stop there: such a line that says so
    Titles,   // what titles would show if it were otherwise
    Unnamed,  // why nobody can name another rule
    Own,      // how picavk computes, without influence on the bytes: why
    Bound,    // where picavk's numbers or budgets end: why nobody asks
    Remark,   // no rule: what it says
};

// A statement of design.md (place: the step) or a fact of pica/hardware (place: the document), and how its line begins.
struct Statement
{
    std::string_view place, beginning;
    Kind kind;
    std::string_view text;
};

// clang-format off
using enum Kind;
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

// Does a document have this line, "document: text", and does it or one of the two behind it say that it was measured?
bool is_measured(std::string_view citation)
{
    const std::size_t colon = citation.find(": ");
    if (colon == std::string_view::npos)
        return false;
    const std::vector<std::string> lines =
        lines_of(read_document("hardware/" + std::string(citation.substr(0, colon))));
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (lines[i].find(citation.substr(colon + 2)) != std::string::npos)
            for (std::size_t n = i; n < std::min(i + 3, lines.size()); ++n)
                for (const char* grade : {"HW", "HB", "GAME", "DOC"})
                    if (has_word(lines[n], grade))
                        return true;
    return false;
}

// Is this probe one of those that a statement names, with ", " between them?
bool names_probe(const Statement& statement, std::string_view probe)
{
    const std::string names = ", " + std::string(statement.text) + ", ";
    return !probe.empty() && names.find(", " + std::string(probe) + ", ") != std::string::npos;
}

std::size_t count_names(const Statement& statement)
{
    std::size_t count = 1;
    for (std::size_t at = statement.text.find(", "); at != std::string_view::npos;
         at = statement.text.find(", ", at + 1))
        ++count;
    return count;
}

// Does the statement have the row, the line or the reason that it speaks of?
bool is_answered(const Statement& statement)
{
    const auto any_row = [](auto matches) { return std::ranges::any_of(rules(), matches); };
    switch (statement.kind)
    {
    case Kind::Asked:
    {
        std::set<std::string_view> probes;
        for (const Rule& rule : rules())
            if (names_probe(statement, rule.probe))
                probes.insert(rule.probe);
        return probes.size() == count_names(statement);
    }
    case Kind::Row:
        return any_row([&](const Rule& rule)
                       { return rule.question == statement.text && rule.probe.empty(); });
    case Kind::Measured:
    case Kind::Hangs:
        return is_measured(statement.text);
    default:
        return statement.text.size() > 25 && statement.text.back() == '.';
    }
}

// Each of them has one line in the list, and the list has no other.
void check_list(const Places& found, std::span<const Statement> list, const char* file)
{
    for (const auto& statement_found : found)
    {
        const std::string& place = statement_found.first;
        const std::string& text = statement_found.second;
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
        CAPTURE(statement.text);
        CHECK(is_answered(statement));
    }
}

} // namespace

TEST_CASE("rules: every statement of design.md has a row of the table, or is of a kind that needs none")
{
    const Places found = statements();
    CHECK(found.size() > 140);
    check_list(found, kStatements, "tests/probe/statements.inc");
}

TEST_CASE(
    "rules: every fact of pica/hardware that nobody has measured has a row, or is of a kind that needs none")
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

namespace
{

bool is_part_of_word(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Is what stands in front of a name on its line a type or "class" and the like, or the macro of a register? Calls have
// nothing, an operator or a keyword there.
bool is_declared_by(std::string_view before)
{
    before.remove_prefix(std::min(before.find_first_not_of(' '), before.size()));
    if (before.rfind("REG", 0) == 0 && before.back() == '(')
        return true;
    for (const char* keyword : {"return ", "else ", "case ", "throw ", "new "})
        if (before.rfind(keyword, 0) == 0)
            return false;
    return before.find_first_not_of(
               "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:<>,*& ") ==
               std::string_view::npos &&
           before.find_first_of(" *&") != std::string_view::npos;
}

// Does a source declare this function, class or constant: "f", or "C::f"? Its last name stands there as a whole word.
bool declares(const std::string& source, std::string_view name)
{
    name.remove_prefix(name.rfind(':') == std::string_view::npos ? 0 : name.rfind(':') + 1);
    for (const std::string& line : lines_of(source))
    {
        const std::string_view code = std::string_view(line).substr(0, line.find("//"));
        for (std::size_t at = code.find(name); at != std::string_view::npos; at = code.find(name, at + 1))
        {
            const std::size_t end = at + name.size();
            const bool is_whole = (at == 0 || !is_part_of_word(code[at - 1])) &&
                                  (end == code.size() || !is_part_of_word(code[end]));
            const std::size_t next = std::min(code.find_first_not_of(' ', end), code.size());
            const bool goes_on =
                next == code.size() || std::string_view("(={:[,").find(code[next]) != std::string_view::npos;
            if (is_whole && goes_on && is_declared_by(code.substr(0, at)))
                return true;
        }
    }
    return false;
}

} // namespace

TEST_CASE("rules: a name is declared where it stands as a whole behind a type, and not where it is used")
{
    CHECK(declares("NUM_FN Real weight(Real b)", "weight"));
    CHECK(declares("u32 VectorFifo::push(u32 word)", "VectorFifo::push"));
    CHECK(declares("class IndexReader\n{", "IndexReader"));
    CHECK(declares("inline constexpr RegisterRange kStoredOnly = {0x2E0, 0x3FF};", "kStoredOnly"));
    CHECK(declares("const u32* TextureCache::get(int binding)", "TextureCache::get"));
    CHECK(declares("REG(UNKNOWN_060, 0x060)", "UNKNOWN_060"));
    CHECK_FALSE(declares("NUM_FN Real weights(Real b)", "weight"));
    CHECK_FALSE(declares("    return weight(b);", "weight"));
    CHECK_FALSE(declares("    weight(b);", "weight"));
    CHECK_FALSE(declares("    const Real w = weight(b);", "weight"));
    CHECK_FALSE(declares("    case CompareOp::Always6:", "Always6"));
    CHECK_FALSE(declares("    Always6, // codes 6 and 7 are true", "Always6"));
    CHECK_FALSE(declares("// u32 weight(u32 b)", "weight"));
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
        CHECK(declares(read_text(std::string(rule.file)), rule.function));
        CHECK((rule.probe.empty() || names.contains(std::string(rule.probe))));
        asked.insert(std::string(rule.probe));
    }
    for (const std::string& name : names)
    {
        CAPTURE(name);
        CHECK(asked.contains(name));
    }
}

TEST_CASE("rules: the README of the program for the console has the number of probes")
{
    const std::string readme = read_document("../samples/console/README");
    const std::string count = std::to_string(all_probes().size());
    CHECK(readme.find("The " + count + " probes need") != std::string::npos);
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
                if (fact.kind == Kind::Asked && names_probe(fact, rule.probe) && place == fact.place &&
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
