// SPDX-License-Identifier: MIT
#include "renderer/residency/surface_budget.h"

namespace renderer
{

namespace
{

// Images that may share a block of memory with others. Larger ones get blocks of their own size, which go with them.
constexpr u64 kSharesBlock = u64{2} << 20;
// Another program may have given memory back by then.
constexpr u64 kFramesShort = 300;

// Of the largest heap on the device.
u64 heap_bytes(const Device& device)
{
    const VkPhysicalDeviceMemoryProperties& memory = device.memory_properties;
    u64 bytes = 0;
    for (u32 i = 0; i < memory.memoryHeapCount; ++i)
        if ((memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0)
            bytes = std::max<u64>(bytes, memory.memoryHeaps[i].size);
    return bytes;
}

} // namespace

SurfaceBudget::SurfaceBudget(const Device& device, Memory& memory, Stream& stream, u32 scale)
    : memory_(memory), stream_(stream),
      limit_(std::max(std::min(kUsualBytes * scale * scale, heap_bytes(device) / 4), kUsualBytes))
{
}

void SurfaceBudget::created(u64 bytes)
{
    live_bytes_ += bytes;
    bytes_ += bytes;
    peak_bytes_ = std::max(peak_bytes_, bytes_);
}

void SurfaceBudget::dropped(u64 bytes)
{
    live_bytes_ -= bytes;
    dropped_.push_back({stream_.current(), bytes});
}

void SurfaceBudget::collect()
{
    for (; !dropped_.empty() && stream_.done(dropped_.front().serial); dropped_.pop_front())
        bytes_ -= dropped_.front().bytes;
}

bool SurfaceBudget::has_room(u64 bytes, u64 beside)
{
    if (bytes + beside == 0)
        return true;
    if (bytes_ + bytes > limit())
        collect();
    return bytes_ + bytes <= limit() && try_device(bytes + beside);
}

// Asks the device, and leaves no block that only images of the same size would fill.
bool SurfaceBudget::try_device(u64 bytes)
{
    const bool has_room = memory_.reserve_images(bytes);
    if (bytes > kSharesBlock)
        (void)memory_.trim();
    return has_room;
}

// Frees what Memory would free where an allocation fails.
bool SurfaceBudget::relieve_device()
{
    return (memory_.relieve && memory_.relieve()) || memory_.trim();
}

bool SurfaceBudget::device_has_room(u64 bytes)
{
    while (!try_device(bytes))
        if (!relieve_device())
        {
            available_ = std::max(live_bytes_ / 4 * 3, bytes);
            return false;
        }
    return true;
}

bool SurfaceBudget::wait_for_oldest()
{
    if (dropped_.empty())
        return false;
    if (!stream_.wait_for_retired(dropped_.front().serial))
        return false;
    collect();
    return true;
}

void SurfaceBudget::wait_for_room(u64 bytes)
{
    while (bytes_ + bytes > limit() && wait_for_oldest())
        ;
}

void SurfaceBudget::wait_for_dropped()
{
    while (wait_for_oldest())
        ;
}

void SurfaceBudget::end_frame()
{
    if (++frame_ % kFramesShort == 0)
        available_ = ~u64{0};
}

} // namespace renderer
