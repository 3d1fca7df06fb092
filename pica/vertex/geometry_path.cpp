// SPDX-License-Identifier: MIT
#include "pica/vertex/geometry_path.h"

#include "pica/state/index_reader.h"

namespace pica
{

// The index stream is a sequence of primitives: N, then N indices. A primitive that the end of the stream
// cuts off is dropped; one without vertices runs nothing. [our rule]
void GeometryPath::scan_primitives(const Draw& draw, u32 count, const GuestMemory& memory,
                                   UniqueVertices& unique, Report& report)
{
    unique.begin();
    primitive_vertices_.clear();
    const IndexReader index(draw.source, count, memory, report);
    u32 i = 0;
    while (i < count)
    {
        const u32 vertices = index[i++];
        if (vertices == 0)
        {
            report.report(ReportKind::Guest, "geometry shader primitive without vertices", "skipped");
            continue;
        }
        if (vertices > count - i)
        {
            report.report(ReportKind::Guest, "geometry shader primitive past the indices", "dropped");
            return;
        }
        primitive_vertices_.push_back(vertices);
        for (const u32 end = i + vertices; i < end; ++i)
            unique.add(index[i]);
    }
}

void GeometryPath::begin(const GeometryFeed& feed, u32 vertices)
{
    attributes_.resize(std::size_t{vertices} * feed.attributes);
}

void GeometryPath::keep_attributes(const GeometryFeed& feed, u32 first, u32 lanes,
                                   const BatchInterpreter& batch)
{
    Vec4* const out = &attributes_[std::size_t{first} * feed.attributes];
    for (u32 n = 0; n < feed.attributes; ++n)
    {
        for (u32 component = 0; component < 4; ++component)
        {
            const f32* const row =
                feed.source[n] == GeometryFeed::kNoOutput ? nullptr : batch.output(feed.source[n], component);
            for (u32 lane = 0; lane < lanes; ++lane)
                out[std::size_t{lane} * feed.attributes + n][component] = row ? row[lane] : 0.0f;
        }
    }
}

void GeometryPath::load_rows(u32 first, u32 primitives)
{
    for (u32 i = 0; i < primitives * 3; ++i)
        for (u32 n = 0; n < unit_.outputs(); ++n)
            for (u32 component = 0; component < 4; ++component)
                rows_[n * 4 + component].lane[i] = unit_.output(first + i / 3, i % 3, n)[component];
}

} // namespace pica
