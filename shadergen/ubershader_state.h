// SPDX-License-Identifier: MIT
// The fragment key as the ubershader reads it: the positions of its bytes in FragmentBlock::state.
#pragma once

#include "pica/base/types.h"

#include <string>

namespace pica
{
struct FragmentKey;
}

namespace shadergen
{

struct FragmentBlock;
struct FragmentText;

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

// Fills block.state.
void pack_ubershader_state(const pica::FragmentKey& key, FragmentBlock& block);

} // namespace shadergen
