// SPDX-License-Identifier: MIT
// `picavk device`, `--version`, --device and --verbose: what a bug report needs.
#include "renderer/vulkan/device.h"
#include "tests/cli/program.h"
#include "tests/support/device/faults.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace pica;
using namespace tests;

namespace
{

const std::string kStream = stream_path("s_triangle").string();

} // namespace

TEST_CASE("device: text and JSON name every device, the chosen one, its driver, features, verdicts, paths "
          "and limits")
{
    const auto entries = renderer::Device::survey({});
    REQUIRE(entries);
    const ProgramResult text = run_picavk({"device"});
    REQUIRE_MESSAGE(text.exit_code == 0, text.errors);
    const ProgramResult machine = run_picavk({"device", "--json"});
    REQUIRE_MESSAGE(machine.exit_code == 0, machine.errors);
    const auto json = nlohmann::json::parse(machine.output);
    REQUIRE(json["devices"].size() == entries->size());
    u32 chosen = 0;
    for (std::size_t i = 0; i < entries->size(); ++i)
    {
        CHECK(json["devices"][i]["name"] == (*entries)[i].properties.deviceName);
        CHECK(contains(text.output, (*entries)[i].properties.deviceName));
        chosen += json["devices"][i]["chosen"] == true ? 1 : 0;
        CHECK((json["devices"][i]["chosen"] == true) != json["devices"][i].contains("why_not"));
    }
    CHECK(chosen == 1);
    const auto& facts = json["chosen"];
    CHECK(facts["name"] == entries->front().properties.deviceName);
    CHECK(facts["driver"] == entries->front().driver);
    CHECK(facts["features"].contains("rasterization-order attachment access"));
    CHECK(facts["self_test"]["compute"] == true);
    CHECK(facts["self_test"]["fragment"] == true);
    CHECK(facts["paths"].contains("vertex executor"));
    CHECK(facts["limits"]["maxStorageBufferRange"] ==
          entries->front().properties.limits.maxStorageBufferRange);
    for (const char* part : {"driver: ", "features used: ", "self-test: ", "compute exact", "blend path: ",
                             "coverage: ", "limits: ", "maxStorageBufferRange ", "--backend auto: "})
        CHECK_MESSAGE(contains(text.output, part), part);
}

TEST_CASE("device: --device chooses by a part of the name, for every verb that has a device")
{
    const auto entries = renderer::Device::survey({});
    REQUIRE(entries);
    const std::string name = entries->front().properties.deviceName;
    const auto json =
        nlohmann::json::parse(run_picavk({"device", "--json", "--device", name.substr(0, 4)}).output);
    CHECK(json["chosen"]["name"] == name);
    const TemporaryFolder folder;
    for (const std::vector<std::string>& verb : std::vector<std::vector<std::string>>{
             {"device"},
             {"validate", kStream},
             {"bench", kStream, "--backend", "vulkan"},
             {"render", kStream, "--backend", "vulkan", "--out", folder.file("out")}})
    {
        CAPTURE(verb[0]);
        std::vector<std::string> arguments = verb;
        arguments.insert(arguments.end(), {"--device", "abacus"});
        const ProgramResult result = run_picavk(arguments);
        CHECK(result.exit_code == 2);
        CHECK(contains(result.errors, "no Vulkan device is named \"abacus\"; there are: " + name));
        CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
    }
}

TEST_CASE("device: without a driver or with a device that fails it says so, in JSON too")
{
    const ProgramResult none =
        run_program({"env", "VK_ICD_FILENAMES=/nonexistent.json", "VK_DRIVER_FILES=/nonexistent.json",
                     PICAVK_PROGRAM, "device", "--json"});
    CHECK(none.exit_code == 2);
    const auto json = nlohmann::json::parse(none.output);
    CHECK(json["devices"].empty());
    CHECK(json["auto"] == "software");
    CHECK(contains(json["error"], "no compatible driver"));
    const Faults faults("vkQueueSubmit:1+:-4");
    const ProgramResult lost = run_picavk({"device"});
    CHECK(lost.exit_code == 1);
    CHECK(contains(lost.errors, "picavk: self-test: "));
    CHECK(contains(lost.errors, "device lost"));
    CHECK(contains(lost.output, "--backend auto: an error"));
}

TEST_CASE("device: one without stencil attachments is used, and the software core does the stencil test")
{
    const auto entries = renderer::Device::survey({});
    REQUIRE(entries);
    const std::string name = entries->front().properties.deviceName;
    const auto facts = [] {
        return nlohmann::json::parse(run_picavk({"device", "--json"}).output)["chosen"];
    };
    CHECK(facts()["features"]["depth buffers with stencil"] == true);
    CHECK(facts()["paths"]["stencil test"] == "fixed function");
    const Faults faults("no-depth-stencil:1:1");
    CHECK(facts()["name"] == name);
    CHECK(facts()["features"]["depth buffers with stencil"] == false);
    CHECK(facts()["paths"]["stencil test"] == "the software core");
    for (const char* stream : {"s_stencil_outline", "t_stencil"})
        for (const char* at : {"draw", "list", "frame"})
        {
            CAPTURE(stream);
            CAPTURE(at);
            const ProgramResult result =
                run_picavk({"validate", stream_path(stream).string(), "--at", at, "--validation"});
            CHECK_MESSAGE(result.exit_code == 0, result.output << result.errors);
            CHECK(contains(result.output, "0 differing bytes"));
        }
}

TEST_CASE("device: one without any depth buffer of floats is refused, and it says why")
{
    const Faults faults("no-depth-float:1:1");
    const ProgramResult result = run_picavk({"device"});
    CHECK(result.exit_code != 0);
    CHECK(contains(result.output + result.errors, "no D32_SFLOAT depth buffer"));
}

TEST_CASE("device: --version prints one line")
{
    const ProgramResult result = run_picavk({"--version"});
    CHECK(result.exit_code == 0);
    CHECK(result.output == "picavk 0.2.0\n");
}

TEST_CASE("verbose: it tells what was chosen at the start and what was done at the end")
{
    const TemporaryFolder folder;
    for (const std::vector<std::string>& verb : std::vector<std::vector<std::string>>{
             {"validate", kStream},
             {"bench", kStream, "--backend", "vulkan", "--force", "ubershader=never", "--frames", "2"},
             {"render", kStream, "--backend", "vulkan", "--out", folder.file("out")}})
    {
        CAPTURE(verb[0]);
        const ProgramResult quiet = run_picavk(verb);
        CHECK(quiet.exit_code == 0);
        CHECK(quiet.errors.empty());
        std::vector<std::string> arguments = verb;
        arguments.emplace_back("--verbose");
        const ProgramResult result = run_picavk(arguments);
        CAPTURE(result.errors);
        CHECK(result.exit_code == 0);
        for (const char* part :
             {"info: device: ", "info: driver: ", "info: features used: ", "info: self-test: ",
              "info: blend path: ", "info: limits: ", "info: compiled: ", "info: draws: ", "info: waits: "})
            CHECK_MESSAGE(contains(result.errors, part), part);
    }
    // Who draws and why, where the person left the choice.
    const ProgramResult software =
        run_picavk({"render", kStream, "--out", folder.file("out"), "--verbose", "--backend", "software"});
    CHECK(software.errors == "info: backend: software\n");
    const ProgramResult none =
        run_program({"env", "VK_ICD_FILENAMES=/nonexistent.json", "VK_DRIVER_FILES=/nonexistent.json",
                     PICAVK_PROGRAM, "render", kStream, "--out", folder.file("out"), "--verbose"});
    CHECK(none.exit_code == 0);
    CHECK(contains(none.errors, "info: Vulkan is not used: vkCreateInstance: no compatible driver"));
}
