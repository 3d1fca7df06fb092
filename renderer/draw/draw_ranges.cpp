// SPDX-License-Identifier: MIT
#include "renderer/draw/draw_ranges.h"

#include "renderer/residency/guest_mirror.h"

namespace renderer
{

bool samples_target(const pica::Draw& draw)
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

bool target_is_beyond(const GuestMirror& mirror, const pica::Draw& draw)
{
    bool missing = false;
    if (!mirror.is_whole())
        for_each_buffer(draw, [&](PhysAddr address, u32 size) { missing |= mirror.misses(address, size); });
    return missing;
}

bool vertices_are_beyond(const GuestMirror& mirror, const pica::VertexSource& source,
                         const AttributeRanges& attributes, pica::IndexRange vertices)
{
    bool missing = false;
    if (source.indexed)
        missing |= !mirror.region_holds(source.index_address, source.index_address, index_bytes(source));
    attributes.for_each(vertices, [&](PhysAddr base, PhysAddr address, u64 size)
                        { missing |= !mirror.region_holds(base, address, size); });
    return missing;
}

} // namespace renderer
