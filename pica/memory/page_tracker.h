// SPDX-License-Identifier: MIT
// Who is stale: a stamp per 4 KiB page of guest memory. Every write takes the next value of one growing
// counter and leaves it on the pages it touched; a cache keeps the newest stamp it saw over its range and
// compares. Our own design (design D8). Tests: tests/pica/page_tracker_test.cpp.
#pragma once

#include "pica/base/types.h"

#include <vector>

namespace pica
{

class PageTracker
{
public:
    static constexpr u32 kPageShift = 12;

    // Addresses outside all tracked regions have generation 0 and ignore writes.
    void add_region(PhysAddr base, u64 size);

    void did_write(PhysAddr address, u64 size);
    // Newest stamp over the range; 0 = never written.
    u64 generation(PhysAddr address, u64 size) const;
    // The stamp of the latest write anywhere.
    u64 latest() const { return stamp_; }

private:
    struct Region
    {
        u64 begin;
        u64 end;
        std::vector<u64> stamps;
    };

    std::vector<Region> regions_;
    u64 stamp_ = 0;
};

} // namespace pica
