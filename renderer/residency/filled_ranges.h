// SPDX-License-Identifier: MIT
// FilledRanges: the ranges of the mirror that memory fills of this frame wrote and nobody has written since. A surface that
// is made inside of one needs no load: all of its pixels are known. Games clear their buffers before they draw, so that is
// most surfaces, when they are made. Tests: tests/renderer/filled_surfaces_test.cpp.
#pragma once

#include "pica/memory/address_span.h"
#include "renderer/residency/surface_converter.h"

#include <vector>

namespace renderer
{

class FilledRanges
{
public:
    // To be called when the range was filled. Forgets the ranges that overlap it, and of many ranges the oldest.
    void add(const FillPattern& fill);
    // To be called when something wrote these bytes, to guest memory, to the mirror or to a surface. Forgets the ranges
    // that overlap them.
    void written(PhysAddr address, u64 size);
    // The fill whose range contains all of these bytes, or null. Valid until the next call of another function.
    const FillPattern* covering(PhysAddr address, u64 size) const;
    // Adds the ranges to a list.
    void append_to(std::vector<pica::AddressSpan>& ranges) const;
    void clear() { fills_.clear(); }

private:
    std::vector<FillPattern> fills_; // oldest first; they do not overlap
};

} // namespace renderer
