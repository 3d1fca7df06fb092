// SPDX-License-Identifier: MIT
// AttributeRanges: where the attributes of a draw lie in guest memory. Attributes of interleaved vertices are one range. A
// draw with the inputs of the last one costs nothing here. Our own design. Tests: tests/renderer/attribute_ranges_test.cpp.
#pragma once

#include "pica/state/vertex_memory.h"

#include <array>

namespace renderer
{

class AttributeRanges
{
public:
    void take(const pica::Draw& draw)
    {
        if (draw.inputs_revision != 0 && draw.inputs_revision == revision_)
            return;
        revision_ = draw.inputs_revision;
        find(draw.source);
    }

    // Calls visit(base, address, size) for the ranges of the vertices with these numbers. base: where the attributes of
    // vertex 0 begin. A range may reach beyond memory. What begins beyond 32-bit addresses is left out.
    template <typename Visit>
    void for_each(pica::IndexRange vertices, Visit visit) const
    {
        for (pica::u32 i = 0; i < count_; ++i)
        {
            const Range& range = ranges_[i];
            const pica::u64 begin = range.begin + vertices.first * range.stride;
            const pica::u64 end = range.end + vertices.last * range.stride;
            if (begin < (pica::u64{1} << 32))
                visit(static_cast<pica::PhysAddr>(range.begin), static_cast<pica::PhysAddr>(begin),
                      end - begin);
        }
    }

private:
    // Of vertex 0.
    struct Range
    {
        pica::u64 begin = 0, end = 0;
        pica::u32 stride = 0; // bytes from one vertex to the next
    };
    void find(const pica::VertexSource& source);

    std::array<Range, 16> ranges_;
    pica::u32 count_ = 0;
    pica::u64 revision_ = 0; // 0: unknown
};

} // namespace renderer
