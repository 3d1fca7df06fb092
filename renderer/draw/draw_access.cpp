// SPDX-License-Identifier: MIT
#include "renderer/draw/draw_access.h"

#include "pica/state/sampled_memory.h"
#include "renderer/draw/draw_ranges.h"

#include <algorithm>

namespace renderer
{

void DrawAccesses::add_vertices(const pica::VertexSource& source, const AttributeRanges& attributes,
                                pica::IndexRange vertices)
{
    if (source.count == 0)
        return;
    if (source.indexed)
        add(DrawAccess::Use::Vertices, source.index_address, index_bytes(source));
    attributes.for_each(vertices, [&](PhysAddr, PhysAddr address, u64 size)
                        { add(DrawAccess::Use::Vertices, address, size); });
}

void DrawAccesses::add_targets_and_textures(const pica::Draw& draw)
{
    for_each_buffer(draw, [&](PhysAddr address, u32 size) { add(DrawAccess::Use::Target, address, size); });
    for_each_sampled_range(draw,
                           [&](PhysAddr address, u32 size) { add(DrawAccess::Use::Texture, address, size); });
}

void DrawAccesses::add(DrawAccess::Use use, PhysAddr address, u64 size)
{
    // Attributes in one place with different strides may overlap, and become one range.
    if (use == DrawAccess::Use::Vertices && count_ != 0)
    {
        DrawAccess& last = list_[count_ - 1];
        if (last.use == use && pica::overlap(last.address, last.size, address, size))
        {
            const u64 end = std::max(u64{last.address} + last.size, u64{address} + size);
            last.address = std::min(last.address, address);
            last.size = end - last.address;
            return;
        }
    }
    list_[count_++] = {use, address, size};
}

} // namespace renderer
