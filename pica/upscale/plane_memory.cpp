// SPDX-License-Identifier: MIT
#include "pica/upscale/plane_memory.h"

#include "pica/upscale/line_runs.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace pica
{

PlaneMemory::PlaneMemory(GuestMemory& memory, u32 scale, u32 max_pages)
    : memory_(memory), scale_(scale), tracker_(this, max_pages)
{
    pages_.resize(tracker_.max_pages());
    held_.resize(tracker_.max_pages());
}

void PlaneMemory::lost(u32 slot, u64 lines)
{
    held_[slot] &= ~lines;
    if (listener_ != nullptr)
        listener_->lost(slot, lines);
}

void PlaneMemory::load_guest(PhysAddr address, std::span<u8> out) const
{
    const std::span<const u8> bytes = memory_.span(address, out.size());
    if (!bytes.empty())
    {
        std::memcpy(out.data(), bytes.data(), out.size());
        return;
    }
    std::fill(out.begin(), out.end(), u8{0});
    memory_.for_each_part(address, out.size(),
                          [&](PhysAddr begin, std::span<u8> part)
                          { std::copy(part.begin(), part.end(), out.data() + (begin - address)); });
}

void PlaneMemory::load(u32 plane, PhysAddr address, std::span<u8> out) const
{
    PlaneTracker::for_each_page(
        address, out.size(),
        [&](u32 page, u32 begin, u32 end)
        {
            const PhysAddr start = page << kPageShift;
            const u32 slot = tracker_.slot(page);
            for_each_run(slot == PlaneTracker::kNoSlot ? 0 : held_[slot], begin, end,
                         [&](bool held, u32 first, u32 last)
                         {
                             const std::span<u8> part = out.subspan(start + first - address, last - first);
                             if (held)
                                 std::memcpy(part.data(), plane_bytes(slot, plane) + first, part.size());
                             else
                                 load_guest(start + first, part);
                         });
        });
}

// Puts the guest's bytes [begin, end) of a page into all planes.
void PlaneMemory::spread(u32 slot, u32 page, u32 begin, u32 end)
{
    std::array<u8, kPageSize> bytes;
    load_guest((page << kPageShift) + begin, std::span(bytes).first(end - begin));
    for (u32 plane = 0; plane < planes(); ++plane)
        std::memcpy(plane_bytes(slot, plane) + begin, bytes.data(), end - begin);
}

void PlaneMemory::hold(PhysAddr address, u64 size)
{
    PlaneTracker::for_each_page(address, size,
                                [&](u32 page, u32 begin, u32 end)
                                {
                                    const u32 slot = tracker_.slot(page);
                                    if (slot == PlaneTracker::kNoSlot)
                                        return;
                                    const u64 lines = PlaneTracker::touched_lines(begin, end) &
                                                      tracker_.lines(slot) & ~held_[slot];
                                    if (lines == 0)
                                        return;
                                    if (!pages_[slot])
                                        pages_[slot].reset(new u8[std::size_t{planes()} * kPageSize]);
                                    for_each_run(lines, 0, kPageSize,
                                                 [&](bool missing, u32 first, u32 last)
                                                 {
                                                     if (missing)
                                                         spread(slot, page, first, last);
                                                 });
                                    held_[slot] |= lines;
                                });
}

u32 PlaneMemory::matching(u32 at, u32 to, u32 from)
{
    return at == to / 2 ? from / 2 : (2 * at + 1) * from / (2 * to);
}

void PlaneMemory::take_over(const PlaneMemory& other)
{
    std::vector<u32> sources;
    for (u32 plane = 0; plane < planes(); ++plane)
        sources.push_back(matching(plane / scale_, scale_, other.scale_) * other.scale_ +
                          matching(plane % scale_, scale_, other.scale_));
    tracker_.take(0, u64{1} << 32);
    other.tracker_.for_each_by_use(
        [&](u32 from, u32 page, u64 lines)
        {
            const PhysAddr at = page << kPageShift;
            for_each_run(lines, 0, kPageSize,
                         [&](bool set, u32 first, u32 last)
                         {
                             if (set)
                                 tracker_.give(at + first, last - first);
                         });
            const u32 slot = tracker_.slot(page);
            for_each_run(other.held_[from], 0, kPageSize,
                         [&](bool held, u32 first, u32 last)
                         {
                             if (!held)
                                 return;
                             hold(at + first, last - first);
                             for (u32 plane = 0; plane < planes(); ++plane)
                                 std::memcpy(plane_bytes(slot, plane) + first,
                                             other.plane_bytes(from, sources[plane]) + first, last - first);
                         });
        });
}

void PlaneMemory::store(u32 plane, PhysAddr address, std::span<const u8> bytes)
{
    PlaneTracker::for_each_page(address, bytes.size(),
                                [&](u32 page, u32 begin, u32 end)
                                {
                                    const u32 slot = tracker_.slot(page);
                                    if (slot == PlaneTracker::kNoSlot)
                                        return;
                                    const u8* from = bytes.data() + ((page << kPageShift) + begin - address);
                                    for_each_run(held_[slot], begin, end,
                                                 [&](bool held, u32 first, u32 last)
                                                 {
                                                     if (held)
                                                         std::memcpy(plane_bytes(slot, plane) + first,
                                                                     from + (first - begin), last - first);
                                                 });
                                });
}

void PlaneMemory::wrote(PhysAddr address, u64 size)
{
    if (tracker_.pages() == 0)
        return;
    tracker_.take(address, size);
    PlaneTracker::for_each_page(address, size,
                                [&](u32 page, u32 begin, u32 end)
                                {
                                    const u32 slot = tracker_.slot(page);
                                    if (slot == PlaneTracker::kNoSlot)
                                        return;
                                    for_each_run(held_[slot], begin, end,
                                                 [&](bool held, u32 first, u32 last)
                                                 {
                                                     if (held)
                                                         spread(slot, page, first, last);
                                                 });
                                });
}

void PlaneMemory::may_have_written(PhysAddr address, u64 size, const Changed& changed)
{
    if (tracker_.pages() == 0)
        return;
    const auto compare = [&](u32 slot, u32 page, u32 first, u32 last)
    {
        std::array<u8, kPageSize> now;
        load_guest((page << kPageShift) + first, std::span(now).first(last - first));
        const u8* before = plane_bytes(slot, middle()) + first;
        if (std::memcmp(now.data(), before, last - first) == 0)
            return;
        ++unannounced_;
        const u32 bytes = last - first;
        for (u32 begin = 0; begin < bytes;)
        {
            u32 end = begin;
            while (end < bytes && now[end] != before[end])
                ++end;
            if (end != begin)
                spread(slot, page, first + begin, first + end);
            if (end != begin && changed)
                changed((page << kPageShift) + first + begin, end - begin);
            begin = end + 1;
        }
    };
    PlaneTracker::for_each_page(address, size,
                                [&](u32 page, u32 begin, u32 end)
                                {
                                    const u32 slot = tracker_.slot(page);
                                    if (slot == PlaneTracker::kNoSlot)
                                        return;
                                    for_each_run(held_[slot], begin, end,
                                                 [&](bool held, u32 first, u32 last)
                                                 {
                                                     if (held)
                                                         compare(slot, page, first, last);
                                                 });
                                });
}

} // namespace pica
