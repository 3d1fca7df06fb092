// SPDX-License-Identifier: MIT
// Draws of more triangles than the compute executor reserves room for at once are made in parts, in order:
// those of a geometry program by invocations (geometry_work.cpp), others by triangles.
#include "renderer/backend/renderer_impl.h"

#include <algorithm>

namespace renderer
{

using pica::Topology;

namespace
{

// The vertices of triangles [first, first + count): those that `pending` vertices of earlier draws go in
// front of. first is even, so that a strip's triangles keep their order of vertices.
pica::VertexSource cut(const pica::VertexSource& source, u32 pending, u32 first, u32 count)
{
    const bool strip = source.topology == Topology::TriangleStrip;
    const u32 from = strip ? first : 3 * first;
    const u32 skipped = first == 0 ? 0 : from - pending; // a part has more triangles than there are pending
    pica::VertexSource part = source;
    part.count = (strip ? count + 2 : 3 * count) - (first == 0 ? pending : 0);
    if (source.indexed)
        part.index_address += skipped * (source.index16 ? 2 : 1);
    else if (source.inline_attributes != 0)
        part.inline_values = source.inline_values.subspan(std::size_t{skipped} * source.inline_attributes,
                                                          std::size_t{part.count} * source.inline_attributes);
    else // numbers beyond 32 bits are beyond memory: they stay at the end (shaders/include/vertex_fetch.h)
        part.first_vertex = std::min(part.first_vertex, 0xFFFFFFFF - skipped) + skipped;
    return part;
}

} // namespace

// Parts of a draw would sample what the parts before them drew.
bool Renderer::Impl::samples_target(const pica::Draw& draw)
{
    bool samples = false;
    const u64 pixels = u64{draw.target.width} * draw.target.height;
    for_each_texture(
        draw,
        [&](std::size_t unit, const pica::TextureBinding& binding)
        {
            for_each_address(
                draw, unit, binding,
                [&](PhysAddr address)
                {
                    for (const u64 buffer : {draw.target.color_address, draw.target.depth_address})
                        samples = samples || (address < buffer + pixels * 4 &&
                                              buffer < u64{address} + binding.byte_size());
                });
        });
    return samples;
}

bool Renderer::Impl::plan_parts(const pica::Draw& draw, PreparedDraw& prepared)
{
    const u32 most = states_->flat_records(prepared.specialised) ? VertexExecutor::kPartTriangles
                                                                 : executor_->texel_triangles();
    const u32 triangles = executor_->triangle_bound(draw, vertex_stage_.pending_vertices(draw).count);
    if (draw.geometry_unit.feed.enabled != 0)
    {
        if (triangles > most)
            return false;
        prepared.parts = executor_->geometry_parts();
        return true;
    }
    if (triangles <= most)
        return true;
    if (draw.source.topology == Topology::TriangleFan || samples_target(draw))
        return false;
    prepared.part_triangles = most;
    prepared.parts = (triangles + most - 1) / most;
    return true;
}

void Renderer::Impl::draw_parts(const pica::Draw& draw, const PreparedDraw& prepared)
{
    if (draw.geometry_unit.feed.enabled != 0)
    {
        for (u32 part = 0; part < prepared.parts; part++)
        {
            if (part != 0)
            {
                // What was collected may be seconds of work for one submission.
                flush_batch();
                stream_->submit();
                executor_->begin_geometry_part(part);
            }
            draw_part(draw, prepared);
        }
        return;
    }
    pica::Draw piece = draw;
    PreparedDraw prepared_piece = prepared;
    for (u32 first = 0; first < prepared.triangles; first += prepared.part_triangles)
    {
        prepared_piece.triangles = std::min(prepared.part_triangles, prepared.triangles - first);
        piece.source = cut(draw.source, prepared.pending.count, first, prepared_piece.triangles);
        if (first != 0)
            prepared_piece.pending.count = 0;
        draw_part(piece, prepared_piece);
    }
}

} // namespace renderer
