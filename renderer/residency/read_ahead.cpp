// SPDX-License-Identifier: MIT
// Part of GuestMirror: readbacks that are requested in advance and collected later.
#include "renderer/residency/guest_mirror.h"

#include <algorithm>
#include <cstring>

namespace renderer
{

namespace
{

// More pending readbacks than this are dropped, oldest first. This bounds an embedder that requests and never
// reads.
constexpr std::size_t kMaxReadAheads = 8;

} // namespace

const GuestMirror::ReadAhead* GuestMirror::read_ahead_of(u32 region, u32 page) const
{
    for (const ReadAhead& ahead : read_aheads_)
    {
        if (ahead.region != region)
            continue;
        for (const ReadAhead::Page& part : ahead.pages)
            if (part.page == page && part.synced == regions_[region].pages[page].synced)
                return &ahead;
    }
    return nullptr;
}

void GuestMirror::retire_read_ahead(std::size_t index)
{
    stream_.retire(std::move(read_aheads_[index].buffer));
    read_aheads_.erase(read_aheads_.begin() + static_cast<std::ptrdiff_t>(index));
}

Status GuestMirror::request_download(PhysAddr address, u64 size)
{
    Status status;
    if (gpu_newer(address, size))
        for_each_part(address, size,
                      [&](const Part& part)
                      {
                          if (status)
                              status = request_download(part);
                      });
    return status;
}

Status GuestMirror::request_download(const Part& part)
{
    Region& region = regions_[part.region];
    ReadAhead ahead;
    ahead.region = part.region;
    copies_.clear();
    VkDeviceSize total = 0;
    for (u32 page = part.first_page(); page < part.last_page(); ++page)
    {
        const Page& state = region.pages[page];
        if (!state.gpu_newer || state.synced != generation(region, page) || read_ahead_of(part.region, page))
            continue;
        const VkDeviceSize offset = VkDeviceSize{page} << pica::PageTracker::kPageShift;
        const VkDeviceSize bytes = std::min<VkDeviceSize>(kPageSize, region.size - offset);
        if (!copies_.empty() && copies_.back().srcOffset + copies_.back().size == offset)
            copies_.back().size += bytes;
        else
            copies_.push_back({offset, total, bytes});
        ahead.pages.push_back({page, state.synced, total});
        total += bytes;
    }
    if (copies_.empty())
        return {};
    if (read_aheads_.size() == kMaxReadAheads)
        retire_read_ahead(0);
    Result<Buffer> buffer =
        memory_.create_buffer(total, VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryKind::Readback, "read ahead");
    if (!buffer)
        return buffer.error();
    ahead.buffer = std::move(*buffer);
    use(part.region, kTransferRead);
    device_.vk.vkCmdCopyBuffer(stream_.cmd(), region.buffer.buffer, ahead.buffer.buffer,
                               static_cast<u32>(copies_.size()), copies_.data());
    stream_.barrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                    VK_ACCESS_HOST_READ_BIT);
    ahead.serial = stream_.current();
    read_aheads_.push_back(std::move(ahead));
    return {};
}

bool GuestMirror::download_is_done(PhysAddr address, u64 size) const
{
    bool done = true;
    if (gpu_newer(address, size))
        for_each_part(address, size, [&](const Part& part) { done = done && download_is_done(part); });
    return done;
}

bool GuestMirror::download_is_done(const Part& part) const
{
    const Region& region = regions_[part.region];
    for (u32 page = part.first_page(); page < part.last_page(); ++page)
    {
        if (!region.pages[page].gpu_newer || region.pages[page].synced != generation(region, page))
            continue;
        const ReadAhead* ahead = read_ahead_of(part.region, page);
        if (!ahead || !stream_.done(ahead->serial))
            return false;
    }
    return true;
}

Status GuestMirror::collect_read_aheads(const Part& range)
{
    Region& region = regions_[range.region];
    for (std::size_t i = 0; i < read_aheads_.size();)
    {
        ReadAhead& ahead = read_aheads_[i];
        const auto inside = [&](const ReadAhead::Page& part) {
            return ahead.region == range.region && part.page >= range.first_page() &&
                   part.page < range.last_page();
        };
        const auto fresh = [&](const ReadAhead::Page& part)
        {
            const Page& state = regions_[ahead.region].pages[part.page];
            return state.gpu_newer && state.synced == part.synced &&
                   state.synced == generation(regions_[ahead.region], part.page);
        };
        std::erase_if(ahead.pages, [&](const ReadAhead::Page& part) { return !fresh(part); });
        if (std::any_of(ahead.pages.begin(), ahead.pages.end(), inside))
        {
            if (Status status = stream_.wait(ahead.serial); !status)
                return status;
            if (Status status = memory_.invalidate(ahead.buffer); !status)
                return status;
            for (const ReadAhead::Page& part : ahead.pages)
            {
                if (!inside(part))
                    continue;
                const u32 offset = part.page << pica::PageTracker::kPageShift;
                const u32 bytes = std::min(kPageSize, region.size - offset);
                std::memcpy(guest_.span(region.base + offset, bytes).data(), ahead.buffer.mapped + part.at,
                            bytes);
                set_newer(region.pages[part.page], false);
                counters.read_ahead_bytes += bytes;
            }
            std::erase_if(ahead.pages, inside);
        }
        if (ahead.pages.empty())
            retire_read_ahead(i);
        else
            ++i;
    }
    return {};
}

} // namespace renderer
