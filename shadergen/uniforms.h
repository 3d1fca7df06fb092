// SPDX-License-Identifier: MIT
// C++ structs of the std140 blocks in shaders/include/uniforms.h (the same text), and the only code that
// fills the fragment block.
#pragma once

#include "pica/base/types.h"
#include "pica/state/draw.h"
#include "pica/state/keys.h"
#include "shaders/include/layout.h"

#include <array>
#include <cstddef>

namespace shadergen
{

using vec4 = std::array<pica::f32, 4>;
using ivec4 = std::array<pica::s32, 4>;
using uvec4 = std::array<pica::u32, 4>;
using uint = pica::u32;

#include "shaders/include/uniforms.h"

// Every member is a 16-byte row or an array of rows, so C++ and std140 agree. reflect.h checks each offset.
static_assert(sizeof(FragmentBlock) == 42 * 16);
// The rows at the start of FragmentBlock that any draw may read, in bytes. Most draws read no others.
inline constexpr std::size_t kCommonBytes = offsetof(FragmentBlock, proctex_noise);
static_assert(kCommonBytes == 17 * 16);
static_assert(sizeof(LightingBlock) == 61 * 16);
static_assert(sizeof(VertexBlock) % 16 == 0 && sizeof(VertexBlock) <= 16384);
static_assert(sizeof(BatchDraw) == BATCH_ROWS * 16);
static_assert(offsetof(BatchDraw, draw) == BATCH_ROW_DRAW * 16 &&
              offsetof(BatchDraw, index) == BATCH_ROW_INDEX * 16 &&
              offsetof(BatchDraw, shared_range) == BATCH_ROW_SHARED * 16 &&
              offsetof(BatchDraw, places) == BATCH_ROW_PLACES * 16);
static_assert(sizeof(BatchInput) == BATCH_INPUT_ROWS * 16);
static_assert(sizeof(VertexGroups) == MAX_VERTEX_GROUPS * 4 && sizeof(VertexGroups) <= 16384);
static_assert(sizeof(TriangleDraw) == 8 * 16 && sizeof(SlotsHeader) == 2 * 16);
static_assert(sizeof(ProgramBlock) == (3 + PROGRAM_WORDS) * 16 && sizeof(ProgramBlock) <= 16384);

// Indexed by LutTable: the index of a table's first entry in the LUT buffer.
using LutBases = std::array<pica::s32, pica::Luts::kTables>;
static_assert(pica::Luts::kTables <= 32); // FragmentBlock::lut_base

// Does the shader of this key, which is not the ubershader, read nothing behind the common rows?
bool reads_common_rows_only(const pica::FragmentKey& key);
// Overwrites the common rows, and leaves the others alone. Only writes, in rising order, so that the block may be in
// memory that is slow to read. scale: internal resolution N. scaled_units: that of the fragment key; the sizes of these
// units' textures count N times.
void pack_common_rows(const pica::FragmentConstants& constants,
                      const std::array<pica::TextureBinding, 3>& texture, pica::u32 scale,
                      pica::u32 scaled_units, FragmentBlock& block);
// Overwrites the whole block. The other parameters are those of pack_common_rows. state and lut_base become 0;
// ubershader.h and pack_lut_bases fill them.
void pack_fragment_block(const pica::FragmentConstants& constants,
                         const std::array<pica::TextureBinding, 3>& texture, pica::u32 scale,
                         pica::u32 scaled_units, FragmentBlock& block);
// Overwrites the whole block; state becomes 0.
void pack_lighting_block(const pica::LightingConstants& constants, LightingBlock& block);
// Gas accumulation: the heights of the depth buffer as a texture, in whole tiles, and of the target, in N x pixels.
void pack_gas_height(pica::u32 depth_height, pica::u32 target_height, FragmentBlock& block);
void pack_lut_bases(const LutBases& bases, FragmentBlock& block);

} // namespace shadergen
