// SPDX-License-Identifier: MIT
// Arguments: the output for wrong arguments and for requests for help.
#include "tests/cli/program.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <utility>

using namespace tests;

namespace
{

const std::vector<std::string> kVerbs = {"render", "validate", "play",  "info",       "bench",   "shader",
                                         "device", "probe",    "pixel", "vertex",     "compare", "report",
                                         "digest", "bisect",   "man",   "completion", "dump",    "inspect"};

} // namespace

TEST_CASE("help: the program's help names every verb")
{
    const ProgramResult result = run_picavk({"--help"});
    CHECK(result.exit_code == 0);
    for (const std::string& verb : kVerbs)
        CHECK_MESSAGE(contains(result.output, verb), verb);
}

TEST_CASE("help: each verb has its own help on stdout")
{
    for (const std::string& verb : kVerbs)
    {
        CAPTURE(verb);
        const ProgramResult result = run_picavk({verb, "--help"});
        CHECK(result.exit_code == 0);
        CHECK(contains(result.output, "Usage: picavk " + verb));
        CHECK(result.errors.empty());
    }
}

TEST_CASE("arguments: no verb, an unknown verb and an unknown option give one line and exit 2")
{
    const std::vector<std::vector<std::string>> commands = {
        {},
        {"dance"},
        {"-x"},
        {"--dance"},
        {"info", stream_path("s_triangle").string(), "--frame", "-3"},
        {"info", stream_path("s_triangle").string(), "--frame", "one"},
        {"render"},
        {"render", stream_path("s_triangle").string(), "--sideways"},
        {"render", stream_path("s_triangle").string(), "--backend", "abacus"},
        {"validate", stream_path("s_triangle").string(), "--at", "pixel"},
        {"validate", stream_path("s_triangle").string(), "--force", "weather=sunny"},
        {"bench", stream_path("s_triangle").string(), "--frames", "0"},
        {"shader", stream_path("s_triangle").string(), "--as", "poem"},
    };
    for (const std::vector<std::string>& command : commands)
    {
        const ProgramResult result = run_picavk(command);
        CAPTURE(result.errors);
        CHECK(result.exit_code == 2);
        CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
        CHECK(result.output.empty());
    }
}

TEST_CASE("help: options say what they are if they are not given")
{
    const std::vector<std::pair<std::string, std::vector<std::string>>> defaults = {
        {"render", {"[auto]", "[.]", "[1]", "[3600]"}},
        {"validate", {"[frame]", "[1/1]", "[1]"}},
        {"bench", {"[60]", "[auto]"}},
        {"play", {"[vulkan]", "[2]"}},
    };
    for (const auto& [verb, texts] : defaults)
    {
        const std::string help = run_picavk({verb, "--help"}).output;
        for (const std::string& text : texts)
        {
            const auto& of_verb = verb;
            CAPTURE(of_verb);
            CHECK_MESSAGE(contains(help, text), text);
        }
        CHECK_FALSE(contains(help, "[]"));
    }
}

TEST_CASE("help: what is required has no default, and only verbs with streams speak of standard input")
{
    for (const std::string& verb : kVerbs)
    {
        CAPTURE(verb);
        const std::string help = run_picavk({verb, "--help"}).output;
        const bool takes_stream = contains(help, "STREAM ") || contains(help, "STREAM\n");
        CHECK(contains(help, "STREAM may be -") == takes_stream);
        CHECK_FALSE(contains(help, "[-1]"));
        CHECK_FALSE(contains(help, "INT"));
        CHECK_FALSE(contains(help, "TEXT"));
    }
    const std::string pixel = run_picavk({"pixel", "--help"}).output;
    for (const char* option : {"--frame F", "--x X", "--y Y"})
    {
        const std::size_t at = pixel.find(option);
        REQUIRE(at != std::string::npos);
        const std::string line = pixel.substr(at, pixel.find('\n', at) - at);
        CHECK(line.ends_with("(required)"));
        CHECK_FALSE(contains(line, "[0]"));
    }
}

TEST_CASE("help: in the list of verbs each takes one line")
{
    const std::string help = run_picavk({"--help"}).output;
    const std::size_t begin = help.find("Subcommands:\n") + 13, end = help.find("\n\n", begin);
    CHECK(std::size_t(std::count(help.begin() + long(begin) + 1, help.begin() + long(end) + 1, '\n')) ==
          kVerbs.size());
}

TEST_CASE("arguments: an unknown verb is named with the verbs that there are")
{
    const ProgramResult result = run_picavk({"dance", "--slowly"});
    CHECK(result.exit_code == 2);
    CHECK(result.errors.starts_with("picavk: dance: there is no such verb; the verbs are render, validate"));
}

TEST_CASE("arguments: a word that is none of the choices is answered with the choices, each once")
{
    const std::string stream = stream_path("s_triangle").string();
    const std::vector<std::pair<std::vector<std::string>, std::string>> commands = {
        {{"render", stream, "--backend", "abacus"}, "--backend: abacus is none of auto, vulkan, software"},
        {{"validate", stream, "--at", "pixel"}, "--at: pixel is none of draw, list, frame"},
        {{"shader", stream, "--as", "poem"}, "--as: poem is none of disasm, glsl, spirv"},
        {{"shader", stream, "--stage", "cs"}, "--stage: cs is none of vs, gs, fs"},
    };
    for (const auto& [command, text] : commands)
    {
        const ProgramResult result = run_picavk(command);
        CAPTURE(result.errors);
        CHECK(contains(result.errors, text));
    }
    const std::string help = run_picavk({"validate", "--help"}).output;
    for (const char* choice : {"blend=barrier", "vertex=compute", "coverage=shader", "ubershader=mixed"})
    {
        CAPTURE(choice);
        CHECK(contains(help, choice));
        CHECK(help.find(choice) == help.rfind(choice));
    }
}

TEST_CASE(
    "arguments: an option in place of the verb is named, and numbers that are none are answered briefly")
{
    CHECK(run_picavk({"--dance"}).errors.starts_with("picavk: --dance: there is no such option"));
    const ProgramResult result = run_picavk({"info", stream_path("s_triangle").string(), "--frame", "-3"});
    CHECK(contains(result.errors, "--frame = -3"));
    CHECK(result.errors.size() < 100);
}
