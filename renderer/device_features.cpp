// SPDX-License-Identifier: MIT
// The logical device. Each optional feature is asked for only if the driver has it, no quirk and no mask
// entry names it, and its extension is enabled with it.
#include "renderer/device.h"

#include "renderer/quirks.h"

#include <algorithm>
#include <cstring>

namespace renderer
{

namespace
{

bool has(const std::vector<VkExtensionProperties>& extensions, const char* name)
{
    return std::any_of(extensions.begin(), extensions.end(),
                       [name](const VkExtensionProperties& e)
                       { return std::strcmp(e.extensionName, name) == 0; });
}

std::vector<VkExtensionProperties> device_extensions(VkPhysicalDevice physical)
{
    u32 count = 0;
    std::vector<VkExtensionProperties> list;
    if (vkEnumerateDeviceExtensionProperties(physical, nullptr, &count, nullptr) != VK_SUCCESS)
        return list;
    list.resize(count);
    if (vkEnumerateDeviceExtensionProperties(physical, nullptr, &count, list.data()) < 0)
        count = 0;
    list.resize(count);
    return list;
}

} // namespace

Status Device::create_logical(const DeviceOptions& options)
{
    const std::vector<VkExtensionProperties> available = device_extensions(physical);
    const auto exists = [&](const char* name) { return has(available, name); };

    // Driver facts of 1.2 through the extension, where there is one.
    auto driver = make<VkPhysicalDeviceDriverProperties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES);
    auto controls = make<VkPhysicalDeviceFloatControlsProperties>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES);
    auto ids = make<VkPhysicalDeviceIDProperties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES);
    auto properties2 = make<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
    properties2.pNext = &ids;
    if (exists(VK_KHR_DRIVER_PROPERTIES_EXTENSION_NAME))
    {
        driver.pNext = properties2.pNext;
        properties2.pNext = &driver;
    }
    const bool has_controls = exists(VK_KHR_SHADER_FLOAT_CONTROLS_EXTENSION_NAME);
    if (has_controls)
    {
        controls.pNext = properties2.pNext;
        properties2.pNext = &controls;
    }
    vkGetPhysicalDeviceProperties2(physical, &properties2);
    driver_id = driver.driverID;
    std::memcpy(driver_uuid, ids.driverUUID, VK_UUID_SIZE);
    driver_info = driver.driverInfo;

    const auto masked = [&](const char* name)
    {
        for (const Quirk& quirk : kQuirks)
            if (quirk.driver == driver_id && properties.driverVersion >= quirk.first_version &&
                properties.driverVersion <= quirk.last_version && std::strcmp(quirk.mask, name) == 0)
            {
                if (report)
                    report->report(pica::ReportKind::Info, name, quirk.reason);
                return true;
            }
        return std::find(options.mask.begin(), options.mask.end(), name) != options.mask.end();
    };

    // Features.
    auto order = make<VkPhysicalDeviceRasterizationOrderAttachmentAccessFeaturesEXT>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RASTERIZATION_ORDER_ATTACHMENT_ACCESS_FEATURES_EXT);
    auto interlock = make<VkPhysicalDeviceFragmentShaderInterlockFeaturesEXT>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADER_INTERLOCK_FEATURES_EXT);
    auto features2 = make<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
    const char* order_extension = nullptr;
    for (const char* name : {VK_EXT_RASTERIZATION_ORDER_ATTACHMENT_ACCESS_EXTENSION_NAME,
                             VK_ARM_RASTERIZATION_ORDER_ATTACHMENT_ACCESS_EXTENSION_NAME})
        if (!order_extension && exists(name) && !masked("rasterization_order"))
            order_extension = name;
    if (order_extension)
    {
        order.pNext = features2.pNext;
        features2.pNext = &order;
    }
    const bool try_interlock =
        exists(VK_EXT_FRAGMENT_SHADER_INTERLOCK_EXTENSION_NAME) && !masked("interlock");
    if (try_interlock)
    {
        interlock.pNext = features2.pNext;
        features2.pNext = &interlock;
    }
    // VkPhysicalDevicePortabilitySubsetFeaturesKHR is a beta structure: its fields are read through this
    // copy.
    struct PortabilityFeatures
    {
        VkStructureType type;
        void* next;
        VkBool32 flags[15]; // vertexAttributeAccessBeyondStride is the last one
    };
    PortabilityFeatures portability{static_cast<VkStructureType>(1000163000), nullptr, {}};
    constexpr const char* kPortability = "VK_KHR_portability_subset";
    const bool portable = exists(kPortability);
    if (portable)
    {
        portability.next = features2.pNext;
        features2.pNext = &portability;
    }
    vkGetPhysicalDeviceFeatures2(physical, &features2);

    std::vector<const char*> extensions;
    features.rasterization_order_access = order_extension && order.rasterizationOrderColorAttachmentAccess;
    order.rasterizationOrderDepthAttachmentAccess = VK_FALSE;
    order.rasterizationOrderStencilAttachmentAccess = VK_FALSE;
    if (order_extension)
        extensions.push_back(order_extension);
    features.fragment_interlock = try_interlock && interlock.fragmentShaderPixelInterlock;
    interlock.fragmentShaderSampleInterlock = VK_FALSE;
    interlock.fragmentShaderShadingRateInterlock = VK_FALSE;
    if (try_interlock)
        extensions.push_back(VK_EXT_FRAGMENT_SHADER_INTERLOCK_EXTENSION_NAME);
    if (portable)
        extensions.push_back(kPortability);
    features.beyond_stride = (!portable || portability.flags[14] != VK_FALSE) && !masked("beyond_stride");
    if (has_controls && !masked("float_controls"))
    {
        extensions.push_back(VK_KHR_SHADER_FLOAT_CONTROLS_EXTENSION_NAME);
        features.float_rte = controls.shaderRoundingModeRTEFloat32 && !masked("float_rte");
        features.float_nan_preserve =
            controls.shaderSignedZeroInfNanPreserveFloat32 && !masked("nan_preserve");
    }
    const VkPhysicalDeviceFeatures had = features2.features;
    features.logic_op = had.logicOp && !masked("logic_op");
    features.fragment_stores = had.fragmentStoresAndAtomics;
    // An interlocked shader stores to the destination.
    features.fragment_interlock = features.fragment_interlock && features.fragment_stores;
    // Vulkan promises no more texels in a view.
    if (masked("large_texel_buffers"))
        properties.limits.maxTexelBufferElements = 65536;
    features.is_cpu = properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    for (const LateCompiler& late : kCompilesLate)
        features.compiles_late |= late.driver == driver_id &&
                                  properties.driverVersion >= late.first_version &&
                                  properties.driverVersion <= late.last_version;
    features2.features = {};
    features2.features.logicOp = features.logic_op;
    features2.features.fragmentStoresAndAtomics = had.fragmentStoresAndAtomics;
    features2.features.robustBufferAccess = had.robustBufferAccess;

    VkFormatProperties depth{};
    vkGetPhysicalDeviceFormatProperties(physical, VK_FORMAT_D32_SFLOAT_S8_UINT, &depth);
    constexpr VkFormatFeatureFlags kDepthNeeds = VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT |
                                                 VK_FORMAT_FEATURE_TRANSFER_SRC_BIT |
                                                 VK_FORMAT_FEATURE_TRANSFER_DST_BIT;
    features.depth_stencil_d32s8 = (depth.optimalTilingFeatures & kDepthNeeds) == kDepthNeeds;

    const f32 priority = 1.0f;
    auto queue_info = make<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
    queue_info.queueFamilyIndex = queue_family;
    queue_info.queueCount = 1;
    queue_info.pQueuePriorities = &priority;
    auto info = make<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
    info.pNext = &features2;
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue_info;
    info.enabledExtensionCount = static_cast<u32>(extensions.size());
    info.ppEnabledExtensionNames = extensions.data();
    if (Status status = check(vkCreateDevice(physical, &info, nullptr, &handle), "vkCreateDevice"); !status)
        return status;
    volkLoadDeviceTable(&vk, handle);
    vk.vkGetDeviceQueue(handle, queue_family, 0, &queue);
    return {};
}

} // namespace renderer
