// SPDX-License-Identifier: MIT
#include "renderer/draw/residency.h"

namespace renderer
{

void Residency::make_current(PhysAddr address, u64 size)
{
    const auto& [device, stream, guest, mirror, targets, collected] = parts_;
    // Whole pages, because the page tracker then counts these pages as current.
    const Pages pages = whole_pages(address, size);
    if (collected.overlap(pages.address, pages.size))
        collected.flush();
    if (newer_on_device(targets, mirror, address, size))
    {
        collected.flush();
        if (Status status = bring_to_memory(targets, mirror, address, size); !status)
            device.fail(status.error().message);
    }
    guest.pages().made_current(address, size);
}

void Residency::request_read(PhysAddr address, u64 size)
{
    const auto& [device, stream, guest, mirror, targets, collected] = parts_;
    const Pages pages = whole_pages(address, size);
    if (!collected.overlap(pages.address, pages.size) && !newer_on_device(targets, mirror, address, size))
        return;
    collected.flush();
    if (Status status = begin_bringing(targets, mirror, address, size); !status)
        device.fail(status.error().message);
    stream.submit();
}

bool Residency::is_current(PhysAddr address, u64 size) const
{
    const Pages pages = whole_pages(address, size);
    return !parts_.collected.overlap(pages.address, pages.size) &&
           is_brought(parts_.targets, parts_.mirror, address, size);
}

void Residency::did_write(PhysAddr address, u64 size)
{
    if (parts_.collected.overlap(address, size))
        parts_.collected.flush();
    parts_.guest.did_write(address, size);
    parts_.targets.invalidate(address, size);
}

void Residency::discard(PhysAddr address, u64 size)
{
    parts_.targets.invalidate(address, size);
    parts_.mirror.discard(address, size);
}

} // namespace renderer
