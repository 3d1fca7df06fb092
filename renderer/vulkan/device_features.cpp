// SPDX-License-Identifier: MIT
#include "renderer/vulkan/device_features.h"

#include "renderer/vulkan/quirks.h"

#include <algorithm>
#include <cstring>

namespace renderer
{

namespace
{

constexpr const char* kPortability = "VK_KHR_portability_subset";
constexpr auto kPortabilityType = static_cast<VkStructureType>(1000163000);

std::vector<VkExtensionProperties> device_extensions(const InstanceTable& api, VkPhysicalDevice physical)
{
    u32 count = 0;
    std::vector<VkExtensionProperties> list;
    if (api.vkEnumerateDeviceExtensionProperties(physical, nullptr, &count, nullptr) != VK_SUCCESS)
        return list;
    list.resize(count);
    if (api.vkEnumerateDeviceExtensionProperties(physical, nullptr, &count, list.data()) < 0)
        count = 0;
    list.resize(count);
    return list;
}

// Can images of the format be depth buffers that are loaded and stored by copies?
bool has_depth_format(const InstanceTable& api, VkPhysicalDevice physical, VkFormat format)
{
    VkFormatProperties properties{};
    api.vkGetPhysicalDeviceFormatProperties(physical, format, &properties);
    constexpr VkFormatFeatureFlags kNeeds = VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT |
                                            VK_FORMAT_FEATURE_TRANSFER_SRC_BIT |
                                            VK_FORMAT_FEATURE_TRANSFER_DST_BIT;
    return (properties.optimalTilingFeatures & kNeeds) == kNeeds;
}

} // namespace

s32 find_queue_family(const InstanceTable& api, VkPhysicalDevice physical, s32 wanted)
{
    u32 count = 0;
    api.vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    api.vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families.data());
    constexpr VkQueueFlags kNeeded = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    for (u32 i = 0; i < count; ++i)
        if ((families[i].queueFlags & kNeeded) == kNeeded && families[i].queueCount > 0 &&
            (wanted < 0 || i == static_cast<u32>(wanted)))
            return static_cast<s32>(i);
    return -1;
}

EnabledFeatures EnabledFeatures::of(const VkDeviceCreateInfo& info)
{
    EnabledFeatures enabled;
    for (u32 i = 0; i < info.enabledExtensionCount; ++i)
        enabled.extensions.emplace_back(info.ppEnabledExtensionNames[i]);
    const auto core = [&](const VkPhysicalDeviceFeatures& features)
    {
        enabled.logic_op = features.logicOp;
        enabled.multi_draw_indirect = features.multiDrawIndirect;
        enabled.fragment_stores = features.fragmentStoresAndAtomics;
        enabled.robust_access = features.robustBufferAccess;
    };
    if (info.pEnabledFeatures != nullptr)
        core(*info.pEnabledFeatures);
    for (auto* next = static_cast<const VkBaseInStructure*>(info.pNext); next != nullptr; next = next->pNext)
    {
        const void* const structure = next;
        switch (static_cast<int>(next->sType))
        {
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2:
            core(static_cast<const VkPhysicalDeviceFeatures2*>(structure)->features);
            break;
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RASTERIZATION_ORDER_ATTACHMENT_ACCESS_FEATURES_EXT:
            enabled.rasterization_order =
                static_cast<const VkPhysicalDeviceRasterizationOrderAttachmentAccessFeaturesEXT*>(structure)
                    ->rasterizationOrderColorAttachmentAccess;
            break;
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADER_INTERLOCK_FEATURES_EXT:
            enabled.pixel_interlock =
                static_cast<const VkPhysicalDeviceFragmentShaderInterlockFeaturesEXT*>(structure)
                    ->fragmentShaderPixelInterlock;
            break;
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES:
            enabled.timeline_semaphore =
                static_cast<const VkPhysicalDeviceTimelineSemaphoreFeatures*>(structure)->timelineSemaphore;
            break;
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES:
            enabled.timeline_semaphore =
                static_cast<const VkPhysicalDeviceVulkan12Features*>(structure)->timelineSemaphore;
            break;
        case kPortabilityType:
            enabled.beyond_stride = static_cast<const PortabilityFeatures*>(structure)->flags[14] != VK_FALSE;
            break;
        default:
            break;
        }
    }
    return enabled;
}

bool lists_extension(const std::vector<VkExtensionProperties>& extensions, const char* name)
{
    return std::any_of(extensions.begin(), extensions.end(),
                       [name](const VkExtensionProperties& e)
                       { return std::strcmp(e.extensionName, name) == 0; });
}

bool EnabledFeatures::has(const char* extension) const
{
    return std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
}

void DeviceSupport::query_properties(const InstanceTable& api, VkPhysicalDevice physical, bool has_driver,
                                     bool has_controls)
{
    auto driver = make<VkPhysicalDeviceDriverProperties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES);
    auto ids = make<VkPhysicalDeviceIDProperties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES);
    controls_ = make<VkPhysicalDeviceFloatControlsProperties>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES);
    auto subgroups =
        make<VkPhysicalDeviceSubgroupProperties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES);
    auto properties2 = make<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
    properties2.pNext = &ids;
    ids.pNext = &subgroups;
    if (has_driver)
    {
        driver.pNext = properties2.pNext;
        properties2.pNext = &driver;
    }
    if (has_controls)
    {
        controls_.pNext = properties2.pNext;
        properties2.pNext = &controls_;
    }
    api.vkGetPhysicalDeviceProperties2(physical, &properties2);
    driver_id = driver.driverID;
    std::memcpy(driver_uuid, ids.driverUUID, VK_UUID_SIZE);
    driver_name = driver.driverName;
    driver_info = driver.driverInfo;
    fragment_votes_ = (subgroups.supportedStages & VK_SHADER_STAGE_FRAGMENT_BIT) != 0 &&
                      (subgroups.supportedOperations & VK_SUBGROUP_FEATURE_VOTE_BIT) != 0;
}

void DeviceSupport::chain(void* structure)
{
    static_cast<VkBaseOutStructure*>(structure)->pNext = static_cast<VkBaseOutStructure*>(features2.pNext);
    features2.pNext = structure;
}

void DeviceSupport::add(bool extension, const char* name, const char* purpose, bool required)
{
    requirements.push_back({name, extension, required, purpose});
    if (!extension)
        return;
    extensions.insert(required ? extensions.begin() + required_extensions : extensions.end(), name);
    required_extensions += required;
}

// The features that are not used: what the caller names, and what the driver gets wrong (quirks.h).
class DeviceSupport::Mask
{
public:
    Mask(const DeviceSupport& support, const std::vector<std::string>& names, pica::Report* report)
        : support_(support), names_(names), report_(report)
    {
    }
    // Quirks are reported.
    bool operator()(const char* feature) const
    {
        for (const Quirk& quirk : kQuirks)
            if (is_driver(quirk) && std::strcmp(quirk.mask, feature) == 0)
            {
                if (report_)
                    report_->report(pica::ReportKind::Info, feature, quirk.reason);
                return true;
            }
        return std::find(names_.begin(), names_.end(), feature) != names_.end();
    }
    // Is the device's driver the one that an entry of quirks.h names?
    template <typename Entry>
    bool is_driver(const Entry& entry) const
    {
        return renderer::is_driver(entry, support_.driver_id, support_.properties.driverVersion);
    }

private:
    const DeviceSupport& support_;
    const std::vector<std::string>& names_;
    pica::Report* report_;
};

// Optional extensions that the device has and that are not masked.
struct DeviceSupport::Offered
{
    const char* order = nullptr; // the name under which the device has raster order access
    bool interlock = false;
    bool timeline = false;
    bool feedback = false;
    bool controls = false;
};

Result<std::unique_ptr<DeviceSupport>> DeviceSupport::query(const InstanceTable& api,
                                                            VkPhysicalDevice physical, u32 api_version,
                                                            const std::vector<std::string>& mask,
                                                            pica::Report* report)
{
    std::unique_ptr<DeviceSupport> support(new DeviceSupport);
    DeviceSupport& s = *support;
    api.vkGetPhysicalDeviceProperties(physical, &s.properties);
    const std::string name = s.properties.deviceName;
    if (api_version < VK_API_VERSION_1_1)
        return Error{"the Vulkan instance was not made for Vulkan 1.1 (VkApplicationInfo::apiVersion)"};
    if (s.properties.apiVersion < VK_API_VERSION_1_1)
        return Error{name + ": older than Vulkan 1.1"};
    const s32 family = find_queue_family(api, physical);
    if (family < 0)
        return Error{name + ": no queue for both graphics and compute"};
    s.queue_family = static_cast<u32>(family);
    s.is_1_2_ = std::min(api_version, s.properties.apiVersion) >= VK_API_VERSION_1_2;

    const std::vector<VkExtensionProperties> available = device_extensions(api, physical);
    const auto exists = [&](const char* extension) { return lists_extension(available, extension); };
    const bool has_controls = exists(VK_KHR_SHADER_FLOAT_CONTROLS_EXTENSION_NAME);
    // The driver's properties of Vulkan 1.2 are read through the extension, where the device has it.
    s.query_properties(api, physical, exists(VK_KHR_DRIVER_PROPERTIES_EXTENSION_NAME), has_controls);

    const Mask masked(s, mask, report);
    Offered offered;
    for (const char* extension : {VK_EXT_RASTERIZATION_ORDER_ATTACHMENT_ACCESS_EXTENSION_NAME,
                                  VK_ARM_RASTERIZATION_ORDER_ATTACHMENT_ACCESS_EXTENSION_NAME})
        if (!offered.order && exists(extension) && !masked("rasterization_order"))
            offered.order = extension;
    offered.interlock = exists(VK_EXT_FRAGMENT_SHADER_INTERLOCK_EXTENSION_NAME) && !masked("interlock");
    offered.timeline = exists(VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME) && !masked("timeline_semaphore");
    offered.feedback =
        exists(VK_EXT_PIPELINE_CREATION_FEEDBACK_EXTENSION_NAME) && !masked("creation_feedback");
    offered.controls = has_controls && !masked("float_controls");
    s.is_portable_ = exists(kPortability);
    s.query_features(api, physical, offered);
    const VkPhysicalDeviceFeatures had = s.features2.features;
    s.features2.features = {};
    s.choose_core_features(had, masked);
    s.choose_extensions(offered, masked);
    s.apply_quirks(masked);

    s.features.depth_stencil =
        has_depth_format(api, physical, VK_FORMAT_D32_SFLOAT_S8_UINT) && !masked("depth_stencil");
    s.features.depth_float =
        s.features.depth_stencil || has_depth_format(api, physical, VK_FORMAT_D32_SFLOAT);
    return support;
}

// Builds the chain and fills it with what the device has.
void DeviceSupport::query_features(const InstanceTable& api, VkPhysicalDevice physical,
                                   const Offered& offered)
{
    order_ = make<VkPhysicalDeviceRasterizationOrderAttachmentAccessFeaturesEXT>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RASTERIZATION_ORDER_ATTACHMENT_ACCESS_FEATURES_EXT);
    interlock_ = make<VkPhysicalDeviceFragmentShaderInterlockFeaturesEXT>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADER_INTERLOCK_FEATURES_EXT);
    timeline_ = make<VkPhysicalDeviceTimelineSemaphoreFeatures>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES);
    portability_.type = kPortabilityType;
    features2 = make<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
    if (offered.order)
        chain(&order_);
    if (offered.interlock)
        chain(&interlock_);
    if (offered.timeline)
        chain(&timeline_);
    if (is_portable_)
        chain(&portability_);
    api.vkGetPhysicalDeviceFeatures2(physical, &features2);
}

// had: the features of Vulkan 1.0 that the device has.
void DeviceSupport::choose_core_features(const VkPhysicalDeviceFeatures& had, const Mask& masked)
{
    features2.features.robustBufferAccess = had.robustBufferAccess;
    add(false, "robustBufferAccess", "guests that read beyond their buffers harm nobody", true);
    if (is_portable_)
        add(true, kPortability, "Vulkan asks for it where the device has it", true);
    features.fragment_stores = had.fragmentStoresAndAtomics;
    features2.features.fragmentStoresAndAtomics = features.fragment_stores;
    if (features.fragment_stores)
        add(false, "fragmentStoresAndAtomics", "the interlock stores");
    features.logic_op = had.logicOp && !masked("logic_op");
    features2.features.logicOp = features.logic_op;
    if (features.logic_op)
        add(false, "logicOp", "logic operations need no shader that reads the target");
    features.multi_draw_indirect = had.multiDrawIndirect && !masked("multi_draw_indirect");
    features2.features.multiDrawIndirect = features.multi_draw_indirect;
    if (features.multi_draw_indirect)
        add(false, "multiDrawIndirect", "one command for draws that differ in their vertices only");
}

void DeviceSupport::choose_extensions(const Offered& offered, const Mask& masked)
{
    features.rasterization_order_access = offered.order && order_.rasterizationOrderColorAttachmentAccess;
    order_.rasterizationOrderDepthAttachmentAccess = VK_FALSE;
    order_.rasterizationOrderStencilAttachmentAccess = VK_FALSE;
    if (offered.order)
    {
        add(true, offered.order, "blending that reads the target needs no barrier between draws");
        add(false, "rasterizationOrderColorAttachmentAccess", "as its extension");
    }
    // The interlock path stores to an image.
    features.fragment_interlock =
        offered.interlock && interlock_.fragmentShaderPixelInterlock && features.fragment_stores;
    interlock_.fragmentShaderSampleInterlock = VK_FALSE;
    interlock_.fragmentShaderShadingRateInterlock = VK_FALSE;
    if (offered.interlock)
    {
        add(true, VK_EXT_FRAGMENT_SHADER_INTERLOCK_EXTENSION_NAME, "the same, where it is asked for");
        add(false, "fragmentShaderPixelInterlock", "as its extension");
    }
    features.timeline_semaphore = offered.timeline && timeline_.timelineSemaphore;
    if (offered.timeline)
    {
        add(true, VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME,
            "pictures are handed out with a value to wait for");
        add(false, "timelineSemaphore", "as its extension");
    }
    features.creation_feedback = offered.feedback;
    if (offered.feedback)
        add(true, VK_EXT_PIPELINE_CREATION_FEEDBACK_EXTENSION_NAME,
            "statistics tell which pipelines were compiled");
    if (offered.controls)
    {
        add(true, VK_KHR_SHADER_FLOAT_CONTROLS_EXTENSION_NAME, "shaders state how they round");
        features.float_rte = controls_.shaderRoundingModeRTEFloat32 && !masked("float_rte");
        features.float_nan_preserve =
            controls_.shaderSignedZeroInfNanPreserveFloat32 && !masked("nan_preserve");
    }
    features.beyond_stride =
        (!is_portable_ || portability_.flags[14] != VK_FALSE) && !masked("beyond_stride");
}

// Limits that tests make smaller, and what is known of the driver's compiler.
void DeviceSupport::apply_quirks(const Mask& masked)
{
    // The smallest limit that Vulkan allows.
    if (masked("large_texel_buffers"))
        properties.limits.maxTexelBufferElements = 65536;
    // Smaller than on any device, so that tests need little guest memory to exceed it.
    if (masked("large_storage_buffers"))
        properties.limits.maxStorageBufferRange = 0x12000;
    // As where a descriptor reaches no more.
    if (masked("planes_at_once"))
        features.planes_at_once = 2;
    features.is_cpu = properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU && !masked("cpu");
    for (const DriverRule& late : kCompilesLate)
        features.compiles_late |= masked.is_driver(late) && !masked("late_compiler");
    for (const DriverRule& compiler : kBranches)
        features.branches |= masked.is_driver(compiler) && !masked("branches");
    // llvmpipe runs both sides of a branch anyway, and votes with a loop.
    features.votes = fragment_votes_ && !features.is_cpu && !masked("votes");
    for (const DriverRule& gatherer : kGathers)
        features.gathers |= masked.is_driver(gatherer) && !masked("gathers");
    for (const DriverRule& flat : kFlatConstants)
        features.flat_constants |= masked.is_driver(flat) && !masked("flat_constants");
    // llvmpipe does not gain by it, and tests look for functions that a device shall compute wrongly.
    features.inlined_calls = !features.is_cpu && !masked("inlined_calls");
}

Status DeviceSupport::usable() const
{
    if (!features.depth_float)
        return Error{"no D32_SFLOAT depth buffer"};
    return {};
}

Result<Features> DeviceSupport::features_of(const EnabledFeatures& enabled) const
{
    const auto lacks = [](const std::string& what)
    { return Error{"the host's Vulkan device was made without " + what + ", which is required"}; };
    for (u32 i = 0; i < required_extensions; ++i)
        if (!enabled.has(extensions[i]))
            return lacks(extensions[i]);
    if (!enabled.robust_access)
        return lacks("the feature robustBufferAccess");
    Features f = features;
    const auto any_order = [&]
    {
        return enabled.has(VK_EXT_RASTERIZATION_ORDER_ATTACHMENT_ACCESS_EXTENSION_NAME) ||
               enabled.has(VK_ARM_RASTERIZATION_ORDER_ATTACHMENT_ACCESS_EXTENSION_NAME);
    };
    f.fragment_stores &= enabled.fragment_stores;
    f.logic_op &= enabled.logic_op;
    f.multi_draw_indirect &= enabled.multi_draw_indirect;
    f.rasterization_order_access &= enabled.rasterization_order && any_order();
    f.fragment_interlock &= enabled.pixel_interlock && enabled.fragment_stores &&
                            enabled.has(VK_EXT_FRAGMENT_SHADER_INTERLOCK_EXTENSION_NAME);
    f.timeline_semaphore &=
        enabled.timeline_semaphore && (is_1_2_ || enabled.has(VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME));
    f.creation_feedback &= enabled.has(VK_EXT_PIPELINE_CREATION_FEEDBACK_EXTENSION_NAME);
    const bool controls = is_1_2_ || enabled.has(VK_KHR_SHADER_FLOAT_CONTROLS_EXTENSION_NAME);
    f.float_rte &= controls;
    f.float_nan_preserve &= controls;
    f.beyond_stride &= !is_portable_ || enabled.beyond_stride;
    return f;
}

} // namespace renderer
