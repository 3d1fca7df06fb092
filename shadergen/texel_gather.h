// SPDX-License-Identifier: MIT
// The four texels of a linear filter by one textureGather instead of four texelFetch. The place that is asked for is the
// corner between the four texels, half a texel from where other ones would be taken. So every device that tells halves of
// texels apart takes these four (Vulkan requires 1/16), and no value is filtered.
#pragma once

#include "pica/state/keys.h"

#include <string>

namespace shadergen
{

struct FragmentText;

// Are the texels of this unit gathered? Filters of one level of a 2D texture are, also of a projected one. Not those of cube
// maps, of units that choose a level, of wrap modes that treat the two sides of a texture differently, and of pictures of N x
// texels that repeat or are mirrored.
bool gathers(const FragmentText& text, pica::u32 unit);

// Declares uvec4 texelsN, the RGBA8 words of the texels in the order of textureGather: x (s, t+1), y (s+1, t+1), z (s+1, t),
// w (s, t), with s and t the floors of the ints xN and yN / 256. They are wrapped, and the border colour is in its place.
void write_gathered_texels(FragmentText& text, pica::u32 unit);

// The axes along which the sampler of a unit must repeat where texels are gathered; along the others it clamps to the edge.
constexpr pica::u32 kRepeatsAlongS = 1, kRepeatsAlongT = 2;
constexpr pica::u32 repeat_axes(const pica::TextureUnitKey& key)
{
    return (key.wrap_s == pica::TextureWrap::Repeat ? kRepeatsAlongS : 0) |
           (key.wrap_t == pica::TextureWrap::Repeat ? kRepeatsAlongT : 0);
}

} // namespace shadergen
