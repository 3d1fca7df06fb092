// SPDX-License-Identifier: MIT
// FilledRanges: the ranges of the mirror that memory fills of this frame wrote and nobody has written since. A surface that
// is made inside of one needs no load: all of its pixels are known. Games clear their buffers before they draw, so most
// surfaces are made inside of one. Tests: tests/renderer/filled_surfaces_test.cpp.
#pragma once

#include "pica/memory/address_span.h"
#include "renderer/residency/surface_converter.h"

#include <optional>
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
    // The pixel that a fill gave to all of a surface, as a little-endian number of its bytes in memory. Nothing where no fill
    // contains all of its bytes, or where they differ. bytes: the surface's.
    std::optional<u32> pixel_of(const SurfaceKey& key, u32 bytes) const;
    // Adds the ranges to a list.
    void append_to(std::vector<pica::AddressSpan>& ranges) const;
    void clear() { fills_.clear(); }

private:
    std::vector<FillPattern> fills_; // oldest first; they do not overlap
};

} // namespace renderer
