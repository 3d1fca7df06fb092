// SPDX-License-Identifier: MIT
// What the parts of the ubershader share: the positions of the fragment key's bytes in FragmentBlock::state.
#pragma once

#include "shadergen/fragment_blocks.h"
#include "shadergen/ubershader.h"

namespace shadergen
{

// Rows 0..5 are the combiner stages, 6 and 7 the texture units (8 bytes each); the other members follow byte
// by byte.
// clang-format off
inline constexpr pica::u32 kTextureRow = 6;
enum StateByte : pica::u32
{
    kUpdateColor = 120, kUpdateAlpha, kAlphaFunc, kScissorExclude,
    kDepthMode = 124, kDepth16, kColorFormat, kFogFlip,
    kLogic = 128, kLogicOp, kEquationColor, kEquationAlpha,
    kSourceColor = 132, kDestinationColor, kSourceAlpha, kDestinationAlpha,
    kColorMask = 136, kReadDestination, kFogMode, kFogGas,
    kDepthZero = 156, // after the 12 bytes of ProcTexKey
    kGasFunc = 140, kGasFormat, kGasFlip, kGasBlock32,
};
// clang-format on

// The row that holds the bytes of ProcTexKey.
inline constexpr pica::u32 kProcTexRow = 9;

// The byte as a uint expression. The text must contain byte_of.
std::string state_byte(FragmentText& text, StateByte byte);

// Fragment lighting: declares fragment_primary and fragment_secondary (ubershader_lighting.cpp). proctex:
// texture3 is declared.
void write_ubershader_lighting(FragmentText& text, bool proctex);

// Declares texture3 (ubershader_proctex.cpp).
void write_ubershader_proctex(FragmentText& text);
// The complete output of gas accumulation (ubershader_gas.cpp). window_depth must be declared.
void write_ubershader_gas(FragmentText& text);
// Applies fog to vec4 `combined` (ubershader_fog.cpp). window_depth must be declared.
void write_ubershader_fog(FragmentText& text);
// Declares texture0..2 (ubershader_texture.cpp).
void write_ubershader_textures(FragmentText& text, const UbershaderKey& key);

} // namespace shadergen
