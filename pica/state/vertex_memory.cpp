// SPDX-License-Identifier: MIT
#include "pica/state/vertex_memory.h"

#include "pica/state/draw_limits.h"

#include <algorithm>
#include <span>

namespace pica
{

IndexRange index_range(const VertexSource& source, const GuestMemory& memory)
{
    const u64 count = std::min(source.count, kMaxDrawVertices);
    if (count == 0)
        return {};
    if (!source.indexed)
        return {source.first_vertex, source.first_vertex + count - 1};
    const std::span<const u8> data = memory.span(source.index_address, count * (source.index16 ? 2 : 1));
    if (data.empty())
        return {0, 0xFFFF};
    u32 lowest = ~0u, highest = 0;
    const auto see = [&](u32 index)
    {
        lowest = std::min(lowest, index);
        highest = std::max(highest, index);
    };
    if (!source.index16)
        for (const u8 index : data)
            see(index);
    else
        for (std::size_t i = 0; i + 1 < data.size(); i += 2)
            see(data[i] | static_cast<u32>(data[i + 1]) << 8);
    return {lowest, highest};
}

} // namespace pica
