// SPDX-License-Identifier: MIT
// Indexed draws of the compute vertex executor whose elements outnumber their vertices: each vertex is shaded
// once.
#include "renderer/vertex/vertex_executor.h"
#include "shadergen/control_flow.h"
#include "shaders/include/layout.h"

#include <cstring>
#include <utility>

namespace renderer
{

// Between the lowest and the highest number some vertices may be none of the draw's: that they are shaded is
// seen by nobody where the program reports nothing.
VertexExecutor::SharedVertices VertexExecutor::share_vertices(const pica::Draw& draw,
                                                              pica::soft::IndexRange range)
{
    const u64 count = range.last - range.first + 1;
    if (!draw.source.indexed || count >= draw.source.count || draw.geometry_unit.feed.enabled != 0 ||
        is_interpreted(draw) || shadergen::may_raise_events(*draw.program))
        return {};
    return {static_cast<u32>(range.first), static_cast<u32>(count)};
}

// The vertices behind the elements are shaded as an array; behind them is room for what the elements learn.
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

// Beside the vertex programs: it reads indices alone.
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
