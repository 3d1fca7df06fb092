// SPDX-License-Identifier: MIT
#include "renderer/residency/page_readback.h"

#include <algorithm>
#include <utility>

namespace renderer
{

namespace
{

constexpr VkDeviceSize kLeastBytes = VkDeviceSize{1} << 20;
constexpr VkDeviceSize kMostKept = VkDeviceSize{4} << 20;

} // namespace

void PackedCopies::add(VkDeviceSize offset, VkDeviceSize size)
{
    if (!copies.empty() && copies.back().srcOffset + copies.back().size == offset)
        copies.back().size += size;
    else
        copies.push_back({offset, bytes, size});
    bytes += size;
}

Result<const std::byte*> PageReadback::read(VkBuffer from, const PackedCopies& parts)
{
    if (buffer_.size < parts.bytes)
    {
        Result<Buffer> buffer =
            memory_.create_buffer(std::max(parts.bytes, kLeastBytes), VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                                  MemoryKind::Readback, "readback");
        if (!buffer)
            return buffer.error();
        buffer_ = std::move(*buffer); // every earlier use has been waited for
    }
    device_.vk.vkCmdCopyBuffer(stream_.cmd(), from, buffer_.buffer, static_cast<u32>(parts.copies.size()),
                               parts.copies.data());
    stream_.host_will_read(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
    if (Status status = stream_.wait(stream_.current()); !status)
        return status.error();
    if (Status status = memory_.invalidate(buffer_); !status)
        return status.error();
    return buffer_.mapped;
}

void PageReadback::shrink()
{
    if (buffer_.size > kMostKept)
        (void)std::exchange(buffer_, {});
}

} // namespace renderer
