// SPDX-License-Identifier: MIT
// MemoryBound: counts the memory that a device has allocated, for a device that has little of it.
#pragma once

#include "renderer/vulkan/vulkan_api.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

// Thread-safe.
class MemoryBound
{
public:
    // Allocates, or says that memory is exhausted where more than `mebibytes` would be allocated together.
    VkResult allocate(const renderer::DeviceTable& next, VkDevice device, const VkMemoryAllocateInfo& info,
                      std::optional<int> mebibytes, VkDeviceMemory* out)
    {
        const std::lock_guard lock(mutex_);
        if (mebibytes && total_ + info.allocationSize > static_cast<std::uint64_t>(*mebibytes) << 20)
            return VK_ERROR_OUT_OF_DEVICE_MEMORY;
        const VkResult result = next.vkAllocateMemory(device, &info, nullptr, out);
        if (result == VK_SUCCESS)
            total_ += sizes_[*out] = info.allocationSize;
        return result;
    }
    // To be called before the memory is freed.
    void forget(VkDeviceMemory memory)
    {
        const std::lock_guard lock(mutex_);
        const auto found = sizes_.find(memory);
        if (found == sizes_.end())
            return;
        total_ -= found->second;
        sizes_.erase(found);
    }

private:
    std::mutex mutex_;
    std::map<VkDeviceMemory, std::uint64_t> sizes_;
    std::uint64_t total_ = 0;
};
