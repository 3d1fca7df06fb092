// SPDX-License-Identifier: MIT
// `picavk pixel`: what it prints agrees with the pictures of `picavk render`.
#include "samples/cli/png_file.h"
#include "tests/cli/program.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

using namespace tests;
using Json = nlohmann::ordered_json;

namespace
{

Json history(const std::vector<std::string>& arguments)
{
    std::vector<std::string> command = {"pixel"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    command.push_back("--json");
    const ProgramResult result = run_picavk(command);
    CHECK_MESSAGE(result.exit_code == 0, result.errors);
    Json json = Json::parse(result.output, nullptr, false);
    REQUIRE_FALSE(json.is_discarded());
    return json;
}

} // namespace

TEST_CASE("pixel: the combiners, the blending and the transfer lead to the colour in the picture")
{
    const std::string stream = stream_path("s_2d_sprites").string();
    const TemporaryFolder folder;
    REQUIRE(
        run_picavk({"render", stream, "--out", folder.path().string(), "--backend", "software"}).exit_code ==
        0);
    const auto picture = samples::read_png(folder.file("frame0001_top.png"));
    REQUIRE(picture);
    const Json json = history({stream, "--frame", "1", "--x", "200", "--y", "120"});
    const std::size_t at = (120 * 400 + 200) * 4;
    const Json& events = json["events"];
    REQUIRE(events.size() >= 3);
    CHECK(events.front()["kind"] == "fill");
    CHECK(events.back()["kind"] == "display transfer");
    const Json& source = events.back()["sources"][0];
    for (std::size_t c = 0; c < 3; ++c)
        CHECK(source["rgba"][c] == (*picture).rgba[at + c]);
    CHECK(events.back()["after"] == json["value"]);
    // The last draw before the transfer left what it read.
    const Json& draw = events[events.size() - 2];
    CHECK(draw["kind"] == "draw");
    CHECK(draw["after"] == source["value"]);
    CHECK(draw["address"] == source["address"]);
    const Json& fragment = draw["fragments"].back();
    CHECK(fragment["shading"]["combiners"].back()["result"] == fragment["shading"]["combined"]);
    CHECK(fragment["output"]["source"] == fragment["shading"]["combined"]);
    CHECK(fragment["output"]["result"] == source["rgba"]);
}

TEST_CASE("pixel: targets by address, the depth buffer too, and the state after one draw")
{
    const std::string stream = stream_path("t_stencil").string();
    const Json whole = history({stream, "--frame", "0", "--x", "120", "--y", "200"});
    std::string color, depth;
    for (const Json& event : whole["events"])
        if (event["kind"] == "draw" && event["target"].contains("depth"))
        {
            color = event["target"]["color"];
            depth = event["target"]["depth"];
        }
    REQUIRE_FALSE(color.empty());
    const std::vector<std::string> at = {stream, "--frame", "0", "--x", "100", "--y", "100", "--target"};
    std::vector<std::string> arguments = at;
    arguments.push_back(depth);
    const Json in_depth = history(arguments);
    for (const Json& event : in_depth["events"])
        if (event["kind"] == "draw")
            CHECK(event["buffer"] == "depth");
    CHECK_FALSE(in_depth["events"].empty());
    arguments.back() = color;
    const Json at_end = history(arguments);
    arguments.insert(arguments.end(), {"--draw", "0"});
    const Json after_first = history(arguments);
    CHECK(after_first["events"].size() <= at_end["events"].size());
    for (const Json& event : after_first["events"])
    {
        // Only a draw has a number.
        CHECK(event.contains("draw") == (event["kind"] == "draw"));
        CHECK(event[event["kind"] == "draw" ? "draw" : "draws_before"] == 0);
    }
}

TEST_CASE("pixel: at N times the resolution, the steps lead to the colour in the picture of N x pixels")
{
    const std::string stream = stream_path("s_shadow").string();
    const TemporaryFolder folder;
    REQUIRE(run_picavk(
                {"render", stream, "--out", folder.path().string(), "--backend", "software", "--scale", "3"})
                .exit_code == 0);
    const auto picture = samples::read_png(folder.file("frame0000_top.png"));
    REQUIRE(picture);
    REQUIRE(picture->width == 1200);
    std::size_t textures = 0;
    for (const auto& place : {std::pair{601u, 362u}, {602u, 362u}, {1u, 719u}})
    {
        const auto x = place.first, y = place.second;
        CAPTURE(x);
        const Json json = history(
            {stream, "--frame", "0", "--scale", "3", "--x", std::to_string(x), "--y", std::to_string(y)});
        CHECK(json["scale"] == 3);
        const Json& events = json["events"];
        REQUIRE(events.size() >= 2);
        CHECK(events.back()["kind"] == "display transfer");
        CHECK(events.back()["after"] == json["value"]);
        CHECK(events.back()["sample"] == json["sample"]);
        // Screens are turned: rows of memory are columns, and its columns go up.
        CHECK(json["sample"] == Json::array({2 - y % 3, x % 3}));
        const Json& source = events.back()["sources"][0];
        for (std::size_t c = 0; c < 3; ++c)
            CHECK(source["rgba"][c] == picture->rgba[(std::size_t{y} * 1200 + x) * 4 + c]);
        for (const Json& event : events)
        {
            CHECK_FALSE(event.contains("error"));
            for (const Json& fragment : event.value("fragments", Json::array()))
                textures += fragment.value("shading", Json::object()).contains("textures");
        }
    }
    CHECK(textures > 0);
    const ProgramResult outside =
        run_picavk({"pixel", stream, "--frame", "0", "--scale", "3", "--x", "1200", "--y", "0"});
    CHECK(outside.exit_code == 2);
    CHECK(outside.errors.find("1200 x 720 pixels at 3x") != std::string::npos);
    CHECK_FALSE(history({stream, "--frame", "0", "--x", "0", "--y", "0"}).contains("scale"));
}

TEST_CASE("pixel: text has the same values, and what does not exist is one line and exit 2")
{
    const std::string stream = stream_path("s_triangle").string();
    const ProgramResult text = run_picavk({"pixel", stream, "--frame", "0", "--x", "200", "--y", "120"});
    CHECK(text.exit_code == 0);
    const Json json = history({stream, "--frame", "0", "--x", "200", "--y", "120"});
    CHECK(text.output.find("value: " + json["value"].get<std::string>() + "\n") != std::string::npos);
    CHECK(text.output.find("- kind: display transfer") != std::string::npos);
    const std::vector<std::vector<std::string>> wrong = {
        {"--frame", "900", "--x", "0", "--y", "0"},
        {"--frame", "0", "--draw", "900", "--x", "0", "--y", "0"},
        {"--frame", "0", "--x", "400", "--y", "0"},
        {"--frame", "0", "--x", "0", "--y", "240"},
        {"--frame", "0", "--x", "320", "--y", "0", "--screen", "bottom"},
        {"--frame", "0", "--x", "0", "--y", "0", "--screen", "left"},
        {"--frame", "0", "--x", "0", "--y", "0", "--target", "0x8"},
        {"--frame", "0", "--x", "0", "--y", "0", "--target", "here"},
        {"--frame", "0", "--x", "0"},
    };
    for (const std::vector<std::string>& arguments : wrong)
    {
        std::vector<std::string> command = {"pixel", stream};
        command.insert(command.end(), arguments.begin(), arguments.end());
        const ProgramResult result = run_picavk(command);
        CAPTURE(result.errors);
        CHECK(result.exit_code == 2);
        CHECK(result.output.empty());
        CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
    }
}
