// SPDX-License-Identifier: MIT
#include "tests/fault_layer/physical_device.h"

#include "tests/fault_layer/layer_objects.h"
#include "tests/fault_layer/pretended_extensions.h"
#include "tests/fault_layer/smallest_device.h"

#include <cstdint>
#include <cstring>

namespace fault_layer
{

namespace
{

// The driver's functions, after a look at the rules.
PhysicalDeviceTable next_of(VkPhysicalDevice physical)
{
    rules.read_again(false);
    return instance_of(key(physical)).next;
}

bool is_smallest()
{
    return rules.value_of("smallest").has_value();
}

void change(VkFormat format, VkFormatProperties& properties)
{
    if (lacks(format))
        properties = {};
    if (is_smallest())
        make_smallest(format, properties);
}

void change(VkPhysicalDeviceProperties& properties)
{
    if (rules.value_of("pretend-cpu"))
        properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_CPU;
    if (is_smallest())
        make_smallest(properties);
}

VKAPI_ATTR void VKAPI_CALL format_properties(VkPhysicalDevice physical, VkFormat format,
                                             VkFormatProperties* out)
{
    next_of(physical).vkGetPhysicalDeviceFormatProperties(physical, format, out);
    change(format, *out);
}

VKAPI_ATTR void VKAPI_CALL format_properties2(VkPhysicalDevice physical, VkFormat format,
                                              VkFormatProperties2* out)
{
    next_of(physical).vkGetPhysicalDeviceFormatProperties2(physical, format, out);
    change(format, out->formatProperties);
}

VKAPI_ATTR VkResult VKAPI_CALL image_format_properties(VkPhysicalDevice physical, VkFormat format,
                                                       VkImageType type, VkImageTiling tiling,
                                                       VkImageUsageFlags usage, VkImageCreateFlags flags,
                                                       VkImageFormatProperties* out)
{
    const VkResult result = next_of(physical).vkGetPhysicalDeviceImageFormatProperties(
        physical, format, type, tiling, usage, flags, out);
    if (result == VK_SUCCESS && is_smallest())
        make_smallest(*out);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL image_format_properties2(VkPhysicalDevice physical,
                                                        const VkPhysicalDeviceImageFormatInfo2* info,
                                                        VkImageFormatProperties2* out)
{
    const VkResult result = next_of(physical).vkGetPhysicalDeviceImageFormatProperties2(physical, info, out);
    if (result == VK_SUCCESS && is_smallest())
        make_smallest(out->imageFormatProperties);
    return result;
}

VKAPI_ATTR void VKAPI_CALL properties(VkPhysicalDevice physical, VkPhysicalDeviceProperties* out)
{
    next_of(physical).vkGetPhysicalDeviceProperties(physical, out);
    change(*out);
}

VKAPI_ATTR void VKAPI_CALL properties2(VkPhysicalDevice physical, VkPhysicalDeviceProperties2* out)
{
    next_of(physical).vkGetPhysicalDeviceProperties2(physical, out);
    change(out->properties);
    if (is_smallest())
        make_smallest(*out);
}

// Timestamps are optional.
VKAPI_ATTR void VKAPI_CALL queue_families(VkPhysicalDevice physical, uint32_t* count,
                                          VkQueueFamilyProperties* out)
{
    next_of(physical).vkGetPhysicalDeviceQueueFamilyProperties(physical, count, out);
    for (uint32_t i = 0; out != nullptr && is_smallest() && i < *count; ++i)
        out[i].timestampValidBits = 0;
}

VKAPI_ATTR void VKAPI_CALL queue_families2(VkPhysicalDevice physical, uint32_t* count,
                                           VkQueueFamilyProperties2* out)
{
    next_of(physical).vkGetPhysicalDeviceQueueFamilyProperties2(physical, count, out);
    for (uint32_t i = 0; out != nullptr && is_smallest() && i < *count; ++i)
        out[i].queueFamilyProperties.timestampValidBits = 0;
}

VKAPI_ATTR VkResult VKAPI_CALL extensions(VkPhysicalDevice physical, const char* layer, uint32_t* count,
                                          VkExtensionProperties* out)
{
    const auto next = next_of(physical).vkEnumerateDeviceExtensionProperties;
    if (layer == nullptr && is_smallest())
        return smallest_extensions(count, out);
    if (layer != nullptr || !pretends())
        return next(physical, layer, count, out);
    return extensions_with_pretended(next, physical, count, out);
}

VKAPI_ATTR void VKAPI_CALL features(VkPhysicalDevice physical, VkPhysicalDeviceFeatures* out)
{
    next_of(physical).vkGetPhysicalDeviceFeatures(physical, out);
    if (is_smallest())
        make_smallest(*out);
}

VKAPI_ATTR void VKAPI_CALL features2(VkPhysicalDevice physical, VkPhysicalDeviceFeatures2* out)
{
    next_of(physical).vkGetPhysicalDeviceFeatures2(physical, out);
    if (is_smallest())
        make_smallest(*out);
    else if (pretends())
        add_pretended(*out);
}

} // namespace

bool lacks(VkFormat format)
{
    const bool no_float = rules.value_of("no-depth-float").has_value();
    const bool no_stencil = no_float || rules.value_of("no-depth-stencil") || is_smallest();
    return (format == VK_FORMAT_D32_SFLOAT_S8_UINT && no_stencil) ||
           (format == VK_FORMAT_D32_SFLOAT && no_float);
}

PFN_vkVoidFunction own_physical_device_function(const char* name)
{
    const auto is = [name](const char* other) { return std::strcmp(name, other) == 0; };
#define OWN(vulkan, own)                                                                                     \
    if (is(#vulkan) || is(#vulkan "KHR"))                                                                    \
        return reinterpret_cast<PFN_vkVoidFunction>(static_cast<PFN_##vulkan>(own));
    OWN(vkGetPhysicalDeviceFormatProperties, format_properties)
    OWN(vkGetPhysicalDeviceFormatProperties2, format_properties2)
    OWN(vkGetPhysicalDeviceImageFormatProperties, image_format_properties)
    OWN(vkGetPhysicalDeviceImageFormatProperties2, image_format_properties2)
    OWN(vkGetPhysicalDeviceProperties, properties)
    OWN(vkGetPhysicalDeviceProperties2, properties2)
    OWN(vkGetPhysicalDeviceQueueFamilyProperties, queue_families)
    OWN(vkGetPhysicalDeviceQueueFamilyProperties2, queue_families2)
    OWN(vkEnumerateDeviceExtensionProperties, extensions)
    OWN(vkGetPhysicalDeviceFeatures, features)
    OWN(vkGetPhysicalDeviceFeatures2, features2)
#undef OWN
    return nullptr;
}

} // namespace fault_layer
