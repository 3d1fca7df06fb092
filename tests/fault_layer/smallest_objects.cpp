// SPDX-License-Identifier: MIT
#include "tests/fault_layer/smallest_objects.h"

#include <cstdint>
#include <cstdio>
#include <span>

namespace fault_layer
{

namespace
{

uint32_t bytes_of(VkFormat format)
{
    switch (format)
    {
    case VK_FORMAT_R8G8B8A8_UNORM:
    case VK_FORMAT_R8G8B8A8_UINT:
    case VK_FORMAT_R32_UINT:
    case VK_FORMAT_R32_SINT:
    case VK_FORMAT_R32_SFLOAT:
        return 4;
    case VK_FORMAT_R32G32_UINT:
    case VK_FORMAT_R32G32_SINT:
    case VK_FORMAT_R32G32_SFLOAT:
        return 8;
    case VK_FORMAT_R32G32B32_SINT:
    case VK_FORMAT_R32G32B32_SFLOAT:
        return 12;
    default: // the largest format without 64 bits to a component
        return 16;
    }
}

bool is_own(VkComponentSwizzle swizzle, VkComponentSwizzle own)
{
    return swizzle == VK_COMPONENT_SWIZZLE_IDENTITY || swizzle == own;
}

bool has_constant_alpha(const VkPipelineColorBlendAttachmentState& blend)
{
    for (const VkBlendFactor factor : {blend.srcColorBlendFactor, blend.dstColorBlendFactor})
        if (factor == VK_BLEND_FACTOR_CONSTANT_ALPHA || factor == VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA)
            return true;
    return false;
}

const char* lacking_for_vertices(const VkPipelineVertexInputStateCreateInfo& input)
{
    const std::span bindings(input.pVertexBindingDescriptions, input.vertexBindingDescriptionCount);
    for (const VkVertexInputBindingDescription& binding : bindings)
        if (binding.stride % 4 != 0)
            return "a stride that is not a multiple of 4";
    for (uint32_t i = 0; i < input.vertexAttributeDescriptionCount; ++i)
    {
        const VkVertexInputAttributeDescription& attribute = input.pVertexAttributeDescriptions[i];
        for (const VkVertexInputBindingDescription& binding : bindings)
            if (binding.binding == attribute.binding && binding.stride != 0 &&
                attribute.offset + bytes_of(attribute.format) > binding.stride)
                return "vertexAttributeAccessBeyondStride";
    }
    return nullptr;
}

} // namespace

const char* lacking_for(const VkImageCreateInfo& info)
{
    const bool flat = info.imageType != VK_IMAGE_TYPE_3D;
    const uint32_t limit = flat ? 4096 : 256;
    if (info.extent.width > limit || info.extent.height > limit || info.extent.depth > 256 ||
        info.arrayLayers > 256)
        return "images as large";
    if (info.flags & VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT)
        return "imageView2DOn3DImage";
    if (info.samples != VK_SAMPLE_COUNT_1_BIT && info.arrayLayers != 1)
        return "multisampleArrayImage";
    return nullptr;
}

const char* lacking_for(const VkImageViewCreateInfo& info)
{
    const VkComponentMapping& to = info.components;
    if (!is_own(to.r, VK_COMPONENT_SWIZZLE_R) || !is_own(to.g, VK_COMPONENT_SWIZZLE_G) ||
        !is_own(to.b, VK_COMPONENT_SWIZZLE_B) || !is_own(to.a, VK_COMPONENT_SWIZZLE_A))
        return "imageViewFormatSwizzle";
    return nullptr;
}

const char* lacking_for(const VkSamplerCreateInfo& info)
{
    if (info.compareEnable) // stricter than the feature: immutable ones would be allowed
        return "mutableComparisonSamplers";
    if (info.mipLodBias != 0)
        return "samplerMipLodBias";
    return nullptr;
}

const char* lacking_for(const VkGraphicsPipelineCreateInfo& info)
{
    if (info.pInputAssemblyState->topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN)
        return "triangleFans";
    if (info.pRasterizationState->polygonMode == VK_POLYGON_MODE_POINT)
        return "pointPolygons";
    if (info.pColorBlendState != nullptr)
        for (uint32_t i = 0; i < info.pColorBlendState->attachmentCount; ++i)
            if (info.pColorBlendState->pAttachments[i].blendEnable &&
                has_constant_alpha(info.pColorBlendState->pAttachments[i]))
                return "constantAlphaColorBlendFactors";
    if (const auto* const depth = info.pDepthStencilState;
        depth != nullptr && depth->stencilTestEnable && depth->front.reference != depth->back.reference)
        return "separateStencilMaskRef";
    return lacking_for_vertices(*info.pVertexInputState);
}

VkResult refuse(const char* lacking)
{
    std::fprintf(stderr, "fault layer: the smallest device has not %s\n", lacking);
    return VK_ERROR_FEATURE_NOT_PRESENT;
}

PFN_vkVoidFunction event_refusal()
{
    constexpr PFN_vkCreateEvent kRefuse = [](VkDevice, const VkEventCreateInfo*, const VkAllocationCallbacks*,
                                             VkEvent*) -> VkResult { return refuse("events"); };
    return reinterpret_cast<PFN_vkVoidFunction>(kRefuse);
}

} // namespace fault_layer
