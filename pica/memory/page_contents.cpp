// SPDX-License-Identifier: MIT
#include "pica/memory/page_contents.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace pica
{

void PageContents::add_region(PhysAddr base, std::span<const u8> bytes)
{
    if (bytes.empty())
        return;
    Region region{base, base + bytes.size(), bytes, {}};
    region.pages.resize(touched_pages(region.begin, region.end, base, bytes.size()).last);
    regions_.push_back(std::move(region));
}

std::span<const u8> PageContents::bytes_of(const Region& region, u32 page) const
{
    const AddressSpan span = page_span(region.begin, region.end, page);
    return region.bytes.subspan(static_cast<std::size_t>(span.begin - region.begin),
                                static_cast<std::size_t>(span.size()));
}

void PageContents::copy_page(Region& region, u32 page)
{
    Page& state = region.pages[page];
    if (!state.copy)
        state.copy = std::make_unique_for_overwrite<std::array<u8, kPageSize>>();
    const std::span<const u8> bytes = bytes_of(region, page);
    std::memcpy(state.copy->data(), bytes.data(), bytes.size());
    state.known = true;
}

// part: of the page, which has a copy.
void PageContents::copy_bytes(Region& region, u32 page, AddressSpan part)
{
    const u64 page_begin = page_span(region.begin, region.end, page).begin;
    std::memcpy(region.pages[page].copy->data() + (part.begin - page_begin),
                region.bytes.data() + (part.begin - region.begin), static_cast<std::size_t>(part.size()));
}

bool PageContents::is_equal(const Region& region, u32 page) const
{
    const std::span<const u8> bytes = bytes_of(region, page);
    return std::memcmp(bytes.data(), region.pages[page].copy->data(), bytes.size()) == 0;
}

void PageContents::set_undecided(Page& page, bool undecided)
{
    undecided_ += static_cast<u64>(undecided) - static_cast<u64>(page.undecided);
    page.undecided = undecided;
}

void PageContents::set_on_device(Page& page, bool on_device)
{
    on_device_ += static_cast<u64>(on_device) - static_cast<u64>(page.on_device);
    page.on_device = on_device;
}

void PageContents::taken(PhysAddr address, u64 size)
{
    if (!keeps_copies_)
        return;
    for_each_page(address, size,
                  [&](Region& region, u32 page)
                  {
                      if (!region.pages[page].known)
                          copy_page(region, page);
                  });
}

void PageContents::announced(PhysAddr address, u64 size)
{
    if (!keeps_copies_ && on_device_ == 0)
        return;
    for_each_page(address, size,
                  [&](Region& region, u32 page)
                  {
                      set_undecided(region.pages[page], false);
                      set_on_device(region.pages[page], false);
                      region.pages[page].known = false;
                  });
}

void PageContents::announced_beside(PhysAddr address, u64 size)
{
    for (Region& region : regions_)
    {
        const AddressSpan range = shared_span(address, size, region.begin, region.end);
        const PageRange pages = touched_pages(region.begin, region.end, address, size);
        for (u32 page = pages.first; page < pages.last; ++page)
        {
            const AddressSpan span = page_span(region.begin, region.end, page);
            const AddressSpan part{std::max(span.begin, range.begin), std::min(span.end, range.end)};
            if (region.pages[page].on_device)
                copy_bytes(region, page, part);
            else
                announced(static_cast<PhysAddr>(part.begin), part.size());
        }
    }
}

void PageContents::device_writes(PhysAddr address, u64 size, Overwrites overwrites)
{
    for (Region& region : regions_)
    {
        const AddressSpan range = shared_span(address, size, region.begin, region.end);
        const PageRange pages = touched_pages(region.begin, region.end, address, size);
        for (u32 page = pages.first; page < pages.last; ++page)
            device_writes(region, page, range, overwrites);
    }
}

// What the CPU wrote before the device overwrites it has lost, announced or not. Bytes that the device leaves alone
// still differ from the copy if the CPU wrote them, and are found.
void PageContents::device_writes(Region& region, u32 page, AddressSpan range, Overwrites overwrites)
{
    Page& state = region.pages[page];
    const AddressSpan span = page_span(region.begin, region.end, page);
    const AddressSpan part{std::max(span.begin, range.begin), std::min(span.end, range.end)};
    if (!state.known)
        copy_page(region, page);
    else if (keeps_copies_ && overwrites == Overwrites::All)
        copy_bytes(region, page, part);
    set_undecided(state, false);
    set_on_device(state, true);
}

void PageContents::read_back(PhysAddr address, u64 size)
{
    if (on_device_ == 0)
        return;
    for_each_page(address, size,
                  [&](Region& region, u32 page)
                  {
                      Page& state = region.pages[page];
                      if (!state.on_device)
                          return;
                      set_on_device(state, false);
                      state.known = false;
                      if (keeps_copies_)
                          copy_page(region, page);
                  });
}

void PageContents::may_have_changed(PhysAddr address, u64 size)
{
    for (Region& region : regions_)
    {
        PageRange pages = touched_pages(region.begin, region.end, address, size);
        if (!keeps_copies_)
            pages = {0, static_cast<u32>(region.pages.size())};
        for (u32 page = pages.first; page < pages.last; ++page)
            if (!region.pages[page].on_device)
                set_undecided(region.pages[page], true);
    }
    keeps_copies_ = true;
}

bool PageContents::has_changed(Region& region, u32 page)
{
    Page& state = region.pages[page];
    set_undecided(state, false);
    if (state.known && is_equal(region, page))
        return false;
    state.known = false;
    return true;
}

bool PageContents::is_on_device(PhysAddr address, u64 size) const
{
    if (on_device_ == 0)
        return false;
    for (const Region& region : regions_)
    {
        const PageRange pages = touched_pages(region.begin, region.end, address, size);
        for (u32 page = pages.first; page < pages.last; ++page)
            if (region.pages[page].on_device)
                return true;
    }
    return false;
}

std::vector<PageContents::Overwritten> PageContents::overwritten(PhysAddr address, u64 size) const
{
    std::vector<Overwritten> found;
    if (on_device_ == 0)
        return found;
    for (const Region& region : regions_)
    {
        const PageRange pages = touched_pages(region.begin, region.end, address, size);
        for (u32 page = pages.first; page < pages.last; ++page)
        {
            if (!region.pages[page].on_device || is_equal(region, page))
                continue;
            const std::span<const u8> now = bytes_of(region, page);
            const u8* const before = region.pages[page].copy->data();
            found.push_back({static_cast<PhysAddr>(page_span(region.begin, region.end, page).begin),
                             {now.begin(), now.end()},
                             {before, before + now.size()}});
        }
    }
    return found;
}

} // namespace pica
