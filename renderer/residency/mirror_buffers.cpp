// SPDX-License-Identifier: MIT
#include "renderer/residency/mirror_buffers.h"

#include <algorithm>
#include <utility>

namespace renderer
{

namespace
{

constexpr VkBufferUsageFlags kUsage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                      VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                      VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT;
// The buffers begin with this many bytes, or with their region if it is smaller.
constexpr VkDeviceSize kFirstBytes = VkDeviceSize{256} << 10;
constexpr const char* kNames[] = {"guest VRAM", "guest FCRAM"};
static_assert(std::size(kNames) == MirrorLayout::kRegions);

} // namespace

Status MirrorBuffers::create()
{
    for (u32 i = 0; i < MirrorLayout::kRegions; ++i)
        if (Status status = resize(i, std::min(most_bytes(i), kFirstBytes)); !status)
            return status;
    return bind();
}

// Gives the region a buffer of this size, with the contents of the one before.
Status MirrorBuffers::resize(u32 index, VkDeviceSize size)
{
    Region& region = regions_[index];
    Result<Buffer> made = parts_.memory.create_buffer(size, kUsage, MemoryKind::Device, kNames[index]);
    if (!made)
        return made.error();
    Buffer old = std::exchange(region.buffer, std::move(*made));
    if (!old.buffer)
        return {};
    const VkBufferCopy all{0, 0, old.size};
    region.access.use(parts_.stream, kTransferRead);
    region.access = AccessTracker(AccessTracker::Barriers::Shared);
    region.access.use(parts_.stream, kTransferWrite);
    parts_.device.vk.vkCmdCopyBuffer(parts_.stream.cmd(), old.buffer, region.buffer.buffer, 1, &all);
    parts_.stream.retire(std::move(old));
    return {};
}

// Binds the buffers to the fixed shaders.
Status MirrorBuffers::bind()
{
    static_assert(MirrorLayout::kRegions == 2);
    return parts_.pipelines.set_memory(buffer(0), size(0), buffer(1), size(1));
}

bool MirrorBuffers::grow(u32 index, u64 end)
{
    Status status = resize(index, std::min(most_bytes(index), std::max<VkDeviceSize>(end, size(index) * 2)));
    if (!status && parts_.device.status())
        status = resize(index, end); // memory is scarce
    if (status)
        status = bind();
    if (!status)
        parts_.device.fail(status.error().message);
    return static_cast<bool>(status);
}

} // namespace renderer
