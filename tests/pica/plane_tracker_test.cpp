// SPDX-License-Identifier: MIT
// The tracker of planes against a model that knows each byte (pica/design.md, "N times the resolution").
#include "pica/upscale/plane_tracker.h"
#include "tests/support/seeds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <vector>

using namespace pica;
using namespace tests;

namespace
{

constexpr u32 kPages = 12;         // that the random ranges touch
constexpr u32 kFirst = 0x18000000; // their first byte
constexpr u32 kBytes = kPages * 4096;

// Every byte says whether it has planes, and every page when it was used.
class Model
{
public:
    explicit Model(u32 max_pages) : max_pages_(max_pages) {}

    void give(u32 begin, u32 size)
    {
        for (u32 page = begin / 4096; size != 0 && page <= (begin + size - 1) / 4096; ++page)
        {
            // Page by page, because the oldest page leaves before the next one comes.
            if (!has_page(page) && pages() == max_pages_)
            {
                u32 oldest = kPages;
                for (u32 other = 0; other < kPages; ++other)
                    if (has_page(other) && (oldest == kPages || used_[other] < used_[oldest]))
                        oldest = other;
                std::fill_n(&planes_[oldest * 4096], 4096, false);
                ++evictions_;
            }
            const u32 first = std::max(begin, page * 4096);
            const u32 last = std::min(begin + size, (page + 1) * 4096);
            for (u32 at = first & ~63u; at < ((last + 63) & ~63u); ++at)
                planes_[at] = true;
            used_[page] = ++clock_;
        }
    }
    void take(u32 begin, u32 size)
    {
        for (u32 line = begin / 64 * 64; line < begin + size; line += 64)
            if (line >= begin && line + 64 <= begin + size)
                std::fill_n(&planes_[line], 64, false);
    }
    void touch(u32 begin, u32 size)
    {
        for (u32 page = begin / 4096; size != 0 && page <= (begin + size - 1) / 4096; ++page)
            if (has_page(page))
                used_[page] = ++clock_;
    }
    bool any(u32 begin, u32 size) const
    {
        for (u32 at = begin; at < begin + size; ++at)
            if (planes_[at])
                return true;
        return false;
    }
    bool byte(u32 at) const { return planes_[at]; }
    u32 pages() const
    {
        u32 count = 0;
        for (u32 page = 0; page < kPages; ++page)
            count += has_page(page);
        return count;
    }
    u64 evictions() const { return evictions_; }

private:
    bool has_page(u32 page) const { return any(page * 4096, 4096); }

    u32 max_pages_;
    std::array<bool, kBytes> planes_{};
    std::array<u64, kPages> used_{};
    u64 clock_ = 0;
    u64 evictions_ = 0;
};

// Keeps the lines of each page as it hears of them.
struct Lines final : PlaneTracker::Listener
{
    std::map<u32, u64> lost_lines; // by slot
    void lost(u32 slot, u64 lines) override { lost_lines[slot] |= lines; }
};

} // namespace

TEST_CASE("planes: the tracker is that of a model of bytes, under random operations")
{
    for_each_seed(40,
                  [](u32, Random& random)
                  {
                      const u32 max_pages = 1 + random.below(kPages);
                      PlaneTracker tracker(nullptr, max_pages);
                      Model model(max_pages);
                      u32 wrong = 0;
                      for (u32 step = 0; step < 150; ++step)
                      {
                          const u32 begin = random.below(kBytes);
                          const u32 most = kBytes - begin;
                          u32 size = random.below(4) == 0 ? random.below(most + 1)
                                                          : std::min(random.below(400), most);
                          if (random.below(2) == 0)
                              size = std::min((size + 63) & ~63u, most);
                          const u32 operation = random.below(8);
                          if (operation < 3)
                          {
                              tracker.give(kFirst + begin, size);
                              model.give(begin, size);
                          }
                          else if (operation < 6)
                          {
                              tracker.take(kFirst + begin, size);
                              model.take(begin, size);
                          }
                          else
                          {
                              tracker.touch(kFirst + begin, size);
                              model.touch(begin, size);
                          }
                          wrong += tracker.any(kFirst + begin, size) != model.any(begin, size);
                          wrong += tracker.pages() != model.pages();
                          wrong += tracker.evictions() != model.evictions();
                          for (u32 at = 0; at < kBytes; at += 64)
                              wrong += tracker.any(kFirst + at, 1) != model.byte(at);
                      }
                      CHECK(wrong == 0);
                  });
}

TEST_CASE("planes: whoever keeps them hears of every line that is lost, before its slot is used again")
{
    Lines lines;
    PlaneTracker tracker(&lines, 2);
    tracker.give(0x1000, 130);
    const u32 slot = tracker.slot(1);
    REQUIRE(slot != PlaneTracker::kNoSlot);
    CHECK(tracker.lines(slot) == 7);
    tracker.take(0x1000 + 64, 65); // whole: line 1 only
    CHECK(lines.lost_lines[slot] == 2);
    CHECK(tracker.lines(slot) == 5);
    tracker.give(0x2000, 1);
    tracker.touch(0x1000, 1);
    CHECK(tracker.evictions() == 0);
    tracker.give(0x3000, 1); // page 2 was not used for longest
    CHECK(tracker.evictions() == 1);
    CHECK(tracker.slot(2) == PlaneTracker::kNoSlot);
    CHECK(tracker.slot(1) == slot);
    tracker.take(0x1000, 4096);
    CHECK(lines.lost_lines[slot] == 7);
    CHECK(tracker.slot(1) == PlaneTracker::kNoSlot);
    CHECK(tracker.pages() == 1);
}

TEST_CASE("planes: ranges without bytes, at the end of addresses, and beyond it")
{
    PlaneTracker tracker(nullptr, 4);
    tracker.give(0x1000, 0);
    CHECK(tracker.pages() == 0);
    CHECK(!tracker.any(0x1000, 0));
    tracker.give(0xFFFFFFC0, 64);
    CHECK(tracker.pages() == 1);
    CHECK(tracker.any(0xFFFFFFFF, 1));
    CHECK(tracker.any(0xFFFFF000, ~u64{0}));
    CHECK(!tracker.any(0, 0x1000)); // does not wrap
    tracker.take(0xFFFFFF00, ~u64{0});
    CHECK(tracker.pages() == 0);
    // More pages than there may be: the last ones stay.
    tracker.give(0x10000, 64 * 4096);
    CHECK(tracker.pages() == 4);
    CHECK(!tracker.any(0x10000, 60 * 4096));
    CHECK(tracker.any(0x10000 + 60 * 4096, 1));
}
