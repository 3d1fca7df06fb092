// SPDX-License-Identifier: MIT
// The window of `picavk inspect`, driven by clicks and key presses in a virtual X server.
#include "tests/cli/program.h"
#include "tests/cli/screen_dump.h"
#include "tests/support/seeds.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <string>

using namespace tests;
using Json = nlohmann::ordered_json;

#ifdef PICAVK_IMGUI

namespace
{

struct Size
{
    int width, height;
};
// One under the sanitizers, which look at the program and not at places.
std::vector<Size> sizes()
{
    std::vector<Size> all{{1280, 800}, {1920, 1080}};
    if (seed_scale() < 1)
        all.pop_back();
    return all;
}

Json drive(const std::string& driver, const std::string& stream, const TemporaryFolder& folder, int width,
           int height)
{
    const std::string size = std::to_string(width) + "x" + std::to_string(height) + "x24";
    const std::string tests = std::string(PICAVK_SOURCE_DIR) + "/tests/cli/";
    const ProgramResult driven =
        run_program({tests + "with_display.sh", "-screen 0 " + size + " -fbdir " + folder.path().string(),
                     "python3", tests + driver, PICAVK_PROGRAM, stream_path(stream).string(),
                     std::to_string(width), std::to_string(height), folder.path().string()});
    REQUIRE_MESSAGE(driven.exit_code == 0, driven.errors);
    const Json result = Json::parse(driven.output, nullptr, false);
    REQUIRE_FALSE(result.is_discarded());
    CHECK_MESSAGE(result["exit"] == 0, driven.errors);
    return result;
}

// What can be clicked is inside of the window, from left to right; lists and pictures scroll downwards.
void check_places(const Json& places, int width)
{
    CHECK(places.size() > 4);
    for (const auto& item : places.items())
    {
        CAPTURE(item.key());
        const Json& place = item.value();
        CHECK(place[0] >= 0);
        CHECK(place[0].get<int>() + place[2].get<int>() <= width);
    }
}

} // namespace

TEST_CASE("inspect: a draw is sought, a pixel is picked, and keys work after the search field, at two sizes")
{
    for (const Size size : sizes())
    {
        const auto [width, height] = size;
        CAPTURE(size.width);
        const TemporaryFolder folder;
        const Json result = drive("drive_inspect.py", "s_stencil_outline", folder, width, height);
        CHECK(result["first"]["is_draw"] == true);
        CHECK(result["first"]["draw"] == 0);
        CHECK(result["second"]["is_draw"] == true);
        CHECK(result["second"]["draw"] == 1);
        const Json& pixel = result["pixel"];
        CHECK(pixel["operation"] == result["second"]["operation"]);
        CHECK(pixel["picture"] == "color");
        CHECK(pixel["events"].back().get<std::string>().rfind("frame 0 draw 1: ", 0) == 0);
        const std::string name = pixel["events"].back();
        CHECK(Json(name.substr(name.size() - 10)) == pixel["value"]);
        // The mark around it is black outside and white inside; the pixel itself shows its colour.
        const Json& at = result["picture_place"];
        const pica::u32 zoom = at[2].get<pica::u32>() / 400;
        const pica::u32 left = at[0].get<pica::u32>() + pixel["x"].get<pica::u32>() * zoom;
        const pica::u32 top = at[1].get<pica::u32>() + pixel["y"].get<pica::u32>() * zoom;
        const Picture mark = read_screen(folder.file("picked.xwd"), left - 3, top - 3, 4, 4);
        const auto channel = [&](std::size_t x, std::size_t y)
        { return int(mark.rgba[(y * 4 + x) * 4 + 1]); };
        CHECK(channel(0, 0) == 0);
        CHECK(channel(1, 1) == 255);
        const auto value = static_cast<pica::u32>(std::stoul(pixel["value"].get<std::string>(), nullptr, 16));
        CHECK(channel(3, 3) == int(value >> 16 & 255)); // green of RGBA8: memory has A, B, G, R
        CHECK(result["state"]["operation"] == result["second"]["operation"]);
        CHECK_FALSE(result["state"]["changed"].empty());
        CHECK(result["state"]["changed"].size() < result["state"]["registers"]);
        CHECK(result["pixel_at_end"]["address"] == pixel["address"]);
        CHECK(result["pixel_at_end"]["events"].size() > pixel["events"].size());
        check_places(result["places"], width);
    }
}

TEST_CASE(
    "inspect: draws, lists and frames are sought by buttons and keys, and the wheel zooms, at two sizes")
{
    for (const Size size : sizes())
    {
        const auto [width, height] = size;
        CAPTURE(size.width);
        const TemporaryFolder folder;
        const Json result = drive("drive_inspect_seek.py", "t_stereo", folder, width, height);
        const auto is = [&](const char* step, int frame, int draw)
        {
            const Json& event = result[step];
            CHECK_MESSAGE((event["frame"] == frame && event["draw"] == draw && event["is_draw"] == true),
                          step << ": " << event.dump());
        };
        is("gone", 1, 5);
        is("still", 1, 5);
        const Json& list = result["list before"];
        CHECK(list["frame"] == 1);
        CHECK(list["draw"] <= 5);
        CHECK(list["list"] == result["gone"]["list"]);
        CHECK(result["list after"]["frame"] == 1);
        CHECK(result["list after"]["draw"] > list["draw"]);
        CHECK(result["list after"]["list"] > list["list"]);
        CHECK(result["draw after"]["draw"] == result["list after"]["draw"].get<int>() + 1);
        CHECK(result["draw before"] == result["list after"]);
        CHECK(result["frame after"]["frame"] == 2);
        CHECK(result["frame before"]["frame"] == 1);
        CHECK(result["last"]["frame"] == 3);
        CHECK(result["to first"]["operation"] == 0);
        is("key l", 0, 0);
        CHECK(result["next l"]["frame"] == 0);
        CHECK(result["next l"]["list"] > result["key l"]["list"]);
        is("key k", 0, 0);
        // The pixel under the mouse is where it was.
        const auto pixel_at = [&](const Json& place, int axis)
        {
            const double zoom = place[2].get<double>() / 400;
            return (result["mouse"][std::size_t(axis)].get<double>() -
                    place[std::size_t(axis)].get<double>()) /
                   zoom;
        };
        CHECK(result["zoomed"][2] == 32 * 400);
        for (const int axis : {0, 1})
            CHECK(std::abs(pixel_at(result["zoomed"], axis) - pixel_at(result["before"], axis)) < 1.6);
        CHECK(result["pixel"]["x"] == int(pixel_at(result["zoomed"], 0)));
        CHECK(result["pixel"]["y"] == int(pixel_at(result["zoomed"], 1)));
        CHECK(result["dragged"][0].get<int>() == result["zoomed"][0].get<int>() + 40);
        CHECK(result["dragged"][1].get<int>() == result["zoomed"][1].get<int>() + 30);
        check_places(result["places"], width);
    }
}

TEST_CASE(
    "inspect: vertices are looked at, and the program of one is stepped forwards and back, at two sizes")
{
    const ProgramResult printed = run_picavk({"vertex", stream_path("s_textured_cubes").string(), "--frame",
                                              "0", "--draw", "0", "--index", "2", "--trace", "--json"});
    REQUIRE_MESSAGE(printed.exit_code == 0, printed.errors);
    const Json steps = Json::parse(printed.output)["steps"];
    const auto executed = [&](const Json& event)
    {
        const std::string instruction = steps[event["position"].get<std::size_t>() - 1]["instruction"];
        return Json(instruction.substr(4)) == event["executed"];
    };
    for (const Size size : sizes())
    {
        const auto [width, height] = size;
        CAPTURE(size.width);
        const TemporaryFolder folder;
        const Json result = drive("drive_inspect_vertices.py", "s_textured_cubes", folder, width, height);
        CHECK(result["vertices"]["operation"] == result["first"]["operation"]);
        CHECK(result["vertices"]["elements"] == 864);
        CHECK(result["chosen"]["triangle"] == 1);
        CHECK(result["program"]["number"] == 2);
        CHECK(result["program"]["position"] == 0);
        CHECK(result["program"]["steps"] == steps.size());
        CHECK(executed(result["forward"]));
        CHECK(executed(result["back"]));
        CHECK(executed(result["last"]));
        CHECK(executed(result["run_to"]));
        CHECK(result["run_back"]["steps"] == steps.size());
        CHECK(executed(result["slid"]));
        CHECK(result["no_element"]["problem"] == "The draw has 864 elements.");
        CHECK(result["side"]["tab"] == "before");
        CHECK(result["outside"]["tab"] == "after");
        CHECK(result["end"]["operation"] == 57); // of 58
        check_places(result["places"], width);
    }
}

TEST_CASE("inspect: a level of a texture is looked at, and memory as a picture and as numbers, at two sizes")
{
    for (const Size size : sizes())
    {
        const auto [width, height] = size;
        CAPTURE(size.width);
        const TemporaryFolder folder;
        const Json result = drive("drive_inspect_memory.py", "t_texture_types", folder, width, height);
        CHECK(result["textures"]["operation"] == result["draw"]["operation"]);
        CHECK(result["textures"]["textures"].size() == 18); // 6 faces with 3 levels each
        CHECK(result["level"]["chosen"] == "texture0 plus y level1  RGBA4  16 x 16  0x20802500");
        CHECK(result["memory"]["bytes"] == 240 * 400 * 4);
        CHECK(result["texture"]["format"] == "RGBA4");
        CHECK(result["texture"]["size"] == Json({32, 32}));
        CHECK(result["texture"]["address"] == "0x20800800");
        CHECK(result["numbers"]["address"] == "0x18000100");
        CHECK(result["numbers"]["size"] == Json({32, 32}));
        check_places(result["places"], width);
    }
}

TEST_CASE("inspect: tables have the reads of the picked pixel, and shaders are shown as text, at two sizes")
{
    for (const Size size : sizes())
    {
        const auto [width, height] = size;
        CAPTURE(size.width);
        const TemporaryFolder folder;
        const Json result = drive("drive_inspect_tables.py", "s_lit_spheres", folder, width, height);
        const Json& tables = result["tables"];
        CHECK(tables["operation"] == result["first"]["operation"]);
        CHECK(tables["read"].size() == 1);
        CHECK(tables["table"] == tables["read"][0]);
        const std::string mark = tables["marks"][0];
        CHECK(mark.rfind("fragment 0, light 0: ", 0) == 0);
        CHECK(result["glsl"]["stage"] == "fragment");
        CHECK(result["glsl"]["lines"] > 100);
        CHECK(result["spirv"]["lines"] > 100);
        CHECK(result["none"]["problem"] == "The draw has no geometry program.");
        check_places(result["places"], width);
    }
}

TEST_CASE(
    "inspect: breakpoints are run to and back, registers are filtered, and an event's operation is gone to")
{
    for (const Size size : sizes())
    {
        const auto [width, height] = size;
        CAPTURE(size.width);
        const TemporaryFolder folder;
        const Json result = drive("drive_inspect_breakpoints.py", "s_stencil_outline", folder, width, height);
        CHECK(result["added"]["breakpoints"] == Json({"register: STENCIL_OP"}));
        CHECK(result["on"]["breakpoints"].size() == 1); // the second one was refused
        CHECK(result["on"]["result"] == "Stopped by register: STENCIL_OP");
        // `picavk info`: draws 10 and 11 are the first that find another value than the draw before.
        const std::size_t first = result["first"]["operation"];
        CHECK(result["on"]["operation"] == first + 10);
        CHECK(result["next"]["operation"] == first + 11);
        CHECK(result["back"]["operation"] == first + 10);
        CHECK(result["none"]["operation"] == first + 10);
        CHECK(result["none"]["result"] == "No breakpoint before.");
        CHECK(result["filtered"]["shown"] == 2);
        CHECK(result["gone"]["label"].get<std::string>().rfind("fill", 0) == 0);
        check_places(result["places"], width);
    }
}

TEST_CASE("inspect: software and Vulkan are compared after a draw and over a frame, at two sizes")
{
    const Json equal = {{"top", 0}, {"bottom", 0}, {"color", 0}, {"depth", 0}, {"stencil", 0}};
    for (const Size size : sizes())
    {
        const auto [width, height] = size;
        CAPTURE(size.width);
        const TemporaryFolder folder;
        const Json result = drive("drive_inspect_compare.py", "s_lit_spheres", folder, width, height);
        CHECK(result["draw"]["operation"] == result["first"]["operation"]);
        CHECK(result["draw"]["from"] == "the last draw");
        CHECK(result["draw"]["different"] == equal);
        CHECK(result["frame"]["from"] == "the frame so far");
        CHECK(result["frame"]["different"] == equal);
        CHECK(result["pixel"]["picture"] == "color");
        CHECK(std::abs(result["pixel"]["x"].get<int>() - 200) <= 1); // where the middle was clicked
        check_places(result["places"], width);
    }
}

#endif

TEST_CASE("inspect: where no window can be opened, one line says what is missing")
{
    const ProgramResult result = run_program({"env", "-u", "DISPLAY", "-u", "WAYLAND_DISPLAY", PICAVK_PROGRAM,
                                              "inspect", stream_path("s_triangle").string()});
    CHECK(result.exit_code == 2);
    CHECK(result.output.empty());
#ifdef PICAVK_IMGUI
    CHECK(result.errors == "picavk: window: no display can be opened (DISPLAY or WAYLAND_DISPLAY)\n");
#else
    CHECK(result.errors == "picavk: inspect: this picavk was built without Dear ImGui (libimgui-dev)\n");
#endif
}
