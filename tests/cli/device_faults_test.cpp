// SPDX-License-Identifier: MIT
// Drivers that are slow, that hang, that lose the device or run out of memory: each verb ends with a message
// and exit code 1, or with the right pictures, and never crashes.
#include "tests/cli/program.h"
#include "tests/support/device/faults.h"
#include "tests/support/seeds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

using namespace tests;

namespace
{

constexpr const char* kLost = "-4";
constexpr const char* kNoDeviceMemory = "-2";

const std::string kStream = stream_path("s_triangle").string();

// Every verb that uses a device, drawing on it.
std::vector<std::vector<std::string>> verbs(const std::string& out)
{
    return {
        {"render", kStream, "--backend", "vulkan", "--out", out},
        {"validate", kStream},
        {"bench", kStream, "--backend", "vulkan", "--force", "ubershader=never", "--frames", "2"},
        {"bench", kStream, "--backend", "vulkan", "--force", "ubershader=never", "--frames", "2", "--json"}};
}

void check_failed(const ProgramResult& result, const std::string& message)
{
    CAPTURE(result.output);
    CAPTURE(result.errors);
    CHECK(result.exit_code == 1);
    CHECK(result.output.empty());
    CHECK(contains(result.errors, "picavk: "));
    CHECK(contains(result.errors, message));
}

// The call of a function that is made to fail first: one is enough where all are alike.
u32 first_of(const std::string& function)
{
    return function == "vkBeginCommandBuffer" ? 2 : 1; // the first is of a command buffer that nobody uses
}

// Of the last line: before it there may be lines of waiting.
bool ends_in_one_message(const std::string& errors)
{
    const std::size_t at = errors.rfind("picavk: ");
    return at != std::string::npos && (at == 0 || errors[at - 1] == '\n') &&
           errors.find('\n', at) == errors.size() - 1;
}

} // namespace

TEST_CASE("device faults: a lost device ends every verb with a message and exit code 1")
{
    const TemporaryFolder folder;
    for (const std::string fault :
         {"vkQueueSubmit:1+:", "vkQueueSubmit:5+:", "fences:1:1,vkWaitForFences:2+:", "vkGetFenceStatus:3+:"})
        for (const std::vector<std::string>& verb : verbs(folder.file("out")))
        {
            CAPTURE(fault);
            CAPTURE(verb[0]);
            const Faults faults(fault + kLost);
            const ProgramResult result = run_picavk(verb);
            check_failed(result, "device lost");
            CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
        }
}

TEST_CASE("device faults: no picture is written of what a lost device did not draw")
{
    const TemporaryFolder folder;
    const std::vector<std::string> render = {"render", kStream, "--backend",
                                             "vulkan", "--out", folder.file("good")};
    REQUIRE(run_picavk(render).exit_code == 0);
    std::vector<std::string> lost = render;
    lost.back() = folder.file("lost");
    {
        const Faults faults(std::string("vkQueueSubmit:4+:") + kLost);
        check_failed(run_picavk(lost), "device lost");
    }
    for (const auto& entry : std::filesystem::directory_iterator(folder.file("lost")))
        CHECK(read_file(entry.path()) == read_file(folder.path() / "good" / entry.path().filename()));
}

TEST_CASE("device faults: the window closes with a message when the device is lost")
{
    const Faults faults(std::string("vkQueueSubmit:3+:") + kLost);
    const ProgramResult result =
        run_program({std::string(PICAVK_SOURCE_DIR) + "/tests/cli/with_display.sh", "-screen 0 800x600x24",
                     PICAVK_PROGRAM, "play", kStream, "--frames", "20", "--screenshot", "/dev/null"});
    check_failed(result, "device lost");
}

TEST_CASE("device faults: a slow device is waited for, and the pictures are the same")
{
    const TemporaryFolder folder;
    std::vector<std::string> render = {"render", kStream, "--backend",
                                       "vulkan", "--out", folder.file("good")};
    REQUIRE(run_picavk(render).exit_code == 0);
    render.back() = folder.file("slow");
    const Faults faults("fences:1:45");
    const ProgramResult result = run_picavk(render);
    CAPTURE(result.errors);
    CHECK(result.exit_code == 0);
    for (const char* seconds : {": 10 s", ": 20 s", ": 40 s"})
        CHECK(contains(result.errors, std::string("waiting for the Vulkan device") + seconds));
    std::size_t pictures = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder.file("good")))
    {
        ++pictures;
        CHECK(read_file(entry.path()) == read_file(folder.path() / "slow" / entry.path().filename()));
    }
    CHECK(pictures != 0);
    // Frames that took long are no reason to measure none.
    const ProgramResult measured =
        run_picavk({"bench", kStream, "--backend", "vulkan", "--force", "ubershader=never", "--frames", "2"});
    CHECK_MESSAGE(measured.exit_code == 0, measured.errors);
}

TEST_CASE("device faults: a device that hangs counts as lost after a time, and nothing of it is freed")
{
    const TemporaryFolder folder;
    // The layer ends programs that free what such a device may be using.
    for (const std::string fault : {"fences:1:never", "fences:4:never"})
        for (std::vector<std::string> verb : verbs(folder.file("out")))
        {
            CAPTURE(fault);
            CAPTURE(verb[0]);
            verb.insert(verb.end(), {"--device-timeout", "3"});
            const Faults faults(fault);
            const ProgramResult result = run_picavk(verb);
            check_failed(result, "the Vulkan device did not finish within 3 s and counts as lost");
            CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
        }
    const Faults faults("fences:4:never");
    const ProgramResult patient = run_picavk(verbs(folder.file("out"))[0]);
    check_failed(patient, "did not finish within 3600 s");
    CHECK(ends_in_one_message(patient.errors));
}

TEST_CASE("device faults: memory that runs out at any allocation is a message")
{
    const TemporaryFolder folder;
    const std::vector<std::string> validate = {"validate", stream_path("t_texture_types").string()};
    u32 allocations = 0;
    for (u32 number = 1;; ++number)
    {
        CAPTURE(number);
        const Faults faults("vkAllocateMemory:" + std::to_string(number) + "+:" + kNoDeviceMemory,
                            ValidationLayers::Below);
        const ProgramResult result = run_picavk(validate);
        CAPTURE(result.output);
        CAPTURE(result.errors);
        CHECK_FALSE(contains(result.output, "Validation"));
        if (result.exit_code == 0)
            break;
        ++allocations;
        CHECK(result.exit_code == 1);
        CHECK(contains(result.errors, "out of device memory"));
        CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
        REQUIRE(number < 100);
    }
    MESSAGE("allocations: " << allocations);
    CHECK(allocations > 3);
}

TEST_CASE("device faults: whichever function fails, there is one message and no crash")
{
    const TemporaryFolder folder;
    const bool is_long = is_long_run();
    for (const char* function : {"vkCreateDevice",
                                 "vkAllocateCommandBuffers",
                                 "vkAllocateDescriptorSets",
                                 "vkBeginCommandBuffer",
                                 "vkBindBufferMemory",
                                 "vkBindImageMemory",
                                 "vkCreateBuffer",
                                 "vkCreateBufferView",
                                 "vkCreateCommandPool",
                                 "vkCreateComputePipelines",
                                 "vkCreateDescriptorPool",
                                 "vkCreateDescriptorSetLayout",
                                 "vkCreateFence",
                                 "vkCreateFramebuffer",
                                 "vkCreateGraphicsPipelines",
                                 "vkCreateImage",
                                 "vkCreateImageView",
                                 "vkCreatePipelineCache",
                                 "vkCreatePipelineLayout",
                                 "vkCreateRenderPass",
                                 "vkCreateSampler",
                                 "vkCreateSemaphore",
                                 "vkCreateShaderModule",
                                 "vkEndCommandBuffer",
                                 "vkMapMemory",
                                 "vkResetFences"})
        for (u32 number = first_of(function); number <= (is_long ? 40u : first_of(function)); ++number)
        {
            CAPTURE(function);
            CAPTURE(number);
            const Faults faults(std::string(function) + ":" + std::to_string(number) + "+:" + kNoDeviceMemory,
                                ValidationLayers::Below);
            const ProgramResult result = run_picavk({"validate", kStream});
            CAPTURE(result.output);
            CAPTURE(result.errors);
            CHECK_FALSE(contains(result.output, "Validation"));
            if (result.exit_code == 0 && number > first_of(function))
                break; // it is not called as often
            CHECK((result.exit_code == 1 || result.exit_code == 2));
            CHECK(contains(result.errors, "picavk: "));
            CHECK(contains(result.errors, function));
            CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
        }
}
