// SPDX-License-Identifier: MIT
// The manual page and the completion scripts: they have every verb and option of the help, and bash completes with them.
#include "tests/cli/program.h"

#include <doctest/doctest.h>

#include <cctype>
#include <set>
#include <sstream>
#include <utility>

using namespace pica;
using namespace tests;

namespace
{

// The words of the help that begin with `start`.
std::set<std::string> words_of(const std::string& text, const std::string& start)
{
    std::set<std::string> words;
    for (std::size_t at = text.find(start); at != std::string::npos; at = text.find(start, at + 1))
    {
        std::size_t end = at + start.size();
        while (end < text.size() &&
               (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '-'))
            ++end;
        if (end > at + start.size())
            words.insert(text.substr(at, end - at));
    }
    return words;
}

std::set<std::string> verbs()
{
    const std::string help = run_picavk({"--help"}).output;
    std::istringstream lines(help.substr(help.find("Subcommands:")));
    std::set<std::string> names;
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line) && line.starts_with("  "))
        if (line.size() > 2 && line[2] != ' ')
            names.insert(line.substr(2, line.find(' ', 2) - 2));
    return names;
}

std::string output_of(const std::vector<std::string>& arguments)
{
    const ProgramResult result = run_picavk(arguments);
    CHECK_MESSAGE(result.exit_code == 0, result.errors);
    return result.output;
}

// What bash offers after these words.
std::set<std::string> completed(const std::string& words)
{
    const ProgramResult result = run_program(
        {"bash", "-c",
         "source <(\"$0\" completion bash); COMP_WORDS=(" + words +
             "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _picavk; printf '%s\\n' \"${COMPREPLY[@]}\"",
         PICAVK_PROGRAM});
    CHECK_MESSAGE(result.exit_code == 0, result.errors);
    CHECK_MESSAGE(result.errors.empty(), result.errors);
    std::istringstream lines(result.output);
    std::set<std::string> found;
    for (std::string line; std::getline(lines, line);)
        if (!line.empty())
            found.insert(line);
    return found;
}

} // namespace

TEST_CASE("completion: the manual page and both scripts have every verb and every option")
{
    const std::string manual = output_of({"man"});
    CHECK(manual.starts_with(".TH PICAVK 1"));
    const std::string bash = output_of({"completion", "bash"}), zsh = output_of({"completion", "zsh"});
    CHECK(zsh.starts_with("#compdef picavk\n"));
    const std::set<std::string> names = verbs();
    CHECK(names.size() >= 13);
    for (const std::string& verb : names)
    {
        CAPTURE(verb);
        CHECK(manual.find(".SH \"picavk " + verb + "\"\n") != std::string::npos);
        CHECK(zsh.find("\n  " + verb + ")\n") != std::string::npos);
        const std::set<std::string> options = completed("picavk " + verb + " --");
        std::set<std::string> known = words_of(output_of({verb, "--help"}), "\n  --");
        known.insert("\n  --help"); // it follows -h
        for (const std::string& option : known)
        {
            const std::string name = option.substr(3);
            CAPTURE(name);
            CHECK(options.contains(name));
            const std::string start = name == "--force" ? "'*" : "'"; // may be given again
            CHECK(zsh.find(start + name + "[") != std::string::npos);
            std::string escaped;
            for (const char c : name)
                escaped += c == '-' ? "\\-" : std::string(1, c);
            CHECK(manual.find(escaped) != std::string::npos);
        }
        CHECK(options.size() == known.size());
    }
}

TEST_CASE("completion: bash completes verbs, options and words, and leaves files to itself")
{
    CHECK(completed("picavk val") == std::set<std::string>{"validate"});
    CHECK(completed("picavk validate --ha").empty());
    CHECK(completed("picavk validate --sh") == std::set<std::string>{"--shard"});
    CHECK(completed("picavk validate x.ctf --at ''") == std::set<std::string>{"draw", "list", "frame"});
    CHECK(completed("picavk render --backend so") == std::set<std::string>{"software"});
    CHECK(completed("picavk completion ''") == std::set<std::string>{"bash", "zsh"});
    CHECK(completed("picavk completion bash ''").empty());
    CHECK(completed("picavk completion --") == std::set<std::string>{"--help"});
    // No value follows a flag.
    CHECK(completed("picavk validate --json --sh") == std::set<std::string>{"--shard"});
    CHECK(output_of({"completion", "zsh"}).find("'--json[Print one JSON object]'") != std::string::npos);
    CHECK(output_of({"man"}).find("\n.TP\n.B \\-\\-json\n") != std::string::npos);
    // A verb of a verb.
    CHECK(completed("picavk probe ''") == std::set<std::string>{"list", "predict", "judge"});
    CHECK(completed("picavk probe judge --") ==
          std::set<std::string>{"--answers", "--help", "--html", "--json"});
    CHECK(completed("picavk probe list --") == std::set<std::string>{"--help", "--json"});
    CHECK(output_of({"man"}).find("\n.B picavk probe judge\n[options] FILE\n") != std::string::npos);
    CHECK(output_of({"completion", "zsh"}).find("  \"probe judge\")\n") != std::string::npos);
    CHECK(completed("picavk render --out --").empty());
    CHECK(completed("picavk render s").empty());
}

TEST_CASE("completion: what man and zsh say of them, where they are installed")
{
    const TemporaryFolder folder;
    for (const auto& [words, command] :
         {std::pair<std::vector<std::string>, std::string>{{"man"}, "groff -man -ww -Tutf8 -Wbreak"},
          {{"completion", "zsh"}, "zsh -n"},
          {{"completion", "bash"}, "bash -n"}})
    {
        const std::string tool = command.substr(0, command.find(' '));
        if (run_program({"bash", "-c", "command -v " + tool}).exit_code != 0)
        {
            MESSAGE("skipped: " << tool << " is not installed");
            continue;
        }
        const auto& checked_by = command;
        CAPTURE(checked_by);
        const std::string text = output_of(words);
        write_file(folder.file("text"), {reinterpret_cast<const u8*>(text.data()), text.size()});
        const ProgramResult result = run_program({"bash", "-c", command + " \"$0\"", folder.file("text")});
        CHECK(result.exit_code == 0);
        CHECK_MESSAGE(result.errors.empty(), result.errors);
    }
}
