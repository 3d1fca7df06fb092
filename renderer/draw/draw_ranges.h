// SPDX-License-Identifier: MIT
// The ranges of guest memory that a draw reads and writes, from its decoded state: render target, textures,
// indices, attributes. Addresses are physical and sizes are bytes. A range may reach beyond memory; the user
// of the range clips it.
#pragma once

#include "pica/state/vertex_memory.h"
#include "renderer/draw/attribute_ranges.h"
#include "renderer/residency/texture_view.h"

namespace renderer
{

class GuestMirror;

// Calls visit(index in TextureViews, binding) for each texture that the draw samples.
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

// Calls visit(address) for each place where the texture lies: one, or the six faces of a cube map. Each place
// has binding.byte_size() bytes.
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

// Calls visit(address, size) for the colour and the depth buffer, as far as the draw reads or writes them.
template <typename Visit>
void for_each_buffer(const pica::Draw& draw, Visit visit)
{
    if (draw.fragment.output != pica::OutputClass::None)
        visit(draw.target.color_address, draw.target.color_bytes());
    if (draw.target.has_depth)
        visit(draw.target.depth_address, draw.target.depth_bytes());
}

// May the draw sample its own target? The test assumes four bytes per pixel, so it may also say yes for
// memory right behind the target.
bool samples_target(const pica::Draw& draw);

// Does part of the render target lie in memory that the device has no copy of?
bool target_is_beyond(const GuestMirror& mirror, const pica::Draw& draw);

// Are there indices or attributes that shaders cannot fetch? Shaders read within the region in which the
// attribute or the index buffer begins, and get 0 beyond its end. A vertex number may well lead to another
// region.
bool vertices_are_beyond(const GuestMirror& mirror, const pica::VertexSource& source,
                         const AttributeRanges& attributes, pica::IndexRange vertices);

} // namespace renderer
