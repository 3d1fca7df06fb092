// SPDX-License-Identifier: MIT
#include "renderer/draw/host_access.h"

#include "renderer/draw/collected_draws.h"
#include "renderer/residency/residency.h"
#include "renderer/vulkan/stream.h"

#include <algorithm>
#include <vector>

namespace renderer
{

namespace
{

// Pictures may be shown in turn, so a range counts for a few frames.
constexpr u32 kFramesExpected = 4;
constexpr std::size_t kMostExpected = 8;
constexpr u64 kMostExpectedBytes = 1 << 20; // a picture has fewer

} // namespace

void HostAccess::expect(PhysAddr address, u64 size)
{
    for (Expected& range : expected_)
        if (range.address == address && range.size == size)
        {
            range.frames = 0;
            return;
        }
    if (expected_.size() == kMostExpected)
        expected_.erase(std::max_element(expected_.begin(), expected_.end(),
                                         [](const Expected& a, const Expected& b)
                                         { return a.frames < b.frames; })); // the one longest unread
    expected_.push_back({address, size, 0});
}

void HostAccess::end_frame()
{
    for (Expected& range : expected_)
        if (++range.frames <= kFramesExpected && parts_.device.status())
        {
            parts_.collected.flush();
            if (!parts_.residency.request(range.address, range.size))
                range.frames = kFramesExpected + 1; // nobody asked for it: it is read when it is needed
        }
    std::erase_if(expected_, [](const Expected& range) { return range.frames > kFramesExpected; });
    parts_.collected.flush();
    parts_.stream.submit();
    after_frame_ = parts_.stream.current();
}

void HostAccess::make_current(PhysAddr address, u64 size)
{
    const auto& [device, stream, guest, residency, collected] = parts_;
    const Pages pages = whole_pages(address, size);
    const bool after_frame = stream.current() == after_frame_ && !residency.batch_is_open();
    if (after_frame && size <= kMostExpectedBytes && residency.newer_on_device(address, size))
        expect(address, size);
    // The batch also uses upload memory of the submission that a readback ends.
    if (residency.batch_draws(pages.address, pages.size) || residency.newer_on_device(address, size))
        collected.flush();
    if (Status status = residency.make_current(address, size); !status)
        device.fail(status.error().message);
    if (after_frame)
        after_frame_ = stream.current();
}

void HostAccess::may_have_written(PhysAddr address, u64 size)
{
    // What the CPU wrote over the device's bytes is found now. The pages are current afterwards, and written as any
    // other. Adjacent pages are read back together.
    pica::AddressSpan run;
    for (const pica::PageContents::Overwritten& page : parts_.guest.contents().overwritten(address, size))
    {
        if (page.address != run.end)
        {
            make_current(static_cast<PhysAddr>(run.begin), run.size());
            run.begin = page.address;
        }
        run.end = page.address + page.now.size();
    }
    make_current(static_cast<PhysAddr>(run.begin), run.size());
    parts_.guest.may_have_written(address, size);
    parts_.residency.check_surfaces();
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
