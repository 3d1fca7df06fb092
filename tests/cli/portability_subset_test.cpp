// SPDX-License-Identifier: MIT
// The fault layer's smallest device has no feature of VK_KHR_portability_subset (tests/fault_layer/smallest_objects.h).
// Streams are exact there (smallest_device_test.cpp), which says that the renderer needs none of them only if each one
// is refused.
#include "renderer/vulkan/device.h"
#include "tests/fault_layer/smallest_objects.h"
#include "tests/support/device/faults.h"

#include <doctest/doctest.h>

#include <string>

using fault_layer::lacking_for;
using renderer::make;

namespace
{

// What it lacks for an object, as text that can be compared.
template <typename Info>
std::string lacking(const Info& info)
{
    const char* const name = lacking_for(info);
    return name != nullptr ? name : "nothing";
}

// A pipeline with one attribute, which the device allows.
struct AllowedPipeline
{
    VkVertexInputBindingDescription binding{0, 16, VK_VERTEX_INPUT_RATE_VERTEX};
    VkVertexInputAttributeDescription attribute{0, 0, VK_FORMAT_R32G32B32A32_UINT, 0};
    VkPipelineVertexInputStateCreateInfo vertices =
        make<VkPipelineVertexInputStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO);
    VkPipelineInputAssemblyStateCreateInfo assembly = make<VkPipelineInputAssemblyStateCreateInfo>(
        VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO);
    VkPipelineRasterizationStateCreateInfo raster = make<VkPipelineRasterizationStateCreateInfo>(
        VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO);
    VkPipelineDepthStencilStateCreateInfo depth = make<VkPipelineDepthStencilStateCreateInfo>(
        VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO);
    VkPipelineColorBlendAttachmentState blend{};
    VkPipelineColorBlendStateCreateInfo blending =
        make<VkPipelineColorBlendStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO);
    VkGraphicsPipelineCreateInfo info =
        make<VkGraphicsPipelineCreateInfo>(VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO);

    AllowedPipeline()
    {
        vertices.vertexBindingDescriptionCount = vertices.vertexAttributeDescriptionCount = 1;
        vertices.pVertexBindingDescriptions = &binding;
        vertices.pVertexAttributeDescriptions = &attribute;
        assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
        depth.stencilTestEnable = VK_TRUE;
        blend.blendEnable = VK_TRUE;
        blending.attachmentCount = 1;
        blending.pAttachments = &blend;
        info.pVertexInputState = &vertices;
        info.pInputAssemblyState = &assembly;
        info.pRasterizationState = &raster;
        info.pDepthStencilState = &depth;
        info.pColorBlendState = &blending;
    }
    AllowedPipeline(const AllowedPipeline&) = delete;
    AllowedPipeline& operator=(const AllowedPipeline&) = delete;
};

} // namespace

TEST_CASE("portability subset: pipelines that need a feature of it are refused")
{
    AllowedPipeline pipeline;
    REQUIRE(lacking(pipeline.info) == "nothing");
    std::string expected;
    SUBCASE("fans")
    {
        pipeline.assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN;
        expected = "triangleFans";
    }
    SUBCASE("points of polygons")
    {
        pipeline.raster.polygonMode = VK_POLYGON_MODE_POINT;
        expected = "pointPolygons";
    }
    SUBCASE("constant alpha")
    {
        pipeline.blend.dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA;
        expected = "constantAlphaColorBlendFactors";
    }
    SUBCASE("two stencil references")
    {
        pipeline.depth.back.reference = 1;
        expected = "separateStencilMaskRef";
    }
    SUBCASE("an attribute that ends behind the stride")
    {
        pipeline.attribute.offset = 4;
        expected = "vertexAttributeAccessBeyondStride";
    }
    SUBCASE("a stride of odd bytes")
    {
        pipeline.binding.stride = 18;
        expected = "a stride that is not a multiple of 4";
    }
    CHECK(lacking(pipeline.info) == expected);
}

TEST_CASE("portability subset: images and samplers that need a feature of it are refused")
{
    auto sampler = make<VkSamplerCreateInfo>(VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO);
    CHECK(lacking(sampler) == "nothing");
    sampler.compareEnable = VK_TRUE;
    CHECK(lacking(sampler) == "mutableComparisonSamplers");
    sampler.compareEnable = VK_FALSE;
    sampler.mipLodBias = 1;
    CHECK(lacking(sampler) == "samplerMipLodBias");

    auto view = make<VkImageViewCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO);
    view.components.a = VK_COMPONENT_SWIZZLE_A; // its own
    CHECK(lacking(view) == "nothing");
    view.components.a = VK_COMPONENT_SWIZZLE_ONE;
    CHECK(lacking(view) == "imageViewFormatSwizzle");

    auto image = make<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
    image.imageType = VK_IMAGE_TYPE_3D;
    image.extent = {256, 256, 256};
    image.arrayLayers = 1;
    image.samples = VK_SAMPLE_COUNT_1_BIT;
    CHECK(lacking(image) == "nothing");
    image.flags = VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT;
    CHECK(lacking(image) == "imageView2DOn3DImage");
    image.flags = 0;
    image.extent.width = 257;
    CHECK(lacking(image) == "images as large");
    image.extent.width = 1;
    image.samples = VK_SAMPLE_COUNT_4_BIT;
    image.arrayLayers = 2;
    CHECK(lacking(image) == "multisampleArrayImage");
}

TEST_CASE("portability subset: a device without it makes no events")
{
    const auto make_event = [](renderer::Device& device, VkEvent& event)
    {
        const auto create = reinterpret_cast<PFN_vkCreateEvent>(
            device.api.vkGetDeviceProcAddr(device.handle, "vkCreateEvent"));
        REQUIRE((create != nullptr));
        const auto info = make<VkEventCreateInfo>(VK_STRUCTURE_TYPE_EVENT_CREATE_INFO);
        return create(device.handle, &info, nullptr, &event);
    };
    VkEvent event = VK_NULL_HANDLE;
    {
        const tests::Faults faults("smallest:1:1");
        const auto created = renderer::Device::create({});
        REQUIRE(created);
        CHECK(make_event(**created, event) == VK_ERROR_FEATURE_NOT_PRESENT);
    }
    const auto created = renderer::Device::create({});
    REQUIRE(created);
    renderer::Device& device = **created;
    REQUIRE(make_event(device, event) == VK_SUCCESS);
    const auto destroy =
        reinterpret_cast<PFN_vkDestroyEvent>(device.api.vkGetDeviceProcAddr(device.handle, "vkDestroyEvent"));
    destroy(device.handle, event, nullptr);
}
