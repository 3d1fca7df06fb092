// SPDX-License-Identifier: MIT
// The ubershader (design D10): the fragment key is read from the uniform block instead of being compiled in.
// Same bits as the specialised shader, a handful of variants, so a draw never waits for a compiler.
//
// To draw with it: records laid out by ubershader_layout, FragmentBlock filled by pack_fragment_block and
// then pack_ubershader_state, all three texture bindings valid; everything else as fragment.h says for the
// draw's key.
#pragma once

#include "pica/state/keys.h"
#include "pica/state/triangle_record.h"
#include "shadergen/target.h"
#include "shadergen/uniforms.h"

#include <string>

namespace shadergen
{

// Types of texture unit 0 that a variant has.
enum class Unit0Types : pica::u8
{
    Texture2D,
    Divided, // Projection, Shadow2D
    Cube,    // Cube, ShadowCube: texture_image0 is an array of faces
};

// What the text depends on besides the target and the width of edge values.
struct UbershaderKey
{
    pica::u8 discards = 0;   // alpha test or scissor exclusion
    pica::u8 depth = 0;      // exports depth codes
    pica::u8 depth_zero = 0; // compares them with 0; then depth is 1
    pica::u8 fog = 0;        // fog unit on; then output is not None
    pica::u8 lighting = 0;   // fragment lighting on
    pica::u8 shadow_map = 0; // shadow map rendering: output is Fetch, no others but lighting
    pica::OutputClass output = pica::OutputClass::None; // None, Opaque (LogicOp and FixedBlend too) or Fetch
    pica::u8 gas = 0;                                   // gas accumulation; then output is Fetch
    pica::u8 proctex = 0;                               // unit 3 is on
    pica::u8 lod = 0;                                   // a texture unit needs the level of detail
    Unit0Types unit0 = Unit0Types::Texture2D;           // others include the level of detail

    bool operator==(const UbershaderKey&) const = default;
};

UbershaderKey ubershader_key(const pica::FragmentKey& key);

// Every interpolated scalar that the variant may read: 48 words, 72 with lighting, 60 with types of unit 0
// and wide edges. wide as in the draw's own layout.
pica::RecordLayout ubershader_layout(const UbershaderKey& key, pica::u8 wide);

std::string generate_ubershader(const UbershaderKey& key, pica::u8 wide, const Target& target);

// Fill block.state.
void pack_ubershader_state(const pica::FragmentKey& key, FragmentBlock& block);
void pack_ubershader_lighting(const pica::LightingKey& key, LightingBlock& block);

} // namespace shadergen
