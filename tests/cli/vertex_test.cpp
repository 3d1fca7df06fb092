// SPDX-License-Identifier: MIT
// `picavk vertex`: the trace's last writes are the outputs, of vertex and geometry programs.
#include "tests/cli/program.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

using namespace tests;
using Json = nlohmann::ordered_json;

namespace
{

Json run_vertex(const std::vector<std::string>& arguments)
{
    std::vector<std::string> command = {"vertex"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    command.push_back("--json");
    const ProgramResult result = run_picavk(command);
    CHECK_MESSAGE(result.exit_code == 0, result.errors);
    Json json = Json::parse(result.output, nullptr, false);
    REQUIRE_FALSE(json.is_discarded());
    CHECK_FALSE(json.contains("error"));
    return json;
}

} // namespace

TEST_CASE("vertex: inputs, outputs and every instruction of a vertex")
{
    const std::string stream = stream_path("s_lit_spheres").string();
    const Json json = run_vertex({stream, "--frame", "0", "--draw", "0", "--index", "5", "--trace"});
    CHECK_FALSE(json["inputs"].empty());
    REQUIRE(json["outputs"].contains("o0"));
    CHECK(json["steps"].size() == json["instructions_executed"]);
    // "004 dp4 o0.x, ...": the last instruction that writes o0 leaves what the vertex has.
    Json last;
    for (const Json& step : json["steps"])
        if (step["instruction"].get<std::string>().find(" o0.") != std::string::npos &&
            step.contains("result"))
            last = step["result"];
    CHECK(last == json["outputs"]["o0"]);
    const Json brief = run_vertex({stream, "--frame", "0", "--draw", "0", "--index", "5"});
    CHECK_FALSE(brief.contains("steps"));
    CHECK(brief["outputs"] == json["outputs"]);
}

TEST_CASE("vertex: an invocation of a geometry program with its primitives")
{
    const std::string stream = stream_path("t_geometry_point").string();
    const Json json =
        run_vertex({stream, "--frame", "0", "--draw", "0", "--index", "1", "--geometry", "--trace"});
    REQUIRE_FALSE(json["primitives"].empty());
    CHECK(json["primitives"][0].size() == 3);
    std::size_t emitted = 0;
    for (const Json& step : json["steps"])
        emitted += step.contains("emits");
    CHECK(emitted == json["primitives"].size());
}

TEST_CASE("vertex: what does not exist is one line and exit 2")
{
    const std::string stream = stream_path("s_triangle").string();
    const std::vector<std::vector<std::string>> wrong = {
        {"--frame", "0", "--draw", "0", "--index", "1000000"},
        {"--frame", "0", "--draw", "0", "--index", "0", "--geometry"},
        {"--frame", "0", "--draw", "1000", "--index", "0"},
        {"--frame", "1000", "--draw", "0", "--index", "0"},
        {"--frame", "0", "--draw", "0"},
    };
    for (const std::vector<std::string>& arguments : wrong)
    {
        std::vector<std::string> command = {"vertex", stream};
        command.insert(command.end(), arguments.begin(), arguments.end());
        const ProgramResult result = run_picavk(command);
        CAPTURE(result.errors);
        CHECK(result.exit_code == 2);
        CHECK(result.output.empty());
        CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
    }
}
