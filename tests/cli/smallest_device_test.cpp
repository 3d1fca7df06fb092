// SPDX-License-Identifier: MIT
// The smallest device that Vulkan allows to carry the renderer (tests/fault_layer/smallest_device.h), under validation
// layers that ask it for its limits and features: streams leave the same bytes, and nothing is used that it lacks.
#include "renderer/vulkan/device.h"
#include "tests/cli/program.h"
#include "tests/support/device/faults.h"
#include "tests/support/seeds.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace tests;

namespace
{

constexpr const char* kSmallest = "smallest:1:1";

} // namespace

TEST_CASE("smallest device: every bundled stream leaves the same bytes at frame granularity")
{
    // All take a minute; under the sanitizers several times as long.
    const std::vector<std::string> streams = bundled_streams();
    const std::size_t step = is_long_run() ? 1 : seed_scale() < 1 ? 6 : 3;
    const Faults faults(kSmallest, ValidationLayers::Above);
    // Own pipelines and the ubershader by turns, and no draw in the software renderer meanwhile.
    std::vector<std::string> arguments{"validate", "--validation", "--force", "ubershader=mixed"};
    std::size_t count = 0;
    for (std::size_t i = 0; i < streams.size(); i += step, ++count)
        arguments.push_back(stream_path(streams[i]).string());
    REQUIRE(count >= 6);
    const ProgramResult result = run_picavk(arguments);
    CHECK_MESSAGE(result.exit_code == 0, result.output << result.errors);
    CHECK_FALSE(contains(result.output + result.errors, "validation layer"));
    std::size_t exact = 0;
    for (std::size_t at = 0; (at = result.output.find(" 0 differing bytes", at)) != std::string::npos; ++at)
        ++exact;
    CHECK(exact >= count);
}

TEST_CASE("smallest device: the program sees its limits and nothing optional")
{
    const Faults faults(kSmallest, ValidationLayers::Above);
    const ProgramResult result = run_picavk({"device"});
    CHECK(result.exit_code == 0);
    CAPTURE(result.output);
    CHECK(contains(result.output, "other, Vulkan 1.1."));
    CHECK(contains(result.output, "features used: debug labels\n"));
    CHECK(contains(result.output, "maxImageDimension2D 4096, maxStorageBufferRange 134217728"));
    CHECK(contains(result.output, "nonCoherentAtomSize 256"));
    CHECK(contains(result.output, "stencil test: the software core"));
    CHECK_FALSE(contains(result.output, "INEXACT"));
}

// Else the silence of the validation layers would prove nothing.
TEST_CASE("smallest device: what is beyond its limits and features is noticed")
{
    const Faults faults(kSmallest, ValidationLayers::Above);
    renderer::DeviceOptions options;
    options.validation = true;
    const auto created = renderer::Device::create(options);
    REQUIRE(created);
    renderer::Device& device = **created;
    REQUIRE(device.validation_messages().empty());

    VkPushConstantRange constants{VK_SHADER_STAGE_VERTEX_BIT, 0, 132};
    auto layout = renderer::make<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
    layout.pushConstantRangeCount = 1;
    layout.pPushConstantRanges = &constants;
    VkPipelineLayout made = VK_NULL_HANDLE;
    if (device.vk.vkCreatePipelineLayout(device.handle, &layout, nullptr, &made) == VK_SUCCESS)
        device.vk.vkDestroyPipelineLayout(device.handle, made, nullptr);
    REQUIRE(device.validation_messages().size() == 1);
    CHECK(contains(device.validation_messages()[0], "VUID-VkPushConstantRange-size-00298"));

    auto image = renderer::make<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
    image.imageType = VK_IMAGE_TYPE_2D;
    image.format = VK_FORMAT_R8G8B8A8_UNORM;
    image.extent = {4097, 1, 1};
    image.mipLevels = 1;
    image.arrayLayers = 1;
    image.samples = VK_SAMPLE_COUNT_1_BIT;
    image.usage = VK_IMAGE_USAGE_SAMPLED_BIT;
    VkImage made_image = VK_NULL_HANDLE;
    CHECK(device.vk.vkCreateImage(device.handle, &image, nullptr, &made_image) ==
          VK_ERROR_FEATURE_NOT_PRESENT);
    image.extent.width = 4096;
    REQUIRE(device.vk.vkCreateImage(device.handle, &image, nullptr, &made_image) == VK_SUCCESS);
    device.vk.vkDestroyImage(device.handle, made_image, nullptr);

    auto sampler = renderer::make<VkSamplerCreateInfo>(VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO);
    sampler.mipLodBias = 1;
    VkSampler made_sampler = VK_NULL_HANDLE;
    CHECK(device.vk.vkCreateSampler(device.handle, &sampler, nullptr, &made_sampler) ==
          VK_ERROR_FEATURE_NOT_PRESENT);
}
