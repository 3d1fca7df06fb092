// SPDX-License-Identifier: MIT
// Blocks of pixels on their way from rasterisation to memory. Triangles append blocks to a block batch.
// When it is full, texture units, combiners and fragment operations each run once over all of it, so that
// choosing the right code costs nothing per block. Blocks are stored in order, so one block batch may hold
// several triangles, and the same pixels more than once. Included only by the source files that are compiled
// once per instruction set.
#pragma once

#include "pica/soft/pixel_plan.h"
#include "pica/soft/simd.h"

namespace pica::soft
{

namespace
{

struct BlockBatch
{
    static constexpr u32 kCapacity = 128 / kLanes;

    u32 count;
    u32 pixel[kCapacity]; // index of the block's first pixel in the surface
    Mask mask[kCapacity]; // pixels of the block that are still alive
    s32 x[kCapacity];     // the block's first pixel in memory
    s32 y[kCapacity];
    Int e0[kCapacity]; // edge values; only on the way to weights that are computed for a run of blocks
    Int e1[kCapacity];
    Real l0[kCapacity]; // perspective weights
    Real l1[kCapacity];
    Mask beyond[kCapacity];       // pixels at which 1/w is not above 0; only if levels of detail need it
    Real window_depth[kCapacity]; // clamped; only with fog
    Int depth[kCapacity];         // depth codes; only if they are used after shading
    Real u[4][kCapacity];         // one for each coordinate set, then kUnit0Coordinates
    Real v[4][kCapacity];
    Int lod[4][kCapacity];         // one for each texture unit; only if the unit's plan has lod
    Int face[kCapacity];           // cube types only
    Int reference[kCapacity];      // shadow types only
    Real quaternion[4][kCapacity]; // interpolated; only with lighting
    Real view[3][kCapacity];
    Colors registers[kRegisterCount][kCapacity];
    Colors constants[TexEnvProgram::kMaxConstants];
};

// A register or constant as an array: element i is base[i * step].
struct ColorArray
{
    const Colors* base;
    u32 step;
};
PICA_SIMD ColorArray color_array(const BlockBatch& batch, u8 reg)
{
    if (reg >= kFirstConstant)
        return {&batch.constants[reg - kFirstConstant], 0};
    return {batch.registers[reg], 1};
}

} // namespace

} // namespace pica::soft
