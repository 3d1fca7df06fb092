// SPDX-License-Identifier: MIT
#include "renderer/draw/host_access.h"

#include "renderer/draw/collected_draws.h"
#include "renderer/residency/device_planes.h"
#include "renderer/residency/residency.h"
#include "renderer/vulkan/stream.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace renderer
{

namespace
{

// Pictures may be shown in turn, so a range counts for a few frames.
constexpr u32 kFramesExpected = 4;
constexpr std::size_t kMostExpected = 8;
constexpr u64 kMostExpectedBytes = 1 << 20; // a picture has fewer
// How long a range is not read ahead in frames that was written again before the CPU read it.
constexpr u32 kFramesTooEarly = 60;

} // namespace

void HostAccess::expect(PhysAddr address, u64 size, bool after_frame)
{
    auto range =
        std::find_if(expected_.begin(), expected_.end(),
                     [&](const Expected& known) { return known.address == address && known.size == size; });
    if (range == expected_.end())
    {
        if (expected_.size() == kMostExpected)
            expected_.erase(std::max_element(expected_.begin(), expected_.end(),
                                             [](const Expected& a, const Expected& b)
                                             { return a.frames < b.frames; })); // the one longest unread
        range = expected_.insert(expected_.end(), Expected{address, size});
    }
    range->frames = 0;
    range->requested = 0;
    (after_frame ? range->after_frames : range->in_frames) = true;
}

// Is the range as the CPU will read it, as far as can be known? Draws to it may go on; other operations have written all
// of it. What is read in the frame is read behind the draws that are recorded now.
bool HostAccess::is_complete(const Expected& range) const
{
    const Residency& residency = parts_.residency;
    return range.too_early == 0 && residency.newer_on_device(range.address, range.size) &&
           (range.in_frames || !residency.is_drawn(range.address, range.size)) &&
           residency.device_generation(range.address, range.size) != range.requested;
}

bool HostAccess::awaits_read() const
{
    return !parts_.residency.batch_is_open() &&
           std::any_of(expected_.begin(), expected_.end(),
                       [&](const Expected& range) { return range.in_frames && is_complete(range); });
}

void HostAccess::request(Expected& range)
{
    const u64 generation = parts_.residency.device_generation(range.address, range.size);
    if (!parts_.device.status() || generation == range.requested ||
        !parts_.residency.newer_on_device(range.address, range.size))
        return;
    if (range.requested != 0)
        range.too_early = kFramesTooEarly; // what was read ahead is of no use
    range.requested = generation;
    if (!parts_.residency.request(range.address, range.size))
        range.frames = kFramesExpected; // nobody asked for it: it is read when it is needed
}

void HostAccess::read_ahead()
{
    for (Expected& range : expected_)
        if (is_complete(range))
            request(range);
}

void HostAccess::end_frame()
{
    parts_.collected.flush();
    for (Expected& range : expected_)
        ++range.frames;
    std::erase_if(expected_, [](const Expected& range) { return range.frames > kFramesExpected; });
    for (Expected& range : expected_)
    {
        range.too_early -= std::min(range.too_early, 1u);
        if (range.after_frames)
            request(range);
    }
    parts_.stream.submit();
    after_frame_ = parts_.stream.current();
}

bool HostAccess::is_after_frame() const
{
    return parts_.stream.current() == after_frame_ && !parts_.stream.has_recorded() &&
           !parts_.residency.batch_is_open();
}

void HostAccess::stay_after_frame()
{
    after_frame_ = parts_.stream.current();
}

void HostAccess::make_current(PhysAddr address, u64 size)
{
    const auto& [device, stream, guest, residency, collected, planes] = parts_;
    const Pages pages = whole_pages(address, size);
    const bool after_frame = is_after_frame();
    // The batch also uses upload memory of the submission that a readback ends.
    const bool is_newer = residency.batch_draws(address, size) || residency.newer_on_device(address, size);
    if (is_newer || residency.batch_draws(pages.address, pages.size))
    {
        if (is_newer && size <= kMostExpectedBytes)
            expect(address, size, after_frame);
        collected.flush();
    }
    if (Status status = residency.make_current(address, size); !status)
        device.fail(status.error().message);
    if (after_frame)
        stay_after_frame();
}

void HostAccess::make_planes_current(PhysAddr address, u64 size)
{
    make_current(address, size);
    parts_.collected.flush();
    parts_.residency.spread_planes();
    if (Status status = parts_.residency.make_planes_current(address, size); !status)
        parts_.device.fail(status.error().message);
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
    if (parts_.planes != nullptr)
        parts_.planes->may_have_written(address, size);
    parts_.residency.check_surfaces();
}

void HostAccess::request_read(PhysAddr address, u64 size)
{
    const auto& [device, stream, guest, residency, collected, planes] = parts_;
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
    if (parts_.planes != nullptr)
    {
        // Large announcements are compared with the newest plane in the middle.
        if (size >= pica::GuestMemory::kLargeAnnouncement && parts_.device.status())
            make_middle_current(address, size);
        parts_.planes->cpu_wrote(address, size);
    }
    parts_.residency.did_write(address, size);
}

// The CPU has written the range. Guest memory keeps what it wrote, also where the device had newer bytes.
void HostAccess::make_middle_current(PhysAddr address, u64 size)
{
    std::vector<std::pair<PhysAddr, std::vector<pica::u8>>> written;
    parts_.guest.for_each_part(
        address, size,
        [&](PhysAddr begin, std::span<pica::u8> bytes)
        {
            for (std::size_t at = 0; at < bytes.size();)
            {
                const PhysAddr place = begin + static_cast<PhysAddr>(at);
                const std::size_t count =
                    std::min<std::size_t>(bytes.size() - at, pica::kPageSize - place % pica::kPageSize);
                if (parts_.residency.newer_on_device(place, count))
                    written.emplace_back(
                        place, std::vector<pica::u8>(bytes.begin() + at, bytes.begin() + at + count));
                at += count;
            }
        });
    if (written.empty())
        return;
    make_current(address, size);
    for (const auto& [place, bytes] : written)
        std::copy(bytes.begin(), bytes.end(), parts_.guest.span(place, bytes.size()).begin());
}

} // namespace renderer
