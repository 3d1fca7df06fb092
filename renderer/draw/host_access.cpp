// SPDX-License-Identifier: MIT
#include "renderer/draw/host_access.h"

#include "renderer/draw/collected_draws.h"
#include "renderer/residency/residency.h"
#include "renderer/vulkan/stream.h"

namespace renderer
{

void HostAccess::make_current(PhysAddr address, u64 size)
{
    const auto& [device, stream, guest, residency, collected] = parts_;
    // Whole pages, because the page tracker then counts these pages as current.
    const Pages pages = whole_pages(address, size);
    if (residency.batch_draws(pages.address, pages.size))
        collected.flush();
    if (residency.newer_on_device(address, size))
    {
        collected.flush(); // its draws use upload memory of the submission that ends here
        if (Status status = residency.make_current(address, size); !status)
            device.fail(status.error().message);
    }
    guest.pages().made_current(address, size);
}

void HostAccess::request_read(PhysAddr address, u64 size)
{
    const auto& [device, stream, guest, residency, collected] = parts_;
    const Pages pages = whole_pages(address, size);
    if (!residency.batch_draws(pages.address, pages.size) && !residency.newer_on_device(address, size))
        return;
    collected.flush();
    if (Status status = residency.request(address, size); !status)
        device.fail(status.error().message);
    stream.submit();
}

bool HostAccess::is_current(PhysAddr address, u64 size) const
{
    const Pages pages = whole_pages(address, size);
    return !parts_.residency.batch_draws(pages.address, pages.size) &&
           parts_.residency.is_current(address, size);
}

void HostAccess::did_write(PhysAddr address, u64 size)
{
    if (parts_.residency.batch_draws(address, size))
        parts_.collected.flush();
    parts_.residency.did_write(address, size);
}

} // namespace renderer
