// SPDX-License-Identifier: MIT
// How far long work is: a line on a terminal, and nothing where stderr is no terminal.
#include "tests/cli/program.h"

#include <doctest/doctest.h>

#include <utility>

using namespace tests;

namespace
{

const std::string kTriangle = stream_path("s_triangle").string(); // 3 frames
const std::string kLcd = stream_path("t_lcd").string();

// What the program prints on a terminal, which `script` pretends to be.
std::string on_terminal(const std::vector<std::string>& arguments)
{
    std::string command = PICAVK_PROGRAM;
    for (const std::string& argument : arguments)
        command += " '" + argument + "'";
    const ProgramResult result =
        run_program({"script", "--quiet", "--return", "--command", command, "/dev/null"});
    CHECK_MESSAGE(result.exit_code == 0, result.output << result.errors);
    return result.output;
}

} // namespace

TEST_CASE("progress: frames of one stream, or streams of many, on a terminal only")
{
    const TemporaryFolder folder;
    const std::string out = folder.file("out");
    const std::vector<std::pair<std::vector<std::string>, std::string>> work = {
        {{"render", kTriangle, "--out", out}, "\rs_triangle: 1 of 3 frames"},
        {{"render", kTriangle, kLcd, "--out", out}, "\r0 of 2 streams: "},
        {{"validate", kTriangle}, "\rs_triangle: 1 of 3 frames"},
        {{"validate", kTriangle, kLcd, "--jobs", "2"}, "\r0 of 2 streams: "},
        {{"compare", kTriangle, kTriangle, "--backend", "software"}, "\rs_triangle: 1 of 3 frames"},
        {{"digest", kTriangle}, "\rs_triangle: 0 of 3 frames"},
        {{"bisect", kTriangle, kTriangle}, " of 3 frames"},
        {{"pixel", kTriangle, "--frame", "2", "--x", "9", "--y", "9"}, "\rs_triangle: 1 of 3 frames"},
        {{"vertex", kTriangle, "--frame", "2", "--draw", "0", "--index", "0"}, "\rs_triangle: 1 of 3 frames"},
        {{"dump", kTriangle, "--frame", "2", "--draw", "0", "--out", out}, "\rs_triangle: 1 of 3 frames"},
        {{"info", kTriangle, "--frame", "2"}, "\rs_triangle: 1 of 3 frames"},
        {{"shader", kTriangle}, "\rs_triangle: 1 of 3 frames"},
    };
    for (const auto& [arguments, line] : work)
    {
        const auto& verb = arguments[0];
        CAPTURE(verb);
        const std::string shown = on_terminal(arguments);
        CHECK_MESSAGE(shown.find(line) != std::string::npos, shown);
        const ProgramResult quiet = run_picavk(arguments);
        CHECK(quiet.exit_code == 0);
        CHECK_MESSAGE(quiet.errors.empty(), quiet.errors);
        CHECK(quiet.output.find('\r') == std::string::npos);
    }
}
