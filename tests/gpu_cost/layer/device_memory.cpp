// SPDX-License-Identifier: MIT
#include "tests/gpu_cost/layer/device_memory.h"

#include <algorithm>

namespace gpu_cost
{

namespace
{

bool is_imported(const VkMemoryAllocateInfo& info)
{
    for (auto* next = static_cast<const VkBaseInStructure*>(info.pNext); next != nullptr; next = next->pNext)
        if (next->sType == VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT)
            return true;
    return false;
}

} // namespace

void DeviceMemory::allocated(VkDeviceMemory memory, const VkMemoryAllocateInfo& info)
{
    if (is_imported(info))
        return;
    const std::lock_guard lock(mutex_);
    sizes_[memory] = info.allocationSize;
    bytes_ += info.allocationSize;
    most_ = std::max(most_, bytes_);
}

void DeviceMemory::freed(VkDeviceMemory memory)
{
    const std::lock_guard lock(mutex_);
    if (const auto node = sizes_.extract(memory); !node.empty())
        bytes_ -= node.mapped();
}

std::uint64_t DeviceMemory::most() const
{
    const std::lock_guard lock(mutex_);
    return most_;
}

} // namespace gpu_cost
