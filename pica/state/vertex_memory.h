// SPDX-License-Identifier: MIT
// The guest memory that a draw's vertices come from: indices and attributes. Addresses are physical, sizes are
// bytes. Ranges may leave memory; who uses them clips them. pica/hardware/vertex-input.md. Tests:
// tests/pica/vertex_memory_test.cpp.
#pragma once

#include "pica/memory/guest_memory.h"
#include "pica/state/draw.h"

namespace pica
{

// The vertex numbers that a draw fetches: first..last.
struct IndexRange
{
    u64 first = 0;
    u64 last = 0;
};

// The vertex numbers of a draw. Scans the indices of an indexed draw. If these are not all in one region of
// memory, the range is that of all 16-bit numbers. Empty draws give 0..0.
IndexRange index_range(const VertexSource& source, const GuestMemory& memory);

// The size of one component of an attribute.
constexpr u32 element_bytes(AttributeType type)
{
    return type == AttributeType::F32 ? 4 : type == AttributeType::S16 ? 2 : 1;
}

// The size of the indices of an indexed draw.
inline u32 index_bytes(const VertexSource& source)
{
    return source.count * (source.index16 ? 2 : 1);
}

// Calls visit(input, address, size) for the memory of each attribute of the vertices in `range`. What lies
// beyond 32-bit addresses is left out.
template <typename Visit>
void for_each_attribute_range(const VertexSource& source, IndexRange range, Visit visit)
{
    for (const FetchInput& input : source.input)
    {
        if (input.source != FetchInput::Source::Memory)
            continue;
        const u64 begin = input.address + range.first * input.stride;
        const u64 end =
            input.address + range.last * input.stride + input.components * element_bytes(input.type);
        if (begin < (u64{1} << 32))
            visit(input, static_cast<PhysAddr>(begin), end - begin);
    }
}

} // namespace pica
