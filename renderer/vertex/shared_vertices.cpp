// SPDX-License-Identifier: MIT
// Part of VertexExecutor: indexed draws with more elements than vertices. Each vertex is shaded once.
#include "renderer/vertex/vertex_executor.h"
#include "shadergen/control_flow.h"
#include "shaders/include/layout.h"

#include <cstring>
#include <utility>

namespace renderer
{

// Decides whether each vertex between the lowest and the highest number is shaded once. Some of these may not
// belong to the draw. Shading them has no visible effect, as long as the program cannot report anything.
VertexExecutor::SharedVertices VertexExecutor::share_vertices(const pica::Draw& draw, pica::IndexRange range)
{
    const u64 count = range.last - range.first + 1;
    if (!draw.source.indexed || count >= draw.source.count || draw.geometry_unit.feed.enabled != 0 ||
        is_interpreted(draw) || shadergen::may_raise_events(*draw.program))
        return {};
    return {static_cast<u32>(range.first), static_cast<u32>(count)};
}

// Sets up an item that shades the vertices as an array. Behind the array is memory for the rows that elements
// refer to.
void VertexExecutor::share(Item& item, const shadergen::VertexPlacement& placement, const Slice& blocks)
{
    const u32 first_row = placement.first_shaded;
    shadergen::VertexBlock& elements = *blocks.as<shadergen::VertexBlock>();
    elements.shared_range = {first_row, shared_.first, shared_.count,
                             (first_row + shared_.count) * SHADED_FLOATS};
    shadergen::VertexBlock vertices = elements;
    vertices.draw = {shared_.count, shared_.first, first_row, elements.draw[3]};
    vertices.index = {};
    std::memcpy(blocks.host + block_stride(), &vertices, sizeof vertices);
    item.block_offset = static_cast<u32>(blocks.offset + block_stride());
    item.sharing_elements = std::exchange(item.vertices, shared_.count);
}

// Records the dispatches that look up which shaded vertex each element names. They need no barrier after the
// vertex programs, because they read only indices.
void VertexExecutor::name_shared_rows(VkCommandBuffer cmd)
{
    bool bound = false;
    for (const Item& item : items_)
    {
        if (item.sharing_elements == 0)
            continue;
        if (!std::exchange(bound, true))
            device_.vk.vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, shared_rows_->get());
        dispatch(cmd, ComputeStage::Vertex, item, item.unit_offset, item.sharing_elements);
    }
}

} // namespace renderer
