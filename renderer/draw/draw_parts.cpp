// SPDX-License-Identifier: MIT
#include "renderer/draw/draw_parts.h"

#include <algorithm>

namespace renderer
{

using pica::Topology;

namespace
{

// The vertices of triangles [first, first + count). `pending`: how many vertices of earlier draws precede
// those of the source.
pica::VertexSource cut(const pica::VertexSource& source, u32 pending, u32 first, u32 count)
{
    const bool strip = source.topology == Topology::TriangleStrip;
    const u32 from = strip ? first : 3 * first;
    // No underflow: a part has more triangles than there are pending vertices.
    const u32 skipped = first == 0 ? 0 : from - pending;
    pica::VertexSource part = source;
    part.count = (strip ? count + 2 : 3 * count) - (first == 0 ? pending : 0);
    if (source.indexed)
        part.index_address += skipped * (source.index16 ? 2 : 1);
    else if (source.inline_attributes != 0)
        part.inline_values = source.inline_values.subspan(std::size_t{skipped} * source.inline_attributes,
                                                          std::size_t{part.count} * source.inline_attributes);
    else // saturates: vertex numbers of 32 bits are beyond memory anyway (shaders/include/vertex_fetch.h)
        part.first_vertex = std::min(part.first_vertex, 0xFFFFFFFF - skipped) + skipped;
    return part;
}

} // namespace

DrawPart part_from(const pica::Draw& draw, const PreparedDraw& prepared, u32 first)
{
    DrawPart part{draw, prepared};
    part.prepared.triangles = std::min(prepared.part_triangles, prepared.triangles - first);
    part.draw.source = cut(draw.source, prepared.pending.count, first, part.prepared.triangles);
    if (first != 0)
        part.prepared.pending.count = 0;
    return part;
}

} // namespace renderer
