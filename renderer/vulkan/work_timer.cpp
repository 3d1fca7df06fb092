// SPDX-License-Identifier: MIT
#include "renderer/vulkan/work_timer.h"

#include <vector>

namespace renderer
{

Status WorkTimer::create()
{
    u32 count = 0;
    device_.api.vkGetPhysicalDeviceQueueFamilyProperties(device_.physical, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    device_.api.vkGetPhysicalDeviceQueueFamilyProperties(device_.physical, &count, families.data());
    if (device_.queue_family >= count || families[device_.queue_family].timestampValidBits < 32)
        return {};
    auto info = make<VkQueryPoolCreateInfo>(VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO);
    info.queryType = VK_QUERY_TYPE_TIMESTAMP;
    info.queryCount = 2 * kPairs;
    VkQueryPool pool = VK_NULL_HANDLE;
    if (Status status = device_.check(device_.vk.vkCreateQueryPool(device_.handle, &info, nullptr, &pool),
                                      "vkCreateQueryPool");
        !status)
        return status;
    pool_ = UniqueQueryPool(device_.handle, device_.vk, pool);
    return {};
}

void WorkTimer::begin(VkCommandBuffer cmd, u64 items)
{
    open_ = pool_ && begun_ - read_ < kPairs;
    if (!open_)
        return;
    const u32 first = static_cast<u32>(begun_++ % kPairs) * 2;
    device_.vk.vkCmdResetQueryPool(cmd, pool_, first, 2);
    device_.vk.vkCmdWriteTimestamp(cmd, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool_, first);
    // Submissions end in order, and so these actions run in order.
    stream_.defer(
        [this, first, items, alive = std::weak_ptr<char>(alive_)]
        {
            if (alive.expired())
                return;
            u64 times[2] = {};
            read_++;
            if (device_.vk.vkGetQueryPoolResults(device_.handle, pool_, first, 2, sizeof times, times,
                                                 sizeof times[0], VK_QUERY_RESULT_64_BIT) != VK_SUCCESS)
                return;
            // At least 32 bits are valid, and the difference is far smaller.
            const u32 ticks = static_cast<u32>(times[1]) - static_cast<u32>(times[0]);
            totals_.ns += static_cast<u64>(double(ticks) * double(device_.properties.limits.timestampPeriod));
            totals_.items += items;
        });
}

void WorkTimer::end(VkCommandBuffer cmd)
{
    if (open_)
        device_.vk.vkCmdWriteTimestamp(cmd, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool_,
                                       static_cast<u32>((begun_ - 1) % kPairs) * 2 + 1);
    open_ = false;
}

} // namespace renderer
