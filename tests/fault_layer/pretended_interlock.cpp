// SPDX-License-Identifier: MIT
#include "tests/fault_layer/pretended_interlock.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace
{

using Words = std::span<const uint32_t>;

// From the specification of SPIR-V.
constexpr uint32_t kHeaderWords = 5;
enum Op : uint32_t
{
    OpExtension = 10,
    OpExecutionMode = 16,
    OpCapability = 17,
    OpImageWrite = 99,
    OpBeginInvocationInterlock = 5364,
    OpEndInvocationInterlock = 5365,
};
constexpr uint32_t kPixelInterlockOrdered = 5366; // execution mode
constexpr uint32_t kPixelInterlock = 5378;        // capability

constexpr const char* kExtension = VK_EXT_FRAGMENT_SHADER_INTERLOCK_EXTENSION_NAME;

// The instructions that are not left out.
template <typename LeavesOut>
std::vector<uint32_t> filtered(Words module, LeavesOut leaves_out)
{
    std::vector<uint32_t> result(module.begin(), module.begin() + kHeaderWords);
    for (std::size_t at = kHeaderWords; at < module.size();)
    {
        const std::size_t words = std::max(module[at] >> 16, 1u);
        const Words instruction = module.subspan(at, std::min(words, module.size() - at));
        if (!leaves_out(module[at] & 0xFFFF, instruction))
            result.insert(result.end(), instruction.begin(), instruction.end());
        at += words;
    }
    return result;
}

bool is_of_interlock(uint32_t op, Words words)
{
    switch (op)
    {
    case OpExtension:
        return std::strncmp(reinterpret_cast<const char*>(words.data() + 1),
                            "SPV_EXT_fragment_shader_interlock", (words.size() - 1) * 4) == 0;
    case OpExecutionMode:
        return words[2] == kPixelInterlockOrdered;
    case OpCapability:
        return words[1] == kPixelInterlock;
    default:
        return op == OpBeginInvocationInterlock || op == OpEndInvocationInterlock;
    }
}

bool is_feature(const void* structure)
{
    return static_cast<const VkBaseInStructure*>(structure)->sType ==
           VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADER_INTERLOCK_FEATURES_EXT;
}

} // namespace

VkResult extensions_with_interlock(PFN_vkEnumerateDeviceExtensionProperties next, VkPhysicalDevice physical,
                                   uint32_t* count, VkExtensionProperties* properties)
{
    uint32_t known = 0;
    if (const VkResult result = next(physical, nullptr, &known, nullptr); result != VK_SUCCESS)
        return result;
    std::vector<VkExtensionProperties> all(known);
    if (const VkResult result = next(physical, nullptr, &known, all.data()); result != VK_SUCCESS)
        return result;
    all.emplace_back();
    std::string_view(kExtension).copy(all.back().extensionName, sizeof all.back().extensionName - 1);
    all.back().specVersion = 1;
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

void add_interlock(VkPhysicalDeviceFeatures2& features)
{
    for (auto* next = static_cast<VkBaseOutStructure*>(features.pNext); next != nullptr; next = next->pNext)
        if (is_feature(next))
            reinterpret_cast<VkPhysicalDeviceFragmentShaderInterlockFeaturesEXT*>(next)
                ->fragmentShaderPixelInterlock = VK_TRUE;
}

WithoutInterlock::WithoutInterlock(const VkDeviceCreateInfo& original) : info(original)
{
    for (uint32_t i = 0; i < info.enabledExtensionCount; ++i)
        if (std::strcmp(info.ppEnabledExtensionNames[i], kExtension) != 0)
            extensions_.push_back(info.ppEnabledExtensionNames[i]);
    info.enabledExtensionCount = static_cast<uint32_t>(extensions_.size());
    info.ppEnabledExtensionNames = extensions_.data();
    auto* before = reinterpret_cast<VkBaseOutStructure*>(&info);
    while (before->pNext != nullptr && !is_feature(before->pNext))
        before = before->pNext;
    if (before->pNext == nullptr)
        return;
    before_ = before;
    feature_ = before->pNext;
    before_->pNext = feature_->pNext;
}

WithoutInterlock::~WithoutInterlock()
{
    if (before_ != nullptr)
        before_->pNext = feature_;
}

bool uses_interlock(std::span<const uint32_t> module)
{
    return filtered(module, is_of_interlock).size() != module.size();
}

std::vector<uint32_t> without_interlock(std::span<const uint32_t> module)
{
    return filtered(module, is_of_interlock);
}

std::vector<uint32_t> without_stores(std::span<const uint32_t> module)
{
    return filtered(module, [](uint32_t op, Words) { return op == OpImageWrite; });
}
