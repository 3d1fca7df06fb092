// SPDX-License-Identifier: MIT
// `picavk validate`, `info`, `bench` and `shader` on the bundled streams.
#include "tests/cli/program.h"
#include "tests/support/seeds.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include <map>

using namespace tests;

namespace
{

// Every so manyth one; under the sanitizers, which take several times as long, a fifth of these. In one process: to start
// one takes longer than most streams.
void validate_bundled_streams(const std::vector<std::string>& options, std::size_t every = 1)
{
    const std::size_t step = (is_long_run() ? 1 : every) * (seed_scale() < 1 ? 5 : 1);
    const std::vector<std::string> streams = bundled_streams();
    std::vector<std::string> arguments{"validate", "--validation"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    std::vector<std::string> played;
    for (std::size_t i = 0; i < streams.size(); i += step)
    {
        played.push_back(streams[i]);
        arguments.push_back(stream_path(streams[i]).string());
    }
    const ProgramResult result = run_picavk(arguments);
    CHECK_MESSAGE(result.exit_code == 0, result.output << result.errors);
    CHECK_FALSE(contains(result.output, "validation layer"));
    for (const std::string& stream : played)
    {
        CAPTURE(stream);
        const std::size_t line = ("\n" + result.output).find("\n" + stream + ": ");
        REQUIRE(line != std::string::npos);
        const std::string text = result.output.substr(line, result.output.find('\n', line) - line);
        CHECK_MESSAGE(contains(text, ", 0 differing bytes"), text);
    }
}

} // namespace

// Compared after each draw, list or frame, the renderer keeps different things in its caches.
TEST_CASE("validate: every bundled stream leaves the same bytes and screens at draw granularity")
{
    validate_bundled_streams({"--at", "draw"});
}

TEST_CASE("validate: every bundled stream leaves the same bytes and screens at list granularity")
{
    validate_bundled_streams({"--at", "list"}, 3); // most frames are one list or two
}

TEST_CASE(
    "validate: every bundled stream leaves the same bytes and screens at frame granularity, the default")
{
    validate_bundled_streams({});
}

TEST_CASE("validate: each forced path leaves the same bytes")
{
    int paths_run = 0;
    for (const std::string forced :
         {"blend=barrier", "blend=raster-order", "vertex=cpu", "vertex=compute", "vertex=interpret",
          "coverage=fixed", "coverage=shader", "ubershader=always", "ubershader=mixed", "stencil=software",
          "compiler=at-creation"})
    {
        CAPTURE(forced);
        std::vector<std::string> arguments{"validate", "--force", forced, "--validation",
                                           stream_path("s_stencil_outline").string()};
        if (seed_scale() >= 1)
            for (const char* stream : {"s_triangle", "s_tev_grid"})
                arguments.push_back(stream_path(stream).string());
        const ProgramResult result = run_picavk(arguments);
        // A device may lack a path; then the one error line says so.
        if (result.exit_code == 2 && contains(result.errors, "the device has no"))
        {
            MESSAGE("skipped: " << result.errors);
            continue;
        }
        CHECK_MESSAGE(result.exit_code == 0, result.output << result.errors);
        ++paths_run;
    }
    CHECK(paths_run >=
          4); // both executors, both coverages; barrier batches need nothing of the device either
}

TEST_CASE("validate: granularities agree on what was drawn, and frame is the default")
{
    std::map<std::string, std::string> compared;
    for (const std::string at : {"draw", "list", "frame", ""})
    {
        std::vector<std::string> arguments{"validate", stream_path("s_stencil_outline").string()};
        if (!at.empty())
            arguments.insert(arguments.end(), {"--at", at});
        const ProgramResult result = run_picavk(arguments);
        CHECK_MESSAGE(result.exit_code == 0, result.output << result.errors);
        CHECK(contains(result.output, "3 frames, 66 draws"));
        CHECK(contains(result.output, "0 differing bytes"));
        const std::size_t begin = result.output.find("draws, "), end = result.output.find(" MB compared");
        REQUIRE(end != std::string::npos);
        compared[at] = result.output.substr(begin, end - begin);
    }
    CHECK(compared[""] == compared["frame"]);
    CHECK(compared["draw"] != compared["list"]);
    CHECK(compared["list"] != compared["frame"]);
}

TEST_CASE("info: lists register writes by name and draws with their keys")
{
    const ProgramResult result = run_picavk({"info", stream_path("s_triangle").string()});
    CHECK_MESSAGE(result.exit_code == 0, result.errors);
    CHECK(contains(result.output, "COLORBUFFER_LOC"));
    CHECK(contains(result.output, "DRAWARRAYS"));
    CHECK(contains(result.output, "15 draws"));
    CHECK(contains(result.output, "3 frames"));
}

TEST_CASE("bench: --json is one object with the figures")
{
    for (const std::string backend : {"software", "vulkan"})
    {
        const ProgramResult result = run_picavk(
            {"bench", stream_path("s_triangle").string(), "--backend", backend, "--frames", "6", "--json"});
        CHECK_MESSAGE(result.exit_code == 0, result.errors);
        const nlohmann::json json = nlohmann::json::parse(result.output, nullptr, false);
        REQUIRE(json.is_object());
        CHECK(json.at("frames") == 6);
        CHECK(json.at("median_ms") > 0.0);
        CHECK(json.at("p99_ms") >= json.at("median_ms"));
        CHECK(json.at("worst_ms") >= json.at("p99_ms"));
        CHECK(json.at("first_frame_ms") > 0.0);
        CHECK(json.at("ns_per_draw") > 0.0);
        CHECK(json.at("ns_per_register_write") > 0.0);
        CHECK(json.at("vertices_per_frame") > 0.0);
        CHECK(json.at("triangles_per_frame") > 0.0);
        CHECK(json.at("cpu_ns_per_vertex") > 0.0);
        CHECK(json.at("worst_frame_ms") >= json.at("worst_ms"));
        CHECK(json.at("worst_frame_ms") >= json.at("first_frame_ms"));
        CHECK(json.at("worst_to_median") >= 1.0);
        CHECK(json.at("worst_frame_cpu_ms") > 0.0);
        CHECK(json.contains("synchronous_first_frame_ms") == (backend == "vulkan"));
        // Labels and pictures would be decoded again where they change; this stream has none.
        CHECK(json.at("texture_decodes") == 0);
        CHECK(json.at("steady_texture_bytes_per_frame") == 0.0);
        CHECK(json.contains("steady_upload_bytes_per_frame"));
    }
}

TEST_CASE("bench: vertex work on the device is timed where it is done there")
{
    for (const std::string executor : {"cpu", "compute"})
    {
        const ProgramResult result =
            run_picavk({"bench", stream_path("s_triangle").string(), "--backend", "vulkan", "--force",
                        "vertex=" + executor, "--force", "ubershader=never", "--frames", "6", "--json"});
        CHECK_MESSAGE(result.exit_code == 0, result.errors);
        const nlohmann::json json = nlohmann::json::parse(result.output, nullptr, false);
        REQUIRE(json.is_object());
        CHECK(json.contains("device_ns_per_vertex") == (executor == "compute"));
        if (executor == "compute")
        {
            CHECK(json.at("device_ns_per_vertex") > 0.0);
            CHECK(json.at("device_vertices_per_frame") == json.at("vertices_per_frame"));
        }
    }
}

TEST_CASE("bench: textures that do not change are decoded in no steady frame, on both backends")
{
    for (const std::string backend : {"software", "vulkan"})
    {
        // Without a fallback, from which the device would take over at some frame.
        const ProgramResult result =
            run_picavk({"bench", stream_path("s_textured_cubes").string(), "--backend", backend, "--force",
                        "ubershader=never", "--frames", "6", "--json"});
        CHECK_MESSAGE(result.exit_code == 0, result.errors);
        const nlohmann::json json = nlohmann::json::parse(result.output, nullptr, false);
        REQUIRE(json.is_object());
        CHECK(json.at("texture_decodes") > 0);
        CHECK(json.at("steady_texture_bytes_per_frame") == 0.0);
    }
}

TEST_CASE("bench: --cold measures with caches of its own and leaves the user's alone")
{
    const ProgramResult result = run_picavk({"bench", stream_path("s_triangle").string(), "--backend",
                                             "vulkan", "--frames", "3", "--cold", "--json"});
    CHECK_MESSAGE(result.exit_code == 0, result.errors);
    const nlohmann::json json = nlohmann::json::parse(result.output, nullptr, false);
    REQUIRE(json.is_object());
    // The self-test runs where no verdict is kept, and the pipelines are made.
    CHECK(json.at("pipelines") > 0);
    CHECK(json.at("frame_ms").size() >= 3);
}

TEST_CASE("shader: each form of each stage is printed")
{
    const std::string stream = stream_path("s_triangle").string();
    struct Case
    {
        const char* stage;
        const char* form;
        const char* expected;
    };
    for (const Case& c :
         {Case{"vs", "disasm", "control flow: structured, at most"}, Case{"vs", "disasm", "end"},
          Case{"vs", "glsl", "#version"}, Case{"vs", "spirv", "OpEntryPoint"}, Case{"fs", "glsl", "#version"},
          Case{"fs", "spirv", "OpEntryPoint"}})
    {
        CAPTURE(c.stage);
        CAPTURE(c.form);
        const ProgramResult result = run_picavk({"shader", stream, "--stage", c.stage, "--as", c.form});
        CHECK_MESSAGE(result.exit_code == 0, result.errors);
        CHECK(contains(result.output, c.expected));
    }
}
