// SPDX-License-Identifier: MIT
// `picavk dump` and `picavk info` of a draw: what they write agrees with the other verbs and among itself.
#include "samples/cli/png_file.h"
#include "tests/cli/program.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace tests;
using Json = nlohmann::ordered_json;

namespace
{

Json parse(const std::string& text)
{
    Json json = Json::parse(text, nullptr, false);
    REQUIRE_FALSE(json.is_discarded());
    return json;
}

Json run_json(std::vector<std::string> command)
{
    command.push_back("--json");
    const ProgramResult result = run_picavk(command);
    CHECK_MESSAGE(result.exit_code == 0, result.errors);
    return parse(result.output);
}

std::string text_of(const std::string& path)
{
    const std::vector<pica::u8> bytes = read_file(path);
    return std::string(bytes.begin(), bytes.end());
}

// A dump in a folder of its own.
class Dump
{
public:
    Dump(const std::string& stream, int frame, int draw, const std::string& scale = "1")
    {
        const ProgramResult result =
            run_picavk({"dump", stream_path(stream).string(), "--frame", std::to_string(frame), "--draw",
                        std::to_string(draw), "--scale", scale, "--out", folder_.file("d")});
        CHECK_MESSAGE(result.exit_code == 0, result.errors);
        CHECK(result.errors.empty());
        // draw.json names every file but itself, and there are no others.
        std::set<std::string> names = {"draw.json"};
        const Json summary = json("draw");
        for (const Json& name : summary["files"])
            names.insert(name);
        std::set<std::string> found;
        for (const auto& entry : std::filesystem::directory_iterator(folder_.file("d")))
            found.insert(entry.path().filename().string());
        CHECK(found == names);
    }

    bool has(const std::string& name) const { return std::filesystem::exists(folder_.file("d/" + name)); }
    Json json(const std::string& name) const { return parse(text(name + ".json")); }
    std::string text(const std::string& name) const { return text_of(folder_.file("d/" + name)); }
    samples::Picture picture(const std::string& name) const
    {
        const auto picture = samples::read_png(folder_.file("d/" + name + ".png"));
        REQUIRE(picture);
        return *picture;
    }

private:
    TemporaryFolder folder_;
};

Json rgb_at(const samples::Picture& picture, pica::u32 x, pica::u32 y_up)
{
    const std::size_t at = (std::size_t{picture.height - 1 - y_up} * picture.width + x) * 4;
    return Json::array({picture.rgba[at], picture.rgba[at + 1], picture.rgba[at + 2]});
}

// Row 0 is the first one of the picture.
pica::u32 color_at(const samples::Picture& picture, pica::u32 x, pica::u32 row)
{
    const pica::u8* rgb = &picture.rgba[(std::size_t{row} * picture.width + x) * 4];
    return rgb[0] | pica::u32{rgb[1]} << 8 | pica::u32{rgb[2]} << 16;
}

std::size_t lines_with(const std::string& text, const std::string& begin)
{
    std::istringstream lines(text);
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line);)
        count += line.rfind(begin, 0) == 0;
    return count;
}

// The line of a vertex, from 0.
std::string vertex_line(const std::string& text, std::size_t number)
{
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        if (line.rfind("v ", 0) == 0 && number-- == 0)
            return line;
    return "";
}

std::vector<float> numbers_of(const std::string& line)
{
    std::istringstream words(line.substr(std::min<std::size_t>(line.size(), 2)));
    std::vector<float> numbers;
    for (std::string word; words >> word;)
        numbers.push_back(std::stof(word));
    return numbers;
}

std::vector<float> divided(const Json& position)
{
    std::vector<float> result;
    for (std::size_t c = 0; c < 3; ++c)
        result.push_back(position[c].get<float>() / position[3].get<float>());
    return result;
}

std::string hex_code(const samples::Picture& picture, pica::u32 x, pica::u32 y_up)
{
    const Json rgb = rgb_at(picture, x, y_up);
    char text[16];
    std::snprintf(text, sizeof text, "%02X%02X%02X", unsigned(rgb[0]), unsigned(rgb[1]), unsigned(rgb[2]));
    return text;
}

} // namespace

// t_gas draws a picture in draws 0 to 2, copies it to the top screen's target with draw 4, and ends with draw 6.
TEST_CASE("dump: at N pictures of targets, and of textures that were drawn, have N x pixels")
{
    const std::string stream = "t_gas";
    const Dump drawn(stream, 0, 2, "2"), sampled(stream, 0, 4, "2"), last(stream, 0, 6, "2");
    CHECK(last.json("draw").at("scale") == 2);
    const samples::Picture target = drawn.picture("color_after"),
                           texture = sampled.picture("texture0_level0");
    REQUIRE(target.width == 512);
    REQUIRE(target.height == 512);
    REQUIRE(texture.width == 512);
    REQUIRE(texture.height == 512);
    pica::u32 wrong = 0;
    for (pica::u32 y = 0; y < 512; ++y)
        for (pica::u32 x = 0; x < 512; ++x)
            wrong += color_at(target, x, y) != color_at(texture, x, y);
    CHECK(wrong == 0);
    // A texture that nobody drew is as at 1x.
    CHECK(last.picture("texture0_level0").width == 128);

    const TemporaryFolder folder;
    const ProgramResult rendered = run_picavk({"render", stream_path(stream).string(), "--backend",
                                               "software", "--scale", "2", "--out", folder.path().string()});
    REQUIRE_MESSAGE(rendered.exit_code == 0, rendered.errors);
    const auto screen = samples::read_png(folder.file("frame0000_top.png"));
    REQUIRE(screen);
    const samples::Picture shown = last.picture("color_after");
    REQUIRE(shown.width == 480);
    REQUIRE(shown.height == 800);
    // Columns of the screen are rows of memory, and its lowest pixels come first in them.
    pica::u32 other = 0, finer = 0;
    for (pica::u32 y = 0; y < 480; ++y)
        for (pica::u32 x = 0; x < 800; ++x)
        {
            other += color_at(*screen, x, y) != color_at(shown, 479 - y, x);
            finer += color_at(*screen, x, y) != color_at(*screen, x & ~1u, y & ~1u);
        }
    CHECK(other == 0);
    CHECK(finer > 1000); // it is no picture of 1x that was made larger
}

TEST_CASE("dump: the targets are those of the pixel's history, before and after the draw")
{
    const Dump dump("s_lit_spheres", 1, 4);
    // Pixel (119, 199) of this target is covered by this draw alone: RGBA8 and D24S8.
    const Json history = run_json({"pixel", stream_path("s_lit_spheres").string(), "--frame", "1", "--draw",
                                   "4", "--target", "0x18000000", "--x", "119", "--y", "199"});
    const Json& event = history["events"].back();
    REQUIRE(event["draw"] == 4);
    REQUIRE(event["kind"] == "draw");
    const Json& output = event["fragments"].back();
    Json after = output["output"]["result"], before = output["output"]["destination"];
    CHECK(dump.picture("color_after").width == 240);
    CHECK(dump.picture("color_after").height == 400);
    CHECK(rgb_at(dump.picture("color_after_alpha"), 119, 199)[0] == after[3]);
    after.erase(3), before.erase(3);
    CHECK(rgb_at(dump.picture("color_after"), 119, 199) == after);
    CHECK(rgb_at(dump.picture("color_before"), 119, 199) == before);
    CHECK(after != before);
    const std::string depth_after = output["depth_in_memory"]["after"];
    const std::string depth_before = output["depth_in_memory"]["before"];
    CHECK(hex_code(dump.picture("depth_after_code"), 119, 199) == depth_after.substr(4));
    CHECK(hex_code(dump.picture("depth_before_code"), 119, 199) == depth_before.substr(4));
    const Json range = dump.json("draw")["black_to_white"]["depth_after"];
    CHECK(range[0] < range[1]);
    CHECK(dump.has("stencil_after.png"));
}

TEST_CASE("dump: textures with their levels and faces")
{
    const Dump mipmaps("t_mipmaps", 0, 0);
    const Json texture = mipmaps.json("draw")["state"]["textures"][0];
    const std::string unit = std::to_string(int(texture["unit"]));
    REQUIRE(texture["levels"] > 1);
    for (int level = 0; level < texture["levels"]; ++level)
    {
        const samples::Picture picture = mipmaps.picture("texture" + unit + "_level" + std::to_string(level));
        CHECK(picture.width == unsigned(texture["size"][0]) >> level);
        CHECK(picture.height == unsigned(texture["size"][1]) >> level);
        CHECK(std::any_of(picture.rgba.begin(), picture.rgba.end(), [](pica::u8 byte) { return byte != 0; }));
    }
    bool found = false;
    for (int draw = 0; draw < 12 && !found; ++draw)
    {
        const Json info = run_json({"info", stream_path("t_texture_types").string(), "--frame", "0", "--draw",
                                    std::to_string(draw)});
        found = info["state"].contains("textures") && info["state"]["textures"][0]["type"] == "Cube";
        if (!found)
            continue;
        const Dump cube("t_texture_types", 0, draw);
        for (const char* face : {"plus_x", "minus_x", "plus_y", "minus_y", "plus_z", "minus_z"})
            CHECK(cube.picture(std::string("texture0_") + face + "_level0").width > 0);
        CHECK_FALSE(cube.picture("texture0_plus_x_level0") == cube.picture("texture0_minus_x_level0"));
    }
    CHECK(found);
}

TEST_CASE("dump: texels are those that the pixel's history reads")
{
    const std::string stream = stream_path("s_textured_cubes").string();
    const Json history = run_json({"pixel", stream, "--frame", "0", "--x", "200", "--y", "120"});
    const auto& events = history["events"];
    const auto event = std::find_if(events.begin(), events.end(),
                                    [](const Json& item)
                                    {
                                        return item["kind"] == "draw" && !item["fragments"].empty() &&
                                               item["fragments"][0]["shading"].contains("textures");
                                    });
    REQUIRE(event != events.end());
    const Dump dump("s_textured_cubes", (*event)["frame"], (*event)["draw"]);
    std::size_t texels = 0;
    for (const Json& texture : (*event)["fragments"][0]["shading"]["textures"])
        for (const Json& level : texture["levels"])
            for (const Json& texel : level["texels"])
            {
                if (texel.contains("border"))
                    continue;
                const samples::Picture picture =
                    dump.picture("texture" + std::to_string(int(texture["unit"])) + "_level" +
                                 std::to_string(int(level["level"])));
                const pica::u32 s = texel["s_t"][0], t = texel["s_t"][1];
                const std::size_t at = (std::size_t{picture.height - 1 - t} * picture.width + s) * 4;
                CHECK(texel["rgba"] == Json::array({picture.rgba[at], picture.rgba[at + 1],
                                                    picture.rgba[at + 2], picture.rgba[at + 3]}));
                ++texels;
            }
    CHECK(texels > 0);
}

TEST_CASE("dump: vertices, their OBJ files and the programs")
{
    const Dump dump("s_lit_spheres", 0, 0);
    const Json vertices = dump.json("vertices");
    const Json traced = run_json(
        {"vertex", stream_path("s_lit_spheres").string(), "--frame", "0", "--draw", "0", "--index", "5"});
    const std::size_t place = vertices["elements"][5];
    const Json& shaded = vertices["shaded"][place];
    CHECK(shaded["number"] == traced["vertex"]);
    CHECK(shaded["inputs"] == traced["inputs"]);
    CHECK(shaded["outputs"] == traced["outputs"]);
    CHECK(vertices["assembled"][place]["from"] == place);
    CHECK(vertices["assembled"][place]["position"].size() == 4);
    const Json draw = dump.json("draw");
    CHECK(vertices["elements"].size() == draw["state"]["vertices"]);
    CHECK(vertices["triangles"].size() == std::size_t(draw["state"]["vertices"]) / 3);
    const std::string before = dump.text("vertices_before.obj"), after = dump.text("vertices_after.obj");
    CHECK(lines_with(before, "v ") == vertices["shaded"].size());
    CHECK(lines_with(before, "f ") == vertices["triangles"].size());
    CHECK(lines_with(after, "v ") == vertices["assembled"].size());
    CHECK(lines_with(after, "f ") + lines_with(after, "# f ") == vertices["triangles"].size());
    CHECK(lines_with(after, "f ") > 0);
    const Json& position = vertices["assembled"][place]["position"];
    CHECK(numbers_of(vertex_line(after, place)) == divided(position));
    const Json& input = shaded["inputs"]["v0"];
    CHECK(numbers_of(vertex_line(before, place)) == std::vector<float>{input[0], input[1], input[2]});
    // A line of the listing is an instruction of the trace.
    const Json steps = run_json({"vertex", stream_path("s_lit_spheres").string(), "--frame", "0", "--draw",
                                 "0", "--index", "5", "--trace"})["steps"];
    const std::string instruction = steps[0]["instruction"];
    CHECK(dump.text("vertex_program.txt").find(instruction.substr(4)) != std::string::npos);
    CHECK_FALSE(dump.has("geometry_program.txt"));

    const Dump points("t_geometry_point", 0, 0);
    const Json emitted = points.json("vertices");
    CHECK(points.has("geometry_program.txt"));
    CHECK(emitted["assembled"].size() == 3 * emitted["triangles"].size());
    CHECK(emitted["assembled"][0]["from"] == "the geometry program");
    const std::string points_before = points.text("vertices_before.obj");
    CHECK(lines_with(points_before, "p ") == emitted["elements"].size());
    CHECK(lines_with(points_before, "f ") == 0);
    CHECK(lines_with(points.text("vertices_after.obj"), "f ") > 0);
}

TEST_CASE("dump and info: registers by name, tables, uniforms, and what changed since the last draw")
{
    const Dump dump("s_lit_spheres", 0, 1);
    const Json registers = dump.json("registers");
    CHECK(registers["COLORBUFFER_LOC"]["fields"]["address"] == "0x18000000");
    CHECK(registers["COLORBUFFER_FORMAT"]["fields"]["format"] == "RGBA8");
    CHECK(registers["VIEWPORT_WIDTH"]["fields"]["value"] == 120.0);
    CHECK(dump.text("registers.txt").find("0x11D COLORBUFFER_LOC = 0x03000000: address 0x18000000\n") !=
          std::string::npos);
    const Json tables = dump.json("tables");
    CHECK(tables["lighting_D0"]["words"].size() == 256);
    CHECK(tables["fog"]["values"].size() == 128);
    CHECK_FALSE(tables["read_by_the_draw"].empty());
    for (const Json& name : tables["read_by_the_draw"])
        CHECK(tables.contains(name));

    const std::string stream = stream_path("s_lit_spheres").string();
    const Json info = run_json({"info", stream, "--frame", "0", "--draw", "1"});
    CHECK(info["registers"] == registers);
    CHECK(info["state"] == dump.json("draw")["state"]);
    CHECK(info["changed"] == dump.json("draw")["changed"]);
    CHECK(info["vertex_uniforms"] == dump.json("uniforms")["vertex"]);
    // Exactly the registers that differ between the two draws; upload ports aside.
    const Json first = run_json({"info", stream, "--frame", "0", "--draw", "0"});
    CHECK_FALSE(first.contains("changed"));
    REQUIRE(info["changed"].contains("registers"));
    std::size_t differing = 0;
    for (const auto& [name, value] : registers.items())
        if (name.find("_DATA") == std::string::npos && name.find("_INDEX") == std::string::npos &&
            first["registers"][name] != value)
        {
            ++differing;
            CHECK(info["changed"]["registers"][name]["before"] == first["registers"][name]["word"]);
            CHECK(info["changed"]["registers"][name]["word"] == value["word"]);
        }
    CHECK(info["changed"]["registers"].size() == differing);
    for (const auto& [name, value] : info["changed"]["vertex_uniforms"].items())
        CHECK(first["vertex_uniforms"][name] != value);
}

TEST_CASE("info: a frame's operations, as text too, and the totals as JSON")
{
    const std::string stream = stream_path("s_lit_spheres").string();
    const Json totals = run_json({"info", stream});
    CHECK(totals["frames"] > 1);
    std::size_t draws = 0;
    for (int frame = 0; frame < totals["frames"]; ++frame)
    {
        const Json json = run_json({"info", stream, "--frame", std::to_string(frame)});
        int number = 0;
        for (const Json& operation : json["operations"])
        {
            if (operation["kind"] != "draw")
                continue;
            CHECK(operation["draw"] == number++);
            CHECK(operation.contains("changed") == (draws != 0));
            ++draws;
        }
        if (frame != 1)
            continue;
        const Json& last = json["operations"].back();
        CHECK(last["kind"] == "display transfer");
        const Json draw = run_json({"info", stream, "--frame", "1", "--draw", "0"});
        std::set<std::string> names;
        for (const auto& [group, members] : draw["changed"].items())
            if (group == "registers")
                for (const auto& [name, change] : members.items())
                    names.insert(name);
        for (const Json& operation : json["operations"])
            if (operation["kind"] == "draw" && operation["draw"] == 0)
                for (const std::string& name : names)
                    CHECK(std::find(operation["changed"].begin(), operation["changed"].end(), name) !=
                          operation["changed"].end());
        const ProgramResult text = run_picavk({"info", stream, "--frame", "1"});
        CHECK(lines_with(text.output, "draw ") == std::size_t(number));
        CHECK(lines_with(text.output, "") == json["operations"].size());
    }
    CHECK(totals["draws"] == draws);
    const ProgramResult text = run_picavk({"info", stream, "--frame", "0", "--draw", "1"});
    CHECK(text.exit_code == 0);
    CHECK(text.output.find("0x11D COLORBUFFER_LOC = 0x03000000: address 0x18000000\n") != std::string::npos);
}

TEST_CASE("dump and info: every draw of a frame of every kind is dumped")
{
    for (const char* stream : {"t_gas", "t_shadow_map", "t_immediate", "t_block32", "t_geometry_variable"})
    {
        CAPTURE(stream);
        const Json frame = run_json({"info", stream_path(stream).string(), "--frame", "0"});
        int draws = 0;
        for (const Json& operation : frame["operations"])
            if (operation["kind"] == "draw" && draws++ < 6)
                Dump(stream, 0, operation["draw"]);
        CHECK(draws > 0);
    }
}

TEST_CASE("dump and info: what does not exist, and a folder that cannot be written, is one line and exit 2")
{
    const std::string stream = stream_path("s_triangle").string();
    const TemporaryFolder folder;
    write_file(folder.file("file"), {});
    const std::string out = folder.file("out");
    const std::vector<std::vector<std::string>> wrong = {
        {"dump", stream, "--frame", "0", "--draw", "900", "--out", out},
        {"dump", stream, "--frame", "900", "--draw", "0", "--out", out},
        {"dump", stream, "--frame", "0", "--draw", "0"},
        {"dump", stream, "--frame", "0", "--draw", "0", "--out", ""},
        {"dump", stream, "--frame", "0", "--draw", "0", "--out", folder.file("file")},
        {"dump", folder.file("none"), "--frame", "0", "--draw", "0", "--out", out},
        {"info", stream, "--frame", "900"},
        {"info", stream, "--frame", "0", "--draw", "900"},
        {"info", stream, "--draw", "0"},
        {"info", stream, "--frame", "-1"},
        {"info", stream, "--frame", "0", "--summary"},
    };
    for (const std::vector<std::string>& command : wrong)
    {
        CAPTURE(command);
        const ProgramResult result = run_picavk(command);
        CAPTURE(result.errors);
        CHECK(result.exit_code == 2);
        CHECK(result.output.empty());
        CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
    }
    CHECK_FALSE(std::filesystem::exists(out));
}
