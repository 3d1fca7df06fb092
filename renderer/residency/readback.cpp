// SPDX-License-Identifier: MIT
#include "renderer/residency/readback.h"

namespace renderer
{

namespace
{

constexpr u64 kPageMask = GuestMirror::kPageSize - 1;

} // namespace

Pages whole_pages(PhysAddr address, u64 size)
{
    const u64 begin = address & ~kPageMask;
    const u64 end = (address + size + kPageMask) & ~kPageMask;
    return {static_cast<PhysAddr>(begin), end - begin};
}

bool newer_on_device(const RenderTargets& targets, const GuestMirror& mirror, PhysAddr address, u64 size)
{
    const Pages pages = whole_pages(address, size);
    return targets.dirty_overlap(pages.address, pages.size) || mirror.gpu_newer(pages.address, pages.size);
}

Status bring_to_memory(RenderTargets& targets, GuestMirror& mirror, PhysAddr address, u64 size)
{
    if (size == 0)
        return {};
    const Pages pages = whole_pages(address, size);
    targets.store(pages.address, pages.size);
    return mirror.download(pages.address, pages.size);
}

Status begin_bringing(RenderTargets& targets, GuestMirror& mirror, PhysAddr address, u64 size)
{
    if (size == 0)
        return {};
    const Pages pages = whole_pages(address, size);
    targets.store(pages.address, pages.size);
    return mirror.request_download(pages.address, pages.size);
}

bool is_brought(const RenderTargets& targets, GuestMirror& mirror, PhysAddr address, u64 size)
{
    const Pages pages = whole_pages(address, size);
    return !targets.dirty_overlap(pages.address, pages.size) &&
           mirror.download_is_done(pages.address, pages.size);
}

} // namespace renderer
