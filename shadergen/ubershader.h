// SPDX-License-Identifier: MIT
// The ubershader (design D10): reads the fragment key from the uniform block instead of having it compiled
// in. It gives the same bits as the specialised shader and has only a handful of variants, so a draw never
// has to wait for a compiler.
//
// To draw with it: triangle records have the layout of ubershader_layout, FragmentBlock is filled by
// pack_fragment_block and then by pack_ubershader_state, and all three texture bindings are valid. Everything
// else is as fragment.h says for the key of the draw.
#pragma once

#include "pica/state/keys.h"
#include "pica/state/triangle_record.h"
#include "shadergen/target.h"

#include <string>

namespace shadergen
{

// The types of texture unit 0 that a variant supports.
enum class Unit0Types : pica::u8
{
    Texture2D,
    Divided, // Projection, Shadow2D
    Cube,    // Cube, ShadowCube: texture_image0 is an array of faces
};

// What the text depends on, besides the target and the width of edge values.
struct UbershaderKey
{
    pica::u8 discards = 0;   // alpha test or scissor exclusion
    pica::u8 depth = 0;      // exports depth codes
    pica::u8 depth_zero = 0; // compares them with 0; then depth is 1
    pica::u8 fog = 0;        // fog unit on; then output is not None
    pica::u8 lighting = 0;   // fragment lighting on
    pica::u8 shadow_map = 0; // shadow map rendering; output is Fetch, and nothing else is set but lighting
    pica::OutputClass output = pica::OutputClass::None; // None, Opaque (LogicOp and FixedBlend too) or Fetch
    pica::u8 gas = 0;                                   // gas accumulation; then output is Fetch
    pica::u8 proctex = 0;                               // unit 3 is on
    pica::u8 lod = 0;                                   // some texture unit needs the level of detail
    Unit0Types unit0 = Unit0Types::Texture2D;           // the other types include the level of detail
    pica::u8 scaled = 0; // some texture unit samples N x texels; then all are sampled as if they did

    bool operator==(const UbershaderKey&) const = default;
};

UbershaderKey ubershader_key(const pica::FragmentKey& key);

// A layout with every interpolated scalar that the variant may read: 48 words, 72 with lighting, 60 with
// types of unit 0 and wide edges. wide: as in the draw's own layout.
pica::RecordLayout ubershader_layout(const UbershaderKey& key, pica::u8 wide);

std::string generate_ubershader(const UbershaderKey& key, pica::u8 wide, const Target& target);

} // namespace shadergen
