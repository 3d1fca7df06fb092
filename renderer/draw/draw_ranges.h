// SPDX-License-Identifier: MIT
// The guest memory that a draw reads and writes, as far as its decoded state tells: render target, textures,
// indices and attributes. Addresses are physical, sizes are bytes. Ranges may leave memory; who uses them
// clips them.
#pragma once

#include "pica/soft/vertex_stage.h"
#include "pica/state/draw.h"
#include "renderer/draw/descriptors.h"
#include "renderer/residency/guest_mirror.h"

namespace renderer
{

// The textures that a draw samples: visit(index of TextureViews, binding).
template <typename Visit>
void for_each_texture(const pica::Draw& draw, Visit visit)
{
    for (std::size_t unit = 0; unit < 3; unit++)
        if (const pica::TextureUnitKey& key = draw.fragment.texture[unit]; key.enabled() && !key.null_address)
            visit(unit, draw.texture[unit]);
    if (draw.fragment.gas.accumulate)
        visit(kGasDepthView, draw.gas_depth);
}

// Does entry `index` of TextureViews hold a cube map?
inline bool is_cube(const pica::Draw& draw, std::size_t index)
{
    return index == 0 && draw.fragment.texture[0].is_cube();
}

// Where such a texture lies: visit(address) once, or for each face of a cube. Each place has
// binding.byte_size() bytes.
template <typename Visit>
void for_each_address(const pica::Draw& draw, std::size_t index, const pica::TextureBinding& binding,
                      Visit visit)
{
    if (is_cube(draw, index))
        for (const pica::PhysAddr face : draw.cube_faces)
            visit(face);
    else
        visit(binding.address);
}

// The colour and the depth buffer, where the draw reads or writes them: visit(address, size).
template <typename Visit>
void for_each_buffer(const pica::Draw& draw, Visit visit)
{
    if (draw.fragment.output != pica::OutputClass::None)
        visit(draw.target.color_address, draw.target.color_bytes());
    if (draw.target.has_depth)
        visit(draw.target.depth_address, draw.target.depth_bytes());
}

// The attributes of vertices `range`: visit(input, address, size).
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

// The indices of an indexed draw, in bytes.
inline u32 index_bytes(const pica::VertexSource& source)
{
    return source.count * (source.index16 ? 2 : 1);
}

// May the draw sample what it draws? By whole pixels of four bytes, so the answer may be yes for neighbours.
bool samples_target(const pica::Draw& draw);

// Is part of the render target in memory that the device has no copy of?
bool target_is_beyond(const GuestMirror& mirror, const pica::Draw& draw);

// Can shaders not fetch all of these vertices? They count from the address of an attribute or of the indices
// to the end of its region, and read 0 behind it; a vertex number may well lead to another region.
bool vertices_are_beyond(const GuestMirror& mirror, const pica::Draw& draw, pica::soft::IndexRange vertices);

} // namespace renderer
