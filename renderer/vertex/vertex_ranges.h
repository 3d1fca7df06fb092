// SPDX-License-Identifier: MIT
// The guest memory that a draw's vertices come from: indices and attributes. Addresses are physical, sizes are
// bytes. Ranges may leave memory; who uses them clips them.
#pragma once

#include "pica/soft/vertex_stage.h"
#include "pica/state/draw.h"
#include "renderer/vulkan/vulkan.h"

namespace renderer
{

// Calls visit(input, address, size) for the memory of each attribute of the vertices in `range`.
template <typename Visit>
void for_each_attribute_range(const pica::VertexSource& source, pica::soft::IndexRange range, Visit visit)
{
    constexpr u32 kElementBytes[4] = {1, 1, 2, 4};
    for (const pica::FetchInput& input : source.input)
    {
        if (input.source != pica::FetchInput::Source::Memory)
            continue;
        const u64 begin = input.address + range.first * input.stride;
        const u64 end = input.address + range.last * input.stride +
                        input.components * kElementBytes[static_cast<u32>(input.type) & 3];
        if (begin < (u64{1} << 32))
            visit(input, static_cast<PhysAddr>(begin), end - begin);
    }
}

// The size of the indices of an indexed draw.
inline u32 index_bytes(const pica::VertexSource& source)
{
    return source.count * (source.index16 ? 2 : 1);
}

} // namespace renderer
