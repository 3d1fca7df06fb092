// SPDX-License-Identifier: MIT
#include "pica/soft/reads_in_flight.h"

#include "pica/memory/guest_memory.h"
#include "pica/soft/draws_in_flight.h"
#include "pica/state/vertex_memory.h"

#include <algorithm>

namespace pica::soft
{

namespace
{

// May draws in flight write what is read here? Caches of a memory that compares pages look at all bytes of them.
bool is_in_flight(PhysAddr address, u64 size, const DrawsInFlight& in_flight, const GuestMemory& memory)
{
    const u64 around = memory.compares_pages() ? kPageSize : 0;
    const PhysAddr begin = static_cast<PhysAddr>(address - std::min<u64>(around, address));
    return in_flight.writes(begin, address - begin + size + around);
}

} // namespace

bool reads_vertices_in_flight(const Draw& draw, const DrawsInFlight& in_flight, const GuestMemory& memory)
{
    if (in_flight.is_idle())
        return false;
    const VertexSource& source = draw.source;
    bool found = source.indexed && is_in_flight(source.index_address, index_bytes(source), in_flight, memory);
    // To know the largest index, one would have to read them all.
    const u64 last =
        source.indexed ? (source.index16 ? 0xFFFFu : 0xFFu) : source.first_vertex + u64{source.count};
    for_each_attribute_range(source, {0, last},
                             [&](const FetchInput&, PhysAddr address, u64 size)
                             { found = found || is_in_flight(address, size, in_flight, memory); });
    return found;
}

bool reads_textures_in_flight(const Draw& draw, const DrawsInFlight& in_flight, const GuestMemory& memory)
{
    bool found = false;
    const auto reads = [&](const TextureBinding& binding)
    { found = found || is_in_flight(binding.address, binding.byte_size(), in_flight, memory); };
    for (u32 unit = 0; unit < 3; ++unit)
    {
        const auto& key = draw.fragment.texture[unit];
        if (!key.enabled())
            continue;
        reads(draw.texture[unit]);
        for (u32 face = 0; key.is_cube() && face < 6; ++face)
        {
            TextureBinding of_face = draw.texture[unit];
            of_face.address = draw.cube_faces[face];
            reads(of_face);
        }
    }
    if (draw.fragment.gas.accumulate != 0)
        reads(draw.gas_depth);
    return found;
}

} // namespace pica::soft
