// SPDX-License-Identifier: MIT
// The texture units 0 to 2.
#pragma once

#include "pica/base/types.h"

#include <string>

namespace shadergen
{

struct FragmentText;

// Declares texcoordN_u and _v once.
void write_texcoord(FragmentText& text, pica::u32 set);
// Defines bilinear(): filters four taps, with two coordinates in 1/256 texel.
void define_bilinear(FragmentText& text);
// vec4 unpacked(uint c): the codes of an RGBA8 word.
void define_unpacked(FragmentText& text);
// Defines mix_levels(): mixes the colours of two levels, with a weight in 1/256.
void define_mix_levels(FragmentText& text);
// An int expression: where a texture coordinate lies on a level, in 1/256 texel. size: of the level, an int expression.
std::string texel_position(FragmentText& text, pica::u32 unit, const std::string& coordinate,
                           const std::string& size);
// Declares texture0..2 of the texture units that are on.
void write_texture_unit(FragmentText& text, pica::u32 unit);

} // namespace shadergen
