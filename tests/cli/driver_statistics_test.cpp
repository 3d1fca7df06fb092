// SPDX-License-Identifier: MIT
// What the driver tells of a draw's pipelines: by `picavk info --driver`, and in the window of `picavk inspect`. No
// software device tells anything, so the fault layer makes up what it tells.
#include "renderer/backend/options.h"
#include "renderer/vulkan/device.h"
#include "samples/cli/draw_pipelines.h"
#include "samples/inspect/shaders_model.h"
#include "tests/cli/inspect_stream.h"
#include "tests/cli/program.h"
#include "tests/support/device/faults.h"
#include "tests/support/kept_report.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

using namespace tests;
using samples::Json;
using samples::ShadersModel;

namespace
{

std::vector<std::string> info(const std::string& stream, const char* draw)
{
    return {"info", stream_path(stream).string(), "--frame", "0", "--draw", draw, "--driver", "--no-cache"};
}

std::set<std::string> shaders_of(const Json& driver)
{
    std::set<std::string> names;
    for (const Json& pipeline : driver["pipelines"])
        for (const Json& name : pipeline["shaders"])
            names.insert(name);
    return names;
}

} // namespace

TEST_CASE("driver: the pipelines that a draw binds, with each kind of statistic")
{
    const Faults faults("pretend-statistics:1:1");
    std::vector<std::string> command = info("t_geometry_point", "0");
    command.insert(command.end(), {"--json", "--force", "vertex=compute"});
    const ProgramResult result = run_picavk(command);
    REQUIRE_MESSAGE(result.exit_code == 0, result.errors);
    const Json driver = Json::parse(result.output)["driver"];
    CHECK(driver["device"].get<std::string>().starts_with(renderer::Device::list().at(0) + ","));
    REQUIRE_FALSE(driver["pipelines"].empty());
    for (const Json& pipeline : driver["pipelines"])
    {
        CHECK_FALSE(pipeline["shaders"].empty());
        REQUIRE(pipeline["executables"].size() == 1);
        const Json& executable = pipeline["executables"][0];
        CHECK(executable["name"] == "pretended");
        CHECK(executable["subgroup_size"] == 8);
        CHECK(executable["statistics"] ==
              Json({{"spills", "yes"}, {"balance", -3}, {"instructions", 5000000000}, {"occupancy", 0.75}}));
    }
    const std::set<std::string> names = shaders_of(driver);
    CHECK(std::count(names.begin(), names.end(), "") == 0);
    const auto names_one = [&](const char* part)
    {
        return std::any_of(names.begin(), names.end(),
                           [&](const std::string& name) { return name.find(part) != std::string::npos; });
    };
    CHECK(names_one("fragment"));
    CHECK(names_one("vertex"));
}

TEST_CASE("driver: the window shows the same, for one draw after another and back")
{
    const Faults faults("pretend-statistics:1:1");
    const auto model = read_stream(stream_path("t_stencil").string());
    renderer::Options vulkan;
    ShadersModel shaders(*model, vulkan);
    shaders.choose(ShadersModel::Stage::Fragment, ShadersModel::Form::Driver);
    REQUIRE_MESSAGE(shaders.problem().empty(), shaders.problem());
    const std::vector<std::string> first = shaders.lines();
    CHECK(std::any_of(first.begin(), first.end(),
                      [](const std::string& line)
                      { return line.find("instructions 5000000000") != std::string::npos; }));
    const std::size_t draw = model->selected();
    for (int i = 0; i < 3; ++i)
        model->select_draw_after();
    CHECK(shaders.draw() == model->selected());
    CHECK(shaders.problem().empty());
    model->select(draw);
    CHECK(shaders.lines() == first); // also where the pipelines have been made before
    // It is what the command line prints.
    const ProgramResult result = run_picavk(info("t_stencil", "0"));
    REQUIRE_MESSAGE(result.exit_code == 0, result.errors);
    for (const std::string& line : first)
        CHECK_MESSAGE(result.output.find(line) != std::string::npos, line);
}

// Draw 46 samples what a draw before it has drawn. (What the layer tells is the same for every shader, so which programs
// they are is not seen here; tests/cli/inspect_draw_models_test.cpp looks at the programs.)
TEST_CASE("driver: at N times the resolution it is asked about a draw that samples N x texels")
{
    const Faults faults("pretend-statistics:1:1");
    std::vector<std::string> command = info("t_targets", "46");
    command.insert(command.end(), {"--json", "--scale", "2"});
    const ProgramResult result = run_picavk(command);
    REQUIRE_MESSAGE(result.exit_code == 0, result.errors);
    CHECK(shaders_of(Json::parse(result.output)["driver"]).contains("fragment"));
    // Only together with --driver: all else is the same at every resolution.
    const ProgramResult refused =
        run_picavk({"info", stream_path("t_targets").string(), "--frame", "0", "--scale", "2"});
    CHECK(refused.exit_code == 2);
    CHECK(contains(refused.errors, "--scale requires --driver"));
}

TEST_CASE("driver: where it tells nothing, one line says so")
{
    const Faults faults("smallest:1:1"); // drivers of GPUs tell something
    const ProgramResult result = run_picavk(info("s_triangle", "0"));
    CHECK(result.exit_code == 2);
    CHECK(result.output.empty());
    CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
    CHECK_MESSAGE(result.errors.find("the driver tells nothing of its pipelines") != std::string::npos,
                  result.errors);
    std::vector<std::string> command = info("s_triangle", "0");
    command.insert(command.end(), {"--device", "no such device"});
    CHECK(run_picavk(command).errors.find("no such device") != std::string::npos);
    CHECK(run_picavk({"info", stream_path("s_triangle").string(), "--driver"}).exit_code == 2);

    const auto model = read_stream(stream_path("s_triangle").string());
    const renderer::Options vulkan;
    ShadersModel shaders(*model, vulkan);
    shaders.choose(ShadersModel::Stage::Fragment, ShadersModel::Form::Driver);
    CHECK(shaders.lines().empty());
    CHECK(shaders.problem().find("the driver tells nothing of its pipelines") != std::string::npos);
}
