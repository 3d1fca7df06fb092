// SPDX-License-Identifier: MIT
// PageMarks: the pages that the host's CPU has written, as atomic bits. Any thread and any signal handler may
// set them. Tests: tests/api/page_access_test.cpp.
#pragma once

#include "pica/memory/guest_memory.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <memory>
#include <vector>

namespace renderer
{

class PageMarks
{
public:
    explicit PageMarks(const std::vector<pica::MemoryRegion>& regions);

    // Marks the pages that a range touches: as written, those that it covers as overwritten. Safe in a signal handler and
    // while take() runs.
    void mark(pica::PhysAddr address, pica::u32 bytes) noexcept;

    enum class Written : pica::u8
    {
        Partly,
        Completely,
    };
    // Takes and clears the marks that were set before the call began. Calls visit(PhysAddr, u32 bytes, Written) for
    // each run of pages that are marked alike; runs end at every 64th page. For one thread only.
    template <typename Visit>
    void take(Visit visit)
    {
        // The flag is cleared before the bits are read. mark() sets the bits before the flag. So no mark is
        // lost.
        if (!any_.load(std::memory_order_relaxed) || !any_.exchange(false, std::memory_order_acquire))
            return;
        for (const Region& region : regions_)
            for (std::size_t word = 0; word < region.words; ++word)
            {
                const pica::u64 completely = take_word(region.overwritten[word]);
                const pica::u64 partly = take_word(region.written[word]) & ~completely;
                visit_word(region, word, partly,
                           [&](pica::PhysAddr address, pica::u32 bytes)
                           { visit(address, bytes, Written::Partly); });
                visit_word(region, word, completely,
                           [&](pica::PhysAddr address, pica::u32 bytes)
                           { visit(address, bytes, Written::Completely); });
            }
    }

private:
    struct Region
    {
        pica::u64 begin, end;
        std::size_t words;
        std::unique_ptr<std::atomic<pica::u64>[]> written, overwritten; // a bit per page, 64 in each word
    };
    static_assert(std::atomic<pica::u64>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

    static pica::u64 take_word(std::atomic<pica::u64>& bits)
    {
        return bits.load(std::memory_order_relaxed) == 0 ? 0 : bits.exchange(0, std::memory_order_acquire);
    }
    template <typename Visit>
    static void visit_word(const Region& region, std::size_t word, pica::u64 bits, Visit visit)
    {
        const pica::u64 base = (region.begin >> pica::PageTracker::kPageShift) + word * 64;
        while (bits != 0)
        {
            const int first = std::countr_zero(bits), count = std::countr_one(bits >> first);
            const pica::u64 begin =
                std::max((base + pica::u64(first)) << pica::PageTracker::kPageShift, region.begin);
            const pica::u64 end = std::min(
                (base + pica::u64(first) + pica::u64(count)) << pica::PageTracker::kPageShift, region.end);
            visit(static_cast<pica::PhysAddr>(begin), static_cast<pica::u32>(end - begin));
            if (first + count == 64)
                break;
            bits &= ~pica::u64{0} << (first + count);
        }
    }

    std::vector<Region> regions_;
    std::atomic<bool> any_{false};
};

} // namespace renderer
