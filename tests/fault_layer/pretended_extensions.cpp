// SPDX-License-Identifier: MIT
#include "tests/fault_layer/pretended_extensions.h"

#include "tests/fault_layer/layer_objects.h"
#include "tests/fault_layer/pretended_cache.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace
{

struct Pretended
{
    const char* rule;
    const char* extension;
    VkStructureType feature;
};
constexpr Pretended kPretended[] = {
    {"pretend-interlock", VK_EXT_FRAGMENT_SHADER_INTERLOCK_EXTENSION_NAME,
     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADER_INTERLOCK_FEATURES_EXT},
    {"pretend-statistics", VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME,
     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR},
};

std::vector<Pretended> asked_for()
{
    std::vector<Pretended> asked;
    for (const Pretended& pretended : kPretended)
        if (fault_layer::rules.value_of(pretended.rule))
            asked.push_back(pretended);
    return asked;
}

template <typename T>
void copy_text(T& field, std::string_view text)
{
    field[text.copy(field, sizeof field - 1)] = '\0';
}

VKAPI_ATTR VkResult VKAPI_CALL executables(VkDevice, const VkPipelineInfoKHR*, uint32_t* count,
                                           VkPipelineExecutablePropertiesKHR* out)
{
    if (out != nullptr && *count != 0)
    {
        copy_text(out->name, "pretended");
        copy_text(out->description, "made up by the fault layer");
        out->subgroupSize = 8;
    }
    *count = 1;
    return VK_SUCCESS;
}

// One statistic of each kind.
VKAPI_ATTR VkResult VKAPI_CALL statistics(VkDevice, const VkPipelineExecutableInfoKHR*, uint32_t* count,
                                          VkPipelineExecutableStatisticKHR* out)
{
    constexpr const char* kNames[] = {"spills", "balance", "instructions", "occupancy"};
    for (uint32_t i = 0; out != nullptr && i < std::min(*count, 4u); ++i)
    {
        copy_text(out[i].name, kNames[i]);
        out[i].format = static_cast<VkPipelineExecutableStatisticFormatKHR>(i);
        out[i].value = {};
    }
    if (out != nullptr && *count >= 4)
    {
        out[0].value.b32 = VK_TRUE;
        out[1].value.i64 = -3;
        out[2].value.u64 = 5'000'000'000;
        out[3].value.f64 = 0.75;
    }
    *count = 4;
    return VK_SUCCESS;
}

} // namespace

bool pretends()
{
    return !asked_for().empty();
}

VkResult extensions_with_pretended(PFN_vkEnumerateDeviceExtensionProperties next, VkPhysicalDevice physical,
                                   uint32_t* count, VkExtensionProperties* properties)
{
    uint32_t known = 0;
    if (const VkResult result = next(physical, nullptr, &known, nullptr); result != VK_SUCCESS)
        return result;
    std::vector<VkExtensionProperties> all(known);
    if (const VkResult result = next(physical, nullptr, &known, all.data()); result != VK_SUCCESS)
        return result;
    for (const Pretended& pretended : asked_for())
    {
        copy_text(all.emplace_back().extensionName, pretended.extension);
        all.back().specVersion = 1;
    }
    if (properties == nullptr)
    {
        *count = static_cast<uint32_t>(all.size());
        return VK_SUCCESS;
    }
    const uint32_t room = std::min(*count, static_cast<uint32_t>(all.size()));
    std::copy_n(all.begin(), room, properties);
    *count = room;
    return room < all.size() ? VK_INCOMPLETE : VK_SUCCESS;
}

void add_pretended(VkPhysicalDeviceFeatures2& features)
{
    const std::vector<Pretended> asked = asked_for();
    for (auto* next = static_cast<VkBaseOutStructure*>(features.pNext); next != nullptr; next = next->pNext)
        for (const Pretended& pretended : asked)
        {
            if (next->sType != pretended.feature)
                continue;
            if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADER_INTERLOCK_FEATURES_EXT)
                reinterpret_cast<VkPhysicalDeviceFragmentShaderInterlockFeaturesEXT*>(next)
                    ->fragmentShaderPixelInterlock = VK_TRUE;
            else
                reinterpret_cast<VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR*>(next)
                    ->pipelineExecutableInfo = VK_TRUE;
        }
}

PFN_vkVoidFunction pretended_function(const char* name)
{
    if (const PFN_vkVoidFunction own = fault_layer::pipeline_cache_function(name))
        return own;
    if (!fault_layer::rules.value_of("pretend-statistics"))
        return nullptr;
    if (std::strcmp(name, "vkGetPipelineExecutablePropertiesKHR") == 0)
        return reinterpret_cast<PFN_vkVoidFunction>(executables);
    if (std::strcmp(name, "vkGetPipelineExecutableStatisticsKHR") == 0)
        return reinterpret_cast<PFN_vkVoidFunction>(statistics);
    return nullptr;
}

WithoutPretended::WithoutPretended(const VkDeviceCreateInfo& original) : info(original)
{
    const std::vector<Pretended> asked = asked_for();
    for (uint32_t i = 0; i < info.enabledExtensionCount; ++i)
        if (std::none_of(asked.begin(), asked.end(),
                         [&](const Pretended& pretended)
                         { return std::strcmp(info.ppEnabledExtensionNames[i], pretended.extension) == 0; }))
            extensions_.push_back(info.ppEnabledExtensionNames[i]);
    info.enabledExtensionCount = static_cast<uint32_t>(extensions_.size());
    info.ppEnabledExtensionNames = extensions_.data();
    for (auto* before = reinterpret_cast<VkBaseOutStructure*>(&info); before->pNext != nullptr;)
    {
        if (std::none_of(asked.begin(), asked.end(),
                         [&](const Pretended& pretended)
                         { return before->pNext->sType == pretended.feature; }))
        {
            before = before->pNext;
            continue;
        }
        taken_.push_back({before, before->pNext});
        before->pNext = before->pNext->pNext;
    }
}

WithoutPretended::~WithoutPretended()
{
    for (std::size_t i = taken_.size(); i-- > 0;)
        taken_[i].before->pNext = taken_[i].feature;
}
