// SPDX-License-Identifier: MIT
#include "pica/soft/reads_in_flight.h"

#include "pica/memory/guest_memory.h"
#include "pica/soft/draws_in_flight.h"
#include "pica/state/sampled_memory.h"
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
    IndexRange numbers = {source.first_vertex, source.first_vertex + u64{source.count}};
    if (source.indexed)
        numbers = {0, source.index16 ? 0xFFFFu : 0xFFu}; // to know better, one would have to read all indices
    for_each_attribute_range(source, numbers,
                             [&](const FetchInput&, PhysAddr address, u64 size)
                             { found = found || is_in_flight(address, size, in_flight, memory); });
    return found;
}

bool reads_textures_in_flight(const Draw& draw, const DrawsInFlight& in_flight, const GuestMemory& memory)
{
    bool found = false;
    for_each_sampled_range(draw, [&](PhysAddr address, u32 size)
                           { found = found || is_in_flight(address, size, in_flight, memory); });
    return found;
}

} // namespace pica::soft
