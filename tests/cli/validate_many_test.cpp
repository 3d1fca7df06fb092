// SPDX-License-Identifier: MIT
// `picavk validate` of many streams: a bad file between good ones, processes, JSON, shards, standard input.
#include "tests/cli/program.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

using namespace tests;

namespace
{

const std::string kTriangle = stream_path("s_triangle").string();
const std::string kStencil = stream_path("t_stencil").string();
const std::string kLcd = stream_path("t_lcd").string();

std::size_t count_of(const std::string& text, const std::string& part)
{
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++count;
    return count;
}

nlohmann::json parsed(const ProgramResult& result)
{
    const nlohmann::json json = nlohmann::json::parse(result.output, nullptr, false);
    REQUIRE_MESSAGE(json.is_object(), result.output << result.errors);
    return json;
}

} // namespace

TEST_CASE("validate: goes on after a bad file, and ends with 2")
{
    for (const std::string jobs : {"1", "3"})
    {
        CAPTURE(jobs);
        const ProgramResult result = run_picavk(
            {"validate", kTriangle, "/nonexistent/a.ctf", kLcd, PICAVK_PROGRAM, kStencil, "--jobs", jobs});
        CHECK(result.exit_code == 2);
        CHECK(count_of(result.output, "0 differing bytes") == 3);
        CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 2);
        CHECK(count_of(result.errors, "picavk: /nonexistent/a.ctf: ") == 1);
        // In the order of the arguments, whoever ends first.
        CHECK(result.output.find("s_triangle") < result.output.find("t_lcd"));
        CHECK(result.output.find("t_lcd") < result.output.find("t_stencil"));
    }
}

TEST_CASE("validate: no device is one message, whatever the number of streams")
{
    const ProgramResult result = run_picavk({"validate", kTriangle, kLcd, "--device", "abacus"});
    CHECK(result.exit_code == 2);
    CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
    // In the results, every stream has an object.
    for (const std::string jobs : {"1", "2"})
    {
        const ProgramResult printed = run_picavk(
            {"validate", kTriangle, kLcd, kStencil, "--device", "abacus", "--json", "--jobs", jobs});
        CHECK(std::count(printed.errors.begin(), printed.errors.end(), '\n') == 1);
        const nlohmann::json json = parsed(printed);
        CHECK(json.at("count").at("error") == 3);
        REQUIRE(json.at("streams").size() == 3);
        CHECK(json.at("streams")[2].at("stream") == "t_stencil");
        CHECK(json.at("streams")[2].at("message").get<std::string>().starts_with(kStencil + ": was not run"));
    }
}

TEST_CASE("validate: --json is one object with every stream")
{
    const nlohmann::json json =
        parsed(run_picavk({"validate", kTriangle, "/nonexistent/a.ctf", "--json", "--jobs", "2"}));
    CHECK(json.at("picavk_results") == 2);
    CHECK(json.at("verb") == "validate");
    CHECK(json.at("shard") == "1/1");
    CHECK(json.at("count").at("equal") == 1);
    CHECK(json.at("count").at("different") == 0);
    CHECK(json.at("count").at("error") == 1);
    REQUIRE(json.at("streams").size() == 2);
    const nlohmann::json& good = json.at("streams")[0];
    CHECK(good.at("stream") == "s_triangle");
    CHECK(good.at("result") == "equal");
    CHECK(good.at("frames") == 3);
    CHECK(good.at("draws") == 15);
    CHECK(good.at("bytes_compared") > 0);
    const nlohmann::json& bad = json.at("streams")[1];
    CHECK(bad.at("result") == "error");
    CHECK(bad.at("message").get<std::string>().starts_with("/nonexistent/a.ctf: "));
}

TEST_CASE("validate: shards take each stream once")
{
    std::multiset<std::string> seen;
    for (const std::string shard : {"1/3", "2/3", "3/3"})
    {
        const nlohmann::json json = parsed(run_picavk(
            {"validate", "/a.ctf", "/b.ctf", "/c.ctf", "/d.ctf", "/e.ctf", "--json", "--shard", shard}));
        CHECK(json.at("shard") == shard);
        CHECK(json.at("streams").size() == (shard == "3/3" ? 1 : 2));
        for (const nlohmann::json& stream : json.at("streams"))
            seen.insert(stream.at("stream"));
    }
    CHECK(seen == std::multiset<std::string>{"a", "b", "c", "d", "e"});
    for (const std::string wrong :
         {"0/3", "4/3", "1", "1/", "/3", "a/b", "1/3x", "-1/3", "1/0", "1/99999999999"})
    {
        CAPTURE(wrong);
        const ProgramResult result = run_picavk({"validate", kTriangle, "--shard=" + wrong});
        CHECK(result.exit_code == 2);
        CHECK(result.errors.find("is not I/N") != std::string::npos);
        CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
    }
    // A part may be empty: there are more machines than streams.
    CHECK(parsed(run_picavk({"validate", kTriangle, "--json", "--shard", "2/2"})).at("streams").empty());
}

TEST_CASE("standard input: - is read by the verbs that take a stream, and named in messages")
{
    const auto piped = [](const std::string& file, const std::vector<std::string>& arguments)
    {
        std::vector<std::string> command = {"bash", "-c", "cat \"$0\" | \"$@\"", file, PICAVK_PROGRAM};
        command.insert(command.end(), arguments.begin(), arguments.end());
        return run_program(command);
    };
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"validate", "-"}, {"info", "--summary", "-"}})
    {
        CAPTURE(arguments[0]);
        const ProgramResult result = piped(kTriangle, arguments);
        CHECK_MESSAGE(result.exit_code == 0, result.errors);
        CHECK(result.output.starts_with("stdin: "));
        CHECK(result.output.find("3 frames") != std::string::npos);
        const ProgramResult bad = piped("/dev/null", arguments);
        CHECK(bad.exit_code == 2);
        CHECK(bad.errors.starts_with("picavk: standard input: "));
    }
}
