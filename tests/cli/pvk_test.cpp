// SPDX-License-Identifier: MIT
// Every verb accepts a recording (.pvk) and gives the same result as for the stream that was recorded.
#include "tests/cli/program.h"
#include "tests/support/pictures/image.h"
#include "tests/support/recordings/ctf_writer.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

using namespace pica;
using namespace tests;

namespace
{

// Records a bundled stream; its pictures are in FOLDER/NAME.
std::string record(const TemporaryFolder& folder, const std::string& name)
{
    const std::string recording = folder.file(name + ".pvk");
    const ProgramResult result = run_picavk({"render", stream_path(name).string(), "--backend", "software",
                                             "--out", folder.file(name), "--record", recording});
    REQUIRE_MESSAGE(result.exit_code == 0, result.errors);
    return recording;
}

ProgramResult run_well(const std::vector<std::string>& arguments)
{
    ProgramResult result = run_picavk(arguments);
    CHECK_MESSAGE(result.exit_code == 0, result.errors);
    CHECK_MESSAGE(result.errors.empty(), result.errors);
    return result;
}

// Rows [first, first + height) and columns [left, left + width).
Picture cut(const Picture& picture, u32 left, u32 first, u32 width, u32 height)
{
    Picture part{width, height, {}};
    for (u32 y = first; y < first + height; ++y)
    {
        const auto row = picture.rgba.begin() + std::ptrdiff_t(y * picture.width + left) * 4;
        part.rgba.insert(part.rgba.end(), row, row + std::ptrdiff_t(width) * 4);
    }
    return part;
}

} // namespace

TEST_CASE("pvk: render writes the same pictures on both backends")
{
    const TemporaryFolder folder;
    const std::string recording = record(folder, "t_geometry_point");
    for (const std::string backend : {"software", "vulkan"})
    {
        CAPTURE(backend);
        const std::string out = folder.file(backend);
        run_well({"render", recording, "--backend", backend, "--out", out});
        u32 pictures = 0;
        for (const auto& entry : std::filesystem::directory_iterator(folder.file("t_geometry_point")))
        {
            const std::string file = entry.path().filename().string();
            CAPTURE(file);
            CHECK(read_file(entry.path()) == read_file(std::filesystem::path(out) / file));
            ++pictures;
        }
        CHECK(pictures >= 4);
    }
}

TEST_CASE("pvk: play shows the pictures that render writes of the stream")
{
    const TemporaryFolder folder;
    const std::string recording = record(folder, "s_stencil_outline");
    const ProgramResult played = run_program({std::string(PICAVK_SOURCE_DIR) + "/tests/cli/with_display.sh",
                                              "-screen 0 800x600x24", PICAVK_PROGRAM, "play", recording,
                                              "--frames", "2", "--screenshot", folder.file("s.png")});
    REQUIRE_MESSAGE(played.exit_code == 0, played.errors);
    const auto shown = samples::read_png(folder.file("s.png"));
    const auto top = samples::read_png(folder.file("s_stencil_outline/frame0001_top.png"));
    const auto bottom = samples::read_png(folder.file("s_stencil_outline/frame0001_bottom.png"));
    REQUIRE(shown);
    REQUIRE(top);
    REQUIRE(bottom);
    REQUIRE(shown->width == 400);
    REQUIRE(shown->height == 480);
    PictureDifference difference = compare(*top, cut(*shown, 0, 0, 400, 240));
    CHECK_MESSAGE(difference.equal(), difference.text());
    difference = compare(*bottom, cut(*shown, 40, 240, 320, 240));
    CHECK_MESSAGE(difference.equal(), difference.text());
}

TEST_CASE("pvk: shader prints the same programs and keys in each form")
{
    const TemporaryFolder folder;
    const std::string stream = stream_path("t_geometry_point").string();
    const std::string recording = record(folder, "t_geometry_point");
    for (const std::string form : {"disasm", "glsl", "spirv"})
    {
        CAPTURE(form);
        const std::string expected = run_well({"shader", stream, "--as", form}).output;
        for (const char* title : {"== vertex ", "== geometry ", "== fragment "})
            CHECK_MESSAGE(contains(expected, title), title);
        CHECK(run_well({"shader", recording, "--as", form}).output == expected);
    }
}

TEST_CASE("pvk: validate, info and bench see the draws of the stream")
{
    const TemporaryFolder folder;
    const std::string stream = stream_path("s_triangle").string();
    const std::string recording = record(folder, "s_triangle");
    for (const std::string at : {"draw", "list", "frame"})
    {
        CAPTURE(at);
        const std::string text = run_well({"validate", recording, "--at", at, "--validation"}).output;
        CHECK(text.starts_with("s_triangle: 3 frames, 15 draws, "));
        CHECK(contains(text, "0 differing bytes"));
    }
    const std::string elements = run_well({"info", recording}).output;
    CHECK(contains(elements, "     0 state, "));
    CHECK(contains(elements, "picavk register writes\n"));
    CHECK(contains(elements, "  3 frames, "));
    // The last line: draws, vertices, fills, transfers, copies.
    const auto operations = [](const std::string& text)
    { return text.substr(text.rfind('\n', text.size() - 2) + 1); };
    const std::string expected = operations(run_well({"info", stream, "--summary"}).output);
    CHECK(contains(expected, " draws of "));
    CHECK(operations(run_well({"info", recording, "--summary"}).output) == expected);

    const auto figures = [](const std::string& file)
    {
        return nlohmann::json::parse(
            run_well({"bench", file, "--backend", "software", "--frames", "3", "--json"}).output, nullptr,
            false);
    };
    const nlohmann::json of_stream = figures(stream), of_recording = figures(recording);
    REQUIRE(of_recording.is_object());
    CHECK(of_recording.at("frames") == 3);
    CHECK(of_recording.at("median_ms") > 0.0);
    CHECK(of_recording.at("triangles_per_frame") > 0.0);
    for (const char* figure : {"vertices_per_frame", "triangles_per_frame"})
        CHECK_MESSAGE(of_recording.at(figure) == of_stream.at(figure), figure);
}

TEST_CASE(
    "pvk: what a host that ended early leaves is played up to its last whole frame, and every verb says so")
{
    const TemporaryFolder folder;
    const std::string recording = record(folder, "s_triangle");
    std::vector<u8> bytes = read_file(recording);
    bytes.resize(bytes.size() - 30); // into the last frame
    write_file(recording, bytes);
    const std::string line =
        "cut off: " + recording + ": the end of the recording is missing; 2 whole frames are there\n";
    const auto run_told = [&](const std::vector<std::string>& arguments)
    {
        ProgramResult result = run_picavk(arguments);
        CHECK_MESSAGE(result.exit_code == 0, result.errors);
        CHECK(result.errors == line);
        return result;
    };
    run_told({"render", recording, "--backend", "software", "--out", folder.file("cut")});
    CHECK(std::filesystem::exists(folder.file("cut/frame0001_bottom.png")));
    CHECK_FALSE(std::filesystem::exists(folder.file("cut/frame0002_top.png")));
    CHECK(read_file(folder.file("cut/frame0001_top.png")) ==
          read_file(folder.file("s_triangle/frame0001_top.png")));
    CHECK(contains(run_told({"validate", recording}).output, "s_triangle: 2 frames, 10 draws, "));
    CHECK(contains(run_told({"shader", recording, "--stage", "vs"}).output, "== vertex "));
    // What scripts read says it, too.
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"validate", recording, "--json"},
          {"compare", recording, recording, "--json"},
          {"bisect", recording, recording, "--json"},
          {"digest", recording, "--at", "frame"}})
    {
        const auto& verb = arguments[0];
        CAPTURE(verb);
        CHECK(contains(run_told(arguments).output,
                       verb == "digest" ? "\"is_truncated\":true" : "\"is_truncated\": true"));
    }
    const std::string summary = run_told({"info", recording, "--summary"}).output;
    CHECK(contains(summary, "; the end of the recording is missing\n"));
    CHECK(contains(summary, "  2 frames, "));
    const nlohmann::json json = nlohmann::json::parse(
        run_told({"bench", recording, "--backend", "software", "--frames", "2", "--json"}).output, nullptr,
        false);
    REQUIRE(json.is_object());
    CHECK(json.at("frames") == 2);
}

TEST_CASE("pvk: a recording that is cut off before its first operation is no success of a verb that compares")
{
    const TemporaryFolder folder;
    const std::string recording = record(folder, "s_triangle");
    std::vector<u8> bytes = read_file(recording);
    bytes.resize(1500); // the state at the start is there
    write_file(recording, bytes);
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"validate", recording},
          {"compare", recording, recording},
          {"bisect", recording, recording},
          {"bisect", "software", "software", "--stream", recording},
          {"digest", recording},
          {"render", recording, "--hashes", "--backend", "software"}})
    {
        const auto& verb = arguments[0];
        CAPTURE(verb);
        const ProgramResult result = run_picavk(arguments);
        CHECK(result.exit_code == 2);
        CHECK_MESSAGE(contains(result.errors, "the end of the recording is missing; 0 whole frames"),
                      result.errors);
        CHECK_MESSAGE(contains(result.errors, "\npicavk: "), result.errors);
    }
}

TEST_CASE("pvk: extended FCRAM beyond 128 MiB is shown, recorded and validated")
{
    constexpr PhysAddr kHigh = 0x2F000000;
    const TemporaryFolder folder;
    const std::string stream = folder.file("extended.ctf"), recording = folder.file("extended.pvk");
    CtfWriter writer;
    std::vector<u8> pixels(400 * 240 * 4);
    for (std::size_t i = 0; i < pixels.size(); ++i)
        pixels[i] = u8(i * 7 + i / 960);
    writer.memory_load(kHigh, pixels);
    writer.memory_fill(kHigh + 0x8000, kHigh + 0x10000, 0x80C040FF, 0x200);
    writer.texture_copy(kHigh + 0x4000, 0x18000000, 0x8000, 0, 0);
    writer.texture_copy(0x18000000, kHigh + 0x20000, 0x8000, 0, 0);
    writer.show(0, kHigh, 0, 960);
    writer.frame_marker();
    write_file(stream, writer.finish());
    run_well(
        {"render", stream, "--backend", "software", "--out", folder.file("software"), "--record", recording});
    CHECK(std::filesystem::file_size(recording) < pixels.size() + 10000);
    run_well({"render", recording, "--backend", "vulkan", "--out", folder.file("vulkan")});
    const auto expected = samples::read_png(folder.file("software/frame0000_top.png"));
    const auto shown = samples::read_png(folder.file("vulkan/frame0000_top.png"));
    REQUIRE(expected);
    REQUIRE(shown);
    CHECK(expected->rgba[2] != expected->rgba[402]); // something is shown
    const PictureDifference difference = compare(*expected, *shown);
    CHECK_MESSAGE(difference.equal(), difference.text());
    CHECK(contains(run_well({"validate", recording, "--validation"}).output, "0 differing bytes"));
    CHECK(contains(run_well({"info", recording, "--summary"}).output, "  1 frames, "));
}
