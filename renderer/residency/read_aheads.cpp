// SPDX-License-Identifier: MIT
#include "renderer/residency/read_aheads.h"

#include <algorithm>
#include <utility>

namespace renderer
{

namespace
{

// More pending readbacks than this are dropped, oldest first. This bounds an embedder that requests and never
// reads.
constexpr std::size_t kMostReadbacks = 16;

} // namespace

u64 ReadAheads::serial_of(u32 region, u32 page, u64 generation) const
{
    for (const Readback& readback : readbacks_)
    {
        if (readback.region != region)
            continue;
        for (const Page& held : readback.pages)
            if (held.number == page && held.generation == generation)
                return readback.serial;
    }
    return 0;
}

Result<VkBuffer> ReadAheads::add(u32 region, std::vector<Page> pages, VkDeviceSize bytes)
{
    if (readbacks_.size() == kMostReadbacks)
        drop(0);
    Result<Buffer> buffer =
        memory_.create_buffer(bytes, VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryKind::Readback, "read ahead");
    if (!buffer)
        return buffer.error();
    const VkBuffer handle = buffer->buffer;
    readbacks_.push_back({region, stream_.current(), std::move(*buffer), std::move(pages)});
    return handle;
}

void ReadAheads::forget(u32 region, u32 page)
{
    for (Readback& readback : readbacks_)
        if (readback.region == region)
            std::erase_if(readback.pages, [&](const Page& held) { return held.number == page; });
}

void ReadAheads::drop(std::size_t index)
{
    stream_.retire(std::move(readbacks_[index].buffer));
    readbacks_.erase(readbacks_.begin() + static_cast<std::ptrdiff_t>(index));
}

Status ReadAheads::collect(u32 region, u32 first, u32 last, const IsFresh& is_fresh, const Take& take)
{
    for (std::size_t i = 0; i < readbacks_.size();)
    {
        Readback& readback = readbacks_[i];
        const auto wanted = [&](const Page& page)
        { return readback.region == region && page.number >= first && page.number < last; };
        std::erase_if(readback.pages, [&](const Page& page) { return !is_fresh(readback.region, page); });
        if (std::any_of(readback.pages.begin(), readback.pages.end(), wanted))
        {
            if (Status status = stream_.wait(readback.serial); !status)
                return status;
            if (Status status = memory_.invalidate(readback.buffer); !status)
                return status;
            for (const Page& page : readback.pages)
                if (wanted(page))
                    take(page, reinterpret_cast<const u8*>(readback.buffer.mapped + page.at));
            std::erase_if(readback.pages, wanted);
        }
        if (readback.pages.empty())
            drop(i);
        else
            ++i;
    }
    return {};
}

} // namespace renderer
