// SPDX-License-Identifier: MIT
// The vertex stage of a draw with a geometry shader: vertices become inputs of the geometry shader unit, and
// emitted primitives are assembled. Source: pica/hardware/geometry-unit.md.
#include "pica/soft/vertex_stage.h"
#include "pica/state/index_reader.h"

#include <algorithm>

namespace pica::soft
{

namespace
{

constexpr u32 kLanes = BatchInterpreter::kLanes;
constexpr u32 kPrimitivesPerBatch = kLanes / 3;

} // namespace

void VertexStage::run_geometry(const Draw& draw, u32 count, const GuestMemory& memory, Report& report)
{
    const bool variable = draw.geometry_unit.feed.mode == GeometryMode::Variable;
    u32 unique = count;
    if (variable)
        scan_primitives(draw, count, memory, report);
    else if (draw.source.indexed)
        scan_indices(draw, count, memory, report);
    if (variable || draw.source.indexed)
        unique = static_cast<u32>(unique_.size());
    vertices_.resize(assembler_.pending());
    load_pending(draw);
    fed_.resize(std::size_t{unique} * draw.geometry_unit.feed.attributes);
    if (unique != 0)
        shade(draw, 0, unique, memory, report);

    geometry_.begin(draw, report);
    set_output_rows(draw);
    feed_geometry(draw, count);
    assemble_emitted(draw);
    geometry_.end(report);
    for (u32 i = 0; i < assembler_.pending(); ++i)
        pending_[i] = vertices_[assembler_.slot(i)];
}

// The index stream is a sequence of primitives: N, then N indices. A primitive that the end of the stream
// cuts off is dropped; one without vertices runs nothing. [our rule]
void VertexStage::scan_primitives(const Draw& draw, u32 count, const GuestMemory& memory, Report& report)
{
    begin_indices();
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
            elements_.push_back(unique_vertex(index[i]));
    }
}

// Makes the outputs of a vertex batch the attributes for the geometry shader unit.
void VertexStage::keep_attributes(const Draw& draw, u32 first, u32 lanes)
{
    const GeometryFeed& feed = draw.geometry_unit.feed;
    Vec4* const out = &fed_[std::size_t{first} * feed.attributes];
    for (u32 n = 0; n < feed.attributes; ++n)
    {
        for (u32 component = 0; component < 4; ++component)
        {
            const f32* const row = feed.source[n] == GeometryFeed::kNoOutput
                                       ? nullptr
                                       : interpreter_.output(feed.source[n], component);
            for (u32 lane = 0; lane < lanes; ++lane)
                out[std::size_t{lane} * feed.attributes + n][component] = row ? row[lane] : 0.0f;
        }
    }
}

void VertexStage::feed_geometry(const Draw& draw, u32 count)
{
    const GeometryFeed& feed = draw.geometry_unit.feed;
    const auto push = [&](u32 vertex)
    {
        geometry_.push({&fed_[std::size_t{vertex} * feed.attributes], feed.attributes});
        if (geometry_.primitives() >= kPrimitivesPerBatch)
            assemble_emitted(draw);
    };
    if (feed.mode == GeometryMode::Variable)
    {
        u32 element = 0;
        for (const u32 vertices : primitive_vertices_)
        {
            geometry_.begin_primitive(vertices);
            for (u32 i = 0; i < vertices; ++i)
                push(elements_[element++]);
        }
        return;
    }
    for (u32 i = 0; i < count; ++i)
        push(draw.source.indexed ? elements_[i] : i);
}

void VertexStage::assemble_emitted(const Draw& draw)
{
    const auto emit = [&](u32 a, u32 b, u32 c) { add_triangle(draw, a, b, c); };
    const u32 primitives = geometry_.primitives();
    for (u32 done = 0; done < primitives; done += kPrimitivesPerBatch)
    {
        const u32 batch = std::min(primitives - done, kPrimitivesPerBatch);
        for (u32 i = 0; i < batch * 3; ++i)
            for (u32 n = 0; n < geometry_.outputs(); ++n)
                for (u32 component = 0; component < 4; ++component)
                    emitted_rows_[n * 4 + component].lane[i] =
                        geometry_.output(done + i / 3, i % 3, n)[component];
        const u32 first = static_cast<u32>(vertices_.size());
        vertices_.resize(first + batch * 3);
        outputs_(output_rows_, batch * 3, &vertices_[first]);
        for (u32 p = 0; p < batch; ++p)
        {
            if (draw.geometry_unit.feed.obeys_winding != 0 && geometry_.inverted(done + p))
                assembler_.invert();
            for (u32 i = 0; i < 3; ++i)
                assembler_.push(draw.source.topology, first + p * 3 + i, emit);
        }
    }
    geometry_.clear();
}

} // namespace pica::soft
