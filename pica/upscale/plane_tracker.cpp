// SPDX-License-Identifier: MIT
#include "pica/upscale/plane_tracker.h"

#include <algorithm>

namespace pica
{

PlaneTracker::PlaneTracker(Listener* listener, u32 max_pages)
    : listener_(listener), max_pages_(std::clamp(max_pages, 1u, kMaxPages)), slot_of_page_(u32{1} << 20),
      entries_(max_pages_)
{
    for (u32 slot = max_pages_; slot-- > 0;)
        free_.push_back(slot);
}

void PlaneTracker::give(PhysAddr address, u64 size)
{
    for_each_page(address, size,
                  [&](u32 page, u32 begin, u32 end)
                  {
                      u32 at = slot(page);
                      if (at == kNoSlot)
                          at = take_slot(page);
                      else
                          make_newest(at);
                      entries_[at].lines |= touched_lines(begin, end);
                  });
}

void PlaneTracker::take(PhysAddr address, u64 size)
{
    if (used_ == 0)
        return;
    for_each_page(address, size,
                  [&](u32 page, u32 begin, u32 end)
                  {
                      if (const u32 at = slot(page); at != kNoSlot)
                          lose(at, whole_lines(begin, end));
                  });
}

void PlaneTracker::touch(PhysAddr address, u64 size)
{
    if (used_ == 0)
        return;
    for_each_page(address, size,
                  [&](u32 page, u32, u32)
                  {
                      if (const u32 at = slot(page); at != kNoSlot)
                          make_newest(at);
                  });
}

bool PlaneTracker::any(PhysAddr address, u64 size) const
{
    bool found = false;
    if (used_ == 0)
        return found;
    for_each_page(address, size,
                  [&](u32 page, u32 begin, u32 end)
                  {
                      const u32 at = slot(page);
                      found = found || (at != kNoSlot && (lines(at) & touched_lines(begin, end)) != 0);
                  });
    return found;
}

// A slot for a page that has none. Its page becomes the newest.
u32 PlaneTracker::take_slot(u32 page)
{
    if (free_.empty())
    {
        ++evictions_;
        lose(oldest_, ~u64{0});
    }
    const u32 slot = free_.back();
    free_.pop_back();
    reach_ = std::max(reach_, slot + 1);
    ++used_;
    entries_[slot] = {page, newest_, kNoSlot, 0};
    (newest_ == kNoSlot ? oldest_ : entries_[newest_].newer) = slot;
    newest_ = slot;
    slot_of_page_[page] = static_cast<u16>(slot + 1);
    return slot;
}

// A page without lines gives its slot back.
void PlaneTracker::lose(u32 slot, u64 lines)
{
    Entry& entry = entries_[slot];
    lines &= entry.lines;
    if (lines == 0)
        return;
    entry.lines &= ~lines;
    if (listener_ != nullptr)
        listener_->lost(slot, lines);
    if (entry.lines != 0)
        return;
    unlink(slot);
    slot_of_page_[entry.page] = 0;
    free_.push_back(slot);
    --used_;
}

void PlaneTracker::unlink(u32 slot)
{
    const Entry& entry = entries_[slot];
    (entry.older == kNoSlot ? oldest_ : entries_[entry.older].newer) = entry.newer;
    (entry.newer == kNoSlot ? newest_ : entries_[entry.newer].older) = entry.older;
}

void PlaneTracker::make_newest(u32 slot)
{
    if (slot == newest_)
        return;
    unlink(slot);
    entries_[slot].older = newest_;
    entries_[slot].newer = kNoSlot;
    entries_[newest_].newer = slot;
    newest_ = slot;
}

} // namespace pica
