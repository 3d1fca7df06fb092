// SPDX-License-Identifier: MIT
// Output that is lost: the exit code and a line on stderr say so.
#include "tests/cli/program.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

using namespace tests;

namespace
{

const std::string kStream = stream_path("s_triangle").string();
const std::string kOther = stream_path("s_shadow").string();

// stdout as a redirection of the shell.
ProgramResult run_with_output(const std::string& redirection, const std::vector<std::string>& arguments)
{
    std::vector<std::string> command = {"bash", "-c", "exec \"$0\" \"$@\" " + redirection, PICAVK_PROGRAM};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return run_program(command);
}

} // namespace

TEST_CASE("lost output: every verb that prints ends with a message where stdout takes nothing")
{
    const std::vector<std::vector<std::string>> commands = {
        {"--help"},
        {"--version"},
        {"info", "--help"},
        {"info", kStream},
        {"info", kStream, "--summary"},
        {"validate", kStream},
        {"bench", kStream, "--backend", "software", "--frames", "2"},
        {"bench", kStream, "--backend", "software", "--frames", "2", "--json"},
        {"shader", kStream},
        {"shader", kStream, "--as", "glsl"},
        // A difference is the other exit code of these, and says nothing of output that is not there.
        {"compare", kStream, kOther, "--backend", "software"},
        {"compare", kStream, kOther, "--backend", "software", "--json"},
        {"bisect", kStream, kOther},
        {"device"},
        {"device", "--json"},
    };
    for (const std::string redirection : {">/dev/full", ">&-"})
        for (const std::vector<std::string>& command : commands)
        {
            CAPTURE(redirection);
            CAPTURE(command[0]);
            const ProgramResult result = run_with_output(redirection, command);
            CAPTURE(result.errors);
            CHECK(result.exit_code == 2);
            CHECK(result.errors.starts_with("picavk: standard output cannot be written"));
            CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
        }
}

TEST_CASE("lost output: with closed standard streams files are what they are otherwise")
{
    const TemporaryFolder folder;
    const auto render = [&](const std::string& redirection, const std::string& out)
    {
        return run_with_output(redirection,
                               {"render", kStream, "--backend", "software", "--out", folder.file(out),
                                "--record", folder.file(out + ".pvk"), "--verbose"});
    };
    REQUIRE(render("", "open").exit_code == 0);
    CHECK(render(">&- 2>&- <&-", "closed").exit_code == 0); // it prints nothing on stdout
    std::size_t pictures = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder.file("open")))
    {
        ++pictures;
        CHECK(read_file(entry.path()) == read_file(folder.path() / "closed" / entry.path().filename()));
    }
    CHECK(pictures != 0);
    CHECK(read_file(folder.file("open.pvk")) == read_file(folder.file("closed.pvk")));
}

TEST_CASE("lost output: errors keep their own exit code and message")
{
    const ProgramResult result = run_with_output(">/dev/full", {"info", "/nonexistent/stream.ctf"});
    CHECK(result.exit_code == 2);
    CHECK(result.errors.find("/nonexistent/stream.ctf") != std::string::npos);
    CHECK(result.errors.find("standard output") == std::string::npos);
}
