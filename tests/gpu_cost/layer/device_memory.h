// SPDX-License-Identifier: MIT
// DeviceMemory: how many bytes of memory the program has allocated on a device. Memory of the host that is imported does
// not count. Thread-safe.
#pragma once

#include <cstdint>
#include <mutex>
#include <unordered_map>

#include <vulkan/vulkan_core.h>

namespace gpu_cost
{

class DeviceMemory
{
public:
    void allocated(VkDeviceMemory memory, const VkMemoryAllocateInfo& info);
    void freed(VkDeviceMemory memory);
    // The most at any time.
    std::uint64_t most() const;

private:
    mutable std::mutex mutex_;
    std::unordered_map<VkDeviceMemory, std::uint64_t> sizes_;
    std::uint64_t bytes_ = 0;
    std::uint64_t most_ = 0;
};

} // namespace gpu_cost
