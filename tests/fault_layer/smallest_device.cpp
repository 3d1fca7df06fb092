// SPDX-License-Identifier: MIT
#include "tests/fault_layer/smallest_device.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <string_view>

namespace fault_layer
{

namespace
{

constexpr const char* kPortability = "VK_KHR_portability_subset";
// Declared in Vulkan's beta header only: VkPhysicalDevicePortabilitySubsetFeaturesKHR and ...PropertiesKHR.
constexpr auto kPortabilityFeatures = static_cast<VkStructureType>(1000163000);
constexpr auto kPortabilityProperties = static_cast<VkStructureType>(1000163001);
constexpr std::size_t kPortabilityFlags = 15;

// Shader stages of a device without tessellation and geometry shaders, by which the limits of a set are counted.
constexpr uint32_t kStages = 3;

template <typename T, std::size_t N>
void set(T (&array)[N], std::initializer_list<T> values)
{
    std::copy_n(values.begin(), std::min(N, values.size()), array);
}

void shrink_images(VkPhysicalDeviceLimits& l)
{
    l.maxImageDimension1D = 4096;
    l.maxImageDimension2D = 4096;
    l.maxImageDimension3D = 256;
    l.maxImageDimensionCube = 4096;
    l.maxImageArrayLayers = 256;
    l.maxSamplerLodBias = 2;
    l.maxSamplerAnisotropy = 1;
    l.minTexelOffset = -8;
    l.maxTexelOffset = 7;
    l.minTexelGatherOffset = 0;
    l.maxTexelGatherOffset = 0;
    l.minInterpolationOffset = 0;
    l.maxInterpolationOffset = 0;
    l.subPixelInterpolationOffsetBits = 0;
    l.sampledImageColorSampleCounts = VK_SAMPLE_COUNT_1_BIT | VK_SAMPLE_COUNT_4_BIT;
    l.sampledImageIntegerSampleCounts = VK_SAMPLE_COUNT_1_BIT;
    l.sampledImageDepthSampleCounts = VK_SAMPLE_COUNT_1_BIT | VK_SAMPLE_COUNT_4_BIT;
    l.sampledImageStencilSampleCounts = VK_SAMPLE_COUNT_1_BIT | VK_SAMPLE_COUNT_4_BIT;
    l.storageImageSampleCounts = VK_SAMPLE_COUNT_1_BIT;
}

void shrink_memory(VkPhysicalDeviceLimits& l)
{
    l.maxTexelBufferElements = 65536;
    l.maxUniformBufferRange = 16384;
    l.maxStorageBufferRange = 1u << 27;
    l.maxPushConstantsSize = 128;
    l.maxMemoryAllocationCount = 4096;
    l.maxSamplerAllocationCount = 4000;
    l.bufferImageGranularity = 131072;
    l.sparseAddressSpaceSize = 0;
    l.minTexelBufferOffsetAlignment = 256;
    l.minUniformBufferOffsetAlignment = 256;
    l.minStorageBufferOffsetAlignment = 256;
    l.optimalBufferCopyOffsetAlignment = 256;
    l.optimalBufferCopyRowPitchAlignment = 256;
    l.nonCoherentAtomSize = 256;
}

void shrink_descriptors(VkPhysicalDeviceLimits& l)
{
    l.maxBoundDescriptorSets = 4;
    l.maxPerStageDescriptorSamplers = 16;
    l.maxPerStageDescriptorUniformBuffers = 12;
    l.maxPerStageDescriptorStorageBuffers = 4;
    l.maxPerStageDescriptorSampledImages = 16;
    l.maxPerStageDescriptorStorageImages = 4;
    l.maxPerStageDescriptorInputAttachments = 4;
    l.maxPerStageResources = 128;
    l.maxDescriptorSetSamplers = kStages * 16;
    l.maxDescriptorSetUniformBuffers = kStages * 12;
    l.maxDescriptorSetUniformBuffersDynamic = 8;
    l.maxDescriptorSetStorageBuffers = kStages * 4;
    l.maxDescriptorSetStorageBuffersDynamic = 4;
    l.maxDescriptorSetSampledImages = kStages * 16;
    l.maxDescriptorSetStorageImages = kStages * 4;
    l.maxDescriptorSetInputAttachments = 4;
}

void shrink_stages(VkPhysicalDeviceLimits& l)
{
    l.maxVertexInputAttributes = 16;
    l.maxVertexInputBindings = 16;
    l.maxVertexInputAttributeOffset = 2047;
    l.maxVertexInputBindingStride = 2048;
    l.maxVertexOutputComponents = 64;
    // Features that the device has not.
    l.maxTessellationGenerationLevel = 0;
    l.maxTessellationPatchSize = 0;
    l.maxTessellationControlPerVertexInputComponents = 0;
    l.maxTessellationControlPerVertexOutputComponents = 0;
    l.maxTessellationControlPerPatchOutputComponents = 0;
    l.maxTessellationControlTotalOutputComponents = 0;
    l.maxTessellationEvaluationInputComponents = 0;
    l.maxTessellationEvaluationOutputComponents = 0;
    l.maxGeometryShaderInvocations = 0;
    l.maxGeometryInputComponents = 0;
    l.maxGeometryOutputComponents = 0;
    l.maxGeometryOutputVertices = 0;
    l.maxGeometryTotalOutputComponents = 0;
    l.maxClipDistances = 0;
    l.maxCullDistances = 0;
    l.maxCombinedClipAndCullDistances = 0;
    l.maxFragmentDualSrcAttachments = 0;

    l.maxFragmentInputComponents = 64;
    l.maxFragmentOutputAttachments = 4;
    l.maxFragmentCombinedOutputResources = 4;
    l.maxComputeSharedMemorySize = 16384;
    set(l.maxComputeWorkGroupCount, {65535u, 65535u, 65535u});
    l.maxComputeWorkGroupInvocations = 128;
    set(l.maxComputeWorkGroupSize, {128u, 128u, 64u});
}

void shrink_drawing(VkPhysicalDeviceLimits& l)
{
    l.subPixelPrecisionBits = 4;
    l.subTexelPrecisionBits = 4;
    l.mipmapPrecisionBits = 4;
    l.maxDrawIndexedIndexValue = (1u << 24) - 1;
    l.maxDrawIndirectCount = 1;
    l.maxViewports = 1;
    set(l.maxViewportDimensions, {4096u, 4096u});
    set(l.viewportBoundsRange, {-8192.0f, 8191.0f});
    l.viewportSubPixelBits = 0;
    l.maxFramebufferWidth = 4096;
    l.maxFramebufferHeight = 4096;
    l.maxFramebufferLayers = 256;
    l.framebufferColorSampleCounts = VK_SAMPLE_COUNT_1_BIT | VK_SAMPLE_COUNT_4_BIT;
    l.framebufferDepthSampleCounts = VK_SAMPLE_COUNT_1_BIT | VK_SAMPLE_COUNT_4_BIT;
    l.framebufferStencilSampleCounts = VK_SAMPLE_COUNT_1_BIT | VK_SAMPLE_COUNT_4_BIT;
    l.framebufferNoAttachmentsSampleCounts = VK_SAMPLE_COUNT_1_BIT | VK_SAMPLE_COUNT_4_BIT;
    l.maxColorAttachments = 4;
    l.maxSampleMaskWords = 1;
    l.timestampComputeAndGraphics = VK_FALSE;
    l.discreteQueuePriorities = 2;
    set(l.pointSizeRange, {1.0f, 1.0f});
    set(l.lineWidthRange, {1.0f, 1.0f});
    l.pointSizeGranularity = 0;
    l.lineWidthGranularity = 0;
    l.standardSampleLocations = VK_FALSE;
}

// The flags behind sType and pNext of a structure of features.
std::span<VkBool32> flags_of(VkBaseOutStructure* structure, std::size_t count)
{
    return {reinterpret_cast<VkBool32*>(structure + 1), count};
}

// Structures of Vulkan 1.1's optional features; a device without extensions is asked for no others.
std::size_t flags_in(VkStructureType type)
{
    switch (static_cast<int>(type))
    {
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES:
        return 4;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VARIABLE_POINTERS_FEATURES:
        return 2;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES:
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLER_YCBCR_CONVERSION_FEATURES:
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_DRAW_PARAMETERS_FEATURES:
        return 1;
    case kPortabilityFeatures:
        return kPortabilityFlags;
    default: // multiview is mandatory in Vulkan 1.1, its other features are optional
        return 0;
    }
}

} // namespace

VkResult smallest_extensions(uint32_t* count, VkExtensionProperties* properties)
{
    const uint32_t room = properties != nullptr ? *count : 1;
    *count = std::min(room, 1u);
    if (properties == nullptr || room == 0)
        return room == 0 ? VK_INCOMPLETE : VK_SUCCESS;
    *properties = {};
    std::string_view(kPortability).copy(properties->extensionName, sizeof properties->extensionName - 1);
    properties->specVersion = 1;
    return VK_SUCCESS;
}

void make_smallest(VkPhysicalDeviceFeatures& features)
{
    features = {};
    features.robustBufferAccess = VK_TRUE;
}

void make_smallest(VkPhysicalDeviceFeatures2& features)
{
    make_smallest(features.features);
    for (auto* next = static_cast<VkBaseOutStructure*>(features.pNext); next != nullptr; next = next->pNext)
        std::ranges::fill(flags_of(next, flags_in(next->sType)), VK_FALSE);
}

void make_smallest(VkPhysicalDeviceProperties& properties)
{
    properties.apiVersion = VK_MAKE_API_VERSION(0, 1, 1, VK_API_VERSION_PATCH(properties.apiVersion));
    properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_OTHER; // for a CPU the software renderer would be chosen
    properties.sparseProperties = {};
    shrink_images(properties.limits);
    shrink_memory(properties.limits);
    shrink_descriptors(properties.limits);
    shrink_stages(properties.limits);
    shrink_drawing(properties.limits);
}

void make_smallest(VkPhysicalDeviceProperties2& properties)
{
    make_smallest(properties.properties);
    for (auto* next = static_cast<VkBaseOutStructure*>(properties.pNext); next != nullptr; next = next->pNext)
        if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES)
        {
            auto* const maintenance = reinterpret_cast<VkPhysicalDeviceMaintenance3Properties*>(next);
            maintenance->maxPerSetDescriptors = 1024;
            maintenance->maxMemoryAllocationSize = 1u << 30;
        }
        else if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES)
        {
            auto* const subgroups = reinterpret_cast<VkPhysicalDeviceSubgroupProperties*>(next);
            subgroups->supportedStages = VK_SHADER_STAGE_COMPUTE_BIT;
            subgroups->supportedOperations = VK_SUBGROUP_FEATURE_BASIC_BIT;
            subgroups->quadOperationsInAllStages = VK_FALSE;
        }
        else if (next->sType == kPortabilityProperties)
            *reinterpret_cast<uint32_t*>(next + 1) = 4; // minVertexInputBindingStrideAlignment
}

// The tables "Mandatory format support" for the formats that the renderer names. Of depth with stencil a device has
// D24_UNORM_S8_UINT or D32_SFLOAT_S8_UINT; this one has the former, which the renderer does not use.
void make_smallest(VkFormat format, VkFormatProperties& properties)
{
    constexpr VkFormatFeatureFlags kCopied =
        VK_FORMAT_FEATURE_TRANSFER_SRC_BIT | VK_FORMAT_FEATURE_TRANSFER_DST_BIT;
    constexpr VkFormatFeatureFlags kImage =
        kCopied | VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_BLIT_SRC_BIT |
        VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT | VK_FORMAT_FEATURE_BLIT_DST_BIT;
    constexpr VkFormatFeatureFlags kStored = kImage | VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT;
    constexpr VkFormatFeatureFlags kDepth = kCopied | VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT |
                                            VK_FORMAT_FEATURE_BLIT_SRC_BIT |
                                            VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT;
    constexpr VkFormatFeatureFlags kTexels = VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT |
                                             VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT |
                                             VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT;
    constexpr VkFormatFeatureFlags kAtomic =
        VK_FORMAT_FEATURE_STORAGE_IMAGE_ATOMIC_BIT | VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_ATOMIC_BIT;
    VkFormatFeatureFlags image = 0, buffer = 0;
    switch (format)
    {
    case VK_FORMAT_R8G8B8A8_UNORM:
        image = kStored | VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT |
                VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
        buffer = kTexels;
        break;
    case VK_FORMAT_R8G8B8A8_UINT:
    case VK_FORMAT_R32G32_UINT:
    case VK_FORMAT_R32G32_SINT:
    case VK_FORMAT_R32G32B32A32_UINT:
    case VK_FORMAT_R32G32B32A32_SINT:
        image = kStored;
        buffer = kTexels;
        break;
    case VK_FORMAT_R32_UINT:
        image = kStored | kAtomic;
        buffer = kTexels | kAtomic;
        break;
    case VK_FORMAT_D32_SFLOAT:
    case VK_FORMAT_D24_UNORM_S8_UINT:
        image = kDepth;
        break;
    default:
        break;
    }
    // Linear images are mandatory for no feature.
    properties = {properties.linearTilingFeatures & image, properties.optimalTilingFeatures & image,
                  properties.bufferFeatures & buffer};
}

void make_smallest(VkImageFormatProperties& properties)
{
    properties.maxExtent.width = std::min(properties.maxExtent.width, 4096u);
    properties.maxExtent.height = std::min(properties.maxExtent.height, 4096u);
    properties.maxExtent.depth = std::min(properties.maxExtent.depth, 256u);
    properties.maxArrayLayers = std::min(properties.maxArrayLayers, 256u);
    properties.maxResourceSize = std::min(properties.maxResourceSize, VkDeviceSize{1} << 31);
}

SmallestCreateInfo::SmallestCreateInfo(const VkDeviceCreateInfo& original) : info(original)
{
    verdict = judge();
    info.enabledExtensionCount = 0;
    auto* before = reinterpret_cast<VkBaseOutStructure*>(&info);
    while (before->pNext != nullptr && before->pNext->sType != kPortabilityFeatures)
        before = before->pNext;
    if (before->pNext == nullptr)
        return;
    before_ = before;
    feature_ = before->pNext;
    before_->pNext = feature_->pNext;
}

SmallestCreateInfo::~SmallestCreateInfo()
{
    if (before_ != nullptr)
        before_->pNext = feature_;
}

VkResult SmallestCreateInfo::judge() const
{
    // Vulkan asks for the extension where the device has it.
    const bool has_it =
        info.enabledExtensionCount == 1 && std::strcmp(info.ppEnabledExtensionNames[0], kPortability) == 0;
    if (!has_it)
        return VK_ERROR_EXTENSION_NOT_PRESENT;
    VkPhysicalDeviceFeatures asked{};
    if (info.pEnabledFeatures != nullptr)
        asked = *info.pEnabledFeatures;
    bool more = false;
    for (auto* next = static_cast<VkBaseOutStructure*>(const_cast<void*>(info.pNext)); next != nullptr;
         next = next->pNext)
    {
        if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2)
            asked = reinterpret_cast<const VkPhysicalDeviceFeatures2*>(next)->features;
        for (const VkBool32 flag : flags_of(next, flags_in(next->sType)))
            more |= flag != VK_FALSE;
    }
    VkPhysicalDeviceFeatures had = asked;
    make_smallest(had);
    had.robustBufferAccess = asked.robustBufferAccess;
    return more || std::memcmp(&asked, &had, sizeof asked) != 0 ? VK_ERROR_FEATURE_NOT_PRESENT : VK_SUCCESS;
}

} // namespace fault_layer
